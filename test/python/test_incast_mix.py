# SPDX-License-Identifier: GPL-2.0-only
"""Traffic and topology of the HPCC paper's simulations, by hand."""
import random
import tempfile
import unittest
from pathlib import Path

import package_case  # noqa: F401  the path of the package

from showcases.incast_mix import (DECILES, FB_HADOOP, background, draw_bytes,
                                           incast_interval_ns, incasts, mean_bytes, write_fat_tree)


class IncastMixTest(unittest.TestCase):
    def test_sizes(self):
        """The mean is the sum over the pieces of their middle times their share: 0.5 + 1.5 + 7.5 +
        32.5 + 18.75 + 45 + 55 + 65 + 85 + 105 + 135 + 370 + 4000 + 3250 + 3000 + 10500 + 16250 +
        22500 + 60000 B."""
        self.assertAlmostEqual(mean_bytes(FB_HADOOP), 120420.75, places=6)
        for percent, size in ((0, 1), (0.5, 50), (10, 325), (50, 700), (55, 850), (60, 1000),
                              (80, 46000), (90, 120000),
                              (97.5, 1000000), (100, 10000000)):
            self.assertEqual(draw_bytes(FB_HADOOP, percent), size, percent)
        self.assertEqual([draw_bytes(FB_HADOOP, percent) for percent in range(10, 101, 10)],
                         list(DECILES.values()))

    def test_background(self):
        """32 hosts of 100 Gb/s at 0.3 for 10 ms offer 1.2 GB: 9965 flows of 120420.75 B, deviation
        100."""
        seed = random.randrange(1 << 30)
        flows = background(32, 100e9, 0.3, 10e6, random.Random(seed))
        self.assertLess(abs(len(flows) - 9965), 500, f"seed {seed}")
        self.assertTrue(all(flow.src != flow.dst and 0 <= flow.src < 32 and 0 <= flow.dst < 32
                            for flow in flows))
        self.assertTrue(all(0 <= flow.start_ns < 10e6 for flow in flows))
        self.assertEqual(flows, background(32, 100e9, 0.3, 10e6, random.Random(seed)),
                         f"seed {seed}")

    def test_incasts(self):
        """2 % of 320 x 100 Gb/s are 80 GB/s, an incast of 30 MB each 375 us: three in 1.125 ms, one
        in 375 us, whenever the first one is."""
        self.assertEqual(incast_interval_ns(320, 100e9, 0.02, 60), 375_000)
        seed = random.randrange(1 << 30)
        numbers = random.Random(seed)
        receivers = set()
        for _ in range(50):
            for span_ns, count in ((1_125_000, 3), (375_000, 1)):
                flows = incasts(320, 100e9, 0.02, span_ns, numbers)
                groups = {}
                for flow in flows:
                    groups.setdefault(flow.start_ns, []).append(flow)
                self.assertEqual(len(groups), count, f"seed {seed}")
                self.assertTrue(all(start == int(start) and 0 <= start < span_ns
                                    for start in groups), f"seed {seed}")
                starts = sorted(groups)
                for earlier, later in zip(starts, starts[1:]):
                    self.assertAlmostEqual(later - earlier, 375_000, delta=1, msg=f"seed {seed}")
                for group in groups.values():
                    self.assertEqual(len({flow.src for flow in group}), 60, f"seed {seed}")
                    self.assertEqual(len({flow.dst for flow in group}), 1, f"seed {seed}")
                    self.assertNotIn(group[0].dst, {flow.src for flow in group}, f"seed {seed}")
                    self.assertEqual({flow.size_bytes for flow in group}, {500_000})
                    receivers.add(group[0].dst)
        self.assertGreater(len(receivers), 100, f"seed {seed}")  # of 320, 200 draws: 149 on average
        self.assertEqual(incasts(320, 100e9, 0.02, 0, numbers), [])

    def test_topology(self):
        """The paper's fat-tree as in the public file: 376 nodes, 56 switches, 320 + 80 + 80
        links."""
        with tempfile.TemporaryDirectory() as folder:
            path = write_fat_tree(Path(folder) / "deep" / "fat", pods=5, tors=4, aggs=4, hosts=16,
                                  cores=4)
            lines = path.read_text().splitlines()
        self.assertEqual(lines[0], "376 56 480")
        self.assertEqual(lines[1].split(), [str(node) for node in range(320, 376)])
        self.assertEqual(len(lines), 482)
        for line in ("0 320 100Gbps 1000ns 0", "319 339 100Gbps 1000ns 0",
                     "324 344 400Gbps 1000ns 0", "339 359 400Gbps 1000ns 0",
                     "345 364 400Gbps 1000ns 0", "359 375 400Gbps 1000ns 0"):
            self.assertIn(line, lines)
        ends = [line.split()[:2] for line in lines[2:]]
        self.assertEqual(len({tuple(pair) for pair in ends}), 480)


if __name__ == "__main__":
    unittest.main()
