#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What techniques, congestion controls and load balancers cost where they are not meant to help:
the harm table.

    python3 harm.py [--quick] [--cases NAMES] [--subjects NAMES] [--doc] [--bounds] [--seeds N]
                    [--out DIR] [--jobs N] [--program FILE]

Each subject against the same run without it, for the same seed, in scenarios that are not from its
paper: a technique against its congestion control alone, under DCQCN unless its name says otherwise;
a congestion control against none; a load balancer against symmetric ECMP, all under DCQCN.
Combinations that the program refuses are shown as such. A figure is the geometric mean over the
seeds of the mean slowdown with over that without; tails, goodput, queues, drops, pauses and
retransmissions are beside it. Ratios above 1.1 have a reason in reference/harm-reasons.csv or are
open. --doc: tables and heat map go into doc/, too, and all ratios into reference/harm-ratios.csv;
with --subjects the rows of all others are as they are stored there. --quick: only the pairs of
reference/harm-bounds.csv, one seed, whose ratios have bounds; --bounds stores new ones.
"""
import csv
import shutil
import sys
from pathlib import Path

import find_dcfabric  # noqa: F401
from dcfabric import BadScenario, DcfabricError, InvariantViolated, SweepFailed
from dcfabric.run_files import write_whole
from showcases.experiment import Claim, Experiment, Number
from showcases import harm_store
from showcases.harm import LIMIT, OPEN, RATIOS, case_table, compare, measure, reason, table
from showcases.harm_cases import CASES, SUBJECTS, clash, run_label, scenario
from showcases.regional import parts_of

REFERENCE = Path(__file__).parent / "reference"
REASONS, BOUNDS = REFERENCE / "harm-reasons.csv", REFERENCE / "harm-bounds.csv"
STORED = REFERENCE / "harm-ratios.csv"
DOC = Path(__file__).parent.parent / "doc"
BOUNDED = ("mean", "queue")
"""Ratios that have bounds."""
MARGIN = 1.05
"""From a ratio to its bound: compilers may round differently."""


def rows_of(path):
    """Lines of a file without its head."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))[1:]


def wanted(options):
    """Subjects and cases to compare, as pairs, and the bounds of ratios by pair."""
    part = next((f"--{name}" for name in ("quick", "cases") if getattr(options, name)), None)
    if options.doc and part:
        raise DcfabricError(f"--doc: the document has all scenarios; leave out {part}")
    if options.bounds and not options.quick:
        raise DcfabricError("--bounds: these are of the short form; give --quick, too")
    if options.quick:
        bounds = {(subject, case): dict(zip(BOUNDED, map(float, values))) for subject, case,
                  *values in rows_of(BOUNDS)}
        return list(bounds), bounds
    subjects = parts_of(options.subjects, SUBJECTS, "--subjects") if options.subjects else SUBJECTS
    cases = parts_of(options.cases, CASES, "--cases") if options.cases else CASES
    return [(subject, case) for subject in subjects for case in cases], {}


def run_name(case, fields, seed):
    """Of a run, which is also the name of its folder."""
    return f"{case}-{run_label(fields)}-{seed}".replace(" ", "-")


def runs_of(experiment, pairs, seeds):
    """Results by name, or the exception of what was refused or got stuck."""
    keys = {run_name(*key): key for subject, case in pairs
            for fields in (SUBJECTS[subject].fields, SUBJECTS[subject].base)
            for key in ((case, fields, seed) for seed in seeds)}
    folder = experiment.options.out / "faults"
    try:
        return experiment.run({name: scenario(*key, folder) for name, key in keys.items()})
    except SweepFailed as error:
        if not all(isinstance(one, (BadScenario, InvariantViolated))
                   for one in error.failures.values()):
            raise
        return {**error.results, **error.failures}


def apart(subject, case):
    """Why a pair is not run, None if it is."""
    if SUBJECTS[subject].only and case not in SUBJECTS[subject].only:
        return "another network"
    return "refused" if clash(CASES[case], SUBJECTS[subject].fields) else None


