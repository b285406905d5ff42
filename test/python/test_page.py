# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-plot --html: what the page holds, and that a browser shows it without a network."""
import base64
import html.parser
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from extensive import longer
from test_plot import EVERYTHING, PLAN, PLOT, load_plot, write_jobs, write_result

BROWSER = next(
    (path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path),
    None)
HAS_PLOTLY = importlib.util.find_spec("plotly")
SECTIONS = ("comparison", "sizes", "tails", "links", "queues", "rates", "trims", "windows",
            "network", "timelines")

# Presses the buttons of two sections; what would be saved is in the title.
SAVING = """
const saved = [];
HTMLAnchorElement.prototype.click = function () {
    fetch(this.href).then((got) => got.blob()).then((blob) => {
        const reader = new FileReader();
        reader.onload = () => {
            saved.push(`${this.download} ${reader.result}`);
            document.title = saved.sort().join(" | ");
        };
        reader.readAsDataURL(blob);
    });
};
setTimeout(() => {
    for (const name of ["comparison", "tails"]) document.querySelectorAll(
        `#${name} .controls button`).forEach((one) => one.click());
}, 2000);"""


class PageCase(unittest.TestCase):
    """A temporary folder."""

    def setUp(self):
        load_plot()
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.dir = Path(temporary.name)

    def plot(self, *arguments):
        return subprocess.run([sys.executable, PLOT, *map(str, arguments)], capture_output=True,
                              text=True, timeout=120,
                              cwd=self.dir)


