# SPDX-License-Identifier: GPL-2.0-only
"""The Python package when something dies, is full, or is in the way: nothing lost, nothing
mixed."""
import contextlib
import io
import os
import random
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from crash_case import SEED, limit_files, raw
from package_case import DUMBBELL, PackageCase, needs_sim
from script_case import LONG, PACKAGE, ScriptCase, children, script, wait_for

from dcfabric import (DcfabricError, FolderUnusable, Interrupted, Result, RunCrashed, SweepFailed,
                      sweep)


@needs_sim
class DeathTest(ScriptCase):
    def test_programs_end_with_python(self):
        """They went on writing, while the next sweep began in the same folders."""
        process, pids = self.begin("sweep({'a': long, 'b': long}, jobs=2, out='out')", runs=2)
        self.assertEqual(len(pids), 2)
        process.kill()
        process.wait()
        # at once: the next sweep waits for those that are just ending
        results = sweep({"a": DUMBBELL, "b": DUMBBELL.replace(seed=2)}, jobs=2, out="out",
                        progress=False, force=True)
        self.wait_for_end(pids)
        for result in results.values():
            self.assertEqual(result.summary["status"], "complete")
            self.assertEqual(sorted(path.name for path in result.folder.iterdir()),
                             ["flows.csv", "report.txt", "run.json", "summary.json"])

    def test_program_keeps_the_lock(self):
        """Until it has ended, whoever has died."""
        process, [pid] = self.begin("long.run('out')")
        os.kill(pid, signal.SIGSTOP)
        process.kill()
        process.wait()
        with self.assertRaisesRegex(FolderUnusable,
                                    f"another run is using this folder .process {process.pid}"):
            DUMBBELL.run("out")
        os.kill(pid, signal.SIGCONT)
        self.wait_for_end([pid])
        self.assertEqual(Result("out").summary["status"], "partial")
        self.assertEqual(len(DUMBBELL.run("out", force=True).flows), 2)

    def test_python_killed_at_random_times(self):
        """Finished runs are whole or run again; what was there before stays until then."""
        generator = random.Random(SEED)
        expected = (DUMBBELL.replace(seed=5).run("expected").folder / "flows.csv").read_bytes()
        for _ in range(6):
            process = script("[sweep([Scenario(topology='dumbbell:switches=3,senders=2', "
                             "workload='pairs:size=100kB', "
                             "cc=cc, seed=5)], out='out', progress=False, force=True) for cc "
                             "in ('fncc', 'hpcc')]")
            time.sleep(generator.uniform(0.2, 1))
            pids = children(process)
            process.kill()
            process.communicate()
            [result] = sweep([DUMBBELL.replace(seed=5)], out="out", progress=False, force=True)
            self.assertEqual(result.summary["options"]["cc"], "hpcc", f"seed {SEED}")
            self.assertEqual((result.folder / "flows.csv").read_bytes(), expected, f"seed {SEED}")
            left = {path.name for path in result.folder.iterdir()
                    if not (path.name[0] == "." and path.suffix == ".tmp")} - {"partial"}
            if result.resumed:  # what a killed run has left is cleaned up by the next one that runs
                left -= {"report.txt.tmp", ".dcfabric-lock", ".dcfabric-running"}
            self.assertEqual(left, {"flows.csv", "report.txt", "run.json", "summary.json"},
                             f"seed {SEED}")
            self.wait_for_end(pids)


