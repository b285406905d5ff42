# SPDX-License-Identifier: GPL-2.0-only
"""What lines of figures are called: by the options that differ, without those that follow from
others; by folders; congestion controls in Python of one name."""
from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Iterable, Sequence

from ..measures import UNITS_US
from ..scenario import FIELDS
from ..traffic import DRAWN_BY

if TYPE_CHECKING:
    from ..run_files import Control
    from .data import Run

UNITS = {**UNITS_US, "bps": 1.0, "Mbps": 1e6, "Gbps": 1e9, "Tbps": 1e12, "B": 1.0, "kB": 1e3,
         "KB": 1e3, "MB": 1e6, "GB": 1e9}
MOST_TOLD = 6
"""Values of an option of which it is told what follows from them."""
NOT_COMPARED = ("seed", "out", "progress")
POLICIES = ("cc", "lb", "routing", "flow-control", "features", "coordination", "throttle",
            "modifiers", "messages", "reliability", "switch", "preset")
"""Options that name algorithms; the first one that differs gives lines their colors."""


def differing(runs: Sequence[Run]) -> list[str]:
    """Options that are not the same in all runs, algorithms first."""
    names = dict.fromkeys(name for run in runs for name in run.options if name not in NOT_COMPARED)
    found = [name for name in names
             if len({str(run.options.get(name, "")) for run in runs}) > 1]
    return sorted(found, key=lambda name: (POLICIES.index(name) if name in POLICIES
                                           else len(POLICIES)))


def option_name(name: str) -> str:
    """An option as figures write it: of an attribute of ns-3 its own name."""
    return name.rpartition("::")[2]


def value_of(run: Run, option: str) -> str:
    """Of an option, as the run has it."""
    return str(run.options.get(option, ""))


def number(text: str) -> float | None:
    """A number, also with a unit."""
    found = re.fullmatch(r"(-?[0-9.]+(?:e-?[0-9]+)?) ?([A-Za-z]*)", text)
    if not found or found[2] and found[2] not in UNITS:
        return None
    try:
        return float(found[1]) * UNITS.get(found[2], 1.0)
    except ValueError:
        return None


def follows(runs: Sequence[Run], option: str, other: str) -> bool:
    """Whether the value of another option decides that of an option, as UGAL brings
    --reliability=rack. An algorithm does not follow from a number, such as a load."""
    pairs = {(value_of(run, other), value_of(run, option)) for run in runs}
    others = {value for value, _ in pairs}
    if option in POLICIES and all(number(value) is not None for value in others):
        return False
    return len(pairs) == len(others)


def followers_text(runs: Sequence[Run], followers: Iterable[tuple[str, str]]) -> list[str]:
    """What else differs with options. followers: each with the one that it follows from."""
    found = []
    for option, other in followers:
        values = {value_of(run, other): value_of(run, option) for run in runs}
        which = ", ".join(f"{value or 'not set'} with {of}" for of, value in values.items())
        found.append(f"{option_name(option)} differs with {option_name(other)}"
                     + (f" ({which})" if len(values) <= MOST_TOLD else ""))
    return found


def named_options(runs: Sequence[Run],
                  varied: Sequence[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Which of the options that differ lines are named by; and those that follow from an algorithm
    among these, each with that one. What was asked for, and what traffic is drawn by, follows from
    nothing. varied: of differing()."""
    given = set().union(*(run.given for run in runs))
    named: list[str] = []
    followers = {}
    for option in sorted(varied, key=lambda option: option not in given):
        of = next((one for one in named if one in POLICIES and follows(runs, option, one)), None)
        if of is None or option in given or option in DRAWN_BY:
            named.append(option)
        else:
            followers[option] = of
    return ([option for option in varied if option in named],
            [(option, followers[option]) for option in varied if option in followers])


def tell_controls_apart(runs: Sequence[Run]) -> list[str]:
    """Give congestion controls in Python of one name, but with other source code or other values,
    numbers: "Mine", "Mine (2)", as a study does, in the order of folders, short names first.
    Returns what tells those with numbers from the first one."""
    known: dict[str, list[tuple[Control, Run]]] = {}
    said = []
    for run in sorted(runs, key=lambda run: (len(run.folder.name), run.folder.name)):
        control = run.control
        if control is None or not run.options:
            continue
        same = known.setdefault(control.name, [])
        at = next((at for at, (one, _) in enumerate(same)
                   if (one.source, one.values) == (control.source, control.values)), len(same))
        if at == len(same):
            same.append((control, run))
            if at:
                said.append(f"{control.name} ({at + 1}) in {run.folder} is not {control.name} in "
                            f"{same[0][1].folder}: {_difference(control, same[0][0])}")
        if at:
            run.options = {**run.options, "cc": f"{control.name} ({at + 1})"}
    return said


def _difference(control: Control, other: Control) -> str:
    if control.source != other.source:
        return "their source code differs"
    return ", ".join(f"{name} is {control.values.get(name, 'not there')}, not "
                     f"{other.values.get(name, 'there')}"
                     for name in sorted({*control.values, *other.values})
                     if control.values.get(name) != other.values.get(name))


def named_by_options(run: Run, options: Sequence[str]) -> str:
    """A label of the values of options: "fncc, load 0.3"."""
    return ", ".join(value if name in POLICIES or name in ("topology", "workload")
                     else f"{option_name(name)} {value}"
                     for name in options if (value := str(run.options.get(name, "")))) or run.label


def named_by_labels(runs: Sequence[Run]) -> dict[Path, str]:
    """A name for the folder of each run, of its labels in the columns of a study that differ:
    "Mine, incast, load 0.3". Nothing if the runs are not all of one grid, or of several studies
    that have the same labels."""
    columns = [*runs[0].labels] if runs else []
    if not columns or any([*run.labels] != columns for run in runs):
        return {}
    told = [column for column in columns
            if len({run.labels[column] for run in runs}) > 1] or columns
    found = {run.folder: ", ".join(_labelled(column, run.labels[column]) for column in told)
             for run in runs}
    return found if len(set(found.values())) == len(runs) else {}


def _labelled(column: str, label: str) -> str:
    """Algorithms, networks and names of a user say what they are, other values do not."""
    option = column.replace("_", "-")
    speaks = (option in (*POLICIES, "topology", "workload")
              or column not in FIELDS and "::" not in column and number(label) is None)
    return label if speaks else f"{option_name(option)} {label}"


def told_apart(labels: Sequence[str], folders: Sequence[Path]) -> list[str]:
    """Labels without repetition: equal ones get as much of the paths of their folders as it takes,
    else numbers."""
    found = list(labels)
    for label in {one for one in labels if labels.count(one) > 1}:
        places = [at for at, one in enumerate(labels) if one == label]
        paths = [folders[at].resolve().parts for at in places]
        for depth in range(2, max(map(len, paths)) + 1):
            tails = ["/".join(path[-depth:]) for path in paths]
            if len(set(tails)) == len(tails):
                break
        else:
            tails = [f"{label} ({number})" for number in range(1, len(places) + 1)]
        for at, tail in zip(places, tails):
            found[at] = tail
    return (found if len(set(found)) == len(found)
            else [f"{label} ({number})" for number, label in enumerate(found, 1)])


def common_label(labels: Sequence[str]) -> str:
    """What folders of several seeds are called: "fncc" for "fncc-1" and "fncc-2"."""
    common = labels[0]
    for one in labels[1:]:
        while not one.startswith(common):
            common = common[:-1]
    return re.sub(r"[-_., ]*(seed|s)?[-_.= ]*$", "", common) or labels[0]
