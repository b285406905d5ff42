# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of several ranks have in common: processes that mpiexec starts, or with --cores
those of one machine. DCFABRIC_MPI_SIM names a program that was built with MPI (./run-tests does so
where there is MPI, and says nothing where there is none)."""
import json
import os
import re
import shutil
import subprocess
import unittest

from extensive import MORE, with_all
from sim_case import SIM, SimCase

MPI_SIM = os.environ.get("DCFABRIC_MPI_SIM") or None
NEEDS_MPI = ("DCFABRIC_MPI_SIM does not name a program with MPI: run ./run-tests where Open MPI "
             "is, or can be installed")
# Each run with so many seeds; for a long test ten (DCFABRIC_MPI_SEEDS=10).
SEEDS = int(os.environ.get("DCFABRIC_MPI_SEEDS", "1"))
# More ranks than cores, also as root, which containers are; those that wait leave the cores to
# others.
MPIEXEC = ("mpiexec", "--oversubscribe", "--allow-run-as-root", "--mca", "mpi_yield_when_idle", "1")
# Of the machine, not of the network.
MEASURED = ("setup_wall_seconds", "run_wall_seconds", "packet_hops_per_second", "peak_rss_bytes")


# Of MPI; the same tests run with --cores, which has all but how messages get to other processes.
ALWAYS = ("test_numbers_of_ranks", "test_messages", "test_faults", "test_traces",
          "test_combinations", "test_collectives", "test_jobs", "test_ring", "test_random",
          "test_report", "test_partition_file", "test_refusals", "test_enquiries", "test_signal",
          "test_folder_is_in_use", "test_one_rank_fails", "test_more_ranks_than_parts")


class RanksCase(SimCase):
    """Runs of the program on numbers of ranks, whose results have to be the same."""
    NOUN = "ranks"

    def setUp(self):
        super().setUp()
        if self.NOUN == "ranks" and not MORE and self._testMethodName not in ALWAYS:
            self.skipTest(with_all("that of test_cores.py"))

    @classmethod
    def setUpClass(cls):
        if not cls.has_program():
            raise unittest.SkipTest(NEEDS_MPI)

    @staticmethod
    def has_program():
        return MPI_SIM is not None

    @staticmethod
    def command(ranks):
        """How a run begins."""
        return [*MPIEXEC, "-n", str(ranks), MPI_SIM] if ranks > 1 else [MPI_SIM]

    def start(self, ranks, *arguments, out):
        environment = dict(os.environ, OMPI_MCA_btl="self,vader,tcp")
        shutil.rmtree(out, ignore_errors=True)
        return subprocess.run([*self.command(ranks), *arguments, f"--out={out}"], cwd=self.dir,
                              env=environment, capture_output=True, text=True, timeout=300)

    def results(self, ranks, *arguments, statuses=(0,)):
        """What read() says of a run."""
        out = self.dir / f"out{ranks}"
        run = self.start(ranks, *arguments, out=out)
        self.assertIn(run.returncode, statuses,
                      f"{ranks} ranks, {' '.join(arguments)}\n{run.stdout}{run.stderr}")
        return self.read(run, out)

    def read(self, run, out):
        """Exit status, files by name, summary.json but for what is measured, and what is said of
        the network."""
        summary = json.loads((out / "summary.json").read_text())
        for key in MEASURED:
            self.assertGreaterEqual(summary.pop(key), 0, key)
        del summary["options"]["out"]
        del summary["options"]["cores"]
        del summary["options"]["head-start"]
        # mpiexec has its own say
        said = re.split(r"^-{40,}$", run.stderr, maxsplit=1, flags=re.MULTILINE)[0]
        said = re.sub(r"(\n\033\[K[^\n\033]*)*\n\033\[K", "", said)  # of --progress
        files = {path.relative_to(out).as_posix(): path.read_bytes()
                 for path in out.rglob("*") if path.is_file() and path.name != "summary.json"}
        self.assertIn("flows.csv", files)
        return run.returncode, files, summary, said

    def check(self, *arguments, ranks=(2,), statuses=(0,)):
        """The results of one rank, which those of others equal, for each seed; those of the
        first."""
        alone = self.check_once(*arguments, ranks=ranks, statuses=statuses)
        for seed in range(2, SEEDS + 1):
            self.check_once(*arguments, f"--seed={seed}", ranks=ranks, statuses=statuses)
        return alone

    def check_once(self, *arguments, ranks, statuses):
        alone = self.results(1, *arguments, statuses=statuses)
        for number in ranks:
            with self.subTest(ranks=number, arguments=arguments):
                self.compare(self.results(number, *arguments, statuses=statuses), alone)
        return alone

    def compare(self, many, alone):
        """What read() says of several ranks is what it says of one."""
        status, files, summary, said = alone
        many_status, many_files, many_summary, many_said = many
        self.assertEqual(many_status, status)
        self.assertEqual(
            {key: value for key, value in many_summary.items() if value != summary.get(key)},
                         {key: value for key, value in summary.items()
                          if value != many_summary.get(key)})
        self.assertEqual(many_said, said)
        self.assertEqual(sorted(many_files), sorted(files))
        for name, content in files.items():
            self.assertEqual(many_files[name], content, name)


class Cores:
    """In front of a class of such tests: the same of processes that the program makes itself, which
    every build of it can."""
    NOUN = "cores"

    @staticmethod
    def has_program():
        return SIM is not None

    @staticmethod
    def command(ranks):
        return [SIM, f"--cores={ranks}"] if ranks > 1 else [SIM, "--head-start=off"]


class HeadStarts(Cores):
    """Likewise: one process whose nodes have head starts is as several, and one whose events are in
    order as one."""

    @staticmethod
    def command(ranks):
        return [SIM] if ranks > 1 else [SIM, "--head-start=off"]
