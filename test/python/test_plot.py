# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-plot on small synthetic result folders: what it draws, what it refuses."""
import json
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
