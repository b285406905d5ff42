# SPDX-License-Identifier: GPL-2.0-only
"""Small samples do not pass as findings: percentiles of few flows, intervals of few or equal seeds,
differences seed by seed."""
import contextlib
import io
import json
import math
import tempfile
import unittest
import warnings
from pathlib import Path

from package_case import ROOT  # noqa: F401  (finds the package)
from test_plot import EVERYTHING, FLOWS, load_plot

from dcfabric import (DcfabricError, FewFlowsWarning, FewSeedsWarning, Findings, Result,
                      paired)
from dcfabric.grid_tables import tell_runs
from dcfabric.intervals import Interval, bounded, mean_interval
from dcfabric.measures import BUCKETS, above, by_size, sizes_of
from dcfabric.plots.baselines import baseline_of
from dcfabric.plots.page import columns_of
from dcfabric.quantities import of_function, quantity
from dcfabric.traffic import asked_load, is_far, loads_drawn


class PercentileTest(unittest.TestCase):
    def test_values_above(self):
        """Of 1,000 values p99 is the 990th, of 999 it is the 990th, too (989.01), of 44 the 44th
        (43.56), and p95 the 42nd (41.8)."""
        self.assertEqual([above(1000, 99), above(999, 99), above(44, 99), above(44, 95),
                          above(20, 50), above(1, 50), above(0, 50)], [10, 9, 0, 2, 10, 0, 0])

    def test_sizes(self):
        self.assertEqual(sizes_of("100kB, 1MB,2.5 MB"),
                         {"100 kB": 1e5, "1 MB": 1e6, "2.5 MB": 2.5e6, "above": math.inf})
        for text, words in (("1MB,100kB", "not above the one before"), ("1MB,1000kB", "not above"),
                            ("", "'' is no size"), ("10", "no size such as 100kB"),
                            ("1kB,,2kB", "'' is no size")):
            with self.assertRaisesRegex(DcfabricError, words):
                sizes_of(text)
        import pandas
        flows = pandas.DataFrame({"size_bytes": [1, 100_000, 100_001, 10**9]})
        self.assertEqual({name: len(part) for name, part in
                          by_size(flows, sizes_of("100kB,1MB")).items()},
                         {"100 kB": 2, "1 MB": 1, "above": 1})
        self.assertEqual(list(by_size(flows)), ["10 kB", "100 kB", "200 kB", "above"])
        self.assertIn("100 kB", BUCKETS)


class BoundedTest(unittest.TestCase):
    def test_ends(self):
        """-5.1 to 22.6 was an interval of slowdowns."""
        found = bounded(Interval(8.75, -5.1, 22.6, 3), [3, 8, 15.25], 1.0)
        self.assertEqual(found, (8.75, 1, 22.6, 3))
        # a value beyond the range, by rounding, is inside its interval
        self.assertEqual(bounded(Interval(1, 0.2, 1.8, 2), [0.999, 1.001], 1.0).low, 0.999)
        self.assertEqual(bounded(Interval(0.9, 0.7, 1.3, 2), [0.85, 0.95], 0, 1)[1:3], (0.7, 1))
        for values in ([5, 5, 5], [5], []):
            found = bounded(mean_interval(values), values)
            self.assertTrue(math.isnan(found.low) and math.isnan(found.high), values)

    def test_ranges_of_quantities(self):
        for name, ends in {"slowdown_p99": (1, math.inf), "flows.slowdown.sum": (0, math.inf),
                           "fct_mean_us": (0, math.inf), "jain": (0, 1),
                           "goodput_gbps": (0, math.inf), "links.utilisation.max": (0, 1)}.items():
            one = quantity(name)
            self.assertEqual((one.least, one.most), ends, name)

        def gain(result):
            return result.summary["gain"]

        self.assertEqual(quantity(gain).least, -math.inf)  # what is unknown has any value
        share = of_function(gain, least=0, most=1)
        self.assertEqual((share.least, share.most), (0, 1))


