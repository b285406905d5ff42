#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Measures the speed of dcfabric-sim; called by examples/dcfabric-benchmark.

What is compared runs in turns, so that a change in the machine's speed affects all of it. Times
are user times of whole processes, without the first round. A ratio is that of two runs of one
round; its median and range are over the rounds. On a machine that does other work, count
instructions instead: --instructions, with valgrind.

Sections: bound (against the limit study, with and without queue discs), growth (a packet-hop from
k=8 to k=16), features (a packet-hop with a feature over one without), flows (small ones), setup,
cores (one process against two), head-starts (off against on), discs (root queue discs at switch
ports).
"""

import argparse
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import dcfabric_path  # noqa: F401
from dcfabric.commands import check_file, guarded, positive
from dcfabric.errors import BadScenario, DcfabricError
from dcfabric.run_files import write_json

# What a peer can be compared with, and what others of the sections are made of.
CASES = {
    "permutation-8": "--topology=fat-tree:k=8 --workload=permutation:size=2MB --cc=hpcc",
    "permutation-16": "--topology=fat-tree:k=16 --workload=permutation:size=500kB --cc=hpcc",
    "permutation-32": "--topology=fat-tree:k=32 --workload=permutation:size=64kB --cc=hpcc",
    "incast-16": "--topology=fat-tree:k=4 --workload=incast:fan-in=15,size=2MB --cc=hpcc",
    "websearch-8": "--topology=fat-tree:k=8 --workload=websearch --load=0.5 --duration=1ms "
                   "--cc=hpcc",
    "websearch-16": "--topology=fat-tree:k=16 --workload=websearch --load=0.5 --duration=250us "
                    "--stop=1ms --cc=hpcc",
    "alltoall-8": "--topology=fat-tree:k=8 --workload=alltoall:size=10kB --cc=hpcc",
}

# What a feature costs: options with it, and those that it is measured against.
BASE = "--topology=fat-tree:k=8 --workload=permutation:size={size}"
DCQCN = f"{BASE} --cc=dcqcn"
FEATURES = {
    "spraying": (f"{BASE} --cc=dctcp --lb=spray-random", f"{BASE} --cc=dctcp"),
    "credits": (f"{DCQCN} --flow-control=credit", DCQCN),
    "virtual output queues": (f"{DCQCN} --switch=voq", DCQCN),
    "credits for them": (f"{DCQCN} --switch=voq --flow-control=voq-credit", DCQCN),
    "RCM": (f"{DCQCN} --switch=voq --features=rcm", f"{DCQCN} --switch=voq"),
    "CCM": (f"{DCQCN} --coordination=ccm", DCQCN),
    "losses of 0.1 %": (f"{BASE} --cc=hpcc --flow-control=none --error-rate=0.001",
                        f"{BASE} --cc=hpcc --flow-control=none"),
    "captures": (f"{BASE} --cc=hpcc --trace=pcap", f"{BASE} --cc=hpcc"),
}

# Root queue discs to be compared, the module's own first.
DISCS = ("ns3::CongestionAwareQueueDisc", "ns3::FifoQueueDisc", "ns3::FqCoDelQueueDisc")


@dataclass
class Run:
    """What one process took."""

    user: float  # seconds, or with --instructions 10^9 instructions during the simulation
    memory: int  # peak, bytes
    text: str  # what it printed
    summary: dict  # summary.json, of dcfabric-sim

    @property
    def hops(self):
        return self.summary["packet_hops"]


# Counts only what the simulation takes, without set-up and results.
COUNTED = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
           "--toggle-collect=ns3::Simulator::Run()")


def run(command):
    """Runs a command to its end."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    if process.returncode != 0:
        raise DcfabricError(f"{shlex.join(command)} ended with status {process.returncode}: "
                         f"{text.strip()[-500:]}")
    return Run(usage.ru_utime, usage.ru_maxrss * 1024, text, {})


def run_sim(args, *options):
    """Runs dcfabric-sim and reads its summary."""
    counted = COUNTED if args.instructions else ()
    with tempfile.TemporaryDirectory() as folder:
        made = run([*counted, args.sim, *options, f"--out={folder}/run"])
        if counted:
            made.user = int(re.search(r"Collected : (\d+)", made.text).group(1)) / 1e9
        made.summary = json.loads((Path(folder) / "run" / "summary.json").read_text())
        return made


def run_limit(program, k, packets, discs):
    """Runs the limit study, with queue discs or with plain FIFOs."""
    made = run([program, f"--k={k}", f"--packets={packets}", f"--queueDisc={int(discs)}"])
    made.summary = {"packet_hops": int(re.search(r"(\d+) packet-hops", made.text).group(1))}
    return made


def in_turns(rounds, *runs):
    """What each of some functions returns, rounds times in turn; of several, one more is made, and
    the first does not count."""
    extra = int(rounds > 1)
    results = [[made() for made in runs] for _ in range(rounds + extra)][extra:]
    return list(zip(*results))


