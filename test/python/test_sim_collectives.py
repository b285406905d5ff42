# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim: collectives over all links of a GPU."""
import csv
import unittest

from sim_case import SimCase


def planes(links, hosts):
    """Hosts with a link to each of some switches."""
    return f"--topology=leaf-spine:leaves={links},spines=1,hosts={hosts},homes={links}"


class CollectivesCase(SimCase):
    """Programs of one line that all ranks have."""

    def collect(self, ranks, line, *options):
        """Rows of collectives.csv."""
        self.write("job.txt", f"ranks {ranks}\nprogram all {{\n{line}\n}}\n")
        self.run_ok("--workload=program:job.txt", *options)
        with (self.out / "collectives.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    def test_all_links(self):
        """Four links of 900 Gb/s: 4096 bytes of payload of 4178, and for each packet that comes an
        ACK of 118, are 429 GB/s of 450, if there is a channel for each link; of one link 107.3, or
        110.3 where the ACKs come by another."""
        options = planes(4, 4), "--rate=900Gbps", "--delay=100ns", "--cc=none", "--payload=4096"
        four, = self.collect(4, "allreduce 64MB channels=4", *options)
        limit = 450 * 4096 / (4178 + 118)
        self.assertLess(float(four["busbw_gbyte_s"]), limit)
        self.assertGreater(float(four["busbw_gbyte_s"]), 0.99 * limit)
        one, = self.collect(4, "allreduce 16MB", *options)
        self.assertLess(float(one["busbw_gbyte_s"]), 112.5 * 4096 / 4178)
        self.assertGreater(float(one["busbw_gbyte_s"]), 0.99 * limit / 4)

    def test_scale_up_presets(self):
        """Each has its links, flow control and delay: two links there."""
        for preset, gbps, delay in (("nvl72-like", 400, 936.25), ("ualink-like", 800, 95)):
            row, = self.collect(2, "barrier", planes(18, 8), f"--preset={preset}")
            self.assertGreater(float(row["end_ns"]), 2 * delay)
            self.assertLess(float(row["end_ns"]), 2 * delay + 20)
            row, = self.collect(8, "allreduce 3600kB channels=18", planes(18, 8),
                                f"--preset={preset}")
            self.assertLess(float(row["busbw_gbyte_s"]), 18 * gbps / 8)
            self.assertGreater(float(row["busbw_gbyte_s"]), 1.5 * gbps / 8)

    def test_a_link_that_is_down(self):
        """The channel of a link that is down takes another one, as long as others lead there."""
        self.write("faults.txt", "1us down 0 5\n")
        row, = self.collect(4, "allreduce 4MB channels=4 chunks=2", planes(4, 4),
                            "--faults=faults.txt")
        self.assertEqual(row["ranks"], "4")
        self.assertEqual(int(row["sent_bytes"]), 2 * 3 * 4000000)


if __name__ == "__main__":
    unittest.main()
