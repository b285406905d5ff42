# SPDX-License-Identifier: GPL-2.0-only
"""A policy gives the same flows.csv, byte for byte, by dcfabric-sim, by FabricHelper in C++ and by
the bindings of ns-3: what it needs of others it declares itself. The table of policies with a
digest for each is that of the suite dcfabric-behavior, test/policy-behavior-test.cc."""
import os
import re
import subprocess
import unittest
from pathlib import Path

from extensive import longer
from sim_case import SimCase

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "test" / "policy-behavior-test.cc"
WHEEL_PYTHON = os.environ.get("DCFABRIC_WHEEL_PYTHON")
LIBRARY = os.environ.get("DCFABRIC_LIBRARY")
SKIPPED = "no wheel of ns-3 with a stand-alone library: ./run-tests without --quick"

COMMON = ("--topology=leaf-spine:leaves=3,spines=4,hosts=4", "--tier-rates=25Gbps,40Gbps",
          "--workload=permutation:size=300kB+incast:fan-in=6,size=100kB,dst=0", "--seed=1")

# The same network and flows, one run after the other: arguments are a file and what sets its
# policies, and so on.
BINDINGS = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from dcfabric.bindings import load
ns = load(Path(sys.argv[2]), ("fabric-helper.h", "fabric-topology.h",
                              "fabric-workload-factory.h", "flow-recorder.h"))
ns.Time.SetResolution(ns.Time.PS)
ns.RngSeedManager.SetRun(1)
for selector in ("Ecmp", "SymmetricEcmp"):
    ns.Config.SetDefault(f"ns3::{selector}PathSelector::HashSeed", ns.UintegerValue(1))
for path, policies in zip(sys.argv[3::2], sys.argv[4::2]):
    links = ns.FabricTopologyOptions()
    links.tierRates = "25Gbps,40Gbps"
    links.delay = "1us"
    graph = ns.MakeFabricTopology("leaf-spine:leaves=3,spines=4,hosts=4", links).BuildGraph()
    workload = ns.MakeFabricWorkload("permutation:size=300kB+incast:fan-in=6,size=100kB,dst=0",
                                     ns.FabricWorkloadOptions())
    workload.AssignStreams(1 << 40)
    flows = workload.Generate(graph)
    helper = ns.FabricHelper()
    exec(policies)
    fabric = helper.Install(graph)
    recorder = ns.FlowRecorder(fabric, flows, workload.GetTriggers())
    recorder.GetLabels().Set(workload.GetGroups())
    recorder.SetStopWhenComplete(True)
    recorder.Start()
    ns.Simulator.Run()
    recorder.WriteCsv(path)
    del recorder, fabric
    ns.Simulator.Destroy()
"""

POLICIES = {
    "--cc=dctcp --lb=reps": """
helper.SetCongestionControl("ns3::DctcpCongestionControl")
helper.SetPathSelector("ns3::EcmpPathSelector")
helper.SetLoadBalancer("ns3::RepsLoadBalancer")""",
    "--cc=none --flow-control=credit --throttle=pft": """
helper.SetFlowControl("ns3::CreditFlowControl")
helper.SetThrottle("ns3::ProactiveFlowThrottle")""",
    "--cc=dcqcn --coordination=ccm": """
helper.SetCongestionControl("ns3::DcqcnCongestionControl")
helper.AddCoordination("ns3::CoordinationGateModifier")""",
}


def read_table():
    """Options of the program by policy, with the digest of flows.csv that FabricHelper gives."""
    pairs = re.findall(r'\{"(--[^"]+)",.*?(0x[0-9a-f]+)[,}]', TABLE.read_text(encoding="utf-8"),
                       re.DOTALL)
    return {options: int(digest, 16) for options, digest in pairs}


def fnv(data):
    """FNV-1a with 64 bits."""
    digest = 0xcbf29ce484222325
    for byte in data:
        digest = (digest ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return digest


class OneBehaviorTest(SimCase):
    def test_program(self):
        table = read_table()
        self.assertGreater(len(table), 25)
        for options, digest in table.items():
            with self.subTest(options):
                out = self.dir / re.sub("[^a-z]+", "-", options)
                self.run_ok(*COMMON, *options.split(), out=out)
                self.assertEqual(hex(fnv((out / "flows.csv").read_bytes())), hex(digest))

    def run_bindings(self, *policies, **environment):
        """flows.csv of each policy by the bindings, all in one process: to load them takes much
        longer than to run."""
        paths = [self.dir / f"bindings-{number}.csv" for number in range(len(policies))]
        run = subprocess.run([WHEEL_PYTHON, "-c", BINDINGS, ROOT / "python", LIBRARY,
                              *(text for path, options in zip(paths, policies)
                                for text in (path, POLICIES[options]))],
                             capture_output=True, text=True, timeout=600,
                             env={**os.environ, **environment})
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return [path.read_bytes() for path in paths]

    @unittest.skipUnless(WHEEL_PYTHON and LIBRARY, SKIPPED)
    def test_bindings(self):
        table = read_table()
        for options, flows in zip(POLICIES, self.run_bindings(*POLICIES)):
            with self.subTest(options):
                self.assertEqual(hex(fnv(flows)), hex(table[options]))

    @unittest.skipUnless(WHEEL_PYTHON and LIBRARY, SKIPPED)
    @longer("the suite dcfabric-defaults")
    def test_a_value_of_a_user_stays(self):
        """A gap of three packets, by the environment and by an option: not what REPS declares."""
        options, threshold = "--cc=dctcp --lb=reps", "ns3::SelectiveRepeat::ReorderThreshold=3"
        self.run_ok(*COMMON, *options.split(), f"--{threshold}")
        by_option = (self.out / "flows.csv").read_bytes()
        self.assertEqual(self.run_bindings(options, NS_ATTRIBUTE_DEFAULT=threshold),
                         [by_option])
        self.assertNotEqual(fnv(by_option), read_table()[options])


if __name__ == "__main__":
    unittest.main()
