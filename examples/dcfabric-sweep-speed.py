#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Speed-up of a sweep from several processes: the same runs with one process and with several.

    python3 dcfabric-sweep-speed.py [--runs N] [--jobs N] [--megabytes N] [--repeat N]

Prints the time with several processes relative to that with one, for the best of the repetitions:
on idle processors slightly more than 1/jobs. The first line shows how busy the machine was, since
busy processors leave nothing to gain. The last line, valid on a busy machine as well, shows the
processor time of the simulations and that of the sweep itself, which cannot be parallelized.
"""
import argparse
import os
import sys
import time

import dcfabric_path  # noqa: F401
from dcfabric import Scenario, sweep
from dcfabric.commands import guarded, positive


def measure(scenarios, jobs):
    """Wall-clock seconds of a sweep that finds nothing finished, results included."""
    began = time.monotonic()
    sweep(scenarios, jobs=jobs, progress=False)
    return time.monotonic() - began


def main(arguments):
    parser = argparse.ArgumentParser(description="The time of a sweep over one process and over "
                                                 "several.")
    parser.add_argument("--runs", type=positive, default=20,
                        help="runs of a sweep (default: %(default)s)")
    parser.add_argument("--jobs", type=positive, default=2, help="processes (default: %(default)s)")
    parser.add_argument("--megabytes", type=positive, default=10,
                        help="size of each of the two flows of a run")
    parser.add_argument("--repeat", type=positive, default=3,
                        help="measurements (default: %(default)s)")
    options = parser.parse_args(arguments)
    scenarios = [Scenario(topology="dumbbell:switches=3,senders=2", cc="fncc", seed=seed,
                          workload=f"pairs:size={options.megabytes}MB")
                 for seed in range(options.runs)]
    print(f"{len(os.sched_getaffinity(0))} processors, load {os.getloadavg()[0]:.1f} before")
    shares = []
    used = os.times()
    before = used.user + used.system  # start of Python
    for _ in range(options.repeat):
        alone, together = measure(scenarios, 1), measure(scenarios, options.jobs)
        shares.append(together / alone)
        print(f"{options.runs} runs: {alone:.2f} s over 1 process, {together:.2f} s over "
              f"{options.jobs}: "
              f"{shares[-1]:.3f}", flush=True)
    print(f"best: {min(shares):.3f}")
    used = os.times()
    ours, theirs = used.user + used.system - before, used.children_user + used.children_system
    print(f"processor time: {theirs:.2f} s in simulations, {ours:.2f} s in the sweep "
          f"({ours / (ours + theirs):.1%})")
    return 0


if __name__ == "__main__":
    sys.exit(guarded("dcfabric-sweep-speed.py", lambda: main(sys.argv[1:])))
