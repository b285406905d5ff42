# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric.sweep: side by side, nothing twice, and what happens when runs fail."""
import contextlib
import importlib.util
import io
import os
import signal
import subprocess
import sys
import time
import types
import unittest
from unittest import mock

from package_case import DUMBBELL, PackageCase, ROOT, needs_sim

from dcfabric import (BadScenario, CongestionControl, DcfabricError, FolderUnusable, Scenario,
                      SweepFailed, sweep, write_jobs)
from dcfabric.sweep import Progress

FABRIC = Scenario(topology="fat-tree:k=4", workload="permutation:size=50kB")
SCENARIOS = {f"{cc} {seed}": FABRIC.replace(cc=cc, seed=seed) for cc in ("fncc", "hpcc")
             for seed in (1, 2)}


needs_tqdm = unittest.skipUnless(importlib.util.find_spec("tqdm"),
                                 "tqdm is not there (Debian package python3-tqdm)")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@needs_sim
class SweepTest(PackageCase):
    def sweep(self, scenarios, **options):
        """The results, and the lines that were said."""
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            results = sweep(scenarios, **options)
        return results, said.getvalue().splitlines()

    def test_side_by_side_as_one_by_one(self):
        serial, _ = self.sweep(SCENARIOS, jobs=1)
        parallel, said = self.sweep(SCENARIOS, jobs=3, out="out")
        self.assertEqual(list(parallel), list(SCENARIOS))
        self.assertEqual(len(said), 4)
        for name, result in serial.items():
            self.assertEqual((result.folder / "flows.csv").read_bytes(),
                             (parallel[name].folder / "flows.csv").read_bytes())
            self.assertEqual(parallel[name].scenario, SCENARIOS[name])
        self.assertNotEqual((serial["fncc 1"].folder / "flows.csv").read_bytes(),
                            (serial["fncc 2"].folder / "flows.csv").read_bytes())

    def test_sequence(self):
        results, _ = self.sweep(list(SCENARIOS.values()), jobs=2, out="out")
        self.assertEqual([result.summary["seed"] for result in results], [1, 2, 1, 2])
        self.assertEqual(sorted(os.listdir("out")), ["0", "1", "2", "3"])
        self.assertEqual(self.sweep([])[0], [])

    def test_nothing_twice(self):
        self.sweep(SCENARIOS, out="out")
        before = {name: os.stat(f"out/{name.replace(' ', '_')}/flows.csv").st_mtime_ns
                  for name in SCENARIOS}
        results, said = self.sweep(SCENARIOS, out="out")
        self.assertTrue(all(result.resumed for result in results.values()))
        self.assertTrue(all("finished before" in line for line in said), said)
        for name, when in before.items():
            self.assertEqual(os.stat(results[name].folder / "flows.csv").st_mtime_ns, when)
        self.assertEqual(results["fncc 1"].summary["options"]["cc"], "fncc")

    def rerun(self, scenarios, **options):
        """Names of the runs that are not taken as finished."""
        results, _ = self.sweep(scenarios, out="out", progress=False, **options)
        return [name for name, result in results.items() if not result.resumed]

    def test_what_has_changed_runs_again(self):
        """Other inputs are run again at once, another scenario only with force=True: it would
        replace results that nobody said are worth nothing."""
        flows = FABRIC.replace(workload=None, flows=[(0, 5, 1000, 0)])
        with open("own.flows", "w", encoding="utf-8") as file:
            file.write("1\n0 5 3 1000 0.0\n")
        runs = {**SCENARIOS, "own": flows, "file": FABRIC.replace(workload="flows:own.flows"),
                "mix": FABRIC.replace(workload="incast:fan-in=2,size=1kB+flows:own.flows")}
        self.rerun(runs)
        self.assertEqual(self.rerun(runs), [])
        changed = {**runs, "hpcc 1": runs["hpcc 1"].replace(delay="2us"),
                   "own": flows.replace(flows=[(0, 5, 1001, 0)])}
        before = (self.dir / "out" / "hpcc_1" / "summary.json").read_bytes()
        for one, words in (("hpcc 1", r"out/hpcc_1'.*\(delay was not given, is '2us'\)"),
                           ("own", r"out/own'.*\(flows was \(hash .*\), is \(hash")):
            with self.assertRaisesRegex(FolderUnusable, words + ".*; give .* force=True"):
                self.rerun({**runs, one: changed[one]})
        with self.assertRaisesRegex(FolderUnusable, r"hpcc_1'.*\(and so 1 other run\)"):
            self.rerun(changed)
        with self.assertRaisesRegex(FolderUnusable, "hpcc_1"):
            write_jobs("jobs", changed, "out")
        self.assertEqual((self.dir / "out" / "hpcc_1" / "summary.json").read_bytes(), before)
        self.assertEqual(self.rerun(changed, force=True), ["hpcc 1", "own"])
        with open("own.flows", "w", encoding="utf-8") as file:
            file.write("1\n0 6 3 1000 0.0\n")
        self.assertEqual(self.rerun(changed), ["file", "mix"])

    def test_half_written_runs_again(self):
        self.rerun(SCENARIOS)
        os.remove("out/fncc_1/run.json")  # was interrupted
        os.remove("out/fncc_2/summary.json")
        with open("out/hpcc_1/run.json", "w", encoding="utf-8") as file:
            file.write('{"argum')
        self.assertEqual(self.rerun(SCENARIOS), ["fncc 1", "fncc 2", "hpcc 1"])

    def test_refused_before_the_first_run(self):
        """All that the program refuses are told, each reason once, and nothing is begun. Flows and
        controls in Python are checked, too; what other seeds would say is not asked again."""
        class Own(CongestionControl):
            def start(self):
                raise AssertionError("asked before the run")

        runs = {"good": DUMBBELL, "python": DUMBBELL.replace(cc=Own),
                **{f"bad {seed}": DUMBBELL.replace(features="rcm", seed=seed) for seed in range(5)},
                "far": DUMBBELL.replace(workload=None, flows=[(0, 99, 1000, 0)])}
        with self.assertRaises(SweepFailed) as caught:
            self.sweep(runs, out="out")
        error = caught.exception
        self.assertEqual((list(error.failures), error.results),
                         ([*(f"bad {seed}" for seed in range(5)), "far"], {}))
        self.assertIsInstance(error.failures["far"], BadScenario)
        self.assertEqual(error.failures["far"].status, 2)
        lines = str(error).splitlines()
        self.assertEqual((lines[0], len(lines)),
                         ("6 of 8 runs would be refused, so none was begun", 3))
        self.assertRegex(lines[1], "^bad 0, bad 1, bad 2 and 2 more: BadScenario: .*features='rcm'")
        self.assertFalse(os.path.exists("out"))
        with self.assertRaisesRegex(SweepFailed, "^1 of 2 runs would be refused"):
            write_jobs("jobs", {name: runs[name] for name in ("good", "bad 0")}, "out")
        self.assertFalse(os.path.exists("jobs"))
        with self.assertRaisesRegex(BadScenario, "^cc='hpcc' compares.*features='rcm'"):
            runs["bad 0"].check()
        runs["good"].check()

    def test_failures_come_last(self):
        """What fails while it runs, here a folder that cannot be used."""
        os.makedirs("out")
        with open("out/bad", "w", encoding="utf-8"):
            pass
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(SweepFailed) as caught:
            sweep({"bad": DUMBBELL, "good": DUMBBELL.replace(seed=2)}, jobs=1, out="out")
        error = caught.exception
        self.assertEqual((list(error.failures), list(error.results)), (["bad"], ["good"]))
        self.assertIs(error.__cause__, error.failures["bad"])
        self.assertIn("1 of 2 runs failed", str(error))
        os.remove("out/bad")
        self.assertEqual(self.rerun({"bad": DUMBBELL, "good": DUMBBELL.replace(seed=2)}), ["bad"])

    @needs_tqdm
    def test_bar_of_long_runs(self):
        """The bar moves while a run is under way, by what the program tells."""
        program = self.program("for word; do case $word in --progress=json:*) FD=${word#*:};; "
                               "esac; done\n"
                               "echo '{\"event\": \"progress\", \"fraction\": 0.4}' "
                               ">/proc/self/fd/$FD\n"
                               "sleep 2; echo '{}' >$OUT/summary.json; echo flow >$OUT/flows.csv")
        said = Terminal()
        with contextlib.redirect_stderr(said):
            [result] = sweep([DUMBBELL], out="out", program=program)
        self.assertFalse((result.folder / "messages.txt").exists())
        self.assertRegex(said.getvalue(), r"\r 40 %\|.* left")
        self.assertRegex(said.getvalue(), r"\r *\r$")

    def test_refusals(self):
        with self.assertRaisesRegex(DcfabricError, "jobs is 0"):
            sweep([DUMBBELL], jobs=0)
        with self.assertRaisesRegex(DcfabricError, "share the folder 'a_b'"):
            sweep({"a/b": DUMBBELL, "a b": DUMBBELL}, out="out")

    def test_interrupt(self):
        """Finished runs stay valid, the running one ends, and so does the script."""
        script = (f"import sys; sys.path.insert(0, {str(ROOT / 'python')!r})\n"
                  "from dcfabric import Scenario, sweep\n"
                  "long = Scenario(topology='dumbbell:switches=2,senders=1', flows=[(0, 1, 10**12, "
                  "0)])\n"
                  "short = long.replace(flows=[(0, 1, 10**4, 0)])\n"
                  "sweep({'short': short, 'long': long} if sys.argv[1:] else {'short': short}, "
                  "jobs=1, out='out')\n")
        process = subprocess.Popen([sys.executable, "-c", script, "both"], stderr=subprocess.PIPE,
                                   text=True,
                                   start_new_session=True)
        self.assertIn("short: done", process.stderr.readline())
        for _ in range(100):
            time.sleep(0.05)
            if os.path.exists("out/long/.dcfabric-running"):
                break
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.communicate(timeout=60)[1],
                         "interrupted: 1 of 2 runs done and kept in out; the same call does the "
                         "others\n")
        self.assertEqual(process.returncode, 130)
        again = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                               check=True)
        self.assertIn("finished before", again.stderr)


