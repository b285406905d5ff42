# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim: --workload=program:PATH and marks.csv."""
import csv
import unittest
from pathlib import Path

from sim_case import SimCase

# Host 0, two switches, host 1: three links of 100 Gb/s and 1 us.
CHAIN = ("--topology=dumbbell:switches=2,senders=1", "--cc=none")
PROGRAMS = Path(__file__).resolve().parents[2] / "examples" / "programs"
# Every operation, three ranks on a host, with late receives.
MIXED = """
ranks 48 per-host 3
groups row by rank/6
group some 1,5,7-47:4
program all {
  repeat 3 i {
    mark round {
      isend (rank+7)%ranks 30kB tag=i as=out
      iput (rank+11)%ranks 9kB
      compute 1us*(rank%5)
      irecv (rank-7)%ranks tag=i as=in
      wait in
      get (rank+20)%ranks 12kB
      wait
    }
    barrier row
  }
  barrier
}
"""


# The same of operations that wait for others, many of which could begin at one time.
GRAPH = """
ranks 48 per-host 3
groups row by rank/6
program all {
  icompute 1us*(rank%3) as=c on=cpu
  irecv (rank-7)%ranks tag=9 as=none after=c
  isend (rank+7)%ranks 1kB tag=9 after=c
  repeat 3 i {
    isend (rank+7)%ranks 30kB tag=i as=out after=c begun=b
    iput (rank+11)%ranks 9kB after=b on=cpu
    irecv (rank-7)%ranks tag=i as=in
    icompute 1us as=c after=in on=cpu
    icompute 2us as=c after=b on=cpu
    iallreduce 10kB row after=c as=sum
    iget (rank+20)%ranks 12kB after=sum
  }
  ibarrier after=sum,none
  mark started
  wait sum
  mark sum
}
"""


