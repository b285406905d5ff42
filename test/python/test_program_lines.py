# SPDX-License-Identifier: GPL-2.0-only
"""What programs of ranks did, in the report and in Python: collectives, steps and jobs."""
import tempfile
import unittest
from pathlib import Path

from package_case import ROOT  # noqa: F401  (finds the package)
from sim_case import SimCase
from test_small_samples import FolderCase

from dcfabric.program_lines import program_lines

COLLECTIVES = ("operation,algorithm,group,first_rank,iteration,ranks,size_bytes,sent_bytes,"
               "start_ns,last_start_ns,end_ns,algbw_gbyte_s,busbw_gbyte_s")
# two all-reduces of 10 and 30 us, one that is not complete, a barrier of 1 us
ROWS = """
allreduce,ring,all,0,0,4,1000,1500,0,0,10000,0.1,0.15
allreduce,ring,all,0,1,4,1000,1500,20000,20000,50000,0.03,0.05
allreduce,ring,all,0,2,4,1000,1500,60000,60000,,,
barrier,dissemination,all,0,0,4,0,2,50000,50000,51000,,
"""
NETWORK = "--topology=leaf-spine:leaves=2,spines=2,hosts=4"


class FilesTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.dir = Path(temporary.name)

    def lines(self, **files):
        for name, text in files.items():
            (self.dir / f"{name}.csv").write_text(text)
        return program_lines(self.dir)

    def test_nothing(self):
        self.assertEqual(self.lines(flows="flow\n"), [])
        self.assertEqual(self.lines(collectives=COLLECTIVES + "\n"), [])

    def test_collectives_and_steps(self):
        """Means of 10 and 30 us, of 0.15 and 0.05 GB/s; steps of 2 and 4 us of two ranks, one of
        which is in a third; a mark of a moment is no step."""
        self.assertEqual(
            self.lines(collectives=COLLECTIVES + ROWS,
                       marks="rank,name,iteration,start_ns,end_ns\n0,step,0,0,2000\n"
                             "1,step,0,0,4000\n1,step,1,4000,\n1,done,0,5000,5000\n"),
            [("collectives", "allreduce (ring): 3, 2 complete, mean 20.000 us, longest 30.000 us, "
                             "bus bandwidth 0.100 GB/s"),
             ("collectives", "barrier (dissemination): 1, mean 1.000 us, longest 1.000 us"),
             ("steps", "step: 3 on 2 ranks, 2 complete, mean 3.000 us, longest 4.000 us")])

    def test_jobs(self):
        """Steps are those of all ranks of a job."""
        self.assertEqual(
            self.lines(jobs="job,ranks,hosts,flows,size_bytes,start_ns,end_ns,busbw_gbyte_s,"
                            "time_ns,alone_ns,slowdown\n"
                            "a,4,4,48,1,0,9000,5.07,9000,8000,1.125\n"
                            "b,1,1,0,0,0,,,,,\nwebsearch,0,6,1,1,10,900,,890,,\n",
                       steps="job,kind,name,first_rank,iteration,ranks,start_ns,end_ns,"
                             "busbw_gbyte_s,time_ns,alone_ns,slowdown\n"
                             "a,job,all,0,0,4,0,9000,,9000,,\na,mark,step,0,0,4,0,3000,,3000,,\n"
                             "a,mark,step,0,1,4,3000,8000,,5000,,\n"
                             "a,mark,done,0,0,4,8000,9000,,1000,,\n",
                       # ranks are not done at one moment
                       marks="rank,name,iteration,start_ns,end_ns,job\n0,step,0,0,2000,a\n"
                             "0,done,0,8000,8000,a\n1,done,0,9000,9000,a\n"),
            [("steps", "step of a: 2, mean 4.000 us, longest 5.000 us"),
             ("jobs", "a: 4 ranks, 9.000 us, bus bandwidth 5.070 GB/s, 1.125 times as long as "
                      "alone"),
             ("jobs", "b: 1 rank, not complete"), ("jobs", "websearch: 1 flow, 0.890 us")])

    def test_many_kinds(self):
        rows = "".join(f"{at},n{at},0,0,1000\n" for at in range(20))
        found = self.lines(marks=f"rank,name,iteration,start_ns,end_ns\n{rows}")
        self.assertEqual((len(found), found[-1]), (13, ("steps", "and 8 more kinds")))


