# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps whose runs others do: executors, several sweeps in one folder, lists of jobs; each run
once, whoever dies."""
import concurrent.futures
import contextlib
import errno
import io
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import unittest
import unittest.mock
from pathlib import Path

from crash_case import SEED
from package_case import DUMBBELL, ROOT, PackageCase, needs_sim
from script_case import PACKAGE, ScriptCase, children, script

from dcfabric import BadScenario, DcfabricError, SweepFailed, do_job, sweep, write_jobs
from dcfabric.claim import FOLDER, STALE_S, Claim, _mark, tidy
from dcfabric.run_files import Lock, is_finished
from dcfabric.sweep import ATTEMPTS
from dcfabric.task import tasks_of

SEEDS = [DUMBBELL.replace(seed=seed) for seed in range(8)]
# In place of dcfabric-sim: each run adds a line to a common log.
LOGS = ("echo $OUT >>{log}; sleep {s}; echo '{{}}' >$OUT/summary.json.new; echo flow "
        ">$OUT/flows.csv; "
        "mv $OUT/summary.json.new $OUT/summary.json")


def quiet(function, *arguments, **options):
    """Its result, and the lines that it said."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        result = function(*arguments, **options)
    return result, said.getvalue().splitlines()


class ClaimTest(PackageCase):
    def put(self, **changes):
        """A claim of somebody: of this process, with changes."""
        claim = Claim(self.dir, "a")
        self.assertTrue(claim.mine)
        text = {**json.loads(claim.path.read_text()), **changes}
        claim.release()
        claim.path.parent.mkdir()
        claim.path.write_text(json.dumps(text))
        return claim.path

    def test_one_at_a_time(self):
        with Claim(self.dir, "a") as first, Claim(self.dir,
                                                  "a") as second, Claim(self.dir, "b") as other:
            self.assertEqual((first.mine, second.mine, other.mine), (True, False, True))
            self.assertRegex(second.holder, f"process {os.getpid()} on ")
        self.assertEqual(os.listdir(), [])
        with Claim(self.dir, "a") as again:
            self.assertTrue(again.mine)

    def test_dead_process_here(self):
        gone = subprocess.Popen(["true"])
        gone.wait()
        self.put(pid=gone.pid)
        self.assertTrue(Claim(self.dir, "a").mine)

    def test_number_of_a_process_used_again(self):
        self.put(began="1")
        self.assertTrue(Claim(self.dir, "a").mine)

    def test_other_machine(self):
        """Its processes cannot be looked at: only time tells."""
        path = self.put(place="elsewhere", host="node7", pid=1)
        for age, mine in ((0, False), (STALE_S - 5, False), (STALE_S + 5, True)):
            now = time.time()
            os.utime(path, (now - age, now - age))
            claim = Claim(self.dir, "a")
            self.assertEqual(claim.mine, mine, age)
            if not mine:
                self.assertEqual(claim.holder, "process 1 on node7")

    def test_half_written(self):
        path = self.put()
        path.write_text('{"host"')
        self.assertFalse(Claim(self.dir, "a").mine)
        os.utime(path, (0, 0))
        self.assertTrue(Claim(self.dir, "a").mine)

    def test_many_at_once(self):
        """One of many gets it, also when one that was left has to be taken away first."""
        for left in (False, True):
            if left:
                self.put(began="1")
            begin, mine = threading.Barrier(16), []

            def take():
                begin.wait()
                claim = Claim(self.dir, "a")
                if claim.mine:
                    mine.append(claim)

            threads = [threading.Thread(target=take) for _ in range(16)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(len(mine), 1)
            mine[0].release()
            self.assertFalse(os.path.exists(FOLDER))

    def test_what_was_killed_is_tidied_up(self):
        """At any moment: with a file that has nothing in it yet, with a claim, while it took over
        another one."""
        code = (f"import itertools, pathlib, sys; sys.path.insert(0, {str(PACKAGE)!r})\nfrom "
                "dcfabric.claim import Claim\n"
                "for number in itertools.count():\n"
                "    with Claim(pathlib.Path(), str(number % 4)): number == 9 and "
                "print(flush=True)")
        generator = random.Random(SEED)
        for _ in range(20):
            processes = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
                         for _ in range(2)]
            for process in processes:
                process.stdout.readline()
            time.sleep(generator.uniform(0, 0.02))
            for process in processes:
                process.kill()
                process.communicate()
            tidy(self.dir)
            self.assertEqual([str(path) for path in self.dir.rglob("*")], [])

    def test_what_lives_is_not_tidied_up(self):
        gone = subprocess.Popen(["true"])
        gone.wait()
        with Claim(self.dir, "a") as claim:
            mark = _mark()
            for name in (mark, mark.replace(f"-{os.getpid()}-", f"-{gone.pid}-"), ".takeover",
                         ".0123abcd"):
                (self.dir / FOLDER / name).touch()
            tidy(self.dir)
            # who has left the second is not known
            self.assertEqual(sorted(os.listdir(FOLDER)), sorted([".0123abcd", mark, "a"]))
            lock = Lock(self.dir / FOLDER / ".takeover", "test")
            tidy(self.dir)
            self.assertTrue(lock.path.exists())
            lock.release()
            self.assertTrue(claim.mine)

    def test_folder_that_others_take_away(self):
        """Whoever makes it may find that it is there, and that it has gone a moment later."""
        real, calls = os.mkdir, []

        def mkdir(path, *arguments, **options):
            calls.append(path)
            if len(calls) < 3:
                raise FileExistsError(errno.EEXIST, "File exists", os.fspath(path))
            return real(path, *arguments, **options)

        with unittest.mock.patch("os.mkdir", mkdir):
            with Claim(self.dir, "a") as claim:
                self.assertTrue(claim.mine)
        self.assertEqual(calls, [self.dir / FOLDER] * 3)

    def test_file_in_place_of_the_folder(self):
        for make in (lambda path: path.write_text(""), lambda path: path.symlink_to("nowhere")):
            make(self.dir / FOLDER)
            with self.assertRaisesRegex(DcfabricError, "File exists"):
                Claim(self.dir, "a")
            (self.dir / FOLDER).unlink()


