# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-plot on small synthetic result folders: what it draws, what it refuses."""
import contextlib
import functools
import importlib
import importlib.util
import io
import json
import math
import re
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock
from pathlib import Path

PLOT = Path(__file__).resolve().parents[2] / "examples" / "dcfabric-plot"
FLOWS = ("flow,src,dst,size_bytes,start_ns,fct_ns,sender_fct_ns,ideal_fct_ns,slowdown,"
         "packets_sent,packets_retransmitted,reordered\n")
PNG = b"\x89PNG\r\n\x1a\n"


def write_result(folder, flows=3, series=True, **summary):
    """A result folder with `flows` flows of growing size, slowdown 1, 2, 3, ..."""
    folder.mkdir()
    rows = "".join(f"{i},0,1,{10 ** (3 + i % 5)},{1000 * i},{2000 * (i + 1)},{2500 * (i + 1)},2000,"
                   f"{i + 1},5,0,0\n" for i in range(flows))
    (folder / "flows.csv").write_text(FLOWS + rows)
    values = {"max_queue_bytes": 50000, "pfc_pause_frames": 0, **summary}
    (folder / "summary.json").write_text(json.dumps(values))
    if series:
        times = range(0, 10000, 1000)
        (folder / "queues.csv").write_text("time_ns,node,port,class,bytes\n" + "".join(
            f"{t},4,{p},3,{t * (p + 1)}\n" for t in times for p in (0, 1)))
        (folder / "rates.csv").write_text("time_ns,flow,rate_bps,window_bytes\n" + "".join(
            f"{t},{f},{100000000000 // (f + 1)},150000\n" for t in times for f in range(12)))
        (folder / "links.csv").write_text("time_ns,node,port,tx_bytes,utilisation\n" + "".join(
            f"{t},4,0,12500,0.95\n" for t in times))
        (folder / "trims.csv").write_text("time_ns,node,port,packets\n" + "".join(
            f"{t},4,0,{t // 1000}\n" for t in times))
        (folder / "windows.csv").write_text("time_ns,flow,node,pdc,window_bytes,rate_bps,rtt_ns,"
                                            "state\n" + "".join(
            f"{t},{f},0,{f},{50000 - t},100000000000,{t},ready\n" for t in times for f in range(9)))
    return folder


def text_of(path):
    """The words of a figure as SVG, lines joined."""
    return " ".join(re.findall("<!-- (.*?) -->", path.read_text()))


def load_plot():
    """The modules of the program."""
    sys.path[:0] = [str(PLOT.parents[1] / "python"), str(PLOT.parent)]
    importlib.import_module("dcfabric.plot")
    return types.SimpleNamespace(
        columns=importlib.import_module("dcfabric.columns"),
        **{name: importlib.import_module(f"dcfabric.plots.{name}") for name in (
        "comparison", "data", "distributions", "jobs", "naming", "network", "over_time",
        "timelines", "trend")})


def write_jobs(folder, times, waits=(), alone_ns=""):
    """Two jobs beside flows: times of the first in ns, its steps half of it each, and one of the
    second that is not complete; waits behind others in ns at links."""
    time, second = times
    slowdown = time / alone_ns if alone_ns else ""
    (folder / "jobs.csv").write_text(
        "job,ranks,hosts,flows,size_bytes,start_ns,end_ns,busbw_gbyte_s,time_ns,alone_ns,slowdown\n"
        f"01,4,4,9,100,0,{time},5.5,{time},{alone_ns},{slowdown}\n"
        f"NA,4,4,9,100,0,,,{second},,\nbeside,0,2,3,100,0,9000,,9000,,\n")
    (folder / "steps.csv").write_text(
        "job,kind,name,first_rank,iteration,ranks,start_ns,end_ns,busbw_gbyte_s,time_ns,alone_ns,"
        f"slowdown\n01,job,all,0,0,4,0,{time},,{time},,\n"
        f"01,mark,step,0,0,4,0,,,{0.4 * time},,\n01,mark,step,0,1,4,0,,,{0.6 * time},,\n"
        "NA,mark,step,0,0,4,0,,,3000,,\nNA,mark,step,0,1,4,0,,,,,\n"
        "01,collective,allreduce/ring/all,0,0,4,0,,,800,,\n")
    (folder / "interference.csv").write_text(
        "node,port,link,job,packets,tx_bytes,wait_ns,behind_others_ns\n" + "".join(
            f"9,{at},{link},{job},10,9,,{wait}\n" for at, (link, job, wait) in enumerate(waits)))
    return folder


EVERYTHING = (-math.inf, math.inf)
# Two classes of a port of which never both change at a time: 3 holds 10 kB from 2 to 6 us, 6 a
# little from 3 to 4 us. Rows as the program writes them: the first before a change and the last one
# tell of 0.
QUEUES = """time_ns,node,port,class,bytes
1000,4,0,3,0
2000,4,0,3,10000
2000,4,0,6,0
3000,4,0,6,500
4000,4,0,6,700
5000,4,0,6,0
6000,4,0,3,10000
7000,4,0,3,0
9000,4,0,3,0
9000,4,0,6,0
"""


