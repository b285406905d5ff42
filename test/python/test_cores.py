# SPDX-License-Identifier: GPL-2.0-only
"""One simulation on several cores of one machine (--cores): the same bytes as on one. The tests are
those of MPI ranks, with what is different for processes that the program makes itself."""
import fcntl
import os
import signal
import subprocess
import time
import unittest
from pathlib import Path

import package_case  # noqa: F401  the path of the package
import test_ranks
import test_ranks_programs
import test_ranks_random
import test_ranks_stuck
from ranks_case import Cores, HeadStarts, RanksCase
from sim_case import SIM, SMALL, SimCase

from dcfabric import BadScenario, Scenario

LONG = ("--topology=dumbbell:switches=2,senders=1", "--workload=flows:long.flows", "--progress=on")

CHAIN = "Nodes 16\nConnections 2\nTriggers 1\n{}\ntrigger id 1 oneshot\n"


def helpers(process):
    """Numbers of the processes that a process has made."""
    return [int(pid) for pid in
            Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


def is_there(pid):
    """Whether a process runs; one that has ended and was not asked about does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


class CoresTest(Cores, test_ranks.RanksTest):
    def begin(self, *arguments, cores=3):
        """A run that lasts, and its helpers, once it simulates."""
        self.write("long.flows", "1\n0 1 3 100 400000000000 0\n")
        self.write("thirds", "0 0\n1 1\n2 2-3\n")
        process = subprocess.Popen([SIM, *LONG, "--partition=file:thirds", f"--cores={cores}",
                                    *arguments, f"--out={self.out}"], cwd=self.dir,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   start_new_session=True)
        self.addCleanup(process.stdout.close)
        said = ""
        while not said.endswith("simulated"):  # then it runs
            letter = process.stdout.read(1)
            self.assertTrue(letter, said)
            said += letter
        return process, helpers(process)

    def ends(self, process, pids):
        """What the run says; nothing of it stays."""
        said = process.communicate(timeout=60)[0]
        self.assertEqual(len(pids), 2)
        self.assertEqual([pid for pid in pids if is_there(pid)], [])
        return said

    def test_signal(self):
        """To all, as from a terminal, or to the one that was started: there are partial results."""
        for kill in (os.kill, os.killpg):
            for number in (signal.SIGINT, signal.SIGTERM):
                with self.subTest(kill=kill, number=number):
                    process, pids = self.begin("--force")
                    kill(process.pid, number)
                    said = self.ends(process, pids)
                    self.assertEqual(process.returncode, 128 + number, said)
                    self.assertEqual(self.summary()["status"], "partial")

    def test_one_rank_fails(self):
        """Here because it is killed: all end, with the reason."""
        process, pids = self.begin()
        os.kill(pids[1], signal.SIGKILL)
        said = self.ends(process, pids)
        self.assertEqual(process.returncode, 137, said)
        self.assertIn("dcfabric-sim: core 2: its process was ended by signal 9", said)
        self.assertFalse((self.out / "summary.json").exists())

    def test_first_is_killed(self):
        process, pids = self.begin()
        process.kill()
        for _ in range(100):
            if not any(is_there(pid) for pid in pids):
                break
            time.sleep(0.05)
        self.ends(process, pids)

    def test_refusal_of_one(self):
        """Host 15 is of the second core, which finds its table full during the run."""
        run = self.start(2, "--topology=fat-tree:k=4",
                         "--workload=incast:fan-in=12,size=20kB,dst=15", "--cc=dcqcn",
                         "--match-table=tcam", "--messages=rtw",
                         "--ns3::TcamMatchTable::Capacity=3", out=self.out)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertTrue(run.stderr.startswith("dcfabric-sim: core 1: the match table of host 15 "
                                              "(3 entries) is full"), run.stderr)
        self.assertIn("there are 2 cores", run.stderr)
        self.assertIn("--cores=1", run.stderr)
        self.assertFalse((self.out / "summary.json").exists())

    def test_folder_is_in_use(self):
        self.out.mkdir()
        (self.out / "flows.csv").write_text("of another run")
        with open(self.out / ".dcfabric-lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            run = subprocess.run([SIM, "--cores=2", *SMALL, f"--out={self.out}"], cwd=self.dir,
                                 capture_output=True, text=True, timeout=120)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertEqual(run.stderr.count("is in use by another process"), 1, run.stderr)
        self.assertEqual((self.out / "flows.csv").read_text(), "of another run")

    def test_engines(self):
        """Windows are of no engine: those of ns-3 do as well."""
        self.check(*SMALL, "--SimulatorImplementationType=ns3::DefaultSimulatorImpl", ranks=(2, 4))

    def test_many(self):
        """More processes than the machine may have cores."""
        self.check("--topology=fat-tree:k=8", "--workload=permutation:size=5kB", ranks=(8,))

    def test_memory(self):
        """What the helpers share with the first process is counted once."""
        peaks = []
        for cores in (1, 2):
            run = self.start(cores, "--topology=fat-tree:k=16", "--workload=pairs:size=4kB",
                             "--stop=1us", out=self.out)
            self.assertEqual(run.returncode, 0, run.stderr)
            peaks.append(self.summary()["peak_rss_bytes"])
        self.assertLess(peaks[1], 1.6 * peaks[0])


class CoresRandomTest(Cores, test_ranks_random.RandomTest):
    pass


class HeadStartsRandomTest(HeadStarts, test_ranks_random.RandomTest):
    pass


class HeadStartsOfProgramsTest(HeadStarts, test_ranks_programs.RanksOfProgramsTest):
    """What several processes refuse, one does."""

    def test_jobs_that_share_hosts(self):
        name = self.write("job.txt", "ranks 2\nprogram all {\n  allreduce 30kB\n}\n")
        self.write("hosts.txt", "1 2\n")
        job = f"program:{name},placement=file:hosts.txt"
        self.check("--topology=fat-tree:k=4", f"--workload={job}+{job}", "--cc=hpcc")

    def test_full_match_tables(self):
        receives = "".join(f"  irecv {rank}\n" for rank in range(1, 8))
        name = self.write("job.txt", f"ranks 8\nprogram 0 {{\n{receives}  wait\n}}\n"
                                     "program 1-7 {\n  send 0 20kB\n}\n")
        for messages in ("rtw", "rnr", "rendezvous", "preposted"):
            self.check("--topology=fat-tree:k=4", f"--workload=program:{name}", "--cc=dcqcn",
                       f"--messages={messages}", "--match-table=tcam",
                       "--ns3::TcamMatchTable::Capacity=7")


class HeadStartsTest(HeadStarts, RanksCase):
    def test_all_that_is_recorded(self):
        self.check("--topology=fat-tree:k=4", "--workload=websearch", "--load=0.6",
                   "--duration=200us", "--stop=400us", "--cc=dcqcn",
                   "--trace=queues,rates,windows,links,pfc,pcap")

    def test_links_of_different_lengths(self):
        """Each node is as far ahead as its own links let it."""
        self.check("--topology=fat-tree:k=4", "--workload=permutation:size=50kB", "--cc=hpcc",
                   "--tier-delays=500ns,20us,3ps")

    def test_losses(self):
        """Flows that are not answered end by a time of their own."""
        for options in ("--cc=dctcp --reliability=irn", "--cc=hpcc --reliability=rack",
                        "--cc=none --service=uud"):
            self.check("--topology=fat-tree:k=4", "--workload=permutation:size=50kB",
                       "--flow-control=none", "--error-rate=0.003", *options.split(),
                       statuses=(0, 3))

    def test_triggers(self):
        """At the host where a flow ends, and at another one: then events are in order."""
        self.write("here.cm", CHAIN.format("0->1 id 1 start 0 size 20000 send_done_trigger 1\n"
                                           "0->2 id 2 trigger 1 size 20000"))
        self.write("there.cm", CHAIN.format("0->1 id 1 start 0 size 20000 recv_done_trigger 1\n"
                                            "2->3 id 2 trigger 1 size 20000"))
        for name in ("here", "there"):
            self.check("--topology=fat-tree:k=4", f"--workload=cm:{name}.cm", "--cc=hpcc")

    def test_order_is_needed(self):
        """By faults and trees of switches: the option has no effect."""
        self.write("job.txt", "ranks 16\nprogram all {\n"
                              "  allreduce 100kB algorithm=in-network\n}\n")
        self.check("--topology=fat-tree:k=4", "--workload=program:job.txt", "--cc=hpcc")
        self.check("--topology=fat-tree:k=4", "--workload=permutation:size=50kB", "--cc=hpcc",
                   "--link-down=5us,16,24")

    def test_word(self):
        run = self.start(2, *SMALL, "--head-start=maybe", out=self.out)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("--head-start", run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1)


class CoresOfProgramsTest(Cores, test_ranks_programs.RanksOfProgramsTest):
    pass


class CoresDeadlockTest(Cores, test_ranks_stuck.RanksDeadlockTest):
    pass


class CoresStuckEndTest(Cores, test_ranks_stuck.RanksStuckEndTest):
    pass


class CoresOfPythonTest(SimCase):
    def test_scenario(self):
        scenario = Scenario(topology="fat-tree:k=4", workload="permutation:size=20kB")
        for cores in (1, 2):
            scenario.replace(cores=cores).run(self.dir / f"of{cores}", program=SIM)
        one, two = ((self.dir / f"of{cores}" / "flows.csv").read_bytes() for cores in (1, 2))
        self.assertEqual(one, two)
        # another number of cores is no other simulation
        scenario.run(self.dir / "of2", program=SIM)
        with self.assertRaisesRegex(BadScenario, "9 cores are more than the network has parts, 8"):
            scenario.replace(cores=9).run(self.dir / "of9", program=SIM)


class CoresRefusedTest(SimCase):
    def test_numbers(self):
        for cores in ("0", "257", "two", "-1", "1.5"):
            self.refuse(*SMALL, f"--cores={cores}", words=("--cores",))

    def test_with_mpiexec(self):
        run = subprocess.run([SIM, *SMALL, "--cores=2", f"--out={self.out}"], cwd=self.dir,
                             env=dict(os.environ, OMPI_COMM_WORLD_SIZE="2"), capture_output=True,
                             text=True, timeout=60)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertFalse(self.out.exists())

    def test_external(self):
        self.refuse(*SMALL, "--cores=2", "--cc=external", words=("external",))


if __name__ == "__main__":
    unittest.main()
