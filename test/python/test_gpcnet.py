# SPDX-License-Identifier: GPL-2.0-only
"""GPCNeT: roles, rings, job files and statistics by hand, and jobs on small networks."""
import importlib.util
import os
import random
import re
import tempfile
import unittest
from pathlib import Path

import package_case  # noqa: F401  the path of the package

from dcfabric import DcfabricError, Scenario
from showcases.gpcnet import (ALL_TO_ALL, ALLREDUCE, BANDWIDTH, CONGESTORS, GET_BROADCAST,
                                       INCAST, LATENCY, PUT_INCAST, TESTS, Counts, Layout,
                                       attributes, congestors_of, cyclic_shuffle, figures_of,
                                       impact, job, values_of, victims_of, worst_of, write_job)

FULL = Layout(120, 16)
PROGRAM = re.compile(r"^program (\d+)(?:-(\d+))? \{$")


def programs(text):
    """Lines of each program by the first and the last rank that has it."""
    found, lines = {}, []
    for line in text.splitlines():
        begin = PROGRAM.match(line)
        if begin:
            lines = found[int(begin[1]), int(begin[2] or begin[1])] = []
        else:
            lines.append(line)
    return found


def value(expression, rank):
    """Of an expression of sums and remainders."""
    return eval(expression, {"__builtins__": {}}, {"rank": rank})


