# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of the program dcfabric-sim have in common. DCFABRIC_SIM names the built
program."""
import csv
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SIM = os.environ.get("DCFABRIC_SIM")
# A small fabric and few packets: tests are about behaviour, not about load.
SMALL = ("--topology=fat-tree:k=4", "--workload=permutation:size=20kB")


@unittest.skipUnless(SIM, "DCFABRIC_SIM does not name the program: run ./run-tests")
class SimCase(unittest.TestCase):
    """A temporary folder, runs of the program in it, and what is asked of a refusal."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.dir = Path(temporary.name)
        self.out = self.dir / "out"

    def sim(self, *arguments, out=None):
        return subprocess.run([SIM, *arguments, f"--out={out or self.out}"], cwd=self.dir,
                              capture_output=True, text=True, timeout=300)

    def run_ok(self, *arguments, out=None):
        """The run ends well, also over results of other options."""
        run = self.sim(*arguments, "--force", out=out)
        self.assertEqual(run.returncode, 0, f"{arguments}\n{run.stdout}\n{run.stderr}")
        return run

    def refuse(self, *arguments, words=(), status=2):
        """The run ends with the status, says all the words and leaves no result behind."""
        run = self.sim(*arguments)
        said = run.stdout + run.stderr
        self.assertEqual(run.returncode, status, f"{arguments}\n{said}")
        for word in words:
            self.assertIn(word, run.stderr, f"{arguments}: the message lacks '{word}'")
        left = list(self.out.iterdir()) if self.out.is_dir() else []
        self.assertEqual(left, [], f"{arguments}: partial output")
        return run

    def write(self, name, text):
        (self.dir / name).write_text(text)
        return name

    def flows(self, out=None):
        with ((out or self.out) / "flows.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    def summary(self, out=None):
        return json.loads(((out or self.out) / "summary.json").read_text())

    def received(self, interval_ns):
        """Bytes of each flow by rates.csv: throughput over the time since the last multiple of the
        interval."""
        got = {}
        for line in (self.out / "rates.csv").read_text().splitlines()[1:]:
            time, flow, _, _, throughput, _ = line.split(",")
            begin = (float(time) - 1e-6) // interval_ns * interval_ns
            got[flow] = got.get(flow, 0) + round(float(throughput) * (float(time) - begin) / 8e9)
        return got
