# SPDX-License-Identifier: GPL-2.0-only
"""Congestion controls written in Python. Those within a process of ns-3's bindings need the Python
with the wheel and the stand-alone library: run-tests (not --quick) names them in
DCFABRIC_WHEEL_PYTHON and DCFABRIC_LIBRARY."""
import importlib.util
import json
import os
import re
import subprocess
import sys
import textwrap
import unittest
import warnings
from pathlib import Path

from package_case import DUMBBELL, PackageCase, ROOT, SIM, needs_sim

from dcfabric import (BadScenario, CongestionControl, DcfabricError, FolderUnusable,
                      InvariantViolated, PolicyFailed, Result, Scenario, SweepFailed, UNLIMITED,
                      sweep)

WHEEL_PYTHON = os.environ.get("DCFABRIC_WHEEL_PYTHON")
LIBRARY = os.environ.get("DCFABRIC_LIBRARY")
ONE = DUMBBELL.replace(workload=None, flows=[(0, 2, 100_000, 0)])


class Open(CongestionControl):
    """Line rate, no window: as --cc=none."""

    def start(self):
        self.window_bytes = UNLIMITED


class Pace(CongestionControl):
    """A rate for ever; keeps what it is told."""

    gbps = 10.0

    def start(self):
        self.rate_bps = self.gbps * 1e9
        self.acks = []

    def on_ack(self, ack):
        self.acks.append(ack)


