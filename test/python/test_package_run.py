# SPDX-License-Identifier: GPL-2.0-only
"""One run from Python: frames, the folder, and an exception for each way to fail."""
import csv
import gc
import json
import signal
import subprocess
import sys
import unittest
from pathlib import Path

from package_case import DUMBBELL, PackageCase, ROOT, SIM, needs_sim

from dcfabric import (BadScenario, DcfabricError, Flow, Interrupted, InvariantViolated, Result,
                      RunCrashed, RunFailed, Scenario)
from dcfabric.measures import by_group


@needs_sim
class RunTest(PackageCase):
    def test_frames_are_the_files(self):
        result = DUMBBELL.replace(trace=["queues", "rates", "windows", "links", "pfc"],
                                  stop="20us").run("out")
        self.assertEqual(result.folder, self.dir / "out")
        for name in ("flows", "queues", "rates", "windows", "links", "pfc"):
            with self.subTest(name):
                frame = getattr(result, name)
                self.assertIs(frame, getattr(result, name))  # read once
                with open(result.folder / f"{name}.csv", newline="", encoding="utf-8") as file:
                    rows = list(csv.reader(file))
                self.assertEqual(list(frame.columns), rows[0])
                self.assertEqual(len(frame), len(rows) - 1)
                for column, texts in zip(rows[0], zip(*rows[1:])):
                    for value, text in zip(frame[column], texts):
                        if text == "":
                            self.assertNotEqual(value, value)  # NaN
                        else:
                            self.assertEqual(value,
                                             text if column in ("event", "state") else float(text))
        # 100 packets of 1082 B and more take 8.7 us and twice that together: 20 us end too early
        # for both.
        self.assertEqual(result.summary, json.loads((result.folder / "summary.json").read_text()))
        self.assertEqual(result.summary["status"], "stopped")
        self.assertTrue((result.queues["bytes"] > 0).any())
        self.assertEqual(str(result.flows["fct_ns"].dtype), "float64")
        self.assertEqual(str(result.flows["size_bytes"].dtype), "int64")

    def test_labels(self):
        result = Scenario(topology="leaf-spine:leaves=2,spines=2,hosts=4",
                          workload="hotspot:size=20kB", duration="20us",
                          cc="dcqcn").run()
        groups = by_group(result.flows)
        self.assertEqual(list(groups), ["background", "hot"])
        self.assertEqual({label: len(part) for label, part in groups.items()},
                         {label: group["flows_started"]
                          for label, group in result.summary["groups"].items()})
        self.assertIn("flows, hot: ", repr(result))
        self.assertRegex(repr(result),
                         r"^Result\(topology: leaf-spine:[^ ]*, workload: hotspot[^ ]*, cc: \w+, "
                         r"lb: symmetric-ecmp, "
                                       "flow_control: pfc, status: complete")
        again = Scenario(topology="leaf-spine:leaves=2,spines=2,hosts=4", flows=result.flows,
                         cc="dcqcn").run()
        # labels change nothing
        self.assertEqual(list(again.flows["fct_ns"]), list(result.flows["fct_ns"]))
        self.assertEqual(by_group(again.flows), {})  # and are not in flow files

    def test_results_that_are_not_whole(self):
        """The advice was to trace flows, and a damaged summary was an error of json."""
        Path("out").mkdir()
        Path("out/summary.json").write_text('{"status": ')
        with self.assertRaisesRegex(DcfabricError,
                                    "out/flows.csv is missing: it belongs to every run"):
            Result("out").flows
        with self.assertRaisesRegex(DcfabricError,
                                    "out/summary.json is damaged: Expecting value: line 1"):
            Result("out").summary

    def test_what_was_not_traced(self):
        result = DUMBBELL.run()
        with self.assertRaisesRegex(DcfabricError, r"trace=\[\.\.\., 'rates'\]"):
            result.rates

    def test_temporary_folder_goes_with_the_result(self):
        result = DUMBBELL.run()
        folder = result.folder
        self.assertTrue((folder / "flows.csv").is_file())
        del result
        gc.collect()
        self.assertFalse(folder.exists())

    def test_flows_from_python(self):
        # A lone packet: 1000 + 62 + 16 (RETH) + 20 (gap) bytes at 100 Gb/s. Nobody shares links.
        flows = [Flow(0, 2, 1000, 0), Flow(1, 3, 1000, 5000.125)]
        result = DUMBBELL.replace(workload=None, flows=flows, cc="none").run()
        self.assertEqual(result.flows["start_ns"].tolist(), [0, 5000.125])
        self.assertEqual(result.flows["slowdown"].tolist(), [1, 1])
        again = DUMBBELL.replace(workload=None, flows=result.flows, cc="none").run()
        self.assertTrue(again.flows.equals(result.flows))

    def test_show(self):
        result = DUMBBELL.run("out")
        for shown in (repr(result), result._repr_html_()):
            for part in ("complete", "2 of 2", "Gb/s", str(result.folder)):
                self.assertIn(part, shown)

    def test_folder_of_the_program_itself(self):
        subprocess.run([SIM, *DUMBBELL.arguments(), "--out=own"], check=True, capture_output=True)
        self.assertEqual(len(Result("own").flows), 2)
        with self.assertRaisesRegex(DcfabricError, "no results here"):
            Result(self.dir)

    def test_bad_value(self):
        for changes, words, status in (({"cc": "tcp"}, "unknown cc 'tcp'; known: hpcc", 2),
                                       ({"options": {"colour": "red"}}, "colour", 2),
                                       ({"attributes": {"ns3::FabricNic::Speed": 1}}, "Speed",
                                        None)):
            with self.subTest(changes), self.assertRaises(BadScenario) as caught:
                DUMBBELL.replace(**changes).run("out/deep")
            self.assertIn(words, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))
            if status:
                self.assertEqual(caught.exception.status, status)
            self.assertFalse((self.dir / "out").exists())

    def test_bad_value_leaves_files_of_others(self):
        (self.dir / "out").mkdir()
        (self.dir / "out" / "notes.txt").write_text("mine")
        with self.assertRaises(BadScenario):
            DUMBBELL.replace(workload=None, flows=[(0, 99, 1000, 0)]).run("out")
        self.assertEqual([path.name for path in (self.dir / "out").iterdir()], ["notes.txt"])

    def test_keyboard_interrupt(self):
        """Ctrl-C in a script ends the simulation with partial results, and the script with a line
        and the status of such an end."""
        script = (f"import sys; sys.path.insert(0, {str(ROOT / 'python')!r})\n"
                  "from dcfabric import Scenario\n"
                  "print('ready', flush=True)\n"
                  "Scenario(topology='dumbbell:switches=2,senders=1', flows=[(0, 1, 10**12, "
                  "0)]).run('out')\n")
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True)
        process.stdout.readline()
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(1.5)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
        self.assertEqual((said, process.returncode),
                         ("interrupted: the run is not finished, with partial results in out; the "
                          "same call does it anew\n", 130))
        self.assertEqual(Result("out").summary["status"], "partial")


