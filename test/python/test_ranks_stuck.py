# SPDX-License-Identifier: GPL-2.0-only
"""Deadlocks and other runs that get stuck, on several MPI ranks and alone: the same findings at the
same simulated times."""
import os
import random
import unittest

from ranks_case import RanksCase
from sim_case import SimCase

# In the long run, which takes some minutes: DCFABRIC_MPI_DEADLOCKS=100
DEADLOCKS = int(os.environ.get("DCFABRIC_MPI_DEADLOCKS", 8))
BUILT = ("--ns3::Fabric::DeadlockCheck=false", "--cc=none")
SMALL_BUFFERS = ("--ns3::SharedBuffer::XoffThreshold=20000",)
SMALL_QUEUES = ("--switch=voq", "--ns3::VoqBuffer::QueueBytes=20000")
# As in test_sim_deadlock.py: switches 4 to 7 in a ring with hosts 0 to 3.
RING = ("--topology=torus:dims=4,hosts=1", "--routing=dimension-order",
        "--ns3::DimensionOrderRouting::Channels=1", *BUILT)
AROUND = (*RING, *SMALL_BUFFERS, "--workload=shift:by=2,size=2MB")
# Seven of them, each host sending over three links.
SEVEN = ("--topology=torus:dims=7,hosts=1", *RING[1:], "--workload=shift:by=3,size=2MB")
LEAF_SPINE = "--topology=leaf-spine:leaves=4,spines=2,hosts=2"
# Waits for what nobody sends, since 2 us.
WAITS = ("ranks 8\nprogram 0-2,4-7 {\n  barrier\n}\nprogram 3 {\n  compute 2us\n  recv 1 tag=3\n  "
         "barrier\n}\n")


