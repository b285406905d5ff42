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
        for preset, gbps, delay in (("nvl72-like", 400, 936.25), ("ualink-like", 800, 95),
                                    ("sharp-like", 200, 500)):
            row, = self.collect(2, "barrier", planes(18, 8), f"--preset={preset}")
            self.assertGreater(float(row["end_ns"]), 2 * delay)
            self.assertLess(float(row["end_ns"]), 2 * delay + 20)
            row, = self.collect(8, "allreduce 3600kB channels=18", planes(18, 8),
                                f"--preset={preset}")
            self.assertLess(float(row["busbw_gbyte_s"]), 18 * gbps / 8)
            self.assertGreater(float(row["busbw_gbyte_s"]), 1.5 * gbps / 8)

    def test_sends_by_all_links(self):
        """One message by four links of 900 Gb/s, each 8192 bytes of payload of 8274: 445.5 GB/s of
        450, and 0.3 us for the first packet, of 897.8 us. Nothing comes back by another way, so
        that a put and what a get asks for are as fast."""
        job = ("ranks 2\nprogram 0 {\nmark send {\nisend 1 400MB%s\nirecv 1\nwait\n}\nbarrier\n"
               "mark put {\nput 1 400MB%s\n}\nmark get {\nget 1 400MB%s\n}\n}\n"
               "program 1 {\nrecv 0\nsend 0 1\nbarrier\n}\n")
        options = planes(4, 2), "--rate=900Gbps", "--delay=100ns", "--cc=none", "--payload=8192"
        for word, more in ((" channels=4", ()), ("", ("--ns3::RankRunner::Channels=4",))):
            self.write("job.txt", job % (word, word, word))
            self.run_ok("--workload=program:job.txt", *options, *more)
            with (self.out / "marks.csv").open(newline="") as file:
                for row in csv.DictReader(file):
                    rate = 400e6 / (float(row["end_ns"]) - float(row["start_ns"]))
                    self.assertGreater(rate, 0.98 * 450, row["name"])
                    self.assertLess(rate, 450 * 8192 / 8274, row["name"])

    def test_same_bytes_without_cut(self):
        """One channel is none."""
        found = []
        for word in ("", " channels=1"):
            self.write("job.txt", "ranks 4\nprogram all {\nrepeat 2 {\n"
                       f"isend (rank+1)%ranks 50kB{word}\niput (rank+2)%ranks 9kB{word}\n"
                       f"irecv (rank-1)%ranks\niget (rank+3)%ranks 7kB{word}\nwait\n}}\n}}\n")
            self.run_ok("--workload=program:job.txt", planes(4, 4), "--cc=dcqcn")
            found.append([(self.out / f"{name}.csv").read_bytes() for name in ("flows", "marks")])
        self.assertEqual(*found)

    def test_all_links_down(self):
        """Messages that begin when all links of their host are down go by those of their channels
        when these come back: as much by each."""
        self.write("faults.txt", "".join(f"1us down 0 {leaf}\n20us up 0 {leaf}\n"
                                         for leaf in range(4, 8)))
        self.write("job.txt", "ranks 2\nprogram 0 {\ncompute 5us\nsend 1 4MB channels=4\n}\n"
                              "program 1 {\nrecv 0\nmark got\n}\n")
        self.run_ok("--workload=program:job.txt", planes(4, 4), "--faults=faults.txt",
                    "--cc=none", "--trace=links", "--trace-interval=1us")
        sent = {}
        with (self.out / "links.csv").open(newline="") as file:
            for row in csv.DictReader(file):
                if row["node"] == "0":
                    sent[row["port"]] = max(sent.get(row["port"], 0), int(row["tx_bytes"]))
        self.assertEqual(len(sent), 4)
        with (self.out / "marks.csv").open(newline="") as file:
            row, = csv.DictReader(file)
        # 1 MB by each: 1000 packets of 86.56 ns
        self.assertGreater(float(row["end_ns"]), 20000 + 1000 * 86.56)
        self.assertLess(float(row["end_ns"]), 20000 + 1000 * 86.56 + 10000)

    def test_a_link_that_is_down(self):
        """The channel of a link that is down takes another one, as long as others lead there."""
        self.write("faults.txt", "1us down 0 5\n")
        row, = self.collect(4, "allreduce 4MB channels=4 chunks=2", planes(4, 4),
                            "--faults=faults.txt")
        self.assertEqual(row["ranks"], "4")
        self.assertEqual(int(row["sent_bytes"]), 2 * 3 * 4000000)


if __name__ == "__main__":
    unittest.main()