class FailingExecutor:
    """Its workers die, so many times for each run."""

    def __init__(self, times):
        self.times = times
        self.calls = {}

    def submit(self, function, task):
        future = concurrent.futures.Future()
        self.calls[task.folder.name] = self.calls.get(task.folder.name, 0) + 1
        if self.calls[task.folder.name] <= self.times:
            future.set_exception(RuntimeError("worker died"))
        else:
            future.set_result(function(task))
        return future


class ExecutorTest(PackageCase):
    def setUp(self):
        super().setUp()
        self.log = self.dir / "log"
        self.sim = self.program(LOGS.format(log=self.log, s=0.05))

    def runs(self):
        """How often each run was begun."""
        names = [Path(line).name for line in self.log.read_text().split()]
        return {name: names.count(name) for name in names}

    def test_executors_of_the_library(self):
        for kind in (concurrent.futures.ThreadPoolExecutor, concurrent.futures.ProcessPoolExecutor):
            out = kind.__name__
            with kind(3) as pool:
                results, said = quiet(sweep, SEEDS, out=out, executor=pool, program=self.sim)
            self.assertEqual([result.folder.name for result in results],
                             [str(number) for number in range(8)])
            self.assertEqual(len(said), 8)
            self.assertFalse(any(result.resumed for result in results))
            with kind(3) as pool:
                again, _ = quiet(sweep, SEEDS, out=out, executor=pool, program=self.sim)
            self.assertTrue(all(result.resumed for result in again))
        self.assertEqual(self.runs(), {str(number): 2 for number in range(8)})

    def test_lost_workers(self):
        executor = FailingExecutor(ATTEMPTS - 1)
        results, said = quiet(sweep, SEEDS[:2], out="out", executor=executor, program=self.sim)
        self.assertEqual(len(results), 2)
        self.assertEqual(self.runs(), {"0": 1, "1": 1})
        self.assertIn("0: worker lost (RuntimeError: worker died); again", said)
        with self.assertRaisesRegex(SweepFailed,
                                    "0: DcfabricError: not done in 4 attempts; the last: "
                                    "RuntimeError: worker"):
            quiet(sweep, SEEDS[2:3], out="other", executor=FailingExecutor(ATTEMPTS),
                  program=self.sim)

    def test_broken_pool(self):
        """It takes nothing more; what is done stays."""
        with (concurrent.futures.ProcessPoolExecutor(1) as pool,
              self.assertRaisesRegex(DcfabricError, "executor takes no run: BrokenProcess")):
            pool.submit(os._exit, 1)
            time.sleep(0.5)
            quiet(sweep, SEEDS, out="out", executor=pool, program=self.sim)

    def test_other_program_on_a_worker(self):
        [task] = tasks_of({"a": DUMBBELL}, self.dir / "out", self.sim).values()
        self.sim.write_text(self.sim.read_text() + "# changed\n")
        future = concurrent.futures.Future()
        future.set_result(None)

        class Worker:
            def submit(self, function, _):
                answer = concurrent.futures.Future()
                try:
                    answer.set_result(function(task))
                except DcfabricError as error:
                    answer.set_exception(error)
                return answer

        with self.assertRaisesRegex(SweepFailed,
                                    "program on .* differ from where the sweep was begun"):
            quiet(sweep, {"a": DUMBBELL}, out="out", executor=Worker(), program=self.sim)

    def test_refusals(self):
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            with self.assertRaisesRegex(DcfabricError, "jobs and executor"):
                sweep(SEEDS, 2, "out", executor=pool, program=self.sim)
            with self.assertRaisesRegex(DcfabricError, "executor needs out"):
                sweep(SEEDS, executor=pool, program=self.sim)

    def test_two_sweeps_share_the_work(self):
        """Twelve runs of 0.2 s over two sweeps of one place each: each run once, both have all."""
        slow = self.program(LOGS.format(log=self.log, s=0.2))
        text = (f"import sys; sys.path.insert(0, {str(PACKAGE)!r})\nfrom dcfabric import Scenario, "
                "sweep\n"
                f"runs = [{DUMBBELL!r}.replace(seed=seed) for seed in range(12)]\n"
                f"print(len(sweep(runs, 1, 'out', program={str(slow)!r})))\n")
        began = time.monotonic()
        both = [subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
                for _ in range(2)]
        for process in both:
            out, said = process.communicate(timeout=60)
            self.assertEqual(out, "12\n", said)
            self.assertEqual(said.count("done in"),
                             12 - said.count("elsewhere") - said.count("finished before"))
        self.assertEqual(self.runs(), {f"{number:02}": 1 for number in range(12)})
        self.assertFalse(Path("out", FOLDER).exists())
        self.assertLess(time.monotonic() - began, 60)