class DataTest(PageCase):
    def lines(self):
        from dcfabric.plots.data import Run, lines_of
        folders = [write_result(self.dir / "a",
                                options={"cc": "fncc", "topology": "x", "seed": "1"}),
                   write_result(self.dir / "b", flows=5,
                                options={"cc": "fncc", "topology": "x", "seed": "2"}),
                   write_result(self.dir / "c", series=False,
                                options={"cc": "hpcc", "topology": "x", "seed": "1"})]
        return lines_of([Run(folder, label, EVERYTHING)
                         for folder, label in zip(folders, ("FNCC", "FNCC", "HPCC"))])

    def test_thinning_keeps_peaks_and_ends(self):
        from dcfabric.plots.page_series import thin
        xs, ys = list(range(1000)), [0] * 1000
        ys[437], ys[999] = 50, 7
        found = dict(zip(*thin(xs, ys, 10)))
        self.assertEqual((found[437], found[0], found[999]), (50, 0, 7))
        # first, last, lowest and highest of two spans (0 to 499 and 500 to 999)
        self.assertEqual(sorted(found), [0, 437, 499, 500, 999])
        self.assertEqual(thin([1, 2], [3, 4], 2), ([1, 2], [3, 4]))
        self.assertEqual(thin([], [], 2), ([], []))

    def test_thinning_keeps_what_is_level(self):
        """Two bursts of 400 samples between which there is nothing, for which a line needs two
        rows: were one of them left out it would go aslant."""
        from dcfabric.plots.page_series import thin
        xs = [*range(400), *range(10000, 10400)]
        ys = [0, *[98, 100] * 199, 0] * 2
        found = dict(zip(*thin(xs, ys, 100)))
        self.assertEqual([found[x] for x in (0, 399, 10000, 10399)], [0] * 4)
        self.assertLessEqual(len(found), 100)
        self.assertGreater(len(found), 50)  # what is empty leaves its room to the bursts
        # spans of equal numbers of points
        self.assertEqual(thin([1, 2, 4, 8, 16, 32, 64, 128], [8, 7, 6, 5, 4, 3, 2, 1], 4, range(8)),
                         ([1, 128], [8, 1]))

    def test_rates_are_means_as_in_figures(self):
        """Of 250 samples a mean is of three, 3 us, so that there are 84 steps: packets that come
        every third microsecond are a level line in place of a band. The first mean and the last
        one, of a single sample, hold to the ends."""
        from dcfabric.plots.data import Run, lines_of
        from dcfabric.plots.page_series import over_time_of
        from dcfabric.columns import SERIES
        folder = write_result(self.dir / "a")
        (folder / "rates.csv").write_text(
            "time_ns,flow,rate_bps,window_bytes,throughput_bps,limit_bps\n" + "".join(
                f"{1000 * at},0,0,9,{at % 3 // 2 * 30000000000},100000000000\n"
                for at in range(250)))
        found = over_time_of(SERIES["rates"], lines_of([Run(folder, "a", EVERYTHING)]), [{}])
        throughput, limit = found["runs"][0]["courses"]
        self.assertEqual(found["runs"][0]["means"], "throughput as means of 3 us")
        self.assertEqual(throughput["style"], "mean")
        self.assertEqual(len(throughput["y"]), 1 + 84)
        self.assertEqual({round(value, 6) for value in throughput["y"][:-1]}, {10})
        self.assertEqual(throughput["x"][:3], [-1, 2, 5])
        self.assertEqual((throughput["x"][-1], throughput["y"][-1]), (249, 0))
        self.assertEqual({round(value, 6) for value in limit["y"]}, {100})

    def test_colors_are_those_of_figures(self):
        """A figure has the eight largest flows, 2 to 9 here, in the order of their numbers; the
        page two more, which take the next colors. Of up to three both are blue-gray."""
        from dcfabric.columns import SERIES
        from dcfabric.drawing import NEUTRALS, nth
        from dcfabric.plots import over_time
        from dcfabric.plots.data import Run, lines_of
        from dcfabric.plots.page_series import over_time_of
        for name, count in (("a", 10), ("b", 3)):
            folder = write_result(self.dir / name)
            (folder / "rates.csv").write_text(
                "time_ns,flow,rate_bps,window_bytes,throughput_bps,limit_bps\n" + "".join(
                    f"{time},{flow},0,9,{flow + 1}000,100000\n" for time in (0, 1000)
                    for flow in range(count)))
            lines = lines_of([Run(folder, name, EVERYTHING)])
            page = {one["name"]: one["color"] for one in
                    over_time_of(SERIES["rates"], lines, [{}])["runs"][0]["courses"]}
            handles = over_time.draw(SERIES["rates"], lines).axes[0].get_legend().get_lines()
            figure = {one.get_label(): one.get_color() for one in handles
                      if one.get_label().startswith("flow")}
            self.assertEqual(page, {
                **figure, **({"flow 0": nth(8).color, "flow 1": nth(9).color}
                             if count > 3 else {})})
            self.assertEqual(list(page.values())[-1], nth(7).color if count > 3 else NEUTRALS[2])

    def test_many_lines_share_points(self):
        """Twelve lines have 800 each, 24 half of them, and none fewer than 300."""
        from dcfabric.plots.page_series import FEWEST_POINTS, POINTS, among
        self.assertEqual([among(POINTS, FEWEST_POINTS, lines) for lines in (1, 12, 24, 48, 1000)],
                         [800, 800, 400, 300, 300])

    def test_data_that_are_read_later(self):
        """What is of one run is apart, and the page knows at once whether there is any."""
        from dcfabric.plots.page import apart
        first, later = apart({
            "runs": 2, "plans": [{"nodes": []}], "network": [None, {"plan": 0}],
            "overTime": [{"name": "queues", "runs": [{"total": 3, "courses": [{"x": [1]}]},
                                                     {"total": 0, "courses": []}]}],
            "timelines": [{"flow": {"total": 1, "all": ["a"]}, "port": {"total": 1, "all": []}}]})
        self.assertEqual(first, {
            "runs": 2, "plans": [True], "network": [False, True],
            "overTime": [{"name": "queues", "runs": [{"total": 3, "courses": True},
                                                     {"total": 0, "courses": False}]}],
            "timelines": [{"flow": True, "port": False}]})
        self.assertEqual(later, {"queues-0": [{"x": [1]}], "network-1": {"plan": 0},
                                 "plan-0": {"nodes": []},
                                 "timelines-0-flow": {"total": 1, "all": ["a"]}})

    def test_what_json_cannot_say(self):
        from dcfabric.plots.page import clean
        self.assertEqual(
            clean({"a": [1.23456789, float("nan"), float("inf"), None, True, 7], 3: "x"}),
                         {"a": [1.23457, None, None, None, True, 7], "3": "x"})

    def test_tables(self):
        from dcfabric.plots.page import columns_of, option_columns
        lines = self.lines()
        found = {one["name"]: one["cells"] for one in columns_of(lines, interval=False)}
        # 3 and 5 flows, with slowdown 1, 2, 3 and 1 to 5: means 2 and 3
        self.assertEqual(found["seeds"], [2, 1])
        self.assertEqual(found["flows received"], [{"mean": 4, "low": 3, "high": 5},
                                                   {"mean": 3, "low": 3, "high": 3}])
        self.assertEqual(found["mean slowdown"][0], {"mean": 2.5, "low": 2, "high": 3})
        self.assertEqual(found["longest queue of a class (kB)"][1]["mean"], 50)
        # of eight flows none of the percentiles has ten above it
        for name in ("ECN marks", "p50 slowdown", "p99 slowdown", "goodput until the stop (Gb/s)"):
            self.assertNotIn(name, found)
        # what a run writes down is no difference: it pushed the figures out of a narrow window
        lines[1].first.summary["options"]["trace"] = "queues,rates,links"
        self.assertEqual(option_columns(lines), [{"name": "cc", "cells": ["fncc", "hpcc"]},
                                                 {"name": "topology", "cells": ["x", "x"]}])

    def test_data_of_the_page(self):
        from dcfabric.plan import Plan
        from dcfabric.plots.page import clean, data_of
        lines = self.lines()
        plan = Plan.parse(json.dumps(PLAN))
        data = clean(data_of(lines, {"FNCC": plan}, [{}, {}], interval=False))
        self.assertEqual([line["label"] for line in data["lines"]], ["FNCC", "HPCC"])
        self.assertEqual(data["lines"][0]["dash"], "solid")
        self.assertEqual(data["lines"][1]["dash"], "10px,4px")
        # flows of both seeds: slowdown 1 to 3 twice, 4 and 5 once: of 8 all have 1, 6 have 2, 4
        # have 3, 2 have 4, 1 has 5
        self.assertEqual(data["tails"]["slowdown"][0],
                         {"x": [1, 2, 3, 4, 5], "y": [1, 0.75, 0.5, 0.25, 0.125]})
        self.assertEqual([(one["algorithm"], one["options"]) for one in data["lines"]],
                         [("fncc", {"cc": "fncc", "topology": "x"}),
                          ("hpcc", {"cc": "hpcc", "topology": "x"})])
        # flows of 1 to 10 kB: slowdowns 1 and 2 of both seeds; none has ten above it
        self.assertEqual(data["bySize"]["quantiles"]["median"][0][0],
                         {"x": 0, "mean": 1, "low": 1, "high": 1, "n": 4, "few": True})
        self.assertEqual(data["bySize"]["counts"][0], "2+")
        # port 1 of node 4 has 0 to 18 kB; then port 0
        over_time = {one["name"]: one["runs"] for one in data["overTime"]}
        self.assertEqual([(one["name"], max(one["y"]))
                          for one in over_time["queues"][0]["courses"]],
                         [("node 4 port 1", 18), ("node 4 port 0", 9)])
        # flows begin at 0; of a few flows the last one is seen, 4 us after 2 us, or the series
        self.assertEqual(data["shown"], [[0, 9], [0, 8]])
        self.assertEqual(over_time["queues"][1], {"total": 0, "courses": [], "traced": False})
        self.assertEqual(len(data["plans"][0]["halves"]), 8)  # of four links
        self.assertEqual((data["network"][0]["plan"], len(data["network"][0]["use"])), (0, 8))
        self.assertEqual(data["network"][0]["over"], "from 0 to 9 us")
        self.assertIsNone(data["network"][1])
        self.assertEqual(data["timelines"][0]["port"]["total"], 2)
        # the slowest first
        self.assertEqual([one["key"] for one in data["timelines"][1]["flow"]["all"]],
                         ["2", "1", "0"])

    def test_flows_that_were_not_received_are_told(self):
        """Of 7 that had begun in the second run, 3 were received. Labels are as they are."""
        from dcfabric.plots import page
        lines = self.lines()
        lines[1].label = "<HPCC>"
        lines[1].first.summary.update(flows_started=7, status="partial")
        said = "Flows begun but not received are missing: <HPCC>: 4 of 7 (partial)."
        note = page.data_of(lines, {}, [{}, {}], interval=False)["bySize"]["note"]
        self.assertTrue(note.endswith(f" {said}"), note)
        with mock.patch.object(page, "script_of_plotly", return_value=""):
            text = page.write_page(self.dir / "page.html", lines, {}, [{}, {}]).read_text()
        tails = text[text.index('<section id="tails">'):]
        self.assertIn(said.replace("<HPCC>", "&lt;HPCC&gt;"), tails[:tails.index("</section>")])

    def test_unit_of_time_axes(self):
        """A run of 20 ms without time series is no reason to show those of 9 us in ms."""
        from dcfabric.plots import page
        with mock.patch.object(page, "last_us", lambda line: {"FNCC": 9, "HPCC": 2e4}[line.label]):
            self.assertEqual(page.data_of(self.lines(), {}, [{}, {}], interval=False)["endUs"], 9)

    def test_a_series_that_only_its_description_knows(self):
        """It has a section of its own, with what its description says."""
        from dcfabric import columns
        from dcfabric.plots import page
        curves = [{"column": "low", "name": "least", "style": "steps", "older": ""},
                  {"column": "high", "name": "most", "style": "line", "older": ""},
                  {"column": "later", "name": "new", "style": "line", "older": ""}]
        told = {"name": "hops", "rows": "all",
                "columns": [{"name": name, "type": kind, "later": name == "later"} for name, kind in
                            (("rank", "key"), ("low", "whole"), ("high", "whole"),
                             ("later", "whole"))],
                "figure": {"title": "packets of ranks", "nothing": "", "of": ["rank"],
                           "order": "sum", "by": "high", "most": 1, "together": False, "panels": [
                               {"quantity": "packets", "unit": "kB", "factor": 0.5, "most": 0,
                                "instead": False, "aside": False, "curves": curves}]}}
        folder = write_result(self.dir / "a")
        # of 11 ranks the last 10 have most; 0 of steps stands for none
        (folder / "hops.csv").write_text("time_ns,rank,low,high\n" + "".join(
            f"{time},{rank},{time and rank},{rank}\n" for time in (0, 2000) for rank in range(11)))
        from dcfabric.plots.data import Run, lines_of
        with mock.patch.dict(columns.SERIES, {"hops": columns.series_from(told)}):
            lines = lines_of([Run(folder, "a", EVERYTHING)])
            found = page.data_of(lines, {}, [{}], interval=False)["overTime"][-1]
            with mock.patch.object(page, "script_of_plotly", return_value=""):
                text = page.write_page(self.dir / "page.html", lines, {}, [{}]).read_text()
        self.assertIn('<a href="#hops">Hops</a>', text)
        self.assertIn('<section id="hops"><h2>Hops over time</h2>', text)
        courses = found["runs"][0].pop("courses")
        self.assertEqual(found, {"name": "hops", "note": "packets of ranks", "together": False,
                                 "things": "ranks", "most": "the largest sum",
                                 "runs": [{"total": 11, "traced": True}]})
        self.assertEqual(len(courses), 20)
        self.assertEqual(courses[0], {"thing": 0, "color": "#0072b2", "name": "rank 1",
                                      "curve": "least", "axis": "packets (kB)", "style": "steps",
                                      "x": [2], "y": [0.5]})
        self.assertEqual(courses[-1], {"thing": 9, "color": "#000000", "name": "rank 10",
                                       "curve": "most", "axis": "packets (kB)", "style": "line",
                                       "x": [0, 2], "y": [5, 5]})

    def test_what_is_asked_for_comes_first(self):
        from dcfabric.plots.page_series import timelines_of
        from dcfabric.plots.timelines import flow_timeline, port_timeline
        run = self.lines()[0].first
        found = timelines_of(run,
                             {"flow-0": flow_timeline(run, 0),
                              "port-9-1": port_timeline(run, 9, 1)}, {(4, 1): "a to b"})
        self.assertEqual([one["key"] for one in found["flow"]["all"]], ["0", "2", "1"])
        self.assertEqual([one["title"] for one in found["port"]["all"]],
                         ["node 9 port 1", "a to b (node 4 port 1)", "node 4 port 0"])

    def test_page_is_one_file_without_addresses(self):
        from dcfabric.plots import page
        lines = self.lines()
        lines[0].label = "</script><script>alert(1)//"
        with mock.patch.object(page, "script_of_plotly", return_value="/* plotly */"):
            path = page.write_page(self.dir / "sub" / "page.html", lines, {}, [{}, {}])
        text = path.read_text()
        self.assertEqual([one.name for one in path.parent.iterdir()], ["page.html"])
        self.assertEqual(re.findall(r"https?://[^\"' ]+", text), [])
        self.assertEqual(re.findall(r"(?:src|href)=\"(?!#|data:)", text), [])
        # plotly, what the page does, its data at once and later: five series and flows of two runs
        # and ports of one, of which the second has no series
        self.assertEqual(sorted(re.findall(r'<script type="application/json" id="data-([^"]+)">',
                                           text)),
                         ["first", "links-0", "queues-0", "rates-0", "timelines-0-flow",
                          "timelines-0-port", "timelines-1-flow", "trims-0", "windows-0"])
        self.assertEqual(text.count("</script>"), 2 + 9)

        class Sections(html.parser.HTMLParser):
            found = []

            def handle_starttag(self, tag, attributes):
                if tag == "section":
                    self.found.append(dict(attributes)["id"])
        parser = Sections()
        parser.feed(text)
        # without a plan there is no network
        self.assertEqual(parser.found, [name for name in SECTIONS if name != "network"])
        links = re.findall(r'<a href="#(\w+)">', text.split("</nav>")[0].split("<nav")[1])
        self.assertEqual(links, parser.found)

    def test_without_plotly(self):
        write_result(self.dir / "a")
        (self.dir / "plotly.py").write_text("raise ImportError('no plotly here')\n")
        run = subprocess.run([sys.executable, PLOT, "a", "--html", "page.html"],
                             capture_output=True, text=True, timeout=120,
                             cwd=self.dir,
                             env={"PYTHONPATH": str(self.dir), "PATH": "/usr/bin:/bin"})
        self.assertEqual(run.returncode, 2)
        self.assertIn("--html needs the Python package plotly: pip install plotly", run.stderr)
        self.assertFalse((self.dir / "page.html").exists())

    def test_without_runs(self):
        (self.dir / "plan.json").write_text(json.dumps(PLAN))
        run = self.plot("plan.json", "--html", "page.html")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("no result folder of dcfabric-sim is given", run.stderr)


