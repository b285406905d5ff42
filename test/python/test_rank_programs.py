# SPDX-License-Identifier: GPL-2.0-only
"""Random programs of ranks: dcfabric-sim against a reference that knows no time
(rank_reference)."""
import concurrent.futures
import csv
import os
import re
import unittest

from rank_reference import SIZES, random_job, run_job, takes_any, write_job
from sim_case import SimCase

# In the long run, which takes a quarter of an hour: DCFABRIC_RANK_PROGRAMS=10000
PROGRAMS = int(os.environ.get("DCFABRIC_RANK_PROGRAMS", 150))
GETS_AND_PUTS = (16, 2500)
WAYS = (("--cc=none",), ("--cc=hpcc", "--messages=rtw"), ("--cc=dcqcn", "--lb=spray-random"),
        ("--cc=none", "--messages=rendezvous"), ("--cc=none", "--messages=preposted"),
        ("--cc=swift", "--messages=rnr", "--stop=20ms"))


def posts(way):
    """Whether receives are posted at NICs."""
    return any(option in way
               for option in ("--messages=rtw", "--messages=rendezvous", "--messages=rnr"))


def way_of(seed, job):
    """Options to run a job with."""
    # no NIC takes any tag
    ways = [way for way in WAYS if not posts(way)] if takes_any(job) else WAYS
    return ways[seed % len(ways)]


class RandomProgramTest(SimCase):
    def outcome(self, out, said):
        with (out / "marks.csv").open(newline="") as file:
            marks = sorted((int(row["rank"]), row["name"]) for row in csv.DictReader(file))
        sizes = SIZES + GETS_AND_PUTS
        flows = sorted((int(f["src"]), int(f["dst"]), int(f["size_bytes"])) for f in self.flows(out)
                       if int(f["size_bytes"]) in sizes)
        unreceived = re.search(r"note: (\d+) messages? arrived that no rank received", said)
        return marks, flows, int(unreceived[1]) if unreceived else 0

    def check(self, seed):
        """What is wrong with a seed, None if nothing is."""
        job = random_job(seed)
        name, out = self.write(f"job{seed}.txt", write_job(job)), self.dir / f"out{seed}"
        way = way_of(seed, job)
        posted = posts(way)
        wanted = run_job(job, posted)
        if wanted.looks and "--stop=20ms" not in way:
            way = (*way, "--stop=20ms")
        run = self.sim("--topology=leaf-spine:leaves=3,spines=2,hosts=2", *way,
                       f"--workload=program:{name}", out=out)
        said = f"seed {seed}, {' '.join(way)}\n{write_job(job)}\n{run.stdout}{run.stderr}"
        all_end = len(wanted.ended) == job[0]
        # senders that are refused may try again for ever: such a run stops, as one does in which a
        # rank looks for ever
        if wanted.differs:
            refused = "come to the same collectives in the same order" in run.stderr
            return None if refused and run.returncode == 2 else f"not refused: {said}"
        legal = (0,) if all_end or wanted.looks else (0, 3) if "--stop=20ms" in way else (3,)
        if run.returncode not in legal:
            return f"status {run.returncode}, wanted {wanted}: {said}"
        found = self.outcome(out, run.stderr)
        if found[:2] != (wanted.marks, wanted.flows) or (all_end and found[2] != wanted.unreceived):
            return f"{found}, wanted {wanted}: {said}"
        stuck = {int(rank)
                 for rank in re.findall(r"^  rank (\d+) on host", run.stderr, re.MULTILINE)}
        if run.returncode == 3 and stuck != set(range(job[0])) - set(wanted.ended):
            return f"stuck are {stuck}, wanted {wanted}: {said}"
        return None

    def test_random_programs(self):
        with concurrent.futures.ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
            faults = [fault for fault in pool.map(self.check, range(PROGRAMS)) if fault]
        self.assertEqual(faults[:1], [],
                         f"{len(faults)} of {PROGRAMS}; the first:\n{faults[0] if faults else ''}")

    def test_the_reference(self):
        """Jobs end and get stuck in fair numbers under both rules, or the test above would say
        little."""
        for posted in (False, True):
            ends = [len(run_job(job, posted).ended) == job[0]
                    for job in map(random_job, range(400))]
            self.assertGreater(sum(ends), 50)
            self.assertGreater(len(ends) - sum(ends), 50)
            self.assertGreater(
                sum(run_job(random_job(seed), posted).differs for seed in range(2000)), 2)
            self.assertGreater(
                sum(bool(run_job(random_job(seed), posted).looks) for seed in range(2000)), 5)
        for what in (r" after=", r" after=b\d", r" on=", r"until ", r"iallreduce .*after=",
                     r"recv \d tag=any", r"recv any tag=any"):
            self.assertGreater(sum(re.search(what, write_job(random_job(seed))) is not None
                                   for seed in range(400)), 20, what)


if __name__ == "__main__":
    unittest.main()
