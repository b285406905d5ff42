# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of the Python package have in common: the package, a folder, programs that
fail."""
import os
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "examples")]

import dcfabric  # noqa: E402

SIM = os.environ.get("DCFABRIC_SIM")
needs_sim = unittest.skipUnless(SIM, "DCFABRIC_SIM does not name the program: run ./run-tests")

# Two flows of 100 packets that share a link: some milliseconds of work.
DUMBBELL = dcfabric.Scenario(topology="dumbbell:switches=3,senders=2", workload="pairs:size=100kB",
                             cc="hpcc")


class PackageCase(unittest.TestCase):
    """A temporary folder, which is the current one."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.dir = Path(temporary.name).resolve()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.dir)

    def program(self, text):
        """A program of one's own in place of dcfabric-sim. For it, $OUT is the folder of
        results."""
        path = self.dir / "program"
        path.write_text('#!/bin/sh\nfor word; do case $word in --out=*) OUT=${word#--out=};; esac; '
                        'done\n'
                        + text + "\n")
        path.chmod(0o755)
        return path
