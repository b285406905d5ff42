# SPDX-License-Identifier: GPL-2.0-only
"""Several jobs of a run: their times, slowdowns and steps, and the links on which they wait for one
another."""
from __future__ import annotations

import dataclasses
import math
from typing import Any, Callable, Mapping, Sequence

from ..drawing import bar_groups, label, legend_above, note, panels
from .data import Line, Run
from .distributions import seeds_note, spread_of
from .over_time import MOST_LINES, first_note

MOST_GROUPS = 8
"""Jobs, steps or links in a panel: more could not be read."""


@dataclasses.dataclass(frozen=True)
class Quantity:
    """Something that is known of jobs, their steps or the links that they share."""

    title: str
    groups: Mapping[str, Mapping[str, Mapping[str, float] | None]]
    """spread over the seeds, by name of what it is of, and label of a line; None where a run lacks
    it"""
    said: Sequence[str]
    """what has to be known to read it"""


Values = dict[str, float]
"""By name; what is not known is no number."""


def _of_jobs(column: str, factor: float = 1.0) -> Callable[[Run], Values]:
    def values(run: Run) -> Values:
        table = run.tables["jobs"]
        return {str(job): factor * float(value) for job, value in zip(table["job"], table[column])}
    return values


def _of_steps(kind: str) -> Callable[[Run], Values]:
    """Means of those that are complete."""
    def values(run: Run) -> Values:
        table = run.tables["steps"]
        rows = table[table["kind"] == kind]
        means = rows.groupby(["job", "name"], sort=False)["time_ns"].mean() / 1e3
        return {f"{job}: {name}": float(value) for (job, name), value in means.items()}
    return values


def _behind_others(run: Run) -> Values:
    table = run.tables["interference"]
    return {f"{link}: {job}": float(value) / 1e3 for link, job, value in zip(
        table["link"], table["job"], table["behind_others_ns"])}


STEPS = "steps, collectives: from the first rank to the last, mean of those that are complete"
QUANTITIES: tuple[tuple[str, str, Callable[[Run], Values], str], ...] = (
    (label("time of a job", "us"), "jobs", _of_jobs("time_ns", 1e-3),
     "time of a job: from its start to the end of its last rank; of other traffic: from its first "
     "flow to its last arrival"),
    ("slowdown of a job", "jobs", _of_jobs("slowdown"),
     "slowdown of a job: its time over that alone (--alone)"),
    (label("bus bandwidth of a job", "GB/s"), "jobs", _of_jobs("busbw_gbyte_s"), ""),
    (label("time of a step", "us"), "steps", _of_steps("mark"), STEPS),
    (label("time of a collective", "us"), "steps", _of_steps("collective"), STEPS),
    (label("wait behind others", "us"), "interference", _behind_others,
     "wait behind others: of a packet at a link, while its port sends data of others; the links on "
     "which most time is lost come first"))
"""Title, the file it is from, values by name in the order of its rows, and what has to be known."""


def _spread(values: Sequence[float], interval: bool) -> dict[str, float] | None:
    """Over seeds, all of which have to be known: a mean of those that ended would be too good."""
    return spread_of(values, interval) if all(map(math.isfinite, values)) else None


def quantities(lines: Sequence[Line], interval: bool) -> list[Quantity]:
    """Those that any line has, each with the first groups that a run has."""
    found = []
    for title, table, values, text in QUANTITIES:
        known = {line.label: [values(run) if table in run.tables else {} for run in line.runs]
                 for line in lines}
        places: dict[str, int] = {}
        for one in (one for some in known.values() for one in some):
            for place, name in enumerate(one):
                places[name] = min(place, places.get(name, place))
        spreads = {name: {of: _spread([one.get(name, math.nan) for one in some], interval)
                          for of, some in known.items()}
                   for name in sorted(places, key=lambda name: places[name])}
        names = [name for name, group in spreads.items()
                 if any(one and one["high"] > 0 for one in group.values())]
        shown = names[:MOST_GROUPS]
        groups = {name: spreads[name] for name in shown}
        said = [*([text] if text else []),
                *([f"{title.partition(' (')[0]}: {len(shown)} of {len(names)} are shown"]
                  if len(shown) < len(names) else [])]
        if groups:
            found.append(Quantity(title, groups, said))
    return found


def draw(lines: Sequence[Line], interval: bool = False) -> Any:
    """A panel for each quantity, with a group of bars for each job, step or link; None if no run
    has any."""
    some = lines[:MOST_LINES]
    found = quantities(some, interval)
    if not found:
        return None
    columns = min(2, len(found))
    rows = -(-len(found) // columns)
    figure, axes = panels(rows, columns, 6.5 * columns, 3.4 * rows)
    how = {line.label: line.look for line in some}
    for axis, one in zip(axes.flat, found):
        bar_groups(axis, {name.replace(": ", ":\n", 1): group
                          for name, group in one.groups.items()}, how)
        axis.set(title=one.title, xlim=(-0.5, len(one.groups) - 0.5))
        axis.set_ylim(bottom=0)
    legend_above(figure, axes)
    texts = dict.fromkeys(text for one in found for text in one.said)
    note(figure, "; ".join([seeds_note(some, interval), *texts, *first_note(some, lines)]))
    return figure
