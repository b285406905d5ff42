# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim: the ways of saving time leave results as they are, byte for byte."""
import unittest

from sim_case import SimCase

# Without them: ns-3's own engine and scheduler, and queue discs that count by trace sinks.
PLAIN = (
    ("--SimulatorImplementationType=ns3::DefaultSimulatorImpl",
     "--SchedulerType=ns3::MapScheduler"),
    ("--ns3::CongestionAwareQueueDisc::CountsDirectly=false",),
)
FAT_TREE = ("--topology=fat-tree:k=4", "--workload=alltoall:size=20kB")
DRAGONFLY = ("--topology=dragonfly:hosts=2,routers=4,globals=1,groups=5",
             "--workload=permutation:size=50kB")
LEAF_SPINE = ("--topology=leaf-spine:leaves=3,spines=2,hosts=4",
              "--workload=incast:size=100kB,fan-in=8")
# Fat-tree, k = 4: host 0 and its switch 16, which has the links to 24 and 25.
FAULTS = "20us down 16 24\n60us up 16 24\n30us rate 0 16 50Gbps\n0us loss 16 25 0.01\n"

COMPANY = (
    (*FAT_TREE, "--cc=hpcc"),
    (*FAT_TREE, "--cc=dcqcn", "--flow-control=credit", "--lb=spray-random"),
    (*FAT_TREE, "--cc=dctcp", "--flow-control=none", "--lb=reps"),
    (*FAT_TREE, "--cc=dcqcn", "--switch=voq", "--features=rcm"),
    (*FAT_TREE, "--cc=dcqcn", "--coordination=ccm"),
    (*FAT_TREE, "--cc=dcqcn", "--faults=faults.txt"),
    (*FAT_TREE, "--cc=dcqcn", "--flow-control=voq-credit", "--switch=voq", "--faults=faults.txt"),
    (*DRAGONFLY, "--cc=hpcc", "--routing=minimal"),
    (*DRAGONFLY, "--cc=none", "--routing=ugal", "--flow-control=credit"),
    (*LEAF_SPINE, "--cc=fncc"),
    (*LEAF_SPINE, "--cc=bts"),
)


class EngineTest(SimCase):
    def results(self, *options):
        """Flows, time series, events and counters."""
        self.run_ok(*options, "--trace=queues,rates,links,pfc")
        files = {path.name: path.read_bytes() for path in sorted(self.out.glob("*.csv"))}
        self.assertGreater(len(files), 3)
        skipped = ("options", "setup_wall_seconds", "run_wall_seconds", "packet_hops_per_second",
                   "peak_rss_bytes")
        summary = {name: value for name, value in self.summary().items()
                   if name not in skipped and "wall" not in name}
        return files, summary

    def test_same_results(self):
        self.write("faults.txt", FAULTS)
        for options in COMPANY:
            files, summary = self.results(*options)
            for plain in PLAIN:
                with self.subTest(options=options, plain=plain):
                    other_files, other_summary = self.results(*options, *plain)
                    self.assertEqual([name for name in files if files[name] != other_files[name]],
                                     [])
                    self.assertEqual(summary, other_summary)


if __name__ == "__main__":
    unittest.main()