def spread(values):
    """Median and range of some values."""
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def tell(text, ratio, rounds):
    size = f"{rounds} rounds" if rounds > 1 else "one round"
    print(f"{text} {ratio['median']:.4g} ({ratio['min']:.4g} to {ratio['max']:.4g}, {size})",
          flush=True)


def bound(args):
    """Packet-hops per second of user time over those of the limit study."""
    results = []
    for k, size, packets in ((8, "2MB", 2000), (16, "500kB", 500)):
        options = CASES[f"permutation-{k}"].split()
        ours, discs, fifos = in_turns(
            args.rounds,
            lambda: run_sim(args, *options),
            lambda: run_limit(args.limit, k, packets, discs=True),
            lambda: run_limit(args.limit, k, packets, discs=False),
        )
        for name, theirs in (("its plain FIFOs", fifos), ("its queue discs", discs)):
            ratio = spread([a.hops / a.user / (b.hops / b.user) for a, b in zip(ours, theirs)])
            tell(f"k={k}: {size} each, speed over the limit study with {name}:", ratio, args.rounds)
            results.append({"k": k, "size": size, "limit": name, **ratio})
    return results


def per_hop(args, options, sizes):
    """User time of a packet-hop of two runs of different sizes, without what both have."""
    if args.instructions:
        options = options.replace("k=8", "k=4")
    large, small = (run_sim(args, *options.format(size=size).split()) for size in sizes)
    return (large.user - small.user) / (large.hops - small.hops)


def growth(args):
    """What a packet-hop costs in larger networks."""
    options = "--topology=fat-tree:k={k} --workload=permutation:size={{size}} --cc=hpcc"
    costs = in_turns(args.rounds, *(
        lambda k=k, size=size: per_hop(args, options.format(k=k), (size, "1kB"))
        for k, size in ((8, "500kB"), (16, "150kB"), (32, "20kB"))))
    results = []
    for k, cost in zip((16, 32), costs[1:]):
        ratio = spread([a / b for a, b in zip(cost, costs[0])])
        tell(f"k={k}: cost of a packet-hop over that at k=8 "
             f"({1e6 * statistics.median(cost):.2f} and "
             f"{1e6 * statistics.median(costs[0]):.2f} us):", ratio, args.rounds)
        results.append({"k": k, **ratio})
    return results


def features(args):
    """What a packet-hop costs with a feature over one without."""
    results = []
    for name, pair in FEATURES.items():
        costs = in_turns(args.rounds, *(
            lambda options=options: per_hop(args, options, ("300kB", "1kB"))
            for options in pair))
        ratio = spread([a / b for a, b in zip(*costs)])
        tell(f"{name}: cost of a packet-hop:", ratio, args.rounds)
        results.append({"feature": name, "options": pair[0], "over": pair[1], **ratio})
    return results


def flows(args):
    """User time and memory of a flow of 1 kB."""
    longer = "300us" if args.instructions else "2.6ms"
    with tempfile.TemporaryDirectory() as folder:
        sizes = Path(folder) / "sizes.txt"
        sizes.write_text("1000 0\n1000 100\n")
        options = (f"--topology=fat-tree:k=8 --workload=cdf:{sizes} --load=0.05 --cc=hpcc "
                   "--duration=").split(" ")
        runs = in_turns(args.rounds,
                        lambda: run_sim(args, *options[:-1], options[-1] + "100us"),
                        lambda: run_sim(args, *options[:-1], options[-1] + longer))
    counts = [made[0].summary["flows_completed"] for made in runs]
    unit = 1e9 if args.instructions else 1e6
    user = spread([unit * (b.user - a.user) / (counts[1] - counts[0]) for a, b in zip(*runs)])
    memory = spread([(b.memory - a.memory) / (counts[1] - counts[0]) for a, b in zip(*runs)])
    what = "instructions" if args.instructions else "us of user time"
    tell(f"flows of 1 kB, {counts[1] - counts[0]:,} of them: {what} for each:", user, args.rounds)
    tell("  and bytes of peak memory for each:", memory, args.rounds)
    return {"flows": counts[1] - counts[0], what.replace(" ", "_"): user, "bytes": memory}