@needs_sim
class PythonCcTest(PackageCase):
    def test_open_is_none(self):
        result = DUMBBELL.replace(cc=Open).run()
        self.assertTrue(result.flows.equals(DUMBBELL.replace(cc="none").run().flows))

    def test_rate(self):
        # At 10 Gb/s each of the 99 later packets waits for (1000 + 62) x 8 / 10 = 849.6 ns since
        # the one before: 84.11 us, or with preamble and gap (20 bytes more) 85.69 us; the first
        # packet, with RETH, and the way of the last add a few us.
        result = ONE.replace(cc=Pace).run()
        self.assertTrue(84110 < result.flows["fct_ns"][0] < 91000, result.flows["fct_ns"][0])
        faster = ONE.replace(cc=Pace, cc_parameters={"gbps": 20}).run()
        self.assertAlmostEqual(result.flows["fct_ns"][0] / faster.flows["fct_ns"][0], 2, delta=0.15)

    def test_parameters_that_nothing_reads_are_refused(self):
        with self.assertRaisesRegex(DcfabricError,
                                    "Pace has no attribute gbp; the nearest is gbps; known: "):
            ONE.replace(cc=Pace, cc_parameters={"gbp": 20}).run()
        # half of the letters are alike, which is too little: wording.ALIKE
        with self.assertRaisesRegex(DcfabricError, "Pace has no attribute gbit; known: "):
            ONE.replace(cc=Pace, cc_parameters={"gbit": 20}).run()
        with self.assertRaisesRegex(DcfabricError, "Pace has no attribute colour; known: "):
            ONE.replace(cc=Pace, cc_parameters={"colour": 20}).run()

    def test_a_control_that_sets_nothing_is_warned_of(self):
        """window and rate are no names that anything reads; one that has names like these and uses
        the right ones is fine."""
        class Mistaken(CongestionControl):
            def on_ack(self, ack):
                self.window, self.rate = 1000, 1e9

        with self.assertWarnsRegex(UserWarning,
                                   "Mistaken has set neither window_bytes nor rate_bps .* it has "
                                   "set rate, window, which nothing"):
            ONE.replace(cc=Mistaken).run()

        class Fine(CongestionControl):
            def on_ack(self, ack):
                self.rate = 1e10
                self.rate_bps = self.rate

        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ONE.replace(cc=Fine).run()

    def test_acks(self):
        result = ONE.replace(cc=Pace).run()
        [instance] = result.congestion_controls
        self.assertEqual((instance.connection, instance.path.line_rate_bps,
                          instance.path.payload_bytes),
                         (0, 10**11, 1000))
        # T is some 8 us over three switches with links of 1 us
        self.assertTrue(8000 < instance.path.base_rtt_ns < 9000, instance.path)
        self.assertEqual(instance.path.bdp_bytes, int(instance.path.base_rtt_ns * 12.5))
        self.assertEqual(len(instance.acks), 100)
        self.assertEqual([ack.cumulative_bytes for ack in instance.acks],
                         list(range(1000, 100001, 1000)))
        self.assertEqual(sum(ack.acked_bytes for ack in instance.acks), 100000)
        last = instance.acks[-1]
        self.assertEqual((last.in_flight_bytes, last.sent_bytes, last.marked_packets, last.hops),
                         (0, 100000, 0, ()))
        self.assertEqual(last.now_ns, result.flows["sender_fct_ns"][0])

    def test_int(self):
        for where in ("data", "ack"):
            class Reads(Pace):
                needs_int = where

            result = DUMBBELL.replace(cc=Reads, cc_parameters={"gbps": 80}).run()
            with self.subTest(where):
                for instance in result.congestion_controls:
                    hops = [ack.hops for ack in instance.acks if len(ack.hops) == 3]
                    self.assertGreater(len(hops), 90)
                    self.assertEqual({hop.rate_bps for hop in hops[0]}, {10**11})
                    # Two senders at 80 Gb/s each: the first switch has the queue, the others have
                    # none.
                    most = [max(three[i].queue_bytes for three in hops) for i in range(3)]
                    self.assertGreater(most[0], 20000)
                    self.assertLess(most[1], 3000)
                    for i in range(3):
                        times = [three[i].time_ns for three in hops]
                        self.assertEqual(times, sorted(times))

    def test_timers(self):
        class Late(Pace):
            def start(self):
                super().start()
                self.told = []
                self.set_timer(2, 5000.5)
                self.set_timer(1, 20000)
                self.set_timer(0, 30000)

            def on_timer(self, timer, now_ns):
                self.told.append((timer, now_ns))
                if timer == 2:
                    self.cancel_timer(1)
                    self.rate_bps = 100e9

        result = ONE.replace(cc=Late).run()
        # 100 packets at the rate of the line take less than 14 us: no timer 0 any more.
        self.assertEqual(result.congestion_controls[0].told, [(2, 5000.5)])
        self.assertLess(result.flows["fct_ns"][0], 20000)
        with self.assertRaisesRegex(ValueError, "timers 0 to 3"):
            CongestionControl().set_timer(4, 0)

    def test_marks(self):
        """Switches mark whether a class says that it needs marks or not; one that does is refused
        where there are none."""
        class Counts(Open):
            marked = 0

            def on_ack(self, ack):
                self.marked += ack.marked_packets

        class Needs(Counts):
            needs_ecn = True

        for policy in (Counts, Needs):
            result = DUMBBELL.replace(cc=policy, attributes={
                "ns3::WredMarkingProfile::Kmin": 20000,
                "ns3::WredMarkingProfile::Kmax": 20000}).run()
            with self.subTest(policy.__name__):
                self.assertGreater(result.summary["ecn_marks"], 50)
                self.assertEqual(sum(instance.marked for instance in result.congestion_controls),
                                 result.summary["ecn_marks"])
        none = DUMBBELL.replace(marking="none")
        self.assertEqual(none.replace(cc=Counts).run().summary["ecn_marks"], 0)
        with self.assertRaisesRegex(BadScenario, "needs ECN marks"):
            none.replace(cc=Needs).run()

    def test_cnps(self):
        class Counts(Open):
            cnp_interval_ns = 4000

            def start(self):
                super().start()
                self.cnps = []

            def on_cnp(self, now_ns):
                self.cnps.append(now_ns)

        result = DUMBBELL.replace(cc=Counts, attributes={"ns3::WredMarkingProfile::Kmin": 20000,
                                                         "ns3::WredMarkingProfile::Kmax":
                                                         20000}).run()
        for instance in result.congestion_controls:
            gaps = [b - a for a, b in zip(instance.cnps, instance.cnps[1:])]
            self.assertTrue(gaps)
            self.assertGreaterEqual(min(gaps), 3900)

    def test_exceptions(self):
        class Raises(CongestionControl):
            def on_ack(self, ack):
                raise KeyError("what is it")

        with self.assertRaisesRegex(PolicyFailed, "Raises: KeyError: 'what is it'") as caught:
            ONE.replace(cc=Raises).run("out")
        self.assertIsInstance(caught.exception.__cause__, KeyError)
        self.assertEqual(caught.exception.__cause__.__traceback__.tb_frame.f_code.co_name, "_serve")
        self.assertFalse((self.dir / "out").exists())
        for name, value in (("rate_bps", 0), ("rate_bps", float("nan")), ("window_bytes", 0),
                            ("window_bytes", 2**64)):
            class Wrong(CongestionControl):
                def on_ack(self, ack, name=name, value=value):
                    setattr(self, name, value)

            with self.subTest(name=name,
                              value=value), self.assertRaisesRegex(PolicyFailed, f"set .*{value}"):
                ONE.replace(cc=Wrong).run()

    def test_refusals(self):
        with self.assertRaisesRegex(DcfabricError, "subclass of CongestionControl"):
            ONE.replace(cc=dict)
        with self.assertRaisesRegex(DcfabricError, "cc_parameters are for"):
            ONE.replace(cc_parameters={"gain": 1}).run()

        class Reads(CongestionControl):
            needs_int = "both"

        with self.assertRaisesRegex(DcfabricError, "known: None, 'data', 'ack'"):
            ONE.replace(cc=Reads)
        for name, value, nearest in (("on_akc", lambda self, ack: None, "on_ack"),
                                     ("on_acknowledgement", lambda self, ack: None, "on_ack"),
                                     ("onAck", lambda self, ack: None, "on_ack"),
                                     ("on_time_out", lambda self, now: None, "on_timeout"),
                                     ("strat", lambda self: None, "start"),
                                     ("needs_itn", "data", "needs_int"),
                                     ("need_ecn", True, "needs_ecn"),
                                     ("cnp_interval_us", 1, "cnp_interval_ns")):
            mistyped = type("Mistyped", (CongestionControl,), {name: value})
            with self.subTest(name=name):
                for policy in (mistyped, type("Heir", (mistyped,), {})):
                    with self.assertRaisesRegex(DcfabricError,
                                                rf"Mistyped\.{name} .* the nearest is {nearest};"):
                        ONE.replace(cc=policy)

        class Own(CongestionControl):
            restart = acknowledged = _on_akc = lambda self: None
            target_ns = 5

        self.assertEqual(len(ONE.replace(cc=Own).run().congestion_controls), 1)
        with self.assertRaisesRegex(BadScenario, "another process has to decide"):
            ONE.replace(cc="external").run()

    def test_stuck(self):
        """A rate at which the second packet would leave after 2 hours: the program says that it is
        stuck."""
        with self.assertRaisesRegex(InvariantViolated, "stuck") as caught:
            ONE.replace(cc=Pace, cc_parameters={"gbps": 1e-9}).run("out")
        self.assertTrue((caught.exception.folder / "flows.csv").is_file())

    def test_sweep(self):
        """Side by side, and not again unless class or parameters have changed."""
        runs = {gbps: ONE.replace(cc=Pace, cc_parameters={"gbps": gbps}) for gbps in (5, 10, 20)}
        results = sweep(runs, jobs=3, out="out", progress=False)
        times = [result.flows["fct_ns"][0] for result in results.values()]
        self.assertEqual(times, sorted(times, reverse=True))
        self.assertEqual(len(results[5].congestion_controls), 1)
        # by its name, also for who has the folder alone
        self.assertIn("cc: Pace (Python)", repr(Result(results[5].folder)))
        self.assertIn("--cc=external (Pace) --lb=", (results[5].folder / "report.txt").read_text())
        report = ONE.replace(cc="none").run("none").folder / "report.txt"
        self.assertIn("--cc=none --lb=", report.read_text())
        runs[10] = ONE.replace(cc=Pace, cc_parameters={"gbps": 11})
        with self.assertRaisesRegex(FolderUnusable, r"\(cc_parameters={'gbps'} was 10, is 11\)"):
            sweep(runs, jobs=1, out="out", progress=False)
        again = sweep(runs, jobs=1, out="out", progress=False, force=True)
        self.assertEqual([result.resumed for result in again.values()], [True, False, True])

        class Raises(CongestionControl):
            def start(self):
                raise RuntimeError("no")

        with self.assertRaises(SweepFailed) as caught:
            sweep({"bad": ONE.replace(cc=Raises), "good": ONE}, jobs=1, progress=False)
        self.assertIsInstance(caught.exception.failures["bad"], PolicyFailed)
        self.assertEqual(list(caught.exception.results), ["good"])

    def test_show(self):
        scenario = ONE.replace(cc=Pace)
        self.assertIn("cc=Pace", repr(scenario))
        self.assertIn("Pace (Python)", scenario._repr_html_())

    def test_example(self):
        run = subprocess.run([sys.executable, ROOT / "examples" / "dcfabric-python-cc.py",
                              "--quick", "--out=out"],
                             capture_output=True, text=True,
                             env={**os.environ, "DCFABRIC_SIM": SIM})
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("flows are the same", run.stdout)
        result = json.loads(Path("out/result.json").read_text())
        self.assertEqual((result["acks"], result["same_flows"]), (2000, True))

    def test_sweep_speed_example(self):
        run = subprocess.run([sys.executable, ROOT / "examples" / "dcfabric-sweep-speed.py",
                              "--runs=4",
                              "--megabytes=1", "--repeat=1"], capture_output=True, text=True,
                             env={**os.environ, "DCFABRIC_SIM": SIM})
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        # a measurement on a machine that may be busy: only its form is checked
        self.assertRegex(run.stdout,
                         r"4 runs: [0-9.]+ s over 1 process, [0-9.]+ s over 2: [0-9.]+\nbest: ")


