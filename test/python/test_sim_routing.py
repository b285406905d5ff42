# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim --routing: ways of direct networks."""
import unittest

from sim_case import SimCase

DRAGONFLY = "--topology=dragonfly:hosts=1,routers=4,globals=2,groups=9"
PLUS = "--topology=dragonfly-plus:leaves=2,spines=2,hosts=2,globals=2,groups=3"
TORUS = "--topology=torus:dims=4x3,hosts=1"
HYPERX = "--topology=hyperx:dims=3x3,hosts=2"
CLOS = "--topology=leaf-spine:leaves=2,spines=2,hosts=2"
FLOWS = ("--workload=permutation:size=50kB", "--cc=dctcp")


class RoutingTest(SimCase):
    def test_the_usual_routing_is_that_of_the_topology(self):
        for topology, usual in ((DRAGONFLY, "minimal"), (PLUS, "minimal"),
                                (TORUS, "dimension-order"),
                                (HYPERX, "dimension-order"), (CLOS, "shortest")):
            with self.subTest(topology=topology):
                out = self.dir / usual
                self.run_ok(topology, *FLOWS, out=out)
                by_default = (out / "flows.csv").read_bytes()
                self.assertEqual(self.summary(out)["options"]["routing"], usual)
                self.run_ok(topology, *FLOWS, f"--routing={usual}", out=out)
                self.assertEqual((out / "flows.csv").read_bytes(), by_default)

    def complete_under_every_flow_control(self, topologies, routings):
        """Run each routing on each topology, all flows of which complete without a loss; yield
        routing and summary."""
        for topology in topologies:
            for routing in routings:
                for more in (("--flow-control=pfc",), ("--flow-control=credit",),
                             ("--flow-control=none",),
                             ("--flow-control=pfc", "--switch=voq")):
                    with self.subTest(topology=topology, routing=routing, more=more):
                        self.run_ok(topology, *FLOWS, f"--routing={routing}", *more)
                        summary = self.summary()
                        self.assertEqual(summary["flows_completed"], summary["flows_started"])
                        self.assertEqual(summary["drops"], {})
                        yield routing, summary

    def test_every_routing_under_every_flow_control(self):
        for _ in self.complete_under_every_flow_control((TORUS, HYPERX),
                                                        ("dimension-order", "minimal-adaptive")):
            pass

    def test_ways_by_a_third_group_under_every_flow_control(self):
        for routing, summary in self.complete_under_every_flow_control(
                (DRAGONFLY, PLUS), ("valiant", "ugal", "par", "piggyback", "par-piggyback")):
            self.assertGreater(summary["minimal_packets"], 0)
            if routing == "valiant":
                self.assertGreater(summary["non_minimal_packets"], summary["minimal_packets"] // 2)

    def test_ways_by_another_switch_under_every_flow_control(self):
        for routing, summary in self.complete_under_every_flow_control(
                (HYPERX,), ("hyperx-valiant", "hyperx-ugal", "hyperx-par", "hyperx-piggyback",
                            "hyperx-par-piggyback")):
            self.assertGreater(summary["minimal_packets"], 0)
            if routing == "hyperx-valiant":
                self.assertGreater(summary["non_minimal_packets"], summary["minimal_packets"])

    def test_what_does_not_suit_is_refused(self):
        for arguments, words in (
                ((TORUS, "--routing=minimal"),
                 ("--routing=minimal needs groups of switches, but this network has none; "
                  "use --topology=dragonfly or --routing=shortest",)),
                ((TORUS, "--routing=valiant"),
                 ("--routing=valiant needs groups", "or --routing=shortest")),
                ((DRAGONFLY, "--routing=ugal", "--cc=hpcc"), ("--cc=hpcc", "--routing=ugal")),
                ((TORUS, "--routing=par"),
                 ("--routing=par needs groups", "or --routing=shortest")),
                ((HYPERX, "--routing=piggyback"),
                 ("--routing=piggyback needs groups", "or --routing=shortest")),
                ((TORUS, "--routing=hyperx-ugal"),
                 ("--routing=hyperx-ugal needs a grid of full meshes",
                  "use --routing=minimal-adaptive")),
                ((DRAGONFLY, "--routing=hyperx-par"),
                 ("--routing=hyperx-par needs switches in a grid", "or --routing=shortest")),
                ((HYPERX, "--routing=hyperx-piggyback", "--cc=hpcc"),
                 ("--cc=hpcc", "--routing=hyperx-piggyback")),
                ((DRAGONFLY, "--routing=par-piggyback", "--cc=hpcc"),
                 ("--cc=hpcc", "--routing=par-piggyback")),
                ((DRAGONFLY, "--routing=par", "--cc=dctcp", "--reliability=go-back-n"),
                 ("--reliability=go-back-n", "--routing=par")),
                ((DRAGONFLY, "--routing=ugal-g"), ("'ugal-g'", "the nearest is ugal")),
                ((DRAGONFLY, "--routing=ugal", "--cc=dctcp",
                  "--ns3::DragonflyUgalRouting::Queues=global"),
                 ("UGAL-G", "which no switch knows", "use local")),
                ((DRAGONFLY, "--routing=dimension-order"),
                 ("--routing=dimension-order needs switches in a grid",)),
                ((CLOS, "--routing=minimal-adaptive"),
                 ("--routing=minimal-adaptive needs switches in a grid",)),
                ((TORUS, "--routing=dimensions-order"),
                 ("'dimensions-order'", "the nearest is dimension-order")),
                ((TORUS, "--routing=minimal-adaptive", "--cc=hpcc"),
                 ("--cc=hpcc", "--routing=minimal-adaptive")),
                ((TORUS, "--routing=minimal-adaptive", "--reliability=go-back-n", "--cc=dctcp"),
                 ("--reliability=go-back-n", "--routing=minimal-adaptive")),
                ((TORUS, "--routing=dimension-order", "--lb=spanning-trees"),
                 ("--lb=spanning-trees", "--routing=dimension-order", "use --routing=shortest")),
                ((TORUS, "--cc=fncc"), ("--cc=fncc needs data and ACK on the same links",)),
                ((TORUS, "--features=rcm", "--switch=voq", "--cc=dcqcn"),
                 ("--features=rcm", "virtual channels")),
                ((TORUS, "--routing=minimal-adaptive", "--cc=dctcp",
                  "--ns3::MinimalAdaptiveRouting::Reversals=2"),
                 ("--routing=minimal-adaptive needs 6 virtual channels", "--flow-control=none")),
                ((TORUS, "--ns3::DimensionOrderRouting::DataClasses=2,3"),
                 ("--ns3::DimensionOrderRouting::DataClasses",
                  "the first of them that of the hosts, 3")),
                ((TORUS, "--ns3::DragonflyMinimalRouting::Channels=1"),
                 ("ns3::DragonflyMinimalRouting::Channels",))):
            with self.subTest(arguments=arguments):
                self.refuse("--workload=permutation:size=5kB", *arguments, words=words)


if __name__ == "__main__":
    unittest.main()