class FolderCase(unittest.TestCase):
    """Runs with numbers of our own."""

    def setUp(self):
        self.program = load_plot()
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.dir = Path(temporary.name)
        self.number = 0

    def folder(self, slowdowns, size=1000, **options):
        """A run whose flows take so many us; alone they would take 1 us."""
        self.number += 1
        folder = self.dir / str(self.number)
        folder.mkdir()
        (folder / "flows.csv").write_text(FLOWS + "".join(
            f"{i},0,1,{size},0,{1000 * one},{1000 * one},1000,{one},1,0,0\n"
            for i, one in enumerate(slowdowns)))
        (folder / "summary.json").write_text(json.dumps(
            {"options": options, "max_queue_bytes": 1000 * self.number, "status": "complete"}))
        return folder

    def lines(self, *folders, labels=None):
        names = labels or [folder.name for folder in folders]
        return self.program.data.lines_of([self.program.data.Run(folder, name, EVERYTHING)
                                           for folder, name in zip(folders, names)])


class FindingsTest(FolderCase):
    def findings(self, values, cc="fncc"):
        """A flow for each seed, with such a slowdown."""
        return [({"cc": cc}, seed, Result(self.folder([value], cc=cc, seed=str(seed))))
                for seed, value in enumerate(values, 1)]

    def test_few_seeds_warn(self):
        with self.assertWarnsRegex(FewSeedsWarning, "intervals of 4 seeds say little: take 5"):
            Findings(["cc"], self.findings([1, 2, 3, 4])).intervals("slowdown_mean")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            Findings(["cc"], self.findings([1, 2, 3, 4, 5])).intervals("slowdown_mean")

    def test_equal_seeds_have_no_interval(self):
        """[1.752164, 1.752164] looked like a certain result; the seed changes nothing."""
        findings = Findings(["cc"], self.findings([1.752164] * 5) + self.findings([2] * 5, "hpcc"))
        for method in ("t", "bootstrap"):
            found = findings.intervals("slowdown_mean", method=method)
            self.assertEqual(found["mean"].round(6).tolist(), [1.752164, 2])
            self.assertTrue(found[["low", "high"]].isna().all(axis=None), method)
        paired_ = findings.differences("slowdown_mean", "cc", "fncc", "hpcc")
        self.assertTrue(paired_[["low", "high"]].isna().all(axis=None))
        figure = findings.plot("cc", "slowdown_mean")
        note = figure._supxlabel.get_text().replace("\n", " ")
        self.assertEqual(note, "no whiskers: all of 5 seeds gave the same")

    def test_percentiles_of_few_values_are_said(self):
        """Of one flow none is above its p99; the mean needs none above."""
        findings = Findings(["cc"], self.findings([1, 2, 3, 4, 5]))
        notes = [findings.plot("cc", name)._supxlabel.get_text().replace("\n", " ")
                 for name in ("slowdown_p99", "slowdown_mean")]
        self.assertIn("as few as 0 values above them", notes[0])
        self.assertNotIn("above them", notes[1])

    def run_of(self, slowdowns, seed, cc="fncc"):
        return {"cc": cc}, seed, Result(self.folder(slowdowns, cc=cc, seed=str(seed)))

    def test_percentiles_of_few_values_are_counted(self):
        """Slowdowns 1 to n: of 200 flows p95 has 10 above it, of 199 it is the 190th (189.05) with
        9. Of both runs together, 399, it is the 380th (379.05), with 19 above."""
        findings = Findings(["cc"], [self.run_of(range(1, n + 1), seed)
                                     for seed, n in enumerate((200, 199, 200, 200, 200), 1)])
        with self.assertWarnsRegex(FewFlowsWarning, "slowdown_p95: in a run as few as 9 values"):
            found = findings.intervals("slowdown_p95", "slowdown_mean")
        self.assertEqual(list(found.columns)[-2:], ["seeds", "n"])
        self.assertEqual(found["n"].tolist()[:1], [199])
        self.assertEqual(found["n"].isna().tolist(), [False, True])
        self.assertEqual([(few.number, few.part, few.above)
                          for few in findings.few(["slowdown_p95", "slowdown_p50"])], [(1, "", 9)])
        for ask in (lambda: findings.frame("slowdown_p99"), lambda: findings.tidy("slowdown_p99"),
                    lambda: findings.differences("slowdown_p99", "cc", "fncc", "fncc")):
            with self.assertWarnsRegex(FewFlowsWarning, "as few as 1 values"):
                ask()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            together = findings.intervals("slowdown_p95", method="bootstrap")
            self.assertEqual(together["n"].tolist(), [999])
            self.assertNotIn("n", findings.intervals("slowdown_mean"))
            findings.frame("slowdown_mean", "max_queue_kb")

    def test_one_result_says_so(self):
        """Of 44 flows p99 is the 44th, p95 the 42nd (41.8), the median the 22nd."""
        overall = {"count": 44, "mean": 2.0, "p50": 1.0, "p95": 3.0, "p99": 4.0}
        folder = self.folder([1])
        (folder / "summary.json").write_text(json.dumps(
            {"slowdown": {"overall": overall}, "status": "complete", "flows_completed": 44,
             "flows_started": 44, "sim_seconds": 1, "goodput_gbps": 1, "max_queue_bytes": 1,
             "pfc_pause_frames": 0, "drops": {}}))
        self.assertIn("slowdown: mean 2.000, p50 1.000, p95 3.000*, p99 4.000* (* of 44 flows "
                      "fewer than 10 are above it)", repr(Result(folder)))
        # of 1,000 there are ten above the p99
        text = (folder / "summary.json").read_text().replace('"count": 44', '"count": 1000')
        (folder / "summary.json").write_text(text)
        self.assertIn("p99 4.000, ", repr(Result(folder)))

    def test_differences_as_a_figure(self):
        """2 and 4 against 1 and 3: of the baseline's mean, 2, both are 50 % more. 2 and 3 against
        them: 50 and 0 %."""
        findings = Findings(["cc"], self.findings([1, 3], "hpcc") + self.findings([2, 4], "fncc")
                            + self.findings([2, 3], "swift"))
        figure = findings.plot_differences("slowdown_mean", "cc", "hpcc",
                                           path=self.dir / "differences.png")
        axis, = figure.axes
        self.assertEqual([text.get_text() for text in axis.get_yticklabels()], ["fncc", "swift"])
        seeds = [line.get_xdata() for line in axis.lines if line.get_markerfacecolor() == "none"]
        self.assertEqual([list(one) for one in seeds], [[50, 50], [50, 0]])
        self.assertIn("fewer than 5 say little", figure._supxlabel.get_text().replace("\n", " "))
        self.assertTrue((self.dir / "differences.png").is_file())
        with self.assertRaisesRegex(DcfabricError, "has no 'x'; there are 'hpcc', 'fncc'"):
            findings.plot_differences("slowdown_mean", "cc", "x")
        with self.assertRaisesRegex(DcfabricError, "no differences to draw"):
            findings.where(cc="hpcc").plot_differences("slowdown_mean", "cc", "hpcc")

    def test_percents(self):
        self.assertEqual(paired.percents([(2, 1), (4, 3)]), [50, 50])
        self.assertEqual(paired.percents([(2, 1), (math.nan, 3), (4, math.nan)]), [100])
        self.assertEqual((paired.percents([(2, 0), (1, 0)]), paired.percents([])), ([], []))

    def test_nothing_is_more_than_all_below_a_baseline(self):
        """Of 1 and 0, with baselines of 1 and 9: 0 and -180 % of 5, mean -90, interval by t far
        below -100. What may be negative has no such end: -90 +- 12.706 * 127.28 / sqrt(2)."""
        found = paired.interval([(1, 1), (0, 9)])
        self.assertEqual((found.mean, found.low), (-90, -100))
        self.assertAlmostEqual(found.high, -90 + 12.7062047 * 90, places=4)
        self.assertAlmostEqual(paired.interval([(1, 1), (-1, 9)]).low, -100 - 12.7062047 * 100,
                               places=3)


