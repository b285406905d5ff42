# SPDX-License-Identifier: GPL-2.0-only
"""What decides whether a run was done before: input files, libraries, classes in Python. Nothing
old is taken for new."""
import importlib
import json
import os
import shutil
import subprocess
import sys
import threading
import unittest
from pathlib import Path
from unittest import mock

from package_case import SIM, PackageCase, needs_sim

from dcfabric import CongestionControl, DcfabricError, Scenario, write_jobs
from dcfabric.engine import Engine, input_files, source_of, values_of
from dcfabric.task import read_jobs
from dcfabric.program import digest, fingerprint
from dcfabric.run_files import write_whole

CELLS = """
gain = 0.5
def scaled(value):
    return value * gain
class Mine(CongestionControl):
    step = 3
    def on_ack(self, ack):
        self.window_bytes = scaled(self.window_bytes)
"""


class InputsTest(PackageCase):
    """The program tells the files that a run reads; their hashes are there under the paths that it
    tells."""

    def setUp(self):
        super().setUp()
        Path("a.flows").write_text("one")

    def answer(self, text, status=0):
        return self.program(f"echo asked >>asked\ncat <<'END'\n{text}\nEND\nexit {status}")

    def test_hashes(self):
        program = self.answer('{"inputs": ["a.flows", "gone"]}')
        before = input_files(["--workload=flows:a.flows"], self.dir, program)
        self.assertEqual(before, {"a.flows": digest(Path("a.flows"))})
        Path("a.flows").write_text("other")
        self.assertNotEqual(input_files(["--workload=flows:a.flows"], self.dir, program), before)

    def test_asked_if_needed(self):
        program = self.answer('{"inputs": ["a.flows"]}')
        for argument, asks in (("--workload=flows:a.flows", True), ("--faults=a.flows", True),
                               ("--config=x", True),
                               ("--workload=incast:fan-in=4+cm:b", True),
                               ("--topology=topo:x", True),
                               ("--workload=hotspot:sizes=cdf:x", True),
                               ("--ns3::EntropyFile::From=a.flows", True),
                               ("--ns3::PoissonWorkload::Cdf=cdf:x", True),
                               ("--ns3::FabricNic::AckEvery=2", False),
                               ("--topology=fat-tree:k=4", False), ("--rate=", False),
                               ("--seed=1", False),
                               ("--ns3::X::Y=" + "9" * 5000, False),
                               ("--trace=queues,rates", False), ("--force", False)):
            with self.subTest(argument[:60]):
                self.assertEqual(set(input_files([argument], self.dir, program)),
                                 {"a.flows"} if asks else set())
                self.assertEqual(Path("asked").exists(), asks)
            Path("asked").unlink(missing_ok=True)

    def test_other_answers(self):
        """Options that are refused have no files: the run says why. What is no dcfabric-sim is
        named."""
        arguments = ["--workload=flows:a.flows"]
        self.assertEqual(input_files(arguments, self.dir, self.answer("no", 2)), {})
        for text in ("Hello", "[]", '{"files": []}', "3"):
            with self.subTest(text), self.assertRaisesRegex(DcfabricError, "is it dcfabric-sim"):
                input_files(arguments, self.dir, self.answer(text))
        with self.assertRaisesRegex(DcfabricError, "cannot be started"):
            input_files(arguments, self.dir, self.dir / "a.flows")

    @needs_sim
    def test_configuration(self):
        """ConWeave's lies three folders below what it names, HPCC's beside it."""
        Path("mix/output/7").mkdir(parents=True)
        Path("mix/output/7/config.txt").write_text("TOPOLOGY_FILE config/topo.txt\nFLOW_FILE "
                                                   "flow.txt\n")
        Path("config").mkdir()
        for name in ("config/topo.txt", "mix/output/7/flow.txt"):
            Path(name).write_text(name)
        scenario = Scenario(config="mix/output/7/config.txt")
        self.assertEqual(set(Engine(scenario, SIM).key(self.dir)["inputs"]),
                         {"mix/output/7/config.txt", "config/topo.txt", "mix/output/7/flow.txt"})