BOUND = """
import sys
sys.path.insert(0, sys.argv[2])
from ns import ns
from pathlib import Path
ns.cppyy.add_include_path(str(Path(sys.argv[1]).parent / "include"))
ns.cppyy.load_library(sys.argv[1])
for header in ("fabric-helper.h", "fabric-topology.h"):
    ns.cppyy.include("ns3/" + header)
from dcfabric import CongestionControl
from dcfabric.bindings import connect
ns.Time.SetResolution(ns.Time.PS)

class Counts(CongestionControl):
    def start(self):
        self.acks = 0
        self.rate_bps = self.gbps * 1e9
    def on_ack(self, ack):
        self.acks += 1
        if self.acks == self.fails_at:
            raise KeyError("as asked")

def run(**parameters):
    helper = ns.FabricHelper()
    helper.SetCongestionControl("ns3::ExternalCongestionControl")
    instances = connect(ns, Counts, **parameters)
    fabric = helper.Install(ns.MakeFabricTopology("dumbbell:switches=2,senders=1").BuildGraph())
    fabric.GetNic(0).GetMessages().SendAt(0, 1, 50_000, 0)
    ns.Simulator.Stop(ns.MicroSeconds(20))
    try:
        ns.Simulator.Run()
    except KeyError as error:
        print("KeyError", "as asked" in str(error))
    print(len(instances), instances[0].acks, fabric.GetNic(1).GetCounters().dataDelivered)
    ns.Simulator.Destroy()

run(gbps=100, fails_at=0)
run(gbps=10, fails_at=0)
run(gbps=100, fails_at=10)
"""


