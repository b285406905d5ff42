# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-plot on small synthetic result folders: what it draws, what it refuses."""
import importlib
import importlib.util
import json
import math
import subprocess
import sys
import tempfile
import unittest
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
    return folder


def load_plot():
    """The program as a module."""
    sys.path.insert(0, str(PLOT.parents[1] / "python"))
    return importlib.import_module("dcfabric.plot")


EVERYTHING = (-math.inf, math.inf)
# Two classes of a port of which never both change at a time: 3 holds 10 kB from 2 to 6 us, 6 a little from 3
# to 4 us. Rows as the program writes them: the first before a change and the last one tell of 0.
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
            return self.program.read_table(path)

    def totals(self, window):
        queues = self.program.cut(self.table("queues.csv", QUEUES), window, ["node", "port", "class"])
        return [(t, b) for (_, _, t), b in self.program.all_classes(queues).items()]

    def test_classes_are_summed_where_only_one_has_a_row(self):
        self.assertEqual(self.totals(EVERYTHING),
                         [(1000, 0), (2000, 10000), (3000, 10500), (4000, 10700), (5000, 10000), (6000, 10000),
                          (7000, 0), (9000, 0)])

    def test_a_window_begins_and_ends_with_what_waits_then(self):
        # 3.5 us: 10000 + 500; 5.5 us: 10000 + 0
        self.assertEqual(self.totals((3.5, 5.5)), [(3500, 10500), (4000, 10700), (5000, 10000), (5500, 10000)])
        self.assertEqual(self.totals((2.5, 2.6)), [(2500, 10000), (2600, 10000)])  # no row lies in it
        self.assertEqual(self.totals((3, 4)), [(3000, 10500), (4000, 10700)])  # rows at both ends, once
        self.assertEqual(self.totals((0, 1)), [(1000, 0)])
        self.assertEqual(self.totals((0, 0.5)), [])

    def test_utilisation_is_averaged_over_time_not_over_rows(self):
        # Port 0 sends all the time from 1 to 9 us: 8 of 10 us. Port 1 changes at every sample and sends half
        # of the time, which its rows alone would not tell: 1 for port 0 is in two rows of four.
        text = "time_ns,node,port,tx_bytes,utilisation\n1000,4,0,0,0\n2000,4,0,9,1\n9000,4,0,9,1\n10000,4,0,0,0\n"
        text += "".join(f"{t * 1000},4,1,9,{t % 2 * 0.7}\n" for t in range(1, 11))
        links = self.table("links.csv", text)
        mean = self.program.mean_utilisation(links, 0)
        self.assertAlmostEqual(mean[(4, 0)], 8 / 10)
        self.assertAlmostEqual(mean[(4, 1)], 0.7 * 5 / 10)
        inside = self.program.cut(links, (4, 6), ["node", "port"])
        mean = self.program.mean_utilisation(inside, 4000)
        self.assertAlmostEqual(mean[(4, 0)], 1)
        self.assertAlmostEqual(mean[(4, 1)], 0.7 / 2)

    def test_a_flow_gets_nothing_where_it_has_no_row(self):
        rates = self.table("rates.csv", "time_ns,flow,rate_bps,window_bytes,throughput_bps,limit_bps\n"
                           "2000,0,9e10,0,4e10,9e10\n3000,1,9e10,0,1e10,9e10\n4000,0,9e10,0,8e10,9e10\n"
                           "5000,1,9e10,0,1e10,9e10\n")
        ended = self.program.throughput(rates[rates["flow"] == 0], rates["time_ns"].to_numpy(), 1)
        self.assertEqual([line.tolist() for line in ended], [[1, 2, 3, 4, 4], [40, 40, 0, 80, 0]])
        going_on = self.program.throughput(rates[rates["flow"] == 0], rates["time_ns"].to_numpy()[:3], 1)
        self.assertEqual([line.tolist() for line in going_on], [[1, 2, 3, 4], [40, 40, 0, 80]])
        # two samples together: (40 + 0) / 2, and the last one by itself
        means = self.program.throughput(rates[rates["flow"] == 0], rates["time_ns"].to_numpy()[:3], 2)
        self.assertEqual([line.tolist() for line in means], [[1, 3, 4], [20, 20, 80]])
        single = self.program.throughput(rates[:1], rates["time_ns"].to_numpy()[:1], 1)
        self.assertEqual([line.tolist() for line in single], [[2, 2], [40, 40]])


class PlotTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.dir = Path(temporary.name)
        self.out = self.dir / "figures"

    def plot(self, *arguments):
        return subprocess.run([sys.executable, PLOT, *map(str, arguments), "--out", str(self.out)],
                              capture_output=True, text=True, timeout=120)

    def assert_refused(self, run, *words):
        self.assertEqual(run.returncode, 2, run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)
        self.assertFalse(self.out.exists() and list(self.out.iterdir()), "partial output")

    def names(self):
        return sorted(path.name for path in self.out.iterdir())

    def test_all_figures_of_two_folders(self):
        a, b = write_result(self.dir / "a"), write_result(self.dir / "b", flows=40)
        run = self.plot(a, b, "--labels", "FNCC,HPCC")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.names(), ["comparison.png", "fct-cdf.png", "links.png", "queues.png",
                                        "rates.png", "slowdown-by-size.png"])
        self.assertEqual(len(run.stdout.splitlines()), 6)
        for path in self.out.iterdir():
            self.assertEqual(path.read_bytes()[:8], PNG)

    def test_peak_of_a_port_with_several_classes(self):
        a = write_result(self.dir / "a")
        (a / "queues.csv").write_text(QUEUES)
        run = self.plot(a, "--format", "svg")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("peak 11 kB", (self.out / "queues.svg").read_text())  # 10.7

    def test_throughput_and_limit_are_told_apart(self):
        a = write_result(self.dir / "a")
        self.assertEqual(self.plot(a, "--format", "svg").returncode, 0)
        self.assertIn("limit of the rate (this rates.csv has no throughput)", (self.out / "rates.svg").read_text())
        (a / "rates.csv").write_text("time_ns,flow,rate_bps,window_bytes,throughput_bps,limit_bps\n" + "".join(
            f"{t},{f},100000000000,150000,{(f + 1) * 10**10},50000000000\n"
            for t in range(1000, 10000, 1000) for f in (0, 1)))
        run = self.plot(a, "--format", "svg")
        self.assertEqual(run.returncode, 0, run.stderr)
        text = (self.out / "rates.svg").read_text()
        for words in ("a: throughput (payload received), limit (lower of rate and window", "-- throughput --",
                      "-- limit --"):
            self.assertIn(words, text)
        (a / "rates.csv").write_text("time_ns,flow,rate_bps,window_bytes,throughput_bps,limit_bps\n1,0,1,1,x,1\n")
        for path in self.out.iterdir():
            path.unlink()
        self.assert_refused(self.plot(a), "rates.csv:2", "throughput_bps")

    def test_single_flow_without_series(self):
        run = self.plot(write_result(self.dir / "a", flows=1, series=False), "--prefix", "one-")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.names(),
                         ["one-comparison.png", "one-fct-cdf.png", "one-slowdown-by-size.png"])

    def test_no_completed_flow_is_said(self):
        run = self.plot(write_result(self.dir / "a", flows=0))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("no flow was completed in a", run.stderr)
        self.assertEqual(self.names(), ["comparison.png", "links.png", "queues.png", "rates.png"])

    def test_unfinished_flow_is_left_out(self):
        a = write_result(self.dir / "a")
        with (a / "flows.csv").open("a") as file:
            file.write("3,0,1,1000000,0,,,2000,,5,0,0\n")
        run = self.plot(a)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_missing_folder(self):
        self.assert_refused(self.plot(self.dir / "none"), "none", "no such folder")

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
        self.assert_refused(self.plot(write_result(self.dir / "a"), "--labels", "x,y"), "--labels")


if __name__ == "__main__":
    unittest.main()
