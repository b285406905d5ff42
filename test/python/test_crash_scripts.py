# SPDX-License-Identifier: GPL-2.0-only
"""Scripts that cannot write, or are given another program, end with a line and status 2, without a
traceback."""
import os
import signal
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from crash_case import limit_files, raw
from package_case import needs_sim
from script_case import EXAMPLES, ScriptCase, has_ended

from dcfabric import Result

EXPERIMENTS = sorted(path.name for path in EXAMPLES.glob("*.py")
                     if "Experiment(" in path.read_text())


@needs_sim
class ScriptTest(ScriptCase):
    """Each experiment ends with one line and status 2, without a traceback."""

    def call(self, name, *arguments, **more):
        return subprocess.run([sys.executable, EXAMPLES / name, "--quick", *arguments],
                              capture_output=True, text=True,
                              timeout=120, **more)

    def check(self, name, run, words):
        self.assertEqual(run.returncode, 2, f"{name}: {run.stderr}")
        self.assertEqual(run.stderr.count("\n"), 1, f"{name}: {run.stderr}")
        self.assertIn(words, run.stderr, name)
        self.assertEqual(run.stdout, "", name)

    def test_every_script(self):
        self.assertGreater(len(EXPERIMENTS), 10)
        Path("file").write_text("")
        with ThreadPoolExecutor(2) as pool:
            for arguments, words in ((("--out", "file"), "file"),
                                     (("--program", "/bin/true"), "/bin/true is not dcfabric-sim")):
                for name, run in zip(EXPERIMENTS,
                                     pool.map(lambda name: self.call(name, *arguments),
                                              EXPERIMENTS)):
                    self.check(name, run, words)
                    self.assertFalse(os.path.exists(f"results-{name[:-3]}"))

    def test_programs_that_are_none(self):
        for name, text in (("garbage", "#!/bin/sh\nhead -c 1000 /dev/urandom\n"),
                           ("words", "#!/bin/sh\necho hello; exit 7\n"),
                           ("no-format", "no program\n")):
            Path(name).write_text(text)
            os.chmod(name, 0o755)
            self.check(name, self.call("fncc-fairness.py", "--program", name),
                       "is not dcfabric-sim")
        for name in ("missing", "/", "/etc/passwd"):
            self.check(name, self.call("fncc-fairness.py", "--program", name), "is not a program")

    def test_other_scripts(self):
        Path("file").write_text("")
        run = self.call("dcfabric-python-cc.py", "--out", "file")
        self.check("dcfabric-python-cc.py", run, "cannot write to")

    def test_full_disk(self):
        """While runs are written, then result.json (217 kB), then a figure from it (138 kB)."""
        def check(run):
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertNotIn("Traceback", run.stderr)
            self.assertIn("File too large", run.stderr)
            self.assertEqual(list(self.dir.rglob("*.tmp")), [])

        for size in (100, 2000):
            check(self.call("fncc-fairness.py", "--out", "out", preexec_fn=limit_files(size)))
        whole = self.call("fncc-fairness.py", "--out", "out")
        self.assertEqual(whole.returncode, 0, whole.stderr)
        before = raw("out")
        check(self.call("fncc-fairness.py", "--out", "out", preexec_fn=limit_files(100_000)))
        check(subprocess.run([sys.executable, EXAMPLES / "dcfabric-plot", "out", "--out", "out"],
                             capture_output=True,
                             text=True, timeout=60, preexec_fn=limit_files(20_000)))
        self.assertEqual(raw("out"), before)

    def test_signals_to_a_script(self):
        """All end as after Ctrl-C: 128 and the number, finished runs kept, partial results
        whole."""
        for number in (signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                process, pids = self.begin(
                    "from dcfabric.commands import guarded",
                    f"sys.exit(guarded('it', lambda: long.run({number.name!r}) and 0))",
                    runs=1)
                process.send_signal(number)
                said = process.communicate(timeout=30)[1]
                self.assertEqual(process.returncode, 128 + number, said)
                self.assertEqual(said, "it: interrupted; finished runs are kept\n")
                self.assertTrue(all(map(has_ended, pids)))
                self.assertEqual(Result(number.name).summary["status"], "partial")


if __name__ == "__main__":
    unittest.main()
