# SPDX-License-Identifier: GPL-2.0-only
"""What who runs pip sees of the build (.ci/tell_pip.py)."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CI = Path(__file__).resolve().parents[2] / ".ci"
CHILD = f"""
import sys, time
sys.path.insert(0, {str(CI)!r})
from tell_pip import told
with told("Compiling", 0.05):
    time.sleep(0.3)
"""
# keeps what its child prints to itself, as pip does
PARENT = f"""
import subprocess, sys
said = subprocess.run([sys.executable, "-c", {CHILD!r}], capture_output=True, text=True)
print("captured:", said.stdout.count("Compiling") > 2, said.stderr)
"""


class TellPipTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.dir = Path(temporary.name)

    def call(self, name, *words, **more):
        (self.dir / name).write_text(PARENT)
        return subprocess.run([sys.executable, self.dir / name, "install", ".[plot]", *words],
                              text=True, check=True, timeout=60, **more).stdout

    def test_pip_tells_what_goes_on(self):
        for name in ("pip", "pip3"):
            lines = self.call(name, stdout=subprocess.PIPE).splitlines()
            self.assertIn("  dcfabric: Compiling", lines)
            self.assertTrue(any(line.endswith("s so far") for line in lines), lines)
            self.assertTrue(any("Compiling: done after 0 s" in line for line in lines), lines)
            self.assertTrue(lines[-1].endswith("captured: True "), lines)

    def test_where_it_would_be_twice_or_is_not_wanted(self):
        """pip shows it by itself, or was told to be quiet, or it is no pip."""
        for name, word in (("pip", "-v"), ("pip", "-vv"), ("pip", "--verbose"), ("pip", "-q"),
                           ("pip", "--quiet"), ("build", ".")):
            self.assertEqual(self.call(name, word, stdout=subprocess.PIPE), "captured: True \n")

    def test_files(self):
        """What pip writes next would overwrite it."""
        with (self.dir / "log").open("w") as log:
            self.call("pip", stdout=log)
        self.assertEqual((self.dir / "log").read_text(), "captured: True \n")


if __name__ == "__main__":
    unittest.main()
