# SPDX-License-Identifier: GPL-2.0-only
"""Programs of ranks in one simulation on several MPI ranks: the same bytes as on one."""
import os
import unittest

import package_case  # noqa: F401  the path of the package
from extensive import longer
from rank_reference import random_job, run_job, write_job
from ranks_case import RanksCase
from test_rank_programs import posts, way_of

from showcases.gpcnet import Counts, Layout, job

# In the long run, which takes some minutes: DCFABRIC_MPI_PROGRAMS=300
PROGRAMS = int(os.environ.get("DCFABRIC_MPI_PROGRAMS", 18))
LEAF_SPINE = "--topology=leaf-spine:leaves=4,spines=2,hosts=2"
COLLECTIVES = ("barrier", "allreduce 50kB algorithm=ring", "allreduce 50kB algorithm=doubling",
               "allreduce 50kB algorithm=halving-doubling", "allreduce 50kB algorithm=tree",
               "allgather 30kB", "reducescatter 30kB", "broadcast 20kB root=3",
               "reduce 20kB root=5", "alltoall 1kB*(rank+peer)+1")
# What starts while other things go on, in streams, after one another; the ranks of a host exchange
# messages in no time, and all computations end at the same times.
GRAPH = """ranks 12 per-host 2
program all {
  mark step {
    irecv (rank+11)%12 as=left
    icompute 2us on=a as=work
    isend (rank+1)%12 20kB*(1+rank%3) on=a as=right
    icompute 2us on=b
    iput (rank+5)%12 3kB on=b
    iallreduce 6kB after=work as=sum
    iget (rank+7)%12 4kB after=left
    wait sum
  }
  wait
  mark done
}
"""


