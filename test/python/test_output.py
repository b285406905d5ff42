# SPDX-License-Identifier: GPL-2.0-only
"""Standard output whose reader has left, or whose disk is full."""
import os
import subprocess
import sys
import unittest
from pathlib import Path

from package_case import PackageCase, ROOT

PACKAGE = ROOT / "python"
TRAINING = ("-m", "dcfabric.traces", "training", "--tensor=2", "--pipeline=2", "--data=2",
            "--layers=4", "--out=job.txt")
MANY = ("-c", "from dcfabric.commands import guarded; import pathlib, sys\n"
        "def work():\n for number in range(20000): print(number, flush=number % 9 == 0)\n "
        "pathlib.Path('done').touch(); return 7\n"
        "sys.exit(guarded('many', work))")


class OutputCase(PackageCase):
    def call(self, *arguments, stdout, stderr=subprocess.PIPE):
        return subprocess.run([sys.executable, *arguments], stdout=stdout, stderr=stderr, text=True,
                              check=False,
                              env={**os.environ, "PYTHONPATH": str(PACKAGE),
                                   "MPLCONFIGDIR": str(self.dir)})

    def into_closed_pipe(self, *arguments):
        """Nobody reads."""
        read, write = os.pipe()
        os.close(read)
        try:
            return self.call(*arguments, stdout=write)
        finally:
            os.close(write)


class ClosedPipeTest(OutputCase):
    """No traceback, no other status, and everything is done: 'no space' is an error, a reader who
    has read enough is none."""

    def check(self, status, *arguments):
        run = self.into_closed_pipe(*arguments)
        self.assertEqual((run.returncode, run.stderr), (status, ""), arguments)

    def test_work_goes_on(self):
        self.check(7, *MANY)
        self.assertTrue(Path("done").exists())

    def test_first_lines_are_read(self):
        with subprocess.Popen([sys.executable, *MANY], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True,
                              env={**os.environ, "PYTHONPATH": str(PACKAGE)}) as process:
            self.assertEqual(process.stdout.readline(), "0\n")
            process.stdout.close()
            self.assertEqual((process.stderr.read(), process.wait()), ("", 7))

    def test_standard_error(self):
        """As under 2>&1 | head: a sweep goes on, and what is wrong still has its status."""
        program = self.program("echo '{}' >$OUT/summary.json; echo flow >$OUT/flows.csv")
        sweep = ("from dcfabric import Scenario, sweep\nfrom dcfabric.commands import "
                 "guarded\nimport sys\n"
                 "run = lambda: len(sweep([Scenario(seed=seed) for seed in range(5)], 1, "
                 f"sys.argv[1], program={str(program)!r}))\n")
        for code, out in ((f"{sweep}sys.exit(guarded('x', run))", "a"),
                          (f"{sweep}sys.exit(run())", "b")):
            for stream in ("closed pipe", "/dev/full"):
                run = self.badly_heard(stream, "-c", code, f"{out} {stream}".replace("/", ""))
                self.assertEqual(run.returncode, 5, (code, stream))
        self.assertEqual(len(list(self.dir.glob("* *full/*/run.json"))), 10)
        self.assertEqual(len(list(self.dir.glob("* *pipe/*/run.json"))), 10)
        self.assertEqual(self.badly_heard("closed pipe", "-m", "dcfabric.traces", "goal", "none",
                                          "--out=x").returncode, 2)
        self.assertEqual(self.badly_heard("closed pipe", "-m", "dcfabric.traces", "goal")
                         .returncode, 2)

    def badly_heard(self, stream, *arguments):
        """With standard output and error that nobody reads, or on a full disk."""
        read, write = os.pipe()
        os.close(read)
        full = os.open("/dev/full", os.O_WRONLY)
        try:
            return self.call(*arguments, stdout=write,
                             stderr=write if stream == "closed pipe" else full)
        finally:
            os.close(write)
            os.close(full)

    def test_traces(self):
        self.check(0, *TRAINING)
        self.assertTrue(Path("job.txt").read_text().startswith("ranks 8 "))
        self.check(0, "-m", "dcfabric.traces", "--help")

    def test_commands(self):
        self.check(0, "-m", "dcfabric", "--help")
        self.check(0, "-m", "dcfabric", "where")

    def test_plot(self):
        try:
            import matplotlib  # noqa: F401
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("this Python cannot draw")
        self.check(0, ROOT / "examples" / "dcfabric-plot", "--help")
        os.mkdir("run")
        Path("run/summary.json").write_text("{}")
        Path("run/flows.csv").write_text("flow,src,dst,size_bytes,start_ns,fct_ns,sender_fct_ns,"
                                         "ideal_fct_ns,slowdown\n0,0,1,10,0,9,9,9,1\n")
        run = self.into_closed_pipe(ROOT / "examples" / "dcfabric-plot", "run", "--out=figures")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotIn("ipe", run.stderr)
        self.assertEqual(sorted(os.listdir("figures")),
                         ["comparison.png", "fct-ccdf.png", "fct-cdf.png", "slowdown-by-size.png"])

    def test_experiment(self):
        self.check(0, ROOT / "examples" / "fncc-fairness.py", "--help")


@unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
class FullDiskTest(OutputCase):
    """One line and status 2, and results are there."""

    def test_traces(self):
        with open("/dev/full", "w") as full:
            run = self.call(*TRAINING, stdout=full)
        self.assertEqual((run.returncode, run.stderr),
                         (2, "dcfabric.traces: error: No space left on device\n"))
        self.assertTrue(Path("job.txt").exists())

    def test_file(self):
        """The one that is named, and the old one stays."""
        Path("job.txt").write_text("old")
        limit = ("-c",
                 "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100, "
                 "100)); sys.argv[1:] = sys.argv[2:]; "
                 "runpy.run_module('dcfabric.traces', run_name='__main__')")
        run = self.call(*limit, *TRAINING[1:], stdout=subprocess.PIPE)
        self.assertEqual((run.returncode, run.stdout, run.stderr),
                         (2, "", "dcfabric.traces: error: job.txt: File too large\n"))
        self.assertEqual((Path("job.txt").read_text(), os.listdir()), ("old", ["job.txt"]))

    def test_long_output(self):
        with open("/dev/full", "w") as full:
            run = self.call(*MANY, stdout=full)
        self.assertEqual((run.returncode, run.stderr),
                         (2, "many: error: No space left on device\n"))

    def test_no_output(self):
        """Standard output that was closed before Python began is none."""
        run = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, *TRAINING],
                             stderr=subprocess.PIPE, text=True, check=False,
                             env={**os.environ, "PYTHONPATH": str(PACKAGE)})
        self.assertEqual((run.returncode, run.stderr), (0, ""))


class FileTest(OutputCase):
    """A file that cannot be written is refused before anything is measured."""

    def test_benchmark(self):
        Path("ran").mkdir()
        program = self.program("touch ran/it")
        for out, words in ((".", "--out .: is a folder; give the name of a file"),
                           ("program/x", "program: File exists")):
            run = self.call(ROOT / "examples" / "dcfabric-benchmark.py", f"--sim={program}",
                            f"--limit={program}", f"--out={out}",
                            stdout=subprocess.PIPE)
            self.assertEqual((run.returncode, run.stderr),
                             (2, f"dcfabric-benchmark: error: {words}\n"))
        self.assertEqual(os.listdir("ran"), [])

    def test_missing_package(self):
        """Results are read when they are there; that they cannot be is found out before."""
        Path("pandas.py").write_text("raise ImportError('none here')")
        program = self.program("touch ran")
        run = subprocess.run([sys.executable, ROOT / "examples" / "dcfabric-python-cc.py"],
                             capture_output=True, text=True, check=False,
                             env={**os.environ, "PYTHONPATH": str(self.dir),
                                  "DCFABRIC_SIM": str(program)})
        self.assertEqual((run.returncode, run.stderr.count("\n")), (2, 1), run.stderr)
        self.assertIn("data frames need the Python package pandas: pip install pandas", run.stderr)
        self.assertFalse(Path("ran").exists())


if __name__ == "__main__":
    unittest.main()
