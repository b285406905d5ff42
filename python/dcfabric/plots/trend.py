# SPDX-License-Identifier: GPL-2.0-only
"""Many runs over the values of an option: panels by quantity and by another option, a line for each
value of a third."""
from __future__ import annotations

import dataclasses
import re
from typing import Any, Mapping, Sequence

from ..drawing import (legend_above, legend_name, look, name_places, note, panels, shortened,
                       spread, whisker_text, whiskers, wrapped)
from ..errors import DcfabricError
from ..looks import looks_of
from ..paired import interval as interval_of
from ..paired import percents
from ..traffic import loads_drawn
from ..wording import hint
from .baselines import Baseline
from .comparison import Measured, axis_begin, measured, pairs_of
from .data import Line, Run
from .naming import (POLICIES, differing, followers_text, follows, number, option_name,
                     value_of)

PANEL = (3.3, 2.5)
"""Width and height in inches."""


@dataclasses.dataclass(frozen=True)
class Grid:
    """Which option is what."""

    x: str
    line: str | None
    facet: str | None
    followers: tuple[tuple[str, str], ...] = ()
    """options that differ and follow from one of these, each with the one"""


def known_options(runs: Sequence[Run]) -> list[str]:
    """Those of any run."""
    return list(dict.fromkeys(name for run in runs for name in run.options))


def resolve(runs: Sequence[Run], option: str, name: str) -> str:
    """The option that is meant: attributes of ns-3 also by their last part. Raises
    DcfabricError."""
    known = known_options(runs)
    found = [one for one in known if one == name] or [one for one in known
                                                      if option_name(one) == name]
    if len(found) == 1:
        return found[0]
    raise DcfabricError(f"{option}: the runs have no option '{name}'{hint(name, known)}")


def filtered(runs: Sequence[Run], where: Sequence[tuple[str, str]]) -> list[Run]:
    """Those that have certain values: of an option that is given several times any of them. Raises
    DcfabricError for an option or value that none has."""
    wanted: dict[str, list[str]] = {}
    for name, value in where:
        option = resolve(runs, "--where", name)
        known = list(dict.fromkeys(value_of(run, option) for run in runs))
        if value not in known:
            raise DcfabricError(f"--where: no run has {name}={value}; there are "
                                f"{', '.join(ordered(known))}")
        wanted.setdefault(option, []).append(value)
    found = [run for run in runs
             if all(value_of(run, option) in values for option, values in wanted.items())]
    if where and not found:
        raise DcfabricError("--where: no run has all of "
                            f"{', '.join(f'{name}={value}' for name, value in where)}")
    return found


def ordered(values: Sequence[str]) -> list[str]:
    """Numbers by size, others as they came."""
    known = list(dict.fromkeys(values))
    by_size = {value: at for value in known if (at := number(value)) is not None}
    return sorted(known, key=lambda value: by_size[value]) if len(by_size) == len(known) else known


def grid_of(runs: Sequence[Run], x: str, line: str | None, facet: str | None) -> Grid:
    """What the options ask for; without --line, the algorithm that differs. Raises DcfabricError if
    runs that differ in something else would be mixed up."""
    lacking = [run for run in runs if not run.options]
    if lacking:
        raise DcfabricError(f"--x: {lacking[0].folder}/summary.json has no options")
    at = resolve(runs, "--x", x)
    panel = resolve(runs, "--facet", facet) if facet else None
    varied = [name for name in differing(runs) if name not in (at, panel)]
    of_lines = (resolve(runs, "--line", line) if line else next(
        (name for name in varied if name in POLICIES
         and not any(one in POLICIES and follows(runs, name, one) for one in (at, panel) if one)),
        None))
    if len({at, of_lines, panel} - {None}) < 1 + (of_lines is not None) + (panel is not None):
        raise DcfabricError("--x, --line and --facet name one option twice")
    followers = {name: one for name in varied if name != of_lines
                 for one in (panel, at, of_lines) if one and follows(runs, name, one)}
    rest = [name for name in varied if name != of_lines and name not in followers]
    if rest:
        values = ordered([value_of(run, rest[0]) for run in runs])
        free = [name for name, used in (("--line", of_lines), ("--facet", panel)) if not used]
        raise DcfabricError(
            f"--x: option {rest[0]} has {len(values)} values, which would be mixed up: choose one "
            f"with --where {rest[0]}={values[0]}"
            + (f", or {' or '.join(f'{name} {rest[0]}' for name in free)}" if free else ""))
    return Grid(at, of_lines, panel, tuple(followers.items()))


def values_of_lines(lines: Sequence[Line], grid: Grid) -> list[str]:
    """What each line is of; "" if there is but one."""
    return ordered([value_of(line.first, grid.line) for line in lines]) if grid.line else [""]


def lines_with(lines: Sequence[Line], option: str | None, value: str) -> list[Line]:
    """Those that have a value of an option."""
    return [line for line in lines if option and value_of(line.first, option) == value]


def baseline_of(lines: Sequence[Line], grid: Grid, wanted: str) -> Baseline:
    """The lines of the value that is meant, in any case. Raises DcfabricError."""
    names = values_of_lines(lines, grid)
    for name in names:
        if name and name.lower() == wanted.lower():
            return Baseline(name, lines_with(lines, grid.line, name), {})
    raise DcfabricError(f"--baseline: there is no '{wanted}'; there are "
                        f"{', '.join(filter(None, names)) or 'no lines to compare'}")


