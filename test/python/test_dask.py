# SPDX-License-Identifier: GPL-2.0-only
"""A sweep over a cluster of dask.distributed: processes on this machine that are killed at
random."""
import contextlib
import importlib.util
import io
import os
import random
import signal
import threading
import unittest

from crash_case import SEED
from extensive import longer
from package_case import DUMBBELL, PackageCase, needs_sim

from dcfabric import BadScenario, SweepFailed, sweep
from dcfabric.run_files import is_finished
from dcfabric.task import tasks_of

RUNS, WORKERS, KILLS = 200, 4, 8


@needs_sim
@unittest.skipUnless(importlib.util.find_spec("distributed"),
                     "dask.distributed is not there (Debian package python3-distributed)")
class DaskTest(PackageCase):
    @contextlib.contextmanager
    def cluster(self):
        from distributed import Client, LocalCluster

        with LocalCluster(n_workers=WORKERS, threads_per_worker=1, processes=True,
                          dashboard_address=None, silence_logs=50,
                          local_directory=str(self.dir)) as cluster, Client(cluster) as client:
            yield cluster, client

    @longer("test_package_executors.py kills workers")
    def test_workers_killed_at_random(self):
        """200 runs over four workers, of which eight are killed, each when all are there again, and
        200 more while that takes so long that fewer than three were: each run is there once, and
        whole."""
        generator = random.Random(SEED)
        runs, results = {}, {}
        killed, over = [], threading.Event()
        with self.cluster() as (cluster, client):
            def kill():
                while len(killed) < KILLS and not over.wait(generator.uniform(0.1, 0.6)):
                    pids = [nanny.process.pid for nanny in cluster.workers.values()
                            if nanny.process and nanny.process.pid]
                    if len(pids) == len(client.nthreads()) == WORKERS:
                        killed.append(generator.choice(pids))
                        os.kill(killed[-1], signal.SIGKILL)

            killer = threading.Thread(target=kill)
            killer.start()
            said = io.StringIO()
            try:
                with contextlib.redirect_stderr(said):
                    while len(killed) <= 2 and len(runs) < 10 * RUNS:
                        more = {seed: DUMBBELL.replace(workload="pairs:size=1MB", seed=seed)
                                for seed in range(len(runs), len(runs) + RUNS)}
                        runs.update(more)
                        results.update(sweep(more, out="out", executor=client))
            finally:
                over.set()
                killer.join()
        self.assertGreater(len(killed), 2)
        self.assertEqual(len(results), len(runs))
        tasks = tasks_of(runs, self.dir / "out", None)
        for task, result in zip(tasks.values(), results.values()):
            self.assertEqual(result.folder, task.folder)
            self.assertTrue(is_finished(task.folder, task.key))
            # one that was killed when all was written leaves its lock, which locks nothing then
            found = {path.name for path in task.folder.iterdir()} - {".dcfabric-lock"}
            self.assertEqual(found, {"flows.csv", "report.txt", "run.json", "summary.json"})
            self.assertEqual(result.summary["seed"], task.scenario.seed)
        ends = [line for line in said.getvalue().splitlines() if line.startswith("[")]
        self.assertEqual(len(ends), len(runs))

    def test_refused(self):
        with self.cluster() as (_,
                                client), contextlib.redirect_stderr(
                                    io.StringIO()), self.assertRaises(SweepFailed) as caught:
            sweep({"bad": DUMBBELL.replace(features="rcm")}, out="out", executor=client)
        self.assertIsInstance(caught.exception.failures["bad"], BadScenario)


if __name__ == "__main__":
    unittest.main()