class LoadTest(FolderCase):
    """Few flows do not offer the load that was asked for."""

    def summary(self, drawn, asked=0.5, flows=44):
        return {"offered_load": drawn, "asked_load": asked, "load_flows": flows,
                "flows_started": flows, "status": "complete", "options": {"workload": "websearch"}}

    def test_where_it_differs(self):
        """By more than 10 %: 0.56 and 0.44 of 0.5, not 0.55 and 0.45."""
        self.assertEqual([is_far(self.summary(drawn)) for drawn in (0.56, 0.44, 0.549, 0.451)],
                         [True, True, False, False])
        # nothing arrives at random
        for summary in (self.summary(0, 0, 0), {"offered_load": 0.5}, {}):
            self.assertIsNone(asked_load(summary), summary)
            self.assertFalse(is_far(summary))

    def test_it_is_told_once(self):
        self.assertEqual(loads_drawn([self.summary(0.5), self.summary(0.51)]), [])
        self.assertEqual(loads_drawn([self.summary(0.567), self.summary(0.567)]),
                         ["load 0.5: 0.57 drawn, by 44 flows"])
        self.assertEqual(loads_drawn([self.summary(0.2, flows=1)]),
                         ["load 0.5: 0.20 drawn, by 1 flow"])
        self.assertEqual(loads_drawn([self.summary(0.9, 0.7, 1234), self.summary(0.567),
                                      self.summary(0.5, flows=40), self.summary(0.71, 0.7, 9),
                                      self.summary(0.3, 0.3)]),
                         ["load 0.5: 0.50 to 0.57 drawn, by 40 to 44 flows",
                          "load 0.7: 0.71 to 0.90 drawn, by 9 to 1,234 flows"])

    def test_tables_and_figures_tell(self):
        folder = self.folder([1, 2])
        (folder / "summary.json").write_text(json.dumps(
            {**self.summary(0.567), "flows_completed": 44,
             "sim_seconds": 1, "goodput_gbps": 1, "max_queue_bytes": 1, "pfc_pause_frames": 0,
             "drops": {}, "slowdown": {"overall": {"count": 0}}}))
        said = "load 0.5: 0.57 drawn, by 44 flows"
        self.assertIn(f"offered: {said}", repr(Result(folder)))
        lines = self.lines(folder)
        for figure in (self.program.comparison.comparison(lines),
                       self.program.trend.draw(lines, self.program.trend.Grid("load", None, None),
                                               False)):
            self.assertIn(said, figure._supxlabel.get_text().replace("\n", " "))
        columns = {one["name"]: one["cells"] for one in columns_of(lines, False)}
        self.assertEqual(columns["load, as drawn"][0]["mean"], 0.567)
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            tell_runs(Findings(["cc"], [({"cc": "x"}, 1, Result(folder))]), ["slowdown_mean"], "")
        self.assertIn(f"\n{said}\n", text.getvalue())
        (folder / "summary.json").write_text(json.dumps(self.summary(0.5)))
        columns = [one["name"] for one in columns_of(self.lines(folder), False)]
        self.assertNotIn("load, as drawn", columns)