@needs_sim
class SharedFolderTest(ScriptCase):
    def test_wait_for_one_that_others_do(self):
        """A run of a sweep that is killed is done by one that waits for it."""
        process, _ = self.begin("sweep({'a': long}, 1, out='out')")
        long = DUMBBELL.replace(topology="dumbbell:switches=2,senders=1", workload=None,
                                flows=[(0, 1, 10**12, 0)], cc="none")
        ended = threading.Timer(1.5, process.kill)
        ended.start()
        said = io.StringIO()
        stop = threading.Timer(4, lambda: [os.kill(pid, signal.SIGTERM) for pid in children(_Own)])
        stop.start()
        with contextlib.redirect_stderr(said), self.assertRaises(SweepFailed):
            sweep({"a": long}, 1, "out")
        self.assertIn(f"a: process {process.pid} on ", said.getvalue())

    def test_same_results_as_without(self):
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            theirs, _ = quiet(sweep, SEEDS[:3], out="theirs", executor=pool)
        ours, _ = quiet(sweep, SEEDS[:3], out="ours")
        for one, other in zip(theirs, ours):
            self.assertEqual((one.folder / "flows.csv").read_bytes(),
                             (other.folder / "flows.csv").read_bytes())

    def test_refused_on_a_worker(self):
        """The exception comes as it is raised here. (One scenario alone is not asked before.)"""
        with concurrent.futures.ProcessPoolExecutor(1) as pool, self.assertRaises(
                SweepFailed) as caught:
            quiet(sweep, {"bad": DUMBBELL.replace(features="rcm")}, out="out", executor=pool)
        [error] = caught.exception.failures.values()
        self.assertIsInstance(error, BadScenario)
        self.assertEqual(error.status, 2)
        self.assertIn("--features=rcm", error.command)

    def test_input_files_by_relative_path(self):
        """Workers may have another current folder."""
        Path("own.flows").write_text("1\n0 5 3 1000 0.0\n")
        runs = [DUMBBELL.replace(topology="fat-tree:k=4", workload="flows:own.flows")]
        with concurrent.futures.ProcessPoolExecutor(1) as pool:
            pool.submit(os.chdir, "/").result()
            [result], _ = quiet(sweep, runs, out="out", executor=pool)
        self.assertEqual(len(result.flows), 1)


class _Own:
    pid = os.getpid()