def setup(args):
    """Set-up time and peak memory of large networks."""
    results = []
    for k in (16, 32, 64) if args.large else (16, 32):
        runs = [run_sim(args, f"--topology=fat-tree:k={k}",
                        "--workload=pairs:size=1kB", "--cc=hpcc") for _ in range(3)]
        seconds = spread([made.summary["setup_wall_seconds"] for made in runs])
        memory = max(made.memory for made in runs)
        tell(f"k={k}: {k**3 // 4:,} hosts, {memory / 1e6:.0f} MB, seconds of set-up:", seconds, 3)
        results.append({"k": k, "hosts": k**3 // 4, "seconds": seconds, "peak_rss_bytes": memory})
    return results


def cores(args):
    """Wall time of one process over that on two cores."""
    results = []
    for name in ("permutation-8", "permutation-16", "websearch-16"):
        options = CASES[name].split()
        one, two = in_turns(args.rounds, lambda: run_sim(args, *options),
                            lambda: run_sim(args, *options, "--cores=2"))
        ratio = spread([a.summary["run_wall_seconds"] / b.summary["run_wall_seconds"]
                        for a, b in zip(one, two)])
        tell(f"{name}: speed of two cores over one:", ratio, args.rounds)
        results.append({"case": name, **ratio})
    return results


def head_starts(args):
    """User time of a run whose events are in order over that with head starts."""
    results = []
    for name in ("permutation-8", "permutation-16", "permutation-32", "websearch-8",
                 "websearch-16", "incast-16"):
        options = CASES[name].split()
        off, on = in_turns(args.rounds, lambda: run_sim(args, *options, "--head-start=off"),
                           lambda: run_sim(args, *options))
        ratio = spread([a.user / b.user for a, b in zip(off, on)])
        tell(f"{name}: user time without head starts over that with them:", ratio, args.rounds)
        results.append({"case": name, **ratio})
    return results


def discs(args):
    """Root queue discs at switch ports, without flow control: those of ns-3 cannot hold back a
    paused class. NICs keep the module's own; one that drops does less work."""
    options = [*CASES["permutation-8"].split(), "--flow-control=none"]
    runs = in_turns(args.rounds, *(
        lambda disc=disc: run_sim(args, *options, f"--queue-disc={disc}") for disc in DISCS))
    results = []
    for disc, made in zip(DISCS, runs):
        ratio = spread([a.hops / a.user / (b.hops / b.user) for a, b in zip(made, runs[0])])
        drops = sum(made[-1].summary["drops"].values())
        tell(f"{disc}, {drops} drops: speed over {DISCS[0]}:", ratio, args.rounds)
        results.append({"queue_disc": disc, "drops": drops, **ratio})
    return results


def against(args, case, command):
    """User time of a peer's command over ours for the same work."""
    options = CASES[case].split()
    theirs, ours = in_turns(args.rounds, lambda: run(command),
                            lambda: run_sim(args, *options))
    ratio = spread([a.user / b.user for a, b in zip(theirs, ours)])
    tell(f"{case}: user time of {Path(command[0]).name} over ours "
         f"({statistics.median(made.user for made in theirs):.2f} and "
         f"{statistics.median(made.user for made in ours):.2f} s):", ratio, args.rounds)
    return {"case": case, "options": CASES[case], "command": shlex.join(command), **ratio}


SECTIONS = {made.__name__.replace("_", "-"): made
            for made in (bound, growth, features, flows, setup, cores, head_starts, discs)}
COUNTABLE = {"features", "flows"}
USUAL = ("bound", "growth", "features", "flows", "setup")


def read_peers(words):
    """(case, command) of each --peer=CASE=COMMAND."""
    peers = []
    for word in words:
        case, _, command = word.partition("=")
        if case not in CASES or not command.strip():
            raise BadScenario(f"--peer={word}: write CASE=COMMAND with one of {', '.join(CASES)}")
        peers.append((case, shlex.split(command)))
    return peers


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sim", required=True, help="dcfabric-sim, optimized build")
    parser.add_argument("--limit", required=True, help="dcfabric-limit-study, same build")
    parser.add_argument("--rounds", type=positive, default=9, help="rounds (default 9)")
    parser.add_argument("--only", action="append", choices=list(SECTIONS), default=[],
                        help=f"a section, repeatable (default {', '.join(USUAL)})")
    parser.add_argument("--large", action="store_true", help="set-up at k=64, too")
    parser.add_argument("--instructions", action="store_true",
                        help="count instructions in place of time; sections features and flows")
    parser.add_argument("--peer", action="append", default=[], metavar="CASE=COMMAND",
                        help="instead: a peer's command that does the work of a case "
                             f"({', '.join(CASES)}), repeatable")
    parser.add_argument("--out", type=Path, help="JSON file for the figures")
    args = parser.parse_args()
    peers = read_peers(args.peer)
    if args.out:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        check_file("--out", args.out)
    if args.instructions and (peers or not set(args.only) or set(args.only) - COUNTABLE):
        raise BadScenario("--instructions counts for --only=features and --only=flows; "
                          "choose one of them, or both")
    if peers:
        result = {"peers": [against(args, case, command) for case, command in peers]}
    else:
        result = {name: SECTIONS[name](args) for name in args.only or USUAL}
    if args.out:
        write_json(args.out, result)
    return 0


if __name__ == "__main__":
    sys.exit(guarded("dcfabric-benchmark", main))