class FigureTest(FolderCase):
    def test_points_of_few_flows_are_hollow(self):
        """Slowdowns 1 to 200: of 200 flows p95 has 10 above it, p99 has 2; of 19 small ones the
        median has 9 above it, of 20 it has 10."""
        line, = self.lines(self.folder(range(1, 201)))
        sizes = self.program.distributions
        found = {percent: sizes.spreads_by_size(line, ["10 kB"], percent, False)[0][1]
                 for percent in (50, 95, 99)}
        self.assertEqual({percent: (one.spread["mean"], one.above, one.enough)
                          for percent, one in found.items()},
                         {50: (100, 100, True), 95: (190, 10, True), 99: (198, 2, False)})
        figure = sizes.slowdown_by_size([line])
        hollow = [[one.get_markerfacecolor() == "none" for one in axis.lines
                   if len(one.get_xdata())] for axis in figure.axes]
        self.assertEqual(hollow, [[False], [False], [True]])
        self.assertEqual(figure.axes[0].get_xticklabels()[0].get_text(), "10 kB\n200")
        self.assertIn("hollow: fewer than 10 flows are slower", figure._supxlabel.get_text())
        few, enough = self.lines(self.folder(range(1, 20)), self.folder(range(1, 21)))
        self.assertEqual([sizes.spreads_by_size(one, ["10 kB"], 50, False)[0][1].enough
                          for one in (few, enough)], [False, True])
        # 19 and 20 flows: at least 19 in each
        figure = sizes.slowdown_by_size([few, enough])
        self.assertEqual(figure.axes[0].get_xticklabels()[0].get_text(), "10 kB\n19+")
        self.assertEqual([text.get_text() for text in figure.axes[2].texts],
                         ["not enough flows for a\n99th percentile"])
        # nothing but the two lines is in the legend
        self.assertEqual([text.get_text() for text in figure.legends[0].get_texts()],
                         ["2 (n = 19)", "3 (n = 20)"])

    def test_the_tail_that_is_compared(self):
        """The highest percentile with ten flows above it in each line."""
        lines = self.lines(self.folder(range(1, 1001)), self.folder(range(1, 201)))
        comparison = self.program.comparison
        self.assertEqual([comparison.tail_percent(some) for some in (lines[:1], lines)], [99, 95])
        self.assertEqual(list(comparison.compared(lines, False))[:2],
                         ["mean slowdown", "p95 slowdown"])
        few = self.lines(self.folder(range(1, 200)))
        self.assertIsNone(comparison.tail_percent(few))
        self.assertEqual(list(comparison.compared(few, False)),
                         ["mean slowdown", "throughput of a flow (Gb/s)",
                          "longest queue of a class (kB)"])

    def test_one_straggler_does_not_decide_throughput(self):
        """99 flows of 1 kB in 1 us and one in 100 us: 100 kB in 199 us of flows, 4.02 Gb/s. Until
        the last one ends they took 100 us in place of 1."""
        lines = self.lines(self.folder([1] * 100), self.folder([1] * 99 + [100]))
        values = self.program.comparison.compared(lines, False)["throughput of a flow (Gb/s)"]
        self.assertAlmostEqual(values[0]["mean"], 8)
        self.assertAlmostEqual(values[1]["mean"], 800 / 199)

    def test_differences_to_a_line(self):
        """Seeds of the lines are paired by their options, whatever the order."""
        folders = [self.folder([2], cc="hpcc", seed="1"), self.folder([4], cc="hpcc", seed="2"),
                   self.folder([8], cc="fncc", seed="2"), self.folder([3], cc="fncc", seed="1"),
                   self.folder([9], cc="fncc", seed="3")]
        lines = self.lines(*folders, labels=["HPCC", "HPCC", "FNCC", "FNCC", "FNCC"])
        comparison = self.program.comparison
        mean = comparison.measured(lines)[0]
        self.assertEqual(comparison.pairs_of(mean, lines[1], lines[0]), [(8, 4), (3, 2)])
        figure = comparison.differences(lines, baseline_of(lines, "HPCC"))
        self.assertEqual([text.get_text() for text in figure.axes[0].get_yticklabels()], ["FNCC"])
        self.assertEqual(figure.axes[0].get_title(), "mean slowdown")

    def test_an_interval_is_within_the_range(self):
        """Slowdowns 1 and 3: 2 +- 12.7 would reach -10.7."""
        lines = self.lines(self.folder([1]), self.folder([3]), labels=["x", "x"])
        found = self.program.comparison.compared(lines, True)["mean slowdown"][0]
        self.assertEqual(found["low"], 1)
        self.assertAlmostEqual(found["high"], 2 + 12.7062, places=3)


if __name__ == "__main__":
    unittest.main()