class SeriesTest(unittest.TestCase):
    """What becomes of series that have rows only where something changes."""

    @classmethod
    def setUpClass(cls):
        cls.program = load_plot()

    def table(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_text(text)
            return self.program.data.read_table(path)

    def totals(self, window):
        queues = self.program.data.cut(self.table("queues.csv", QUEUES), window,
                                       ["node", "port", "class"])
        return [(t, b) for (_, _, t), b in self.program.over_time.summed(
            self.program.columns.SERIES["queues"], queues, "bytes").items()]

    def test_classes_are_summed_where_only_one_has_a_row(self):
        self.assertEqual(self.totals(EVERYTHING),
                         [(1000, 0), (2000, 10000), (3000, 10500), (4000, 10700), (5000, 10000),
                          (6000, 10000),
                          (7000, 0), (9000, 0)])

    def test_a_window_begins_and_ends_with_what_waits_then(self):
        # 3.5 us: 10000 + 500; 5.5 us: 10000 + 0
        self.assertEqual(self.totals((3.5, 5.5)),
                         [(3500, 10500), (4000, 10700), (5000, 10000), (5500, 10000)])
        # no row lies in it
        self.assertEqual(self.totals((2.5, 2.6)), [(2500, 10000), (2600, 10000)])
        # rows at both ends, once
        self.assertEqual(self.totals((3, 4)), [(3000, 10500), (4000, 10700)])
        self.assertEqual(self.totals((0, 1)), [(1000, 0)])
        self.assertEqual(self.totals((0, 0.5)), [])

    def test_utilisation_is_averaged_over_time_not_over_rows(self):
        # Port 0 sends all the time from 1 to 9 us: 8 of 10 us. Port 1 changes at every sample and
        # sends half of the time, which its rows alone would not tell: 1 for port 0 is in two rows
        # of four.
        text = ("time_ns,node,port,tx_bytes,utilisation\n1000,4,0,0,0\n2000,4,0,9,1\n9000,4,0,9,1\n"
                "10000,4,0,0,0\n")
        text += "".join(f"{t * 1000},4,1,9,{t % 2 * 0.7}\n" for t in range(1, 11))
        links = self.table("links.csv", text)
        mean = self.program.over_time.mean_use(links, 0)
        self.assertAlmostEqual(mean[(4, 0)], 8 / 10)
        self.assertAlmostEqual(mean[(4, 1)], 0.7 * 5 / 10)
        inside = self.program.data.cut(links, (4, 6), ["node", "port"])
        mean = self.program.over_time.mean_use(inside, 4000)
        self.assertAlmostEqual(mean[(4, 0)], 1)
        self.assertAlmostEqual(mean[(4, 1)], 0.7 / 2)

    def test_a_flow_gets_nothing_where_it_has_no_row(self):
        rates = self.table("rates.csv",
                           "time_ns,flow,rate_bps,window_bytes,throughput_bps,limit_bps\n"
                           "2000,0,9e10,0,4e10,9e10\n3000,1,9e10,0,1e10,9e10\n"
                           "4000,0,9e10,0,8e10,9e10\n"
                           "5000,1,9e10,0,1e10,9e10\n")
        def throughput(rows, times, count):
            return self.program.over_time.means(rows, "throughput_bps", 1e-9, times.to_numpy(),
                                                 count)

        times, first = rates["time_ns"], rates[rates["flow"] == 0]
        ended = throughput(first, times, 1)
        self.assertEqual([line.tolist() for line in ended], [[1, 2, 3, 4, 4], [40, 40, 0, 80, 0]])
        going_on = throughput(first, times[:3], 1)
        self.assertEqual([line.tolist() for line in going_on], [[1, 2, 3, 4], [40, 40, 0, 80]])
        # two samples together: (40 + 0) / 2, and the last one by itself
        means = throughput(first, times[:3], 2)
        self.assertEqual([line.tolist() for line in means], [[1, 3, 4], [20, 20, 80]])
        single = throughput(rates[:1], times[:1], 1)
        self.assertEqual([line.tolist() for line in single], [[2, 2], [40, 40]])


PLAN = {"plan": "a host at each of two switches", "hosts": 2, "switches": 2, "groups": 0,
        "grid": [], "diameter_links": 3,
        "mean_distance_links": 3.0, "bisection_bps": 0, "half_hosts_bps": 0,
        "nodes": [{"name": f"host-{i}", "kind": "host", "tier": 0, "pod": i} for i in (0, 1)]
        + [{"name": f"switch-{i}", "kind": "switch", "tier": 1, "pod": i} for i in (0, 1)],
        "links": [{"a": a, "b": b, "kind": kind, "rate_bps": 10**11} for a, b, kind in
                  ((0, 2, "host"), (1, 3, "host"), (2, 3, "local"), (3, 2, "local"))]}


class FolderTest(unittest.TestCase):
    """Numbers of figures, of folders with few flows."""

    def setUp(self):
        self.program = load_plot()
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.dir = Path(temporary.name)

    def run_of(self, name, label=None, **more):
        return self.program.data.Run(write_result(self.dir / name, **more), label or name,
                                     EVERYTHING)

    def test_folders_of_one_label_are_one_line(self):
        lines = self.program.data.lines_of([self.run_of("a", "FNCC"), self.run_of("b", "HPCC"),
                                            self.run_of("c", "FNCC")])
        self.assertEqual([(line.label, len(line.runs)) for line in lines],
                         [("FNCC", 2), ("HPCC", 1)])
        self.assertEqual(lines[0].look.color, "#0072b2")
        self.assertEqual(len(lines[0].flows), 6)

    def test_results_that_are_replaced_meanwhile(self):
        """Flows of one run and series of the next would be one figure."""
        data, folder, real = self.program.data, write_result(self.dir
                                                             / "a"), self.program.data.read_table

        def read(path):
            frame = real(path)
            if path.name == "queues.csv":
                (folder / "summary.json").write_text('{"status": "complete"}')
            return frame

        with unittest.mock.patch.object(data, "read_table",
                                        read), self.assertRaisesRegex(
                                            data.BadInput, "a: another run has put its results"):
            data.Run(folder, "a", EVERYTHING)
        self.assertEqual(data.Run(folder, "a", EVERYTHING).summary, {"status": "complete"})

    def test_folders_that_differ_in_the_seed_are_joined(self):
        runs = [self.run_of(f"{cc}-seed{seed}",
                            options={"cc": cc, "seed": str(seed), "out": f"{cc}{seed}"})
                for cc in ("fncc", "hpcc") for seed in (1, 2)]
        lines = self.program.data.lines_of(runs, join_seeds=True)
        self.assertEqual([(line.label, len(line.runs)) for line in lines],
                         [("fncc", 2), ("hpcc", 2)])
        self.assertEqual(len(self.program.data.lines_of(runs)), 4)
        # names that would be the same, and folders of which no options are known
        runs = [self.run_of("x1", options={"seed": "1"}), self.run_of("x2", options={"seed": "2"}),
                self.run_of("x3", options={"seed": "1", "cc": "fncc"}),
                self.run_of("x4", options={"seed": "2", "cc": "fncc"}),
                self.run_of("y"), self.run_of("z")]
        self.assertEqual([line.label for line in self.program.data.lines_of(runs, join_seeds=True)],
                         ["x", "x3", "y", "z"])

    def test_folders_of_one_name_but_other_options(self):
        """fncc/results and hpcc/results were drawn as two seeds of one thing."""
        runs = []
        for cc, seed in (("fncc", 1), ("hpcc", 1), ("hpcc", 2)):
            (self.dir / f"{cc}{seed}").mkdir()
            runs.append(self.run_of(f"{cc}{seed}/results", "results",
                                    options={"cc": cc, "seed": str(seed)}))
        lines_of = self.program.data.lines_of
        self.assertEqual([(line.label, len(line.runs)) for line in lines_of(runs, chosen=False)],
                         [("fncc1/results", 1), ("hpcc1/results", 2)])
        # as --labels has it
        self.assertEqual([(line.label, len(line.runs)) for line in lines_of(runs)],
                         [("results", 3)])
        lines = lines_of(runs, join_seeds=True)
        self.assertEqual([(line.label, len(line.runs)) for line in lines],
                         [("fncc1/results", 1), ("hpcc1/results", 2)])
        self.assertEqual(len({line.look.color for line in lines}), 2)
        told = self.program.data.told_apart
        self.assertEqual(told(["a", "b", "a"], [Path("/x/1/a"), Path("/b"), Path("/x/2/a")]),
                         ["1/a", "b", "2/a"])
        self.assertEqual(told(["a", "a"], [Path("/x/a"), Path("/x/a")]), ["a (1)", "a (2)"])

    def test_whiskers_of_a_percentile(self):
        """The flows of all seeds together, with the range of the seeds' own; or the mean of these
        with its interval."""
        lines = self.program.data.lines_of([self.run_of("a", "x", flows=3),
                                            self.run_of("b", "x", flows=7)])
        sizes = self.program.distributions
        used = sizes.sizes_used(lines)
        self.assertEqual(used, ["10 kB", "100 kB", "1 MB", "10 MB"])
        # up to 10 kB: flows 0 and 1 (1 and 10 kB) of the first folder: 1, 2; of the second 0, 1, 5,
        # 6: 1, 2, 6, 7
        place, found = sizes.spreads_by_size(lines[0], used, 50, interval=False)[0]
        # together 1, 1, 2, 2, 6, 7: the third
        self.assertEqual((place, found.spread), (0, {"mean": 2, "low": 1, "high": 2}))
        self.assertEqual((found.count, found.above, found.enough), (6, 3, False))
        # the largest of six: none is above, so there is no 95th percentile
        self.assertNotIn(0, dict(sizes.spreads_by_size(lines[0], used, 95, interval=False)))
        # one flow of 1 MB, in the second folder: no median either
        self.assertNotIn(2, dict(sizes.spreads_by_size(lines[0], used, 50, interval=False)))
        # medians of the seeds, 1 and 2: s / sqrt(2) = 0.5, times 12.7062; none is below 1
        spread = sizes.spreads_by_size(lines[0], used, 50, interval=True)[0][1].spread
        self.assertEqual((spread["mean"], spread["low"]), (1.5, 1))
        self.assertAlmostEqual(spread["high"], 1.5 + 12.7062 * 0.5, 3)

    def test_comparison(self):
        lines = self.program.data.lines_of(
            [self.run_of("a", "x"), self.run_of("b", "x", max_queue_bytes=70000), self.run_of("c")])
        found = self.program.comparison.compared(lines, interval=False)
        # nothing was paused
        self.assertEqual(list(found), ["mean slowdown", "throughput of a flow (Gb/s)",
                                       "longest queue of a class (kB)"])
        # 1, 10 and 100 kB in 2, 4 and 6 us
        self.assertAlmostEqual(found["throughput of a flow (Gb/s)"][1]["mean"], 8 * 111 / 12)
        self.assertEqual(found["longest queue of a class (kB)"],
                         [{"mean": 60, "low": 50, "high": 70}, {"mean": 50, "low": 50, "high": 50}])
        self.assertEqual(found["mean slowdown"][1]["mean"], 2)

    def test_equal_numbers_of_flows_are_told_once(self):
        """Labels have commas: "ugal, rack 216, valiant, rack 216" had to be read twice."""
        for flows, said in (((3, 3), "flows received: 3 in each"),
                            ((3, 4), "flows received: ugal, rack: 3, valiant: 4")):
            runs = [self.program.data.Run(write_result(self.dir / f"{len(said)}-{at}", flows=count),
                                          label, EVERYTHING)
                    for at, (label, count) in enumerate(zip(("ugal, rack", "valiant"), flows))]
            with unittest.mock.patch.object(self.program.comparison, "note") as note:
                self.program.comparison.comparison(self.program.data.lines_of(runs))
            self.assertTrue(note.call_args.args[1].endswith(said), note.call_args)

    def test_titles_of_the_comparison_do_not_meet(self):
        """One panel for each quantity, as narrow as two of a run with no complete flow."""
        from matplotlib import pyplot
        for number in (1, 2, 5, 12):
            runs = [self.run_of(f"t{number}-{at}", goodput_gbps=12.5, pfc_pause_frames=3,
                                status="stopped")
                    for at in range(number)]
            for run in runs[:1]:
                run.flows = run.flows[:0]  # so that no run has a slowdown in common with it
            figure = self.program.comparison.comparison(self.program.data.lines_of(runs))
            figure.canvas.draw()
            whole = figure.bbox
            boxes = [axis.title.get_window_extent() for axis in figure.axes]
            self.assertEqual(len(boxes), 3)
            for left, right in zip([whole, *boxes], [*boxes, None]):
                self.assertLess(left.x1 if left is not whole else whole.x0,
                                right.x0 if right else whole.x1, number)
            pyplot.close(figure)

    def test_each_half_of_a_link_belongs_to_the_port_at_its_end(self):
        from dcfabric.plan import Plan, link_ports, place_nodes
        plan = Plan.parse(json.dumps(PLAN))
        # switch 2 has host 0 at port 0 and the links to switch 3 at 1 and 2; switch 3 host 1 at 0,
        # then likewise
        self.assertEqual(link_ports(plan), [(0, 0), (0, 0), (1, 1), (2, 2)])
        places = place_nodes(plan)
        halves = self.program.network.halves(plan, places)
        self.assertEqual([(node, port) for node, port, _ in halves],
                         [(0, 0), (2, 0), (1, 0), (3, 0), (2, 1), (3, 1), (3, 2), (2, 2)])
        for node, _, points in halves:
            ends = min(math.dist(places[node], points[0]), math.dist(places[node], points[-1]))
            self.assertAlmostEqual(ends, 0)
        self.assertEqual(self.program.network.busiest(plan,
                                                      {(2, 1): 0.5, (3, 2): 0.9, (9, 9): 0.1}),
                         [("switch-1 to switch-0", 0.9), ("switch-0 to switch-1", 0.5),
                          ("node 9 port 9", 0.1)])

    def test_use_is_the_mean_over_the_seeds(self):
        """Port 0 of node 4 sends at 0.95 from 0 to 9 us, in the second folder at 0.45."""
        runs = [self.run_of("a", "x"), self.run_of("b", "x")]
        runs[1].series["links"]["utilisation"] = 0.45
        line, = self.program.data.lines_of(runs)
        self.assertAlmostEqual(self.program.network.mean_over_seeds(line)[4, 0], 0.7)

    def test_use_says_over_which_time_it_is_the_mean(self):
        """Of a control under which flows take longer it looked as if links were used less: 9 us,
        here 6 to 9 of two seeds, and from 2 us with a window."""
        from matplotlib import pyplot

        from dcfabric.plan import Plan
        plan = Plan.parse(json.dumps(PLAN))

        def run(name, label, window=EVERYTHING):
            return self.program.data.Run(write_result(self.dir / name), label, window)

        def said(runs):
            lines = self.program.data.lines_of(runs)
            figure = self.program.network.link_use(lines, {line.label: plan for line in lines})
            pyplot.close(figure)
            return [axis.get_title().splitlines()[0] for axis in figure.axes[:len(lines)]], \
                figure.noted

        runs = [run("a", "x"), run("b", "x"), run("c", "y")]
        links = runs[1].series["links"]
        runs[1].series["links"] = links[links["time_ns"] <= 6000]
        titles, note = said(runs)
        self.assertEqual(titles, ["x: mean of 2 seeds from 0 to 6-9 us", "y: mean from 0 to 9 us"])
        self.assertIn("a longer run has lower means", note)
        titles, note = said([run("d", "z", (2, 5))])
        self.assertEqual(titles, ["z: mean from 2 to 5 us"])
        self.assertNotIn("longer", note)

    def test_pauses(self):
        import pandas
        rows = pandas.DataFrame({"time_ns": [1000, 2000, 3000, 4000, 5000, 6000],
                                 "class": [3, 3, 3, 4, 3, 4],
                                 "event": ["pause", "pause", "resume", "resume", "pause", "pause"]})
        pauses = self.program.columns.SERIES["pfc"]
        # class 3 from 1 to 3 us (paused twice) and from 5 us on; class 4 resumed without a pause,
        # then from 6 us on
        self.assertEqual([(span.row[-1], span.begin_us, span.end_us)
                          for span in self.program.timelines.spans_of(pauses, rows, 9)],
                         [("3", 1, 3), ("3", 5, 9), ("4", 6, 9)])
        self.assertEqual(self.program.timelines.spans_of(pauses, rows[:0], 9), [])

    def test_timeline_of_a_flow(self):
        run = self.run_of("a")
        # starts at 1 us, 4 us to the last byte, 5 us to the last ACK
        found = self.program.timelines.flow_timeline(run, 1)
        self.assertEqual([(span.row, span.begin_us, span.end_us) for span in found.spans],
                         [("ideal", 1, 3), ("to the last byte", 1, 5), ("to the last ACK", 1, 6)])
        self.assertEqual([course.name for course in found.courses], ["limit", "window"])
        self.assertIsNone(found.cut_us())
        with self.assertRaisesRegex(self.program.data.BadInput, "no flow 9"):
            self.program.timelines.flow_timeline(run, 9)
        quiet = self.program.timelines.flow_timeline(self.run_of("b", series=False), 1)
        self.assertEqual((quiet.courses, quiet.missing), ([], ["no rates.csv (--trace=rates)"]))

    def test_an_ideal_time_does_not_stretch_the_axis(self):
        """A flow that the run cut at 7 us would take until 101: the axis ends at 7 and 5 % of what
        it shows, 7 - 1. Without anything else the ideal time is all there is."""
        from dcfabric.plots.timelines import Course, Span, Timeline, draw_timeline
        ideal = Span("ideal", 1, 101, "")
        cut = Timeline("t", [ideal], [Course("rate", "rate (Gb/s)", [1, 7], [5, 5])])
        self.assertAlmostEqual(cut.cut_us(), 7.3)
        everything = (-math.inf, math.inf)
        begin, end = draw_timeline(cut, "a", everything).axes[0].get_xlim()
        self.assertEqual((begin, round(end, 9)), (1, 7.3))
        self.assertEqual(draw_timeline(cut, "a", (-math.inf, 50)).axes[0].get_xlim()[1], 50)
        self.assertIsNone(Timeline("t", [ideal]).cut_us())
        self.assertIsNone(Timeline("t", [ideal, Span("to the last byte", 1, 120, "")]).cut_us())

    def test_timeline_of_a_port(self):
        run = self.run_of("a")
        found = self.program.timelines.port_timeline(run, 4, 1)
        # 9000 * 2 B
        self.assertEqual([(course.axis, course.values[-1]) for course in found.courses],
                         [("queue (kB)", 18)])
        self.assertEqual(found.missing, ["it never sent", "no pfc.csv (--trace=pfc)",
                                         "it trimmed nothing"])
        with self.assertRaisesRegex(self.program.data.BadInput, "nothing is known of ports"):
            self.program.timelines.port_timeline(self.run_of("b", series=False), 4, 1)

    def test_a_series_that_only_its_description_knows(self):
        columns = self.program.columns
        curve = {"column": "packets", "name": "", "style": "line", "older": ""}
        told = {"name": "hops", "rows": "thinned",
                "columns": [{"name": name, "type": kind} for name, kind in
                            (("node", "key"), ("port", "key"), ("packets", "whole"))],
                "figure": {"title": "ports that received most", "nothing": "no data came",
                           "of": ["node", "port"], "order": "mean", "by": "packets", "most": 1,
                           "together": False, "panels": [
                               {"quantity": "packets", "unit": "", "factor": 1, "most": 0,
                                "instead": False, "aside": False, "curves": [curve]}]}}
        folder = write_result(self.dir / "a")
        (folder / "hops.csv").write_text("time_ns,node,port,packets\n0,4,0,3\n5000,4,0,3\n"
                                         "0,4,1,2\n5000,4,1,2\n")
        with unittest.mock.patch.dict(columns.SERIES, {"hops": columns.series_from(told)}):
            run = self.program.data.Run(folder, "a", EVERYTHING)
            figure = self.program.over_time.draw(columns.SERIES["hops"],
                                                 self.program.data.lines_of([run]))
            axis, = figure.axes
            self.assertEqual([line.get_label() for line in axis.lines], ["node 4 port 0"])
            self.assertEqual((axis.get_title(loc="left"), axis.get_ylabel()),
                             ("a (1 of 2 ports): ports that received most", "packets"))
            found = self.program.timelines.port_timeline(run, 4, 1)
            self.assertIn(("packets", [2, 2]),
                          [(course.axis, course.values) for course in found.courses])
            (folder / "hops.csv").write_text("time_ns,node,port\n")
            with self.assertRaisesRegex(self.program.data.BadInput, "no column packets"):
                self.program.data.Run(folder, "a", EVERYTHING)

    def test_what_a_job_file_says(self):
        from dcfabric.traces.job import JobFile, ranks_of, value_of
        self.assertEqual(ranks_of("0-3,8,10-20:5", 32), {0, 1, 2, 3, 8, 10, 15, 20})
        self.assertEqual(ranks_of("all", 3), {0, 1, 2})
        self.assertEqual(
            [value_of(text, 7, 16)
             for text in ("rank/4", "rank%4", "(rank+1)%ranks", "(rank/2>=3)*2+rank%2", "rank^1",
                          "(rank-8)/4", "(rank-8)%4")], [1, 3, 8, 3, 6, -1, 3])
        for text in ("rank**2", "rank/0", "i", "-rank", "__import__('os')", "rank.real",
                     "1 < rank < 3"):
            with self.assertRaises(ValueError, msg=text):
                value_of(text, 7, 16)
        (self.dir / "two.txt").write_text("ranks 2\n")
        path = self.dir / "two.txt"
        for words in ("", ",name=x", "@10us", ",name=x,priority=2@1.5ms"):
            self.assertEqual(JobFile.of_workload(f"program:{path}{words}").ranks, 2, words)
        for words in (",placement=random", "+websearch", ",name=x,placement=packed@3us"):
            self.assertIsNone(JobFile.of_workload(f"program:{path}{words}"), words)
        job = JobFile.parse("ranks 16\ngroup some 0-3,9\ngroups odd by i\ngroup bad x\n")
        self.assertEqual([job.belongs(9, "some", 0), job.belongs(8, "some", 0),
                          job.belongs(9, "odd", 8), job.belongs(9, "none", 0),
                          job.belongs(9, "all", 0)], [True, False, None, None, True])

    def test_timeline_of_a_rank(self):
        (self.dir / "job.txt").write_text("ranks 8 per-host 2\nplace 3 0\ngroups data by rank%4 # "
                                          "of two each\n")
        folder = write_result(self.dir / "a",
                              options={"workload": f"program:{self.dir / 'job.txt'}"})
        (folder / "marks.csv").write_text("rank,name,iteration,start_ns,end_ns\n"
                                          "0,step,0,1000,3000\n3,step,0,1000,2000\n"
                                          "3,done,0,4000,4000\n3,open,0,5000,\n")
        (folder / "collectives.csv").write_text(
            "operation,algorithm,group,first_rank,iteration,ranks,size_bytes,sent_bytes,start_ns,"
            "last_start_ns,end_ns,"
            "algbw_gbyte_s,busbw_gbyte_s\nbarrier,,all,0,0,8,,,2000,2500,3000,,\n"
            "allreduce,ring,pair,2,0,2,8,8,1,1,9,1,1\n"
            "broadcast,,data,2,0,2,8,8,1000,1000,2000,1,1\n"
            "broadcast,,data,3,0,2,8,8,1000,1000,3000,1,1\n")
        run = self.program.data.Run(folder, "a", EVERYTHING)
        found = self.program.timelines.rank_timeline(run, 3)
        self.assertEqual(found.title, "rank 3 on host 0")  # placed; rank 5 is the second of host 2
        # flow 2 starts at 2 us and its last ACK comes 7.5 us later: the end
        self.assertEqual([(span.row, span.begin_us, span.end_us) for span in found.spans],
                         [("mark step", 1, 2), ("mark done", 4, 4), ("mark open", 5, 9.5),
                          ("barrier of all", 2, 3),
                          ("broadcast of data", 1, 3),
                          ("host sends", 0, 2.5), ("host sends", 1, 6), ("host sends", 2, 9.5)])
        self.assertIn("1 collective of groups of which it is not known whether the rank belongs to "
                      "them", found.missing)
        # the sends overlap; the program begins at 0, and the axis ends 5 % after 9.5 us
        self.assertTrue(found.overlap())
        self.assertEqual(found.range_us(), (0, 9.5 + 0.05 * 9.5))
        figure = self.program.timelines.draw_timeline(found, "a", EVERYTHING)
        self.assertEqual(figure.noted, "darker: several at a time")
        # rank 7 is in the same group of data, and the second of host 3
        found = self.program.timelines.rank_timeline(run, 7)
        self.assertEqual([(span.row, span.end_us) for span in found.spans],
                         [("barrier of all", 3), ("broadcast of data", 3)])
        # both begin at 1 us or later: what is before was computed
        self.assertFalse(found.overlap())
        figure = self.program.timelines.draw_timeline(found, "a", EVERYTHING)
        self.assertEqual(figure.axes[0].get_xlim()[0], 0)
        self.assertFalse(hasattr(figure, "noted"))
        self.assertEqual(found.title, "rank 7 on host 3")
        self.assertIn("--trace=computations has", found.missing[-1])
        (folder / "computations.csv").write_text("time_ns,rank,stream,duration_ns,line\n")
        self.assertIn("computations are in computations.csv, which dcfabric timeline shows",
                      self.program.timelines.rank_timeline(run, 7).missing[-1])
        with self.assertRaisesRegex(self.program.data.BadInput, "no rank 8; there are 8, from 0"):
            self.program.timelines.rank_timeline(run, 8)
        (self.dir / "job.txt").unlink()
        self.assertIn("the host of this rank is unknown here",
                      self.program.timelines.rank_timeline(run, 3).missing[-1])
        with self.assertRaisesRegex(self.program.data.BadInput, "no programs of ranks"):
            self.program.timelines.rank_timeline(self.run_of("b"), 0)


    def test_timeline_of_a_rank_of_a_job(self):
        """Ranks are counted through the jobs: of 2 and 3, rank 3 is number 1 of the second."""
        folder = write_result(self.dir / "a", options={"workload": "program:a.txt+program:b.txt"})
        header = "job,ranks,busbw_gbyte_s,time_ns,slowdown\n"
        (folder / "jobs.csv").write_text(f"{header}a,2,,10,\npairs,0,,,\n1,3,,,\n")
        (folder / "marks.csv").write_text("rank,name,iteration,start_ns,end_ns,job\n"
                                          "1,step,0,1000,3000,a\n1,step,0,2000,5000,1\n")
        (folder / "collectives.csv").write_text(
            "operation,algorithm,group,first_rank,iteration,ranks,size_bytes,start_ns,end_ns,job\n"
            "barrier,,all,0,0,2,,2000,3000,a\nbarrier,,all,0,0,3,,4000,5000,1\n")
        run = self.program.data.Run(folder, "a", EVERYTHING)
        found = self.program.timelines.rank_timeline(run, 3)
        self.assertEqual(found.title, "rank 1 of 1")
        self.assertEqual([(span.row, span.begin_us, span.end_us) for span in found.spans],
                         [("mark step", 2, 5), ("barrier of all", 4, 5)])
        self.assertEqual(run.marked_ranks(), [1, 3])
        self.assertEqual(self.program.timelines.rank_timeline(run, 0).title, "rank 0 of a")
        for rank in (-1, 5):
            with self.assertRaisesRegex(self.program.data.BadInput,
                                        f"no rank {rank}; there are 5, from 0, counted through"):
                self.program.timelines.rank_timeline(run, rank)
        (folder / "jobs.csv").write_text(header.replace("ranks,", ""))
        with self.assertRaisesRegex(self.program.data.BadInput, "jobs.csv:1: no column ranks"):
            self.program.data.Run(folder, "a", EVERYTHING)


class JobsTest(unittest.TestCase):
    """Several jobs: what is compared, and what is left out."""

    @classmethod
    def setUpClass(cls):
        cls.program = load_plot()

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.dir = Path(temporary.name)

    def lines(self, *folders):
        return self.program.data.lines_of([self.program.data.Run(folder, folder.name[0], EVERYTHING)
                                           for folder in folders])

    def test_values(self):
        """Of two seeds of 2 and 4 us the mean is 3; steps of 40 and 60 % of it have half of it as
        mean, waits of 0.8 and 0 us 0.4. The second job ended in one seed alone: no time. Names are
        as they are written."""
        waits = [("l-0 to s", "01", 800), ("l-0 to s", "NA", 0), ("h to l-0", "01", "")]
        found = {one.title: one for one in self.program.jobs.quantities(self.lines(
            write_jobs(write_result(self.dir / "a1", series=False), (2000, ""), waits, 1000),
            write_jobs(write_result(self.dir / "a2", series=False), (4000, 5000),
                       [("l-0 to s", "01", 0)], 1000),
            write_jobs(write_result(self.dir / "b", series=False), (1000, 7000)),
            write_result(self.dir / "c", series=False)), False)}
        shown = {title: {name: [one and (one["low"], one["mean"], one["high"]) for one in
                                map(group.get, "abc")] for name, group in one.groups.items()}
                 for title, one in found.items()}
        self.assertEqual(shown, {
            "time of a job (us)": {"01": [(2, 3, 4), (1, 1, 1), None],
                                   "NA": [None, (7, 7, 7), None],
                                   "beside": [(9, 9, 9), (9, 9, 9), None]},
            "slowdown of a job": {"01": [(2, 3, 4), None, None]},
            "bus bandwidth of a job (GB/s)": {"01": [(5.5, 5.5, 5.5)] * 2 + [None]},
            "time of a step (us)": {"01: step": [(1, 1.5, 2), (0.5, 0.5, 0.5), None],
                                    "NA: step": [(3, 3, 3), (3, 3, 3), None]},
            "time of a collective (us)": {"01: allreduce/ring/all": [(0.8, 0.8, 0.8)] * 2 + [None]},
            "wait behind others (us)": {"l-0 to s: 01": [(0, 0.4, 0.8), None, None]}})

    def test_the_worst_links_of_each_run(self):
        """Of twelve links of the first run and one of the second eight are shown: its worst one
        is, too."""
        one, = [one for one in self.program.jobs.quantities(self.lines(
            write_jobs(write_result(self.dir / "a"), (9, 9), [(f"l-{at}", "01", 90 - at)
                                                             for at in range(12)]),
            write_jobs(write_result(self.dir / "b"), (9, 9), [("other", "01", 1)])), False)
            if one.title.startswith("wait")]
        self.assertEqual(list(one.groups), ["l-0: 01", "other: 01", *(f"l-{at}: 01"
                                                                      for at in range(1, 7))])
        self.assertEqual(one.said[1:], ["wait behind others: 8 of 13 are shown"])

    def test_figure(self):
        figure = self.program.jobs.draw(self.lines(write_jobs(
            write_result(self.dir / "a", series=False), (2000, ""), [("l", "01", 500)], 1000)))
        self.assertEqual([(axis.get_title(), [bar.get_height() for bar in axis.patches])
                          for axis in figure.axes],
                         [("time of a job (us)", [2, 9]), ("slowdown of a job", [2]),
                          ("bus bandwidth of a job (GB/s)", [5.5]),
                          ("time of a step (us)", [1, 3]), ("time of a collective (us)", [0.8]),
                          ("wait behind others (us)", [0.5])])
        self.assertIsNone(self.program.jobs.draw(self.lines(
            write_result(self.dir / "b", series=False))))


class NamesTest(unittest.TestCase):
    """Names that matplotlib takes for something else: formulas, and lines that no legend shows."""

    def texts(self, figure):
        from matplotlib.text import Text
        return [text.get_text() for text in figure.findobj(Text)]

    def test_names(self):
        program = load_plot()
        from dcfabric import drawing
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            for which, names in enumerate((("_hidden", "x"), (r"a$\frac$", "5$"),
                                           ("a$^$\nb", r"$\alpha$"))):
                runs = [program.data.Run(write_result(folder / f"{which}-{at}", name=name), name,
                                         EVERYTHING)
                        for at, name in enumerate(names)]
                lines = program.data.lines_of(runs)
                queues = functools.partial(program.over_time.draw,
                                           program.columns.SERIES["queues"])
                for number, draw in enumerate((program.distributions.slowdown_by_size,
                                               program.distributions.distribution,
                                               program.distributions.tail, queues,
                                               program.comparison.comparison)):
                    with drawing.styled():
                        figure = draw(lines)
                    shown = [text.replace("\u200b", "").replace("\n", " ")
                             for text in self.texts(figure)]
                    drawing.save(figure, folder / f"{number}.png")
                    for name in names:
                        self.assertTrue(any(name.replace("\n", " ") in text for text in shown),
                                        (name, draw, shown))

    def test_formulas_are_formulas(self):
        load_plot()
        from dcfabric import drawing
        figure, axes = drawing.panels(1, 1, 3, 3)
        for at, name in enumerate((r"$\alpha$", r"$\frac$", "5$")):
            axes[0][0].text(at, at, name)
        drawing.spell_out(figure)
        if hasattr(axes[0][0].texts[0], "get_parse_math"):  # matplotlib 3.6
            self.assertEqual([text.get_parse_math() for text in axes[0][0].texts],
                             [True, False, True])
        with tempfile.TemporaryDirectory() as folder:
            drawing.save(figure, Path(folder) / "f.png")


class PlotCase(unittest.TestCase):
    """A folder for results, and one for figures."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.dir = Path(temporary.name)
        self.out = self.dir / "figures"

    def plot(self, *arguments, experiments=True):
        """In this process, which has loaded what the program needs. experiments: as
        examples/dcfabric-plot, which draws them; else as the command that is installed. Figures
        have few pixels, as most of the time of a test would go into these."""
        load_plot()
        program = importlib.import_module("dcfabric.plot")
        drawing = importlib.import_module("dcfabric.drawing")
        draw = importlib.import_module("showcases.figures").draw if experiments else None
        out, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors), \
                unittest.mock.patch.object(drawing, "DPI", 20):
            try:
                status = program.main([*map(str, arguments), "--out", str(self.out)], draw)
            except SystemExit as end:
                status = end.code
        return types.SimpleNamespace(returncode=status, stdout=out.getvalue(),
                                     stderr=errors.getvalue())

    def assert_refused(self, run, *words):
        self.assertEqual(run.returncode, 2, run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)
        self.assertFalse(self.out.exists() and list(self.out.iterdir()), "partial output")

    def names(self):
        return sorted(path.name for path in self.out.iterdir())


class PlotTest(PlotCase):
    def test_all_figures_of_two_folders(self):
        a, b = write_result(self.dir / "a"), write_result(self.dir / "b", flows=40)
        run = self.plot(a, b, "--labels", "FNCC,HPCC")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.names(),
                         ["comparison.png", "fct-ccdf.png", "fct-cdf.png", "links.png",
                          "queues.png", "rates.png", "slowdown-by-size.png", "trims.png",
                          "windows.png"])
        self.assertEqual(len(run.stdout.splitlines()), 9)
        for path in self.out.iterdir():
            self.assertEqual(path.read_bytes()[:8], PNG)

    def test_each_path_is_told_at_once(self):
        """All paths came at the end, of six traced runs after 13 s, where output is no terminal."""
        told = []

        class Pipe(io.StringIO):
            def flush(pipe):
                told.append((pipe.getvalue().splitlines(), self.names()))

        with unittest.mock.patch.object(io, "StringIO", Pipe):
            run = self.plot(write_result(self.dir / "a", series=False), "--prefix=x-")
        self.assertEqual(run.returncode, 0, run.stderr)
        for number, (paths, names) in enumerate(told[:4], 1):
            self.assertEqual((len(paths), len(names)), (number, number), told)

    def test_use_of_links_names_nodes(self):
        """All of a small network; of a large one the ends of the three busiest links, by which its
        title names these: those of switches 2 and 3 here, once host 0 and 1 send less."""
        program = load_plot()
        from dcfabric.plan import Plan
        from dcfabric.plots import network
        a = write_result(self.dir / "a", series=False)
        (a / "links.csv").write_text("time_ns,node,port,tx_bytes,utilisation\n" + "".join(
            f"{time},{node},{port},9,{use}\n" for time in (1000, 9000)
            for node, port, use in ((0, 0, 0.1), (2, 1, 0.9), (2, 2, 0.8), (3, 1, 0.7))))
        (self.dir / "plan.json").write_text(json.dumps(PLAN))
        plan = Plan.read(self.dir / "plan.json")
        line = program.data.lines_of([program.data.Run(a, "a", EVERYTHING)])
        for each, names in ((40, ["host-0", "host-1", "switch-0", "switch-1"]),
                            (3, ["switch-0", "switch-1"])):
            with unittest.mock.patch.object(network, "EACH", each):
                figure = network.link_use(line, {"a": plan})
            self.assertEqual(sorted(text.get_text() for text in figure.axes[0].texts), names)

    def test_use_over_a_stored_plan(self):
        a, b = write_result(self.dir / "a"), write_result(self.dir / "b")
        (a / "plan.json").write_text(json.dumps(PLAN))
        run = self.plot(a, b)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("link-use: no plan of the network of b: summary.json has no options",
                      run.stderr)
        self.assertIn("link-use.png", self.names())
        (a / "plan.json").write_text("{}")
        run = self.plot(a)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("plan.json: not a plan", run.stderr)

    def test_timelines(self):
        a, b = write_result(self.dir / "a"), write_result(self.dir / "b")
        run = self.plot(a, b, "--labels=x,y z", "--flow=1", "--flow=2", "--port=4:0", "--from-us=2",
                        "--to-us=5")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertLessEqual({f"{what}-{label}.png" for what in ("flow-1", "flow-2", "port-4-0")
                              for label in ("x", "y-z")},
                             set(self.names()))
        self.assertIn("port-4-0-x: no pfc.csv (--trace=pfc)", run.stderr)

    def test_no_figure_takes_the_place_of_another(self):
        """Labels that differ in what a file name cannot have; two plans and two experiments of one
        name."""
        a, b = write_result(self.dir / "a"), write_result(self.dir / "b")
        run = self.plot(a, b, "--labels=\u03b1,\u03b2", "--flow=1")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertLessEqual({"flow-1--.png", "flow-1---2.png"}, set(self.names()))
        self.assertEqual(len(set(run.stdout.splitlines())), len(run.stdout.splitlines()))
        experiment = {"experiment": "direct-networks", "seeds": 1,
                      "series": {"1 host, uniform, ugal": {"load_percent": [1, 2]}}}
        given = []
        for name in ("one", "two"):
            (self.dir / name).mkdir()
            (self.dir / name / "result.json").write_text(json.dumps(experiment))
            (self.dir / name / "net.json").write_text(json.dumps(PLAN))
            given += [self.dir / name, self.dir / name / "net.json"]
        run = self.plot(*given, "--prefix=p-", "--format=svg")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(sorted(Path(path).name for path in run.stdout.splitlines()),
                         ["p-direct-networks-2.svg", "p-direct-networks.svg", "p-net-2.svg",
                          "p-net.svg"])

    def test_experiments_are_drawn_beside_their_scripts(self):
        """The command that pip installs has not got what draws them."""
        (self.dir / "one").mkdir()
        (self.dir / "one" / "result.json").write_text(
            '{"experiment": "fncc-hops", "seeds": 1, "series": {}}')
        self.assert_refused(self.plot(self.dir / "one", experiments=False),
                            "'fncc-hops' is drawn by examples/dcfabric-plot")

    def test_a_hundred_folders(self):
        """Their names did not fit into a line below the figure, at which matplotlib ended the
        program."""
        folders = [write_result(self.dir / f"a run with a name of some length {i}", series=False)
                   for i in range(100)]
        run = self.plot(*folders)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(self.names(),
                         ["comparison.png", "fct-ccdf.png", "fct-cdf.png", "slowdown-by-size.png"])

    def test_timelines_have_no_color_of_an_algorithm(self):
        """Last byte and last ACK were drawn in the colors of HPCC and DCQCN."""
        from dcfabric.looks import COLORS, NEUTRALS, neutral
        from dcfabric.plots.timelines import Course, Span, Timeline, draw_timeline
        from matplotlib.colors import to_hex
        self.assertTrue(set(NEUTRALS).isdisjoint(COLORS))
        timeline = Timeline("t",
                            [Span(f"row {i}", i, i + 1, "") for i in range(5)]
                            + [Span("moment", 2, 2, "")],
                            [Course(f"course {i}", "queue (kB)", [0, 1], [i, i]) for i in range(8)])
        rows, courses = draw_timeline(timeline, "a", (-math.inf, math.inf)).axes
        drawn = {to_hex(part.get_facecolor()[0]) for part in rows.collections
                 if len(part.get_facecolor())}
        drawn |= {to_hex(line.get_color()) for axis in (rows, courses) for line in axis.lines}
        self.assertEqual(drawn, set(NEUTRALS))
        # eight classes of a queue are told apart by color and dash together
        self.assertEqual(len({(neutral(i).color, neutral(i).dash) for i in range(8)}), 8)

    def test_a_port_has_a_name(self):
        """Port 0 of node 2 of the plan leads to host 0."""
        a = write_result(self.dir / "a")
        (a / "plan.json").write_text(json.dumps(PLAN))
        run = self.plot(a, "--port=2:0", "--port=9:9", "--format=svg")
        self.assertEqual(run.returncode, 0, run.stderr)
        (a / "queues.csv").write_text("time_ns,node,port,class,bytes\n0,2,0,3,5\n9000,2,0,3,9\n")
        run = self.plot(a, "--port=2:0", "--format=svg")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("a: switch-0 to host-0 (port 0 of node 2)",
                      (self.out / "port-2-0.svg").read_text())

    def test_ports_by_name(self):
        """As plans and figures have them: a node by name, the way of a link. Two links lead from
        switch-0 to switch-1, at ports 1 and 2."""
        from dcfabric.plan import Plan
        from dcfabric.port_names import find_port
        a = write_result(self.dir / "a")
        (a / "plan.json").write_text(json.dumps(PLAN))
        (a / "queues.csv").write_text("time_ns,node,port,class,bytes\n0,2,0,3,5\n9000,2,0,3,9\n")
        plan = Plan.parse(json.dumps(PLAN))
        for name in ("switch-0:0", "2:0", "switch-0 to host-0", "2 to host-0",
                     "switch-0 to host-0 (port 0 of node 2)"):
            self.assertEqual(find_port(name, lambda: plan), (2, 0), name)
        self.assertEqual(find_port("host-1 to switch-1", lambda: plan), (1, 0))
        for name, words in (
                ("switch-0 to switch-1", "--port: 'switch-0 to switch-1': 2 links lead there: give "
                 "one of switch-0:1, switch-0:2"),
                ("host-0 to host-1", "no link leads there"),
                ("switch-9:0", "there is no node 'switch-9'; the nearest is switch-"),
                ("leaf-0 to host-0", "a port is such as 4:0, leaf-0:0 or 'leaf-0 to spine-1', with "
                 "names as dcfabric-sim --plan prints them")):
            self.assert_refused(self.plot(a, f"--port={name}"), words)
        (a / "plan.json").unlink()
        self.assert_refused(self.plot(a, "--port=switch-0:0"),
                            "--port: 'switch-0:0': the names of nodes are not known: summary.json "
                            "has no options, and there is no plan.json; nodes have numbers, too")
        (a / "plan.json").write_text(json.dumps(PLAN))
        self.assertEqual(self.plot(a, "--port=switch-0:0").returncode, 0)
        self.assertTrue((self.out / "port-2-0.png").is_file())

    def test_timelines_of_what_is_not_there(self):
        a = write_result(self.dir / "a")
        for option, words in (("--flow=77", "no flow 77"), ("--rank=0", "no programs of ranks"),
                              ("--port=4", "not NODE:PORT")):
            self.assert_refused(self.plot(a, option), words)

    def test_seeds(self):
        a, b = write_result(self.dir / "a"), write_result(self.dir / "b", flows=5)
        run = self.plot(a, b, "--labels=x,x", "--format=svg", "--whiskers=interval")
        self.assertEqual(run.returncode, 0, run.stderr)
        text = (self.out / "slowdown-by-size.svg").read_text()
        self.assertIn("mean of 2 seeds; whiskers: 95 % confidence interval; fewer than 5 say "
                      "little", text)
        self.assertIn("x (n = 8)", text)
        self.assertIn("x (first of 2 seeds)", (self.out / "queues.svg").read_text())

    def test_figures_go_where_nothing_is_said(self):
        a = write_result(self.dir / "a", series=False)
        run = subprocess.run([sys.executable, PLOT, a], capture_output=True, text=True, timeout=120,
                             cwd=self.dir)
        self.assertEqual((run.returncode, run.stdout.splitlines()[0]),
                         (0, "figures/slowdown-by-size.png"), run.stderr)

    def test_peak_of_a_port_with_several_classes(self):
        a = write_result(self.dir / "a")
        (a / "queues.csv").write_text(QUEUES)
        run = self.plot(a, "--format", "svg")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("peak 11 kB", (self.out / "queues.svg").read_text())  # 10.7

    def test_one_queue_has_one_peak(self):
        """Samples have 10.7 kB, a queue between two of them 12.6: the figure tells both, as others
        tell 12.6. Of a part of the run the latter is not known."""
        a = write_result(self.dir / "a", max_port_queue_bytes=12600)
        (a / "queues.csv").write_text(QUEUES)
        for more, said, other in (((), "peak 11 (13) kB", "peaks are those of"),
                                  (("--to-us=9",), "peaks are those of the samples", "(13)")):
            run = self.plot(a, "--format=svg", *more)
            self.assertEqual(run.returncode, 0, run.stderr)
            text = (self.out / "queues.svg").read_text()
            self.assertIn(said, text)
            self.assertNotIn(other, text)
            # that of one class is in the comparison
            self.assertIn("a queue: all classes of its port together", text)

    def test_quiet_ends_are_cut(self):
        """Of 1 to 1,000 us only 500 to 600 us have a queue, of which 100 to 900 kB at 510 to
        590 us: more than 2 % of the peak. A twentieth of 80 us is left on both sides."""
        a = write_result(self.dir / "a")
        rows = [(1, 0), (500, 0), *((time, 10 * (time - 500)) for time in range(510, 600, 10)),
                (600, 0), (1000, 0)]
        (a / "queues.csv").write_text("time_ns,node,port,class,bytes\n" + "".join(
            f"{1000 * time},4,0,3,{1000 * size}\n" for time, size in rows))
        (a / "flows.csv").write_text((a / "flows.csv").read_text().splitlines()[0] + "\n")
        program = load_plot()
        run = program.data.Run(a, "a", EVERYTHING)
        figure = program.over_time.draw(program.columns.SERIES["queues"],
                                        program.data.lines_of([run]))
        self.assertEqual([round(float(end), 6) for end in figure.axes[0].get_xlim()], [506, 594])
        self.assertIn("not shown: before 510 us and from 590 to 1,000 us, where all queues are "
                      "below 2 % of the highest peak", figure.noted)

    def test_the_least_number_of_flows_is_explained(self):
        from dcfabric.plots.distributions import counts_note
        self.assertEqual(counts_note(["7", "1,205"]), [])
        self.assertEqual(counts_note(["7", "5+", "2+"]), ["5+: at least 5 flows in each line"])
        self.assertEqual(counts_note(["1+"]), ["1+: at least one flow in each line"])
        self.assertEqual(counts_note(["0+", "3+"]), ["0+: some lines have no flow of the size"])
        self.assertEqual(counts_note(["3+", "0+", "0+"]), [
            "3+: at least 3 flows in each line", "0+: some lines have no flow of the size"])

    def test_a_window_is_the_axis(self):
        """--from-us=2.5 --to-us=6: no margin of a twentieth beside them, where nothing is drawn; an
        end behind the last sample (9 us) leaves nothing empty."""
        a = write_result(self.dir / "a")
        (a / "queues.csv").write_text(QUEUES)
        program = load_plot()
        for window, shown in (((2.5, 6), (2.5, 6)), ((2.5, 60), (2.5, 9.3))):
            figure = program.over_time.draw(
                program.columns.SERIES["queues"],
                program.data.lines_of([program.data.Run(a, "a", window)]))
            begin, end = figure.axes[0].get_xlim()
            self.assertEqual(begin, shown[0])
            self.assertLessEqual(end, shown[1] + 0.1)

    def test_throughput_and_limit_are_told_apart(self):
        a = write_result(self.dir / "a")
        self.assertEqual(self.plot(a, "--format", "svg").returncode, 0)
        self.assertIn("earlier version",
                      (self.out / "rates.svg").read_text())
        (a / "rates.csv").write_text("time_ns,flow,rate_bps,window_bytes,throughput_bps,limit_bps\n"
                                     + "".join(
            f"{t},{f},100000000000,150000,{(f + 1) * 10**10},50000000000\n"
            for t in range(1000, 10000, 1000) for f in (0, 1)))
        run = self.plot(a, "--format", "svg")
        self.assertEqual(run.returncode, 0, run.stderr)
        text = (self.out / "rates.svg").read_text()
        for words in ("a: throughput (payload received), limit (lower of rate and window",
                      "-- throughput --", "-- limit --"):
            self.assertIn(words, text)
        (a / "rates.csv").write_text("time_ns,flow,rate_bps,window_bytes,throughput_bps,limit_bps\n"
                                     "1,0,1,1,x,1\n")
        for path in self.out.iterdir():
            path.unlink()
        self.assert_refused(self.plot(a), "rates.csv:2", "throughput_bps")

    def test_single_flow_without_series(self):
        run = self.plot(write_result(self.dir / "a", flows=1, series=False), "--prefix", "one-")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.names(),
                         ["one-comparison.png", "one-fct-ccdf.png", "one-fct-cdf.png",
                          "one-slowdown-by-size.png"])

    def test_no_completed_flow_is_said(self):
        folder = write_result(self.dir / "a", flows=1)
        flows = folder / "flows.csv"
        flows.write_text(flows.read_text().replace("0,2000,2500,", "0,,,"))
        run = self.plot(folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("no flow was received in a", run.stderr)
        self.assertEqual(self.names(),
                         ["comparison.png", "links.png", "queues.png", "rates.png", "trims.png",
                          "windows.png"])

    def test_flows_that_were_not_received_are_told(self):
        """A run that ends early lacks slow flows: 3 of 5 that had begun were received in a, all in
        b, and of c nothing is drawn."""
        a = write_result(self.dir / "a", 5, series=False, flows_started=5, flows_completed=2,
                         status="partial")
        flows = a / "flows.csv"
        flows.write_text(flows.read_text().replace(",8000,10000,2000,4,", ",,,2000,,")
                         .replace(",10000,12500,2000,5,", ",,,2000,,"))
        b = write_result(self.dir / "b", 5, series=False, flows_started=5, status="stopped")
        c = write_result(self.dir / "c", 0, series=False, flows_started=2, status="stopped")
        said = "flows begun but not received are missing: a: 2 of 5 (partial)"
        run = self.plot(a, b, c, "--baseline=b", "--format=svg")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stderr.count(f"dcfabric-plot: {said}\n"), 1)
        names = ["comparison.svg", "differences.svg", "fct-ccdf.svg", "fct-cdf.svg",
                 "slowdown-by-size.svg"]
        self.assertEqual(self.names(), names)
        for name in names:
            self.assertIn(said, text_of(self.out / name), name)
        # complete runs say nothing
        run = self.plot(b, "--format=svg")
        self.assertNotIn("not received", run.stderr)
        self.assertNotIn("not received", text_of(self.out / "comparison.svg"))

    def test_missing_flows_of_seeds_and_many_lines(self):
        """Seeds are added; of many lines the first five are named."""
        program = load_plot()
        runs = [program.data.Run(write_result(self.dir / f"{label}{at}", series=False,
                                              flows_started=1000, status=status), label, EVERYTHING)
                for at, (label, status) in enumerate([("a", "partial"), ("a", "stopped"),
                                                      *((label, "partial") for label in "bcdefg")])]
        # of 1,000 flows 3 were received
        self.assertEqual(
            program.distributions.missing_note(program.data.lines_of(runs)),
            ["flows begun but not received are missing: a: 1,994 of 2,000 (partial, stopped), "
             + ", ".join(f"{label}: 997 of 1,000 (partial)" for label in "bcde")
             + ", and 2 more lines"])

    def test_one_of_two_without_a_completed_flow(self):
        """The other one is drawn, which was left out, too."""
        run = self.plot(write_result(self.dir / "a", flows=0), write_result(self.dir / "b"),
                        "--format=svg")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("there are no flows in a\n", run.stderr)
        text = (self.out / "slowdown-by-size.svg").read_text()
        self.assertIn("b (n = 3)", text)
        self.assertNotIn("a (n = 0)", text)

    def test_equal_numbers_of_three_seeds(self):
        """See test_drawing."""
        folders = [write_result(self.dir / name, flows=0, series=False, goodput_gbps=1.35,
                                status="stopped") for name in "abc"]
        run = self.plot(*folders, "--labels=x,x,x", "--format=svg")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        # that no flow ends before the stop is no failure
        self.assertIn("no figures of completion times: the runs end before", run.stdout)
        self.assertIn("<!-- 1.35 -->", (self.out / "comparison.svg").read_text())

    def test_unfinished_flow_is_left_out(self):
        a = write_result(self.dir / "a")
        with (a / "flows.csv").open("a") as file:
            file.write("3,0,1,1000000,0,,,2000,,5,0,0\n")
        run = self.plot(a)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_missing_folder(self):
        self.assert_refused(self.plot(self.dir / "none"), "none", "no such folder")

    def test_folder_of_a_sweep(self):
        """Its runs are drawn, named by what differs, with their seeds joined."""
        top = self.dir / "my study"
        top.mkdir()
        for cc in ("fncc", "hpcc"):
            for seed in (1, 2):
                write_result(top / f"{cc}{seed}", options={"cc": cc, "seed": str(seed)})
        (top / ".dcfabric-claims").mkdir()
        (top / "notes").mkdir()
        run = self.plot(top, "--format=svg")
        self.assertEqual(run.returncode, 0, run.stderr)
        text = (self.out / "slowdown-by-size.svg").read_text()
        for label in ("<!-- fncc (n = 6) -->", "<!-- hpcc (n = 6) -->"):
            self.assertIn(label, text)

    def test_folders_without_runs(self):
        (self.dir / "nothing").mkdir()
        self.assert_refused(self.plot(self.dir / "nothing"), "not a result folder")
        write_result(self.dir / "nothing" / "a")
        self.assert_refused(self.plot(self.dir / "nothing", "--labels=x"),
                            "holds 1 run, which are named by the options that differ")

    def test_folder_without_flows(self):
        a = write_result(self.dir / "a")
        (a / "flows.csv").unlink()
        self.assert_refused(self.plot(write_result(self.dir / "b"), a), "no flows.csv")

    def test_missing_column(self):
        a = write_result(self.dir / "a")
        (a / "flows.csv").write_text("flow,src,dst\n0,0,1\n")
        self.assert_refused(self.plot(a), "flows.csv:1", "slowdown")

    def test_text_instead_of_number_names_the_line(self):
        a = write_result(self.dir / "a")
        with (a / "queues.csv").open("a") as file:
            file.write("11000,4,0,3,many\n")
        self.assert_refused(self.plot(a), "queues.csv:22", "bytes")

    def test_empty_file(self):
        a = write_result(self.dir / "a")
        (a / "rates.csv").write_text("")
        self.assert_refused(self.plot(a), "rates.csv")

    def test_malformed_summary(self):
        a = write_result(self.dir / "a")
        (a / "summary.json").write_text('{"max_queue_bytes": ')
        self.assert_refused(self.plot(a), "summary.json")

    def test_labels_must_match_folders(self):
        a = write_result(self.dir / "a")
        self.assert_refused(self.plot(a, "--labels", "x,y"), "--labels")
        self.assert_refused(self.plot(a, a, "--labels=x,"), "empty name")
        self.assert_refused(self.plot(a, "--labels="), "empty name")

    def test_options_without_effect(self):
        (self.dir / "net.json").write_text(json.dumps(PLAN))
        self.assert_refused(self.plot(self.dir / "net.json", "--flow=1"),
                            "--flow, --port, --rank: no result folder")
        self.assert_refused(self.plot(write_result(self.dir / "a"), "--from-us=nan"),
                            "must be less than")

    def test_folders_of_one_name(self):
        folders = []
        for cc in ("fncc", "hpcc"):
            (self.dir / cc).mkdir()
            folders.append(write_result(self.dir / cc / "run", options={"cc": cc}))
        run = self.plot(*folders, "--format=svg")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("folders of the name run have other options: they are drawn apart; --labels "
                      "would join them", run.stderr)
        self.assertIn("fncc/run (n = 3)", (self.out / "slowdown-by-size.svg").read_text())


if __name__ == "__main__":
    unittest.main()
