# SPDX-License-Identifier: GPL-2.0-only
"""What the package says of misspelt names, of packages that are missing, and of one thing and
several."""
import pickle
import sys
import unittest
from unittest import mock

from package_case import PackageCase
from test_plot import write_result

import dcfabric.drawing  # all that is imported while a package is hidden would be imported again
import dcfabric.study_figure
from dcfabric import DcfabricError, Findings, Result, Scenario, Study, SweepFailed, sweep
from dcfabric.wording import count_of, hint, nearest


class WordsTest(unittest.TestCase):
    def test_counts(self):
        self.assertEqual([count_of(n, "flow") for n in (0, 1, 2)], ["0 flows", "1 flow", "2 flows"])
        self.assertEqual(count_of(3, "packet sent again"), "3 packets sent again")
        self.assertEqual([count_of(n, "switch", "switches") for n in (1, 2)],
                         ["1 switch", "2 switches"])

    def test_nearest(self):
        self.assertEqual(nearest("workloads", ["load", "workload"]), "workload")
        self.assertEqual(nearest("Flow-Control", ["flows", "flow_control"]), "flow_control")
        self.assertEqual(nearest("congest", ["congestion-control", "contest"]),
                         "contest")
        self.assertEqual(nearest("congest", ["congestion-control", "load-balancer"]),
                         "congestion-control")
        # a known one with more behind it, the longest: alike by 2 x 6 / (18 + 6) = 0.5 only
        self.assertEqual(nearest("on_acknowledgement", ["on_ack", "on_", "start"]), "on_ack")
        self.assertEqual(nearest("lbxxxxx", ["lb"]), "")
        # what is far away would mislead
        self.assertEqual([nearest(name, ["load", "lb", "delay"]) for name in ("xyz", "q", "beam")],
                         ["", "", ""])
        self.assertEqual(nearest("x", []), "")

    def test_hints(self):
        self.assertEqual(hint("laod", ["load", "cc"]), "; the nearest is load")
        self.assertEqual(hint("xyz", ["load", "cc"]), "; there are cc, load")
        self.assertEqual((hint("xyz", []), hint("xyz", [f"name{n}" for n in range(20)])), ("", ""))

    def test_one_run(self):
        self.assertIn("1 of 1 run failed", str(SweepFailed({"a": DcfabricError("no")}, {})))
        self.assertEqual(repr(Study(Scenario(), {"cc": ["hpcc"]}, seeds=1)),
                         "Study(cc: hpcc; seeds 1: 1 run)")
        self.assertIn("<td style='text-align:left'>1 flow, 1 byte</td>",
                      Scenario(flows=[(0, 1, 1)])._repr_html_())


class ArgumentsTest(unittest.TestCase):
    def refuse(self, words, function, *values, **named):
        with self.assertRaisesRegex(DcfabricError, words):
            function(*values, **named)

    def test_fields(self):
        self.refuse("Scenario has no field 'workloads'; the nearest is workload;", Scenario,
                    workloads="websearch")
        self.refuse("no field 'flow_controll'; the nearest is flow_control;", Scenario().replace,
                    flow_controll="none")
        self.refuse("no field 'out': give it to run", Scenario, out="results")
        self.refuse("column 'x', a: Scenario has no field 'loads'; the nearest is load", Study,
                    Scenario(), {"x": {"a": {"loads": 1}}})

    def test_arguments(self):
        self.refuse(r"sweep\(\) has no argument 'job'; the nearest is jobs", sweep, [], job=2)
        self.refuse(r"sweep\(\) has no argument 'cc'; it is a field of Scenario", sweep, [],
                    cc="hpcc")
        self.refuse(r"compare values with Study\(scenario, {'load': \[0.3, 0.5\]}\)$", sweep,
                    Scenario(), load=[0.3, 0.5])
        self.refuse(r"Study\(\) has no argument 'sed'; the nearest is seeds", Study, Scenario(),
                    {"cc": ["hpcc"]}, sed=3)
        self.refuse(r"Study.run\(\) has no argument 'output'; the nearest is out",
                    Study(Scenario(), {"cc": ["hpcc"]}).run, output="x")
        self.refuse(r"Scenario.run\(\) has no argument 'forced'; the nearest is force",
                    Scenario().run, forced=True)

    def test_scenarios_can_be_sent(self):
        """Other processes get them, which make them without arguments first."""
        scenario = Scenario(cc="fncc", attributes={"ns3::A::B": 1})
        self.assertEqual(pickle.loads(pickle.dumps(scenario)), scenario)


class PackagesTest(PackageCase):
    """Each package that is missing is one sentence with the way to it."""

    def setUp(self):
        super().setUp()
        self.result = Result(write_result(self.dir / "a"))
        self.findings = Findings(["cc"], [({"cc": "hpcc"}, seed, self.result) for seed in (1, 2)])

    def lacks(self, package, *uses):
        hidden = {name: None for name in [*sys.modules, package]
                  if name == package or name.startswith(f"{package}.")}
        for number, use in enumerate(uses):
            with self.subTest(number), mock.patch.dict(sys.modules, hidden), self.assertRaises(
                    DcfabricError) as caught:
                use()
            self.assertRegex(str(caught.exception),
                             rf"^[\w -]+ needs? the Python package {package}: pip install "
                             rf"{package}\b[^\n]*$")
            yield str(caught.exception)

    def test_pandas(self):
        said = list(self.lacks("pandas", lambda: self.result.flows, lambda: self.findings.frame(),
                               lambda: self.findings.tidy(),
                               lambda: self.findings.intervals("slowdown_mean"),
                               lambda: self.findings.differences(
                                   "slowdown_mean", "cc", "hpcc", "hpcc")))
        self.assertIn("data frames need the Python package pandas", said[0])

    def test_matplotlib(self):
        plan = dcfabric.Plan("x", (), (), {})
        for said in self.lacks("matplotlib", lambda: self.findings.plot("cc", "slowdown_mean"),
                               lambda: dcfabric.drawing.panels(1, 1, 3, 3), plan.draw):
            self.assertIn("the extra 'plot' of dcfabric has it", said)

    def test_pyarrow(self):
        for said in self.lacks("pyarrow", self.result.to_parquet):
            self.assertIn("the extra 'parquet' of dcfabric has it", said)

    def test_plotly(self):
        try:
            from dcfabric.plots.page import script_of_plotly
        except ImportError as error:
            self.skipTest(str(error))
        for said in self.lacks("plotly", script_of_plotly):
            self.assertIn("--html needs the Python package plotly", said)

    def test_installed(self):
        """Where pip has installed the package, pip is told the extra."""
        with mock.patch("dcfabric.program.installed",
                        return_value=self.dir), mock.patch.dict(sys.modules, {"matplotlib": None}):
            with self.assertRaisesRegex(DcfabricError, r"pip install 'dcfabric\[plot\]' \("):
                self.findings.plot("cc", "slowdown_mean")


if __name__ == "__main__":
    unittest.main()
