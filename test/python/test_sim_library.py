# SPDX-License-Identifier: GPL-2.0-only
"""Policies of one's own in a library: --library, --load=FILE.so, Scenario(library=...), and the
project that `dcfabric new` makes and `dcfabric build` compiles. Needs a compiler and the library
(run-tests names it in DCFABRIC_LIBRARY)."""
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path
from unittest import mock

from package_case import DUMBBELL, PackageCase, ROOT, needs_sim

from dcfabric import BadScenario, DcfabricError, Scenario, Study
from dcfabric.engine import Engine
from dcfabric.project import build_project, kinds, new_project

LIBRARY = os.environ.get("DCFABRIC_LIBRARY")
# The program of the same build: DCFABRIC_SIM may be of another ns-3.
SIM = str(Path(LIBRARY).parent / "examples" / "dcfabric-sim") if LIBRARY else ""
needs_library = unittest.skipUnless(
    os.access(SIM, os.X_OK) and shutil.which("c++"),
    "no compiler, or DCFABRIC_LIBRARY names no library with its program")
FABRIC = Scenario(topology="fat-tree:k=4", workload="permutation:size=100kB")


class NewTest(PackageCase):
    def test_files(self):
        for kind in kinds():
            with self.subTest(kind):
                folder = new_project(kind, "MyOwn2Control", self.dir / kind)
                self.assertEqual(sorted(path.name for path in folder.iterdir()),
                                 ["CMakeLists.txt", "README.md", "compare.py",
                                  "my-own2-control.cc"])
                for path in folder.iterdir():
                    self.assertNotRegex(path.read_text(), "@[A-Z]+@")
        self.assertEqual(new_project("congestion-control", "Mine"), Path("mine"))

    def test_refusals(self):
        for kind, name, words in (("congestion", "Mine", "nearest is congestion-control"),
                                  ("congestion-control", "mine", "the first one a capital"),
                                  ("congestion-control", "My Control", "no name for a class"),
                                  ("congestion-control", "../Up", "no name for a class")):
            with self.subTest(name), self.assertRaisesRegex(DcfabricError, words):
                new_project(kind, name)
        self.assertEqual(os.listdir(), [])
        Path("mine").mkdir()
        with self.assertRaisesRegex(DcfabricError, "^mine is there already"):
            new_project("congestion-control", "Mine")
        with self.assertRaisesRegex(DcfabricError, "has no C\\+\\+ files"):
            build_project(Path("mine"))


