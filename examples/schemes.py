#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""All congestion controls and all load balancers of a build, side by side, with what each costs the
simulator.

    python3 schemes.py [--quick] [--doc] [--seeds N] [--out DIR] [--jobs N] [--program FILE]

Every value of --cc, as --describe=json tells them (but for controls in Python): WebSearch at half
of the load for 500 us, and an incast of 12 hosts with 300 kB each, on 16 hosts at four leaves under
four spines; load balancing and all else as the control has it by default. Every value of --lb under
DCTCP: a permutation of 1 MB on the same network, and the same with a link between a leaf and a
spine that fails for ever after 20 us, of which all tables know 50 us later. Links of 100 Gb/s and 1
us. What a build refuses is shown as refused, with its words in result.json. Cost: instructions of
the whole program for each packet-hop of a permutation, less those of a shorter run for the set-up;
counted by perf, else by valgrind, else user time is measured instead, and the unit says which.
--doc: table and figure go into doc/, too. --quick: four schemes, one seed.
"""
import concurrent.futures
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import find_dcfabric  # noqa: F401
from dcfabric import BadScenario, InvariantViolated, Scenario, SweepFailed
from dcfabric.faults import write_faults
from dcfabric.program import find_program
from dcfabric.run_files import write_whole
from showcases.experiment import Experiment, Number

NETWORK = "leaf-spine:leaves=4,spines=4,hosts=4"
LEAF, SPINE, FAILS_US, KNOWN_US = 16, 20, 20, 50
CONTROL, BALANCER = "cc", "lb"
KINDS = {CONTROL: "congestion control", BALANCER: "load balancing"}
QUICK = {CONTROL: ("hpcc", "dctcp"), BALANCER: ("ecmp", "reps")}
LEFT_OUT = re.compile(r"external")  # another process decides
CASES = {CONTROL: ("WebSearch", "incast"), BALANCER: ("permutation", "failed link")}
COST_NETWORK, COST_SIZES = "leaf-spine:leaves=2,spines=2,hosts=4", ("10kB", "110kB")
STOP = "30ms"
"""Runs that have not ended by then have flows that make no progress."""
DOC = Path(__file__).parent.parent / "doc"


def names_of(program, quick):
    """Values of both options that are schemes, by option."""
    told = subprocess.run([program, "--describe=json"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, check=True).stdout
    options = {option["name"]: [value["text"] for value in option["values"]]
               for option in json.loads(told)["options"]}
    return {kind: [name for name in options[kind] if not LEFT_OUT.match(name)
                   and (not quick or name in QUICK[kind])] for kind in KINDS}


def scheme(kind, name, **fields):
    """A scenario with a scheme."""
    return Scenario(**{"cc": "dctcp", **fields, kind: name})


def make(kind, name, case, seed, faults):
    """The scenario of a case."""
    common = {"topology": NETWORK, "seed": seed, "stop": STOP}
    return scheme(kind, name, **common, **{
        "WebSearch": {"workload": "websearch", "load": 0.5, "duration": "500us"},
        "incast": {"workload": "incast:fan-in=12,size=300kB"},
        "permutation": {"workload": "permutation:size=1MB"},
        "failed link": {"workload": "permutation:size=1MB", "faults": faults,
                        "convergence": f"{KNOWN_US}us",
                        "attributes": {"ns3::FabricNic::AckTimeout": "400us"}}}[case])


def measure(result):
    """What is compared; no slowdown if a flow has not ended."""
    flows, summary = result.flows, result.summary
    done = summary["status"] == "complete"
    return {"slowdown": float(flows["slowdown"].mean()) if done else None,
            "p99": float(flows["slowdown"].quantile(0.99)) if done else None,
            "mean_queue_kb": summary["mean_queue_bytes"] / 1e3,
            "queue_kb": summary["max_queue_bytes"] / 1e3}


class Meter:
    """Counts what the program takes: instructions, or nanoseconds of user time."""

    def __init__(self):
        self.how = next((how for how, works in (("perf", self._perf_works),
                                                ("valgrind", self._valgrind_works)) if works()),
                        "user time")
        self.unit = "ns of user time" if self.how == "user time" else "instructions"

    @staticmethod
    def _perf_works():
        if not shutil.which("perf"):
            return False
        run = subprocess.run(["perf", "stat", "-x,", "-e", "instructions:u", "true"],
                             capture_output=True, text=True)
        return run.returncode == 0 and run.stderr[:1].isdigit()

    @staticmethod
    def _valgrind_works():
        return shutil.which("valgrind") is not None

    def count(self, command):
        """What a command takes, and what it prints on standard error if it fails."""
        with tempfile.TemporaryDirectory() as folder:
            logs = Path(folder)
            before = {
                "perf": ["perf", "stat", "-x,", "-e", "instructions:u", "-o", str(logs / "log")],
                "valgrind": ["valgrind", "--tool=cachegrind", "--cache-sim=no",
                             "--trace-children=yes", "--cachegrind-out-file=/dev/null",
                             f"--log-file={logs}/%p"],
                "user time": []}[self.how]
            process = subprocess.Popen([*before, *command], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, text=True)
            said = process.stderr.read()
            process.stderr.close()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode != 0:
                return None, said
            text = "\n".join(log.read_text(encoding="utf-8") for log in logs.iterdir())
        return {"perf": lambda: sum(int(found) for found in re.findall(
                    r"^(\d+),[^,]*,instructions", text, re.MULTILINE)),
                "valgrind": lambda: sum(int(found.replace(",", "")) for found in re.findall(
                    r"I +refs: +([\d,]+)", text)),
                "user time": lambda: round(used.ru_utime * 1e9)}[self.how](), said


def take(meter, program, kind, name, size, folder):
    """What a run takes and its packet-hops, None if the build refuses it."""
    out = folder / f"cost-{kind}-{name}-{size}".replace(":", "-").replace("+", "-")
    one = scheme(kind, name, topology=COST_NETWORK, workload=f"permutation:size={size}")
    counted, _ = meter.count([str(program), *one.arguments(), f"--out={out}", "--force"])
    if counted is None:
        return None
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    shutil.rmtree(out)
    return counted, summary["packet_hops"]


def costs_of(meter, program, schemes, options):
    """Of a packet-hop by scheme, None where the build refuses it. Set-up, nearly all of a short
    run, is that of the first scheme."""
    short, long = COST_SIZES
    tasks = [(*schemes[0], short), *((*one, long) for one in schemes)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        base, *found = pool.map(lambda task: take(meter, program, *task, options.out), tasks)
    return {one: None if base is None or taken is None
            else (taken[0] - base[0]) / (taken[1] - base[1])
            for one, taken in zip(schemes, found)}


def run_all(experiment, scenarios):
    """Results by key, or the exception of what was refused or got stuck."""
    names = {"-".join(map(str, key)).replace(" ", "-").replace(":", "-"): key for key in scenarios}
    try:
        found = experiment.run({name: scenarios[key] for name, key in names.items()})
    except SweepFailed as error:
        if not all(isinstance(one, (BadScenario, InvariantViolated))
                   for one in error.failures.values()):
            raise
        found = {**error.results, **error.failures}
    return {key: found[name] for name, key in names.items()}


def cell(found, kind, name, case, seeds):
    """Means over the seeds, and the range of the slowdown; the words of a refusal instead."""
    results = [found[kind, name, case, seed] for seed in seeds]
    refused = next((str(one) for one in results if isinstance(one, Exception)), None)
    if refused is not None:
        return {"refused": refused}
    rows = [measure(one) for one in results]
    if any(row["slowdown"] is None for row in rows):
        return {"refused": "flows that do not end"}
    mean = {key: statistics.mean(row[key] for row in rows) for key in rows[0]}
    return {**mean, "low": min(row["slowdown"] for row in rows),
            "high": max(row["slowdown"] for row in rows)}


def table_of(series, seeds):
    """doc/schemes-table.inc."""
    lines = []
    for kind, schemes in series["schemes"].items():
        one, other = CASES[kind]
        queue = "mean" if kind == CONTROL else "longest"
        lines += [f".. csv-table:: {KINDS[kind].capitalize()}: mean of "
                  f"{seeds} {'seed' if seeds == 1 else 'seeds'}",
                  f'   :header: "``--{kind}``", "{one}: slowdown, mean", "p99", '
                  f'"{other}: slowdown, mean", "p99", "{queue} queue, kB", '
                  f'"{series["unit"]} per packet-hop"', ""]
        for name, row in schemes.items():
            cells = [f"``{name}``"]
            for case in (one, other):
                cells += (["refused", ""] if "refused" in row[case] else
                          [f"{row[case][key]:.2f}" for key in ("slowdown", "p99")])
            shown = row[other if kind == CONTROL else one]
            cells += ["" if "refused" in shown else
                      f"{shown['mean_queue_kb' if kind == CONTROL else 'queue_kb']:.0f}",
                      "" if row["cost"] is None else f"{row['cost']:.0f}"]
            lines.append("   " + ", ".join(f'"{text}"' for text in cells))
        lines.append("")
    return "\n".join(lines)


def body(experiment):
    options = experiment.options
    seeds = range(1, options.seeds + 1)
    program = find_program(options.program)
    names = names_of(program, options.quick)
    faults = write_faults(options.out / "failed-link.txt", [f"{FAILS_US}us down {LEAF} {SPINE}"])
    keys = [(kind, name, case, seed) for kind in KINDS for name in names[kind]
            for case in CASES[kind] for seed in seeds]
    found = run_all(experiment, {key: make(*key, faults) for key in keys})
    meter = Meter()
    costs = costs_of(meter, program, [(kind, name) for kind in KINDS for name in names[kind]],
                     options)
    series = {"unit": meter.unit, "counted": meter.how, "schemes": {
        kind: {name: {**{case: cell(found, kind, name, case, seeds) for case in CASES[kind]},
                      "cost": costs[kind, name]} for name in names[kind]} for kind in KINDS}}
    numbers = []
    for kind, schemes in series["schemes"].items():
        for name, row in schemes.items():
            numbers += [Number(f"{kind}={name}, {case}", "slowdown, mean", "",
                               row[case]["slowdown"]) for case in CASES[kind]
                        if "refused" not in row[case]]
            if row["cost"] is not None:
                numbers.append(Number(f"{kind}={name}", "cost of a packet-hop", meter.unit,
                                      row["cost"]))
    write_whole(options.out / "schemes-table.inc", table_of(series, options.seeds))
    return {"numbers": numbers, "series": series}


def store(out):
    """--doc: table and figure of the document."""
    shutil.copyfile(out / "schemes-table.inc", DOC / "schemes-table.inc")
    shutil.copyfile(out / "schemes.png", DOC / "figures" / "schemes.png")


if __name__ == "__main__":
    EXPERIMENT = Experiment("schemes", __doc__, seeds=3)
    EXPERIMENT.parser.add_argument("--doc", action="store_true",
                                   help="store table and figure in doc/, too")
    STATUS = EXPERIMENT.main(body)
    if STATUS == 0 and EXPERIMENT.options.doc:
        store(EXPERIMENT.options.out)
    sys.exit(STATUS)
