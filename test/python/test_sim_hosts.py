# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim with hosts that have several links: two planes, GPU servers, and large runs that are
stopped."""
import unittest
from pathlib import Path

from sim_case import SimCase

TOPOLOGIES = Path(__file__).resolve().parents[2] / "examples" / "topologies"
PLANES = f"--topology=file:{TOPOLOGIES / 'two-planes.topo'}"
SERVERS = f"--topology=file:{TOPOLOGIES / 'gpu-servers.topo'}"


class HostTest(SimCase):
    def lone(self, topology):
        """Slowdowns of lone flows between all pairs of the four hosts, 1 ms apart."""
        pairs = [(a, b) for a in range(4) for b in range(4) if a != b]
        lines = [f"{a} {b} 3 100 123456 {i * 0.001}" for i, (a, b) in enumerate(pairs)]
        self.write("pairs.flows", "\n".join([str(len(pairs)), *lines]) + "\n")
        self.run_ok(topology, "--workload=flows:pairs.flows", "--cc=none")
        self.assertEqual(self.summary()["status"], "complete")
        return [flow["slowdown"] for flow in self.flows()]

    def test_lone_flows(self):
        for topology in (PLANES, SERVERS):
            with self.subTest(topology=topology):
                self.assertEqual({float(s) for s in self.lone(topology)}, {1.0})

    def test_two_planes(self):
        """Every control and load balancer completes."""
        for options in (("--cc=fncc",), ("--cc=hpcc", "--lb=path-set:paths=8"),
                        ("--cc=dcqcn", "--lb=ecmp"),
                        ("--cc=dctcp", "--lb=reps"), ("--cc=dctcp", "--lb=spray-rr"),
                        ("--cc=swift", "--lb=spanning-trees"),
                        ("--cc=timely", "--flow-control=credit")):
            with self.subTest(options=options):
                self.run_ok(PLANES, "--workload=alltoall:size=100kB", *options)
                self.assertEqual(self.summary()["status"], "complete")
                self.assertEqual(self.summary()["drops"], {})

    def test_gpu_servers(self):
        """What stays in a server takes an NVSwitch: 100 kB at 800 Gb/s in about 1.1 us."""
        self.run_ok(SERVERS, "--workload=alltoall:size=100kB", "--cc=dctcp")
        for flow in self.flows():
            if int(flow["src"]) // 2 == int(flow["dst"]) // 2:
                self.assertLess(float(flow["fct_ns"]), 1300)
            else:
                self.assertGreater(float(flow["fct_ns"]), 8000)

    def test_plane_that_fails(self):
        """The other plane takes over: complete, though the link never comes up."""
        self.write("faults", "10us down 0 4\n")
        self.write("to.flows", "8\n" + "".join(f"0 {2 + i % 2} 3 100 200000 0\n" for i in range(8)))
        for lb in ("symmetric-ecmp", "spray-random"):
            with self.subTest(lb=lb):
                self.run_ok(PLANES, "--workload=flows:to.flows", "--faults=faults", "--cc=none",
                            f"--lb={lb}")
                self.assertEqual(self.summary()["status"], "complete")


if __name__ == "__main__":
    unittest.main()
