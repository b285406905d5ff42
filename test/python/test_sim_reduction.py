# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim: collectives that switches do (algorithm=in-network)."""
import csv
import unittest

from sim_case import SimCase

STAR = "--topology=leaf-spine:leaves=1,spines=1,hosts={}"
PAYLOAD = 12.5 * 1000 / (1000 + 62 + 24 + 20)
"""GB/s of payload that a link of 100 Gb/s can send."""
FRAME_NS = (1000 + 62 + 24 + 20) * 8 / 100
"""What a packet of 1000 bytes takes on that link."""


def closed_form(packets, links, last_bytes=1000):
    """ns until the last result is there: packets leave back to back, and the last one takes all
    links of 1 us up to the root and down again; its result has last_bytes of payload."""
    return (packets - 1) * FRAME_NS + links * (1000 + FRAME_NS) - (1000 - last_bytes) * 8 / 100


class ReductionCase(SimCase):
    """Programs of all ranks, or of a few."""

    def write_job(self, ranks, line, name="job.txt"):
        self.write(name, f"ranks {ranks}\nprogram all {{\n{line}\n}}\n")

    def rows(self):
        """Rows of collectives.csv."""
        with (self.out / "collectives.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    def collect(self, ranks, line, *options):
        self.write_job(ranks, line)
        self.run_ok("--workload=program:job.txt", *options)
        return self.rows()

    def test_bandwidth(self):
        """Each rank sends S once and gets it once; bus bandwidth is 2 (n - 1)/n of S by time."""
        for ranks, links, topology in (
                (4, 2, STAR.format(4)), (8, 2, STAR.format(8)), (16, 2, STAR.format(16)),
                (16, 4, "--topology=leaf-spine:leaves=4,spines=2,hosts=4"),
                (16, 6, "--topology=fat-tree:k=4")):
            with self.subTest(ranks=ranks, topology=topology):
                row, = self.collect(ranks, "allreduce 8MB algorithm=in-network", topology,
                                    "--cc=none")
                time = closed_form(8000, links)
                self.assertAlmostEqual(float(row["end_ns"]), time, 2)
                self.assertAlmostEqual(float(row["algbw_gbyte_s"]), 8e6 / time, 5)
                self.assertAlmostEqual(float(row["busbw_gbyte_s"]),
                                       8e6 / time * 2 * (ranks - 1) / ranks, 5)
                counts = self.summary()["in_network_reduction"]
                self.assertEqual(counts["host_packets"], ranks * 8000)
                self.assertEqual(counts["host_packets_sent_again"], 0)
                self.assertEqual(self.summary()["flows_started"], 0)

    def test_against_a_ring(self):
        """2 (n - 1)/n times the algorithm bandwidth of a ring, which has ACKs of 118 bytes beside
        each packet of 1082, where a packet of a tree has 1106."""
        ring, = self.collect(8, "allreduce 8MB chunks=8", STAR.format(8), "--cc=none")
        tree, = self.collect(8, "allreduce 8MB algorithm=in-network", STAR.format(8), "--cc=none")
        ratio = float(tree["algbw_gbyte_s"]) / float(ring["algbw_gbyte_s"])
        expected = 2 * 7 / 8 * (1082 + 118) / 1106
        self.assertAlmostEqual(ratio, expected, delta=0.01 * expected)

    def test_other_operations(self):
        """Reduce and broadcast as fast as the link; where all S bytes pass a rank's link one way,
        (n - 1)/n of it. At the end of an all-gather rank 0 gets the last packet of rank 3; rank 3
        itself gets one without payload."""
        for line, share, last in (("reduce 8MB root=2", 1, 1000), ("broadcast 8MB root=2", 1, 1000),
                                  ("reducescatter 8MB", 3 / 4, 1000), ("allgather 8MB", 3 / 4, 0)):
            with self.subTest(line=line):
                row, = self.collect(4, line + " algorithm=in-network", STAR.format(4), "--cc=none")
                time = closed_form(8000, 2, last)
                self.assertAlmostEqual(float(row["end_ns"]), time, 2)
                self.assertAlmostEqual(float(row["busbw_gbyte_s"]), 8e6 / time * share, 5)

    def test_all_links(self):
        """As NVLS: a tree for each of 18 NVSwitches; 4096 bytes of 4202 on the wire."""
        row, = self.collect(8, "allreduce 144MB algorithm=in-network channels=18",
                            "--topology=leaf-spine:leaves=18,spines=1,hosts=8,homes=18",
                            "--preset=nvl72-like")
        self.assertGreater(float(row["algbw_gbyte_s"]), 0.97 * 900 * 4096 / 4202)
        self.assertLess(float(row["algbw_gbyte_s"]), 900 * 4096 / 4202)

    def test_sharp_like(self):
        """200 Gb/s, of which 95 % are reported."""
        row, = self.collect(16, "allreduce 16MB algorithm=in-network",
                            "--topology=leaf-spine:leaves=4,spines=2,hosts=4",
                            "--preset=sharp-like")
        self.assertGreater(float(row["algbw_gbyte_s"]), 0.95 * 25)
        self.assertLess(float(row["algbw_gbyte_s"]), 25 * 4096 / 4202)

    def test_beside_an_incast(self):
        """Nothing is lost under PFC, and both end; the tree goes on when its class may."""
        self.write_job(8, "repeat 5 {\nallreduce 1MB algorithm=in-network\n}")
        self.run_ok("--workload=program:job.txt+incast:fan-in=7,size=1MB,dst=3", STAR.format(8),
                    "--cc=none", "--flow-control=pfc", "--trace=queues")
        rows = self.rows()
        self.assertEqual(len(rows), 5)
        self.assertTrue(all(row["end_ns"] for row in rows))
        summary = self.summary()
        self.assertEqual(summary["status"], "complete")
        self.assertEqual(summary["drops"], {})
        self.assertEqual(summary["flows_completed"], 7)
        self.assertEqual(summary["in_network_reduction"]["host_packets_sent_again"], 0)
        # alone it takes 1 MB over 11.3 GB/s
        self.assertGreater(float(rows[0]["end_ns"]), 150000)

    def test_shares_a_port(self):
        """A host sends a flow meanwhile: packets of 1106 and 1082 bytes take turns, and both take
        4000 times (88.48 + 86.56) ns."""
        lines = "allreduce 4MB algorithm=in-network\n}\n"
        self.write("job.txt", "ranks 4\nprogram 0 {\nisend 1 4MB\n" + lines
                   + "program 1 {\nirecv 0\n" + lines + "program 2-3 {\n" + lines)
        self.run_ok("--workload=program:job.txt", STAR.format(4), "--cc=none")
        both = 4000 * (88.48 + 86.56)
        for time in (self.rows()[0]["end_ns"], self.flows()[0]["fct_ns"]):
            self.assertGreater(float(time), both)
            self.assertLess(float(time), both + 2500)

    def test_direct_networks(self):
        """Trees are of shortest paths in any network: in a torus of 4 x 4 four links to the router
        that is farthest, and one to its host, there and back."""
        row, = self.collect(16, "allreduce 1000 algorithm=in-network",
                            "--topology=torus:dims=4x4,hosts=1", "--cc=none")
        self.assertAlmostEqual(float(row["end_ns"]), 2 * 5 * 1088.48, delta=0.01)

    def test_samplers_do_not_keep_it_from_ending(self):
        """Queues are sampled while trees are busy, and the run ends with them."""
        self.write_job(4, "allreduce 1MB algorithm=in-network\nbarrier algorithm=in-network")
        self.run_ok("--workload=program:job.txt", STAR.format(4), "--cc=none",
                    "--trace=queues,links", "--trace-interval=1us")
        end = max(float(row["end_ns"]) for row in self.rows())
        self.assertLess(self.summary()["sim_seconds"] * 1e9, end + 2000)
        with (self.out / "links.csv").open(newline="") as file:
            times = [float(row["time_ns"]) for row in csv.DictReader(file)]
        self.assertGreater(max(times), end - 2000)

    def test_a_link_that_is_down(self):
        """For good: stuck, with the link and who is missing. For a time: repaired."""
        self.write_job(4, "allreduce 1MB algorithm=in-network")
        self.write("down.txt", "20us down 2 4\n")
        result = self.sim("--workload=program:job.txt", STAR.format(4), "--cc=none",
                          "--faults=down.txt")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("host 2 has not contributed to it at switch 4", result.stderr)
        self.assertIn("the link between host 2 and switch 4 of its tree is down", result.stderr)
        self.assertEqual(self.summary()["status"], "stuck")
        self.write("down.txt", "20us down 2 4\n300us up 2 4\n")
        self.run_ok("--workload=program:job.txt", STAR.format(4), "--cc=none",
                    "--faults=down.txt")
        row, = self.rows()
        self.assertGreater(float(row["end_ns"]), 300000)

    def test_losses(self):
        """One packet in a hundred, at each link; all ends, and nobody is added twice."""
        self.write_job(16, "repeat 4 {\nallreduce 500kB algorithm=in-network\n}")
        self.write("loss.txt", "".join(f"0us loss {host} {16 + host // 4} 0.01\n"
                                       for host in range(16)))
        self.run_ok("--workload=program:job.txt", "--faults=loss.txt", "--cc=none",
                    "--flow-control=none", "--topology=leaf-spine:leaves=4,spines=2,hosts=4")
        self.assertEqual(len(self.rows()), 4)
        counts = self.summary()["in_network_reduction"]
        self.assertGreater(counts["host_packets_sent_again"], 100)
        self.assertGreater(counts["switch_answers"], 10)

    def test_two_jobs(self):
        """Each has its trees; steps are told as of all collectives."""
        self.write_job(4, "allreduce 1MB algorithm=in-network", "a.txt")
        self.write_job(4, "allreduce 1MB algorithm=in-network", "b.txt")
        self.run_ok("--workload=program:a.txt+program:b.txt", STAR.format(8), "--cc=none")
        self.assertEqual([row["job"] for row in self.rows()], ["a", "b"])
        self.assertEqual(self.summary()["in_network_reduction"]["trees"], 2)

    def test_refusals(self):
        """What has no effect, has no room, or cannot work."""
        self.write_job(4, "allreduce 1MB algorithm=in-network")
        self.refused("ReductionFeature::Memory", "--workload=program:job.txt", STAR.format(4),
                     "--ns3::ReductionFeature::Memory=1000")
        self.refused("use another flow control", "--workload=program:job.txt", STAR.format(4),
                     "--switch=voq", "--flow-control=voq-credit")
        self.write_job(4, "allreduce 1MB")
        self.refused("no collective of", "--workload=program:job.txt", STAR.format(4),
                     "--ns3::HostReduction::Window=5")
        self.write_job(4, "allreduce 1MB algorithm=in-netwrok")
        self.refused("in-network", "--workload=program:job.txt", STAR.format(4))

    def refused(self, part, *options):
        result = self.sim(*options)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn(part, result.stderr)
        self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)


if __name__ == "__main__":
    unittest.main()
