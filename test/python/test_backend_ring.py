# SPDX-License-Identifier: GPL-2.0-only
"""The ring all-gather of ASTRA-sim on its input HGX-H100-validated, against its analytical network
(doc/backend.rst, "A published configuration"): examples/astra-ring.py."""
import importlib.util
import subprocess
import sys
import unittest

from package_case import ROOT, PackageCase
from test_backend import LIBRARY

SCRIPT = ROOT / "examples" / "astra-ring.py"
spec = importlib.util.spec_from_file_location("astra_ring", SCRIPT)
ring = importlib.util.module_from_spec(spec)
spec.loader.exec_module(ring)

# the most that its authors have measured: 741.34 GB/s in both directions together
# (ASTRA-sim's documentation, "Validation on GPU Systems - NCCL over HGX-H100 Systems")
MEASURED = 741.34 / 2


class TestModel(unittest.TestCase):
    """What is compared with."""

    def test_times(self):
        """The model gives what its two links lead to. Both active chunks send a part of s ns; the
        second one is s behind on every link, and comes to the end s later. Each of 7 steps takes
        two links of s + 936.25 ns, and 10 ns; another 10 ns stand before the first; 4 chunks are
        two pairs."""
        for size in (1 << 16, 1 << 20):
            part = size / 4 / (400 * 2**30 / 1e9)
            self.assertEqual(ring.model(size),
                             2 * (10 + 7 * (2 * int(936.25 + part) + 10)) + int(part), size)

    def test_measured(self):
        """The most that was measured on the machine is less than the input leads to: with 8 MiB of
        each rank the model is below it, with 16 MiB above."""
        for size, above in ((1 << 23, False), (1 << 24, True)):
            bandwidth = ring.bus_bandwidth(size, ring.model(size))
            self.assertEqual(bandwidth > MEASURED, above, bandwidth)


@unittest.skipUnless(LIBRARY, "no libdcfabric-backend.so: the stand-alone build has it")
class TestRing(PackageCase):
    """Times of whole collectives."""

    def test_whole_messages(self):
        """A packet for each message: switches wait for all of it, as in the model. What is left is
        headers on 16 kB, and fractions of ns."""
        for size in (1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26):
            with self.subTest(size):
                ours = ring.whole_messages(size, self.dir / "out")
                self.assertLess(abs(ours / ring.model(size) - 1), 0.01)

    def test_packets(self):
        """A switch forwards a packet when the message behind it is still on its way, which saves
        time where the length of a part counts, but a link has pauses. Where latency counts alone,
        and where rate does, there is nothing to save."""
        for size, least, most in ((1 << 16, -0.02, 0.02), (1 << 21, -0.07, -0.04),
                                  (1 << 25, -0.02, 0.02)):
            with self.subTest(size):
                difference = ring.packets(size, self.dir / "out") / ring.model(size) - 1
                self.assertGreater(difference, least)
                self.assertLess(difference, most)

    def test_script(self):
        run = subprocess.run([sys.executable, SCRIPT, "64KiB", "32"], capture_output=True,
                             text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual([line.split()[:2] for line in run.stdout.splitlines()[1:]],
                         [["65536", f"{ring.model(65536) / 1000:.1f}"],
                          ["32", f"{ring.model(32) / 1000:.1f}"]])
        for bad in ("31", "1MB", "x", "-1"):
            run = subprocess.run([sys.executable, SCRIPT, bad], capture_output=True, text=True,
                                 check=False)
            self.assertEqual(run.returncode, 2, run.stderr)


if __name__ == "__main__":
    unittest.main()