class ProgramCase(SimCase):
    def marks(self):
        with (self.out / "marks.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    def program(self, text):
        return f"--workload=program:{self.write('job.txt', text)}"


class ResultTest(ProgramCase):
    def test_times(self):
        """1000 bytes take 3 x (1 us + 86.56 ns), and the ACK of 118 bytes 3 x (1 us + 9.44 ns)."""
        self.run_ok(*CHAIN,
                    self.program("ranks 2\nprogram 0 {\ncompute 1us\nmark all {\nsend 1 "
                                 "1000\n}\n}\n"
                                 "program 1 {\nrecv 0\nmark got\n}\n"))
        self.assertEqual(self.marks(), [
            {"rank": "0", "name": "all", "iteration": "0", "start_ns": "1000", "end_ns": "7288"},
            {"rank": "1", "name": "got", "iteration": "0", "start_ns": "4259.68",
             "end_ns": "4259.68"}])
        flow, = self.flows()
        self.assertEqual((flow["start_ns"], flow["fct_ns"], flow["sender_fct_ns"],
                          flow["slowdown"]),
                         ("1000", "3259.68", "6288", "1.000000"))
        summary = self.summary()
        self.assertEqual((summary["status"], summary["flows_started"], summary["flows_completed"]),
                         ("complete", 1, 1))

    def test_example(self):
        """All rounds of examples/programs/ring.txt take the time of the first: nothing meets
        anything."""
        run = self.run_ok("--topology=fat-tree:k=4", f"--workload=program:{PROGRAMS / 'ring.txt'}")
        marks = self.marks()
        self.assertEqual(sorted((int(m["rank"]), int(m["iteration"])) for m in marks),
                         [(rank, i) for rank in range(16) for i in range(10)])
        # 64 packets and a barrier of 4 steps by 16 ranks, all between hosts
        self.assertEqual(len(self.flows()), 10 * (16 + 16 * 4))
        self.assertIn("complete: 800 of 800 flows complete", run.stdout)

    def test_collectives(self):
        """Two groups of two: 3 x (1 us + 86.56 ns) for 1000 bytes; the second comes 1 us later."""
        self.run_ok("--topology=dumbbell:switches=2,senders=2", "--cc=none",
                    self.program("ranks 4\ngroups pair by rank%2\nprogram all {\nif rank==3 "
                                 "{\ncompute 1us\n}\n"
                                 "allreduce 1000 pair algorithm=doubling\n}\n"))
        with (self.out / "collectives.csv").open(newline="") as file:
            first, second = csv.DictReader(file)
        self.assertEqual(first,
                         {"operation": "allreduce", "algorithm": "doubling", "group": "pair",
                          "first_rank": "0",
                          "iteration": "0", "ranks": "2", "size_bytes": "1000",
                          "sent_bytes": "2000",
                          "start_ns": "0", "last_start_ns": "0", "end_ns": "3259.68",
                                 # 1000 bytes over that; for two ranks the factor 2 (n - 1) / n is 1
                          "algbw_gbyte_s": "0.306779", "busbw_gbyte_s": "0.306779"})
        self.assertEqual((second["first_rank"], second["start_ns"], second["last_start_ns"]),
                         ("1", "0", "1000"))
        self.assertGreater(float(second["end_ns"]), 4259)

    def test_stop_within(self):
        self.run_ok(*CHAIN, "--stop=3us",
                    self.program("ranks 2\nprogram all {\nmark a {\ncompute 1ms\n}\n}\n"))
        self.assertEqual([m["end_ns"] for m in self.marks()], ["", ""])
        self.assertEqual((self.summary()["status"], self.summary()["sim_seconds"]),
                         ("stopped", 3e-6))

    def test_nobody_receives(self):
        run = self.run_ok(*CHAIN, self.program("ranks 2\nprogram 0 {\nsend 1 1000\n}\n"))
        self.assertIn("note: 1 message arrived that no rank received", run.stderr)

    def test_counted(self):
        """10^12 operations at 2 x 10^12 in a second are half a second, 3 x 10^9 bytes at 10^12 are
        3 ms, and the longer of both counts. Without rates they have no time."""
        text = ("ranks 2\nprogram all {\ncompute flops=1e12 bytes=3GB\nmark a\nicompute bytes=3e9\n"
                "wait\nmark b\ncompute 5us\nmark c\n}\n")
        job = self.program(text)
        self.refuse(*CHAIN, job, words=("job.txt:3: compute says what it does",
                                        "--compute=FLOPS,BYTES/s"))
        for value, words in (("2T", "expected FLOPS,BYTES/s"), ("2T,0", "above 0"),
                             ("2TB/s,1T", "'2TB/s'")):
            self.refuse(*CHAIN, job, f"--compute={value}", words=(f"--compute={value}", words))
        self.refuse(*CHAIN, self.program("ranks 2\nprogram all {\ncompute 1us\n}\n"),
                    "--compute=1T,1T", words=("--compute=1T,1T has no effect", "how long"))
        self.refuse(*CHAIN, "--workload=pairs:size=1kB", "--compute=1T,1T",
                    words=("--compute=1T,1T has no effect", "only programs of ranks compute"))
        self.run_ok(*CHAIN, self.program(text), "--compute=2TFLOPS,1TB/s")
        ends = {row["name"]: row["end_ns"] for row in self.marks() if row["rank"] == "1"}
        self.assertEqual(ends, {"a": "500000000", "b": "503000000", "c": "503005000"})

    def test_ranks_that_differ(self):
        """Of a group that does not do the same: refused at once, with both ranks and lines."""
        for second, words in (("allreduce 2kB", "has size 1000 instead of 2000"),
                              ("allreduce 1kB algorithm=tree", "algorithm ring instead of tree"),
                              ("compute 9us\nbarrier", "rank 0 has allreduce (job.txt:3: allred")):
            run = self.refuse(*CHAIN, self.program("ranks 2\nprogram 0 {\nallreduce 1kB\n}\n"
                                                   f"program 1 {{\n{second}\n}}\n"),
                              words=("of rank 1: it is collective 1 of group all", words))
            self.assertRegex(run.stderr, r"job\.txt:[67]: ")

    def test_sums_without_end(self):
        """4 MB over two ranks at 1 bit/s: a ring adds 2 MB, which is 1.6 x 10^19 ps."""
        job = self.program("ranks 2\nprogram all {\nallreduce 4MB\n}\n")
        self.refuse(*CHAIN, job, "--ns3::RankRunner::ReduceRate=1bps",
                    words=("job.txt:3: allreduce of rank", "would end after the end of time",
                           "--ns3::RankRunner::ReduceRate"))

    def test_traces_and_long_computing(self):
        """Nothing happens for 30 s, longer than the watchdog waits, even with a message that was
        refused."""
        text = "ranks 2\nprogram 0 {\nsend 1 1000\n}\nprogram 1 {\ncompute 30s\nrecv 0\n}\n"
        for option in ("--seed=1", "--messages=rtw"):
            self.run_ok(*CHAIN, option, "--trace=queues,rates,links", "--trace-interval=1ms",
                        self.program(text))
            self.assertGreaterEqual(self.summary()["sim_seconds"], 30)
            self.assertEqual(self.summary()["flows_completed"], 1)


class CompanyTest(ProgramCase):
    """Programs over racks and deep fabrics, with losses and other parts on: the messages are the
    same."""

    def test_mixed(self):
        self.write("faults", "5us loss 0 16 0.02\n8us down 16 24\n60us up 16 24\n")
        for text, marks in ((MIXED, 3), (GRAPH, 2)):
            self.same_messages(text, marks)

    def same_messages(self, text, marks):
        sizes = None
        for options in (("--cc=hpcc",), ("--cc=fncc",), ("--cc=dcqcn", "--lb=spray-random"),
                        ("--cc=swift", "--flow-control=none", "--faults=faults"),
                        ("--cc=dctcp", "--flow-control=credit", "--messages=preposted"),
                        ("--cc=none", "--messages=rtw"),
                        ("--cc=timely", "--messages=rnr", "--lb=reps"),
                        ("--cc=hpcc", "--messages=rendezvous"), ("--cc=bts", "--features=wreb"),
                        ("--topology=dragonfly:hosts=2,routers=2,globals=2,groups=5", "--cc=none"),
                        ("--topology=leaf-spine:leaves=4,spines=2,hosts=4",
                         "--reliability=go-back-n")):
            with self.subTest(options, text=text):
                network = () if "--topology" in options[0] else ("--topology=fat-tree:k=4",)
                self.run_ok(*network, *options, self.program(text))
                self.assertEqual(self.summary()["status"], "complete")
                self.assertEqual(len(self.marks()), marks * 48)
                # who sends what to whom does not depend on times
                found = sorted((f["src"], f["dst"], f["size_bytes"]) for f in self.flows())
                if "dragonfly" not in options[0]:
                    sizes = sizes or found
                    self.assertEqual(found, sizes)

    def test_same_seed_same_bytes(self):
        for text in (MIXED, GRAPH):
            bytes_ = set()
            for scheduler in ("ns3::MapScheduler", "ns3::HeapScheduler"):
                self.run_ok("--topology=fat-tree:k=4", f"--SchedulerType={scheduler}",
                            self.program(text))
                bytes_.add((self.out / "marks.csv").read_bytes()
                           + (self.out / "flows.csv").read_bytes())
            self.assertEqual(len(bytes_), 1)


class RefusalTest(ProgramCase):
    def test_files(self):
        self.refuse(*CHAIN, self.program("ranks 2\nprogram all {\nsedn 1 5\n}\n"),
                    words=("job.txt:3: unknown operation 'sedn'", "the nearest is send"))
        self.refuse(*CHAIN, self.program("ranks 3\nprogram all {\n}\n"),
                    words=("job.txt: rank 2 is on host 2", "choose a larger --topology"))
        self.refuse(*CHAIN, "--workload=program:none.txt", words=("none.txt: cannot be opened",))
        self.refuse(*CHAIN, "--workload=program", words=("program", "PATH"))

    def test_messages_of_a_pair_follow_one_another(self):
        """Eight ranks, rank 3 comes 490 us late: when it has come, the 8 messages for it are there
        or follow one another, and the all-reduce takes what it takes if all come together (229 us).
        Each on its own, they shared the link: 703 us."""
        times = []
        for late, options in ((10, ()), (500, ()), (500, ("--ns3::RankRunner::QueuePairs=0",))):
            job = self.program(f"ranks 8\nprogram 3 {{\ncompute {late}us\nallreduce 1MiB\n}}\n"
                               "program 0-2,4-7 {\ncompute 10us\nallreduce 1MiB\n}\n")
            self.run_ok("--topology=fat-tree:k=4", "--cc=none", job, *options)
            with (self.out / "collectives.csv").open(newline="") as file:
                rows = list(csv.DictReader(file))
            times.append(max(float(row["end_ns"]) for row in rows)
                         - max(float(row["last_start_ns"]) for row in rows))
        self.assertAlmostEqual(times[0], 229000, delta=2000)
        self.assertLess(times[1], 1.02 * times[0])
        self.assertGreater(times[2], 650000)

    def test_endless_round(self):
        self.refuse(*CHAIN, "--ns3::RankRunner::RoundsAlone=1000",
                    self.program("ranks 2\nprogram all {\nirecv (rank+1)%ranks as=x\nuntil x "
                                 "{\ncompute 1ps\n}\n}\n"),
                    words=("job.txt:4: until of rank", "would repeat its block for ever"))

    def test_errors_of_a_run(self):
        self.refuse(*CHAIN, self.program("ranks 2\nprogram all {\ncompute 1us\nsend rank+1 5\n}\n"),
                    words=("job.txt:4: send of rank 1: the other rank is 2; it must be 0 to 1",))

    def test_options_without_sense(self):
        job = self.program("ranks 2\nprogram 1 {\nrecv any\n}\n")
        self.refuse(*CHAIN, job, "--messages=rtw", words=("job.txt:3: recv from any rank",))
        self.refuse(*CHAIN, job, "--messages=rtw", "--post-delay=fixed:1us",
                    words=("--post-delay=fixed:1us", "--workload=program:job.txt"))
        self.refuse(*CHAIN, job, "--load=0.5", words=("load", "program"))
        self.refuse(*CHAIN, job + "+incast:fan-in=1", "--messages=rtw",
                    words=("--messages=rtw contradicts", "ranks post receives themselves"))

    def test_stuck(self):
        for extra in ((), ("--messages=rtw",), ("--trace=queues",)):
            run = self.sim(*CHAIN, *extra,
                           self.program("ranks 2\nprogram 0 {\ncompute 2us\nrecv 1 tag=3\n}\n"),
                           "--force")
            self.assertEqual(run.returncode, 3, run.stderr)
            self.assertIn("rank 0 on host 0 since 2us, job.txt:4: recv: nothing from rank 1, tag 3",
                          run.stderr)
            self.assertEqual(self.summary()["status"], "stuck")


if __name__ == "__main__":
    unittest.main()