class FailureTest(PackageCase):
    """Programs that fail in every way; the results that they leave are told."""

    def fails(self, text, kind, *words):
        with self.assertRaises(kind) as caught:
            DUMBBELL.run("out", program=self.program(text))
        error = caught.exception
        self.assertIs(type(error), kind)
        self.assertIsInstance(error, RunFailed)
        for word in words:
            self.assertIn(word, str(error))
        self.assertEqual(error.command[0], str(self.dir / "program"))
        return error

    def test_statuses(self):
        self.fails("echo 'dcfabric-sim: no such rate' >&2; exit 2", BadScenario, "no such rate")
        error = self.fails("echo 'dcfabric-sim: violation: it dropped' >&2; exit 3",
                           InvariantViolated, "violation: it dropped")
        self.assertEqual((error.status, error.folder), (3, self.dir / "out"))
        # the report of a run that is stuck may be long: what it is comes first, and all that it
        # names
        error = self.fails("echo note >&2; echo 'dcfabric-sim: violation: stuck' >&2; seq 30 >&2; "
                           "exit 3", InvariantViolated, "violation: stuck\n1\n",
                           "\n30")
        self.assertNotIn("note", str(error))
        error = self.fails("exit 130", Interrupted, "partial results", str(self.dir / "out"))
        self.assertEqual(error.status, 130)
        self.fails("exit 77", RunCrashed, "exit status 77")

    def test_crash(self):
        error = self.fails("for i in 1 2 3 4 5 6 7 8 9; do echo line $i; echo line $i; echo line "
                           "$i; done >&2\n"
                           "echo 'assert failed' >&2; kill -ABRT $$", RunCrashed, "SIGABRT",
                           "assert failed")
        self.assertEqual(error.status, -signal.SIGABRT)
        self.assertNotIn("line 1\n", str(error))  # the tail only
        self.assertIn("line 1\n", error.stderr)

    def test_success_without_results(self):
        with self.assertRaisesRegex(DcfabricError, "no results here"):
            DUMBBELL.run("out", program=self.program("exit 0"))

    def test_crash_in_a_temporary_folder(self):
        with self.assertRaises(RunCrashed) as caught:
            DUMBBELL.run(program=self.program("kill -SEGV $$"))
        self.assertIsNone(caught.exception.folder)


if __name__ == "__main__":
    unittest.main()
