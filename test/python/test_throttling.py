# SPDX-License-Identifier: GPL-2.0-only
"""Traffic and measures of the experiments with proactive flow throttling, by hand."""
import importlib.util
import random
import types
import unittest

import package_case  # noqa: F401  the path of the package

from dcfabric import DcfabricError
from showcases.throttling import (BANDWIDTH_BYTES, FAN_IN, KINDS, LATENCY_BYTES, PATTERNS,
                                           Service, Traffic, buffers_of, chosen, control_factor,
                                           free_share, grid, injection_rates, kind_of, pft,
                                           run_name, settings_of, variants)


class ThrottlingTest(unittest.TestCase):
    def test_control_factor(self):
        """(30 / 5) / (20 / 10) = 3; the reverse is a third; nothing against itself is 1."""
        ours, base = Service(30, 5), Service(20, 10)
        self.assertAlmostEqual(control_factor(ours, base), 3)
        self.assertAlmostEqual(control_factor(base, ours), 1 / 3)
        self.assertEqual(control_factor(ours, ours), 1)
        for bad in (Service(0, 1), Service(1, 0), Service(-1, 1), Service(float("nan"), 1)):
            for pair in ((bad, base), (base, bad)):
                with self.assertRaisesRegex(DcfabricError, "must be above 0"):
                    control_factor(*pair)

    def test_grid(self):
        """Eight m and five n under each detector, and none; FT enters above where it leaves."""
        settings = grid(quick=False)
        self.assertEqual(len(settings), 1 + 2 * (8 + 5))
        self.assertEqual({kind_of(name) for name in settings} - {"no control"}, set(KINDS))
        for name, fields in settings.items():
            if name != "no control":
                enter, leave = (fields["attributes"][f"ns3::ThrottleDetector::{end}"]
                                for end in ("Enter", "Leave"))
                self.assertEqual((enter, leave),
                                 (672, 592) if name.startswith("FT") else (592, 672), name)
        self.assertEqual(pft("AT-FI", n=8, k=3)["attributes"]["ns3::FlitSpacer::K"], 3)

    def test_chosen(self):
        self.assertEqual(list(chosen("few")), list(grid(True)))
        self.assertEqual(len(chosen("grid")), 27)
        self.assertEqual(list(chosen("all")), [*grid(False), *variants()])
        self.assertEqual(chosen("AT-RI, m=22; FT-FI, n=9;AT-RI, m=22"),
                         {name: grid(False)[name]
                          for name in ("no control", "AT-RI, m=22", "FT-FI, n=9")})
        for text in ("", "AT-RI, m=22;", "AT-RI m=22"):
            with self.assertRaisesRegex(DcfabricError, "--settings: unknown"):
                chosen(text)

    def test_variants(self):
        """k of 1 and 2 for five n, and three thresholds and three periods for two m; names tell all
        settings and runs apart."""
        settings = {**grid(quick=False), **variants()}
        self.assertEqual(len(variants()), 5 * 2 + 2 * (3 + 3))
        self.assertEqual(len(settings), 27 + 22)
        self.assertEqual(len({run_name(name, 45056, 1) for name in settings}), len(settings))
        self.assertFalse([name for name in settings if set(run_name(name, 1, 1)) & set(" ,='/")])
        for name, fields in variants().items():
            self.assertEqual(fields["attributes"]["ns3::ProactiveFlowThrottle::Detector"],
                             "ns3::AverageThresholdDetector")
            for key, value in settings_of(name).items():
                where = {"m": "FlitSpacer::M", "n": "FlitSpacer::N", "k": "FlitSpacer::K",
                         "te": "ThrottleDetector::Enter",
                         "ts": "ThrottleDetector::Leave",
                         "Te": "AverageThresholdDetector::EnterPeriod",
                         "Te'": "AverageThresholdDetector::EnterCycles"}[key]
                self.assertEqual(fields["attributes"][f"ns3::{where}"], value, name)
        with self.assertRaisesRegex(DcfabricError, "--buffers: '1,x' is no comma list"):
            buffers_of("1,x")
        self.assertEqual(buffers_of("3,1,3"), [3, 1])

    def test_injection_rates(self):
        """Equation 1, worked out by hand: intervals of c >> n (at least 1) and of k more; 1 - c 2^m
        / 2^32, not below 0."""
        for used, n, k, interval in ((256, 8, 0, 1), (1024, 8, 0, 4), (1024, 10, 3, 4),
                                     (16384, 12, 0, 4), (512, 9, 0, 1), (64, 12, 0, 1)):
            self.assertEqual(free_share("FI", used, n=n, k=k), 1 / interval)
        for used, m, share in ((592, 18, 0.96387), (672, 22, 0.34375), (1024, 22, 0),
                               (16384, 15, 0.875), (16384, 18, 0), (4096, 22, 0)):
            self.assertAlmostEqual(free_share("RI", used, m=m), share, places=5)
        lines = injection_rates()
        self.assertEqual([len(of) for of in lines.values()], [6, 8])
        for of in lines.values():
            for line in of.values():
                self.assertEqual(line, sorted(line, key=lambda point: (point[0], -point[1])),
                                 "falls as credits are used")

    def test_traffic(self):
        """Of 40 hosts 8 are victims, each of which has messages at 100 us + x, 150 us + x, ...
        below 350 us."""
        seed = random.randrange(1 << 30)
        for pattern in PATTERNS:
            traffic = Traffic(40, pattern, 100, 400, 50, seed)
            flows = traffic.flows()
            self.assertEqual(flows, traffic.flows(), "the same seed")
            sizes = (LATENCY_BYTES, BANDWIDTH_BYTES)
            victims = {flow.src for flow in flows if flow.size_bytes == LATENCY_BYTES}
            self.assertEqual(len(victims), 8, f"seed {seed}")
            for flow in flows:
                self.assertNotEqual(flow.src, flow.dst)
                # victims and congestors keep to themselves
                self.assertEqual(flow.src in victims, flow.dst in victims,
                                 f"{pattern}, seed {seed}")
                self.assertEqual(flow.src in victims, flow.size_bytes in sizes,
                                 f"{pattern}, seed {seed}")
            for victim in victims:
                of = [flow for flow in flows if flow.src == victim]
                self.assertEqual(len({flow.dst for flow in of}), 1, "a ring")
                for size in sizes:
                    self.assertEqual(sum(flow.size_bytes == size for flow in of), 5, f"seed {seed}")
        incast = [flow for flow in Traffic(40, "incasts", 100, 400, 50, seed).flows()
                  if flow.size_bytes not in sizes]
        self.assertEqual(sorted(sum(flow.dst == dst for flow in incast)
                                for dst in {flow.dst for flow in incast}),
                         [FAN_IN, FAN_IN], "32 hosts: two times 15 to one")

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_service(self):
        """Two victims: delays 1 and 3 us, and one at rest since 90 us; 131072 B in 10 and 40 us,
        104.86 and 26.21 Gb/s."""
        import pandas

        rows = [(1, LATENCY_BYTES, 0, 1000), (1, LATENCY_BYTES, 50000, 3000),
                (2, LATENCY_BYTES, 10000, None),
                (1, BANDWIDTH_BYTES, 0, 10000), (2, BANDWIDTH_BYTES, 0, 40000), (3, 10 ** 6, 0, 77)]
        flows = pandas.DataFrame(rows, columns=["src", "size_bytes", "start_ns", "fct_ns"])
        mean, delays, rates = Traffic(10, "incasts", 0, 100, 50,
                                      1).service(types.SimpleNamespace(flows=flows))
        self.assertAlmostEqual(mean.delay, (1 + 3 + 90) / 3)
        self.assertAlmostEqual(mean.bandwidth, (104.8576 + 26.2144) / 2)
        self.assertEqual(delays, [2, 90])
        self.assertEqual([round(rate, 4) for rate in rates], [104.8576, 26.2144])


if __name__ == "__main__":
    unittest.main()
