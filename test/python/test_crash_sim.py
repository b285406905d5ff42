# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim killed, interrupted, out of disk or beside another: no result is lost, none is
mixed.

Times are drawn by the seed in DCFABRIC_CRASH_SEED, else by the clock; failures tell it.
"""
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from crash_case import FABRIC, NEW, OLD, OTHER, CrashCase, contents, digest, limit_files, raw
from sim_case import SIM

HERE = os.path.dirname(os.path.abspath(__file__))
COMPILER = shutil.which(os.environ.get("CC", "cc"))
LONG = ("--topology=dumbbell:switches=2,senders=1", "--workload=pairs:size=1000GB", "--cc=none")
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class TwoAtOnceTest(CrashCase):
    def wait_for_lock(self, process):
        for _ in range(400):
            if (self.out / ".dcfabric-running").is_dir():
                return
            time.sleep(0.01)
        process.kill()
        self.fail("the run did not begin")

    def test_second_run_is_refused(self):
        """The issue's case: the second run ended with 0 and 102,458 lines of two runs in
        queues.csv."""
        first = self.start(*LONG, "--force")
        self.wait_for_lock(first)
        before = raw(self.old)
        for arguments in (OLD, (*NEW, "--force")):
            run = self.sim(*arguments)
            self.assertEqual(run.returncode, 2)
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
            self.assertIn(f"is in use by process {first.pid};", run.stderr)
        first.kill()
        first.communicate()
        self.assertEqual({name: text for name, text in raw(self.out).items()
                          if not name.startswith(".")}, before)

    def test_lock_ends_with_the_process(self):
        first = self.start(*LONG, "--force")
        self.wait_for_lock(first)
        first.kill()
        first.communicate()
        self.assertTrue((self.out / ".dcfabric-lock").exists())  # the file, which locks nothing
        self.assertEqual(self.sim(*OLD).returncode, 0)
        self.assertEqual(contents(self.out), self.OLD)  # and nothing is left of the killed one

    def test_lock_that_is_not_handed_down(self):
        """A variable that names something else is as none; a folder that is locked stays so."""
        with open(self.out / "flows.csv", encoding="utf-8") as other:
            for value in ("", "x", "-1", "0", "1", "99", str(other.fileno())):
                env = {**os.environ, "DCFABRIC_LOCK": value, "DCFABRIC_PARENT": value}
                run = subprocess.run([SIM, *OLD, f"--out={self.out}"], env=env,
                                     pass_fds=[other.fileno()], timeout=60,
                                     stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
                self.assertEqual(run.returncode, 0, value)
        first = self.start(*LONG, "--force")
        self.wait_for_lock(first)
        # the same file, but not the same opening
        with open(self.out / ".dcfabric-lock", encoding="utf-8") as lock:
            run = subprocess.run([SIM, *OLD, f"--out={self.out}"], capture_output=True, text=True,
                                 timeout=60,
                                 env={**os.environ, "DCFABRIC_LOCK": str(lock.fileno())},
                                 pass_fds=[lock.fileno()])
        self.assertIn("in use by", run.stderr)
        first.kill()
        first.communicate()

    def test_many_at_once(self):
        """One at least gets the folder; whoever does not is told so."""
        runs = [self.start(*NEW, "--force") for _ in range(6)]
        said = [run.communicate(timeout=60)[1] for run in runs]
        statuses = [run.returncode for run in runs]
        self.assertIn(0, statuses)
        for status, text in zip(statuses, said):
            self.assertIn(status, (0, 2), text)
            self.assertEqual("in use by" in text, status == 2, text)
        self.assertEqual(contents(self.out), self.NEW)

    def test_many_make_the_same_folder(self):
        """Runs that fail take the folders away that they made, under the feet of those that
        begin."""
        self.write("dead.flows", "1\n0 2 3 100 1000 0\n")
        fail = (*FABRIC, "--rate=50Mbps", "--cc=dcqcn")  # found at the first flow
        for _ in range(3):
            out = self.dir / "a" / "b"
            runs = [self.start(*(fail if i % 2 else NEW), out=out) for i in range(4)]
            said = [run.communicate(timeout=60)[1] for run in runs]
            self.assertEqual({run.returncode for run in runs[1::2]}, {2}, said)
            if any(run.returncode == 0 for run in runs):
                self.assertEqual(contents(out), self.NEW)
                shutil.rmtree(out)
            for run, text in zip(runs, said):
                # the last: it began when another one had ended
                refused = any(words in text
                              for words in ("in use by", "MinRate", "results of other options"))
                self.assertTrue(run.returncode == 0 or refused, text)


class OtherOptionsTest(CrashCase):
    def test_refused_with_names_and_values(self):
        before = raw(self.out)
        run = self.sim(*FABRIC, "--cc=fncc", "--trace=queues,pfc")
        self.assertEqual(run.returncode, 2)
        self.assertEqual(run.stderr.count("\n"), 1)
        for words in ("other options", "--cc was 'hpcc', is 'fncc'", "--force"):
            self.assertIn(words, run.stderr)
        self.assertNotIn("--out was", run.stderr)
        self.assertEqual(raw(self.out), before)

    def test_first_differences_are_shown(self):
        run = self.sim("--topology=dumbbell:switches=3,senders=2", "--workload=pairs:size=1MB",
                       "--cc=none", "--seed=4", "--ns3::FabricNic::AckEvery=2")
        # of cc, ns3::FabricNic::AckEvery, seed, trace, workload, in this order, three
        self.assertIn("--cc was 'hpcc', is 'none'; --ns3::FabricNic::AckEvery was not set, is '2'; "
                      "--seed was '1', is '4'; "
                      "and 2 more)", run.stderr)

    def test_same_options_and_force(self):
        self.assertEqual(self.sim(*OLD, "--progress=off").returncode, 0)
        self.assertEqual(contents(self.out), self.OLD)
        self.assertEqual(self.sim(*NEW, "--force").returncode, 0)
        self.assertEqual(contents(self.out), self.NEW)
        self.assertEqual(self.sim(*OLD, "--force=false").returncode, 2)

    def test_option_that_an_older_version_did_not_know(self):
        """Its default is the same run; a value is another."""
        path = self.out / "summary.json"
        text = path.read_text()
        path.write_text(
            "".join(line for line in text.splitlines(True) if '"match-table"' not in line))
        self.assertNotEqual(path.read_text(), text)
        self.assertEqual(self.sim(*OLD, "--messages=preposted", "--match-table=tcam").returncode, 2)
        self.assertEqual(self.sim(*OLD).returncode, 0)

    def test_files_of_others(self):
        (self.out / "notes.txt").write_text("mine")
        (self.out / "partial").mkdir()
        (self.out / "partial" / "notes.txt").write_text("mine too")
        self.assertEqual(self.sim(*NEW, "--force").returncode, 0)
        self.assertEqual(contents(self.out), {**self.NEW, "notes.txt": digest(b"mine"),
                                              "partial": {"notes.txt": digest(b"mine too")}})

    def test_summary_of_others(self):
        for text in ("", "{", "[1, 2]", '{"options": 3}', '{"status": "complete"}'):
            with self.subTest(text):
                (self.out / "summary.json").write_text(text)
                before = raw(self.out)
                run = self.sim(*OLD)
                self.assertEqual(run.returncode, 2)
                self.assertIn("was not written by dcfabric-sim", run.stderr)
                self.assertEqual(raw(self.out), before)
        self.assertEqual(self.sim(*OLD, "--force").returncode, 0)
        self.assertEqual(contents(self.out), self.OLD)

    def test_half_written_files_of_older_versions(self):
        (self.out / "summary.json").unlink()
        for name in ("rates.csv.tmp", "pcap-0-0.pcap", "messages.csv", "fct.txt"):
            (self.out / name).write_text("old")
        self.assertEqual(self.sim(*OLD).returncode, 0)
        self.assertEqual(contents(self.out), self.OLD)

    def test_files_of_similar_names_stay(self):
        names = ("pcap-0.pcap", "pcap-0-a.pcap", "pcap-0-0.pcapng", "pcap--0.pcap", "my-flows.csv",
                 "flows.csv.bak", "flows.csv.tmp.tmp", ".tmp", "fct_txt")
        for name in names:
            (self.out / name).write_text("mine")
        self.assertEqual(self.sim(*NEW, "--force").returncode, 0)
        self.assertEqual(contents(self.out),
                         {**self.NEW, **{name: digest(b"mine") for name in names}})

    def test_folder_in_the_place_of_a_file(self):
        (self.out / "rates.csv").mkdir()
        run = self.sim(*NEW, "--force")
        self.assertEqual(run.returncode, 2)
        self.assertIn("rates.csv' is a folder", run.stderr)


class SignalTest(CrashCase):
    def end(self, number, *arguments, after=None, out=None, **more):
        """after: seconds; None: while it runs, which means that it has read everything and built
        the network."""
        process = self.start(*arguments, out=out, **more)
        while (after is None and process.poll() is None
               and not ((out or self.out) / ".dcfabric-running").is_dir()):
            time.sleep(0.01)
        time.sleep(0.3 if after is None else after)
        process.send_signal(number)
        text = "".join(process.communicate(timeout=60))
        return process.returncode, text

    def test_each_signal_leaves_partial_results(self):
        """Status 128 and its number: SIGTERM was reported as 130, SIGHUP lost the results."""
        for number in ENDING:
            out = self.dir / number.name
            status, said = self.end(number, *LONG, out=out)
            self.assertEqual(status, 128 + number, said)
            self.assertEqual(sorted(contents(out)), ["flows.csv", "summary.json"])
            self.assertEqual(self.summary(out)["status"], "partial")
            self.assertIn(f"Results       {out}", said)
            # again, and then to the end with other options: partial results are replaced
            self.assertEqual(self.end(number, *LONG, out=out)[0], 128 + number)
            self.run_ok(*OLD, out=out)
            self.assertEqual(contents(out), self.OLD)

    def test_partial_results_do_not_replace_complete_ones(self):
        (self.out / "partial").mkdir()
        (self.out / "partial" / "notes.txt").write_text("mine")
        for _ in range(2):
            status, said = self.end(signal.SIGTERM, *LONG, "--force", "--trace=queues")
            self.assertEqual(status, 143, said)
            self.assertIn("keeps its complete results", said)
            self.assertIn(f"Results       {self.out}/partial", said)
            found = contents(self.out)
            self.assertEqual(sorted(found.pop("partial")),
                             ["flows.csv", "notes.txt", "queues.csv", "summary.json"])
            self.assertEqual(found, self.OLD)
        self.run_ok(*NEW)  # complete ones replace both
        self.assertEqual(contents(self.out),
                         {**self.NEW, "partial": {"notes.txt": digest(b"mine")}})

    def test_nohup(self):
        process = self.start(*LONG, out=self.dir / "n",
                             preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        time.sleep(0.5)
        process.send_signal(signal.SIGHUP)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(0.5)
        process.terminate()
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 143)

    def test_at_random_times(self):
        for number in (*ENDING, signal.SIGKILL) * 4:
            self.renew()
            after = self.random.uniform(0, 1.3 * self.seconds)
            where = f"{number.name} after {after:.3f} s"
            status, said = self.end(number, *NEW, "--force", after=after)
            # a signal may come before there is anything to save, or after the results are complete
            self.assertIn(status, (0, 128 + number, -number), f"{where}: {said}")
            found = (self.check_unmixed(self.out, where) if number == signal.SIGKILL
                     else contents(self.out))
            if number != signal.SIGKILL:
                partial = found.pop("partial", None)
                self.assertTrue(partial is None or status == 128 + number, where)
                if partial:
                    self.assertEqual(partial["summary.json"][1], "partial", where)
                    self.assertEqual(set(partial), set(self.NEW), where)
                    shutil.rmtree(self.out / "partial")
                self.assertEqual(found, self.NEW if status == 0 else self.OLD, where)
            self.settle(where)


@unittest.skipUnless(COMPILER, "no C compiler")
class KillBetweenStepsTest(CrashCase):
    """Killed before each call that changes the folder, and while the next run puts it in order."""

    def setUp(self):
        super().setUp()
        self.library = self.dir / "kill-at.so"
        subprocess.run([COMPILER, "-shared", "-fPIC", "-o", self.library, f"{HERE}/kill-at.c",
                        "-ldl"], check=True)

    def run_killed_at(self, call, *arguments, program=SIM):
        return subprocess.run([program, *arguments, f"--out={self.out}"], cwd=self.dir,
                              capture_output=True, text=True,
                              env={**os.environ, "LD_PRELOAD": str(self.library),
                                   "KILL_AT": str(call)}, timeout=60)

    def test_killed_at_each_step(self):
        after = []
        for call in range(1, 100):
            self.renew()
            run = self.run_killed_at(call, *NEW, "--force")
            if run.returncode == 0:
                break
            self.assertEqual(run.returncode, -signal.SIGKILL, run.stderr)
            self.check_unmixed(self.out, f"call {call}")
            after.append(self.settle(f"call {call}") == self.NEW)
        # a lock, a folder, four files, which replace four; at some call the new results begin to
        # count
        self.assertGreater(call, 12)
        self.assertEqual(after, sorted(after))
        self.assertIn(True, after)
        self.assertIn(False, after)

    def test_killed_while_putting_in_order(self):
        """Half of the old files are gone when the first run is killed; then so is each that comes
        after it."""
        next(call for call in range(1, 100)
             if self.renew() or self.run_killed_at(call, *NEW, "--force").returncode
             and not (self.out / "summary.json").exists())
        for call in range(1, 100):
            run = self.run_killed_at(call, *OTHER)
            if run.returncode != -signal.SIGKILL:
                break
            self.check_unmixed(self.out, f"call {call}")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertEqual(contents(self.out), self.NEW)

    def test_program_in_cpp_killed_at_each_step(self):
        """FabricScenario takes the same care of its folder."""
        program = Path(SIM).with_name(Path(SIM).name.replace("dcfabric-sim", "dcfabric-scenario"))
        shutil.rmtree(self.out)
        self.assertEqual(self.run_killed_at(0, program=program).returncode, 0)
        expected = contents(self.out)
        for call in range(1, 100):
            run = self.run_killed_at(call, program=program)
            found = {name: value for name, value in contents(self.out).items()
                     if not name.startswith(".")}
            self.assertTrue("summary.json" not in found or found == expected, f"call {call}")
            self.assertEqual(self.sim(*OTHER).returncode, 2)  # and puts the folder in order
            self.assertEqual(contents(self.out), expected, f"call {call}")
            if run.returncode == 0:
                break
        self.assertGreater(call, 8)

    def test_interrupted_run_killed_at_each_step(self):
        """Partial results beside complete ones."""
        for call in range(1, 100):
            self.renew()
            process = subprocess.Popen([SIM, *LONG, "--force", f"--out={self.out}"],
                                       stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL,
                                       env={**os.environ, "LD_PRELOAD": str(self.library),
                                            "KILL_AT": str(call)})
            while process.poll() is None and not (self.out / ".dcfabric-running").is_dir():
                time.sleep(0.01)
            process.terminate()
            if process.wait(60) == 143:
                break
            self.settle(f"call {call}")
        self.assertGreater(call, 3)
        self.assertEqual(self.summary(self.out / "partial")["status"], "partial")


class FullDiskTest(CrashCase):
    """RLIMIT_FSIZE stands for a disk that is full: writing beyond it fails. (The signal that comes
    with it would end the program without a word.)"""

    def limited(self, limit, *arguments, out=None):
        return subprocess.run([SIM, *arguments, f"--out={out or self.out}"], cwd=self.dir,
                              capture_output=True, text=True,
                              timeout=60, preexec_fn=limit_files(limit))

    def test_old_results_stay(self):
        before = raw(self.out)
        sizes = sorted(path.stat().st_size for path in self.new.iterdir())
        for limit in (0, sizes[0] - 1, sizes[-1] - 1):
            with self.subTest(limit=limit):
                run = self.limited(limit, *NEW, "--force")
                self.assertEqual(run.returncode, 2, run.stderr)
                self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
                self.assertTrue(run.stderr.startswith("dcfabric-sim: --out: "), run.stderr)
                self.assertIn("File too large", run.stderr)
                self.assertEqual(raw(self.out), before)
        self.assertEqual(self.limited(sizes[-1], *NEW, "--force").returncode, 0)

    def test_captures(self):
        """ns-3's writer of captures takes a full disk for an error of the program."""
        before = raw(self.out)
        run = self.limited(100_000, *FABRIC, "--trace=pcap", "--force")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("cannot write the capture file", run.stderr)
        self.assertEqual(raw(self.out), before)

    def test_new_folder_is_gone_again(self):
        run = self.limited(100, *NEW, out=self.dir / "a" / "b")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertFalse((self.dir / "a").exists())

    def test_report_that_cannot_be_written(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            run = subprocess.run([SIM, *NEW, "--force", f"--out={self.out}"], stdout=full,
                                 stderr=subprocess.PIPE,
                                 text=True, timeout=60)
        self.assertEqual(run.returncode, 2)
        self.assertIn("the report cannot be written to standard output", run.stderr)
        self.assertEqual(contents(self.out), self.NEW)  # the results are whole

    def test_answers_that_cannot_be_written(self):
        """A plan that is redirected into a file was half written with status 0. A reader who leaves
        is no error, also after more than a pipe holds: 500 kB of k=16."""
        for options, what in ((["--list"], "the list"), (["--plan"], "the plan"),
                              (["--plan=json", "--topology=fat-tree:k=16"], "the plan")):
            with open("/dev/full", "w", encoding="utf-8") as full:
                run = subprocess.run([SIM, *options], stdout=full, stderr=subprocess.PIPE,
                                     text=True, timeout=60)
            self.assertEqual((run.returncode, run.stderr),
                             (2, f"dcfabric-sim: {what} cannot be written to standard output\n"),
                             options)
            with subprocess.Popen([SIM, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True) as process:
                process.stdout.readline()
                process.stdout.close()
                self.assertEqual((process.stderr.read(), process.wait()), ("", 0), options)

    def mount(self, options):
        """A disk of its own for the test."""
        disk = self.dir / "disk"
        disk.mkdir()
        if sys.platform != "linux" or os.geteuid() != 0:
            self.skipTest("only root can mount a disk")
        if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", disk],
                          capture_output=True).returncode != 0:
            self.skipTest("no disk can be mounted here")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        return disk

    def test_small_disk(self):
        old, new = (sum(path.stat().st_size for path in folder.iterdir())
                    for folder in (self.old, self.new))
        disk = self.mount(f"size={old + new // 2}")
        shutil.copytree(self.old, disk / "out")
        before = raw(disk / "out")
        run = self.sim(*NEW, "--force", out=disk / "out")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("No space left on device", run.stderr)
        self.assertEqual(raw(disk / "out"), before)

    def test_disk_that_cannot_be_written(self):
        disk = self.mount("size=10m")
        shutil.copytree(self.old, disk / "out")
        before = raw(disk)
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        for out, words in ((disk / "out", "cannot write to the folder"),
                           (disk / "new" / "out", "cannot make the folder")):
            run = self.sim(*NEW, "--force", out=out)
            self.assertEqual((run.returncode, run.stderr.count("\n")), (2, 1), run.stderr)
            self.assertTrue(run.stderr.startswith(f"dcfabric-sim: --out: {words} "), run.stderr)
        self.assertEqual(raw(disk), before)


if __name__ == "__main__":
    unittest.main()
