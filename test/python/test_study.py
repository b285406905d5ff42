# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric.Study: a grid of scenarios with several seeds, what is measured of it, intervals and
differences."""
import concurrent.futures
import contextlib
import io
import itertools
import json
import math
import os
import random
import unittest
import unittest.mock

from package_case import DUMBBELL, PackageCase, needs_sim

from dcfabric import (CongestionControl, DcfabricError, Findings, Result, Scenario, Study,
                      SweepFailed, do_job, write_jobs)
from dcfabric.measures import percentile
from dcfabric.quantities import of_function, quantity, together
from dcfabric.run_files import labels_in
from dcfabric.study import _rules

HEAD = ("flow,src,dst,size_bytes,start_ns,fct_ns,sender_fct_ns,ideal_fct_ns,slowdown,packets_sent,"
        "packets_retransmitted,reordered")
BASE = Scenario(topology="dumbbell:switches=3,senders=2", workload="pairs:size=100kB")


def pandas_series(values):
    import pandas

    return pandas.Series(values)


class WrittenCase(PackageCase):
    """Result folders with numbers of our own."""

    def result(self, name, flows, summary=None, **files):
        """flows: size in bytes, completion time in ns or None, slowdown, start in ns (0 by
        default). files: further ones, by name without .csv."""
        folder = self.dir / name
        folder.mkdir()
        rows = [f"{number},0,1,{size},{start[0] if start else 0},{'' if fct is None else fct},,,"
                f"{'' if fct is None else slowdown},1,0,0"
                for number, (size, fct, slowdown, *start) in enumerate(flows)]
        (folder / "flows.csv").write_text("\n".join([HEAD, *rows]) + "\n")
        (folder / "summary.json").write_text(json.dumps(summary or {}))
        for file, text in files.items():
            (folder / f"{file}.csv").write_text(text)
        return Result(folder)


class ReplacedTest(WrittenCase):
    """Results are read when they are asked for. What a later run has put in their place is not
    taken for them."""

    def replace(self, result, number):
        """As the program does it: the old summary goes first, the new one comes last."""
        (result.folder / "summary.json").unlink()
        yield
        (result.folder / "flows.csv").write_text(f"{HEAD}\n0,0,1,{number},0,1,,,1,1,0,0\n")
        yield
        (result.folder / "summary.json").write_text(json.dumps({"number": number}))
        yield

    def test_every_moment(self):
        old, seen = self.result("a", [(1, 1, 1)],
                                {"number": 1}), self.result("b", [(1, 1, 1)], {"number": 1})
        before = seen.flows
        for result in (old, seen):
            for _ in self.replace(result, 2):
                for read in (lambda: result.summary, lambda: old.flows,
                             lambda: result.fresh().flows, result._repr_html_):
                    with self.assertRaisesRegex(DcfabricError,
                                                "other results have taken the place of these|no "
                                                "results here"):
                        read()
        self.assertIs(seen.flows, before)
        self.assertEqual((Result("a").summary, Result("a").flows["size_bytes"].tolist()),
                         ({"number": 2}, [2]))

    def test_replaced_while_it_is_read(self):
        import pandas
        result, real = self.result("a", [(1, 1, 1)], {"number": 1}), pandas.read_csv

        def read(*arguments, **options):
            list(self.replace(result, 2))
            return real(*arguments, **options)

        with unittest.mock.patch.object(pandas, "read_csv",
                                        read), self.assertRaisesRegex(
                                            DcfabricError, "other results"):
            result.flows

    def test_findings(self):
        """Two studies in one folder whose runs have the same names."""
        result = self.result("a", [(1, 1, 1)], {"number": 1})
        findings = Findings(["cc"], [({"cc": "x"}, 1, result)])
        self.assertEqual(findings.frame("flows.size_bytes.sum")["flows.size_bytes.sum"].tolist(),
                         [1])
        list(self.replace(result, 2))
        # what was measured stays
        self.assertEqual(findings.frame("flows.size_bytes.sum")["flows.size_bytes.sum"].tolist(),
                         [1])
        with self.assertRaisesRegex(DcfabricError, "other results"):
            findings.frame("slowdown_mean")


class QuantitiesTest(WrittenCase):
    def value(self, name, result):
        return quantity(name).measure(result)

    def test_flows(self):
        """Slowdowns 1 to 4 and a flow that is not complete. Of four values p50 is the 2nd, p95 the
        4th. 1 MB in 100 us are 80 Gb/s, in 200 us 40 Gb/s, 10 kB in 1 us and 2 us the same: Jain's
        index (240)^2 / (4 * 16,000) = 0.9."""
        result = self.result("a",
                             [(10_000, 1000, 1), (10_000, 2000, 2), (1_000_000, 1e5, 3),
                              (1_000_000, 2e5, 4), (500, None, 0)])
        for name, expected in {"slowdown_mean": 2.5, "slowdown_p50": 2, "slowdown_p95": 4,
                               "slowdown_p999": 4, "slowdown_min": 1,
                               "fct_max_us": 200, "flows.fct_ns.mean": 75_750,
                               "flows.fct_ns.count": 4, "throughput_mean_gbps": 60,
                               "throughput_min_gbps": 40, "jain": 0.9, "unfinished_flows": 1,
                               "flows.size_bytes.sum": 2_020_500}.items():
            with self.subTest(name):
                self.assertEqual(list(self.value(name, result)), [""])
                self.assertAlmostEqual(self.value(name, result)[""], expected)
        self.assertEqual(self.value("slowdown_mean by size", result), {"10 kB": 1.5, "1 MB": 3.5})
        self.assertEqual(self.value("slowdown_max by src", result), {"0": 4})

    def test_unfinished_flows_have_begun(self):
        """A run ends at 600 us: of four flows without a completion time two are unfinished, one of
        which begins just then; another was to begin a picosecond later, as results of earlier
        versions have it, and one never began."""
        result = self.result("a", [(500, 1000, 1), (500, None, 0, 599_999.999),
                                   (2_000_000, None, 0, 600_000), (500, None, 0, 600_000.001),
                                   (500, None, 0, "")], {"sim_seconds": 0.0006})
        self.assertEqual(self.value("unfinished_flows", result), {"": 2})
        self.assertEqual(self.value("unfinished_flows by size", result), {"10 kB": 1, "2 MB": 1})

    def test_nearest_rank(self):
        import pandas
        values = pandas.Series([4, 1, 3, 2])
        self.assertEqual([percentile(values, p) for p in (0, 25, 26, 50, 99, 100)],
                         [1, 1, 2, 2, 4, 4])
        self.assertEqual(percentile(pandas.Series(range(1, 101)), 99), 99)

    def test_percentiles_as_in_the_summary(self):
        """Nearest rank: of 20 values p95 is the 19th (0.95 * 20 is 19 exactly), p99 and p999 the
        20th, p5 the first."""
        result = self.result("a", [(1, 1, rank) for rank in range(20, 0, -1)])
        self.assertEqual([self.value(f"slowdown_{name}", result)[""]
                          for name in ("p5", "p50", "p95", "p99", "p999", "p00")],
                         [1, 10, 19, 20, 20, 1])

    def test_summary_and_functions(self):
        result = self.result("a", [],
                             {"goodput_gbps": 12.5, "max_queue_bytes": 3000,
                              "drops": {"buffer": 2, "loss": 3},
                              "groups": {"hot": {"goodput_gbps": 4}},
                              "slowdown": {"overall": {"p99": None}}, "status": "x"})
        self.assertEqual(self.value("goodput_gbps", result), {"": 12.5})
        self.assertEqual(self.value("max_queue_kb", result), {"": 3})
        self.assertEqual(self.value("dropped_packets", result), {"": 5})
        self.assertEqual(self.value("summary.drops.loss", result), {"": 3})
        self.assertEqual(self.value("summary.groups.hot.goodput_gbps", result), {"": 4})
        self.assertTrue(math.isnan(self.value("summary.slowdown.overall.p99", result)[""]))
        self.assertTrue(math.isnan(self.value("slowdown_mean", result)[""]))
        self.assertEqual(self.value("slowdown_mean by size", result), {})

        def twice(found):
            return 2 * found.summary["goodput_gbps"]

        self.assertEqual((quantity(twice).name, self.value(twice, result)), ("twice", {"": 25}))
        parts = of_function(lambda found: {"a": 1, "b": 2}, "parts")
        self.assertEqual(parts.measure(result), {"a": 1, "b": 2})
        for name in ("summary.nothing", "summary.status"):
            with self.assertRaisesRegex(DcfabricError, name.split(".")[1]):
                self.value(name, result)

    def test_series_and_collectives(self):
        """Two all-reduces, from 0 to 10 us and from 20 to 50 us: 20 us on average."""
        head = ("operation,algorithm,group,first_rank,iteration,ranks,size_bytes,sent_bytes,"
                "start_ns,last_start_ns,end_ns,algbw_gbyte_s,"
                "busbw_gbyte_s")
        rows = [head, "allreduce,ring,all,0,0,4,1000,1500,0,0,10000,0.1,0.15",
                "allreduce,ring,all,0,1,4,1000,1500,20000,20000,50000,0.03,0.05",
                "barrier,dissemination,all,0,0,4,1,2,0,0,1000,,"]
        result = self.result("a", [], collectives="\n".join(rows) + "\n",
                             queues="time_ns,node,port,class,bytes\n0,4,1,3,100\n5,4,1,3,900\n"
                                    "5,5,0,3,50\n")
        self.assertEqual(self.value("collective_mean_us by operation", result),
                         {"allreduce": 20, "barrier": 1})
        self.assertAlmostEqual(self.value("busbw_mean_gbyte_s by operation", result)["allreduce"],
                               0.1)
        self.assertTrue(
            math.isnan(self.value("algbw_mean_gbyte_s by operation", result)["barrier"]))
        self.assertEqual(self.value("queues.bytes.max by place", result), {"4:1": 900, "5:0": 50})

    def test_runs_together(self):
        """As if the samples of a run were there as often as it was drawn, whatever ties there
        are."""
        import numpy

        seed = random.randrange(1 << 30)
        print(f"test_runs_together: seed {seed}")
        chance = random.Random(seed)
        for _ in range(50):
            runs = [[chance.randrange(6) for _ in range(chance.randrange(1, 9))] for _ in range(4)]
            draws = [[chance.randrange(3) for _ in runs[1:]] + [1] for _ in range(5)]
            for name in ("mean", "p01", "p50", "p95", "p999"):
                found = together(name, [numpy.array(run, dtype=float) for run in runs])(draws)
                for drawn, value in zip(draws, found):
                    samples = [one for run, times in zip(runs, drawn) for one in run * times]
                    expected = sum(samples) / len(samples) if name == "mean" else percentile(
                        pandas_series(samples),
                        {"p01": 1, "p50": 50, "p95": 95, "p999": 99.9}[name])
                    self.assertAlmostEqual(value, expected,
                                           msg=f"seed {seed}: {name} of {runs}, {drawn}")

    def test_refusals(self):
        result = self.result("a", [(1, 1, 1)])
        for name, words in {"slowdown_p9x": "unknown quantity",
                            "slowdown_p_99": "did you mean 'slowdown_p99'",
                            "goodput": "did you mean",
                            "flows.fct_ns": "FILE.COLUMN.STATISTIC",
                            "queues.bytes.mean": "mean_queue_kb",
                            "links.utilisation.p99": "dcfabric.measures.utilisation",
                            "summary": "unknown quantity", "": "unknown",
                            "goodput_gbps by size": "unknown quantity",
                            "slowdown_p100": "the largest is max",
                            "flows.fct_ns.p1000": "the largest is max",
                            "fct_p100_us by size": "the largest is max"}.items():
            with self.subTest(name), self.assertRaisesRegex(DcfabricError, words):
                quantity(name)
        for name, words in {"flows.fct.mean": "no column 'fct'; there are flow, src",
                            "slowdown_mean by tier": "no column 'tier'",
                            "queues.bytes.max": "trace="}.items():
            with self.subTest(name), self.assertRaisesRegex(DcfabricError, words):
                self.value(name, result)
        for wrong in (7, None, lambda found: 1):
            with self.assertRaisesRegex(DcfabricError, "function with a name"):
                quantity(wrong)

    def test_labels(self):
        for name, label in {"slowdown_p99": "slowdown, 99th percentile",
                            "slowdown_p50 by size": "slowdown, median",
                            "fct_p999_us": "flow completion time, p999 (us)",
                            "goodput_gbps": "goodput (Gb/s)",
                            "max_queue_kb": "max queue (kB)", "jain": "Jain's fairness index",
                            "flows.fct_ns.p999": "flow completion time, 99.9th percentile (ns)",
                            "flows.fct_ns.count": "number of values: flow completion time",
                            "fct_jain_us": "Jain's fairness index of flow completion time",
                            "flows.throughput_bps.jain": "Jain's fairness index of throughput",
                            "flows.size_bytes.sum": "size, sum (B)",
                            "slowdown_p1": "slowdown, 1st percentile",
                            "slowdown_p02": "slowdown, 2nd percentile",
                            "slowdown_p93": "slowdown, 93rd percentile",
                            "slowdown_p11": "slowdown, 11th percentile",
                            "slowdown_p500": "slowdown, median"}.items():
            with self.subTest(name):
                self.assertEqual(quantity(name).label, label.replace("p999", "99.9th percentile"))


class FindingsTest(WrittenCase):
    def findings(self):
        """Two algorithms with three seeds, each with one large and one small flow; mean slowdowns
        1, 2, 6 and 3, 4, 5."""
        runs = []
        for cc, values in (("a", (1, 2, 6)), ("b", (3, 4, 5))):
            for seed, value in enumerate(values, 1):
                result = self.result(f"{cc}{seed}",
                                     [(1000, 10, value - 0.5), (10**6, 10, value + 0.5)],
                                     {"goodput_gbps": value})
                runs.append(({"cc": cc}, seed, result))
        return Findings(["cc"], runs)

    def test_one_straggler_does_not_decide_a_table(self):
        """Two flows of 1 MB take 100 us each, one of 1 kB then 9.8 ms: 8 * 2.001 MB over the sum of
        their times, 10 ms, is 1.6008 Gb/s; of the small ones alone 8 kb in 9.8 ms. Goodput would be
        of a span that the last one sets. Where the clock ends all runs it is of one span."""
        flows = [(10**6, 10**5, 2), (10**6, 10**5, 2), (1000, 9.8e6, 9)]
        done = Findings(["cc"], [({"cc": "a"}, 1, self.result("a", flows, {"status": "complete"}))])
        self.assertIn("throughput_gbps", done.usual())
        self.assertNotIn("goodput_gbps", done.usual())
        frame = done.frame("throughput_gbps", "throughput_gbps by size")
        self.assertAlmostEqual(frame["throughput_gbps"][0], 1.6008)
        self.assertAlmostEqual(frame["throughput_gbps by size, 10 kB"][0], 8e3 / 9.8e6)
        self.assertAlmostEqual(frame["throughput_gbps by size, 1 MB"][0], 80)
        self.assertEqual(quantity("throughput_gbps").label, "throughput of a flow (Gb/s)")
        stopped = self.result("b", [], {"status": "stopped", "goodput_gbps": 12.5})
        self.assertTrue(math.isnan(quantity("throughput_gbps").measure(stopped)[""]))
        by_clock = Findings(["cc"], [({"cc": "b"}, 1, stopped)])
        self.assertIn("goodput_gbps", by_clock.usual())
        self.assertNotIn("throughput_gbps", by_clock.usual())

    def test_frames(self):
        findings = self.findings()
        frame = findings.frame("slowdown_mean", "slowdown_max by size")
        self.assertEqual(list(frame.columns),
                         ["cc", "seed", "slowdown_mean", "slowdown_max by size, 10 kB",
                          "slowdown_max by size, 1 MB"])
        self.assertEqual(frame.iloc[2].tolist(), ["a", 3, 6, 5.5, 6.5])
        tidy = findings.tidy("slowdown_mean", "slowdown_max by size")
        self.assertEqual(list(tidy.columns), ["cc", "seed", "quantity", "part", "value"])
        self.assertEqual(len(tidy), 6 + 12)
        self.assertEqual(tidy.iloc[6].tolist(), ["a", 1, "slowdown_max by size", "10 kB", 0.5])

    def test_parts_in_order(self):
        """Sizes from small to large, also if the first run has no small flows."""
        runs = [({"cc": "a"}, seed, self.result(f"a{seed}", flows))
                for seed, flows in ((1, [(10**6, 10, 3)]), (2, [(10, 10, 2), (10**6, 10, 4)]))]
        findings = Findings(["cc"], runs)
        frame = findings.frame("slowdown_mean by size")
        self.assertEqual(list(frame.columns),
                         ["cc", "seed", "slowdown_mean by size, 10 kB",
                          "slowdown_mean by size, 1 MB"])
        self.assertTrue(math.isnan(frame.iloc[0, 2]))
        self.assertEqual(findings.intervals("slowdown_mean by size")[["part", "mean", "seeds"]]
                         .values.tolist(),
                         [["10 kB", 2, 1], ["1 MB", 3.5, 2]])

    def test_intervals(self):
        """1, 2, 6 as in test_intervals.py: 3 +- 6.572411. 3, 4, 5: 4 +- 4.302653 * 1 / sqrt(3) =
        2.484138."""
        findings = self.findings()
        found = findings.intervals("slowdown_mean", "goodput_gbps")
        self.assertEqual(found["cc"].tolist(), ["a", "b", "a", "b"])
        self.assertEqual((found["mean"].tolist(), found["seeds"].tolist()),
                         ([3, 4, 3, 4], [3, 3, 3, 3]))
        for row, half in enumerate([6.572411, 2.484138, 6.572411, 2.484138]):
            self.assertAlmostEqual(found["high"][row] - found["mean"][row], half, places=5)
            # no slowdown is below 1, and no goodput below 0
            self.assertAlmostEqual(found["low"][row],
                                   max(found["mean"][row] - half, (1, 1, 0, 0)[row]), places=5)
        narrow = findings.intervals("slowdown_mean", confidence=0.9)
        self.assertLess(narrow["high"][0] - narrow["low"][0], 2 * 6.5)

    def test_bootstrap(self):
        """All flows of three runs together, 0.5 1.5 1.5 2.5 5.5 6.5: the median is the third, 1.5.
        The lowest that draws of runs give is that of the first run three times, 0.5, the highest
        that of the third, 5.5; each has a probability of 1/27 = 3.7 % at least, above 2.5 %.
        Goodputs cannot be taken together: the mean of 1, 2, 6."""
        found = self.findings().intervals("slowdown_p50", "goodput_gbps", method="bootstrap",
                                          bootstrap_seed=3)
        self.assertEqual(found[["mean", "low", "high", "seeds"]].iloc[0].tolist(),
                         [1.5, 0.5, 5.5, 3])
        self.assertEqual(found[["mean", "low", "high", "seeds"]].iloc[2].tolist(), [3, 1, 6, 3])

    def test_differences(self):
        """1 - 3, 2 - 4, 6 - 5: -2, -2, 1, mean -1; squares 1 + 1 + 4 = 6, s = sqrt 3, s / sqrt(3) =
        1, so -1 +- 4.302653; -1 is 25 % of the mean of b, 4. No slowdown is below 1, 3 less than
        that."""
        findings = self.findings()
        found = findings.differences("slowdown_mean", "cc", "a", "b")
        self.assertEqual(list(found.columns), ["part", "mean", "low", "high", "seeds", "percent"])
        part, mean, low, high, seeds, percent = found.iloc[0].tolist()
        self.assertEqual((part, mean, seeds, percent), ("", -1, 3, -25))
        self.assertEqual(low, -3)
        self.assertAlmostEqual(high, 3.302653, places=5)
        # b - a: 1 +- 4.302653, and no upper end
        back = findings.differences("slowdown_mean", "cc", "b", "a")
        self.assertAlmostEqual(back["high"].iloc[0], 5.302653, places=5)

    def test_a_seed_without_a_value(self):
        """Intervals and differences are of the seeds that have a value, and say how many these
        are."""
        runs = [({"cc": cc}, seed,
                 self.result(f"{cc}{seed}", [(10, 10 if seed > 1 or cc == "b" else None, seed)]))
                for cc in "ab" for seed in (1, 2, 3)]
        findings = Findings(["cc"], runs)
        self.assertEqual(findings.intervals("slowdown_mean")[["mean", "seeds"]].values.tolist(),
                         [[2.5, 2], [2, 3]])
        self.assertEqual(findings.differences("slowdown_mean", "cc", "a", "b")[["mean", "seeds"]]
                         .values.tolist(), [[0, 2]])
        one = Findings(["cc"], runs[:2]).intervals("slowdown_mean").iloc[0]
        self.assertTrue(one["seeds"] == 1 and math.isnan(one["low"]))

    def test_where(self):
        findings = self.findings()
        self.assertEqual(findings.where(cc="b").frame("slowdown_mean")["slowdown_mean"].tolist(),
                         [3, 4, 5])
        self.assertEqual(repr(findings), "Findings(cc: a, b; seeds 1, 2, 3: 6 runs)")
        self.assertEqual(list(findings.results), [(cc, seed) for cc in "ab" for seed in (1, 2, 3)])
        for labels, words in (({"load": 1}, "no column 'load'; there are cc"),
                              ({"cc": "c"}, "no 'c'; there are 'a', 'b'")):
            with self.assertRaisesRegex(DcfabricError, words):
                findings.where(**labels)

    def test_refusals(self):
        findings = self.findings()
        single = Findings(["cc"], [run for run in findings.runs if run[1] == 1])
        for method in (lambda: single.intervals("slowdown_mean"),
                       lambda: single.differences("slowdown_mean", "cc", "a", "b")):
            with self.assertRaisesRegex(DcfabricError, "at least 2 seeds, this study has 1"):
                method()
        with self.assertRaisesRegex(DcfabricError, "unknown method 'magic'; known: t, bootstrap"):
            findings.intervals("slowdown_mean", method="magic")
        with self.assertRaisesRegex(DcfabricError, "no 'fncc'"):
            findings.differences("slowdown_mean", "cc", "a", "fncc")
        # 95 for 0.95: the bootstrap ended with an IndexError
        for method in ("t", "bootstrap"):
            with self.assertRaisesRegex(DcfabricError,
                                        "confidence is 95; expected a number between 0 and 1"):
                findings.intervals("slowdown_mean", method=method, confidence=95)


def named(name, function):
    """A function with a name, as quantities need it."""
    function.__name__ = name
    return function


def note_of(figure):
    """The line below the panels."""
    return figure.texts[-1].get_text()


class FigureTest(WrittenCase):
    def findings(self, columns, points, seeds=(1, 2)):
        """Mean slowdowns as far above 1 as the seed is high, but for the first point."""
        self.number = getattr(self, "number", 0)
        runs = []
        for at, labels in enumerate(points):
            for seed in seeds:
                self.number += 1
                flows = [(1000, 10, 1 + seed * at), (10**6, 10, 2 + seed)]
                runs.append((dict(zip(columns, labels)), seed,
                             self.result(f"run{self.number}", flows)))
        return Findings(columns, runs)

    def test_lines(self):
        """Small flows: slowdowns 1 and 1 at load 0.2, 2 and 3 at 0.6: mean 2.5, s = 0.7071, s /
        sqrt(2) = 0.5, times t(0.95, 1) = 12.7062 that is 6.3531."""
        figure = self.findings(["load"], [(0.2,), (0.6,)]).plot("load", "slowdown_min")
        [axis] = figure.axes
        [bar] = axis.containers
        line, _, [whiskers] = bar
        self.assertEqual(line.get_xydata().tolist(), [[0.2, 1], [0.6, 2.5]])
        low, high = whiskers.get_segments()[1]
        self.assertAlmostEqual(high[1] - 2.5, 6.3531, places=3)
        self.assertEqual(low[1], 1)  # there is no slowdown below
        self.assertEqual((axis.get_xlabel(), axis.get_ylabel()), ("load", "slowdown, min"))
        self.assertEqual(note_of(figure).replace("\n", " "),
                         "mean of 2 seeds; whiskers: 95 % confidence interval (Student's t); "
                         "fewer than 5 seeds say little")
        self.assertIsNone(axis.get_legend())

    def test_lines_by(self):
        findings = self.findings(["cc", "load"],
                                 [("fncc", 0.2), ("fncc", 0.6), ("hpcc", 0.2), ("hpcc", 0.6)])
        figure = findings.plot("load", "slowdown_min", by="cc", path=self.dir / "figure.png")
        self.assertEqual([text.get_text() for text in figure.axes[0].get_legend().get_texts()],
                         ["fncc", "hpcc"])
        self.assertGreater((self.dir / "figure.png").stat().st_size, 5000)
        from dcfabric.drawing import look
        self.assertEqual([one[0].get_color() for one in figure.axes[0].containers],
                         [look("fncc").color, look("hpcc").color])

    def test_bars(self):
        for by, bars in ((None, 2), ("load", 2)):
            figure = self.findings(["cc", "load"],
                                   [("fncc", 0.2), ("hpcc", 0.2)]).plot("cc", "slowdown_min", by=by)
            self.assertEqual(len(figure.axes[0].patches), bars)
            self.assertEqual([tick.get_text() for tick in figure.axes[0].get_xticklabels()],
                             ["fncc", "hpcc"])

    def test_sizes(self):
        figure = self.findings(["cc"],
                               [("fncc",), ("hpcc",)]).plot("size", "slowdown_mean by size",
                                                            by="cc", method="bootstrap")
        self.assertEqual([tick.get_text() for tick in figure.axes[0].get_xticklabels()],
                         ["10 kB", "1 MB"])
        self.assertEqual(figure.axes[0].get_xlabel(), "flow size")
        self.assertEqual(note_of(figure).replace("\n", " "),
                         "all flows of 2 seeds; whiskers: 95 % confidence "
                         "interval (bootstrap over runs); fewer than 5 seeds say little")

    def test_many_lines(self):
        """Twenty are told apart, their points are within half a step of their places, and their
        names beside the figure."""
        points = [(f"x{number}", load) for number in range(20) for load in (0.1, 0.2)]
        figure = self.findings(["cc", "load"], points).plot("load", "slowdown_mean", by="cc")
        [axis] = figure.axes
        for line in axis.lines:
            for at in line.get_xdata():
                self.assertLess(min(abs(at - 0.1), abs(at - 0.2)), 0.05)
        figure.draw_without_rendering()
        legend = axis.get_legend().get_window_extent()
        self.assertGreater(legend.x0, axis.get_window_extent().x1)
        self.assertLessEqual(legend.x1, figure.bbox.width)

    def test_infinite_values(self):
        """What never happened is not drawn, which the figure says."""
        findings = self.findings(["load"], [(0.1,), (0.2,)])
        values = iter([1.0, 2.0, math.inf, 3.0])
        figure = findings.plot("load", named("never", lambda result: next(values)))
        self.assertIn("; infinite values are left out", note_of(figure).replace("\n", " "))
        with self.assertRaisesRegex(DcfabricError, "nothing to draw"):
            findings.plot("load", named("always", lambda result: math.inf))

    def test_one_seed(self):
        figure = self.findings(["load"], [(0.2,), (0.6,)], seeds=[2]).plot("load", "slowdown_min")
        self.assertEqual(figure.axes[0].lines[0].get_xydata().tolist(), [[0.2, 1], [0.6, 3]])
        self.assertEqual(note_of(figure).replace("\n", " "), "one seed: no whiskers")

    def test_refusals(self):
        findings = self.findings(["cc", "load"], [("fncc", 0.2), ("fncc", 0.6)])
        for x, y, by, words in (("lod", "slowdown_mean", None,
                                 "x='lod': the study has no such column; there are cc, load"),
                                ("load", "slowdown_mean", "load", "other than x"),
                                ("load", "slowdown_mean", "x", "by='x'"),
                                ("cc", "slowdown_mean", None,
                                 r"'load' has 2 values.*where\(load=0.2\), or by='load'"),
                                ("load", "slowdown_mean by size", None, "draw it with x='size'"),
                                ("load", "flows.sender_fct_ns.mean", None, "nothing to draw")):
            with self.subTest(x=x, y=y, by=by), self.assertRaisesRegex(DcfabricError, words):
                findings.plot(x, y, by)


class GridTest(unittest.TestCase):
    def test_points(self):
        study = Study(BASE, {"cc": ["fncc", "hpcc"], "rate": ["25Gbps"]}, seeds=2)
        self.assertEqual(list(study.scenarios()),
                         [f"cc={cc},rate=25Gbps,seed={seed}" for cc in ("fncc", "hpcc")
                          for seed in (1, 2)])
        self.assertEqual(study.scenarios()["cc=hpcc,rate=25Gbps,seed=2"],
                         BASE.replace(cc="hpcc", rate="25Gbps", seed=2))
        self.assertEqual(len(study), 4)
        self.assertEqual(repr(study), "Study(cc: fncc, hpcc; rate: 25Gbps; seeds 1, 2: 4 runs)")

    def test_labels(self):
        class Mine(CongestionControl):
            pass

        alpha = "ns3::FnccCongestionControl::Alpha"
        study = Study(BASE.replace(attributes={"ns3::X::Y": 1}, features="wreb"),
                      {"algorithm": {"FNCC": {"cc": "fncc", "attributes": {"ns3::X::Z": 2}},
                                     "own": {"cc": Mine}}, alpha: [1.05, 1.1],
                       "trace": [["queues", "rates"], None]}, seeds=[7])
        points = list(study.points().values())
        self.assertEqual([tuple(point.labels.values()) for point in points[:3]],
                         [("FNCC", 1.05, "queues,rates"), ("FNCC", 1.05, "default"),
                          ("FNCC", 1.1, "queues,rates")])
        self.assertEqual(points[0].scenario.attributes,
                         {"ns3::X::Y": 1, "ns3::X::Z": 2, alpha: 1.05})
        self.assertEqual(points[-1].scenario.cc, Mine)
        self.assertEqual(list(Study(BASE, {"cc": [Mine]}, seeds=1).columns["cc"]), ["Mine"])

    def test_classes_of_one_name(self):
        """As of two modules, or of a cell that was executed again: the second one was refused as
        the first. The same class twice is."""
        def made(gain):
            class Mine(CongestionControl):
                def on_ack(self, ack):
                    self.rate_bps *= gain
            return Mine

        one, two, three = map(made, (1, 2, 3))
        points = Study(BASE, {"cc": [one, "fncc", two, three]}, seeds=1).points()
        self.assertEqual({name: point.scenario.cc for name, point in points.items()},
                         {"cc=Mine,seed=1": one, "cc=fncc,seed=1": "fncc",
                          "cc=Mine (2),seed=1": two, "cc=Mine (3),seed=1": three})
        with self.assertRaisesRegex(DcfabricError, "column 'cc' has 'Mine \\(2\\)' twice"):
            Study(BASE, {"cc": [one, two, two]}, seeds=1)

    def test_long_names(self):
        """A file system takes 255 bytes; runs that differ at the end only keep different names."""
        study = Study(BASE, {"workload": ["flows:" + "x" * 300 + end for end in "ab"]}, seeds=1)
        names = list(study.scenarios())
        self.assertEqual((len(set(names)), max(map(len, names)) < 130), (2, True))
        # three bytes a letter
        [name] = Study(BASE, {"x": {"\u7db2" * 100: {"cc": "fncc"}}}, seeds=1).scenarios()
        self.assertLess(len(name.encode()), 130)

    def test_numbers_of_numpy(self):
        """Grids are often made by it: the labels and seeds are plain numbers."""
        import numpy
        study = Study(BASE, {"load": numpy.linspace(0.25, 0.5, 2),
                             "payload": numpy.arange(500, 1500, 500)}, seeds=numpy.arange(1, 3))
        self.assertEqual(list(study.scenarios())[0], "load=0.25,payload=500,seed=1")
        self.assertEqual(repr(study),
                         "Study(load: 0.25, 0.5; payload: 500, 1000; seeds 1, 2: 8 runs)")
        self.assertEqual(len(Study(BASE, {"cc": ["fncc"]}, seeds=numpy.int64(3))), 3)

    def test_refusals(self):
        for grid, seeds, words in (({}, 2, "needs a grid"), ({"cc": []}, 2, "'cc' has no values"),
                                   ({"cc": "fncc"}, 2, "a list of values"),
                                   ({"cc": 5}, 2, "a list of values"),
                                   ({"cc": ["a", "a"]}, 2, "'a' twice"),
                                   ({"load": [0.5, "0.5"]}, 2, "'0.5' twice"),
                                   ({"x": {1: {"cc": "a"}, "1": {"cc": "b"}}}, 2, "'1' twice"),
                                   ({"seed": [1]}, 2, "seeds="),
                                   ({"laod": [0.5]}, 2,
                                    "no field of Scenario; the nearest is load"),
                                   ({"queue-disc": ["x"]}, 2, "the nearest is queue_disc"),
                                   ({"x": {"y": {"laod": 1}}}, 2, "'laod'"),
                                   ({"x": {"y": {"seed": 1}}}, 2, "'seed' is no field"),
                                   ({"cc": [object()]}, 2, "needs a label"),
                                   ({"cc": ["a"], "x": {"y": {"cc": "b"}}}, 2,
                                    "columns 'cc' and 'x' both set cc"),
                                   ({"cc": ["a"]}, 0, "seeds are 0"),
                                   ({"cc": ["a"]}, [1, 1], "different"),
                                   ({"cc": ["a"]}, [0.5], "whole numbers")):
            with self.subTest(words), self.assertRaisesRegex(DcfabricError, words):
                Study(BASE, grid, seeds)
        # no run would have it
        with self.assertRaisesRegex(DcfabricError, r"the base has seed=7, .* give seeds=\[7\]"):
            Study(BASE.replace(seed=7), {"cc": ["hpcc"]})


@needs_sim
class StudyTest(PackageCase):
    def run_study(self, study, **options):
        with contextlib.redirect_stderr(io.StringIO()):
            return study.run(**options)

    def test_resumes(self):
        """2 x 2 x 3 runs; a second call reads them, and one with another value runs the new ones
        only."""
        grid = {"cc": ["fncc", "hpcc"], "rate": ["25Gbps", "100Gbps"]}
        findings = self.run_study(Study(DUMBBELL, grid, seeds=3), out="out")
        self.assertEqual(len(findings.runs), 12)
        self.assertFalse(any(result.resumed for _, _, result in findings.runs))
        stamps = {path: os.stat(path).st_mtime_ns for path in self.dir.glob("out/*/flows.csv")}
        self.assertEqual(len(stamps), 12)
        again = self.run_study(Study(DUMBBELL, {**grid, "rate": ["25Gbps", "100Gbps", "50Gbps"]},
                                     seeds=3), out="out")
        self.assertEqual({labels["rate"] for labels, _, result in again.runs if not result.resumed},
                         {"50Gbps"})
        self.assertEqual({path: os.stat(path).st_mtime_ns for path in stamps}, stamps)
        # figures of the folder have the labels of the study, in its order
        known = labels_in(self.dir / "out")
        self.assertEqual([*known.values()][::3], [
            {"cc": cc, "rate": rate} for cc in ("fncc", "hpcc")
            for rate in ("25Gbps", "100Gbps", "50Gbps")])
        self.assertEqual({*known}, {path.parent.name for path in self.dir.glob("out/*/flows.csv")})
        frame = again.frame("fct_max_us", "goodput_gbps")
        self.assertEqual(len(frame), 18)
        # nothing is random here but ports, so that seeds give equal results: one observation, which
        # tells no interval
        found = again.where(rate="50Gbps").intervals("goodput_gbps")
        self.assertTrue(found[["low", "high"]].isna().all(axis=None))

    def test_elsewhere(self):
        """Jobs of a list, and an executor of one's own."""
        study = Study(DUMBBELL, {"cc": ["fncc", "hpcc"]}, seeds=2)
        self.assertEqual(write_jobs("jobs", study.scenarios(), out="out"), 4)
        with contextlib.redirect_stderr(io.StringIO()):
            do_job("jobs", 1)
        with concurrent.futures.ThreadPoolExecutor(2) as executor:
            findings = self.run_study(study, out="out", executor=executor)
        self.assertEqual([key for key, result in findings.results.items() if result.resumed],
                         [("fncc", 2)])

    def test_exclude(self):
        """Combinations that are left out, by labels or by a function; what is not there is
        named."""
        grid = {"cc": ["fncc", "hpcc", "dcqcn"], "load": [0.3, 0.5]}
        study = Study(DUMBBELL, grid, seeds=2,
                      exclude=[{"cc": "fncc"}, {"cc": ["hpcc", "dcqcn"], "load": 0.5}])
        self.assertEqual([*study.points()],
                         ["cc=hpcc,load=0.3,seed=1", "cc=hpcc,load=0.3,seed=2",
                          "cc=dcqcn,load=0.3,seed=1", "cc=dcqcn,load=0.3,seed=2"])
        self.assertEqual(len(study), 4)  # of 3 * 2 * 2: fncc has 4, and each of the others 2
        self.assertEqual(len(Study(DUMBBELL, grid, seeds=1,
                                   exclude=lambda labels: labels["load"] > 0.4)), 3)
        for exclude, words in (([{"lb": "ecmp"}], "no column 'lb'; there are cc, load"),
                               ([{"cc": "hpc"}], "'cc' has no 'hpc'; it has 'fncc', 'hpcc'"),
                               (["fncc"], "exclude has 'fncc'; expected mappings"),
                               ([{}], "exclude has {}"),
                               ({"cc": ["fncc", "hpcc", "dcqcn"]}, "leaves no combination")):
            with self.subTest(exclude), self.assertRaisesRegex(DcfabricError, words):
                Study(DUMBBELL, grid, exclude=exclude)

    def test_refused_combinations(self):
        """They are told before the first run, with the exclude that leaves them out."""
        study = Study(DUMBBELL.replace(switch="voq"),
                      {"cc": ["dcqcn", "hpcc"], "features": [None, "rcm"]}, seeds=3)
        with self.assertRaises(SweepFailed) as caught:
            self.run_study(study, out="out")
        said = str(caught.exception)
        self.assertRegex(said, "^3 of 12 runs would be refused, so none was begun\n")
        self.assertIn("exclude=[{'cc': 'hpcc', 'features': 'rcm'}])", said)
        self.assertEqual(said.count("compares INT"), 1)
        self.assertFalse(os.path.exists("out"))

    def test_refused_combinations_in_few_words(self):
        """Of 2 topologies, 2 balancers and 3 controls, reps goes with neither hpcc nor fncc, and
        ecmp not with fncc: 6 combinations, whatever the topology."""
        grid = {"topology": ["a", "b"], "lb": ["reps", "ecmp"], "cc": ["hpcc", "fncc", "dcqcn"]}
        every = [dict(zip(grid, labels)) for labels in itertools.product(*grid.values())]
        bad = {("reps", "hpcc"), ("reps", "fncc"), ("ecmp", "fncc")}
        refused = [one for one in every if (one["lb"], one["cc"]) in bad]
        self.assertEqual(len(refused), 6)
        for some in (refused, refused[:1], refused[1:4], every[:-1]):
            rules = _rules(some, every)
            study = Study(DUMBBELL, {"topology": {"a": "dumbbell", "b": "fat-tree:k=4"},
                                     "lb": grid["lb"], "cc": grid["cc"]}, seeds=1, exclude=rules)
            left = [dict(point.labels) for point in study.points().values()]
            self.assertEqual(left, [one for one in every if one not in some], rules)
        self.assertEqual(_rules(refused, every), [{"lb": "reps", "cc": "hpcc"}, {"cc": "fncc"}])
        self.assertEqual(_rules(refused[:2], every),
                         [{"topology": "a", "lb": "reps", "cc": ["hpcc", "fncc"]}])

    def test_percentiles_of_one_digit(self):
        """A digit that is missing gives no 9th percentile without a word."""
        with self.assertRaisesRegex(DcfabricError, "mean 'slowdown_p90' or 'slowdown_p99'.*p09"):
            quantity("slowdown_p9")
        with self.assertRaisesRegex(DcfabricError, "'fct_p90_us' or 'fct_p99_us'"):
            quantity("fct_p9_us by size")
        self.assertEqual(quantity("slowdown_p09").label, "slowdown, 9th percentile")

    def test_failures(self):
        """They come as those of a sweep, with the names of the runs; the others are there for
        evaluation."""
        study = Study(DUMBBELL, {"cc": ["fncc", "hpcc"]}, seeds=1)
        os.makedirs("out")
        (self.dir / "out" / "cc=hpcc_seed=1").write_text("in the way")
        with self.assertRaisesRegex(SweepFailed, "cc=hpcc,seed=1: FolderUnusable") as caught:
            self.run_study(study, out="out")
        self.assertEqual(list(study.findings(caught.exception.results).results), [("fncc", 1)])
        for results, words in (({}, "no run of this study is done"),
                               ({"cc=x,seed=1": None}, "'cc=x,seed=1' is no run of this study")):
            with self.assertRaisesRegex(DcfabricError, words):
                study.findings(results)

    def test_random_seeds(self):
        """Two controls see the same flows with one seed, and other ones with the next."""
        base = Scenario(topology="leaf-spine:leaves=2,spines=1,hosts=2", workload="websearch",
                        load=0.3, duration="200us")
        findings = self.run_study(Study(base, {"cc": ["fncc", "hpcc"]}, seeds=3), out="out")
        sizes = {key: result.flows["size_bytes"].tolist()
                 for key, result in findings.results.items()}
        self.assertEqual(sizes["fncc", 1], sizes["hpcc", 1])
        self.assertNotEqual(sizes["fncc", 1], sizes["fncc", 2])
        found = findings.intervals("goodput_gbps", "slowdown_mean")
        self.assertTrue((found["low"] < found["mean"]).all()
                        and (found["mean"] < found["high"]).all())
        paired = findings.differences("goodput_gbps", "cc", "fncc", "hpcc")
        apart = found[found["quantity"] == "goodput_gbps"]
        self.assertLess(paired["high"][0] - paired["low"][0], (apart["high"] - apart["low"]).max())


if __name__ == "__main__":
    unittest.main()
