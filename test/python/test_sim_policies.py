# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim --policies: some hosts, destinations and classes have policies of their own."""
import re
import unittest

from sim_case import SMALL, SimCase

# 4 hosts at each of 2 leaves, 4 spines.
FABRIC = ("--topology=leaf-spine:leaves=2,spines=4,hosts=4",)


class PolicyTest(SimCase):
    def table(self, name, *arguments):
        self.run_ok(*FABRIC, *arguments, out=self.dir / name)
        return (self.dir / name / "flows.csv").read_bytes()

    def test_for_all_hosts_it_is_the_same_run_as_with_options(self):
        incast = "--workload=incast:fan-in=6,size=300kB"
        for cc, lb, modifiers in (("swift", "reps", "ratio-cut"),
                                  ("dcqcn", "path-set:paths=8", "majority-gate"),
                                  ("hpcc", "path-set:paths=4", ""),
                                  ("dctcp", "spray-random", "ewma-gate"),
                                  ("dctcp", "symmetric-ecmp", "rtt-ecn-recovery")):
            with self.subTest(cc=cc, lb=lb):
                more = [f"--modifiers={modifiers}"] if modifiers else []
                # the path selector is of the switches: that of --lb in both runs
                selector = "symmetric-ecmp" if lb.startswith(("path-set", "symmetric")) else "ecmp"
                self.write("all", f"* * cc={cc} lb={lb} modifiers={modifiers or 'none'}\n"
                           if lb != "symmetric-ecmp"
                           else f"* * cc={cc} modifiers={modifiers}\n")
                by_option = self.table("option", f"--cc={cc}", f"--lb={lb}", incast, *more)
                by_file = self.table("file", "--cc=none", f"--lb={selector}", "--policies=all",
                                     incast)
                self.assertEqual(by_option, by_file)
                self.assertNotEqual(by_option,
                                    self.table("none", "--cc=none", f"--lb={selector}", incast))

    def test_only_those_hosts(self):
        """Hosts 0 and 1 send 1 MB each to host 4: with cc=none 0 keeps its rate, with Swift it
        gives way to 1."""
        self.write("flows", "2\n0 4 3 100 1000000 0\n1 4 3 100 1000000 0\n")
        self.write("one", "0 * cc=swift\n")
        self.table("both", "--cc=none", "--workload=flows:flows")
        both = [float(flow["fct_ns"]) for flow in self.flows(self.dir / "both")]
        self.table("one-swift", "--cc=none", "--workload=flows:flows", "--policies=one")
        first, second = (float(flow["fct_ns"]) for flow in self.flows(self.dir / "one-swift"))
        self.assertLess(abs(both[0] - both[1]), 0.02 * both[1])  # they share the link to host 4
        self.assertGreater(first, 1.3 * second)
        self.assertGreater(self.summary(self.dir / "one-swift")["cc_reductions"], 0)
        # for another destination, another class or another host nothing changes
        for name, line in (("dst", "0 5 cc=swift"), ("class", "0 * cc=swift class=4"),
                           ("host", "2,3-6 * cc=swift")):
            with self.subTest(line=line):
                self.write(name + ".txt", line + "\n")
                self.assertEqual(self.table(name, "--cc=none", "--workload=flows:flows",
                                            f"--policies={name}.txt"),
                                 (self.dir / "both" / "flows.csv").read_bytes())

    def test_modifiers_of_some(self):
        """A gate that never opens, for host 0 only: it withholds cuts, and those of host 1 take
        hold."""
        self.write("flows", "2\n0 4 3 100 1000000 0\n1 4 3 100 1000000 0\n")
        self.write("gate",
                   "0 4 modifiers=ewma-gate ns3::EwmaGateModifier::Threshold=1 "
                   "ns3::EwmaGateModifier::Gain=0.001"
                           " ns3::EwmaGateModifier::HalfLife=1000000\n")
        self.run_ok(*FABRIC, "--cc=dctcp", "--workload=flows:flows", "--policies=gate",
                    "--ns3::WredMarkingProfile::Kmin=20000",
                    "--ns3::WredMarkingProfile::Kmax=40000")
        summary = self.summary()
        self.assertGreater(summary["cc_reductions_withheld"]["ns3::EwmaGateModifier"], 0)
        self.assertGreater(summary["cc_reductions"], 0)
        first, second = (float(flow["fct_ns"]) for flow in self.flows())
        self.assertLess(first, second)

    def test_coordination_is_of_all_hosts(self):
        """Hosts with policies of their own have their half, and may not spray while switches choose
        paths."""
        incast = ("--workload=incast:fan-in=6,size=300kB", "--coordination=ccm")
        self.write("swift", "* * cc=swift modifiers=none\n")
        by_option = self.table("option", "--cc=swift", *incast)
        self.assertEqual(self.table("file", "--cc=none", "--policies=swift", *incast), by_option)
        self.assertGreater(self.summary(self.dir / "file")["ccm_type1"], 0)
        self.assertNotEqual(self.table("without", "--cc=swift", incast[0]), by_option)
        self.write("spray", "0 * lb=spray-rr\n")
        refused = self.sim(*FABRIC, "--cc=dcqcn", "--policies=spray", *incast,
                           out=self.dir / "refused")
        self.assertEqual(refused.returncode, 2)
        for part in ("spray:1: --coordination=ccm", "--lb=spray-rr", "--ns3::CcmFeature::Adaptive"):
            self.assertIn(part, refused.stderr)

    def test_hosts_that_never_send(self):
        """A line for no flow of the workload is told of: by sender, receiver or class; of ranks
        nobody knows before the run."""
        self.write("one.flows", "1\n0 1 3 100 1000 0\n")
        self.write("job.txt", "ranks 2\nprogram 0 {\nsend 1 1kB\n}\nprogram 1 {\nrecv 0\n}\n")
        self.write("lines",
                   "* * cc=dctcp\n0 1-3 cc=dctcp class=3\n5 * cc=dctcp\n* 0 cc=dctcp\n0 1 cc=dctcp "
                   "class=4\n")
        run = self.run_ok(*FABRIC, "--workload=flows:one.flows", "--cc=none", "--policies=lines")
        self.assertEqual([line.split(": ")[2] for line in run.stderr.splitlines()],
                         ["lines:3", "lines:4", "lines:5"])
        self.assertIn("no flow of the workload is from these senders to these receivers in this "
                      "class", run.stderr)
        self.assertEqual(self.run_ok(*FABRIC, "--workload=program:job.txt", "--cc=none",
                                     "--policies=lines").stderr, "")

    def test_refusals_name_file_and_line(self):
        for line, *words in (("0 *", "expected SENDERS RECEIVERS"), ("0 * cc", "'cc'"),
                             ("0 * mode=3", "'mode=3'"),
                             ("0 * cc=", "'cc='"), ("0 * cc=reno", "unknown --cc", "hpcc"),
                             ("x * cc=none", "host"),
                             ("5-2 * cc=none", "host"), ("99 * cc=none", "no host 99"),
                             ("9 * cc=none", "no host"),
                             ("0 * cc=none cc=none", "cc is given twice"),
                             ("0 * cc=hpcc ns3::HpccCongestionControl::Eta=0.9 "
                              "ns3::IntWindowCongestionControl::Eta=0.8",
                              "Eta is given twice"), ("0 * cc=none class=8", "class"),
                             ("0 * lb=flowlet", "lb=flowlet", "all hosts"),
                             ("0 * cc=external", "all hosts"),
                             ("0 * modifiers=ratio-cut,ratio-cut", "twice"),
                             ("0 * modifiers=majority-gate", "--modifiers=majority-gate",
                              "--lb=symmetric-ecmp"),
                             ("0 * cc=hpcc lb=reps", "--cc=hpcc", "--lb=reps"),
                             ("0 * ns3::SharedBuffer::Size=1000",
                              "belongs to no class on this line"),
                             ("0 * cc=dctcp ns3::DctcpCongestionControl::Colour=1", "no attribute"),
                             ("0 * cc=swift ns3::SwiftCongestionControl::BaseTarget=soon",
                              "BaseTarget")):
            with self.subTest(line=line):
                self.write("bad", f"# a comment\n* * cc=dctcp\n\n{line}\n")
                self.refuse(*FABRIC, "--workload=permutation:size=20kB", "--cc=none",
                            "--policies=bad",
                            words=("bad:4:", *words))
        self.refuse(*SMALL, "--policies=missing", words=("missing",))

    def test_list_computes_thresholds(self):
        """The base RTT of the pair + one frame of 1062 B at 100 Gb/s (84.96 ns) for the sender and
        each switch.

        The base RTT is 2 us and a packet of 1082 B and an ACK of 118 B, with their gaps, for each
        link: 2.096 us.
        """
        def thresholds(*arguments):
            run = self.sim("--list", "--topology=fat-tree:k=4", "--modifiers=rtt-ecn-recovery",
                           *arguments)
            self.assertEqual(run.returncode, 0, run.stderr)
            return [float(us)
                    for us in re.findall(r"over \d switch(?:es)?: ([0-9.]+) us", run.stdout)]

        base = thresholds("--ns3::RttEcnRecoveryModifier::SlackPackets=0")
        self.assertEqual(len(base), 3)  # over 1, 3 and 5 switches
        for us, links in zip(base, (2, 4, 6)):
            self.assertAlmostEqual(us, links * 2.096, delta=0.0011)
        for us, packets in zip(thresholds(), (2, 4, 6)):
            self.assertAlmostEqual(us, packets * (2.096 + 0.08496), delta=0.0011)


if __name__ == "__main__":
    unittest.main()