def draw(lines: Sequence[Line], grid: Grid, interval: bool, baseline: str | None = None) -> Any:
    """A row of panels for each value of the facet, a column for each quantity. lines: each with its
    seeds. baseline: a value of the option of the lines, to which differences are drawn, seed by
    seed; None where there are none."""
    facets = ordered([value_of(line.first, grid.facet) for line in lines]) if grid.facet else [""]
    names = values_of_lines(lines, grid)
    xs = ordered([value_of(line.first, grid.x) for line in lines])
    what = [one for one in measured(lines)
            if any(one.of(run) for line in lines for run in line.runs)]
    how = looks_of(grid.line, names) if grid.line else {"": look("none")}
    figure, axes = panels(len(facets), len(what), PANEL[0] * len(what),
                          0.9 + PANEL[1] * len(facets), sharex=True)
    table = {(value_of(line.first, grid.facet) if grid.facet else "",
              value_of(line.first, grid.line) if grid.line else "",
              value_of(line.first, grid.x)): line for line in lines}
    places = _places(xs)
    joined = all(number(x) is not None for x in xs)
    # names are a step of 1 apart, numbers somewhere in their range
    step = (0.012 * (max(places.values()) - min(places.values()) or 1) if joined
            else min(0.12, 0.6 / len(names)))
    drawn = False
    for row, facet in zip(axes, facets):
        for axis, one in zip(row, what):
            for at, name in enumerate(names):
                if name == baseline:
                    continue
                points = {x: table[facet, name, x] for x in xs if (facet, name, x) in table}
                spreads = {x: found for x, line in points.items()
                           if (found := _spread(one, line, interval) if baseline is None
                               else _difference(one, line, table.get((facet, baseline, x))))}
                drawn |= bool(spreads)
                aside = (at - (len(names) - 1) / 2) * step
                whiskers(axis, [places[x] + aside for x in spreads], list(spreads.values()),
                         name or "all", how[name], joined)
            _dress(axis, one, baseline)
        if grid.facet:
            row[0].annotate(wrapped(f"{option_name(grid.facet)}: {facet}", 34 * len(what)),
                            (0, 1.02), xycoords="axes fraction", fontsize=8, color="0.3",
                            va="bottom")
    for axis in axes[-1]:
        _ticks(axis, xs, places, joined)
        axis.set_xlabel(option_name(grid.x))
    figure.align_ylabels()
    if grid.line:
        legend_above(figure, axes)
    seeds = max(len(line.runs) for line in lines)
    fewest = min(len(line.flows) for line in lines)
    note(figure, "; ".join([
        "differences seed by seed: mean and 95 % confidence interval of "
        f"{seeds} seeds" if baseline is not None else
        _whisker_text(what, seeds, interval) if seeds > 1 else
        "one seed: small differences may be its luck",
        f"flows received: {fewest:,} or more in each point",
        *loads_drawn(run.summary for line in lines for run in line.runs),
        *followers_text([line.first for line in lines], grid.followers)]))
    return figure if drawn else None


def _whisker_text(what: Sequence[Measured], seeds: int, interval: bool) -> str:
    """What points and whiskers are."""
    text = whisker_text(seeds, interval)
    if interval or not any(one.percent for one in what):
        return text
    return text.replace("seeds;", "seeds (percentiles: of the flows of all of them together);", 1)


def _spread(one: Measured, line: Line, interval: bool) -> Mapping[str, float] | None:
    return one.spread(line, interval)


def _difference(one: Measured, line: Line, base: Line | None) -> Mapping[str, float] | None:
    """In percent of the baseline's mean."""
    pairs = pairs_of(one, line, base) if base else []
    if not percents(pairs):
        return None
    found = interval_of(pairs)
    return (spread([found.mean]) if not found.high > found.low
            else {"mean": found.mean, "low": found.low, "high": found.high})


def _places(xs: Sequence[str]) -> dict[str, float]:
    """Where values are: numbers at themselves, others side by side."""
    numbers = {x: float(x) for x in xs if re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?", x)}
    return numbers if len(numbers) == len(xs) else {x: float(at) for at, x in enumerate(xs)}


def _ticks(axis: Any, xs: Sequence[str], places: Mapping[str, float], numbers: bool) -> None:
    if [places[x] for x in xs] == list(map(float, range(len(xs)))):
        name_places(axis, [shortened(x, 28) for x in xs])
    elif len(xs) <= 8:
        axis.set_xticks([places[x] for x in xs], list(xs))
    span = max(places.values()) - min(places.values()) or 1
    room = 0.08 * span if numbers else 0.5
    axis.set_xlim(min(places.values()) - room, max(places.values()) + room)


def _dress(axis: Any, one: Measured, baseline: str | None) -> None:
    if baseline is not None:
        axis.axhline(0, color="0.3", linewidth=1)
        axis.set_ylabel(wrapped(f"{one.label}: difference to {legend_name(baseline)} (%)", 32))
        return
    axis.set_ylabel(one.label)
    axis.set_ylim(bottom=axis_begin(one.label))