class RolesTest(unittest.TestCase):
    def test_sizes(self):
        """96 of 120 hosts are congestors, 24 of each kind; of 11 hosts 8, of 13 hosts 10: 3, 3, 2
        and 2."""
        for hosts, victims, sizes in ((120, 24, (24, 24, 24, 24)), (10, 2, (2, 2, 2, 2)),
                                      (11, 3, (2, 2, 2, 2)), (13, 3, (3, 3, 2, 2))):
            roles = Layout(hosts, 3).roles()
            self.assertEqual(list(roles), ["", *CONGESTORS])
            self.assertEqual([len(of) for of in roles.values()], [victims, *sizes])
            self.assertEqual(sorted(host for of in roles.values() for host in of),
                             list(range(hosts)))
        self.assertEqual(Layout(40, 1, 5).roles(), Layout(40, 1, 5).roles(), "the same seed")
        self.assertNotEqual(Layout(40, 1, 5).roles(), Layout(40, 1, 6).roles())

    def test_refusals(self):
        for layout in ((9, 1), (10, 0), (10, 1, 1, ())):
            with self.assertRaisesRegex(DcfabricError, "GPCNeT needs 10 hosts"):
                Layout(*layout)
        with self.assertRaisesRegex(DcfabricError, "neither"):
            job(FULL, Counts(), False, False)

    def test_slices(self):
        """16 slices of 24 ranks for each role, on the hosts of the role; the text groups them
        alike."""
        text = job(FULL, Counts(), victims=False)
        host = {int(rank): int(at)
                for rank, at in re.findall(r"^place (\d+) (\d+)$", text, re.MULTILINE)}
        self.assertEqual(len(host), 1920)
        group = re.search(r"^groups slice by (\S+)$", text, re.MULTILINE)[1].replace("/", "//")
        values = set()
        for role, hosts in FULL.roles().items():
            for local in range(16):
                ranks = FULL.slice_of(role, local)
                self.assertEqual([host[rank] for rank in ranks], hosts)
                of = {value(group, rank) for rank in ranks}
                self.assertEqual(len(of), 1)
                values |= of
        self.assertEqual(len(values), 5 * 16)
        self.assertEqual({sum(at == one for at in host.values()) for one in range(120)}, {16})

    def test_fan_in(self):
        """(24 - 1) x 16 = 368 ranks send to, write to or read from one host, over as many slices as
        it has ranks."""
        text = job(FULL, Counts())
        host = {int(rank): int(at)
                for rank, at in re.findall(r"^place (\d+) (\d+)$", text, re.MULTILINE)}
        for kind, word in ((INCAST, "send"), (PUT_INCAST, "put"), (GET_BROADCAST, "get")):
            pairs = set()
            for (first, last), lines in programs(text).items():
                for line in lines:
                    fields = line.split()
                    if fields[0] == word and fields[2] == "4096":
                        pairs |= {(rank, value(fields[1], rank)) for rank in range(first, last + 1)}
            roots = [root for _, root in pairs]
            self.assertEqual(len(roots), 368, kind)
            self.assertEqual({host[root] for root in roots}, {FULL.roles()[kind][0]})
            self.assertEqual({roots.count(root) for root in roots}, {23})
        self.assertEqual(text.count("alltoall 4096 slice"), 3 + 2,
                         "roots have last rounds, once told to stop")

    def test_rings(self):
        """Each ring is a permutation of the slice in which no rank has kept its place, as the
        benchmark's shuffle has it."""
        for local in (0, 15):
            before = FULL.slice_of("", local)
            self.assertEqual(before, list(range(local, 384, 16)))
            for ring in FULL.rings(local, 30):
                self.assertEqual(sorted(ring), sorted(before))
                self.assertTrue(all(old != new for old, new in zip(before, ring)))
                before = ring
        self.assertNotEqual([rank - 0 for rank in FULL.rings(0, 1)[0]],
                            [rank - 1 for rank in FULL.rings(1, 1)[0]])
        self.assertEqual(FULL.rings(3, 2), FULL.rings(3, 3)[:2])
        seed = random.randrange(1 << 30)
        order = list(range(9))
        cyclic_shuffle(order, random.Random(seed))
        at, steps = order[0], 1
        while at != 0:
            at, steps = order[at], steps + 1
        self.assertEqual(steps, 9, f"one cycle, seed {seed}")

    def test_neighbors(self):
        """What a rank sends to the right its right neighbor receives from the left, with the same
        tag."""
        text = job(Layout(20, 2), Counts(rings=2), congestors=False)
        sent, received = [], []
        for (rank, _), lines in programs(text).items():
            for line in lines:
                fields = line.split()
                if fields[0] == "isend":
                    sent.append((rank, int(fields[1]), fields[3]))
                if fields[0] == "irecv":
                    received.append((int(fields[1]), rank, fields[2]))
        # 8 ranks, two rings, left and right: latency and its warm-up, bandwidth and its warm-up
        self.assertEqual(len(sent), 8 * 2 * 2 * 4)
        self.assertEqual(sorted(sent), sorted(received))

    def test_eager(self):
        """The message that ends congestors is longer than what is buffered, because its sender
        waits for it."""
        for eager, size in ((512, 1000), (0, 1000), (8192, 8193)):
            counts = Counts(eager=eager)
            text = job(Layout(10, 1), counts)
            self.assertEqual({int(found) for found in re.findall(r"isend \S+ (\d+) tag=9", text)},
                             {size})
            self.assertEqual(attributes(counts), {"ns3::RankRunner::EagerBytes": eager})

    def test_settle(self):
        """Victims wait between their first barrier and their first ring; congestors do not."""
        text = job(Layout(10, 1), Counts(settle_us=700))
        self.assertEqual(text.count("barrier victims\ncompute 700us\nbarrier slice\n"), 2,
                         "two victims")
        self.assertEqual(text.count("compute"), 2)
        self.assertNotIn("compute", job(Layout(10, 1), Counts()))

    def test_pause(self):
        """Victims pause before each iteration that counts, outside of its mark, and before no
        other."""
        text = job(Layout(10, 1), Counts(rings=1, latency=3, pause_us=20))
        self.assertEqual(text.count("repeat 3 {\ncompute 20us\nmark latency {\n"), 2, "two victims")
        self.assertEqual(text.count("compute"), 2)

    def test_scaled(self):
        """A quarter of the messages at once; no allreduce."""
        text = job(Layout(10, 1), Counts(1, outstanding=2, allreduce=0), congestors=False)
        self.assertEqual(text.count("repeat 2 {\nisend"), 2 * 2, "two victims, warm-up and test")
        self.assertEqual(text.count("repeat 0 {\nmark allreduce"), 2)


