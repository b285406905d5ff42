# SPDX-License-Identifier: GPL-2.0-only
"""What --baseline names: one line, or one for each group of lines that differ in an algorithm
alone."""
from __future__ import annotations

import dataclasses
from typing import Callable, Mapping, Sequence

from ..errors import DcfabricError
from .data import Line, Run
from .naming import POLICIES, differing, follows, option_name, value_of


@dataclasses.dataclass(frozen=True)
class Baseline:
    """The lines that others are compared with."""

    name: str
    """as figures have it: the label of a line, or the value of an option"""
    lines: Sequence[Line]
    """of it"""
    of: Mapping[str, Line]
    """for the label of each line that is compared, what it is compared with"""
    said: str = ""
    """which lines are compared with which, where that is not the same line for all"""

def some(names: Sequence[str], most: int = 5) -> str:
    """The first names of a list, and how many more there are; in quotes where they have commas."""
    if any("," in name for name in names):
        names = [f"'{name}'" for name in names]
    return ", ".join([*names[:most],
                      *([f"and {len(names) - most} more"] if len(names) > most else [])])


def _parts(label: str) -> set[str]:
    """Of a label of options: of "ugal, rack, load 0.3" three."""
    return {part.strip() for part in label.lower().split(",")}


def baseline_of(lines: Sequence[Line], wanted: str, one_line: bool = False) -> Baseline:
    """What --baseline names: the line of a label, an algorithm, or some parts of a label; where
    several lines are of one algorithm, for each other line the one that differs from it in that
    alone. one_line: there may be but one. Raises DcfabricError."""
    found = [line for line in lines if line.label == wanted] or [
        line for line in lines if wanted.lower() in (line.label.lower(),
                                                     line.algorithm.lower())] or [
        line for line in lines if _parts(wanted) <= _parts(line.label)]
    if not found:
        raise DcfabricError(f"--baseline: there is no '{wanted}'; there are "
                            f"{some([line.label for line in lines], 12)}")
    if len(found) == 1:
        return Baseline(found[0].label, found, {line.label: found[0] for line in lines
                                                if line is not found[0]})
    groups = None if one_line else _groups(lines, wanted)
    if groups:
        return groups
    raise DcfabricError(f"--baseline: '{wanted}' may be {some([line.label for line in found])}: "
                        "give one of these")


def _groups(lines: Sequence[Line], wanted: str) -> Baseline | None:
    """By the first column of a study, else the first algorithm, that differs and has this value;
    None if there is none, or no line is left to compare."""
    runs = [line.first for line in lines]
    varied = differing(runs)
    columns = [*runs[0].labels]
    ways: list[tuple[str, Callable[[Run, str], str], list[str]]] = [
        *((column, _label_of, [name for name in columns if name != column]) for column in columns),
        *((option, value_of, [name for name in varied
                              if name != option and not follows(runs, name, option)])
          for option in varied if option in POLICIES)]
    for option, of, rest in ways:
        value = next((one for one in (of(run, option) for run in runs)
                      if one.lower() == wanted.lower()), None)
        if value is not None:
            return _group(lines, option, of, rest, value)
    return None


def _label_of(run: Run, column: str) -> str:
    return run.labels.get(column, "")


def _group(lines: Sequence[Line], option: str, of: Callable[[Run, str], str],
           rest: Sequence[str], value: str) -> Baseline | None:
    """Each line to the one that has the value of the option, and the same of the rest."""
    bases = {tuple(of(line.first, name) for name in rest): line
             for line in lines if of(line.first, option) == value}
    found = {}
    for line in lines:
        base = bases.get(tuple(of(line.first, name) for name in rest))
        if base and of(line.first, option) != value:
            found[line.label] = base
    return Baseline(value, list(bases.values()), found, f"each to {value} of the same "
                    + " and ".join(map(option_name, rest))) if found else None
