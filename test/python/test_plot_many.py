# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-plot on many runs: sweeps, grouping by options, filters, baselines, one color for each
algorithm."""
import json
import shutil
import unittest

from extensive import longer
from test_plot import EVERYTHING, PlotCase, load_plot, text_of, write_result
from test_small_samples import FolderCase

from dcfabric import DcfabricError, looks
from dcfabric.plots.baselines import baseline_of
from dcfabric.program import digest


class ColorTest(FolderCase):
    def test_the_option_that_differs_gives_the_color(self):
        """Whatever folders are called: "minimal" was blue, which "fncc" is."""
        folders = [self.folder([1], cc=cc, routing=routing)
                   for routing in ("minimal", "valiant") for cc in ("fncc", "hpcc")]
        names = [f"minimal-{number}-swift" for number in range(4)]
        lines = self.lines(*folders, labels=names)
        fncc, hpcc = looks.look("fncc").color, looks.look("hpcc").color
        self.assertEqual([line.look.color for line in lines], [fncc, hpcc, fncc, hpcc])
        self.assertEqual([line.algorithm for line in lines], ["fncc", "hpcc"] * 2)
        self.assertEqual(len({(line.look.color, line.look.dash) for line in lines}), 4)
        # where the control is the same, what differs
        lines = self.lines(*folders[::2], labels=["a", "b"])
        self.assertEqual([line.look.color for line in lines],
                         [looks.look("minimal").color, looks.look("valiant").color])
        # policies of one's own
        lines = self.lines(self.folder([1], cc="ns3::Mine"), self.folder([1], cc="fncc"),
                           self.folder([1], cc="ns3::Mine", load="0.3"), labels=["a", "b", "c"])
        self.assertEqual(lines[0].look.color, lines[2].look.color)
        self.assertEqual(lines[1].look.color, fncc)
        self.assertNotEqual(lines[0].look.color, fncc)
        self.assertEqual(lines[0].look, looks.own("Mine"))

    def test_a_hundred_lines_of_four_algorithms(self):
        lines = self.lines(*(self.folder([1, 2], cc=cc, load=str(load))
                             for cc in ("fncc", "hpcc", "dcqcn", "swift") for load in range(25)))
        for line in lines:
            self.assertEqual(line.look.color, looks.look(line.algorithm).color)

    def test_names_without_options(self):
        """What two names begin with does not tell them apart, the control in them does."""
        found = looks.looks(["minimal-fncc", "minimal-hpcc"])
        self.assertEqual([one.color for one in found.values()],
                         [looks.look("fncc").color, looks.look("hpcc").color])
        found = looks.looks(["RCM with Swift", "RCM with DCQCN"])
        self.assertEqual(found["RCM with Swift"].color, looks.look("swift").color)
        # variants of one control keep its color
        self.assertEqual({one.color for one in looks.looks(["FNCC, PFC", "FNCC, credit"]).values()},
                         {looks.look("fncc").color})


class NamesTest(FolderCase, PlotCase):
    def test_lines_are_named_by_what_differs(self):
        data = self.program.data
        runs = [data.Run(self.folder([1], cc=cc, load=load, rate="100Gbps", seed=seed,
                                     **{"ns3::X::Beta": "2"}), "x", EVERYTHING)
                for cc in ("fncc", "hpcc") for load in ("0.3", "0.5") for seed in ("1", "2")]
        lines = data.lines_of(runs, join_seeds=True, by_options=True)
        self.assertEqual([(line.label, len(line.runs)) for line in lines],
                         [("fncc, load 0.3", 2), ("fncc, load 0.5", 2), ("hpcc, load 0.3", 2),
                          ("hpcc, load 0.5", 2)])
        runs[0].summary["options"]["ns3::X::Beta"] = "3"
        self.assertEqual(data.lines_of(runs, True, by_options=True)[0].label,
                         "fncc, load 0.3, Beta 3")
        self.assertEqual(data.differing(runs), ["cc", "load", "ns3::X::Beta"])

    def run_of(self, policy, digested=None, values=None, seed="1", arguments=(), more=(),
               **parameters):
        """A run of a control in Python. policy: as engine.source_of() has it. more: options."""
        folder = self.folder([1], cc="external-int", seed=seed, **dict(more))
        (folder / "run.json").write_text(json.dumps(
            {"arguments": list(arguments), "policy": policy, "cc_parameters": parameters,
             "policy_values": values or {},
             "summary": digested or digest(folder / "summary.json")}))
        return self.program.data.Run(folder, "x", EVERYTHING)

    def test_controls_of_one_name(self):
        """Two classes Mine with other source code were one line, as if they were seeds of one."""
        data = self.program.data
        runs = [self.run_of(policy, seed=seed, values={"Mine.gain": gain})
                for policy, gain in (("a.Mine 19ab", "0.5"), ("Mine 77cd", "0.5"),
                                     ("a.Mine 19ab", "0.25"))
                for seed in ("1", "2")]
        # even where nobody has told them apart
        self.assertEqual([len(line.runs) for line in data.lines_of(runs, True, by_options=True)],
                         [2, 2, 2])
        said = self.program.naming.tell_controls_apart(runs)
        folders = [run.folder for run in runs]
        self.assertEqual(said, [
            f"Mine (2) in {folders[2]} is not Mine in {folders[0]}: their source code differs",
            f"Mine (3) in {folders[4]} is not Mine in {folders[0]}: Mine.gain is 0.25, not 0.5"])
        lines = data.lines_of(runs, join_seeds=True, by_options=True)
        self.assertEqual([(line.label, line.algorithm, len(line.runs)) for line in lines],
                         [("Mine", "Mine", 2), ("Mine (2)", "Mine (2)", 2),
                          ("Mine (3)", "Mine (3)", 2)])
        self.assertEqual(len({line.look.color for line in lines}), 3)
        # as in a study, where "cc=Mine_2_seed=1" is sorted before "cc=Mine_seed=1"
        runs = [self.run_of("Mine 77cd"), self.run_of("Mine 19ab")]
        for run, name in zip(runs, ("cc=Mine_2_seed=1", "cc=Mine_seed=1")):
            run.folder = run.folder.rename(self.dir / name)
        self.program.naming.tell_controls_apart(runs)
        self.assertEqual([run.options["cc"] for run in runs], ["Mine (2)", "Mine"])
        self.assertEqual(len(self.program.trend.filtered(runs, [("cc", "Mine (2)")])), 1)

    def test_controls_of_one_name_are_told(self):
        for policy in ("Mine 19ab", "Mine 77cd"):
            for seed in ("1", "2"):
                self.run_of(policy, seed=seed)
        self.out = self.dir / "figures"
        run = self.plot(self.dir, "--format=svg")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("Mine (2) in ", run.stderr)
        text = (self.out / "slowdown-by-size.svg").read_text()
        for label in ("<!-- Mine (n = 2) -->", "<!-- Mine (2) (n = 2) -->"):
            self.assertIn(label, text)

    def test_what_was_asked_for_is_named(self):
        """Routing brings reliability; a preset that was asked for decides the control. What follows
        from an algorithm is not in the name, unless it was asked for, or the flows follow from
        it."""
        naming = self.program.naming

        def runs_of(*options, given=()):
            found = []
            for one in options:
                folder = self.folder([1], seed="1", **one)
                (folder / "run.json").write_text(json.dumps(
                    {"arguments": [f"--{name}={one[name]}" for name in given],
                     "summary": digest(folder / "summary.json")}))
                found.append(self.program.data.Run(folder, "x", EVERYTHING))
            return found

        def named(runs):
            return naming.named_options(runs, naming.differing(runs))

        routings = ({"routing": "minimal", "reliability": "selective-repeat", "load": "0.3"},
                    {"routing": "ugal", "reliability": "rack", "load": "0.5"})
        runs = runs_of(*routings)
        self.assertEqual(named(runs), (["routing", "load"], [("reliability", "routing")]))
        self.assertEqual(naming.followers_text(runs, named(runs)[1]),
                         ["reliability differs with routing (selective-repeat with minimal, rack "
                          "with ugal)"])
        self.assertEqual([line.label for line in self.program.data.lines_of(
            runs, True, by_options=True)], ["minimal, load 0.3", "ugal, load 0.5"])
        self.assertEqual(named(runs_of(*routings, given=["reliability", "routing"])),
                         (["routing", "reliability", "load"], []))
        self.assertEqual(named(runs_of({"cc": "fncc", "preset": "fncc24"},
                                       {"cc": "hpcc", "preset": "hpcc-sigcomm19"},
                                       given=["preset"])), (["preset"], [("cc", "preset")]))
        # two controls at one routing: nothing follows
        self.assertEqual(named(runs_of({"cc": "fncc", "ns3::X::A": "1"},
                                       {"cc": "fncc", "ns3::X::A": "2"})), (["ns3::X::A"], []))

    def test_labels_of_a_study(self):
        """They stood for options: "ns3::Mine, incast:fan-in...e=500kB, duration 2ms", in the order
        of folders."""
        from dcfabric.run_files import STUDY
        program, known = self.program, {}
        for cc, option in (("plain", "hpcc"), ("Mine", "ns3::Mine")):
            for traffic, workload in (("websearch", "websearch"), ("incast", "incast:size=9kB")):
                for load in ("0.3", "0.5"):
                    for seed in ("1", "2"):
                        folder = self.folder([1, 2], cc=option, workload=workload, load=load,
                                             seed=seed)
                        folder.rename(self.dir / f"x{99 - self.number}")
                        known[f"x{99 - self.number}"] = {"cc": cc, "traffic": traffic,
                                                         "load": load}

        def labels(*where):
            folders = program.data.runs_in(self.dir)
            runs = program.trend.filtered([program.data.Run(one, one.name, EVERYTHING)
                                           for one in folders], where)
            return program.data.lines_of(runs, join_seeds=True, by_options=True)

        self.assertEqual(labels()[0].label, "ns3::Mine, incast:size=9kB, load 0.5")
        (self.dir / STUDY).write_text(json.dumps(known))
        self.assertEqual([line.label for line in labels()], [
            f"{cc}, {traffic}, load {load}" for cc in ("plain", "Mine")
            for traffic in ("websearch", "incast") for load in ("0.3", "0.5")])
        self.assertEqual(labels()[0].look.color, looks.look("hpcc").color)
        self.assertEqual([line.label for line in labels(("load", "0.3"), ("cc", "hpcc"))],
                         ["websearch", "incast"])
        # what is the same in all is told where nothing differs
        self.assertEqual([line.label for line in labels(("load", "0.3"), ("cc", "hpcc"),
                                                        ("workload", "websearch"))],
                         ["plain, websearch, load 0.3"])
        # a label is a baseline as an option is
        for name in ("plain", "hpcc"):
            found = baseline_of(labels(), name)
            self.assertEqual(found.of["Mine, incast, load 0.5"].label, "plain, incast, load 0.5")
        self.assertEqual(baseline_of(labels(), "Plain").said,
                         "each to plain of the same traffic and load")
        self.out = self.dir / "figures"
        run = self.plot(self.dir, "--format=svg")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        # of a folder with other runs, too, only options are known; a broken file is none
        for text in (json.dumps({name: known[name] for name in [*known][2:]}), "[", "[]"):
            (self.dir / STUDY).write_text(text)
            self.assertIn("ns3::Mine, incast:size=9kB, load 0.5",
                          [line.label for line in labels()])

    def test_controls_in_python_have_their_names(self):
        """All are external to the program: run.json knows the class, and its parameters."""
        data = self.program.data
        run = self.run_of
        runs = [run("main.<locals>.Delay 19ab Base 22", target_ns=2000),
                run("Delay 19ab", target_ns=3000), run("Probe 7"),
                data.Run(self.folder([1], cc="hpcc", seed="1"), "x", EVERYTHING)]
        lines = data.lines_of(runs, join_seeds=True, by_options=True)
        self.assertEqual([line.label for line in lines],
                         ["Delay, target_ns 2000", "Delay, target_ns 3000", "Probe", "hpcc"])
        self.assertEqual([line.algorithm for line in lines], ["Delay", "Delay", "Probe", "hpcc"])
        self.assertEqual(lines[0].look.color, lines[1].look.color)
        self.assertEqual(self.program.trend.resolve(runs, "--x", "target_ns"), "Delay::target_ns")
        self.assertEqual(runs[0].summary["options"]["cc"], "external-int")
        # of other results that were in the folder before
        self.assertEqual(run("Delay 19ab", "0000").options["cc"], "external-int")


class OverTimeTest(FolderCase):
    def test_where_figures_begin_and_end(self):
        """200 flows of 1 us begin at 5 us, but for the last one, which takes 100 us: of 200 four
        may be left out; at 6 us all others are complete. Of 40 one may be."""
        text = (self.folder([1] * 199 + [100]) / "flows.csv")
        text.write_text(text.read_text().replace(",1000,0,", ",1000,5000,"))
        line, = self.lines(text.parent)
        begin, end, said = self.program.data.shown_us([line])
        self.assertEqual((begin, end), (5, 6))
        self.assertIn("shown up to 6 us, when at most 4 flows of a run were left; the last one "
                      "ended at 105 us", said)
        some, few = self.lines(self.folder([1] * 39 + [100]), self.folder([1] * 38 + [100]))
        self.assertEqual(self.program.data.shown_us([some])[:2], (0, 1))
        self.assertEqual(self.program.data.shown_us([few])[1:], (float("inf"), ""))
        even, = self.lines(self.folder([1] * 200))
        self.assertEqual(self.program.data.shown_us([even])[1:], (float("inf"), ""))
        line.first.window = (2.0, 50.0)  # what is asked for is shown
        self.assertEqual(self.program.data.shown_us([line]), (-float("inf"), float("inf"), ""))
        self.assertEqual(self.program.data.shown_us([]), (-float("inf"), float("inf"), ""))


class SweepTest(PlotCase):
    """The folder of a sweep: controls, loads, topologies and seeds."""

    def setUp(self):
        super().setUp()
        self.top = self.dir / "sweep"
        self.top.mkdir()

    def fill(self, **more):
        number = 0
        for cc in ("fncc", "hpcc"):
            for load in ("0.3", "0.5", "10"):
                for topology in ("fat-tree:k=4", "leaf-spine"):
                    for seed in ("1", "2"):
                        number += 1
                        write_result(self.top / f"run{number}", flows=number + 1, series=False,
                                     options={"cc": cc, "load": load, "topology": topology,
                                              "seed": seed, **more})

    def test_over_an_option(self):
        self.fill()
        run = self.plot(self.top, "--x=load", "--facet=topology", "--baseline=hpcc",
                        "--format=svg")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(self.names(), ["by-load.svg", "differences.svg"])
        text = (self.out / "by-load.svg").read_text()
        for words in ("<!-- topology: fat-tree:k=4 -->", "<!-- topology: leaf-spine -->",
                      "<!-- load -->", "<!-- fncc -->", "<!-- hpcc -->", "<!-- mean slowdown -->",
                      "mean of 2 seeds; whiskers: range of the seeds"):
            self.assertIn(words, text)
        text = (self.out / "differences.svg").read_text()
        self.assertNotIn("<!-- hpcc -->", text)
        self.assertIn("mean slowdown: difference to", text)

    def test_flows_that_were_not_received_are_told(self):
        """Of 9 that had begun in the run of load 0.5, 3 were received."""
        for load, begun in (("0.3", 3), ("0.5", 9)):
            write_result(self.top / load, series=False, flows_started=begun, status="stopped",
                         options={"cc": "fncc", "load": load})
        run = self.plot(self.top, "--x=load", "--format=svg")
        said = "flows begun but not received are missing: load 0.5: 6 of 9 (stopped)"
        self.assertEqual((run.returncode, run.stderr), (0, f"dcfabric-plot: {said}\n"))
        self.assertIn(said, text_of(self.out / "by-load.svg"))

    def test_filters(self):
        self.fill()
        run = self.plot(self.top, "--where=load=0.3", "--where=topology=leaf-spine",
                        "--baseline=FNCC", "--format=svg")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        # two runs of each: 3 + 4 and 15 + 16 flows
        text = (self.out / "slowdown-by-size.svg").read_text()
        for label in ("<!-- fncc (n = 9) -->", "<!-- hpcc (n = 33) -->"):
            self.assertIn(label, text)
        self.assertIn("differences.svg", self.names())

    def test_several_values_of_an_option(self):
        """Loads of 0.3 and 0.5, not that of 10."""
        self.fill()
        run = self.plot(self.top, "--where=load=0.3", "--where=load=0.5", "--x=load",
                        "--facet=topology", "--format=svg")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        text = (self.out / "by-load.svg").read_text()
        self.assertIn("<!-- 0.5 -->", text)
        self.assertEqual(text.count("xtick_"), 6 * 2)  # two ticks in each of six panels

    def test_refusals(self):
        self.fill()
        for arguments, words in (
                (["--x=load"], ["option topology has 2 values, which would be mixed up",
                                "--where topology=fat-tree:k=4", "--facet topology"]),
                (["--x=lod"], ["--x: the runs have no option 'lod'; the nearest is load"]),
                (["--x=load", "--facet=load"], ["name one option twice"]),
                (["--x=rack"], ["--x: the runs have no option 'rack'; there are cc, load, "]),
                (["--where=load=0.4"], ["no run has load=0.4; there are 0.3, 0.5, 10"]),
                (["--where=load"], ["'load' is not OPTION=VALUE"]),
                (["--line=cc"], ["--line and --facet go with --x"]),
                (["--x=load", "--html=x.html"], ["does not go with --html"]),
                (["--x=load", "--facet=topology", "--baseline=x"],
                 ["there is no 'x'; there are fncc, hpcc"]),
                (["--where=load=0.3", "--baseline=leaf-spine"],
                 ["'leaf-spine' may be ", "'hpcc, leaf-spine'"]),
                (["--sizes=1MB,1kB"], ["not above the one before"])):
            with self.subTest(arguments):
                self.assert_refused(self.plot(self.top, *arguments), *words)
        plan = self.dir / "net.json"
        plan.write_text("{}")
        self.assert_refused(self.plot(write_result(self.dir / "old"), "--x=load"),
                            "summary.json has no options")

    def routings(self, **more):
        """UGAL moves packets, for which losses are found by time: it brings that along."""
        for number, (routing, reliability, load) in enumerate(
                (*one, load) for one in (("minimal", "selective-repeat"), ("ugal", "rack"),
                                         ("valiant", "selective-repeat"))
                for load in ("0.3", "0.5")):
            write_result(self.top / f"run{number}", flows=number + 1, series=False, options={
                "load": load, "reliability": reliability, "routing": routing, **more})

    def test_what_follows_from_an_option_is_no_difference(self):
        self.routings()
        run = self.plot(self.top, "--x=load", "--line=routing", "--format=svg")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        text = " ".join((self.out / "by-load.svg").read_text().replace(" -->\n", " ").split())
        self.assertIn("reliability differs with routing", text)
        for words in ("rack with ugal", "<!-- ugal", "<!-- valiant"):
            self.assertIn(words, text)
        # lines are of an algorithm that does not follow from the one below
        run = self.plot(self.top, "--x=routing", "--where=load=0.3")
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_names_are_not_joined(self):
        """Between two workloads there is nothing that a line could show; between loads there is,
        and between sizes."""
        data, trend = load_plot().data, load_plot().trend
        for option, values, joined in (("workload", ("alltoall", "shift"), False),
                                       ("load", ("0.3", "0.5"), True),
                                       ("buffer", ("900kB", "1MB"), True)):
            runs = [data.Run(write_result(self.dir / f"{option}-{cc}-{at}", flows=at + 3,
                                          options={"cc": cc, option: value}), cc, EVERYTHING)
                    for cc in ("fncc", "hpcc") for at, value in enumerate(values)]
            figure = trend.draw(data.lines_of(runs, True, by_options=True),
                                trend.grid_of(runs, option, None, None), False)
            styles = {line.get_linestyle() for line in figure.axes[0].lines
                      if len(line.get_xdata()) == 2}
            self.assertEqual("None" not in styles, joined, (option, styles))

    def test_what_does_not_follow(self):
        trend = load_plot().trend
        self.routings()
        # one run of UGAL has another reliability than the other one: which, if not the load?
        path = self.top / "run2" / "summary.json"
        path.write_text(path.read_text().replace("rack", "sleek"))
        self.assert_refused(self.plot(self.top, "--x=load", "--line=routing"),
                            "option reliability has 3 values, which would be mixed up",
                            "--facet reliability")
        data = load_plot().data
        runs = [data.Run(write_result(self.dir / cc, options={"cc": cc, "load": load,
                                                              "rate": rate}), cc, EVERYTHING)
                for cc, load, rate in (("fncc", "0.3", "1Gbps"), ("hpcc", "0.5", "2Gbps"))]
        # a control does not follow from a load
        self.assertEqual([trend.follows(runs, *one) for one in (
            ("cc", "load"), ("rate", "load"), ("rate", "cc"))], [False, True, True])
        self.assertEqual(trend.grid_of(runs, "load", None, None),
                         trend.Grid("load", "cc", None, (("rate", "cc"),)))

    def test_other_flows_are_not_paired(self):
        """Seed 1 at load 0.3 has other flows than seed 1 at load 0.5: what tells the two runs apart
        is not the control alone."""
        self.fill(workload="websearch")
        base = "hpcc, load 0.3, fat-tree:k=4"
        run = self.plot(self.top, f"--baseline={base}", "--format=svg")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("differences: not of 'fncc, load 10, fat-tree:k=4', ", run.stderr)
        self.assertIn("and 5 more, with other flows than it has: load, topology differ\n",
                      run.stderr)
        text = (self.out / "differences.svg").read_text()
        self.assertIn("<!-- fncc, load 0.3, fat-tree:k=4 -->", text)
        for other in ("load 0.5", "load 10", "leaf-spine"):
            self.assertNotIn(other, text)

    def test_baseline_by_some_options(self):
        """In any order and case; what follows from an option is in no name."""
        self.routings()
        for wanted, label in (("UGAL, load 0.3", "ugal, load 0.3"),
                              ("load 0.5,valiant", "valiant, load 0.5")):
            lines = load_plot().data.lines_of(
                [load_plot().data.Run(folder, "x", EVERYTHING)
                 for folder in sorted(self.top.iterdir())], True, by_options=True)
            self.assertEqual(baseline_of(lines, wanted).name, label)
        self.assert_refused(self.plot(self.top, "--baseline=load 0.3"),
                            "'load 0.3' may be 'minimal, load 0.3', ")
        self.assert_refused(self.plot(self.top, "--baseline=ugal, load 0.4"), "there is no 'ugal, ")

    def test_baseline_of_each_group(self):
        """Of an algorithm that several lines have: that which is the same but for the algorithm;
        what follows from it may differ."""
        self.fill(workload="websearch")
        for path in self.top.glob("run*/summary.json"):
            text = path.read_text()
            path.write_text(text.replace('"cc": "fncc"', '"cc": "fncc", "marking": "none"'))
        data = load_plot().data
        lines = data.lines_of([data.Run(folder, "x", EVERYTHING)
                               for folder in sorted(self.top.iterdir())], True, by_options=True)
        found = baseline_of(lines, "HPCC")
        ends = [f"{load}, {topology}" for load in ("load 0.3", "load 0.5", "load 10")
                for topology in ("fat-tree:k=4", "leaf-spine")]
        self.assertEqual({label: base.label for label, base in found.of.items()},
                         {f"fncc, {end}": f"hpcc, {end}" for end in ends})
        self.assertEqual((found.name, found.said),
                         ("hpcc", "each to hpcc of the same load and topology"))
        with self.assertRaisesRegex(DcfabricError, "'hpcc' may be 'hpcc, load .*: give one of"):
            baseline_of(lines, "hpcc", one_line=True)
        shutil.rmtree(self.top / "run13")  # hpcc, load 0.3, fat-tree, both seeds
        shutil.rmtree(self.top / "run14")
        run = self.plot(self.top, "--baseline=hpcc", "--format=svg")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("differences: not of 'fncc, load 0.3, fat-tree:k=4': no hpcc has their "
                      "other options\n", run.stderr)
        text = (self.out / "differences.svg").read_text()
        for end in ends[1:]:
            self.assertIn(f"<!-- fncc, {end} -->", text)
        for label in (f"<!-- fncc, {ends[0]} -->", "<!-- hpcc, "):
            self.assertNotIn(label, text)
        # the end of a line that is wrapped
        self.assertIn("<!-- load and topology -->", text)
        shutil.rmtree(self.out)
        # a page compares with one line
        self.assert_refused(self.plot(self.top, "--baseline=hpcc", "--html=page.html"),
                            "'hpcc' may be 'hpcc, load 0.3, leaf-spine', ")
        # no load has another control at the same load
        self.assert_refused(self.plot(self.top, "--baseline=load 0.3"), "'load 0.3' may be ")

    def test_no_flows_to_pair(self):
        self.fill(workload="websearch")
        only = ("--where=cc=hpcc", "--where=topology=leaf-spine")
        self.assert_refused(self.plot(self.top, *only, "--baseline=load 0.3"),
                            "--baseline=load 0.3: nothing can be compared seed by seed: load 0.5, "
                            "load 10 have other flows than it has: load differs; --where")
        self.assert_refused(self.plot(self.top, "--where=topology=leaf-spine", "--x=cc",
                                      "--line=load", "--baseline=0.3"),
                            "have other flows than it has: load differs")
        for number in range(1, 25):  # the seeds of hpcc, which has the second half
            if number > 12:
                path = self.top / f"run{number}" / "summary.json"
                path.write_text(path.read_text().replace('"seed": "', '"seed": "9'))
        self.assert_refused(self.plot(self.top, "--where=load=10", "--where=topology=leaf-spine",
                                      "--baseline=hpcc"), "fncc has no seed in common with it")

    def test_flows_are_the_same_by_what_they_are(self):
        """Where options differ the flows tell: of another topology they may be the same."""
        data = self.program = load_plot().data

        def run(name, flows, **options):
            return data.Run(write_result(self.dir / name, flows=flows, options=options),
                            name, EVERYTHING)

        first = run("a", 3, topology="dumbbell", workload="flows:a", seed="1")
        same = run("b", 3, topology="leaf-spine", workload="flows:b", seed="1")
        more = run("c", 4, topology="leaf-spine", workload="flows:b", seed="1")
        none = run("d", 0, topology="torus", workload="x", seed="1")
        self.assertEqual([first.has_flows_of(one) for one in (same, more, none)],
                         [True, False, False])
        # programs of switches have no flows: the options tell
        self.assertFalse(none.has_flows_of(run("e", 0, topology="dumbbell", workload="x")))
        self.assertTrue(none.has_flows_of(run("f", 0, topology="torus", workload="x", seed="1",
                                              cc="hpcc")))

    def test_seeds_of_several_loads(self):
        """Labels may join runs of two loads: each has its partner, whatever the order."""
        data = load_plot().data
        runs = [data.Run(write_result(self.dir / f"{cc}{load}", flows=int(10 * load),
                                      options={"cc": cc, "load": str(load), "workload": "hadoop",
                                               "seed": "1"}), cc, EVERYTHING)
                for cc, load in (("hpcc", 0.3), ("hpcc", 0.5), ("fncc", 0.5), ("fncc", 0.3))]
        base, line = data.lines_of(runs)
        self.assertEqual([(run.folder.name, other.folder.name) for run, other in line.pairs(base)],
                         [("fncc0.5", "hpcc0.5"), ("fncc0.3", "hpcc0.3")])

    def test_order_of_values(self):
        order = load_plot().trend.ordered
        self.assertEqual(order(["10", "0.5", "2", "0.5"]), ["0.5", "2", "10"])
        self.assertEqual(order(["1ms", "20us", "3ns"]), ["3ns", "20us", "1ms"])
        self.assertEqual(order(["400Gbps", "1Tbps", "25Gbps"]), ["25Gbps", "400Gbps", "1Tbps"])
        self.assertEqual(order(["b", "a", "2"]), ["b", "a", "2"])

    @longer("test_plot.py has a hundred folders")
    def test_a_hundred_lines_are_of_sensible_size(self):
        """They were 148 inches wide, or had a legend that covered half of the figure."""
        import matplotlib.pyplot as plt
        for number in range(100):
            write_result(self.top / f"run{number}", flows=3,
                         options={"cc": ("fncc", "hpcc")[number % 2], "load": str(number)},
                         **({"series": False} if number > 20 else {}))
        run = self.plot(self.top)
        self.assertEqual(run.returncode, 0, run.stderr)
        for path in self.out.iterdir():
            high, wide = plt.imread(path).shape[:2]
            self.assertLess(max(high, wide), 7000, path.name)  # at 150 dots an inch
            self.assertLess(min(high, wide), 3000, path.name)
        run = self.plot(self.top, "--format=svg")
        # comments of XML have no two dashes in a row
        text = (self.out / "fct-cdf.svg").read_text().replace("- -", "--")
        for words in ("<!-- fncc (50 lines) -->", "<!-- hpcc (50 lines) -->",
                      "100 lines: --where"):
            self.assertIn(words, text)
        self.assertIn("the first 12 of 21 lines", (self.out / "queues.svg").read_text())


if __name__ == "__main__":
    unittest.main()
