# SPDX-License-Identifier: GPL-2.0-only
"""Policies of single hosts by the bindings of ns-3. Needs the Python with the wheel of ns-3 and the
stand-alone library: run-tests (not --quick) names them in DCFABRIC_WHEEL_PYTHON and
DCFABRIC_LIBRARY."""
import os
import subprocess
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "dcfabric-dumbbell.py"
WHEEL_PYTHON = os.environ.get("DCFABRIC_WHEEL_PYTHON")
LIBRARY = os.environ.get("DCFABRIC_LIBRARY")

# Hosts 0 and 1 of a dumbbell send to 2 and 3 over one link; only host 1 has Swift with a gate that
# never opens.
PROGRAM = """
import importlib.util, sys
from pathlib import Path
sys.path.insert(0, str(Path(sys.argv[1]).parent))
spec = importlib.util.spec_from_file_location("dumbbell", sys.argv[1])
dumbbell = importlib.util.module_from_spec(spec)
spec.loader.exec_module(dumbbell)
ns = dumbbell.load(Path(sys.argv[2]))
ns.cppyy.include("ns3/pdc-policy-helper.h")
helper = ns.FabricHelper()
helper.SetCongestionControl("ns3::DctcpCongestionControl")
helper.SetMarkingProfile("ns3::WredMarkingProfile")
topology = ns.MakeFabricTopology("dumbbell:switches=2,senders=2", ns.FabricTopologyOptions())
fabric = helper.Install(topology.BuildGraph())
swift = ns.PdcPolicyHelper()
swift.SetCongestionControl("ns3::SwiftCongestionControl")
swift.AddModifier("ns3::EwmaGateModifier", "Threshold", ns.DoubleValue(1),
                  "Gain", ns.DoubleValue(0.001), "HalfLife", ns.DoubleValue(1e6))
swift.Install(fabric, ns.NodeContainer(fabric.GetNodes().Get(1)),
              ns.NodeContainer(fabric.GetNodes().Get(3)))
for host in (0, 1):
    fabric.GetNic(host).GetMessages().SendAt(0, host + 2, 1_000_000, host)
ns.Simulator.Stop(ns.MicroSeconds(20))
ns.Simulator.Run()
for host in (0, 1):
    control = fabric.GetNic(host).GetSendingPdcs().GetBusy()[0].GetCongestionControl()
    print(host, control.GetInstanceTypeId().GetName(), control.GetModifiers().size())
ns.Simulator.Run()
print("delivered", [int(fabric.GetNic(host).GetCounters().bytesDelivered) for host in (2, 3)])
try:
    swift.AddModifier("ns3::MajorityGateModifier")
    swift.Install(fabric, ns.NodeContainer(fabric.GetNodes().Get(0)))
except Exception as error:
    print("refused:", error)
ns.Simulator.Destroy()
"""


@unittest.skipUnless(WHEEL_PYTHON and LIBRARY,
                     "no wheel of ns-3 with a stand-alone library: ./run-tests without --quick")
class BindingsPoliciesTest(unittest.TestCase):
    def test_a_policy_of_one_host(self):
        run = subprocess.run([WHEEL_PYTHON, "-c", PROGRAM, SCRIPT, LIBRARY], capture_output=True,
                             text=True, timeout=600)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        for line in ("0 ns3::DctcpCongestionControl 0", "1 ns3::SwiftCongestionControl 1",
                     "delivered [1000000, 1000000]"):
            self.assertIn(line, run.stdout)
        self.assertRegex(run.stdout, "(?s)refused:.*MajorityGateModifier.*PerFlowLoadBalancer")


if __name__ == "__main__":
    unittest.main()
