# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim does what the tables of doc/combinations.rst say: it runs what is legal, and refuses
the rest by the names of both sides."""
import concurrent.futures
import csv
import itertools
import os
import random
import re
import unittest
from pathlib import Path

from extensive import MORE
from package_case import PackageCase, needs_sim
from sim_case import SimCase

from dcfabric import BadScenario, CongestionControl, Scenario, UNLIMITED

DOCUMENT = Path(__file__).resolve().parent.parent.parent / "doc" / "combinations.rst"
FABRIC = ("--topology=leaf-spine:leaves=2,spines=2,hosts=2", "--workload=permutation:size=5kB")
# One of each kind, small; hosts are even in number.
TOPOLOGIES = ("fat-tree:k=4", "leaf-spine:leaves=4,spines=2,hosts=2,homes=2",
              "dumbbell:switches=3,senders=2",
              "clos4:racks=2,hosts=2,l1=2,l2=2,switching-racks=2,l3=2,l4=2", "file:graph.topo")
GRAPH = ("6 2 5\n4 5\n0 4 100Gbps 1us 0\n1 4 100Gbps 1us 0\n2 5 100Gbps 1us 0\n3 5 100Gbps 1us "
         "0\n4 5 100Gbps 1us 0\n")
# These need another process that decides; with the INT that it wants.
EXTERNAL = {"external": None, "external-int": "data", "external-ack-int": "ack"}


def read_tables():
    """The tables as {title: {row: {column: cell}}}, without the quotes of code."""
    tables = {}
    for block in re.split(r"^\.\. csv-table:: ", DOCUMENT.read_text(encoding="utf-8"),
                          flags=re.MULTILINE)[1:]:
        lines = block.splitlines()
        head, *rows = [[cell.replace("`", "") for cell in row]
                       for row in csv.reader((line.strip().replace(":header:", "") for line in
                                              itertools.takewhile(lambda l: l.startswith(
                                                  "   ") or not l, lines[1:])),
                                             skipinitialspace=True) if row]
        assert all(len(row) == len(head) for row in rows), lines[0]
        tables[lines[0]] = {row[0]: dict(zip(head[1:], row[1:])) for row in rows}
    return tables


TABLES = read_tables()
CC_LB = TABLES["Congestion control and load balancing"]
FLOW_LB = TABLES["Flow control and load balancing"]
RELIABILITY_LB = TABLES["Reliability and load balancing"]
MODIFIER_LB = TABLES["Modifiers and load balancing"]
FLOW_SWITCH = TABLES["Flow control, and memory and queue discs of switches"]
LB_SWITCH = TABLES["Load balancing that holds packets, and memory of switches"]
CC_SWITCH = TABLES["Congestion control, and queue discs and features of switches"]
ROUTING = TABLES["Routing, and what is around it"]
COORDINATION = [TABLES[title]
                for title in ("Coordination, and what is around it",
                              "Coordination and load balancing", "Coordination and other policies")]
NOTICES = TABLES["Notices of lost ways and load balancing"]
CCS = [cc for cc in CC_LB if cc not in EXTERNAL]
LBS = list(CC_LB["hpcc"])


def option(name, value):
    """An option as it is written."""
    return f"--{name}={value}"


class CombinationTest(SimCase):
    def check(self, number, arguments, clashes, fabric=FABRIC):
        """Run; clashes are pairs of arguments that do not go together, empty if all do."""
        out = self.dir / f"out{number}"
        run = self.sim(*fabric, *arguments, out=out)
        said = f"{' '.join(arguments)}\n{run.stdout}{run.stderr}"
        if not clashes:
            return (None if run.returncode == 0
                    and (out / "flows.csv").is_file() else f"should run: {said}")
        if run.returncode != 2 or out.exists():
            return f"should be refused with status 2 and no result: {said}"
        if any(one in run.stderr and other in run.stderr for one, other in clashes):
            return None
        return f"should name both of one of {clashes}: {said}"

    def check_all(self, runs):
        """Check (arguments, clashes[, fabric]) of all runs, some at a time; return how many were
        legal."""
        runs = list(runs)
        with concurrent.futures.ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
            faults = [fault
                      for fault in pool.map(lambda numbered: self.check(numbered[0], *numbered[1]),
                                            enumerate(runs)) if fault]
        self.assertEqual(faults[:5], [], f"{len(faults)} of {len(runs)}")
        return sum(not clashes for _, clashes, *_ in runs)

    @staticmethod
    def clashes_of(*cells):
        """Pairs whose cell says no: each cell is (table, row, column, argument, argument)."""
        return [(one, other) for table, row, column, one,
                other in cells if table[row][column] != "yes"]

    def triple(self, cc, lb, flow, switch):
        """Arguments and clashes of a triple and an organisation of switches."""
        arguments = [option("cc", cc), option("lb", lb), option("flow-control", flow),
                     option("switch", switch)]
        held = [(LB_SWITCH, lb, arguments[3], arguments[1], arguments[3])]
        held = held if lb in LB_SWITCH else []
        return arguments, self.clashes_of(*held, (CC_LB, cc, lb, arguments[0], arguments[1]),
                                          (FLOW_LB, flow, lb, arguments[2], arguments[1]),
                                          (FLOW_SWITCH, flow, arguments[3], arguments[2],
                                           arguments[3]))

    def test_tables_are_complete(self):
        help_text = self.sim("--help").stdout

        def known(name):
            said = self.sim(*FABRIC, f"--{name}=bogus").stderr
            return sorted(re.sub(r":.*", "", word)
                          for word in re.split("known: |;", said)[2].split(", "))
        self.assertIn("--cc", help_text)
        self.assertEqual(sorted(CC_LB), known("cc"))
        self.assertEqual(sorted(cc for cc in CC_SWITCH), sorted(CCS))
        self.assertEqual(sorted([*ROUTING, "shortest"]), known("routing"))
        for table, name in ((FLOW_LB, "flow-control"), (FLOW_SWITCH, "flow-control"),
                            (RELIABILITY_LB, "reliability"),
                            (MODIFIER_LB, "modifiers")):
            self.assertEqual(sorted(table), known(name))
        for table in (CC_LB, FLOW_LB, RELIABILITY_LB, MODIFIER_LB):
            for row in table.values():
                self.assertEqual(sorted(row), known("lb"))
        switches = [column.split("=")[1] for column in FLOW_SWITCH["pfc"]
                    if column.startswith("--switch")]
        self.assertEqual(sorted(switches), known("switch"))

    def test_cells_are_yes_or_rules(self):
        rules = set(re.findall(r"^(\d+)\. \*\*", DOCUMENT.read_text(encoding="utf-8"),
                               re.MULTILINE))
        cells = {cell for table in TABLES.values() for row in table.values()
                 for cell in row.values()}
        self.assertEqual({number for cell in cells - {"yes"} for number in cell.split()}, rules)

    def test_congestion_control_load_balancing_and_flow_control(self):
        runs = [self.triple(cc, lb, flow, "voq" if flow == "voq-credit" else "shared-buffer")
                for cc, lb, flow in itertools.product(CCS, LBS, FLOW_LB)]
        # a quarter of them, or a twelfth: each pair with some of the third
        share = 4 if MORE else 12
        self.assertGreater(self.check_all(random.Random(1).sample(runs, len(runs) // share)),
                           800 // share)

    def test_switches(self):
        runs = [self.triple("dctcp", lb, flow, switch)
                for lb, flow,
                switch in itertools.product(("ecmp", "reps"), FLOW_LB, ("shared-buffer", "voq"))]
        self.check_all(runs)

    def test_marks_that_cannot_be(self):
        """The default thresholds are 100 kB, for DCTCP 300 kB.

        A leaf has four ports: for an output wait 100 kB in its queue and in three virtual queues
        100 kB each.
        """
        note = "note: --cc={} gets no congestion signal"
        profile = "--ns3::WredMarkingProfile::"
        kmax = profile + "Kmax=500000"
        lossy = "--flow-control=none"
        queues = "--ns3::VoqBuffer::QueueBytes="
        small = (queues + "30000", "--ns3::VoqBuffer::OutputBytes=5000")  # 95 kB
        for cc, arguments, expected in (("dctcp", (), False), ("dcqcn", (), False),
                                        ("dctcp", (lossy,), False),
                                        ("dctcp", (lossy, kmax, profile + "Kmin=399999"), False),
                                        ("dctcp", (lossy, kmax, profile + "Kmin=400000"), True),
                                        ("dctcp", (lossy, queues + "66667"), False),
                                        ("dctcp", (lossy, queues + "66666"), True),
                                        ("dctcp", (queues + "66666",), False),  # with headroom
                                        ("dcqcn", (lossy, *small), True),
                                        # scaled to 10 kB
                                        ("dcqcn", (lossy, *small, "--rate=10Gbps"), False),
                                        # by the same profile
                                        ("dctcp", (lossy, *small, "--features=wreb"), True),
                                        ("bts", (lossy, *small), False),
                                        ("swift", (lossy, *small), False)):
            with self.subTest(cc=cc, arguments=arguments):
                run = self.run_ok(*FABRIC, option("cc", cc), "--switch=voq", *arguments,
                                  out=self.dir / "out")
                self.assertEqual(note.format(cc) in run.stderr, expected, run.stderr)
        self.assertNotIn("note", self.run_ok(*FABRIC, "--cc=dctcp", out=self.dir / "out").stderr)

    def test_reliability_and_modifiers(self):
        runs = []
        for lb in LBS:
            for name, table in (("reliability", RELIABILITY_LB), ("modifiers", MODIFIER_LB)):
                for value in table:
                    cc = "none" if (name, value) == ("reliability", "none") else "dctcp"
                    arguments = [option("cc", cc), option("lb", lb), option(name, value)]
                    runs.append((arguments,
                                 self.clashes_of((table, value, lb, arguments[2], arguments[1]))))
        for pair in itertools.permutations(MODIFIER_LB, 2):
            runs.append(
                ([option("cc", "dcqcn"), option("lb", "path-set"),
                  option("modifiers", ",".join(pair))], []))
        self.check_all(runs)

    def test_trimming(self):
        lossy, trims = "--flow-control=none", "--trimming=headers"
        self.run_ok(*FABRIC, lossy, trims, "--features=wreb", out=self.dir / "trims")
        self.run_ok(*FABRIC, lossy, trims, "--switch=voq", out=self.dir / "inputs")
        for more, words in ((("--flow-control=pfc",), (lossy, "--trimming=none")),
                            (("--flow-control=credit",), ("--flow-control=credit", lossy)),
                            ((lossy, "--switch=voq",
                              "--ns3::CongestionAwareQueueDisc::MaxSize=100kB"),
                             ("--switch=voq", "MaxSize", "--switch=shared-buffer")),
                            ((lossy, "--queue-disc=ns3::FifoQueueDisc"), ("FifoQueueDisc",)),
                            ((lossy, "--ns3::PacketTrimmer::TrimmedClass=3"), ("class 3",))):
            self.refuse(*FABRIC, trims, *more, words=words)

    def test_queue_discs_and_features(self):
        runs = []
        for cc, flow in itertools.product(CCS, ("pfc", "none")):
            for disc in [column for column in CC_SWITCH[cc] if column.startswith("--queue-disc")]:
                arguments = [option("cc", cc), option("flow-control", flow), disc]
                clashes = self.clashes_of((FLOW_SWITCH, flow, disc, arguments[1], disc))
                if CC_SWITCH[cc][disc] != "yes":
                    clashes.append((arguments[0], disc))
                runs.append((arguments, clashes))
            column = ("--features=wreb with flow control" if flow != "none"
                      else "--features=wreb --flow-control=none")
            arguments = [option("cc", cc), option("flow-control", flow), "--features=wreb"]
            runs.append((arguments,
                         self.clashes_of((CC_SWITCH, cc, column, arguments[0], arguments[2]))))
        self.check_all(runs)

    def test_throttle(self):
        throttle = "--throttle=pft"
        runs = []
        for cc, lb, flow in [*((cc, "symmetric-ecmp", "credit") for cc in CCS),
                             *(("dcqcn", lb, "credit") for lb in LBS),
                             *(("dcqcn", "ecmp", flow) for flow in FLOW_LB)]:
            arguments, clashes = self.triple(cc, lb, flow,
                                             "voq" if flow == "voq-credit" else "shared-buffer")
            clashes += self.clashes_of((FLOW_SWITCH, flow, throttle, option("flow-control", flow),
                                        throttle))
            runs.append(([*arguments, throttle], clashes))
        self.assertEqual(self.check_all(runs), len(CCS) + len(LBS) + 2)  # credit and cbfc

    def test_routing(self):
        """Each on a topology of its own, with the columns one by one."""
        networks = {"fat-tree": "fat-tree:k=4", "dragonfly": "dragonfly:hosts=1",
                    "torus": "torus:dims=4x4,hosts=1", "hyperx": "hyperx:dims=4x4,hosts=1"}
        runs = []
        for routing, row in ROUTING.items():
            own = next(name for name in networks if row[f"--topology={name}"] == "yes")
            for column, cell in row.items():
                name, value = column[2:].split("=")
                arguments, topology = [option("routing", routing)], own
                if name == "topology":
                    topology = value
                else:
                    arguments.append(column)
                if name != "cc":
                    arguments.append("--cc=dcqcn")
                if value in ("voq-credit", "rcm"):
                    arguments.append("--switch=voq")
                # a network is named by what it lacks, and features clash with what a routing needs
                sides = {"topology": (arguments[0], "this network has none"),
                         "features": (column, "virtual channels")}
                if cell == "2":
                    sides["cc"] = (column, "differ under")
                runs.append((arguments,
                             [] if cell == "yes" else [sides.get(name, (arguments[0], column))],
                             (option("topology", networks[topology]),
                              "--workload=permutation:size=5kB")))
        self.assertEqual(self.check_all(runs), 26)

    def test_coordination(self):
        """The columns one by one; what chooses paths beside it is named, as is the setting that
        permits it."""
        coordination = "--coordination=ccm"
        runs = []
        for table in COORDINATION:
            for row, cells in table.items():
                for column, cell in cells.items():
                    name, value = (column[2:].split("=") if column.startswith("--")
                                   else ("lb", column))
                    arguments = [*row.split(), option(name, value)]
                    if name != "cc":
                        arguments.append("--cc=dcqcn")
                    if value in ("voq-credit", "rcm"):
                        arguments.append("--switch=voq")
                    topology = {"ugal": "dragonfly:hosts=1",
                                "minimal-adaptive": "torus:dims=4x4,hosts=1"}.get(value)
                    fabric = (option("topology", topology), FABRIC[1]) if topology else FABRIC
                    runs.append((arguments,
                                 [] if cell == "yes" else [(coordination, option(name, value))],
                                 fabric))
        self.assertEqual(sorted(COORDINATION[0][coordination]),
                         sorted(option("cc", cc) for cc in CCS))
        self.assertEqual(sorted(COORDINATION[1][coordination]), sorted(LBS))
        self.assertEqual(self.check_all(runs), 20 + 21 + 3 + 21 + 1 + 6)

    def test_notices(self):
        """What leads packets along whole ways is named."""
        shield = "--features=shield"
        self.assertEqual(sorted(NOTICES[shield]), sorted(LBS))
        runs = []
        for lb, cell in NOTICES[shield].items():
            arguments = [shield, option("lb", lb), "--cc=dcqcn"]
            runs.append((arguments, [] if cell == "yes" else [(shield, option("lb", lb))]))
        self.assertEqual(self.check_all(runs), 17)

    def test_topologies(self):
        self.write("graph.topo", GRAPH)
        triples = [self.triple(cc, lb, flow, switch) for cc, lb, flow, switch
                   in itertools.product(CCS, LBS, FLOW_LB, ("shared-buffer", "voq"))]
        legal = [triple for triple in triples if not triple[1]]
        random.Random(1).shuffle(legal)
        runs = []
        for i, topology in enumerate(TOPOLOGIES):
            fabric = (option("topology", topology), "--workload=permutation:size=5kB")
            # others on each topology: all policies come up
            for arguments, clashes in legal[i::25 if MORE else 60]:
                if "homes" in topology and {"--cc=fncc", "--lb=spanning-trees"} <= set(arguments):
                    clashes = [("--cc=fncc", "--lb=spanning-trees")]
                led = {"--lb=conga", "--lb=conweave", "--lb=hermes"} & set(arguments)
                if "homes" in topology and led:
                    clashes = [(led.pop(), "links to several")]
                runs.append((arguments, clashes, fabric))
        self.check_all(runs)
        for policies in (CCS, LBS, FLOW_LB):
            for policy in policies:
                self.assertTrue(any(argument.endswith("=" + policy) for run in runs
                                    for argument in run[0]), policy)


class Open(CongestionControl):
    """Line rate, no window."""

    def start(self):
        self.window_bytes = UNLIMITED


@needs_sim
class ExternalTest(PackageCase):
    def test_load_balancing(self):
        for (cc, wanted), lb in itertools.product(EXTERNAL.items(), LBS):
            class Decider(Open):
                needs_int = wanted

            scenario = Scenario(topology="leaf-spine:leaves=2,spines=2,hosts=2",
                                workload="permutation:size=5kB",
                                cc=Decider, lb=lb)
            with self.subTest(cc=cc, lb=lb):
                if CC_LB[cc][lb] == "yes":
                    self.assertEqual(len(scenario.run().congestion_controls), 4)
                    continue
                with self.assertRaises(BadScenario) as refusal:
                    scenario.run()
                self.assertRegex(str(refusal.exception),
                                 rf"cc='external\S*' .* lb='{lb}'")


if __name__ == "__main__":
    unittest.main()