class RanksDeadlockTest(RanksCase):
    def found(self, *arguments, ranks, statuses=(3,)):
        """What rank 0 says of deadlocks is that of a process alone, and there is one."""
        _, _, summary, said = self.check(*arguments, ranks=ranks, statuses=statuses)
        self.assertIn("deadlocks", summary)
        self.assertEqual(said.count("note: deadlock since"), len(summary["deadlocks"]))
        return summary["deadlocks"]

    def test_ring(self):
        """Each link of the ring is wanted twice: inputs are full within some 10 us
        (deadlock-detector-test.cc), which the look at 200 us sees and that at 400 us confirms."""
        [deadlock] = self.found(*AROUND, "--stop=1ms", ranks=(2, 3, 4))
        self.assertEqual((deadlock["since_ns"], deadlock["found_ns"], deadlock["ended_ns"]),
                         (200000, 400000, None))
        self.assertEqual({place["node"] for place in deadlock["cycle"]}, {4, 5, 6, 7})
        for options in ((*AROUND, "--flow-control=credit"), (*SEVEN, *SMALL_BUFFERS),
                        (*SEVEN, *SMALL_QUEUES),
                        (*SEVEN, *SMALL_QUEUES, "--flow-control=credit")):
            self.found(*options, "--stop=1ms", ranks=(2, 3))

    def test_each_output(self):
        """With room for each output, a ring of seven in which ways have three links still
        deadlocks, later."""
        self.found(*SEVEN, *SMALL_QUEUES, "--flow-control=voq-credit", "--stop=2ms",
                   ranks=(2, 3, 4))

    def test_stuck(self):
        """A second without progress ends the run; most looks of that second have nothing new to
        see. Slow links repeat their pauses seldom: ranks have to agree on each, which takes
        minutes where they share cores."""
        [deadlock] = self.found(*AROUND, "--ns3::TorusTopology::Rate=10Gbps", ranks=(2, 4))
        self.assertEqual((deadlock["since_ns"], deadlock["ended_ns"]), (200000, None))

    def test_intervals(self):
        """Looks at times at which packets arrive, and at others."""
        for interval in ("1us", "777ns", "5ms"):
            self.found(*AROUND, f"--ns3::DeadlockDetector::Interval={interval}",
                       "--stop=12ms" if interval == "5ms" else "--stop=300us",
                       ranks=(2, 3))

    def test_end(self):
        """A link of the cycle goes down for good after 1.05 ms; its switch throws away what waits
        for it."""
        self.write("faults", "1050us down 4 5\n")
        [deadlock] = self.found(*AROUND, "--faults=faults", "--stop=3ms", ranks=(2, 4),
                                statuses=(0, 3))[:1]
        self.assertEqual(deadlock["ended_ns"], 1200000)

    def test_dragonfly(self):
        """Three groups of two routers, a ring of six links clockwise (ChannelTestCase of
        deadlock-detector-test.cc)."""
        pairs = ((2, 4), (3, 4), (5, 0), (4, 0), (1, 3), (0, 3))
        self.write("flows.txt",
                   f"{4 * len(pairs)}\n"
                   + "".join(f"{src} {dst} 3 100 500000 0\n" for src, dst in 4 * pairs))
        self.found("--topology=dragonfly:hosts=1,routers=2,globals=1,groups=3", "--routing=minimal",
                   "--ns3::DragonflyMinimalRouting::Channels=1", *BUILT, *SMALL_BUFFERS,
                   "--workload=flows:flows.txt", "--stop=2ms", ranks=(2, 3))

    def test_torus(self):
        """Rings in two dimensions, and victims behind them."""
        self.found("--topology=torus:dims=5x3,hosts=1", "--routing=dimension-order",
                   "--ns3::DimensionOrderRouting::Channels=1",
                   *BUILT, *SMALL_BUFFERS, "--workload=shift:by=2,size=1MB", "--stop=2ms",
                   ranks=(2, 3, 4))

    def test_pauses(self):
        """Pauses, and none of them a deadlock: looked at every microsecond."""
        for options in (("--topology=fat-tree:k=4", "--workload=incast:fan-in=12,size=100kB"),
                        ("--topology=torus:dims=4,hosts=2",
                         "--workload=incast:fan-in=6,size=100kB"),
                        ("--topology=torus:dims=4,hosts=1", "--workload=shift:by=2,size=2MB")):
            _, _, summary, _ = self.check(*options, "--cc=none",
                                          "--ns3::SharedBuffer::XoffThreshold=20000",
                                          "--ns3::DeadlockDetector::Interval=1us", ranks=(2, 4))
            self.assertGreater(summary["pfc_pause_frames"], 0, options)
            self.assertNotIn("deadlocks", summary)

    def test_random(self):
        """Rings with chords, any flow control, any division."""
        deadlocked = 0
        for seed in range(DEADLOCKS):
            draw = random.Random(seed)
            switches, ranks = draw.randint(5, 8), draw.randint(2, 4)
            links = [(i, switches + i) for i in range(switches)]
            links += [(switches + i, switches + (i + 1) % switches) for i in range(switches)]
            if draw.random() < 0.3:
                links.append((switches, switches + 2))
            self.write("ring.txt", f"{2 * switches} {switches} {len(links)}\n"
                       + " ".join(str(switches + i) for i in range(switches)) + "\n"
                       + "".join(f"{a} {b} 100Gbps 1us 0\n" for a, b in links))
            flows = []
            for i in range(4 * switches):
                src = i % switches
                flows.append((src, (src + draw.randint(1, (switches - 1) // 2)) % switches,
                              draw.randint(1000, 600000)))
            self.write("flows.txt",
                       f"{len(flows)}\n" + "".join(f"{src} {dst} 3 100 {size} 0\n" for src, dst,
                                                   size in flows))
            owners = list(range(ranks)) + [draw.randrange(ranks) for _ in range(switches - ranks)]
            draw.shuffle(owners)
            self.write("ranks.txt",
                       "".join(f"{owner} {i} {switches + i}\n" for i, owner in enumerate(owners)))
            options = draw.choice((SMALL_BUFFERS, (*SMALL_BUFFERS, "--flow-control=credit"),
                                   SMALL_QUEUES,
                                   (*SMALL_QUEUES, "--flow-control=voq-credit")))
            with self.subTest(seed=seed):
                _, _, summary, _ = self.check("--topology=file:ring.txt", *BUILT, *options,
                                              "--workload=flows:flows.txt",
                                              "--partition=file:ranks.txt",
                                              "--ns3::DeadlockDetector::Interval=50us",
                                              "--stop=5ms",
                                              ranks=(ranks,), statuses=(0, 3))
                deadlocked += "deadlocks" in summary
        self.assertGreater(deadlocked, 0)


class StuckEndTest(SimCase):
    """When a run ends in which nothing happens any more is no matter of who looks when."""

    def ends(self, *arguments):
        run = self.sim(*arguments, "--force")
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertIn("no events are left", run.stderr)
        summary = self.summary()
        return {key: summary[key]
                for key in ("sim_seconds", "goodput_gbps", "mean_queue_bytes", "events", "status")}

    def test_time(self):
        """Nothing is on its way: the last thing to happen is the end of the computation."""
        name = self.write("waits.txt", "ranks 8\nprogram 3 {\n  compute 2us\n  recv 1 tag=3\n}\n")
        for options in ((), ("--progress=on",), ("--messages=rtw",),
                        ("--trace=queues,links", "--trace-interval=300ns"), ("--stop=1ms",)):
            with self.subTest(options=options):
                self.assertEqual(self.ends(LEAF_SPINE, f"--workload=program:{name}",
                                           *options)["sim_seconds"], 2e-6)

    def test_looks(self):
        """Messages and timers go on until some time that is not known by hand, and is the same
        whoever looks."""
        name = self.write("waits.txt", WAITS)
        alone = self.ends(LEAF_SPINE, f"--workload=program:{name}")
        for options in (("--progress=on",), ("--ns3::DeadlockDetector::Interval=333ns",),
                        ("--trace=queues,links", "--trace-interval=700ns"),
                        ("--stop=1s",)):
            with self.subTest(options=options):
                self.assertEqual(self.ends(LEAF_SPINE, f"--workload=program:{name}", *options),
                                 alone)


class RanksStuckEndTest(RanksCase):
    def test_time(self):
        name = self.write("waits.txt", "ranks 8\nprogram 3 {\n  compute 2us\n  recv 1 tag=3\n}\n")
        for options in ((), ("--progress=on",),
                        ("--trace=queues,links,pfc", "--trace-interval=300ns"), ("--stop=1ms",)):
            _, _, summary, _ = self.check(LEAF_SPINE, f"--workload=program:{name}", *options,
                                          ranks=(2, 3), statuses=(3,))
            self.assertEqual((summary["status"], summary["sim_seconds"]), ("stuck", 2e-6))

    def test_looks(self):
        name = self.write("waits.txt", WAITS)
        for options in ((), ("--trace=queues,links,pfc", "--trace-interval=700ns"),
                        ("--messages=rtw",), ("--stop=20ms",)):
            self.check(LEAF_SPINE, f"--workload=program:{name}", *options, ranks=(2, 3, 4),
                       statuses=(3,))

    def test_stop_time_of_samples(self):
        """The stop time is one of samples, of looks, and one at which packets arrive."""
        for stop in ("2us", "4us", "200us"):
            self.check(LEAF_SPINE, "--workload=incast:fan-in=5,size=3MB",
                       "--trace=queues,links,pfc", "--trace-interval=1us",
                       f"--stop={stop}", ranks=(2, 3))


if __name__ == "__main__":
    unittest.main()
