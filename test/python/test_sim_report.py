# SPDX-License-Identifier: GPL-2.0-only
"""What dcfabric-sim prints of a run: what ran, and one thing in the singular."""
import unittest

from sim_case import SimCase

PAIR = ("--topology=dumbbell:switches=3,senders=1", "--workload=pairs:size=1000")


class ReportTest(SimCase):
    def report(self, *arguments, status=0):
        run = self.sim(*arguments, "--force")
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        return run.stdout.splitlines()

    def test_what_ran(self):
        """Defaults too: nothing else tells that --preset=fncc24 without --cc is HPCC."""
        lines = self.report(*PAIR, "--preset=fncc24")
        self.assertEqual(lines[:3], [
            "Network       dumbbell:switches=3,senders=1 (2 hosts, 3 switches), workload "
            "pairs:size=1000, seed 1",
            "Policies      --cc=hpcc --lb=symmetric-ecmp --flow-control=pfc --preset=fncc24",
            "Slowdown of flow completion by size"])
        # the usual one
        self.assertIn("workload pairs",
                      self.report("--topology=dumbbell:switches=1,senders=1", "--stop=10us")[0])

    def test_what_is_not_usual(self):
        lines = self.report("--topology=dragonfly", "--workload=shift:by=1,size=1kB", "--cc=dctcp",
                            "--lb=ecmp", "--modifiers=ratio-cut", "--reliability=go-back-n",
                            "--messages=rtw")
        self.assertEqual(lines[1],
                         "Policies      --cc=dctcp --lb=ecmp --flow-control=pfc --routing=minimal "
                         "--modifiers=ratio-cut "
                                   "--reliability=go-back-n --messages=rtw")
        lines = self.report(*PAIR, "--flow-control=none", "--routing=shortest")
        self.assertEqual(lines[1],
                         "Policies      --cc=hpcc --lb=symmetric-ecmp --flow-control=none")

    def test_one_switch(self):
        self.write("star.topo", "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n")
        self.write("f.txt", "1\n0 1 3 100 1000 0\n")
        lines = self.report("--topology=file:star.topo", "--workload=flows:f.txt")
        self.assertEqual(lines[0],
                         "Network       file:star.topo (2 hosts, 1 switch), workload flows:f.txt, "
                         "seed 1")

    def test_no_switch(self):
        """What is of switches alone is not silently ignored."""
        self.write("pair.topo", "2 0 1\n\n0 1 100Gbps 1us 0\n")
        run = self.run_ok("--topology=file:pair.topo", "--workload=pairs:size=1000",
                          "--switch=voq", "--seed=7")
        self.assertIn("(2 hosts, 0 switches), workload pairs:size=1000, seed 7", run.stdout)
        self.assertIn("note: --switch=voq has no effect: the network has no switches", run.stderr)
        self.assertEqual(self.run_ok("--topology=file:pair.topo",
                                     "--workload=pairs:size=1000").stderr, "")

    def test_one_flow(self):
        """Its packet arrives after 1.1 us at the first switch, while everything is lost there, and
        is sent again once."""
        self.write("faults.txt", "0us loss 0 2 1\n5us loss 0 2 0\n")
        text = "\n".join(self.report(*PAIR, "--faults=faults.txt"))
        for line in ("Status        complete: 1 of 1 flow complete after ",
                     ", 0 ECN marks, 0 reductions, 1 packet sent again\n",
                     "Drops         1 lost on the wire\n",
                     "--flow-control=pfc --faults=faults.txt\n"):
            self.assertIn(line, text)

    def percentiles(self, lines, name):
        """The marks behind the four of a line, and its number of flows."""
        [line] = [one for one in lines if one.startswith(f"  {name:<10} ")]
        _, count, _, *values = line[2:].replace(" kB", "kB").split()
        return int(count), [value.endswith("*") for value in values]

    def test_percentiles_of_few_flows_are_marked(self):
        """Of one flow none is above a percentile. Of 240, each of 16 hosts to 15 others, 120 are
        above the median, 12 above the 228th, 2 above the 238th (237.6), none above the last."""
        note = "  * fewer than 10 flows are above it: the luck of single ones"
        lines = self.report(*PAIR)
        self.assertEqual(self.percentiles(lines, "overall"), (1, [True] * 4))
        self.assertIn(note, lines)
        lines = self.report("--topology=fat-tree:k=4", "--workload=alltoall:size=1kB")
        self.assertEqual(self.percentiles(lines, "overall"), (240, [False, False, True, True]))
        # columns end where their names do, and marks follow
        head, line = lines[3], next(one for one in lines if one.startswith("  overall"))
        self.assertEqual((len(head), len(line)), (71, 72))
        # 20 pairs have 10 above the median, 19 have 9
        for senders, marks in ((20, [False, True, True, True]), (19, [True] * 4)):
            lines = self.report(f"--topology=dumbbell:switches=2,senders={senders}",
                                "--workload=pairs:size=1000")
            self.assertEqual(self.percentiles(lines, "overall"), (senders, marks))

    def test_offered_load(self):
        """Beside the one that was asked for where it is more than a tenth away from it."""
        for load, duration in (("0.3", "20us"), ("0.5", "100us"), ("0.7", "200us"), ("0.5", "5us")):
            lines = self.report("--topology=leaf-spine:leaves=2,spines=2,hosts=4",
                                "--workload=hadoop", f"--load={load}", f"--duration={duration}")
            [line] = [one for one in lines if one.startswith("Offered")]
            drawn = self.summary()["offered_load"]
            text = f"Offered load  {drawn:.3f} of all hosts' rates"
            if abs(drawn - float(load)) > 0.1 * float(load):
                number = len(self.flows())
                text += f" ({load} asked for; drawn by {number} flow{'s' * (number != 1)})"
            self.assertEqual(line, text)

    def test_offered_load_of_several(self):
        """Loads of the parts that arrive at random add up, and their flows; others are in neither.
        So do flows that have not begun."""
        network = "--topology=leaf-spine:leaves=2,spines=2,hosts=4", "--cc=dcqcn", "--load=0.2"
        for workload, asked, stop in (("hadoop+incast:size=10kB,fan-in=2", 0.2, "1s"),
                                      ("hadoop+websearch", 0.4, "1s"), ("hadoop", 0.2, "4us"),
                                      ("hotspot:size=20kB", 0.2, "1s")):
            lines = self.report(*network, f"--workload={workload}", "--duration=20us",
                                f"--stop={stop}")
            flows, summary = self.flows(), self.summary()
            drawn = [flow for flow in flows if not flow.get("group", "").startswith("incast")]
            # 8 hosts of 100 Gb/s
            load = sum(int(flow["size_bytes"]) for flow in drawn) * 8 / (8 * 100e9 * 20e-6)
            self.assertEqual((summary["asked_load"], summary["load_flows"]), (asked, len(drawn)))
            self.assertAlmostEqual(summary["offered_load"], load, places=9)
            self.assertGreater(abs(load - asked), 0.1 * asked)
            s = "s" * (len(drawn) != 1)
            self.assertIn(f"Offered load  {load:.3f} of all hosts' rates ({asked} asked for; drawn "
                          f"by {len(drawn)} flow{s})", lines)

    def test_received_and_not_acknowledged(self):
        """A flow of one packet on a dumbbell of two switches: between its arrival and that of its
        ACK the receiver has all of it, and the sender does not know."""
        pair = "--topology=dumbbell:switches=2,senders=1", "--workload=pairs:size=1000"
        self.assertNotIn("last ACK", "\n".join(self.report(*pair)))
        [flow] = self.flows()
        arrived, known = float(flow["fct_ns"]), float(flow["sender_fct_ns"])
        lines = self.report(*pair, f"--stop={(arrived + known) / 2:.0f}ns")
        self.assertIn("  Of flows whose last byte has arrived; 1 of them still waits for the last "
                      "ACK", lines)
        self.assertIn("0 of 1 flow complete", "\n".join(lines))

    def test_stopped(self):
        """40 us of data at 100 Gb/s, and 10 us of time."""
        lines = self.report("--topology=dumbbell:switches=3,senders=1",
                            "--workload=pairs:size=500kB", "--stop=10us")
        self.assertEqual(lines[0],
                         "Network       dumbbell:switches=3,senders=1 (2 hosts, 3 switches), "
                         "workload pairs:size=500kB, seed 1")
        self.assertIn("Status        stopped: 0 of 1 flow complete after 0.010000 ms", lines)


if __name__ == "__main__":
    unittest.main()
