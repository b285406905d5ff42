# SPDX-License-Identifier: GPL-2.0-only
"""examples/dcfabric-benchmark.py: what it compares, and what it refuses, with programs that stand
in for the real ones."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCHMARK = ROOT / "examples" / "dcfabric-benchmark.py"

# Works as long as its first argument says, writes a summary if there is a folder for it, and says
# that it was here.
STAND_IN = """#!{python}
import json, pathlib, sys, time
end = time.process_time() + {seconds}
while time.process_time() < end:
    pass
with open("runs", "a") as log:
    log.write("{name} ")
for word in sys.argv[1:]:
    if word.startswith("--out="):
        folder = pathlib.Path(word[6:])
        folder.mkdir()
        (folder / "summary.json").write_text(json.dumps({{"packet_hops": 1000}}))
"""


class BenchmarkTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = Path(folder.name)

    def stand_in(self, name, seconds):
        path = self.dir / name
        path.write_text(STAND_IN.format(python=sys.executable, seconds=seconds, name=name))
        path.chmod(0o755)
        return path

    def call(self, *options):
        return subprocess.run(
            [sys.executable, BENCHMARK, f"--sim={self.dir}/sim", f"--limit={self.dir}/limit",
             *options],
            cwd=self.dir, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT / "python")})

    def test_peer(self):
        """A peer that works for 0.6 s, and ours for 0.2 s beside the start of Python: the ratio is
        about 3 or below, and both run in turns, once more than there are rounds."""
        self.stand_in("sim", 0.2)
        peer = self.stand_in("peer", 0.6)
        run = self.call(f"--peer=incast-16={peer} -flows 15", "--rounds=2", "--out=figures.json")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual((self.dir / "runs").read_text(), "peer sim " * 3)
        (figures,) = json.loads((self.dir / "figures.json").read_text())["peers"]
        self.assertEqual(figures["command"], f"{peer} -flows 15")
        self.assertTrue(1.2 < figures["min"] <= figures["median"] <= figures["max"] < 6.0, figures)
        self.assertIn("incast-16: user time of peer over ours", run.stdout)

    def test_failing_peer(self):
        self.stand_in("sim", 0)
        run = self.call("--peer=incast-16=sh -c 'echo no such file; exit 4'", "--rounds=1")
        self.assertEqual(run.returncode, 2)
        self.assertIn("ended with status 4: no such file", run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1)

    def test_refusals(self):
        for options, words in (
            (["--peer=incast=true"], "--peer=incast=true: write CASE=COMMAND with one of perm"),
            (["--peer=incast-16="], "write CASE=COMMAND"),
            (["--instructions"], "--instructions counts for --only=features and --only=flows"),
            (["--instructions", "--only=setup"], "choose one of them, or both"),
        ):
            run = self.call(*options)
            self.assertEqual(run.returncode, 2, (options, run.stderr))
            self.assertIn(words, run.stderr)
            self.assertEqual(run.stderr.count("\n"), 1)
        self.assertFalse((self.dir / "runs").exists())


if __name__ == "__main__":
    unittest.main()
