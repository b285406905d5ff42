# SPDX-License-Identifier: GPL-2.0-only
"""Wings: what CMake leaves out of a build, and what the program says of it. The latter needs
DCFABRIC_CORE_SIM, a program without any wing, which .ci/check-wings builds."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from shutil import which
from typing import get_args

import package_case  # noqa: F401  the path of the package

from dcfabric import option_fields

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / ".ci"))
from wings import read_wings  # noqa: E402

CORE = os.environ.get("DCFABRIC_CORE_SIM")
# wings.cmake as CMakeLists.txt includes it, of which the lists and the properties are printed
SCRIPT = """
set(lists "")
file(READ "{root}/CMakeLists.txt" text)
foreach(list source_files header_files test_sources)
  string(REGEX MATCH "set\\\\(${{list}}[^)]*\\\\)" found "${{text}}")
  string(REGEX MATCHALL "[a-z0-9-]+/[^ \\n)]+" ${{list}} "${{found}}")
endforeach()
macro(set_source_files_properties)
  message("properties ${{ARGN}}")
endmacro()
include("{root}/wings.cmake")
message("files ${{source_files}};${{header_files}};${{test_sources}}")
"""


@unittest.skipUnless(which("cmake"), "there is no CMake")
class TableTest(unittest.TestCase):
    def configure(self, *wings_off):
        """What CMake says, the files that are left, and the names that are closed, by wing."""
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "script.cmake"
            script.write_text(SCRIPT.format(root=ROOT))
            options = [f"-DDCFABRIC_{wing}=OFF" for wing in wings_off]
            run = subprocess.run(["cmake", *options, "-P", script], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        files = re.search(r"^files (.*)$", run.stderr, re.M)[1].split(";")
        closed = re.search(r'DCFABRIC_CLOSED_WINGS="(.*)"', run.stderr)
        pairs = [pair.rsplit("=", 1) for pair in closed[1].split(",") if pair] if closed else []
        return run.stdout, files, dict(pairs)

    def test_all_open(self):
        said, files, closed = self.configure()
        self.assertEqual((said, closed), ("", {}))
        self.assertEqual(len(files), len(set(files)))
        self.assertTrue({"model/rcm/rcm-feature.cc", "model/rcm/rcm-feature.h",
                         "test/rcm/rcm-network-test.cc"} <= set(files))

    def test_one_closed(self):
        _, whole, _ = self.configure()
        said, files, closed = self.configure("RCM")
        self.assertIn("without regional congestion mitigation (DCFABRIC_RCM)", said)
        gone = set(whole) - set(files)
        self.assertEqual({name for name in whole if re.search("/rcm(-faults)?/", name)}, gone)
        self.assertEqual(closed, {"ns3::RcmFeature": "RCM", "ns3::RcmParameters": "RCM",
                                  "features=rcm": "RCM", "preset=rcm17": "RCM"})


def names_of_all():
    """Names that the options of a whole build take, as Python and the documentation have them."""
    found = {}
    for title, literal in vars(option_fields).items():
        if re.fullmatch("[A-Z][A-Za-z]+", title) and get_args(literal):
            found[re.sub(r"\B([A-Z])", r"-\1", title).lower()] = set(get_args(literal))
    rows = (ROOT / "doc" / "options.inc").read_text(encoding="utf-8").split("   * - ``--")
    for row in rows:
        option = row.partition("`")[0]
        if option in ("topology", "workload"):
            found.setdefault(option, set()).update(re.findall(r"``([\w-]+):", row))
    return found


@unittest.skipUnless(CORE, "DCFABRIC_CORE_SIM does not name a program without wings")
class CoreTest(unittest.TestCase):
    def sim(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            return subprocess.run([CORE, *arguments], cwd=folder, capture_output=True, text=True,
                                  timeout=300)

    def test_runs(self):
        run = self.sim("--topology=fat-tree:k=4", "--workload=permutation:size=20kB")
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_lists(self):
        for option in ("--help", "--list", "--describe=json", "--version"):
            run = self.sim(option)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertNotIn("ns3::RcmFeature", run.stdout)

    def refused(self, wing, *arguments):
        """Asserts that arguments are refused because of a wing."""
        run = self.sim(*arguments)
        self.assertEqual(run.returncode, 2, f"{arguments}: {run.stdout}{run.stderr}")
        self.assertIn(f"this build leaves out {wing}; configure with -DDCFABRIC_{wing}=ON",
                      run.stderr, arguments)

    def test_words(self):
        """What wings.cmake says that users write."""
        for wing in read_wings(ROOT):
            for word in wing.words:
                option, equals, value = word.partition("=")
                if word.startswith("--"):
                    self.refused(wing.name, f"{word}=x")
                elif equals:  # some names take an argument
                    more = ":x" if option in ("topology", "workload") else ""
                    self.refused(wing.name, f"--{option}={value}{more}")

    def test_names(self):
        """What a whole build has and this one has not is refused as a part of a wing, and not among
        the names that an error lists."""
        described = json.loads(self.sim("--describe=json").stdout)
        here = {option["name"]: {value["text"].partition(":")[0] for value in option["values"]}
                for option in described["options"]}
        wing_of = {word: wing.name for wing in read_wings(ROOT) for word in wing.words}
        for option, names in names_of_all().items():
            closed = names - here.get(option, set())
            if option not in here:
                self.assertIn(f"--{option}", wing_of)
            elif closed:
                self.assertLessEqual({f"{option}={name}" for name in closed}, set(wing_of))
                run = self.sim(f"--{option}=nonsense")
                self.assertEqual(run.returncode, 2, run.stderr)
                known = re.search(r"known: ([^;]*);", run.stderr)[1]
                self.assertFalse(closed & set(known.split(", ")), run.stderr)

    def test_refusals(self):
        for wing, *arguments in (
                ("RCM", "--features=rcm", "--switch=voq"),
                ("RCM", "--ns3::RcmFeature::Detour=false"),
                ("CCM", "--coordination=ccm"),
                ("PFT", "--flow-control=credit", "--throttle=pft"),
                ("MATCHING", "--messages=rtw"),
                ("MATCHING", "--ns3::Rendezvous::EagerWindow=true"),
                ("ENGINE", "--SimulatorImplementationType=ns3::FabricSimulatorImpl"),
                ("ENGINE", "--SchedulerType=ns3::LookAheadScheduler"),
                ("DIRECT", "--topology=torus"),
                ("DIRECT", "--routing=valiant"),
                ("FAULTS", "--link-down=1us,16,24"),
                ("ANALYSIS", "--ns3::DeadlockDetector::Interval=1us"),
                ("PROGRAMS", "--workload=alltoall+program:job.txt")):
            self.refused(wing, *arguments)


if __name__ == "__main__":
    unittest.main()