class StatisticsTest(unittest.TestCase):
    def test_worst(self):
        """99 of 100 values are at most the 99th smallest; of 101 at least 99.99 have to be: the
        100th."""
        self.assertEqual(worst_of(range(1, 101), False), 99)
        self.assertEqual(worst_of(range(1, 101), True), 2)
        self.assertEqual(worst_of(range(1, 102), False), 100)
        self.assertEqual(worst_of([7], False), 7)
        self.assertEqual(worst_of([3, 1, 2], True), 1)
        self.assertEqual(worst_of(range(1, 201), False), 198)

    def test_figures(self):
        found = figures_of([4.0, 1.0, 1.0], False)
        self.assertEqual((found.average, found.worst, found.values), (2.0, 4.0, 3))
        with self.assertRaisesRegex(DcfabricError, "no rank"):
            figures_of([], False)

    def test_impact(self):
        """From 2.04 and 4.96, printed as 2.0 and 5.0; the other way round for bandwidth."""
        self.assertEqual(impact(LATENCY, 2.04, 4.96), 2.5)
        self.assertEqual(impact(ALLREDUCE, 2.04, 4.96), 2.5)
        self.assertEqual(impact(BANDWIDTH, 4.96, 2.04), 2.5)
        with self.assertRaisesRegex(DcfabricError,
                                    "no impact factor of bandwidth: isolated 5, congested 0.04"):
            impact(BANDWIDTH, 5, 0.04)

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_marks(self):
        """Halves of 2000 and 4000 ns; 3 x 2 MiB in 1.5 ms; a call of 7 us; 23 x 4 KiB in 100 us."""
        import pandas
        marks = pandas.DataFrame([(0, "latency", 0.0, 2000.0), (1, "latency", 5000.0, 9000.0),
                                  (0, "bandwidth", 0.0, 1.5e6),
                                  (1, "allreduce", 1e3, 8e3), (2, ALL_TO_ALL, 0.0, 1e5),
                                  (3, INCAST, 0.0, 1e4),
                                  (4, PUT_INCAST, 0.0, 1e4), (5, GET_BROADCAST, 0.0, 2e4)],
                                 columns=["rank", "name", "start_ns", "end_ns"])
        found = victims_of(marks, Counts(bandwidth=3))
        self.assertEqual((found[LATENCY].average, found[LATENCY].worst), (1.5, 2.0))
        self.assertAlmostEqual(found[BANDWIDTH].average, 4000)
        self.assertEqual(found[ALLREDUCE].average, 7)
        self.assertEqual(dict(values_of(marks, Counts(), LATENCY)), {0: 1.0, 1: 2.0})
        self.assertAlmostEqual(values_of(marks, Counts(bandwidth=3, outstanding=2), BANDWIDTH)[0],
                               1000, msg="a quarter of the bytes")
        self.assertEqual(list(victims_of(marks, Counts(allreduce=0))), [LATENCY, BANDWIDTH])
        with self.assertRaisesRegex(DcfabricError, "no rank"):
            victims_of(marks[marks["name"] != "allreduce"], Counts())
        rates = congestors_of(marks, FULL)
        self.assertAlmostEqual(rates[ALL_TO_ALL].average, 23 * 4096 / 1048576 * 1e4)
        self.assertAlmostEqual(rates[INCAST].average, 390.625)
        self.assertAlmostEqual(rates[GET_BROADCAST].average, 195.3125)


@unittest.skipUnless(os.environ.get("DCFABRIC_SIM") and importlib.util.find_spec("pandas"),
                     "DCFABRIC_SIM does not name the program, or pandas is not installed: run "
                     "./run-tests")
class RunTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.dir = Path(temporary.name)

    def run_job(self, text, counts=None, **fields):
        path = write_job(self.dir / "job.txt", text)
        settings = {**attributes(counts or Counts()), **fields.pop("settings", {})}
        return Scenario(workload=f"program:{path}", attributes=settings,
                        **{"cc": "none", **fields}).run()

    def test_isolated_by_hand(self):
        """Ten hosts at one switch, so that two are victims, each other's neighbors on both sides;
        two links of 100 Gb/s and 1 us. Each message has a context of its own, as in the benchmark's
        windows of requests: they take turns at the port.

        8 bytes have 90 on the wire, 7.2 ns, but follow the ACK of the barrier, 118 bytes or 9.44
        ns, over both links: they leave the switch behind it, 1 us + 2 x 9.44 + 7.2 = 1026.08 ns
        after the barrier, the second 7.2 ns later: 2033.28 ns, half of which is the latency. The
        allreduce is one message: 2026.08 ns.

        Bandwidth: 16 messages of 131 packets with 1082 bytes and one with 154 are 181.627 us of a
        port, and the ACKs of all 16 x 132 packets, 118 bytes each, 19.937 us; those of the last 2
        us of data, one for each 96 ns, come behind it: -0.198 us. Then the last packet arrives, its
        ACK comes back and a barrier follows, 3 x 2 us: 207.37 us for 2 MiB."""
        layout, counts = Layout(10, 1), Counts(1, 1, 0, 1, 0, 1)
        result = self.run_job(job(layout, counts, congestors=False),
                              topology="leaf-spine:leaves=1,spines=1,hosts=10",
                              settings={"ns3::RankRunner::QueuePairs": 0})
        found = victims_of(result.marks, counts)
        self.assertAlmostEqual(found[LATENCY].average, 1.01664, places=6)
        self.assertAlmostEqual(found[ALLREDUCE].average, 2.02608, places=6)
        self.assertAlmostEqual(found[BANDWIDTH].average * 207.37e-6 / 2, 1, places=3)
        self.assertEqual([found[test].values for test in TESTS], [2, 2, 2])

    def test_together(self):
        """Congestors go on until the victims are done, and the ranks of a slice leave after the
        same round: also under losses."""
        faults = self.dir / "faults"
        faults.write_text("5us loss 0 20 0.02\n")
        for hosts, per_host, seed, eager, fields in ((20, 2, 1, 512, {}),
                                                     (20, 1, 2, 512, {"cc": "hpcc"}),
                                                     (13, 3, 3, 512,
                                                      {"cc": "dcqcn", "lb": "spray-random"}),
                                                     (20, 2, 4, 512,
                                                      {"cc": "swift", "flow_control": "none",
                                                       "faults": faults}),
                                                     (20, 2, 5, 8192, {"flow_control": "credit"})):
            with self.subTest(hosts=hosts, seed=seed, **fields):
                layout, counts = Layout(hosts, per_host,
                                        seed), Counts(1, 4, 1, 1, 0, 4, rounds=2, eager=eager)
                result = self.run_job(job(layout, counts), counts,
                                      topology="leaf-spine:leaves=4,spines=2,hosts=5", **fields)
                self.assertEqual(result.summary["status"], "complete")
                marks = result.marks
                victims = victims_of(marks, counts)
                ranks = len(layout.roles()[""]) * per_host
                self.assertEqual([victims[test].values for test in TESTS],
                                 [4 * ranks, ranks, 4 * ranks])
                victims_end = marks[marks["name"].isin(list(TESTS))]["end_ns"].max()
                for kind in CONGESTORS:
                    of = marks[marks["name"] == kind]
                    self.assertGreater(of["end_ns"].max(), victims_end,
                                       "until the victims are done")
                    for local in range(per_host):
                        mine = of[of["rank"].isin(layout.slice_of(kind, local))]
                        rounds = mine.groupby("rank").size()
                        self.assertEqual(len(rounds),
                                         len(layout.roles()[kind]) - (kind != ALL_TO_ALL),
                                         "all but the root")
                        self.assertEqual(len(set(rounds)), 1, f"{kind}: {dict(rounds)}")
                        self.assertEqual(int(rounds.iloc[0]) % 2, 1,
                                         "one to warm up, then two at a time")

    def test_alone(self):
        """One kind after the other, as many rounds as asked for."""
        layout = Layout(20, 2)
        result = self.run_job(job(layout, Counts(alone=3), victims=False),
                              topology="leaf-spine:leaves=4,spines=2,hosts=5")
        marks = result.marks
        self.assertEqual(sorted(set(marks["name"])), sorted(CONGESTORS))
        spans = [(of["start_ns"].min(), of["end_ns"].max())
                 for of in (marks[marks["name"] == kind] for kind in CONGESTORS)]
        for before, after in zip(spans, spans[1:]):
            self.assertLess(before[1], after[0])
        self.assertEqual([found.values for found in congestors_of(marks, layout).values()],
                         [3 * 8, 3 * 6, 3 * 6, 3 * 6])


if __name__ == "__main__":
    unittest.main()