class ProgramTest(PackageCase):
    def test_libraries(self):
        """In a folder with a space, and changed while Python runs: all of these had one
        fingerprint."""
        folder = self.dir / "my ns-3"
        folder.mkdir()
        for name in ("libns3-core.so", "libother.so"):
            (folder / name).write_text(name)
        # as the loader lists them
        listed = (f"\tlibns3-core.so => {folder}/libns3-core.so (0x00007f00)\n\tlibother.so => "
                  f"{folder}/libother.so (0x00007f01)\n"
                  "\tlibgone.so => not found\n\t/lib64/ld-linux-x86-64.so.2 (0x00007f02)\n")
        patch = mock.patch("dcfabric.program.subprocess.run",
                           return_value=subprocess.CompletedProcess((), 0, stdout=listed))
        patch.start()
        self.addCleanup(patch.stop)
        program = self.program("")
        before = fingerprint(program)
        self.assertEqual(before, digest(program, folder / "libns3-core.so"))
        self.assertEqual(fingerprint(program), before)
        (folder / "libns3-core.so").write_text("a newer one")
        changed = fingerprint(program)
        self.assertNotEqual(changed, before)
        shutil.copy(program, "another")
        self.assertEqual(fingerprint(Path("another")), changed)


class PolicyTest(PackageCase):
    def module(self, name, text):
        Path(f"{name}.py").write_text(text)
        sys.modules.pop(name, None)
        importlib.invalidate_caches()
        return importlib.import_module(name)

    def setUp(self):
        super().setUp()
        sys.path.insert(0, str(self.dir))
        self.addCleanup(sys.path.remove, str(self.dir))
        sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
        self.addCleanup(setattr, sys, "dont_write_bytecode", before)

    def test_bases(self):
        """What a class inherits from another file counts, too."""
        self.module("base_of_mine",
                    "from dcfabric import CongestionControl\nclass Base(CongestionControl):\n    "
                    "gain = 1\n")
        mine = self.module("mine",
                           "from base_of_mine import Base\nclass Mine(Base):\n    pass\n").Mine
        before = source_of(mine)
        self.module("base_of_mine",
                    "from dcfabric import CongestionControl\nclass Base(CongestionControl):\n    "
                    "gain = 1  # other\n")
        self.assertNotEqual(source_of(mine), before)

    def test_values(self):
        """Attributes of a class that are set from outside, and variables that its methods read."""
        mine = self.module("mine", "from dcfabric import CongestionControl\n" + CELLS).Mine
        self.assertEqual(values_of(mine), {"Mine.step": "3", "scaled: gain": "0.5"})
        key = {"Mine.step": "4", "scaled: gain": "0.25"}
        mine.step = 4
        sys.modules["mine"].gain = 0.25
        self.assertEqual(values_of(mine), key)

        def made(gain):
            class Made(CongestionControl):
                def on_ack(self, ack):
                    self.rate_bps *= gain
            return Made

        self.assertEqual([list(values_of(made(gain)).values()) for gain in (1, 2)], [["1"], ["2"]])

    def cells(self, text):
        """A class as a notebook has it: its module has no file, its methods know their cell."""
        import linecache
        name = f"<cell {len(linecache.cache)}>"
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        space = {"CongestionControl": CongestionControl, "__name__": "notebook_of_test"}
        exec(compile(text, name, "exec"), space)
        return space["Mine"]

    def test_notebook(self):
        """A cell that is executed again is the same class; other text is another one. They were
        told apart by their addresses in memory, which the next class may get."""
        one, same, other = (self.cells(text)
                            for text in (CELLS, CELLS,
                                         CELLS.replace("scaled(self", "1 + scaled(self")))
        self.assertEqual(source_of(one), source_of(same))
        self.assertNotEqual(source_of(one), source_of(other))
        called = self.cells(CELLS.replace("value * gain", "value * gain * 2"))
        self.assertNotEqual(source_of(one), source_of(called))
        self.assertNotEqual(values_of(one), values_of(self.cells(CELLS.replace("0.5", "0.6"))))

    def test_without_a_source(self):
        """As in python3 -c: it is like no other, and like itself."""
        def made():
            space = {"CongestionControl": CongestionControl, "__name__": "nowhere"}
            exec("class Mine(CongestionControl):\n    def on_ack(self, ack):\n        pass\n",
                 space)
            return space["Mine"]
        one, other = made(), made()
        self.assertEqual(source_of(one), source_of(one))
        self.assertNotEqual(source_of(one), source_of(other))

    def test_parameters_that_json_does_not_know(self):
        class Mine(CongestionControl):
            gain = 1
        scenario = Scenario(cc=Mine, cc_parameters={"gain": object()})
        with self.assertRaisesRegex(DcfabricError, "cc_parameters: Object of type object"):
            Engine(scenario, self.program("")).key()


