# SPDX-License-Identifier: GPL-2.0-only
"""The experiments in their quick form: what they write, what holds, what is not run twice."""
import contextlib
import importlib.util
import io
import json
import os
import resource
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path

from extensive import ALL, extensive, longer

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PACKAGE = EXAMPLES.parent / "python"
PNG = b"\x89PNG\r\n\x1a\n"
# Figures of each, and claims of the paper that have to hold in the quick form, by how they begin.
EXPERIMENTS = {
    "fncc-response": (("", "-flows"), ("100 Gb/s: FNCC, HPCC and DCQCN react in this order",
                                       "100 Gb/s: FNCC has the shortest",
                                       "100 Gb/s: FNCC makes more use of the shared link than "
                                       "HPCC, 300",
                                       "100 Gb/s: FNCC makes more use of the shared link than "
                                       "HPCC, 450",
                                       "100 Gb/s: FNCC causes no more pause")),
    "fncc-fairness": (("",), ("FNCC shares the link fairly",)),
    "fncc-hops": (("",), ("first hop: FNCC's longest", "last hop: FNCC's longest")),
    "fncc-fct": (("-websearch", "-hadoop"), ()),
    "hpcc-fct":
    (("",), ("30 % + incast: p95 slowdown up to 120 kB is lowest under HPCC",
             "30 % + incast: HPCC causes no pauses",
             "50 %: p95 slowdown up to 120 kB is lowest under HPCC",
             "50 %: HPCC causes no pauses")),
    "message-lateness": (("",),
                         ("RTW: a message completes", "wasted payload is at most",
                          "there is an RTW or RNR", "RTW stops a sender once", "RNR wastes more",
                          "rendezvous costs nothing", "every receive is followed")),
    "wreb-incast": (("", "-hops"), ("PFC: with BTS senders cut sooner than with echoed marks",
                                    "PFC: with BTS senders cut sooner than with DCTCP",
                                    "lossy: with BTS senders cut sooner than with echoed marks",
                                    "PFC: notifications are below 1 %")),
    "wreb-burst": (("",), ("lossy: with BTS no flow waits", "lossy: the burst completes sooner",
                           "PFC: the longest queue is shorter")),
    "trimming-feedback": (("",), ("first switch: WREB tells sooner", "last switch: trimming is",
                                  "everywhere both tell of each packet")),
    "reps-load-balancing":
    (("", "-failure"),
     ("permutation, DCTCP: goodput of REPS", "half-rate link, DCTCP: goodput of REPS",
      "failing link, DCTCP: REPS reaches", "failing link, DCTCP: REPS is at",
      "incast, DCTCP: REPS has")),
    "fault-costs": (("",),
                    ("link down, ECMP", "link down, adaptive", "link down, random spraying")),
    "uet": (("",), tuple(f"{case}, {rate} Gb/s, {control}: the last flow within"
                         for case in ("lone flow", "incast of 15") for rate in (100, 400)
                         for control in ("nscc", "rccc", "both"))),
    "uet-losses": (("",), ("one path, 1e-3: go-back-N is best", "sprayed, 1e-3: time-outs alone",
                           "one path, drops in an incast", "sprayed, drops in an incast")),
    "modifiers-fairness":
    (("",), ("DCTCP, step, 2 flows: reaches 0.99", "DCTCP, slope, 2 flows: reaches 0.99",
             "DCQCN, 2 flows: reaches 0.99")),
    "modifiers-recovery":
    (("",), ("DCTCP, 2 flows: with recovery", "DCQCN, 2 flows: with recovery")),
    "modifiers-gates": (("", "-hot-path"), ("DCTCP, random spraying, EWMA gate: more goodput",
                                            "DCTCP, path set, majority gate: more goodput",
                                            "DCTCP, path set, majority gate: the longest queue")),
    "modifiers-study": (("",), tuple(f"{case}: the {modifier} slows no control down"
                                     for case in ("hot path", "incast")
                                     for modifier in ("EWMA gate", "majority gate",
                                                      "median filter"))),
    "schemes": (("",), ()),
    "direct-networks": (("",),
                        ("72 hosts, adversarial: minimal routing has",
                         "72 hosts, adversarial: valiant has", "72 hosts, adversarial: ugal has",
                         "72 hosts, uniform: UGAL is")),
    "rcm-burst": (("",),
                  ("the burst begins with half", "RCM: 8 us later the burst has",
                   "RCM: each of the four has", "DCQCN: the burst keeps half",
                   "in the 100 us after the burst the four have more under RCM alone",
                   "in the 100 us after the burst the four have more under RCM than")),
    "rcm-victim": (("",),
                   ("without control the victim has", "RCM alone: the others are",
                    "RCM: the victim has at least", "RCM: the others are")),
    "rcm-hotspot": (("",), ()),
    "rcm-fct": (("",), ()),
    "ccm-alltoall": (("",), ("leaf-spine, whole, dcqcn: fewer needless cuts than with adaptive",
                             "leaf-spine, whole, dcqcn: the all-to-all ends sooner than with "
                             "adaptive",
                             "leaf-spine, whole, dcqcn: congestion inside",
                             "leaf-spine, whole, dcqcn: an incast alone",
                             "leaf-spine, slow link, dcqcn: fewer needless cuts than with ECMP",
                             "leaf-spine, slow link, dcqcn: fewer needless cuts than with adaptive",
                             "leaf-spine, slow link, dcqcn: the all-to-all ends sooner than with "
                             "adaptive", "leaf-spine, slow link, dcqcn: congestion inside")),
    "gpcnet":
    (("",), ("no control: congestors harm RR two-sided latency",
             "no control: congestors harm RR two-sided bandwidth",
             "no control: congestors harm multiple allreduce",
             "hpcc: congestors harm RR two-sided latency",
             "hpcc: congestors harm RR two-sided bandwidth",
             "hpcc: congestors harm multiple allreduce")),
    "pft-sweep": (("", "-victims"),
                  ("524288 B: most settings", "524288 B: the best setting lowers")),
    "pft-gpcnet": (("", "-injection", "-processes"), ()),
    "harm": (("",), ()),
    "message-sequence": (("-1d", "-1e", "-1f"),
                         ("1D: packets of a posted", "1D: the sender goes", "1D: there is no",
                          "1E: each packet", "1E: the sender stops", "1E: posting the receive",
                          "1E: the sender goes", "1F: packets arrive", "1F: the second")),
}

