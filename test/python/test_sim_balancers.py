# SPDX-License-Identifier: GPL-2.0-only
"""Load balancing in switches on the asymmetric leaf-spine network of CONGA's paper."""
import json
import unittest

from sim_case import SimCase

HOSTS = 64
LINKS = [(host, HOSTS + host // 32, 10) for host in range(HOSTS)]
# two leaves, two spines, two links each; one between leaf 65 and spine 67 has failed
LINKS += [(leaf, spine, 40) for leaf in (64, 65) for spine in (66, 67) for link in (0, 1)
          if (leaf, spine, link) != (65, 67, 1)]
NETWORK = (f"{HOSTS + 4} 4 {len(LINKS)}\n64 65 66 67\n" +
           "".join(f"{a} {b} {rate}Gbps 1us 0\n" for a, b, rate in LINKS))


class AsymmetryTest(SimCase):
    def mean(self, balancer):
        """Mean slowdown of flows between the leaves."""
        out = self.dir / balancer
        self.run_ok("--topology=file:asymmetric.txt", "--workload=websearch", "--load=0.3",
                    "--duration=10ms", "--cc=dctcp", "--flow-control=none", f"--lb={balancer}",
                    "--ns3::PoissonWorkload::Groups=32",
                    "--ns3::PoissonWorkload::GroupOrder=strided", out=out)
        summary = json.loads((out / "summary.json").read_text())
        return summary["slowdown"]["overall"]["mean"]

    def test_conga_sees_what_a_leaf_does_not(self):
        """Of 120 Gb/s that are left 96 are offered: 1.3, 1.4 and 1.7 (doc/schemes.rst)."""
        self.write("asymmetric.txt", NETWORK)
        conga = self.mean("conga")
        self.assertLess(conga, 0.95 * self.mean("adaptive"))
        self.assertLess(conga, 0.85 * self.mean("ecmp"))


if __name__ == "__main__":
    unittest.main()
