# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim where packets can wait for one another in a circle."""
import unittest

from sim_case import SimCase

# Switches 4 to 7 in a ring with hosts 0 to 3; each host sends two switches on, all in one direction
# (ties go up).
RING = ("--topology=torus:dims=4,hosts=1", "--routing=dimension-order",
        "--workload=shift:by=2,size=2MB", "--cc=none", "--ns3::SharedBuffer::XoffThreshold=20000")
ONE_CHANNEL = (*RING, "--ns3::DimensionOrderRouting::Channels=1")


class DeadlockTest(SimCase):
    def test_refused(self):
        """One channel under PFC is refused before the run, with the cycle and the remedy; not so
        with two or without PFC."""
        run = self.sim(*ONE_CHANNEL)
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
        self.assertIn("can deadlock", run.stderr)
        self.assertRegex(run.stderr, r"(\S+:\d \(class 3\) -> ){4}\S+:\d \(class 3\)")
        self.assertIn("ns3::DimensionOrderRouting::Channels=0", run.stderr)
        for options in (RING, (*ONE_CHANNEL, "--flow-control=none")):
            with self.subTest(options=options):
                self.run_ok(*options)
                self.assertEqual(self.summary()["status"], "complete")
                self.assertNotIn("deadlocks", self.summary())

    def test_found_while_running(self):
        """Built all the same it deadlocks: told at once, in the summary, and by the exit status."""
        run = self.sim(*ONE_CHANNEL, "--ns3::Fabric::DeadlockCheck=false")
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertRegex(run.stderr, r"note: deadlock since 0\.\d{6} ms: ")
        self.assertRegex(run.stderr, r"violation: deadlock since 0\.\d{6} ms: ")
        self.assertIn("the simulation is stuck", run.stderr)
        summary = self.summary()
        self.assertEqual(summary["status"], "stuck")
        [deadlock] = summary["deadlocks"]
        self.assertLess(deadlock["found_ns"], 1e6)
        self.assertIsNone(deadlock["ended_ns"])
        self.assertEqual({place["class"] for place in deadlock["cycle"]}, {3})
        self.assertEqual({place["node"] for place in deadlock["cycle"]}, {4, 5, 6, 7})
        self.assertEqual(deadlock["waiting_inputs"], 4)  # those of the hosts
        # a second without progress, not ten
        self.assertLess(summary["sim_seconds"], 3)

    def test_stopped(self):
        """A deadlock at the stop time counts, although the run is not stuck."""
        run = self.sim(*ONE_CHANNEL, "--ns3::Fabric::DeadlockCheck=false", "--stop=1ms")
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertEqual(self.summary()["status"], "stopped")


if __name__ == "__main__":
    unittest.main()
