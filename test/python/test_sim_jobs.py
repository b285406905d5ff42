# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim: several programs of ranks at once, and other traffic beside them."""
import csv
import unittest

from sim_case import SimCase

# Four leaves of four hosts; each leaf has a link to each of two spines.
FABRIC = ("--topology=leaf-spine:leaves=4,spines=2,hosts=4", "--cc=none")
JOB = "ranks 4\nprogram all {\nrepeat 2 {\nmark step {\nallreduce 40kB\ncompute 5us\n}\n}\n}\n"


class JobsTest(SimCase):
    def setUp(self):
        super().setUp()
        self.write("a.txt", JOB)
        self.write("b.txt", JOB)

    def table(self, name, out=None):
        with ((out or self.out) / f"{name}.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    def hosts(self, label, out=None):
        """Hosts at which flows of a label end."""
        return {int(host) for flow in self.flows(out) if flow["group"] == label
                for host in (flow["src"], flow["dst"])}

    def test_hosts_of_their_own(self):
        """Two jobs, each at a leaf, take the time that the first takes alone, to the picosecond."""
        self.run_ok(*FABRIC, "--workload=program:a.txt", out=self.dir / "alone")
        alone = [int(1e3 * float(row["end_ns"])) for row in self.table("marks", self.dir / "alone")]
        self.run_ok(*FABRIC, "--workload=program:a.txt+program:b.txt@30us")
        for job, start in (("a", 0), ("b", 30000000)):
            rows = [row for row in self.table("marks") if row["job"] == job]
            self.assertEqual([int(1e3 * float(row["end_ns"])) - start for row in rows], alone)
            self.assertEqual({row["rank"] for row in rows}, set("0123"))
        self.assertEqual(self.hosts("a"), {0, 1, 2, 3})
        self.assertEqual(self.hosts("b"), {4, 5, 6, 7})
        self.assertEqual(self.table("interference"), [])
        jobs = self.table("jobs")
        self.assertEqual([row["job"] for row in jobs], ["a", "b"])
        self.assertEqual(jobs[0]["time_ns"], jobs[1]["time_ns"])
        self.assertEqual([row["start_ns"] for row in jobs], ["0", "30000"])
        # two all-reduces of 40 kB over 4 ranks: 2 x 2 x 3/4 x 40 kB from each of them
        self.assertEqual([int(row["size_bytes"]) for row in jobs], [480000, 480000])
        # a step and a collective, twice each, and all of it
        self.assertEqual(len([row for row in self.table("steps") if row["job"] == "b"]), 5)

    def test_shared_links(self):
        """One host of each leaf for each job: what they lose to one another is told by steps,
        against each alone at the same hosts, and by links."""
        together = ("--workload=program:a.txt,placement=scattered+program:b.txt,placement=scattered"
                    "+incast:fan-in=8,size=50kB,dst=1@1us")
        for job in "ab":
            self.run_ok(*FABRIC, together, f"--only={job}", out=self.dir / job)
            self.assertEqual([row["job"] for row in self.table("jobs", self.dir / job)], [job])
        self.run_ok(*FABRIC, together, "--alone=a,b")
        self.assertEqual(self.hosts("a"), {0, 4, 8, 12})
        self.assertEqual(self.hosts("b"), {1, 5, 9, 13})
        self.assertEqual(self.hosts("b", self.dir / "b"), {1, 5, 9, 13})
        for row in self.table("steps"):
            alone = [one for one in self.table("steps", self.dir / row["job"])
                     if [one[key] for key in ("kind", "name", "iteration")]
                     == [row[key] for key in ("kind", "name", "iteration")]]
            self.assertEqual([one["time_ns"] for one in alone], [row["alone_ns"]])
            self.assertAlmostEqual(float(row["slowdown"]),
                                   float(row["time_ns"]) / float(row["alone_ns"]), places=4)
        slowdowns = {row["job"]: row["slowdown"] for row in self.table("jobs")}
        self.assertGreater(float(slowdowns["b"]), 1.05)  # the incast is to its first host
        self.assertEqual(slowdowns["incast"], "")
        shared = self.table("interference")
        self.assertIn("leaf-0 to host-1", {row["link"] for row in shared})
        for row in shared:
            if row["link"].startswith("host"):
                self.assertEqual((row["wait_ns"], row["behind_others_ns"]), ("", ""))
            else:
                self.assertGreaterEqual(float(row["wait_ns"]), float(row["behind_others_ns"]))
        self.assertTrue(any(row["link"].startswith("host") for row in shared))
        self.assertGreater(float(shared[0]["behind_others_ns"]), 0)

    def test_alone_is_no_slowdown(self):
        """A job against itself: 1, step by step; also one program without others."""
        one = "--workload=program:a.txt,name=x,placement=random"
        self.run_ok(*FABRIC, one, "--seed=3", out=self.dir / "first")
        self.run_ok(*FABRIC, one, "--seed=3", "--alone=first")
        self.assertEqual({row["slowdown"] for row in self.table("steps")}, {"1.0000"})
        self.assertEqual(self.table("jobs")[0]["job"], "x")
        self.run_ok(*FABRIC, one, "--seed=4", "--alone=first")
        ends = [[(flow["src"], flow["dst"]) for flow in self.flows(out)]
                for out in (self.out, self.dir / "first")]
        self.assertNotEqual(*ends)

    def test_hosts_from_a_file(self):
        """Files are taken at their word and first; the others get what is left."""
        self.write("hosts.txt", "1 9\n2 5\n")
        self.run_ok(*FABRIC, "--workload=program:a.txt+program:b.txt,placement=file:hosts.txt")
        self.assertEqual(self.hosts("a"), {0, 3, 4, 6})
        self.assertEqual(self.hosts("b"), {1, 2, 5, 9})
        # so are lines of a program; two jobs may share hosts
        self.write("c.txt", JOB.replace("program all", "place 0 9\nplace 3 5\nprogram all"))
        self.run_ok(*FABRIC, "--workload=program:c.txt+program:b.txt,placement=file:hosts.txt")
        self.assertEqual(self.hosts("c"), {1, 2, 5, 9})
        self.assertEqual(len({row["job"] for row in self.table("interference")}), 2)

    def test_starts(self):
        """Of other workloads: all flows are so much later. A path may have the sign."""
        self.run_ok(*FABRIC, "--workload=program:a.txt+pairs:size=1kB@7us+shift:size=1kB,start=2us")
        starts = {label: {flow["start_ns"] for flow in self.flows() if flow["group"] == label}
                  for label in ("pairs", "shift")}
        self.assertEqual(starts, {"pairs": {"7000"}, "shift": {"2000"}})
        self.write("a@2us", JOB)
        self.run_ok(*FABRIC, "--workload=program:a@2us+program:a.txt")
        self.assertEqual({row["start_ns"] for row in self.table("jobs")}, {"0"})
        self.write("late.flows", "1\n0 5 3 100 1000 0.000001\n")
        self.run_ok(*FABRIC, "--workload=flows:late.flows@1us")
        self.assertEqual(self.flows()[0]["start_ns"], "2000")

    def test_refusals(self):
        self.write("twice.txt", "1 2\n2 3\n")
        self.write("few.txt", "1 2\n")
        self.write("far.txt", "1 2 3 16\n")
        for workload, words in (
                ("program:a.txt,placement=pakced", ("unknown placement 'pakced'", "packed")),
                ("program:a.txt,placement=by-rail", ("NVSwitch", "scattered")),
                ("program:a.txt,placement=file:none.txt", ("none.txt",)),
                ("program:a.txt,placement=file:twice.txt", ("twice.txt:2: host 2 occurs twice",)),
                ("program:a.txt,placement=file:few.txt", ("job a needs 4 hosts",)),
                ("program:a.txt,placement=file:far.txt", ("far.txt:1", "0 to 15")),
                ("program:a.txt,name=x+program:b.txt,name=x", ("two parts are called 'x'",)),
                ("program:a.txt,name=pairs+pairs:size=1kB+program:b.txt,name=pairs",
                 ("two parts are called 'pairs'",)),
                ("program:a.txt,nam=x+program:b.txt", ("unknown key 'nam'", "name")),
                ("program:a.txt,name=a b", ("a name has no blanks",)),
                ("program:none.txt+program:a.txt", ("none.txt",)),
                ("program:a.txt@soon", ("'soon' is not a time",)),
                ("program:a.txt+program:b.txt@3", ("no unit",)),
                ("program:a.txt,start=1us@3us", ("give one of them",)),
                ("+".join(5 * ["program:a.txt"]), ("job a-5 needs 4 hosts", "--topology"))):
            with self.subTest(workload=workload):
                run = self.refuse(*FABRIC, f"--workload={workload}", words=words)
                self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        two = "--workload=program:a.txt+pairs:size=1kB"
        self.refuse(*FABRIC, two, "--only=c", words=("unknown part of the workload 'c'", "a"))
        self.refuse(*FABRIC, two, "--only=pairs", words=("--only=pairs names no program",))
        self.refuse(*FABRIC, "--workload=program:a.txt", "--only=a", words=("no effect",))
        self.refuse(*FABRIC, "--workload=pairs:size=1kB", "--alone=a", words=("only jobs",))
        self.refuse(*FABRIC, two, "--alone=nowhere", words=("nowhere/steps.csv",))
        self.write("steps.csv", "time\n1\n")
        self.refuse(*FABRIC, two, "--alone=.", words=("steps.csv:1: this is no table of steps",))
        self.refuse(*FABRIC, two, "--messages=rtw", words=("--messages=preposted",))

    def test_classes(self):
        """Each job has the class that it is given, and other traffic its own. A job of a higher
        class takes the time that it takes alone; links are shared, but a packet of the other that
        is on the wire."""
        places = ("placement=scattered", "placement=scattered")
        for name, priority in (("equal", ""), ("above", ",priority=5")):
            self.run_ok(*FABRIC, f"--workload=program:a.txt,{places[0]}{priority}"
                        f"+program:b.txt,{places[1]}+incast:fan-in=8,size=50kB,dst=0",
                        "--trace=queues", out=self.dir / name)
        with (self.dir / "above/queues.csv").open(newline="") as file:
            self.assertEqual({row["class"] for row in csv.DictReader(file)} & {"3", "5"},
                             {"3", "5"})
        with (self.dir / "equal/queues.csv").open(newline="") as file:
            self.assertNotIn("5", {row["class"] for row in csv.DictReader(file)})
        time = {name: float(self.table("jobs", self.dir / name)[0]["time_ns"])
                for name in ("equal", "above")}
        self.assertLess(time["above"], time["equal"])
        # a key is for one job, the attribute for all that have none; alone, too
        self.write("c.txt", JOB.replace("allreduce 40kB", "gather 400kB"))
        for workload, options in (("program:c.txt,priority=4", ()),
                                  ("program:c.txt", ("--ns3::ProgramWorkload::Priority=4",))):
            self.run_ok(*FABRIC, f"--workload={workload}", *options, "--trace=queues",
                        out=self.dir / "one")
            with (self.dir / "one/queues.csv").open(newline="") as file:
                self.assertEqual({row["class"] for row in csv.DictReader(file)} - {"6"}, {"4"})
        # what reads one class only is not for several
        fncc = (FABRIC[0], "--cc=fncc")
        self.refuse(*fncc, "--workload=program:a.txt,priority=4+program:b.txt",
                    words=("job b has priority 3 and job a priority 4", "single data class"))
        self.refuse(*fncc, "--workload=program:a.txt,priority=4+incast:fan-in=2,size=1kB",
                    words=("flow 0 has priority 3 and job a priority 4",))
        self.refuse(*FABRIC, "--workload=program:a.txt,priority=8", words=("priority", "8"))
        self.run_ok(*fncc, "--workload=program:a.txt,priority=4+incast:fan-in=2,size=1kB",
                    "--ns3::GeneratedWorkload::Priority=4")

    def test_stuck(self):
        """The report names the job."""
        self.write("c.txt", "ranks 2\nprogram 0 {\nrecv 1\n}\n")
        run = self.sim(*FABRIC, "--workload=program:a.txt+program:c.txt")
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertIn("rank 0 of job c on host 4 since 0s, c.txt:3: recv: nothing from rank 1",
                      run.stderr)
        jobs = {row["job"]: row["end_ns"] for row in self.table("jobs")}
        self.assertEqual(jobs["c"], "")
        self.assertNotEqual(jobs["a"], "")


if __name__ == "__main__":
    unittest.main()
