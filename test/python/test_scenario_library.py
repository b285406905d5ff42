# SPDX-License-Identifier: GPL-2.0-only
"""The same run by dcfabric-sim, by a program in C++ and by the bindings of ns-3: the same results.
The bindings need the Python with the wheel of ns-3 and the stand-alone library: run-tests (not
--quick) names them in DCFABRIC_WHEEL_PYTHON and DCFABRIC_LIBRARY."""
import json
import os
import subprocess
import unittest
from pathlib import Path

from extensive import longer
from sim_case import SIM, SimCase

PACKAGE = Path(__file__).resolve().parents[2] / "python"
WHEEL_PYTHON = os.environ.get("DCFABRIC_WHEEL_PYTHON")
LIBRARY = os.environ.get("DCFABRIC_LIBRARY")
OPTIONS = {"topology": "fat-tree:k=4", "workload": "permutation:size=100kB",
           "ns3::HpccCongestionControl::Eta": "0.9"}
MANY = {"topology": "fat-tree:k=4", "workload": "permutation:size=20kB+incast:fan-in=4,size=20kB",
        "preset": "fncc24",
        "trace": "rates,queues", "export": "hpcc-fct", "faults": "faults.txt", "convergence": "5us",
        "seed": "7"}
# Each argument is a run, a line for each option; what is refused is printed.
PROGRAM = """
import sys
from dcfabric.bindings import load
ns = load(sys.argv[1], headers=("fabric-error.h", "fabric-scenario.h"))
ns.FabricScenario.UseEngine()
for options in sys.argv[2:]:
    scenario = ns.FabricScenario()
    try:
        for option in options.splitlines():
            scenario.Set(*option.split("=", 1))
        summary = scenario.Run()
        print(summary.status, summary.flowsStarted - summary.flowsCompleted,
              list(scenario.ListViolations()))
    except Exception as error:
        print("refused:", error)
    ns.Simulator.Destroy()
    ns.Config.Reset()
"""
# The library may be built with another release of ns-3 than the program, which has other events of
# its own, as a program in C++ may have.
VARYING = ("setup_wall_seconds", "run_wall_seconds", "peak_rss_bytes", "packet_hops_per_second",
           "ns3_version", "events")


class ScenarioCase(SimCase):
    def sim_files(self, options):
        """What dcfabric-sim writes, by name."""
        run = self.sim(*(f"--{name}={value}" for name, value in options.items()))
        self.assertEqual(run.returncode, 0, run.stderr)
        return self.files()

    def files(self):
        """The files in the folder, but for what varies, and the order of
        counters, which is that in which a library knows its classes."""
        files = {path.name: path.read_text() for path in self.out.iterdir()}
        files["summary.json"] = {name: value
                                 for name, value in json.loads(files["summary.json"]).items()
                                 if name not in VARYING}
        for path in self.out.iterdir():
            path.unlink()
        return files


class ScenarioLibraryTest(ScenarioCase):
    def test_program_in_cpp(self):
        expected = self.sim_files(OPTIONS)
        program = Path(SIM).with_name(Path(SIM).name.replace("dcfabric-sim", "dcfabric-scenario"))
        run = subprocess.run([program, f"--out={self.out}"], cwd=self.dir, capture_output=True,
                             text=True, timeout=300)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"holds [1-9]\d* bytes\ncomplete: 16 flows, mean slowdown \d")
        self.assertEqual(self.files(), expected)

    def bindings(self, *runs):
        texts = ["\n".join(f"{name}={value}" for name, value in options.items())
                 for options in runs]
        run = subprocess.run([WHEEL_PYTHON, "-c", PROGRAM, LIBRARY, *texts], cwd=self.dir,
                             capture_output=True,
                             text=True, timeout=600, env={**os.environ, "PYTHONPATH": str(PACKAGE)})
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return run.stdout

    @unittest.skipUnless(WHEEL_PYTHON and LIBRARY,
                         "no wheel of ns-3 with a stand-alone library: ./run-tests without --quick")
    def test_bindings(self):
        self.write("faults.txt", "5us down 16 24\n20us up 16 24\n")
        for options in (OPTIONS, MANY):
            with self.subTest(options=options):
                expected = self.sim_files(options)
                self.assertEqual(self.bindings({**options, "out": self.out}), "complete 0 []\n")
                self.assertEqual(self.files(), expected)

    @unittest.skipUnless(WHEEL_PYTHON and LIBRARY,
                         "no wheel of ns-3 with a stand-alone library: ./run-tests without --quick")
    @longer("test_refusal_words.py")
    def test_refusals_in_the_words_of_cpp(self):
        refused = (({"stop": "0s"}, "stop must be above zero"),
                   ({"cc": "hpc"}, "unknown cc 'hpc'; known: hpcc, "),
                   ({"topologie": "ring"},
                    "there is no option 'topologie'; the nearest is topology"),
                   ({"cc": "fncc", "lb": "ecmp"},
                    "ns3::FnccCongestionControl needs data and ACK on the same links"))
        said = self.bindings(*({"topology": "fat-tree:k=4", **options}
                               for options, _ in refused)).split("refused: ")[1:]
        self.assertEqual(len(said), len(refused))
        for text, (options, words) in zip(said, refused):
            with self.subTest(options=options):
                self.assertIn(words, text)


if __name__ == "__main__":
    unittest.main()
