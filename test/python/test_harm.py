# SPDX-License-Identifier: GPL-2.0-only
"""The harm table: how runs are compared, and what the document gets."""
import csv
import importlib.util
import os
import random
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path

from package_case import ROOT

from dcfabric.errors import DcfabricError
from showcases import harm, harm_store
from showcases.harm_cases import (CASES, SUBJECTS, beside, clash, permutation, run_label,
                                           scenario)

REFERENCE = ROOT / "examples" / "reference"


def one(mean, queue=10.0, drops=0.0):
    return {"mean": mean, "p99": 2 * mean, "goodput": 100 / mean, "queue": queue, "drops": drops,
            "pauses": 0.0, "again": 0.0, "open": 0.0}


class HarmTest(unittest.TestCase):
    def test_ratios_are_paired(self):
        """Seeds with 4 over 2 and 9 over 18: geometric mean of 2 and 0.5 is 1, where the ratio of
        the means is 13 / 20. A goodput of 25 against 50 is harm of 2. Counts are sums."""
        found = harm.compare([(one(4.0, drops=3.0), one(2.0)), (one(9.0), one(18.0, drops=1.0))])
        self.assertAlmostEqual(found["mean"], 1.0)
        self.assertAlmostEqual(found["goodput"], 1.0)
        self.assertEqual((found["low"], found["high"]), (0.5, 2.0))
        self.assertEqual(found["drops"], [1.0, 3.0])
        self.assertAlmostEqual(harm.compare([(one(4.0), one(2.0))])["goodput"], 2.0)

    def test_nothing_over_nothing(self):
        """No queue in either run: 1, not an error."""
        self.assertEqual(harm.compare([(one(1.0, queue=0.0), one(1.0, queue=0.0))])["queue"], 1.0)

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_flows_that_do_not_end_count(self):
        """Flow 0 takes 200 ns, flow 1 began at 100 ns and has not ended at 1000 ns; ideals of the
        other run are 100 and 300 ns: slowdowns of 2 and 3. 50 B arrived in the 1000 ns: 0.4
        Gb/s."""
        import pandas
        flows = pandas.DataFrame({"start_ns": [0.0, 100.0], "fct_ns": [200.0, float("nan")],
                                  "ideal_fct_ns": [1.0, 1.0],
                                  "size_bytes": [50, 70], "packets_retransmitted": [0, 4]})
        summary = {"sim_seconds": 1e-6, "max_queue_bytes": 8, "drops": {"full": 1, "link": 2},
                   "pfc_pause_frames": 5}
        ideal = types.SimpleNamespace(flows=flows.assign(ideal_fct_ns=[100.0, 300.0]))
        found = harm.measure(types.SimpleNamespace(flows=flows, summary=summary), ideal)
        self.assertEqual(found,
                         {"mean": 2.5, "p99": 3.0, "goodput": 0.4, "queue": 8.0, "drops": 3.0,
                          "pauses": 5.0, "again": 4.0, "open": 1.0})

    def test_reasons(self):
        reasons = [("RCM", "loss", "a"), ("RCM", "*", "b"), ("*", "loss", "c")]
        for subject, case, why in (("RCM", "loss", "a"), ("RCM", "rack", "b"), ("CCM", "loss", "c"),
                                   ("CCM", "rack", harm.OPEN)):
            self.assertEqual(harm.reason(subject, case, reasons), why)

    def test_table_lists_what_is_above(self):
        rows = {"RCM": {"rack": {"state": "ran", **harm.compare([(one(3.0, drops=5.0), one(2.0))])},
                        "loss": {"state": "ran", **harm.compare([(one(2.0), one(2.0))])},
                        "torus": {"state": "refused"}}}
        text = harm.table(rows, [], 2)
        self.assertIn("Over all scenarios, 2 seeds", text)
        self.assertIn('"RCM", "1.25", "1.00", "1.50", "rack"', text)
        self.assertIn('"RCM", "rack", "1.50 [1.50, 1.50]"', text)
        self.assertIn(f'"0 → 5", "", "", "{harm.OPEN}"', text)
        self.assertNotIn('"RCM", "loss", "1.00', text)

    def test_stored_ratios(self):
        """What is read is what was written, to seven digits; rows of another number of seeds, or
        that are not there, are refused."""
        cell = {"state": "ran", **harm.compare([(one(3.0, drops=5.0), one(2.0, queue=0.0))])}
        rows = {"RCM": {"rack": cell, "loss": {"state": "refused"}},
                "CCM": {"rack": {"state": "another network"}}}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ratios.csv"
            harm_store.write(path, rows, 2)
            self.assertEqual(harm_store.read(path, ["CCM"], 2), {"CCM": rows["CCM"]})
            self.assertEqual(harm_store.read(path, ["RCM"], 2), {"RCM": rows["RCM"]})
            self.assertEqual(cell["queue"], float("inf"))
            for subject, seeds, words in (("RCM", 3, "--seeds=3: the rows of ratios.csv are of 2"),
                                          ("PFT", 2, "ratios.csv has no rows of 'PFT'")):
                with self.assertRaisesRegex(DcfabricError, words):
                    harm_store.read(path, [subject], seeds)

    def test_stored_ratios_that_cannot_be_read(self):
        """A file that is not there, is no text, lacks a column or has a word for a number."""
        head = ",".join(harm_store.HEAD)
        row = "CCM,rack,2,ran" + ",1" * (len(harm_store.HEAD) - 4)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ratios.csv"
            for data, words in ((None, "ratios.csv: .*No such file"), (b"\xff\xfe", "ratios.csv: "),
                                ("subject,state\nCCM,ran\n", "line 2: not a row of ratios"),
                                (f"{head}\n{row}\n{row.replace('ran,1', 'ran,one')}\n",
                                 "line 3: not a row of ratios"),
                                (f"{head}\nCCM,rack,2,ran,1\n", "line 2: not a row of ratios")):
                if data is not None:
                    path.write_bytes(data if isinstance(data, bytes) else data.encode())
                with self.assertRaisesRegex(DcfabricError, words):
                    harm_store.read(path, ["CCM"], 2)

    @unittest.skipUnless(os.environ.get("DCFABRIC_SIM"), "DCFABRIC_SIM does not name the program")
    def test_stored_ratios_are_read_before_anything_runs(self):
        """Rows of two seeds do not go with one: told before a program that only says
        what it is has to run anything."""
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program"
            program.write_text("#!/bin/sh\ncase $1 in --out=* | --topology=*) exit 9 ;; esac\n"
                               f'exec "{os.environ["DCFABRIC_SIM"]}" "$@"\n')
            program.chmod(0o755)
            begun = subprocess.run(
                [sys.executable, str(ROOT / "examples" / "harm.py"), "--doc", "--subjects=RCM",
                 "--seeds=1", f"--out={folder}/out", f"--program={program}"],
                capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(begun.returncode, 2, begun.stderr)
        self.assertIn("the rows of harm-ratios.csv are of 2", begun.stderr)

    def test_the_document_is_of_the_stored_ratios(self):
        """Of every subject in every scenario, and each above the limit has its reason."""
        with (REFERENCE / "harm-reasons.csv").open(newline="", encoding="utf-8") as file:
            reasons = [tuple(row) for row in csv.reader(file)][1:]
        rows = harm_store.read(REFERENCE / "harm-ratios.csv", SUBJECTS, 2)
        self.assertEqual((ROOT / "doc" / "harm-table.inc").read_text(encoding="utf-8"),
                         harm.table(rows, reasons, 2))
        for subject, cases in rows.items():
            self.assertEqual(list(cases), list(CASES))
            for case, cell in cases.items():
                if cell.get("mean", 0) > harm.LIMIT:
                    self.assertNotEqual(harm.reason(subject, case, reasons), harm.OPEN,
                                        f"{subject}, {case}")

    def test_a_subject_refused_everywhere_has_an_empty_line(self):
        rows = {"PFT": {"lossy": {"state": "refused"}, "torus": {"state": "another network"}}}
        self.assertIn('"PFT", "", "", "", "", "", "", ""', harm.table(rows, [], 1))
        harm.heat_map({"ratios": rows, "kinds": {"PFT": "technique"}})

    def test_subjects_differ_from_their_base_in_one_thing(self):
        for name, subject in SUBJECTS.items():
            with self.subTest(name):
                differ = {key for key in {*subject.fields, *subject.base}
                          if subject.fields.get(key) != subject.base.get(key)}
                self.assertEqual(len(differ - {"attributes"}), 1)
                self.assertNotEqual(run_label(subject.fields), run_label(subject.base))

    def test_labels_of_runs_are_unique(self):
        kinds = [fields for subject in SUBJECTS.values()
                 for fields in (subject.fields, subject.base)]
        self.assertEqual(len({run_label(fields) for fields in kinds}),
                         len({repr(sorted(fields.items())) for fields in kinds}))

    def test_a_case_keeps_what_it_is_about(self):
        self.assertEqual(clash(CASES["lossy"], SUBJECTS["PFT"].fields), "flow_control credit")
        self.assertIsNone(clash(CASES["rack"], SUBJECTS["PFT"].fields))
        self.assertEqual(beside({"features": ("a",), "attributes": {"x": 1}},
                                {"features": ("b",), "attributes": {"y": 2}}),
                         {"features": ("a", "b"), "attributes": {"x": 1, "y": 2}})

    def test_scenarios_are_the_same_for_a_seed(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in CASES:
                first, again, other = (scenario(name, {"cc": "none"}, seed, Path(folder))
                                       for seed in (1, 1, 2))
                self.assertEqual(first, again)
                self.assertNotEqual(first, other)

    def test_permutation(self):
        """Each sends once and receives once."""
        flows = permutation(16, 1000)(random.Random(5))
        self.assertEqual(sorted(flow.src for flow in flows), list(range(16)))
        self.assertEqual(sorted(flow.dst for flow in flows), list(range(16)))
        self.assertTrue(all(flow.src != flow.dst for flow in flows))


if __name__ == "__main__":
    unittest.main()