GATES = {"ewma": {"modifiers": "ewma-gate"},
         "majority": {"modifiers": "majority-gate", "lb": "path-set:paths=8"},
         "claims": {"coordination": "ccm"}}


def script_class(path, name):
    """A class of an example, which is a program."""
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location("example", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.path.remove(str(path.parent))
    return getattr(module, name)


def text_class(text, name):
    """The class of this name that a page shows."""
    found = re.search(rf"^( *)class {name}\(.*\n(?:\1 .*\n|\n)+", text, re.MULTILINE)
    place = {"CongestionControl": CongestionControl}
    exec(textwrap.dedent(found[0]), place)
    return place[name]


@needs_sim
class GatesTest(PackageCase):
    """The controls that users copy, each under every gate: random flows over four spines, whose
    queues mark from 5 kB on."""

    def setUp(self):
        super().setUp()
        marks = {"ns3::WredMarkingProfile::Kmin": 5000, "ns3::WredMarkingProfile::Kmax": 5000}
        self.base = Scenario(topology="leaf-spine:leaves=2,spines=4,hosts=4", workload="hadoop",
                             load=0.6, duration="100us", lb="ecmp",
                             attributes=marks)

    def test_dctcp_is_that_in_cpp(self):
        """To the picosecond, with what gates withhold, forgive and let take hold late."""
        dctcp = script_class(ROOT / "examples" / "dcfabric-python-cc.py", "Dctcp")
        for name, gate in GATES.items():
            with self.subTest(name):
                runs = [self.base.replace(cc=cc, **gate).run() for cc in ("dctcp", dctcp)]
                self.assertTrue(runs[0].flows.equals(runs[1].flows))
                self.assertGreater(sum(runs[1].summary["cc_reductions_withheld"].values()), 0)
                for count in ("cc_reductions", "cc_reductions_withheld"):
                    self.assertEqual(runs[0].summary[count], runs[1].summary[count])

    def test_those_of_the_chapters(self):
        howto = text_class((ROOT / "doc" / "howto" / "congestion-control.rst").read_text(), "Delay")
        notebook = json.loads((ROOT / "doc" / "tutorial" / "2-own-congestion-control.ipynb")
                              .read_text())
        tutorial = text_class("".join("".join(cell["source"]) + "\n" for cell in notebook["cells"]),
                              "DelayTarget")
        for control in (howto, tutorial):
            withheld = 0
            for name, gate in GATES.items():
                with self.subTest(control=control.__name__, gate=name):
                    result = self.base.replace(cc=control, **gate).run()
                    self.assertEqual(result.summary["status"], "complete")
                    withheld += sum(result.summary["cc_reductions_withheld"].values())
            self.assertGreater(withheld, 0, control.__name__)


@unittest.skipUnless(WHEEL_PYTHON and LIBRARY,
                     "needs the wheel of ns-3 with cppyy and the stand-alone library")
class BindingsTest(unittest.TestCase):
    def test_connect(self):
        run = subprocess.run([WHEEL_PYTHON, "-B", "-c", BOUND, LIBRARY, str(ROOT / "python")],
                             capture_output=True, text=True, timeout=600)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        whole, slow, failed, cut = run.stdout.splitlines()
        # 50 packets of 1082 B take 4.3 us at 100 Gb/s, and an ACK a round trip of 6 us.
        self.assertEqual(whole, "1 50 50")
        # At 10 Gb/s one leaves every 0.85 or 0.87 us: in 20 us 23 or 24 do; 3 us later they have
        # arrived.
        count, acks, delivered = map(int, slow.split())
        self.assertEqual(count, 1)
        self.assertTrue(15 <= acks <= delivered <= 24, slow)
        self.assertEqual(failed, "KeyError True")
        self.assertEqual(cut.split()[:2], ["1", "10"])


if __name__ == "__main__":
    unittest.main()