@unittest.skipUnless(HAS_PLOTLY, "plotly is not installed")
@unittest.skipUnless(BROWSER, "no Chromium is installed")
class BrowserTest(PageCase):
    """The page in a browser without a network."""

    def setUp(self):
        super().setUp()
        for name, cc in (("fncc", "fncc"), ("hpcc", "hpcc")):
            folder = write_result(self.dir / name, flows=40,
                                  options={"cc": cc, "topology": "two switches"})
            (folder / "plan.json").write_text(json.dumps(PLAN))
            (folder / "marks.csv").write_text("rank,name,iteration,start_ns,end_ns\n"
                                              "0,step,0,1000,3000\n0,done,0,3000,3000\n")
        # ports of the plan: host 0 sends at half of the rate
        (self.dir / "fncc" / "links.csv").write_text("time_ns,node,port,tx_bytes,utilisation\n"
                                                     "1000,0,0,9,0.5\n9000,0,0,9,0.5\n")

    def open(self, fragment="", script="", size="1300,9000"):
        """What the page has become, and what the console says of errors. script: what a reader
        does. size: of the window, so high that all sections are in view."""
        page = self.dir / "page.html"
        if script:
            text = page.read_text()
            page = self.dir / "used.html"
            page.write_text(text.replace("</body>", f"<script>{script}</script></body>"))
        run = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu",
                              "--disable-dev-shm-usage", "--enable-logging=stderr",
                              "--host-resolver-rules=MAP * ~NOTFOUND",
                              f"--user-data-dir={self.dir / 'profile'}", f"--window-size={size}",
                              "--virtual-time-budget=10000", "--dump-dom",
                              f"{page.resolve().as_uri()}{fragment}"],
                             capture_output=True, text=True, timeout=120)
        return run.stdout, [line for line in run.stderr.splitlines() if "CONSOLE" in line]

    def section(self, text, name):
        return re.search(rf'<section id="{name}">.*?</section>', text, re.S)[0]

    def test_all_sections_are_drawn(self):
        run = self.plot("fncc", "hpcc", "--html", "page.html")
        self.assertEqual((run.returncode, run.stdout), (0, "page.html\n"), run.stderr)
        text, console = self.open()
        self.assertEqual(console, [])
        self.assertIn('data-ready="yes"', text)
        self.assertIn("<td>40</td>", self.section(text, "comparison"))
        self.assertNotIn("No rows of", text)
        for name in SECTIONS[1:]:
            part = self.section(text, name)
            self.assertIn("main-svg", part, name)
            self.assertRegex(part, r'<path class="(js-line|point)"|<path[^>]* d="M', name)
        self.assertIn('role="img" aria-label="slowdown by flow size, median"', text)
        # two lines, each in the legend, too
        self.assertEqual(self.section(text, "tails").count("js-line"), 4)
        self.assertIn("host-0 to switch-0: 50 %", self.section(text, "network"))
        self.assertRegex(self.section(text, "network"),  # names over links have a halo
                         r"<text[^>]*text-shadow: [^>]*>host-0</text>")
        self.assertIn("sends, mean from 0 to 9 us", self.section(text, "network"))
        self.assertIn("Dashed: limit.", self.section(text, "rates"))
        # the slowest is chosen
        self.assertIn("flow 39: host 0 to host 1", self.section(text, "timelines"))

    def test_an_address_chooses(self):
        self.assertEqual(self.plot("fncc", "hpcc", "--html", "page.html", "--flow=3").returncode, 0)
        text, console = self.open("#timelines/run=1/kind=port/what=4%3A1")
        self.assertEqual(console, [])
        part = self.section(text, "timelines")
        self.assertIn("queue (kB)", part)
        self.assertIn("no pfc.csv", part)
        text, console = self.open("#timelines/kind=rank/what=0")
        self.assertEqual(console, [])
        part = self.section(text, "timelines")
        self.assertIn("mark step", part)
        self.assertIn("the host of this rank is unknown here", part)

    @longer("test_an_address_chooses")
    def test_addresses_that_choose_nothing(self):
        """Cut off in the middle of a letter, or of a section or a flow that there is not: the
        reader is told that another one is shown."""
        self.assertEqual(self.plot("fncc", "--html", "page.html").returncode, 0)
        for fragment in ("#timelines/kind=flow/what=%", "#constructor/what=3", "#nothing",
                         "#timelines/kind=flow/what=77"):
            text, console = self.open(fragment)
            self.assertEqual(console, [], fragment)
            self.assertIn('data-ready="yes"', text)
            part = self.section(text, "timelines")
            self.assertIn("flow 39: host 0 to host 1", part)
            self.assertEqual("The address asks for flow 77, which is not among these." in part,
                             fragment.endswith("=77"))

    def test_jobs(self):
        """Bars of the two lines, with their values in a table; a choice in the address."""
        waits = [("leaf-0 to spine-1", "01", 500)]
        write_jobs(self.dir / "fncc", (2000, ""), waits, 1000)
        write_jobs(self.dir / "hpcc", (3000, 4000))
        self.page()
        for fragment, rows, said in (
                ("", [["fncc", "01", "2"], ["fncc", "beside", "9"], ["hpcc", "01", "3"],
                      ["hpcc", "NA", "4"], ["hpcc", "beside", "9"]],
                 "Time of a job: from its start to the end of its last rank"),
                ("#jobs/show=wait behind others (us)", [["fncc", "leaf-0 to spine-1: 01", "0.5"]],
                 "Wait behind others: of a packet at a link")):
            text, console = self.open(fragment.replace(" ", "%20"), """
                document.querySelector("#jobs .values").open = true;""")
            self.assertEqual(console, [])
            part = self.section(text, "jobs")
            self.assertIn("main-svg", part)
            self.assertIn(said, part)
            self.assertEqual([re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row) for row in
                              re.findall("<tr>(.*?)</tr>", part)][1:], rows)
        self.assertIn('<a href="#jobs">Jobs</a>', text)

    def test_names_are_shown_as_they_are(self):
        name = "<i>a</i> & \"b\" 'c' &lt; <script>d()</script>"
        self.assertEqual(self.plot("fncc", "hpcc", "--html", "page.html", f"--labels={name},_")
                         .returncode, 0)
        text, console = self.open()
        self.assertEqual(console, [])
        for found in re.findall(r"<(?:tspan|text|option|th)\b[^>]*>(?:<span[^>]*></"
                                r"span>)?([^<]*a&lt;/i&gt;[^<]*)<", text):
            self.assertTrue(html.unescape(found).startswith(name), found)
        self.assertNotIn("<i>", text.split("<script>")[0])
        for section in ("comparison", "sizes", "tails", "queues", "rates"):
            self.assertIn("&lt;i&gt;a&lt;/i&gt; &amp; ", self.section(text, section))

    def test_traces_of_nothing(self):
        """One small flow: no queue ever holds anything. Sections without data are left out, and
        the page says what would fill them."""
        folder = write_result(self.dir / "one", flows=1, series=False)
        (folder / "queues.csv").write_text("time_ns,node,port,class,bytes\n")
        (folder / "rates.csv").write_text("time_ns,flow,rate_bps,window_bytes\n")
        self.assertEqual(self.plot("one", "--html", "page.html").returncode, 0)
        text, console = self.open()
        self.assertEqual(console, [])
        self.assertEqual(re.findall(r'<section id="(\w+)"', text),
                         ["comparison", "sizes", "tails", "timelines"])
        self.assertIn("No rows of links, queues, rates, trims, windows: "
                      "--trace=links,queues,rates,trims,windows.", text)
        self.assertIn("There are not enough flows for a median.", self.section(text, "sizes"))
        self.assertIn("main-svg", self.section(text, "tails"))

    def test_no_flows(self):
        write_result(self.dir / "none", flows=0, series=False)
        self.assertEqual(self.plot("none", "--html", "page.html").returncode, 0)
        text, console = self.open()
        self.assertEqual(console, [])
        self.assertEqual(re.findall(r'<section id="(\w+)"', text), ["comparison"])

    def page(self, *more):
        self.assertEqual(self.plot("fncc", "hpcc", "--html", "page.html", *more).returncode, 0)

    def test_tables_are_sorted_filtered_and_compared(self):
        """FNCC has slowdowns 1 to 40, HPCC 1 to 80: means 20.5 and 40.5, 97.6 % more."""
        shutil.rmtree(self.dir / "hpcc")
        write_result(self.dir / "hpcc", flows=80, options={"cc": "hpcc", "topology": "x"})
        self.page()

        def lines(text):
            body = re.search("<tbody>.*?</tbody>", self.section(text, "comparison"), re.S)[0]
            return re.findall(r'<th scope="row"><span[^>]*></span>(\w+)</th>', body)

        text, console = self.open("#comparison/sort=-mean slowdown".replace(" ", "%20"))
        self.assertEqual((console, lines(text)), ([], ["hpcc", "fncc"]))
        self.assertIn('aria-sort="descending"', text)
        text, console = self.open("#comparison/filter=CC=hp")
        self.assertEqual((console, lines(text)), ([], ["hpcc"]))
        self.assertIn("1 of 2 lines", text)
        for name in ("sizes", "tails", "queues"):
            self.assertNotIn(">fncc", self.section(text, name).split("<svg")[1], name)
        text, console = self.open("#comparison/baseline=fncc")
        self.assertEqual((console, lines(text)), ([], ["fncc", "hpcc"]))
        self.assertIn("<td>+97.6 %</td>", text)
        self.assertIn("Differences from fncc in percent", text)
        text, console = self.open("", """
            const button = () => document.querySelector("thead button[title='Sort by line']");
            button().click(); button().click();
            const filter = document.getElementById("filter");
            filter.value = "fncc"; filter.dispatchEvent(new Event("input"));
            document.title = location.hash;""")
        self.assertEqual(console, [])
        self.assertIn("#comparison/sort=-line/filter=fncc</title>", text)

    @longer("test_tables_are_sorted_filtered_and_compared")
    def test_baseline_of_the_command(self):
        """HPCC has twice the flows in place of the same: means 20.5 and 40.5. The number of seeds
        is no difference."""
        for seed in ("1", "2"):
            write_result(self.dir / f"hpcc-{seed}", flows=80, series=False,
                         options={"cc": "hpcc", "topology": "y", "seed": seed})
            write_result(self.dir / f"fncc-{seed}", flows=40, series=False,
                         options={"cc": "fncc", "topology": "x", "seed": seed})
        folders = [f"{cc}-{seed}" for cc in ("fncc", "hpcc") for seed in ("1", "2")]
        run = self.plot(*folders, "--join-seeds", "--html", "page.html", "--baseline=fncc")
        self.assertEqual(run.returncode, 2)  # no figure of differences could be drawn
        self.assertIn("hpcc has other flows than it has: topology differs", run.stderr)
        write_result(self.dir / "swift", flows=40, series=False,
                     options={"cc": "swift", "topology": "x", "seed": "1"})
        run = self.plot(*folders, "swift", "--join-seeds", "--html", "page.html", "--baseline=FNCC")
        self.assertEqual(run.returncode, 0, run.stderr)
        text, console = self.open()
        self.assertEqual(console, [])
        part = self.section(text, "comparison")
        self.assertIn("<td>+97.6 %</td>", part)
        self.assertIn("Differences from fncc in percent", part)
        self.assertIn("Of other flows, so that luck does not cancel out: hpcc.", part)
        self.assertEqual(re.findall("<td>([12])</td>", part), ["2", "2", "1"])  # seeds
        # the address chooses another one, or none
        text, console = self.open("#comparison/baseline=swift")
        self.assertIn("Differences from swift in percent", self.section(text, "comparison"))
        for fragment, script in (("#comparison/baseline=%20", ""), ("", """
                const select = document.querySelector("#comparison select");
                select.value = " "; select.dispatchEvent(new Event("change"));
                document.title = location.hash;""")):
            text, console = self.open(fragment, script)
            self.assertEqual(console, [])
            self.assertNotIn("in percent", self.section(text, "comparison"))
        self.assertIn("<title>#comparison/baseline=%20</title>", text)

    @longer("test_narrow_windows")
    def test_columns_that_do_not_fit_are_told(self):
        """At 600 px not all have room; a click goes on to them. What all lines have in common is
        said once."""
        self.page()
        part = self.section(self.open(size="600,9000")[0], "comparison")
        number = re.search('class="more">(\\d+) more columns \u2192</button>', part)
        self.assertTrue(number and 1 <= int(number[1]) < 9, part[:2000])
        self.assertIn('class="scroll cut"', part)
        self.assertIn("<caption>2 lines; topology two switches</caption>", part)
        self.assertNotIn("Sort by topology", part)
        text, console = self.open("", """setInterval(() => {
            const one = document.querySelector(".more");
            if (one.textContent.includes("more")) one.click();
            }, 500);""", size="600,9000")
        self.assertEqual(console, [])
        part = self.section(text, "comparison")
        self.assertIn('class="more">\u2190 first columns</button>', part)
        self.assertIn('class="scroll"', part)
        part = self.section(self.open(size="1900,9000")[0], "comparison")
        self.assertRegex(part, '<button[^>]*class="more"[^>]* hidden')
        self.assertIn('class="scroll"', part)

    def test_tables_take_the_width_that_is_there(self):
        """Beyond 1600 px, which is enough for figures; what all lines have in common is above the
        table in as many rows as it takes, also of a single line."""
        write_result(self.dir / "wide", flows=40, options={
            "topology": "x", "workload": "program:one.txt,placement=scattered+" * 9})
        self.assertEqual(self.plot("wide", "--labels=" + "w" * 90, "--html", "page.html")
                         .returncode, 0)
        place = """["caption", ".scroll"].map((one) => {
            const box = d.querySelector(`#comparison ${one}`).getBoundingClientRect();
            return [box.left >= 0 && box.right <= d.documentElement.clientWidth, box.width > 1600];
        })"""
        self.assertEqual(self.framed(place, size=(1920, 900)), [[True, True], [True, True]])
        self.assertEqual(self.framed(place, size=(390, 900)), [[True, False], [True, False]])

    @longer("test_what_is_hidden_and_zoomed_is_kept")
    def test_zoom_is_shared_and_kept(self):
        """From 2 to 6 us in one figure is so in all over time, and in the address."""
        self.page()
        ranges = """
            const told = () => ["queues", "rates", "timelines"].map((name) =>
                document.querySelector(`#${name} .plot`)._fullLayout.xaxis.range.join("..")
                ).join(" ");
            setTimeout(async () => {
                MORE
                setTimeout(() => { document.title = `${told()} ${location.hash}`; }, 2000);
            }, 2000);"""
        text, console = self.open("", ranges.replace(
            "MORE", 'await Plotly.relayout(document.querySelector("#queues .plot"), '
            '{"xaxis.range": [2, 6]});'))
        self.assertEqual(console, [])
        self.assertIn("<title>2..6 2..6 2..6 #comparison/t=2..6</title>", text)
        text, console = self.open("#rates/t=3..4", ranges.replace("MORE", ""))
        self.assertEqual(console, [])
        self.assertIn("<title>3..4 3..4 3..4 #rates/t=3..4</title>", text)

    def told(self, fragment, does=""):
        """What the address, axes and hidden curves are once a reader has done something."""
        text, console = self.open(fragment, """
            const plot = (name) => document.querySelector(`#${name} .plot`);
            const range = (name, axis) => plot(name)._fullLayout[axis].range.map(
                (end) => Number(end.toPrecision(3))).join("..");
            const hidden = (name) => plot(name).data.filter(
                (one) => one.visible === "legendonly").map((one) => one.title);
            setTimeout(async () => {
                DOES
                setTimeout(() => { document.title = [location.hash, range("tails", "yaxis"),
                    range("rates", "yaxis"), range("rates", "xaxis"), range("network", "xaxis"),
                    range("timelines", "yaxis"), hidden("tails"), hidden("rates")].join(" | ");
                }, 1500);
            }, 1500);""".replace("DOES", does))
        self.assertEqual(console, [])
        return html.unescape(re.search("<title>(.*?)</title>", text, re.S)[1]).split(" | ")

    def test_what_is_hidden_and_zoomed_is_kept(self):
        """By a box below the figure, as keyboards reach it, or in the legend. Names with signs that
        the address has a use for, a logarithmic axis (0.1 to 1 are -1 and
        0), one with names, from above, and a plan. A link to a section keeps them, a double click
        forgets the zoom into its figure, and what does not fit has no effect."""
        self.assertEqual(self.plot("fncc", "hpcc", "--html", "page.html", "--labels=a~%/b,c=d")
                         .returncode, 0)
        whole = self.told("")
        self.assertEqual((whole[0], *whole[6:]), ("", "", ""))
        found = self.told("", """
            const boxes = document.querySelector("#tails .curves");
            boxes.open = true;
            await new Promise((done) => boxes.addEventListener("toggle", done));
            boxes.querySelectorAll("input").forEach((box) => box.click());
            boxes.querySelectorAll("input")[1].click();
            await Plotly.restyle(plot("rates"), {visible: "legendonly"}, [1, 2]);
            await Plotly.relayout(plot("tails"), {"yaxis.range[0]": -1, "yaxis.range[1]": 0});
            await Plotly.relayout(plot("rates"), {"yaxis.range": [0, 40.0001]});
            await Plotly.relayout(plot("rates"), {"xaxis.range": [2, 6.12345]});
            await Plotly.relayout(plot("network"), {"xaxis.range": [0.5, 1.5]});
            await Plotly.relayout(plot("timelines"), {"yaxis.range": [1.5, -0.5]});
            document.querySelector("nav a[href='#tails']").click();""")
        self.assertEqual(found[0], "#tails/hide=a%257E%2525%2Fb/rates.hide=flow%201~flow%202"
                         "/y=0.1..1/rates.y=0..40/t=2..6.123/network.x=0.5..1.5/timelines.y=-0.5..1.5")
        self.assertEqual(found[1:], ["-1..0", "0..40", "2..6.12", "0.5..1.5", "1.5..-0.5",
                                     "a~%/b", "limit of flow 1,limit of flow 2"])
        self.assertEqual(self.told(found[0]), found)
        again = self.told(found[0], """plot("rates").emit("plotly_doubleclick");
            plot("tails").emit("plotly_doubleclick");""")
        self.assertEqual(again[0], "#tails/hide=a%257E%2525%2Fb/rates.hide=flow%201~flow%202"
                         "/network.x=0.5..1.5/timelines.y=-0.5..1.5")
        self.assertEqual(again[2:4], whole[2:4])
        self.assertEqual(self.told("#tails/hide=z~%25E0%25~~/y=-1..1/rates.hide=/rates.y=40..3"
                                   "/network.x=a..b/timelines.y=1../x=5..5/y9=1..2/x=..")[1:],
                         whole[1:])

    def test_values_are_told_in_tables(self):
        """Built once they are opened. Of 900 samples between 0 and 9 kB, one of which has 50, a
        table has 200 with that peak; of the tail all, as 1/40 is the share of slowdown 40."""
        (self.dir / "fncc" / "queues.csv").write_text("time_ns,node,port,class,bytes\n" + "".join(
            f"{10 * at},4,0,3,{50000 if at == 437 else at % 2 * 9000}\n" for at in range(900)))
        self.page()
        text, console = self.open("", """setTimeout(() => {
            const rows = document.querySelectorAll(".values tr").length;
            document.querySelectorAll(".values").forEach((one) => { one.open = true; });
            document.title = `${rows} rows`; }, 2000);""")
        self.assertEqual(console, [])
        self.assertIn("<title>0 rows</title>", text)
        tables = {}
        for name in SECTIONS[1:]:
            table = re.search(r'aria-label="Values shown: [^"]+"><table>(.*?)</table>',
                              self.section(text, name), re.S)[1]
            rows = [re.findall(r'<t[hd][^>]*>(.*?)</t[hd]>', row)
                    for row in re.findall("<tr>(.*?)</tr>", table)]
            tables[name] = (re.search("<caption>(.*?)</caption>", table)[1], rows)
            self.assertEqual(table.count('<th scope="row">'), len(rows) - 1, name)
            self.assertEqual(table.count('<th scope="col">'), len(rows[0]), name)
            self.assertEqual({len(row) for row in rows}, {len(rows[0])}, name)
        said, rows = tables["tails"]
        self.assertEqual(said, "80 values, all that the figure shows.")
        self.assertEqual(rows[0], ["name", "slowdown", "share of flows with at least so much"])
        self.assertEqual(rows[40], ["fncc", "40", "0.025"])
        self.assertEqual(tables["sizes"][1][:2], [
            ["name", "flow size up to", "slowdown, median", "more"],
            ["fncc", "10 kB", "17", "16 flows"]])
        said, rows = tables["queues"]
        self.assertRegex(said, r"^210 of \d{3} values: the highest of each part of a curve\. ")
        self.assertEqual((rows[0], len(rows)), (["name", "time (us)", "queue (kB)"], 211))
        self.assertIn(["4.37", "50"], [row[1:] for row in rows])
        said, rows = tables["network"]
        self.assertEqual(said, "8 of 8 halves of links, the highest first; 4 of 4 nodes that are "
                               "drawn.")
        self.assertEqual(rows[:2] + rows[-1:], [
            ["name", "kind", "use (%)"],
            ["host-0 to switch-0 (node 0 port 0)", "half of a link", "50"],
            ["host-1 (node 1)", "host", "-"]])
        # flow 39 begins at 39 us and would take 2 us
        self.assertEqual(tables["timelines"][1][:2], [
            ["name", "time (us)", "value", "more"],
            ["ideal", "39", "-", "ideal: 2 us: 39 to 41 us"]])

    @longer("test_all_sections_are_drawn")
    def test_queues_over_the_plan(self):
        """Port 0 of node 2 leads to host 0; from 0 to 9 us its queue grows to 9 kB, and is longest
        in the last of 60 spans."""
        for name in ("fncc", "hpcc"):
            (self.dir / name / "queues.csv").write_text("time_ns,node,port,class,bytes\n"
                                                        "0,2,0,3,0\n9000,2,0,3,9000\n")
        self.page()
        text, console = self.open("#network/show=queues")
        self.assertEqual(console, [])
        part = self.section(text, "network")
        self.assertIn("queue (kB)", part)
        self.assertRegex(part, r"<output>8\.9\d* us</output>")
        text, console = self.open("#network/show=queues/at=0")
        self.assertRegex(self.section(text, "network"), r"<output>0\.0\d* us</output>")

    def test_what_is_seen_is_saved(self):
        """Buttons that keyboards reach: an image and rows of a figure, and rows of the table. A
        PNG begins with 89 50 4E 47, which base64 writes as iVBORw; of slowdowns 1 to 40 the tail
        has 40 steps."""
        self.page()
        for _ in range(3):  # a browser on a busy machine may end before the image is made
            text, console = self.open("", SAVING)
            self.assertEqual(console, [])
            saved = dict(line.split(" ", 1) for line in
                         re.search("<title>(.*?)</title>", text, re.S)[1].split(" | "))
            if len(saved) == 3:
                break
        self.assertEqual(sorted(saved), ["dcfabric-comparison.csv", "dcfabric-tails.csv",
                                         "dcfabric-tails.png"])
        self.assertTrue(saved["dcfabric-tails.png"].startswith("data:image/png;base64,iVBORw"))
        rows = base64.b64decode(saved["dcfabric-tails.csv"].split(",")[1]).decode().splitlines()
        self.assertEqual((rows[0], rows[1], len(rows)),
                         ("name,slowdown,value,text", "fncc,1,1,", 1 + 2 * 40))
        rows = base64.b64decode(saved["dcfabric-comparison.csv"].split(",")[1]).decode()
        self.assertTrue(rows.startswith("line,cc,topology,status,flows received,"), rows[:80])

    def test_scale_of_use_fits(self):
        """22 % were nearly invisible on a scale to 100 %: the end is 25."""
        (self.dir / "fncc" / "links.csv").write_text("time_ns,node,port,tx_bytes,utilisation\n"
                                                     "1000,0,0,9,0.22\n9000,0,0,9,0.22\n")
        self.page()
        text, console = self.open("", """setTimeout(() => {
            const traces = document.querySelector("#network .plot").data;
            document.title = traces.find((one) => one.marker?.showscale).marker.cmax;
            }, 2000);""")
        self.assertEqual(console, [])
        self.assertIn("<title>25</title>", text)

    def framed(self, title, fragment="", size=(390, 9000), script=""):
        """The value of an expression about the document d, once the page has been shown in a frame,
        as windows of a browser are not so narrow. script: what a reader does before."""
        width, height = size
        (self.dir / "frame.html").write_text(
            f'<iframe id="f" src="page.html{fragment}" width="{width}" height="{height}"></iframe>'
            '<script>const f = document.getElementById("f"); f.onload = () => setTimeout(() => {'
            f"const d = f.contentDocument; {script}; setTimeout(() => {{ "
            f"document.title = JSON.stringify({title}); }}, 2000); }}, 4000);</script>")
        run = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu",
                              "--disable-dev-shm-usage", "--allow-file-access-from-files",
                              f"--user-data-dir={self.dir / 'profile'}",
                              f"--window-size=2000,{height}", "--virtual-time-budget=10000",
                              "--dump-dom", (self.dir / "frame.html").as_uri()],
                             capture_output=True, text=True, timeout=120)
        return json.loads(html.unescape(re.search("<title>(.*?)</title>", run.stdout, re.S)[1]))

    def test_narrow_windows(self):
        """Nothing is wider than the window, also of a phone."""
        self.page("--flow=3")
        self.assertEqual(self.framed("[d.documentElement.scrollWidth, "
                                     "d.documentElement.clientWidth]"), [390, 390])

    def test_an_address_is_where_the_page_ends(self):
        """Sections above that are drawn later would push it down: its top is below the header, or
        at the end of the page there is no more to scroll. Once a reader scrolls that counts."""
        self.page()
        place = """["rates", "timelines"].map((name) => {
            const {top} = d.getElementById(name).getBoundingClientRect(), all = d.documentElement;
            const isEnd = all.scrollTop + all.clientHeight > all.scrollHeight - 2;
            return top >= 0 && (top < 100 || isEnd && top < all.clientHeight - 300); })"""
        for fragment, found in (("#rates", [True, False]),
                                ("#timelines/kind=flow/what=3", [False, True])):
            self.assertEqual(self.framed(place, fragment, (1400, 1400)), found, fragment)
        self.assertEqual(self.framed(place, "#rates", (1400, 1400), """
            f.contentWindow.dispatchEvent(new Event("wheel")); f.contentWindow.scrollTo(0, 0);
            d.querySelector("#comparison h2").style.height = "900px" """), [False, False])

    def test_curves_have_room_on_a_phone(self):
        """Of nine lines: axes of 200 px, labels that do not lie over one another (upright in one
        line below the axis of ten sizes, of which each of 40 flows has its turn), and the list of
        curves, each with its color, in place of the legend."""
        flows = self.dir / "fncc" / "flows.csv"
        head, *rows = [row.split(",") for row in flows.read_text().splitlines()]
        sizes = (9000, 20000, 70000, 90000, 150000, 900000, 1500000, 4000000, 9000000, 20000000)
        for at, row in enumerate(rows):
            row[3] = str(sizes[at % 10])
        flows.write_text("".join(",".join(row) + "\n" for row in (head, *rows)))
        self.assertEqual(self.plot(*["fncc"] * 9, "--html", "page.html",
                                   "--labels=" + ",".join("abcdefghi")).returncode, 0)
        told = self.framed("""["sizes", "tails", "queues", "rates"].map((name) => {
            const plot = d.querySelector(`#${name} .plot`);
            const over = (ticks) => {
                const boxes = [...plot.querySelectorAll(ticks)].map(
                    (one) => one.getBoundingClientRect());
                return boxes.filter((a) => boxes.some((b) => a !== b && a.left < b.right
                    && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length; };
            return {name, high: plot._fullLayout._size.h >= 200,
                    over: over(".xtick text") + over(".ytick text"),
                    legend: plot.querySelectorAll(".legend").length,
                    samples: d.querySelectorAll(`#${name} .curves[open] .sample`).length,
                    first: plot._fullLayout.xaxis.ticktext?.[0]};
        })""")
        self.assertEqual(told[0], {"name": "sizes", "high": True, "over": 0, "legend": 0,
                                   "samples": 9, "first": "10 kB; 4"})
        for one, samples in zip(told[1:], (9, 9, 10)):
            self.assertEqual({**one, "first": ""}, {
                "name": one["name"], "high": True, "over": 0, "legend": 0, "samples": samples,
                "first": ""})


if __name__ == "__main__":
    unittest.main()
