# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim: gates over every congestion control open in an incast, and queues are hardly longer
than without."""
import statistics
import unittest

from extensive import longer
from sim_case import SimCase

FABRIC = ("--topology=leaf-spine:leaves=5,spines=8,hosts=16", "--lb=path-set:paths=8")
INCAST = "--workload=incast:fan-in=16,size=4MB"
CONTROLS = ("hpcc", "fncc", "dcqcn", "rocc", "dctcp", "timely", "swift", "bts")
# Notifications are draws: the longest queue is by chance. Ten seeds: 1.17 with one gate, 1.18 with
# the other.
SEEDS = {"bts": range(1, 11)}
FEW_SEEDS = (1, 2)
# most that a gate may add to the longest queue and to its mean
ALLOWED = 1.2


class GatedIncastTest(SimCase):
    def queues(self, control, *arguments):
        """Longest queue and mean one of the most loaded port, mean over seeds."""
        found = []
        for seed in SEEDS.get(control, FEW_SEEDS):
            self.run_ok(*FABRIC, f"--cc={control}", *arguments, f"--seed={seed}")
            found.append(self.summary())
        return {key: statistics.mean(one[key] for one in found)
                for key in ("max_queue_bytes", "mean_queue_bytes")}

    def compare(self, control, *arguments):
        free = self.queues(control, *arguments)
        for gate in ("ewma-gate", "majority-gate"):
            gated = self.queues(control, *arguments, f"--modifiers={gate}")
            for key, bytes_free in free.items():
                with self.subTest(control=control, arguments=arguments, gate=gate, key=key):
                    self.assertLessEqual(gated[key], ALLOWED * bytes_free)

    @longer("the suite dcfabric-gates")
    def test_queues_are_bounded_for_every_control(self):
        for control in CONTROLS:
            self.compare(control, INCAST)

    def test_more_senders(self):
        self.compare("rocc", "--workload=incast:fan-in=32,size=1MB")

    def test_marks_that_are_draws_open_gates(self):
        for control in ("dctcp", "dcqcn"):
            self.compare(control, INCAST, "--features=wreb")

    def test_majorities_need_an_ack_for_each_packet(self):
        self.refuse(*FABRIC, INCAST, "--cc=dctcp", "--modifiers=majority-gate",
                    "--ns3::FabricNic::AckEvery=8",
                    words=("--modifiers=majority-gate", "ns3::FabricNic::AckEvery of 8",
                           "set --ns3::FabricNic::AckEvery=1"))


if __name__ == "__main__":
    unittest.main()