class SideBySideTest(PackageCase):
    def test_two_processes_take_half_the_time(self):
        """A run ends only once its neighbor has begun: the first and the second, the third and the
        fourth, and so on. So all ten end only if two are at work all the time, which is half the
        time on any machine, however busy: no clock is read."""
        program = self.program("""
            began=$(dirname "$0")/began run=1 tries=0
            until mkdir $began.$run 2>/dev/null; do run=$((run + 1)); done
            until [ -d $began.$((run + run % 2)) ]; do
                tries=$((tries + 1))
                [ $tries -lt 3000 ] || exit 1
                sleep 0.01
            done
            echo '{}' >$OUT/summary.json; echo flow >$OUT/flows.csv""")
        results = sweep([DUMBBELL.replace(seed=seed) for seed in range(10)], jobs=2, progress=False,
                        program=program)
        self.assertEqual(len(results), 10)
        self.assertTrue((self.dir / "began.10").is_dir())


class ProgressTest(unittest.TestCase):
    def test_lines(self):
        stream = io.StringIO()
        progress = Progress(2, stream=stream)
        progress.ended("a", "done in 1 s")
        progress.ended("b", "BadScenario: no", failed=True)
        progress.close()
        self.assertEqual(stream.getvalue(), "[1/2] a: done in 1 s\n[2/2] b: BadScenario: no\n")

    @needs_tqdm
    def test_bar(self):
        stream = Terminal()
        progress = Progress(4, stream=stream)
        progress._drawn.start_t -= 10  # seconds ago
        progress.ended("a", "done")
        # One of four in 10 s: 30 s are left.
        self.assertRegex(stream.getvalue(), r"\r 25 %\|.*\| 1/4  00:10, 00:30 left *$")
        # Half of another one: 10 s for 1.5, 16.7 s for the other 2.5.
        progress.draw(0.5)
        self.assertRegex(stream.getvalue(), r"\r 38 %\|.*\| 1/4  00:10, 00:16 left *$")
        progress.ended("b", "BadScenario: no", failed=True)
        self.assertIn("[2/4] b: BadScenario: no\n", stream.getvalue())
        self.assertIn("2/4, 1 failed", stream.getvalue())
        # One that was there before took no time: still two in 10 s.
        progress.ended("c", "finished before", simulated=False)
        self.assertRegex(stream.getvalue(), r"\r 75 %\|.*\| 3/4, 1 failed  00:10, 00:05 left *$")
        progress.close()
        self.assertRegex(stream.getvalue(), r"\r *\r$")

    @needs_tqdm
    def test_notebook(self):
        """Output goes to no terminal there, but goes back to the beginning of a line."""
        class Shell:
            kernel = None

        there = types.ModuleType("IPython")
        for shell, bar in ((Shell(), True), (None, False), (object(), False)):
            there.get_ipython = lambda shell=shell: shell
            with mock.patch.dict(sys.modules, {"IPython": there}):
                progress = Progress(1, stream=io.StringIO())
                self.assertEqual(progress.bar, bar)
                progress.close()

    def test_notebook_without_bars(self):
        """What brings them is said once."""
        there = types.ModuleType("IPython")
        there.get_ipython = lambda: types.SimpleNamespace(kernel=None)
        stream = io.StringIO()
        with mock.patch.dict(sys.modules, {"IPython": there}), \
                mock.patch("importlib.util.find_spec", return_value=None):
            Progress(2, stream=stream).ended("a", "done")
        self.assertRegex(stream.getvalue(), "^a bar instead of a line for each run: pip install "
                                            ".*\n\\[1/2\\] a: done\n$")

    @needs_tqdm
    def test_unwanted(self):
        stream = Terminal()
        progress = Progress(1, wanted=False, stream=stream)
        progress.ended("a", "done")
        progress.close()
        self.assertEqual(stream.getvalue(), "")


if __name__ == "__main__":
    unittest.main()