# Those whose second call and whose figures from result.json are looked at: with seeds and without
# any, with several figures and with one; the code is that of all.
TWICE = ("fncc-response", "message-sequence", "modifiers-study")


def processor_time():
    """Seconds that processes started by this one took, which other work on the machine leaves as
    they are."""
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def find_modules(test):
    """Lets a test import the package and what the experiments share."""
    for folder in (str(PACKAGE), str(EXAMPLES)):
        sys.path.insert(0, folder)
        test.addCleanup(sys.path.remove, folder)


class FirmTest(unittest.TestCase):
    def test_flows_above(self):
        """Of 199 flows the 190th is p95, and nine are above; of 200 ten. p99 takes 1,000."""
        find_modules(self)
        from showcases.series import firm

        for statistic, flows, enough in (("p95", 199, False), ("p95", 200, True),
                                         ("p99", 999, False), ("p99", 1000, True),
                                         ("median", 19, False), ("average", 20, True),
                                         ("p95", 0, False)):
            self.assertEqual(firm(statistic, flows), enough, (statistic, flows))


@unittest.skipUnless(os.environ.get("DCFABRIC_SIM"),
                     "DCFABRIC_SIM does not name the program: run ./run-tests")
class ExperimentTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.dir = Path(temporary.name)

    def call(self, name, *arguments):
        return subprocess.run([sys.executable, str(EXAMPLES / f"{name}.py"), *arguments],
                              cwd=self.dir,
                              capture_output=True, text=True, timeout=300)

    def check(self, name, *more):
        figures, claims = EXPERIMENTS[name]
        began = processor_time()
        run = self.call(name, "--quick", "--out", "out", *more)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertLess(processor_time() - began, 90,
                        "the quick form takes less than a minute of two idle cores")
        result = json.loads((self.dir / "out" / "result.json").read_text())
        self.assertEqual(result["experiment"], name)
        self.assertTrue(result["numbers"])
        for number in result["numbers"]:
            self.assertIn(f"{number['quantity']}: ", run.stdout)
        for begin in claims:
            found = [claim for claim in result["claims"] if claim["text"].startswith(begin)]
            self.assertEqual(len(found), 1, begin)
            self.assertTrue(found[0]["holds"], f"{found[0]['text']}: {found[0]['values']}")
        names = [f"{name}{suffix}.png" for suffix in figures]
        for figure in names:
            self.assertEqual((self.dir / "out" / figure).read_bytes()[:8], PNG)
        if name in TWICE or ALL:
            self.check_again(name, run, names, *more)

    def check_again(self, name, run, names, *more):
        """What all experiments share."""
        # a second call runs nothing and says the same
        again = self.call(name, "--quick", "--out", "out", *more)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(again.stdout, run.stdout)
        self.assertNotIn("done in", again.stderr)
        # the figures come from result.json alone
        plot = subprocess.run([sys.executable, str(EXAMPLES / "dcfabric-plot"), "out", "--out",
                               "again"],
                              cwd=self.dir, capture_output=True, text=True, timeout=120)
        self.assertEqual(plot.returncode, 0, plot.stderr)
        self.assertEqual(plot.stdout.split(), [f"again/{figure}" for figure in names])

    def test_response(self):
        self.check("fncc-response")

    @longer("the suite dcfabric-control-network")
    def test_ccm_alltoall(self):
        self.check("ccm-alltoall")

    def test_throttling(self):
        self.check("pft-sweep")
        for text in ("", "1,x", "64kB"):
            run = self.call("pft-sweep", f"--buffers={text}")
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn("--buffers: ", run.stderr)
        run = self.call("pft-sweep", "--quick", "--buffers=30000", "--seeds=1")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("is never passed", run.stderr)

    @extensive("no claim of it has to hold in the quick form; gpcnet has the same parts")
    def test_throttling_under_gpcnet(self):
        self.check("pft-gpcnet")

    def test_throttling_under_gpcnet_refusals(self):
        for arguments, words in ((("--buffers=1,x",), "--buffers: "),
                                 (("--per-host=0",), "0 is less than 1"),
                                 (("--quick", "--buffers=30000", "--unit=64"), "is never passed"),
                                 (("--settings=AT-RI, m=18;most",),
                                  "--settings: unknown 'most'; known: few, grid, all"),
                                 (("--unit=0",), "0 is less than 1"),
                                 (("--pause=-1",), "-1 is less than 0"),
                                 (("--quick", "--lb=adaptiv"), "adaptiv"),
                                 (("--quick", "--delay=x"), "delay")):
            run = self.call("pft-gpcnet", *arguments)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertEqual(run.stdout, "")
            self.assertIn(words, run.stderr)

    @longer("test_gpcnet.py, and pft-sweep has its parts")
    def test_gpcnet(self):
        self.check("gpcnet")

    def test_gpcnet_refusals(self):
        for arguments, words in ((("--cc=none,hpc",),
                                  "--cc: unknown 'hpc'; known: all, none, hpcc"),
                                 (("--cc=pft",), "give all runs larger ones"),
                                 (("--per-host=0",), "0 is less than 1")):
            run = self.call("gpcnet", *arguments)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn(words, run.stderr)

    def test_harm(self):
        """No ratio of the pairs that once did harm has grown (doc/harm.rst)."""
        self.check("harm")
        claims = json.loads((self.dir / "out" / "result.json").read_text())["claims"]
        self.assertGreater(len(claims), 10)
        self.assertEqual(
            [f"{claim['text']}: {claim['values']}" for claim in claims if not claim["holds"]], [])
        for arguments, words in ((("--subjects=RCM,CMC",),
                                  "--subjects: unknown 'CMC'; known: WREB with DCQCN"),
                                 (("--cases=rac",), "--cases: unknown 'rac'; known: rack"),
                                 (("--doc", "--quick"),
                                  "--doc: the document has all scenarios; leave out --quick"),
                                 (("--bounds",),
                                  "--bounds: these are of the short form; give --quick, too")):
            run = self.call("harm", *arguments)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn(words, run.stderr)

    @longer("the suite dcfabric-faults")
    def test_fault_costs(self):
        self.check("fault-costs")

    def test_uet(self):
        self.check("uet")

    @longer("the suites dcfabric-reliability and dcfabric-trimming")
    def test_losses(self):
        self.check("uet-losses")

    def test_fairness(self):
        self.check("fncc-fairness")

    def test_hops(self):
        self.check("fncc-hops")

    @extensive("no claim of it has to hold in the quick form; hpcc-fct has the same parts")
    def test_fct(self):
        self.check("fncc-fct")

    def test_hpcc_fct(self):
        self.check("hpcc-fct")

    def test_hpcc_fct_refuses_a_bad_duration(self):
        for text in ("2 years", "ms", "-1ms", "1"):
            run = self.call("hpcc-fct", f"--duration={text}")
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn(f"--duration '{text}' is not a time with a unit", run.stderr)
        run = self.call("hpcc-fct", "--duration=374us")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("--duration '374us' is shorter than the 375 us between two incasts",
                      run.stderr)

    @longer("message-sequence, and the suite dcfabric-messages-network")
    def test_message_lateness(self):
        self.check("message-lateness")

    def test_message_sequence(self):
        self.check("message-sequence")

    @longer("the suite dcfabric-wreb-incast")
    def test_wreb_incast(self):
        self.check("wreb-incast")

    @longer("the suite dcfabric-wreb")
    def test_wreb_burst(self):
        self.check("wreb-burst")

    def test_trimming_feedback(self):
        self.check("trimming-feedback")

    @longer("the suite dcfabric-reps-network")
    def test_reps_load_balancing(self):
        self.check("reps-load-balancing")

    @longer("the suite dcfabric-control-network")
    def test_modifiers_fairness(self):
        self.check("modifiers-fairness")

    @longer("modifiers-study, and the suite dcfabric-control-network")
    def test_modifiers_recovery(self):
        self.check("modifiers-recovery")

    @longer("modifiers-study, and the suite dcfabric-gates")
    def test_modifiers_gates(self):
        self.check("modifiers-gates")

    def test_modifiers_study(self):
        self.check("modifiers-study")

    @longer("harm, and the suites of the schemes")
    def test_schemes(self):
        """Every scheme of the quick form has its numbers and a line of the table."""
        self.check("schemes")
        result = json.loads((self.dir / "out" / "result.json").read_text())
        table = (self.dir / "out" / "schemes-table.inc").read_text()
        for kind, names in (("cc", ("hpcc", "dctcp")), ("lb", ("ecmp", "reps"))):
            schemes = result["series"]["schemes"][kind]
            self.assertEqual(sorted(schemes), sorted(names))
            for name in names:
                self.assertIsInstance(schemes[name]["cost"], float)
                if result["series"]["counted"] != "user time":  # which varies
                    self.assertGreater(schemes[name]["cost"], 100)
                self.assertIn(f'"``{name}``"', table)

    @longer("the suite dcfabric-routing")
    def test_direct_networks(self):
        self.check("direct-networks")

    def test_rcm_burst(self):
        self.check("rcm-burst")

    def test_rcm_victim(self):
        self.check("rcm-victim")

    def test_rcm_victim_of_more_senders(self):
        """By hand the victim's part is 50 Gb/s with any number of senders, since half of them,
        which share its way up, have half of the line of the destination; without control it is 100
        / 16 = 6 Gb/s with 16 of them."""
        run = self.call("rcm-victim", "--quick", "--senders=16,2,2", "--seeds=1", "--out", "out")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        result = json.loads((self.dir / "out" / "result.json").read_text())
        values = {number["case"]: number["value"] for number in result["numbers"]}
        self.assertEqual(list(values), [f"{senders} senders, {name}" for senders in (2, 16)
                                        for name in ("DCQCN", "RCM by the letter", "RCM",
                                                     "RCM alone")])
        for senders in (2, 16):
            self.assertGreater(values[f"{senders} senders, RCM"], 0.95 * 50)
            self.assertAlmostEqual(values[f"{senders} senders, RCM alone"], 50, delta=2.5)
        self.assertLess(values["16 senders, DCQCN"], 40)
        self.assertIn("16 senders: with RCM the victim has at least 0.95 of DCQCN alone",
                      [claim["text"] for claim in result["claims"]])
        self.assertEqual((self.dir / "out" / "rcm-victim-senders.png").read_bytes()[:8], PNG)
        self.assertFalse((self.dir / "out" / "rcm-victim.png").exists())
        self.assertEqual((self.dir / "out" / "senders-2.topo").read_text().splitlines(), [
            "11 6 10", "5 6 7 8 9 10", "0 5 100Gbps 1us 0", "1 5 100Gbps 1us 0",
            "2 6 100Gbps 1us 0", "5 7 100Gbps 1us 0", "6 8 100Gbps 1us 0", "7 9 100Gbps 1us 0",
            "8 9 100Gbps 1us 0", "3 9 100Gbps 1us 0", "7 10 100Gbps 1us 0", "4 10 100Gbps 1us 0"])

    def test_rcm_victim_refuses_senders_it_cannot_halve(self):
        for value, shown in (("3", "3"), ("0", "0"), ("66", "66"), ("2,", ""), ("two", "two"),
                             ("", "")):
            run = self.call("rcm-victim", f"--senders={value}")
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn(f"--senders: '{shown}' is not an even number from 2 to 64", run.stderr)
        run = self.call("rcm-victim", "--senders=2", "--sweep")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("not allowed with", run.stderr)

    @longer("test_sweep")
    def test_rcm_sweeps_values_that_it_takes(self):
        run = self.call("rcm-burst", "--quick", "--sweep", "--seeds=1", "--out", "out")
        self.assertEqual(run.returncode, 0, run.stderr)
        cases = {number["case"]
                 for number in json.loads((self.dir / "out" / "result.json")
                                          .read_text())["numbers"]}
        self.assertLessEqual({"StandOut=2", "StandOut=255", "MeasureBytes=16000"}, cases)

    @extensive("no claim of it has to hold in the quick form")
    def test_rcm_hotspot(self):
        self.check("rcm-hotspot")

    def test_rcm_hotspot_refuses_what_it_does_not_know(self):
        for arguments, words in ((("--techniques=DCQCN,RMC",),
                                  "--techniques: unknown 'RMC'; known: no control, DCQCN, RCM"),
                                 (("--loads=0.3,1.5",),
                                  "--loads: '1.5' is not a number above 0 and at most 1"),
                                 (("--loads=0.3,",), "--loads: '' is not a number"),
                                 (("--k=5",), "argument --k: invalid choice: 5"),
                                 (("--duration=1",), "--duration '1' is not a time with a unit")):
            run = self.call("rcm-hotspot", *arguments)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn(words, run.stderr)
        run = self.call("rcm-fct", "--workloads=enterprise,web")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("--workloads: unknown 'web'; known: enterprise, datamining", run.stderr)

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_what_arrived_by_a_time_counts_parts_of_flows(self):
        """Flow 1 ends after 100 us at 4 Gb/s: 50 kB. Flow 0 has 8 Gb/s for 300 us: 300 kB, and more
        later. Flow 2 begins then."""
        import pandas
        find_modules(self)
        from showcases.regional import received_bytes
        rates = pandas.DataFrame({"time_ns": [100e3, 300e3, 400e3, 400e3], "flow": [1, 0, 0, 2],
                                  "throughput_bps": [4e9, 8e9, 8e9, 8e9]})
        self.assertEqual(dict(received_bytes(types.SimpleNamespace(rates=rates), 300e3)),
                         {0: 300e3, 1: 50e3})

    def test_ranges_reach_from_the_mean_to_both_ends(self):
        find_modules(self)
        from dcfabric.drawing import ranges
        spreads = [{"mean": 2.0, "low": 1.5, "high": 4.0}, {"mean": 3.0, "low": 3.0, "high": 3.0}]
        self.assertEqual(ranges(spread for spread in spreads), [[0.5, 0.0], [2.0, 0.0]])

    @extensive("no claim of it has to hold in the quick form")
    def test_rcm_fct(self):
        self.check("rcm-fct")

    def test_sweep(self):
        """Instead of figures, numbers for each value of a parameter."""
        run = self.call("reps-load-balancing", "--quick", "--sweep", "--out", "out")
        self.assertEqual(run.returncode, 0, run.stderr)
        result = json.loads((self.dir / "out" / "result.json").read_text())
        cases = {number["case"] for number in result["numbers"]}
        self.assertIn("4 MB, Expiry 100us", cases)
        self.assertIn("Hadoop at 50 %, Capacity 256", cases)
        self.assertEqual(list((self.dir / "out").glob("*.png")), [])

    def test_set(self):
        """LHCS alone makes the difference to HPCC at the last hop small (paper: 38.5 and 8.4 %)."""
        cut = {}
        for out, arguments in (("with", ()),
                               ("without",
                                ("--set",
                                 "fncc,ns3::FnccCongestionControl::LastHopSpeedup=false"))):
            run = self.call("fncc-hops", "--quick", "--out", out, *arguments)
            self.assertEqual(run.returncode, 0, run.stderr)
            result = json.loads((self.dir / out / "result.json").read_text())
            self.assertEqual(len(result["set"]), len(arguments) // 2)
            cut[out], = (number["value"] for number in result["numbers"]
                         if (number["case"], number["quantity"])
                         == ("last hop, FNCC", "longest queue below HPCC's by"))
        self.assertGreater(cut["with"], 35)
        self.assertLess(cut["without"], 15)

    def test_runs_of_another_set(self):
        """They do not replace those that are there, unless asked for."""
        self.assertEqual(self.call("fncc-hops", "--quick", "--out", "out").returncode, 0)
        other = ("fncc-hops", "--quick", "--out", "out", "--set", "ns3::FabricNic::AckEvery=2")
        run = self.call(*other)
        self.assertEqual((run.returncode, run.stderr.count("\n")), (2, 1), run.stderr)
        self.assertIn("give another --out, or overwrite them with --force", run.stderr)
        self.assertEqual(self.call(*other, "--force").returncode, 0)

    def test_refusals(self):
        (self.dir / "no-program").write_text("")
        for arguments, words in ((("--program", "no-program"), "is not a program"),
                                 (("--seeds", "0"), "0 is less than 1"),
                                 (("--seed", "x"), "invalid"),
                                 (("--set", "lb"), "'lb' is not [CC,]NAME=VALUE"),
                                 (("--set", "ns3::Nothing::Here=1"), "ns3::Nothing::Here"),
                                 (("--set", "rocc,lb=ecmp"), "no run of this experiment has"),
                                 (("--set", "load=1"), "this experiment sets it itself")):
            run = self.call("fncc-fct", "--quick", *arguments)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn(words, run.stderr)
        run = self.call("fncc-fct", "--load", "2", "--duration", "1us", "--seeds", "1")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("load", run.stderr)
        self.assertFalse((self.dir / "results-fncc-fct" / "result.json").exists())


class OptionsTest(unittest.TestCase):
    """What an experiment makes of its command line."""

    def options(self, *arguments, **more):
        find_modules(self)
        from showcases.experiment import Experiment
        experiment = Experiment("test", "A test", **more)
        experiment.add("--duration", "20ms", "1ms", "of arrivals")
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            found = experiment._parse(arguments)
        return found.seeds, found.duration, said.getvalue()

    def test_what_is_given_holds(self):
        """--quick took the place of what was given, and result.json had seeds that never ran."""
        for arguments, expected in (((), (5, "20ms", "")), (("--quick",), (1, "1ms", "")),
                                    (("--quick", "--seeds=3"), (3, "1ms", "")),
                                    (("--quick", "--duration=2ms"), (1, "2ms", "")),
                                    (("--seeds=2", "--duration=2ms"), (2, "2ms", ""))):
            with self.subTest(arguments):
                self.assertEqual(self.options(*arguments, seeds=5), expected)
        self.assertEqual(self.options("--quick", seeds=10, quick_seeds=3)[0], 3)

    def test_nothing_random(self):
        self.assertEqual(self.options("--seeds=1"), (1, "20ms", ""))
        self.assertEqual(self.options("--seeds=4"),
                         (1, "20ms",
                          "test.py: nothing is random in this experiment: one seed instead of "
                          "--seeds=4\n"))

    def test_baseline_of_other_techniques(self):
        """The axis named DCQCN also where it was not among the techniques."""
        find_modules(self)
        from showcases.regional import FIGURES
        one = {"mean": 2, "low": 1, "high": 3}
        for names, baseline in ((("HPCC", "Swift"), "HPCC"), (("RCM", "DCQCN"), "DCQCN")):
            figure = FIGURES["rcm-fct"][""](
                {"enterprise, strided": {name: {"all": one} for name in names}})
            self.assertEqual(figure.axes[0].get_ylabel(),
                             f"mean completion time over {baseline}'s")


if __name__ == "__main__":
    unittest.main()