@needs_sim
class FolderTest(PackageCase):
    def test_results_of_other_options(self):
        folder = DUMBBELL.run("out").folder
        before = raw(folder)
        with self.assertRaisesRegex(FolderUnusable,
                                    r"\(cc was 'hpcc', is 'fncc'\).*force=True$") as caught:
            DUMBBELL.replace(cc="fncc").run("out")
        self.assertEqual((caught.exception.status, caught.exception.folder), (2, None))
        self.assertEqual(raw(folder), before)
        self.assertEqual(DUMBBELL.replace(cc="fncc").run("out", force=True)
                         .summary["options"]["cc"], "fncc")

    def test_other_flows_are_other_options(self):
        flows = DUMBBELL.replace(workload=None, flows=[(0, 2, 1000, 0)])
        flows.run("out")
        before = raw("out")
        other = flows.replace(flows=[(0, 2, 2000, 0)])
        with self.assertRaisesRegex(FolderUnusable, r"\(workload was"):
            other.run("out")
        self.assertEqual(raw("out"), before)
        other.run("out", force=True)
        self.assertEqual(len(list(Path("out").glob("input-*.flows"))), 1)
        self.assertEqual(flows.run("out", force=True).flows["size_bytes"].tolist(), [1000])

    def test_failed_rerun_leaves_the_results(self):
        DUMBBELL.run("out")
        before = raw("out")
        for text, kind in (("echo 'dcfabric-sim: no' >&2; exit 2", DcfabricError),
                           ("kill -9 $$", RunCrashed),
                           ("exit 0", DcfabricError)):
            with self.subTest(text), self.assertRaises(kind) as caught:
                DUMBBELL.run("out", program=self.program(text))
            self.assertIsNone(getattr(caught.exception, "folder", None))
            self.assertEqual(raw("out"), before)

    def test_interrupted_rerun_leaves_the_results(self):
        LONG.replace(stop="10us").run("out")
        before = raw("out")
        process = subprocess.Popen(
            [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(PACKAGE)!r})\n"
             f"from dcfabric import Flow, Interrupted, Scenario\ntry:\n    {LONG!r}.run('out', "
             "force=True)\n"
             "except Interrupted as error:\n    print(error.status, error.folder.name)"],
            stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        wait_for(lambda: os.path.exists("out/.dcfabric-running"))
        [pid] = children(process)
        os.kill(pid, signal.SIGTERM)
        self.assertEqual(process.communicate(timeout=30)[0], "143 partial\n")
        self.assertEqual(Result("out/partial").summary["status"], "partial")
        left = {name: text for name, text in raw("out").items() if not name.startswith("partial/")}
        self.assertEqual({name: left[name] for name in before}, before)
        LONG.replace(stop="10us").run("out")
        self.assertFalse(os.path.exists("out/partial"))

    def test_statuses_of_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.assertRaises(Interrupted) as caught:
                DUMBBELL.run("out", program=self.program(f"exit {128 + number}"))
            self.assertEqual(caught.exception.status, 128 + number)

    def test_run_of_another_program_is_not_finished(self):
        """Results that were replaced behind the back of run.json are not those of its run."""
        sweep([DUMBBELL], out="out", progress=False)
        [SIM] = [os.environ["DCFABRIC_SIM"]]
        subprocess.run([SIM, *DUMBBELL.replace(cc="fncc").arguments(), "--out=out/0", "--force"],
                       check=True,
                       capture_output=True)
        with self.assertRaisesRegex(SweepFailed,
                                    r"0: FolderUnusable: .*\(cc was 'fncc', is 'hpcc'"):
            sweep([DUMBBELL], out="out", progress=False)
        [result] = sweep([DUMBBELL], out="out", progress=False, force=True)
        self.assertFalse(result.resumed)
        self.assertEqual(result.summary["options"]["cc"], "hpcc")

    def test_places_that_are_no_folder(self):
        Path("file").write_text("")
        for out in ("file", "file/below", "/dev/null/x", "/proc/none"):
            with self.subTest(out):
                with self.assertRaisesRegex(FolderUnusable, "cannot write to"):
                    DUMBBELL.run(out)
                with self.assertRaisesRegex(FolderUnusable, "cannot write to"):
                    sweep([DUMBBELL], out=out, progress=False)

    def test_full_disk(self):
        """Old results stay, and the exception says that it is not the scenario."""
        sweep({"a": DUMBBELL}, out="out", progress=False)
        before = raw("out")
        for size in (0, 300, 1000):
            script_text = (f"import sys; sys.path.insert(0, {str(PACKAGE)!r})\n"
                           "from dcfabric import FolderUnusable, Scenario, SweepFailed, sweep\n"
                           f"run = {DUMBBELL.replace(cc='fncc')!r}\n"
                           "try:\n    sweep({'a': run}, out='out', progress=False, force=True)\n"
                           "except SweepFailed as error:\n    "
                           "print(type(error.failures['a']).__name__)\n"
                           "except FolderUnusable as error:\n    print('FolderUnusable')\n")
            done = subprocess.run([sys.executable, "-c", script_text], capture_output=True,
                                  text=True, timeout=60,
                                  preexec_fn=limit_files(size))
            self.assertEqual((done.stdout, done.stderr), ("FolderUnusable\n", ""), f"{size} bytes")
            self.assertEqual(raw("out"), before, f"{size} bytes")

    def test_sweep_goes_on(self):
        """A folder that cannot be used is the failure of one run."""
        os.makedirs("out")
        Path("out/bad").write_text("in the way")
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SweepFailed) as caught:
            sweep({"bad": DUMBBELL, "good": DUMBBELL}, out="out")
        self.assertIsInstance(caught.exception.failures["bad"], FolderUnusable)
        self.assertEqual(list(caught.exception.results), ["good"])


if __name__ == "__main__":
    unittest.main()