@needs_sim
class JobListTest(PackageCase):
    def job(self, *arguments):
        return subprocess.run([sys.executable, "-m", "dcfabric", "job", *map(str, arguments)],
                              capture_output=True, text=True,
                              timeout=60, env={**os.environ, "PYTHONPATH": str(ROOT / "python")})

    def test_list(self):
        """Jobs in any order, from any folder; then a sweep finds them all."""
        Path("own.flows").write_text("1\n0 5 3 1000 0.0\n")
        runs = {"a": DUMBBELL, "own": DUMBBELL.replace(workload=None, flows=[(0, 2, 1000, 0.125)]),
                "file": DUMBBELL.replace(topology="fat-tree:k=4", workload="flows:own.flows",
                                         modifiers=["ratio-cut"],
                                         attributes={"ns3::HpccCongestionControl::Eta": 0.9})}
        self.assertEqual(write_jobs("jobs", runs, "out"), 3)
        self.assertEqual(self.job("jobs").stdout, "3\n")
        self.addCleanup(os.chdir, self.dir)
        os.chdir("/")
        for index in (2, 0, 1):
            done = self.job(self.dir / "jobs", index)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stderr)
            self.assertRegex(done.stdout, rf"jobs {index}: done in [\d.]+ s\n")
        self.assertRegex(self.job(self.dir / "jobs", 1).stdout, "jobs 1: finished before\n")
        os.chdir(self.dir)
        results, _ = quiet(sweep, runs, out="out")
        self.assertTrue(all(result.resumed for result in results.values()))

    def test_commands_side_by_side(self):
        """As GNU parallel would begin them."""
        write_jobs("jobs", SEEDS[:4], "out")
        command = f"seq 0 3 | xargs -P 2 -I '{{}}' {sys.executable} -m dcfabric job jobs '{{}}'"
        done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60,
                              env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
        self.assertEqual((done.returncode, done.stderr, len(done.stdout.splitlines())), (0, "", 4))
        self.assertTrue(all(result.resumed for result in quiet(sweep, SEEDS[:4], out="out")[0]))

    def test_refusals(self):
        write_jobs("jobs", {"bad": DUMBBELL.replace(features="rcm")}, "out")
        for arguments, words in ((("jobs", 1), "no job 1; there are 1, from 0"),
                                 (("jobs", -1), "no job -1"),
                                 (("jobs", 0), "cc='hpcc' compares INT"),
                                 (("none", 0), "No such file"),
                                 ((__file__, 0), "not a list of jobs")):
            done = self.job(*arguments)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn(words, done.stderr)

    def test_program_that_has_changed(self):
        program = self.program("echo '{}' >$OUT/summary.json; echo flow >$OUT/flows.csv")
        write_jobs("jobs", [DUMBBELL], "out", program=program)
        program.write_text(program.read_text() + "# changed\n")
        with self.assertRaisesRegex(DcfabricError, "program on .* differ"):
            do_job("jobs", 0)


@needs_sim
class KillTest(ScriptCase):
    def test_sweeps_killed_at_random(self):
        """60 runs by three sweeps in one folder, of which one is killed now and then: each run is
        whole, and of each there is one result."""
        generator = random.Random(SEED)
        base = DUMBBELL.replace(workload="pairs:size=2MB")
        runs = [base.replace(seed=seed) for seed in range(60)]
        begin = (f"sweep([{base!r}.replace(seed=seed) for seed in range(60)], 1, out='out', "
                 "progress=False)")
        alive = [script(begin) for _ in range(3)]
        for _ in range(6):
            time.sleep(generator.uniform(0.2, 0.8))
            victim = alive.pop(generator.randrange(3))
            victim.kill()
            victim.communicate()
            alive.append(script(begin))
        for process in alive:
            self.assertEqual((process.communicate(timeout=120)[1], process.returncode), ("", 0))
        tasks = tasks_of(dict(enumerate(runs)), self.dir / "out", None)
        for task in tasks.values():
            self.assertTrue(is_finished(task.folder, task.key))
            # one that was killed when all was written leaves its lock, which locks nothing then
            found = {path.name for path in task.folder.iterdir()} - {".dcfabric-lock"}
            self.assertEqual(found, {"flows.csv", "report.txt", "run.json", "summary.json"})
        self.assertEqual(sorted(os.listdir("out")),
                         sorted(task.folder.name for task in tasks.values()))


if __name__ == "__main__":
    unittest.main()