def cell_of(found, subject, case, seeds):
    """Of the table."""
    with_it, without = ([found[run_name(case, fields, seed)] for seed in seeds]
                        for fields in (SUBJECTS[subject].fields, SUBJECTS[subject].base))
    for kind, state in ((BadScenario, "refused"), (InvariantViolated, "stuck")):
        for one in (*with_it, *without):
            if isinstance(one, kind):
                return {"state": state, "why": str(one)}
    return {"state": "ran",
            **compare(
                [(measure(one, base), measure(base, base)) for one, base in zip(with_it, without)])}


def claims_of(name, cell, bounds, why):
    """What has to hold of a cell. bounds: of its ratios, empty where there are none. why: the
    reason of a ratio above LIMIT."""
    if cell["state"] == "stuck":
        return [Claim(f"{name}: the run ends", False, cell["why"])]
    if bounds:
        return [Claim(f"{name}: {RATIOS[key]}, ratio no larger than before",
                      cell.get(key, 0) <= bound, f"{cell.get(key, 0):.3f}, at most {bound:.3f}")
                for key, bound in bounds.items()]
    if cell.get("mean", 0) > LIMIT:
        return [Claim(f"{name}: at most {LIMIT} or explained", why != OPEN,
                      f"{cell['mean']:.2f}; {why}")]
    return []


def others_of(pairs, options):
    """Stored rows of the subjects that are not run, for the document."""
    run = {subject for subject, _ in pairs}
    others = [name for name in SUBJECTS if name not in run]
    return harm_store.read(STORED, others, options.seeds) if options.doc and others else {}


def whole(rows, stored, options):
    """The table of the document: these rows, and the others as stored."""
    path = options.out / STORED.name
    harm_store.write(path, {name: rows.get(name) or stored[name] for name in SUBJECTS},
                     options.seeds)
    return harm_store.read(path, SUBJECTS, options.seeds)


def body(experiment):
    options = experiment.options
    seeds = range(1, options.seeds + 1)
    pairs, bounds = wanted(options)
    stored = others_of(pairs, options)  # first, so that hours of runs are not lost on them
    found = runs_of(experiment, [pair for pair in pairs if not apart(*pair)], seeds)
    rows = {}
    for subject, case in pairs:
        state = apart(subject, case)
        rows.setdefault(subject,
                        {})[case] = ({"state": state} if state
                                     else cell_of(found, subject, case, seeds))
    reasons = [tuple(row) for row in rows_of(REASONS)]
    numbers, claims = [], []
    for subject, case in pairs:
        cell, name = rows[subject][case], f"{subject}, {case}"
        if "mean" in cell:
            numbers.append(Number(name, f"{RATIOS['mean']}, with over without", "", cell["mean"]))
        claims += claims_of(name, cell, bounds.get((subject, case)), reason(subject, case, reasons))
    if options.bounds:
        lines = [",".join((subject, case, *(f"{MARGIN * cell[key]:.3f}" for key in BOUNDED)))
                 for subject, case in pairs if "mean" in (cell := rows[subject][case])]
        write_whole(BOUNDS, "\n".join((",".join(("subject", "scenario", *BOUNDED)), *lines, "")))
    if options.doc:
        rows = whole(rows, stored, options)
    write_whole(options.out / "harm-table.inc", table(rows, reasons, options.seeds))
    return {"numbers": numbers, "claims": claims,
            "series": {"ratios": rows,
                       "kinds": {subject: SUBJECTS[subject].kind for subject in rows}}}


def store(out):
    """--doc: ratios, table and heat map."""
    shutil.copyfile(out / STORED.name, STORED)
    write_whole(DOC / "harm-cases.inc",
                case_table({name: case.what for name, case in CASES.items()}))
    shutil.copyfile(out / "harm-table.inc", DOC / "harm-table.inc")
    shutil.copyfile(out / "harm.png", DOC / "figures" / "harm.png")


if __name__ == "__main__":
    EXPERIMENT = Experiment("harm", __doc__, seeds=3)
    for name in ("cases", "subjects"):
        EXPERIMENT.parser.add_argument(f"--{name}", metavar="NAMES", help="only these, comma list")
    EXPERIMENT.parser.add_argument("--doc", action="store_true",
                                   help="store tables and heat map in doc/, too")
    EXPERIMENT.parser.add_argument("--bounds", action="store_true",
                                   help="with --quick, store the ratios as new bounds")
    status = EXPERIMENT.main(body)
    if status == 0 and EXPERIMENT.options.doc:
        store(EXPERIMENT.options.out)
    sys.exit(status)