class JobListTest(PackageCase):
    def test_paths_and_numbers_of_numpy(self):
        """They ended in a TypeError of json."""
        import numpy
        scenario = Scenario(seed=numpy.int64(3), load=numpy.float64(0.5),
                            options={"policies": Path("p.txt")},
                            attributes={"ns3::X::Y": numpy.bool_(True), "ns3::X::Z": Path("z")},
                            flows=None,
                            tier_rates=numpy.array(["1Gbps", "2Gbps"]))
        self.assertIn("--ns3::X::Y=true", scenario.arguments())
        self.assertIn("--tier-rates=1Gbps,2Gbps", scenario.arguments())
        self.assertEqual(write_jobs("jobs", [scenario], "out",
                                    program=self.program("echo '{\"inputs\": []}'")), 1)
        [task] = read_jobs("jobs")
        self.assertEqual(task.scenario.arguments(), scenario.arguments())


class WriteTest(PackageCase):
    def test_many_write_one_file(self):
        """With one name for what is not complete yet, one took away that of another, or put half of
        it in place."""
        texts = [letter * 300_000 for letter in "ab"]
        failures = []

        def write(text):
            try:
                for _ in range(60):
                    write_whole(Path("file"), text)
                    if Path("file").read_text() not in texts:
                        failures.append("mixed")
            except OSError as error:
                failures.append(error)

        threads = [threading.Thread(target=write, args=(text,)) for text in texts * 2]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        self.assertEqual(os.listdir(), ["file"])

    def test_interrupt(self):
        """Ctrl-C while a file is written leaves nothing."""
        from dcfabric.run_files import replacing
        Path("file").write_text("old")
        with self.assertRaises(KeyboardInterrupt), replacing(Path("file")) as temporary:
            temporary.write_text("half")
            raise KeyboardInterrupt
        self.assertEqual((os.listdir(), Path("file").read_text()), (["file"], "old"))

    def test_what_was_killed_goes_later(self):
        Path(".file.0123abcd.tmp").write_text("half")
        os.utime(".file.0123abcd.tmp", (1, 1))
        Path(".file.4567abcd.tmp").write_text("being written")
        write_whole(Path("file"), "whole")
        self.assertEqual(sorted(os.listdir()), [".file.4567abcd.tmp", "file"])

    def test_messages_name_the_file(self):
        with self.assertRaisesRegex(OSError, "'missing/file'"):
            write_whole(Path("missing/file"), "text")
        os.mkdir("folder")
        for name in (".", "..", "/", "folder", "folder/"):
            with self.assertRaisesRegex(IsADirectoryError, repr(str(Path(name)))):
                write_whole(Path(name), "text")
        Path("file").write_text("old")
        with self.assertRaisesRegex(NotADirectoryError, "'file/sub'"):
            write_whole(Path("file/sub"), "text")
        self.assertEqual(sorted(os.listdir()), ["file", "folder"])

    def test_pipes_stay(self):
        """The same holds for devices: an administrator who gave /dev/null found a file in its
        place."""
        os.mkfifo("pipe")
        read = []
        thread = threading.Thread(target=lambda: read.append(Path("pipe").read_text()))
        thread.start()
        write_whole(Path("pipe"), "text")
        thread.join()
        self.assertTrue(Path("pipe").is_fifo())
        self.assertEqual((read, os.listdir()), (["text"], ["pipe"]))

    def test_links_stay(self):
        """Also one that leads to a file that is not there yet, and one to a link."""
        os.mkdir("folder")
        for name, to in (("link", "folder/file"), ("second", "link")):
            os.symlink(to, name)
        for name in ("link", "second"):
            write_whole(Path(name), name)
            self.assertEqual((Path("folder/file").read_text(), os.readlink(name)),
                             (name, "folder/file" if name == "link" else "link"))
        self.assertEqual((os.listdir("folder"), sorted(os.listdir())),
                         (["file"], ["folder", "link", "second"]))
        os.symlink("loop", "loop")
        with self.assertRaisesRegex(OSError, "'loop'"):
            write_whole(Path("loop"), "text")

    def test_json_has_neither_nan_nor_infinity(self):
        """Python writes and reads them; other readers refuse the whole file."""
        import numpy
        from dcfabric.run_files import write_json
        write_json(Path("new/file.json"),
                   {"a": [1, float("nan"), (2.5, -float("inf"))],
                    "b": {"c": numpy.float64("inf"), "d": True}, "e": "NaN"})

        def refuse(name):
            raise AssertionError(name)

        self.assertEqual(json.loads(Path("new/file.json").read_text(), parse_constant=refuse),
                         {"a": [1, None, [2.5, None]], "b": {"c": None, "d": True}, "e": "NaN"})


if __name__ == "__main__":
    unittest.main()