class RanksOfProgramsTest(RanksCase):
    def test_collectives(self):
        for operation in COLLECTIVES:
            with self.subTest(operation=operation):
                name = self.write("job.txt",
                                  f"ranks 8\nprogram all {{\n  compute 100ns*(rank%3)\n  "
                                  f"{operation}\n  {operation}\n}}\n")
                _, files, summary, _ = self.check(LEAF_SPINE, "--cc=dcqcn",
                                                  f"--workload=program:{name}",
                                                  ranks=(2 + len(operation) % 3,))
                self.assertEqual(files["collectives.csv"].count(b"\n"), 3)
                self.assertEqual(summary["status"], "complete")

    def test_jobs(self):
        """Two jobs and other traffic: also who was in whose way at which link."""
        name = self.write("job.txt", "ranks 4\nprogram all {\n  mark step {\n    allreduce 50kB\n"
                                     "  }\n}\n")
        _, files, summary, _ = self.check(
            LEAF_SPINE, "--cc=dcqcn", f"--workload=program:{name},placement=scattered"
            f"+program:{name},placement=random@3us+permutation:size=20kB@1us", ranks=(2, 3))
        self.assertEqual(summary["status"], "complete")
        self.assertGreater(files["interference.csv"].count(b"\n"), 2)
        self.assertEqual(files["jobs.csv"].count(b"\n"), 4)

    def test_jobs_apart(self):
        """Jobs on hosts of their own and a class of their own each; and messages that are cut."""
        name = self.write("a.txt", "ranks 4\nprogram all {\n  mark step {\n"
                                   "    isend (rank+1)%4 30kB channels=3\n    irecv (rank-1)%4\n"
                                   "    iget (rank+2)%4 9kB channels=2\n    wait\n"
                                   "    allreduce 50kB\n  }\n}\n")
        for options in ((), ("--messages=rtw",), ("--ns3::RankRunner::Channels=4",)):
            _, files, summary, _ = self.check(
                LEAF_SPINE, "--cc=dcqcn",
                f"--workload=program:{name}+program:{name},priority=4@3us", *options, ranks=(2, 4))
            self.assertEqual(summary["status"], "complete")
            self.assertEqual(files["jobs.csv"].count(b"\n"), 3)

    def test_jobs_that_share_hosts(self):
        """Where a flow is not known its job is told by hosts, so that these cannot be of two."""
        name = self.write("job.txt", "ranks 2\nprogram all {\n  barrier\n}\n")
        self.write("hosts.txt", "1 2\n")
        work = (LEAF_SPINE, f"--workload=program:{name},placement=file:hosts.txt"
                f"+program:{name},placement=file:hosts.txt")
        self.assertEqual(self.start(1, *work, out=self.dir / "alone").returncode, 0)
        for ranks in (2, 4):
            run = self.start(ranks, *work, out=self.out)
            self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
            self.assertIn("host 1 is of two jobs, one of them job-2: processes (ranks) of a "
                          "simulation tell jobs apart by hosts", run.stderr)
            self.assertFalse((self.out / "summary.json").exists())

    def test_graph(self):
        name = self.write("job.txt", GRAPH)
        for options in ((), ("--messages=rtw",), ("--messages=preposted", "--cc=dcqcn"),
                        ("--ns3::RankRunner::EagerBytes=30000", "--trace=computations"),
                        ("--ns3::RankRunner::LocalDelay=1us", "--cc=swift")):
            _, files, _, _ = self.check(LEAF_SPINE, f"--workload=program:{name}", *options,
                                        ranks=(3,) if options else (2, 3, 4))
            self.assertEqual(files["marks.csv"].count(b",step,"), 12)
            # of each rank a message to the right, a put, a get and its answer, less what stays at
            # its host
            self.assertGreater(files["flows.csv"].count(b"\n"), 12 * 3)

    def test_rates(self):
        """Flows have numbers in rates.csv and windows.csv as in flows.csv, whichever rank has begun
        them; windows.csv has those during which a value changed."""
        name = self.write("job.txt", GRAPH)
        for options in (("--trace-interval=1us",),
                        ("--trace-interval=333ns", "--messages=rtw", "--cc=dcqcn"),
                        ("--trace-interval=1ms",)):
            _, files, _, _ = self.check(LEAF_SPINE, f"--workload=program:{name}",
                                        "--trace=rates,windows,pcap", *options, ranks=(2, 3, 4))
            flows = {line.split(b",")[0] for line in files["flows.csv"].splitlines()[1:]}
            rates, windows = ({line.split(b",")[1] for line in files[series].splitlines()[1:]}
                              for series in ("rates.csv", "windows.csv"))
            self.assertEqual(rates, flows)
            self.assertTrue(windows)
            self.assertLessEqual(windows, flows)

    def test_random_programs(self):
        for seed in range(PROGRAMS):
            program = random_job(seed)
            text, way = write_job(program), way_of(seed, program)
            stop = ("--stop=20ms",) if "until" in text and "--stop=20ms" not in way else ()
            if run_job(program, posts(way)).differs:
                continue  # of several processes, each knows its own ranks only
            name = self.write(f"job{seed}.txt", text)
            with self.subTest(seed=seed):
                self.check("--topology=leaf-spine:leaves=3,spines=2,hosts=2", *way, *stop,
                           f"--workload=program:{name}",
                           ranks=(2 + seed % 2,), statuses=(0, 3))

    def test_stuck(self):
        """Rank 6 receives what no rank sends. A message that has no receive is asked for until the
        run is stopped."""
        waits = self.write("waits.txt",
                           "ranks 8\nprogram 0-5,7 {\n  barrier\n}\nprogram 6 {\n  recv 1\n  "
                           "barrier\n}\n")
        status, _, summary, said = self.check(LEAF_SPINE, f"--workload=program:{waits}",
                                              ranks=(2, 3, 4), statuses=(3,))
        self.assertEqual((status, summary["status"]), (3, "stuck"))
        self.assertIn("ranks that wait (8)", said)
        self.assertIn("rank 6 on host 6 since 0s, waits.txt:6: recv: nothing from rank 1, tag 0",
                      said)

    def test_stuck_flow(self):
        """Both links of leaf 8 are down for good: the flow from host 0 to host 7 has its line from
        rank 1, or whichever simulates host 0, and waits at its switch."""
        self.write("faults", "1us down 8 12\n1us down 8 13\n")
        name = self.write("job.txt",
                          "ranks 8\nprogram 0 {\n  compute 2us\n  send 7 20kB\n}\nprogram 7 {\n  "
                          "recv 0\n}\n")
        status, _, _, said = self.check(LEAF_SPINE, f"--workload=program:{name}", "--faults=faults",
                                        "--cc=none",
                                        "--flow-control=none", ranks=(2, 4), statuses=(3,))
        self.assertEqual(status, 3)
        for words in ("flow 0 from 0 to 7, 20000 bytes: 0 bytes acknowledged",
                      "ranks that wait (2)", "ports whose link is down (4)"):
            self.assertIn(words, said)

    def test_full_match_tables(self):
        """Seven ranks send to rank 0, whose NIC has little room. Receives that are posted when the
        messages have begun, after 30 us, may fill it. Those that wait for messages are posted when
        rank 0 hears of these, which is later on several ranks: up to 7 at a time, and on one rank
        as many might have been there already, so that 15 entries are enough, and 7 are not."""
        receives = "".join(f"  irecv {rank}\n" for rank in range(1, 8))
        sends = "  wait\n}\nprogram 1-7 {\n  send 0 20kB\n}\n"
        late = self.write("late.txt", "ranks 8\nprogram 0 {\n  compute 30us\n" + receives + sends)
        early = self.write("early.txt", "ranks 8\nprogram 0 {\n" + receives + sends)
        options = (LEAF_SPINE, "--cc=dcqcn", "--match-table=tcam")
        for messages in ("rtw", "rnr", "rendezvous"):
            self.check(*options, f"--workload=program:{late}", f"--messages={messages}",
                       "--ns3::TcamMatchTable::Capacity=2", ranks=(2, 4))
        for messages in ("rtw", "rnr", "rendezvous", "preposted"):
            self.check(*options, f"--workload=program:{early}", f"--messages={messages}",
                       "--ns3::TcamMatchTable::Capacity=15", ranks=(2, 4))
            run = self.start(4, *options, f"--workload=program:{early}", f"--messages={messages}",
                             "--ns3::TcamMatchTable::Capacity=7",
                             out=self.out)
            self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
            self.assertIn("the match table of host 0 (7 entries) is all but full", run.stderr)
            self.assertFalse((self.out / "summary.json").exists())

    def test_stopped(self):
        name = self.write("job.txt", GRAPH)
        for stop in ("1us", "3us", "7us"):
            _, _, summary, _ = self.check(LEAF_SPINE, f"--workload=program:{name}",
                                          f"--stop={stop}", ranks=(2, 3))
            self.assertEqual(summary["status"], "stopped")

    def test_company(self):
        """Losses, faults, several connections, a deep fabric."""
        name = self.write("job.txt",
                          "ranks 16\nprogram all {\n  repeat 3 {\n    allreduce 60kB\n    alltoall "
                          "4kB\n    compute 1us\n  }\n}\n")
        self.write("faults",
                   "2us down 0 16\n9us up 0 16\n0us loss 17 25 0.01\n4us corrupt 19 27 0.01\n")
        for options in (("--cc=hpcc",),
                        ("--cc=swift", "--lb=reps", "--flow-control=none", "--faults=faults"),
                        ("--cc=dcqcn", "--features=rcm", "--switch=voq"),
                        ("--messages=rendezvous", "--cc=dcqcn")):
            self.check("--topology=fat-tree:k=4", f"--workload=program:{name}", *options,
                       ranks=(2, 4))

    @longer("test_company, and that of test_cores")
    def test_gpcnet(self):
        name = self.write("job.txt", job(Layout(16, 1), Counts()))
        self.check("--topology=fat-tree:k=4", f"--workload=program:{name}", "--cc=dcqcn",
                   ranks=(2, 3, 4))


if __name__ == "__main__":
    unittest.main()