@needs_library
class LibraryTest(PackageCase):
    """One library for all: a compilation takes seconds."""

    made: Path

    @classmethod
    def setUpClass(cls):
        import tempfile
        ours = mock.patch.dict(os.environ, DCFABRIC_SIM=SIM)
        ours.start()
        cls.addClassCleanup(ours.stop)
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.projects = {}
        for kind, name in (("congestion-control", "Mine"), ("load-balancer", "Turns")):
            folder = new_project(kind, name, Path(temporary.name) / kind)
            cls.projects[kind] = folder
        cls.made = build_project(cls.projects["congestion-control"])
        cls.balancer = build_project(cls.projects["load-balancer"])

    def sim(self, *arguments):
        return subprocess.run([SIM, *arguments], capture_output=True, text=True, check=False)

    def test_command_line(self):
        """In any order; --load names a library as well as the load."""
        for number, words in enumerate((
                ["--cc=ns3::Mine", "--ns3::Mine::Target=1us", f"--load={self.made}"],
                [f"--library={self.made}", "--load=0.4", "--cc=ns3::Mine"],
                [f"--load={self.made}", "--load=0.4", "--cc=ns3::Mine"])):
            run = self.sim("--topology=fat-tree:k=4", "--duration=50us", *words,
                           f"--out=out{number}")
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertIn("--cc=ns3::Mine", run.stdout)
        listed = self.sim(f"--load={self.made}", "--list").stdout
        self.assertIn("--ns3::Mine::Target=2us", listed)
        self.assertIn('"ns3::Mine"', self.sim(f"--load={self.made}", "--describe").stdout)
        self.assertNotIn("ns3::Mine", self.sim("--list").stdout)

    def test_python(self):
        result = FABRIC.replace(library=self.made, cc="ns3::Mine").run("out")
        self.assertEqual(result.summary["options"]["cc"], "ns3::Mine")
        again = FABRIC.replace(load=self.made, cc="ns3::Mine").run()
        self.assertEqual((result.folder / "flows.csv").read_bytes(),
                         (again.folder / "flows.csv").read_bytes())
        # it decides: HPCC's times are others
        self.assertNotEqual(result.flows["fct_ns"].tolist(),
                            FABRIC.run().flows["fct_ns"].tolist())
        # a library that has changed is another input
        inputs = Engine(FABRIC.replace(library=str(self.made)), SIM).key()["inputs"]
        self.assertEqual(list(inputs), [str(self.made)])
        self.assertEqual(Engine(FABRIC.replace(load=self.made), SIM).key()["inputs"], inputs)

    def test_baselines_stay(self):
        """The library is built again: of a study, only the runs that have it are repeated."""
        library = Path(shutil.copy(self.made, self.dir))
        study = Study(DUMBBELL, {"control": {"Mine": {"cc": "ns3::Mine", "library": library},
                                             "HPCC": {"cc": "hpcc"}}}, seeds=1)
        study.run(out="out", progress=False)
        with library.open("ab") as file:
            file.write(b"later")
        again = study.run(out="out", progress=False).results
        self.assertEqual({name[0]: result.resumed for name, result in again.items()},
                         {"Mine": False, "HPCC": True})

    def test_load_balancer(self):
        both = f"{self.made},{self.balancer}"
        result = FABRIC.replace(library=both, cc="ns3::Mine", lb="ns3::Turns").run()
        self.assertEqual(result.summary["flows_completed"], 16)
        # packets of a flow take several ways, which one way does not reorder
        self.assertGreater(result.summary["reordered_packets"], 0)

    def test_classes_of_the_module(self):
        """They have names, and can be chosen by class, too: the same run."""
        named = FABRIC.replace(cc="swift", lb="spray-rr").run()
        typed = FABRIC.replace(cc="ns3::SwiftCongestionControl",
                               lb="ns3::RoundRobinSprayLoadBalancer").run()
        self.assertEqual((named.folder / "flows.csv").read_bytes(),
                         (typed.folder / "flows.csv").read_bytes())

    def stamped(self, change):
        """A copy of the library in which the text of its stamp is another one."""
        old = self.made.read_bytes()
        at = old.index(b"dcfabric policy library\n1")
        path = self.dir / "changed.so"
        path.write_bytes(old[:at] + change(old[at:at + 88]) + old[at + 88:])
        return path

    def test_refusals(self):
        other = self.stamped(lambda stamp: stamp.replace(b"0.1.0", b"0.0.9"))
        for arguments, words in (
                ([f"--library={other}"], "was compiled for dcfabric 0.0.9 and ns-3 .*; compile it "
                                         "again"),
                (["--library=none.so"], "cannot be read; name the file"),
                (["--load=./none"], "--library=./none: cannot be read"),
                ([f"--library={self.dir}"], "cannot be read"),
                ([f"--library={SIM}"], "is no library of policies; .*DCFABRIC_POLICY_LIBRARY"),
                ([f"--load={self.made}", "--cc=ns3::Min"], "no class 'ns3::Min'; the nearest is "
                                                           "ns3::Mine"),
                ([f"--load={self.made}", "--lb=ns3::Mine"], "made from ns3::LoadBalancer, "
                                                            "ns3::PathSelector"),
                ([f"--load={self.made}", "--preset=ns3::Mine"], "unknown preset"),
                ([f"--load={self.made}", f"--library={self.made}"], "is given twice"),
                (["--load=half"], "'half' is not a number")):
            with self.subTest(arguments):
                run = self.sim(*arguments, "--check")
                self.assertEqual((run.returncode, run.stderr.count("\n")), (2, 1), run.stderr)
                self.assertRegex(run.stderr, words)
        run = self.sim(f"--library={self.stamped(lambda stamp: stamp[:-20] + bytes(20))}")
        self.assertIn("was compiled with other settings", run.stderr)
        with self.assertRaisesRegex(BadScenario, "^library='none.so': cannot be read"):
            DUMBBELL.replace(library="none.so").run()

    def test_what_cannot_be_loaded(self):
        """A function that is nowhere is named."""
        folder = new_project("congestion-control", "Lost")
        source = folder / "lost.cc"
        source.write_text(source.read_text() + "void Nowhere();\nint g_lost = (Nowhere(), 1);\n")
        run = self.sim(f"--load={build_project(folder)}")
        self.assertEqual((run.returncode, run.stderr.count("\n")), (2, 1), run.stderr)
        self.assertRegex(run.stderr, "cannot be loaded: .*undefined symbol: .*Nowhere")

    def test_compiler_refuses(self):
        """Nothing is put in the place of what was built before."""
        folder = new_project("congestion-control", "Bad")
        (folder / "build").mkdir()
        (folder / "build" / "libbad.so").write_text("before")
        (folder / "bad.cc").write_text("#error no\n")
        done = subprocess.run([sys.executable, "-m", "dcfabric", "build", "bad"],
                              capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
        self.assertEqual(done.returncode, 2)
        self.assertIn("#error no", done.stderr)
        self.assertEqual(os.listdir("bad/build"), ["libbad.so"])
        self.assertEqual((folder / "build" / "libbad.so").read_text(), "before")
        self.assertIn("bad/build/libbad.so is still that of an earlier build", done.stderr)
        (folder / "build" / "libbad.so").unlink()
        with self.assertRaisesRegex(DcfabricError, "messages are above$"):
            build_project(folder)

    def test_warnings(self):
        """The compiler has nothing to say, about headers of others either."""
        folder = new_project("congestion-control", "Quiet")
        done = subprocess.run([sys.executable, "-m", "dcfabric", "build", folder],
                              capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONPATH": str(ROOT / "python"),
                                   "CXXFLAGS": "-Werror"})
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stderr)
        self.assertIn("quiet/build/libquiet.so", done.stdout)

    def test_compare(self):
        """The script of the project."""
        for kind, name in (("congestion-control", "ns3::Mine"), ("load-balancer", "ns3::Turns")):
            done = subprocess.run([sys.executable, self.projects[kind] / "compare.py"],
                                  capture_output=True, text=True, check=False,
                                  env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, rf"(?m)^{name} +\d+ ")
            self.assertIn("one seed: small differences may be its luck", done.stdout)

    def test_compare_refuses_what_is_old(self):
        """A source that was changed after the library was built, as where the compiler refused it:
        the figures would be those of another class."""
        folder = new_project("congestion-control", "Old")
        (folder / "build").mkdir()
        library = folder / "build" / "libold.so"
        for change in (None, 2, -2):  # missing; older than its source; newer
            if change is not None:
                library.write_bytes(b"")
                os.utime(library, (library.stat().st_mtime - change,) * 2)
            done = subprocess.run([sys.executable, folder / "compare.py"], capture_output=True,
                                  text=True, check=False,
                                  env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
            self.assertNotEqual(done.returncode, 0)
            refused = "is missing, or older than its source: dcfabric build" in done.stderr
            self.assertEqual(refused, change != -2, done.stderr)


@needs_sim
class HeadersTest(unittest.TestCase):
    def test_standard(self):
        """As the stand-alone build takes it."""
        from dcfabric.project import standard_of
        text = (ROOT / ".ci" / "stand-alone.cmake").read_text()
        limits = re.findall(r"NS3_VER VERSION_GREATER_EQUAL (3\.\d+)\)\n\s+"
                            r"set\(CMAKE_CXX_STANDARD (\d+)\)", text)
        self.assertEqual(len(limits), 2)
        for version, standard in limits:
            self.assertEqual(standard_of(version), f"c++{standard}")
            self.assertNotEqual(standard_of(f"3.{int(version[2:]) - 1}"), f"c++{standard}")
        self.assertEqual(standard_of("3.37"), "c++17")

    def test_requirement(self):
        """The ns-3 that is fetched is that of the extra."""
        from dcfabric import project
        with mock.patch("importlib.metadata.requires", return_value=None):
            wanted = project.requirement()
        text = (ROOT / "pyproject.toml").read_text()
        self.assertEqual(wanted, re.search(r'bindings = \["(.*)"\]', text)[1])


if __name__ == "__main__":
    unittest.main()
