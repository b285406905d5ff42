# SPDX-License-Identifier: GPL-2.0-only
"""The bindings of an ns-3 tree (./ns3 configure --enable-python-bindings). What runs them needs a
tree that is built with them, and a Python with cppyy, numpy and matplotlib: run-tests (not --quick)
names them in DCFABRIC_TREE_BINDINGS and DCFABRIC_WHEEL_PYTHON."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import test_scenario_library
from test_scenario_library import OPTIONS, PACKAGE, PROGRAM

BINDINGS = os.environ.get("DCFABRIC_TREE_BINDINGS")
PYTHON = os.environ.get("DCFABRIC_WHEEL_PYTHON")
SCRIPT = PACKAGE.parent / "examples" / "dcfabric-dumbbell.py"


def clean(**more):
    """Nothing of the caller's: no library."""
    return {**{name: value for name, value in os.environ.items()
               if not name.startswith("DCFABRIC_")}, **more}


class FindingTest(unittest.TestCase):
    """Which library belongs to the bindings that Python finds."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.tree = Path(temporary.name).resolve() / "ns-3"
        self.bindings = self.tree / "build" / "bindings" / "python"
        (self.bindings / "ns").mkdir(parents=True)
        (self.bindings / "ns" / "__init__.py").touch()
        self.lib = self.tree / "build" / "lib"
        self.lib.mkdir()
        (self.tree / ".lock-ns3_linux_build").touch()

    def find(self, given="None", **more):
        run = subprocess.run(
            [sys.executable, "-c", "import sys\nfrom dcfabric import DcfabricError\n"
             "from dcfabric.bindings import find_library\ntry:\n    print(*find_library("
             f"{given}))\nexcept DcfabricError as error:\n    print('refused:', error)"],
            env=clean(PYTHONPATH=f"{self.bindings}:{PACKAGE}", DCFABRIC_CACHE=str(self.tree),
                      **more), capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout.strip()

    def test_library_of_the_tree(self):
        for name in ("libns3.37-dcfabric-default.so", "libns3.37-dcfabric-test-default.so"):
            (self.lib / name).touch()
        own = self.lib / "libns3.37-dcfabric-default.so"
        self.assertEqual(self.find(), f"{own} {self.tree}/build/include")
        self.assertEqual(self.find(f"'{own}'"), f"{own} {self.tree}/build/include")
        # one that was built with another ns-3
        for said in (self.find("'/other.so'"), self.find(DCFABRIC_LIBRARY="/other.so")):
            self.assertIn(f"refused: Python finds the bindings of the ns-3 tree {self.tree}, which "
                          f"go with {own} and not with /other.so: leave the library out", said)

    def test_none_or_several(self):
        self.assertIn(f"refused: {self.lib} has no library of dcfabric: build it with ./ns3 build",
                      self.find())
        for name in ("libns3.41-dcfabric.so", "libns3.41-dcfabric-debug.so"):
            (self.lib / name).touch()
        self.assertIn("has several libraries of dcfabric: build one profile only", self.find())

    def test_headers_of_mpi(self):
        """ns-3's own for MPI include mpi.h: only a tree with that module needs it."""
        compiler = self.tree / "mpicxx"
        compiler.write_text("#!/bin/sh\necho g++ -I/a/include -pthread -I/b/include -L/c -lmpi\n")
        compiler.chmod(0o755)
        code = ("import pathlib\nfrom dcfabric import bindings\n"
                f"print(*bindings._folders_of_mpi(pathlib.Path('{self.tree}')))")

        def found(**more):
            run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                                 timeout=60, env=clean(PYTHONPATH=PACKAGE, **more))
            return run.stdout.strip() + run.stderr

        self.assertEqual(found(PATH=str(self.tree)), "")
        headers = self.tree / "build" / "include" / "ns3"
        headers.mkdir(parents=True)
        (headers / "mpi-module.h").touch()
        self.assertEqual(found(PATH=str(self.tree)), "/a/include /b/include")
        self.assertEqual(found(PATH="/nonexistent"), "")

    def test_no_tree(self):
        """Bindings of a wheel, for which a library is looked for elsewhere."""
        (self.tree / ".lock-ns3_linux_build").unlink()
        self.assertIn("no dcfabric library at /other.so", self.find("'/other.so'"))


@unittest.skipUnless(BINDINGS and PYTHON,
                     "no tree of ns-3 with bindings: ./run-tests without --quick")
class TreeTest(test_scenario_library.ScenarioCase):
    def in_tree(self, *command):
        run = subprocess.run([PYTHON, *map(str, command)], cwd=self.dir, capture_output=True,
                             text=True, timeout=600,
                             env=clean(PYTHONPATH=f"{BINDINGS}:{PACKAGE}"))
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return run.stdout

    def test_classes(self):
        """As with the wheel, see test_dumbbell_script."""
        said = self.in_tree(SCRIPT, "--quick", "--out=figure.png")
        peaks = {name: float(peak) for name, peak in
                 re.findall(r"^(FNCC|HPCC|DCQCN) +([0-9.]+) ", said, re.M)}
        self.assertEqual(sorted(peaks, key=peaks.get), ["FNCC", "HPCC", "DCQCN"], said)
        self.assertEqual((self.dir / "figure.png").read_bytes()[1:4], b"PNG")

    def test_scenario(self):
        """The same files as those of dcfabric-sim, which is built in the same tree."""
        expected = self.sim_files(OPTIONS)
        options = "\n".join(f"{name}={value}" for name, value in
                            {**OPTIONS, "out": self.out}.items())
        self.assertEqual(self.in_tree("-c", PROGRAM.replace("load(sys.argv[1], ", "load("), "",
                                      options), "complete 0 []\n")
        self.assertEqual(self.files(), expected)


if __name__ == "__main__":
    unittest.main()