class FigureTest(FolderCase):
    def test_runs_without_flows_are_compared(self):
        """By their collectives, of which barriers are none: means of 20 us and 0.1 GB/s."""
        folder = self.folder([])
        (folder / "collectives.csv").write_text(COLLECTIVES + ROWS)
        lines = self.lines(folder)
        comparison = self.program.comparison
        found = comparison.compared(lines, False)
        self.assertEqual({title: spreads[0]["mean"] for title, spreads in found.items()},
                         {"mean time of a collective (us)": 20, "bus bandwidth (GB/s)": 0.1,
                          "longest queue of a class (kB)": 1})
        self.assertNotIn("bus bandwidth (GB/s)",
                         comparison.compared(self.lines(self.folder([1])), False))


class ReportTest(SimCase):
    """The report of the program has the same lines."""

    def check(self, *arguments):
        run = self.sim(NETWORK, *arguments, "--force")
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = run.stdout.splitlines()
        named = []
        for line in lines:
            name = line[:14].strip().lower() or (named and line[:14] == " " * 14
                                                 and named[-1][0]) or ""
            named.append((name, line[14:]))
        told = [one for one in named if one[0] in ("collectives", "steps", "jobs")]
        self.assertEqual(told, program_lines(self.out))
        return told, run.stdout

    def test_in_network(self):
        """Switches do it all, and a report without flows said nothing of it."""
        self.write("job.txt", "ranks 8\nprogram all {\nrepeat 3 {\nallreduce 1MB "
                              "algorithm=in-network\n}\n}\n")
        told, text = self.check("--workload=program:job.txt", "--preset=sharp-like")
        self.assertEqual(len(told), 1)
        self.assertRegex(told[0][1], r"^allreduce \(in-network\): 3, mean \d\d\.\d{3} us, longest "
                                     r"\d\d\.\d{3} us, bus bandwidth \d\d\.\d{3} GB/s$")
        self.assertIn("Status        complete: no flows, after 0.13", text)
        for words in ("Slowdown", "Goodput", "0 of 0"):
            self.assertNotIn(words, text)

    def test_steps_and_jobs(self):
        self.write("job.txt", "ranks 4\nprogram all {\nrepeat 3 {\nmark step {\ncompute 5us\n"
                              "allreduce 100kB\n}\n}\nmark done\nbarrier\n}\n")
        told, _ = self.check("--workload=program:job.txt")
        self.assertEqual([name for name, _ in told], ["collectives", "collectives", "steps"])
        self.assertTrue(told[2][1].startswith("step: 12 on 4 ranks, mean "), told)
        told, _ = self.check("--workload=program:job.txt,name=a+program:job.txt,name=b@5us"
                             "+pairs:size=10kB")
        self.assertEqual([name for name, _ in told],
                         ["collectives"] * 4 + ["steps"] * 2 + ["jobs"] * 3)
        self.assertTrue(told[4][1].startswith("step of a: 3, mean "), told)
        self.assertRegex(told[-1][1], r"^pairs: \d flows, \d+\.\d{3} us$")

    def test_many_kinds(self):
        """Of 14 kinds twelve have a line; the two texts of the rest differed. Rank 0 has all of
        them twice, rank 1 the first one only, which is not complete."""
        marks = "".join(f"mark m{at} {{\ncompute {at + 1}us\n}}\n" for at in range(14))
        self.write("job.txt", f"ranks 2\nprogram 0 {{\nrepeat 2 {{\n{marks}}}\n}}\n"
                              "program 1 {\nmark m0 {\ncompute 900us\n}\n}\n")
        told, _ = self.check("--workload=program:job.txt", "--stop=400us")
        self.assertEqual(told[0][1], "m0: 3 on 2 ranks, 2 complete, mean 1.000 us, longest 1.000 "
                                     "us")
        self.assertEqual(told[11:], [
            ("steps", "m11: 2 on 1 rank, mean 12.000 us, longest 12.000 us"),
            ("steps", "and 2 more kinds")])

    def test_without_programs(self):
        told, text = self.check("--workload=permutation:size=10kB")
        self.assertEqual(told, [])
        self.assertIn("Slowdown of flow completion by size", text)


if __name__ == "__main__":
    unittest.main()
