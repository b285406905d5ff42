# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim with random values and random damage to its files: it runs, or refuses them in one
line."""
import os
import random
import re
import unittest

from sim_case import SimCase

SEED = int(os.environ.get("DCFABRIC_FUZZ_SEED", "1"))
ROUNDS = int(os.environ.get("DCFABRIC_FUZZ_ROUNDS", "50"))

# Good values of options; now and then a number in one gets another value.
TOPOLOGIES = ("fat-tree:k=4", "leaf-spine:leaves=2,spines=2,hosts=2,homes=1",
              "dumbbell:switches=3,senders=2",
              "clos4:racks=2,hosts=1,l1=2,l2=2,switching-racks=2,l3=2,l4=1",
              "torus:dims=2x3,hosts=1,rails=1",
              "dragonfly:hosts=1,routers=2,globals=1,groups=3,rails=1",
              "hyperx:dims=2x2,hosts=1,links=2,rails=1",
              "dragonfly-plus:leaves=2,spines=2,hosts=1,globals=1,groups=3,rails=1")
WORKLOADS = ("permutation:size=20kB,start=1us", "incast:fan-in=2,size=20kB,dst=0",
             "alltoall:size=1kB,start=2us", "shift:by=1,size=20kB", "allreduce-ring:size=20kB",
             "hotspot:traffic=0.8,hosts=0.3,size=1kB")
OPTIONS = {
    "cc": ("dcqcn", "dctcp", "timely", "swift", "nscc", "rocc", "hpcc", "powertcp",
           "theta-powertcp", "hpcc-pint", "hpcc-rate", "dcqcn+win", "timely+win", "bolt", "rccc",
           "ndp", "homa", "dcqcn-plus", "falcon", "mprdma", "ib", "none"),
    "lb": ("ecmp", "weighted-ecmp", "spray-rr", "reps", "plb", "path-set:paths=4", "flowlet",
           "adaptive", "drill", "conga", "conweave", "hermes", "falcon"),
    "rate": ("100Gbps", "40Gbps"), "delay": ("1us", "500ns"), "payload": ("1000", "4096"),
    "flow-control": ("pfc", "credit", "none"), "error-rate": ("0.01",),
    "switch-latency": ("300ns",),
    "oversubscription": ("2", "0.5"), "seed": ("7",), "marking": ("100Gbps:100kB,400kB,0.2",),
    "base-rtt": ("12us", "pair"), "messages": ("rtw", "rnr"),
    "post-delay": ("fixed:1us", "uniform:1us,2us"),
    "modifiers": ("ratio-cut", "ewma-gate", "median-filter", "rtt-ecn-recovery"),
    "link-down": ("2us,4,5",),
    "convergence": ("1us",),
    "trace": ("queues,rates", "pfc"), "trace-interval": ("1us",)}
NUMBERS = ("0", "1", "2", "-1", "0.5", "1e-9", "1e3", "1e999", "nan", "x", "", "25", "70000",
           "4294967296", "2097152", "9223372036854775808", "18446744073709551615", "1000000")

# Good files, and what reads them.
TOPOLOGY = ("6 2 7\n4 5\n0 4 100Gbps 1000ns 0\n1 4 100Gbps 0.001ms 0.000000\n2 5 100Gbps 1us 0\n3 "
            "5 25Gbps 1us 0.001\n"
            "4 5 100Gbps 1us 0\n4 5 100Gbps 1us 0\n0 5 100Gbps 1us 0\n")
FLOWS = "3\n0 1 3 100 20000 0.000001\n2 3 3 100 100000 0\n1 2 0 200 7 0.00000200\n"
FILES = {
    "topology": (TOPOLOGY, ("--workload=flows:flows",)),
    "flows": (FLOWS, ("--workload=flows:flows",)),
    "matrix":
    ("Nodes 4\nConnections 2\nTriggers 1\n1->0 id 1 start 1.5 size 20000 send_done_trigger 1\n"
     "2->0 id 2 trigger 1 size 100\ntrigger id 1 oneshot\n", ("--workload=cm:matrix,unit=us",)),
    "sizes": ("0 0\n100 1\n1000 40.5\n20000 90\n100000 100\n",
              ("--workload=cdf:sizes", "--duration=20us")),
    "faults":
    ("1us down 4 5:1\n5us up 4 5:1 # again\n2us rate 4 0 50Gbps\n3us loss 0 4 0.5\n6us switch-down "
     "5\n",
     ("--workload=alltoall:size=20kB", "--faults=faults", "--flow-control=none",
      "--convergence=1us")),
    "policies": ("0-1 * cc=swift lb=reps\n2,3 0 cc=dctcp modifiers=ratio-cut\n",
                 ("--workload=alltoall:size=20kB", "--policies=policies")),
    "ranks": ("0 0-1 4\n1 2 3 5\n", ("--workload=alltoall:size=1kB", "--partition=file:ranks"))}


class FuzzTest(SimCase):
    def setUp(self):
        super().setUp()
        self.random = random.Random(SEED)

    def pick(self, choices):
        return self.random.choice(tuple(choices))

    def expect_sense(self, *arguments, about=""):
        run = self.sim(*arguments, "--stop=20us", "--force", "--progress=off")
        said = [line for line in run.stderr.splitlines()
                if not line.startswith(("dcfabric-sim: warning: ", "dcfabric-sim: note: "))]
        where = f"DCFABRIC_FUZZ_SEED={SEED}: {' '.join(arguments)}\n{about}{run.stderr}"
        self.assertIn(run.returncode, (0, 2), where)
        self.assertEqual(len(said), run.returncode // 2, where)
        return run.returncode

    def test_random_values(self):
        counts = {0: 0, 2: 0}
        for _ in range(ROUNDS):
            options = {"topology": self.pick(TOPOLOGIES), "workload": self.pick(WORKLOADS),
                       "cc": "dcqcn"}
            for name in self.random.sample(sorted(OPTIONS), 2):
                options[name] = self.pick(OPTIONS[name])
            name = self.pick(options)
            numbers = list(re.finditer(r"[\d.]+", options[name]))
            if numbers and self.random.random() < 0.7:
                number = self.pick(numbers)
                text = options[name]
                options[name] = text[:number.start()] + self.pick(NUMBERS) + text[number.end():]
            counts[self.expect_sense(
                *(f"--{option}={value}" for option, value in options.items()))] += 1
        self.assertTrue(all(counts.values()), f"all alike: {counts}")

    def damage(self, text):
        words = list(re.finditer(r"\S+", text))
        word = self.pick(words)
        lines = text.splitlines(keepends=True)
        end = self.random.randrange(len(text))
        return self.pick((text[:word.start()] + self.pick(NUMBERS) + text[word.end():],
                          text[:word.start()] + self.pick(words).group() + text[word.end():],
                          text[:end] + chr(self.random.randrange(1, 127)) + text[end:],
                          text[:end], text.replace("\n", "\r\n"), text.rstrip("\n"),
                          text.replace(" ", "\t "),
                          "".join(self.random.sample(lines, len(lines))), text + self.pick(lines)))

    def test_damaged_files(self):
        counts = {0: 0, 2: 0}
        for _ in range(ROUNDS):
            name = self.pick(FILES)
            self.write("topology", TOPOLOGY)
            self.write("flows", FLOWS)
            text, arguments = FILES[name]
            damaged = self.damage(text)
            (self.dir / name).write_bytes(damaged.encode())
            counts[self.expect_sense("--topology=file:topology", "--cc=dcqcn", *arguments,
                                     about=f"{name}:\n{damaged}\n")] += 1
        self.assertTrue(all(counts.values()), f"all alike: {counts}")


if __name__ == "__main__":
    unittest.main()
