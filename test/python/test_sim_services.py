# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim: --service, and what closes contexts."""
import unittest

from sim_case import SimCase

# Host 0, two switches, host 1: three links of 100 Gb/s and 1 us.
CHAIN = ("--topology=dumbbell:switches=2,senders=1", "--workload=pairs:size=3000")
LOSSY = ("--topology=fat-tree:k=4", "--workload=permutation:size=100kB", "--error-rate=0.005")


class ServiceTest(SimCase):
    def test_a_lone_flow(self):
        """Data of 1000 bytes take 80 ps x (1000 + 62 + 20) = 86.56 ns a link, ACKs 80 x 118 = 9.44.
        Three packets leave in 259.68 ns, and the last one arrives 3 us and two links later."""
        for service in ("rud", "rod", "rudi"):
            self.run_ok(*CHAIN, "--cc=none", f"--service={service}")
            flow, = self.flows()
            self.assertEqual(flow["fct_ns"], "3432.8")
            self.assertEqual(flow["sender_fct_ns"], "6461.12")
            self.assertEqual(flow["slowdown"], "1.000000")
            self.assertNotIn("delivered_bytes", flow)
        self.run_ok(*CHAIN, "--service=uud")
        flow, = self.flows()
        self.assertEqual(flow["fct_ns"], "3432.8")
        self.assertEqual(flow["sender_fct_ns"], "259.68")
        self.assertEqual(flow["delivered_bytes"], "3000")
        summary = self.summary()
        self.assertEqual(summary["options"]["cc"], "none")
        self.assertEqual(summary["options"]["reliability"], "none")
        self.assertEqual(summary["sim_seconds"], 0.00100025968)

    def test_losses(self):
        for service in ("rod", "rudi"):
            self.run_ok(*LOSSY, f"--service={service}")
            summary = self.summary()
            self.assertEqual(summary["flows_completed"], 16)
            self.assertEqual(summary["datagrams_sent"], 0)
            self.assertGreater(sum(int(flow["packets_retransmitted"]) for flow in self.flows()), 0)
        self.run_ok(*LOSSY, "--service=uud")
        summary, flows = self.summary(), self.flows()
        self.assertEqual(summary["status"], "complete")
        lost = summary["datagrams_sent"] - summary["datagrams_delivered"]
        self.assertEqual(lost, sum(summary["drops"].values()))
        self.assertEqual(lost * 1000,
                         sum(100000 - int(flow["delivered_bytes"]) for flow in flows))
        for flow in flows:
            whole = flow["delivered_bytes"] == flow["size_bytes"]
            self.assertEqual(flow["fct_ns"] != "", whole)
            self.assertEqual(flow["slowdown"] != "", whole)
            self.assertNotEqual(flow["sender_fct_ns"], "")
        self.assertEqual(summary["flows_completed"], sum(flow["fct_ns"] != "" for flow in flows))

    def test_contexts_that_are_closed(self):
        for options in ((), ("--service=rod",), ("--lb=spray-rr", "--cc=dctcp"),
                        ("--messages=rtw", "--post-delay=exponential:mean=20us",
                         "--ns3::FabricNic::PdcIdleTime=5us")):
            self.run_ok(*LOSSY, "--ns3::FabricNic::PdcClose=true",
                        "--ns3::FabricNic::PdcTimeout=20us", *options)
            self.assertEqual(self.summary()["flows_completed"], 16)

    def test_what_contradicts(self):
        for options, words in ((("--service=rod", "--reliability=rack"),
                                ("--reliability=rack", "contradicts", "--service=rod")),
                               (("--service=uud", "--cc=hpcc"), ("--cc=hpcc", "answers")),
                               (("--service=rod", "--lb=spray-rr", "--cc=dctcp"), ("in order",)),
                               (("--service=rudi", "--messages=rtw"), ("--messages=rtw", "PDC")),
                               (("--service=udp",), ("rud, rod, rudi, uud",))):
            self.refuse(*CHAIN, *options, words=words)


if __name__ == "__main__":
    unittest.main()
