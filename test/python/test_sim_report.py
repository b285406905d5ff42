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
            "pairs:size=1000",
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
                         "Network       file:star.topo (2 hosts, 1 switch), workload flows:f.txt")

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

    def test_stopped(self):
        """40 us of data at 100 Gb/s, and 10 us of time."""
        lines = self.report("--topology=dumbbell:switches=3,senders=1",
                            "--workload=pairs:size=500kB", "--stop=10us")
        self.assertEqual(lines[0],
                         "Network       dumbbell:switches=3,senders=1 (2 hosts, 3 switches), "
                         "workload pairs:size=500kB")
        self.assertIn("Status        stopped: 0 of 1 flow complete after 0.010000 ms", lines)


if __name__ == "__main__":
    unittest.main()
