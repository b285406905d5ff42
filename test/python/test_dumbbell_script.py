# SPDX-License-Identifier: GPL-2.0-only
"""examples/dcfabric-dumbbell.py. The run itself needs the Python with the wheel of ns-3 and the
stand-alone library: run-tests (not --quick) names them in DCFABRIC_WHEEL_PYTHON and
DCFABRIC_LIBRARY."""
import importlib.util
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "dcfabric-dumbbell.py"
WHEEL_PYTHON = os.environ.get("DCFABRIC_WHEEL_PYTHON")
LIBRARY = os.environ.get("DCFABRIC_LIBRARY")


class DumbbellScriptTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.dir = Path(temporary.name)

    def script(self, *arguments, python=sys.executable, **environment):
        # Nothing of the caller's: neither a library nor a cache in which one might lie.
        clean = {name: value for name, value in os.environ.items()
                 if not name.startswith("DCFABRIC_")}
        clean.update({"DCFABRIC_CACHE": str(self.dir / "cache"), **environment})
        return subprocess.run([python, SCRIPT, *arguments], cwd=self.dir, env=clean,
                              capture_output=True, text=True, timeout=600)

    def refused(self, run, *words):
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
        self.assertNotIn("Traceback", run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)
        self.assertEqual(list(self.dir.glob("*.png*")), [])

    def fake_library(self):
        """What passes for a stand-alone build until it is loaded."""
        headers = self.dir / "include" / "ns3"
        headers.mkdir(parents=True)
        (headers / "series-recorder.h").touch()
        library = self.dir / "libdcfabric.so"
        library.touch()
        return library

    def test_missing_library(self):
        run = self.script(f"--library={self.dir}/none.so")
        self.refused(run, f"no dcfabric library at {self.dir}/none.so", "cmake --build build")

    def test_library_without_headers(self):
        library = self.dir / "libdcfabric.so"
        library.touch()
        self.refused(self.script(f"--library={library}"), "no headers beside it")

    def test_library_from_the_environment(self):
        self.refused(self.script(DCFABRIC_LIBRARY="/nowhere.so"),
                     "no dcfabric library at /nowhere.so")

    def test_missing_bindings(self):
        # A module of that name which cannot be imported stands before any other; what is asked for
        # before it is there.
        (self.dir / "matplotlib").mkdir()
        for name in ("matplotlib/__init__.py", "numpy.py"):
            (self.dir / name).touch()
        (self.dir / "matplotlib" / "backend_bases.py").write_text(
            "class FigureCanvasBase:\n    get_supported_filetypes = staticmethod(lambda: {'png': "
            "''})\n")
        (self.dir / "ns.py").write_text("raise ImportError('no bindings here')\n")
        run = self.script(f"--library={self.fake_library()}", PYTHONPATH=str(self.dir))
        self.refused(run, "no bindings here", "pip install 'ns3==3.44.*'")

    def test_missing_folder_and_unknown_option(self):
        self.refused(self.script("--out=none/a.png"), "no folder none")
        (self.dir / "a.svg").mkdir()
        self.refused(self.script("--out=a.svg"), "--out a.svg: is a folder")
        self.refused(self.script("--speed=9"), "--speed=9")

    @unittest.skipUnless(importlib.util.find_spec("matplotlib")
                         and importlib.util.find_spec("numpy"), "this Python cannot draw")
    def test_ending_that_cannot_be_drawn(self):
        """It was found out when the three simulations were done."""
        (self.dir / "ns.py").write_text("raise SystemExit('bindings are loaded')\n")
        library = self.fake_library()
        for name in ("x.txt", "x.pngg", "x."):
            run = self.script(f"--out={name}", f"--library={library}", PYTHONPATH=str(self.dir))
            if name == "x.":
                self.assertIn("bindings are loaded", run.stderr)
            else:
                self.refused(run,
                             f"error: {name}: no figure can be written as '{name[2:]}'; take png, "
                             "pdf or svg")

    @unittest.skipUnless(WHEEL_PYTHON and LIBRARY,
                         "needs the wheel of ns-3 with cppyy and the stand-alone library")
    def test_run(self):
        run = self.script("--quick", "--out=figure.png", python=WHEEL_PYTHON,
                          DCFABRIC_LIBRARY=LIBRARY)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        rows = {}
        for line in run.stdout.splitlines():
            row = re.fullmatch(r"(FNCC|HPCC|DCQCN) +([0-9.]+) +([0-9.]+) +([0-9.]+)", line)
            if row:
                rows[row[1]] = [float(value) for value in row.groups()[1:]]
        self.assertEqual(sorted(rows), ["DCQCN", "FNCC", "HPCC"], run.stdout)
        # The earlier the notice, the shorter the queue: FNCC tells half a round trip before HPCC,
        # and DCQCN waits for marks, which begin at 100 kB.
        self.assertLess(rows["FNCC"][0], rows["HPCC"][0])
        self.assertLess(rows["HPCC"][0], rows["DCQCN"][0])
        for peak, first, second in rows.values():
            self.assertGreater(peak, 0)
            # The shared link carries 100 Gb/s; 60 us after the second flow's start both know.
            self.assertLess(first + second, 105)
            self.assertGreater(min(first, second), 20)
        image = (self.dir / "figure.png").read_bytes()
        self.assertEqual(image[:8], b"\x89PNG\r\n\x1a\n")
        width, height = struct.unpack(">II", image[16:24])
        self.assertGreater(min(width, height), 500)
        self.assertGreater(len(image), 20000)


if __name__ == "__main__":
    unittest.main()
