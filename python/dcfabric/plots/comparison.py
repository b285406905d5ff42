# SPDX-License-Identifier: GPL-2.0-only
"""What runs are compared by, and bars of it side by side."""
from __future__ import annotations

import dataclasses
from typing import Any, Callable, Mapping, Sequence

from ..drawing import (ON_WHISKERS, label, name_places, note, panels, ranges, shortened,
                       wrapped)
from ..measures import ENOUGH_ABOVE, enough_above, percentile, throughput_gbps
from ..traffic import DRAWN_BY, loads_drawn
from .baselines import Baseline
from .data import Line, Run
from .naming import differing
from .distributions import NAMES, percentile_of, seeds_note, spread_of

PAUSES = "pause frames"
FEW = 8
"""Of so many lines the note has the numbers of flows one by one."""
MOST_BARS = 12
"""More lines are rows, one below the other."""
TITLE_LETTER = 0.09
"""Width of a letter of a title in inches."""


@dataclasses.dataclass(frozen=True)
class Measured:
    """A number that each run has."""

    label: str
    of: Callable[[Run], float | None]
    percent: float = 0.0
    """of a percentile of slowdowns; 0 for what is none"""

    def spread(self, line: Line, interval: bool) -> Mapping[str, float] | None:
        """Over the seeds of a line; None if a run lacks it."""
        if self.percent:
            found = percentile_of([run.flows["slowdown"].dropna() for run in line.runs],
                                  self.percent, interval)
            return found.spread if found else None
        values = [self.of(run) for run in line.runs]
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            return None
        return spread_of(known, interval, 1.0 if self.label == MEAN else 0.0)


MEAN = "mean slowdown"


def _mean(run: Run) -> float | None:
    slowdown = run.flows["slowdown"].dropna()
    return float(slowdown.mean()) if len(slowdown) else None


def _percentile(percent: float) -> Callable[[Run], float | None]:
    def value(run: Run) -> float | None:
        slowdown = run.flows["slowdown"].dropna()
        return percentile(slowdown, percent) if len(slowdown) else None
    return value


def _summary(key: str, factor: float = 1.0) -> Callable[[Run], float | None]:
    def value(run: Run) -> float | None:
        found = run.number(key)
        return None if found is None else factor * found
    return value


def throughput(run: Run) -> float | None:
    """See measures.throughput_gbps(); None without a flow that was received."""
    return throughput_gbps(run.flows) if len(run.flows) else None


def _collectives(run: Run) -> Any:
    """Those that are complete and have a size, which barriers have not; None without any."""
    table = run.tables.get("collectives")
    if table is None:
        return None
    found = table[(table["size_bytes"] > 0) & table["end_ns"].notna()]
    return found if len(found) else None


def collective_us(run: Run) -> float | None:
    """Mean time of a collective."""
    found = _collectives(run)
    return None if found is None else float((found["end_ns"] - found["start_ns"]).mean()) / 1e3


def bus_bandwidth(run: Run) -> float | None:
    """Mean bus bandwidth of the collectives in GB/s."""
    found = _collectives(run)
    if found is None or "busbw_gbyte_s" not in found.columns:
        return None
    return float(found["busbw_gbyte_s"].mean())


def stopped(lines: Sequence[Line]) -> bool:
    """Whether all runs ended by the clock, by which their goodputs are of one span."""
    return all(run.summary.get("status") == "stopped" for line in lines for run in line.runs)


def tail_percent(lines: Sequence[Line]) -> float | None:
    """The highest percentile above which each line has enough flows."""
    least = min(len(line.flows) for line in lines)
    return next((percent for percent in sorted(NAMES, reverse=True)
                 if percent > 50 and enough_above(least, percent)), None)


def measured(lines: Sequence[Line]) -> list[Measured]:
    """What these lines can be compared by: nothing that single flows decide."""
    percent = tail_percent(lines)
    tail = ([Measured(f"p{percent:g} slowdown", _percentile(percent), percent)] if percent else [])
    rate = (Measured(label("goodput until the stop", "Gb/s"), _summary("goodput_gbps"))
            if stopped(lines) else Measured(label("throughput of a flow", "Gb/s"), throughput))
    programs = ([Measured(label("mean time of a collective", "us"), collective_us),
                 Measured(label("bus bandwidth", "GB/s"), bus_bandwidth)]
                if any(_collectives(run) is not None for line in lines for run in line.runs)
                else [])
    return [Measured(MEAN, _mean), *tail, rate, *programs,
            Measured(label("longest queue of a class", "kB"), _summary("max_queue_bytes", 1e-3)),
            Measured(PAUSES, _summary("pfc_pause_frames"))]


def compared(lines: Sequence[Line], interval: bool) -> dict[str, list[Mapping[str, float]]]:
    """Spread over the seeds of each quantity that all runs have, one for each line; those that are
    0 everywhere are left out."""
    found: dict[str, list[Mapping[str, float]]] = {}
    for one in measured(lines):
        spreads = [one.spread(line, interval) for line in lines]
        known = [spread for spread in spreads if spread is not None]
        if len(known) == len(spreads) and any(spread["high"] for spread in known):
            found[one.label] = known
    return found


def number_text(value: float) -> str:
    """Three digits, or all of a whole number."""
    return f"{value:.0f}" if value >= 1000 or value == int(value) else f"{value:.3g}"


def comparison(lines: Sequence[Line], interval: bool = False) -> Any:
    """A panel for each quantity, with a bar for each line or, of many, a row; None if the runs have
    none in common."""
    found = compared(lines, interval)
    if not found:
        return None
    figure = (_bars if len(lines) <= MOST_BARS else _rows)(lines, found)
    numbers = [len(line.flows) for line in lines]
    counts = (f"{min(numbers):,} in each" if len(lines) > 1 and len(set(numbers)) == 1
              else f"{min(numbers):,} to {max(numbers):,} in each" if len(lines) > FEW
              else ", ".join(f"{shortened(line.label)}: {number:,}"
                             for line, number in zip(lines, numbers)))
    none = ([PAUSES] if PAUSES not in found
            and all(run.number("pfc_pause_frames") is not None
                    for line in lines for run in line.runs) else [])
    what = ["throughput of a flow: payload of flows received over the sum of their times"
            ] if label("throughput of a flow", "Gb/s") in found else []
    few = ([f"no percentile of the tail: it needs {ENOUGH_ABOVE} flows that are slower"]
           if tail_percent(lines) is None and max(numbers) else [])
    note(figure,
         "; ".join([*(f"no {what}" for what in none), seeds_note(lines, interval), *few, *what,
                    *loads_drawn(run.summary for line in lines for run in line.runs),
                    f"flows received: {counts}" if max(numbers)
                    else "no flow was received before the stop"]))
    return figure


def axis_begin(title: str) -> float:
    """Where an axis with points begins: nothing is faster than a flow that is alone."""
    return 1.0 if "slowdown" in title else 0.0


def _bars(lines: Sequence[Line], found: Mapping[str, Sequence[Mapping[str, float]]]) -> Any:
    width = max(1.6 + 0.28 * len(lines), 3.4 / len(found))
    figure, axes = panels(1, len(found), width * len(found), 4.0)
    for axis, (title, spreads) in zip(axes[0], found.items()):
        for place, (line, one) in enumerate(zip(lines, spreads)):
            errors = ranges([one]) if one["high"] > one["low"] else None
            drawn = axis.bar([place], [one["mean"]], 0.8, yerr=errors, capsize=3,
                             error_kw={"ecolor": "0.25"}, **line.look.bar())
            axis.bar_label(drawn, [number_text(one["mean"])], padding=2, fontsize=8)
        name_places(axis, [line.label for line in lines])
        axis.set_title(wrapped(title, int(width / TITLE_LETTER)))
        axis.grid(visible=False, axis="x")
        axis.margins(y=0.15)
        axis.set_ylim(bottom=0)
    return figure


def _rows(lines: Sequence[Line], found: Mapping[str, Sequence[Mapping[str, float]]]) -> Any:
    """Points with whiskers, in the color of each algorithm."""
    names = [shortened(line.label) for line in lines]
    room = 0.07 * max(map(len, names))
    figure, axes = panels(1, len(found), room + 2.3 * len(found), 1.2 + 0.19 * len(lines),
                          sharey=True)
    for axis, (title, spreads) in zip(axes[0], found.items()):
        for place, (line, one) in enumerate(zip(lines, spreads)):
            errors = ranges([one]) if one["high"] > one["low"] else None
            axis.errorbar([one["mean"]], [place], xerr=errors, marker=line.look.marker,
                          color=line.look.color, linewidth=1, capsize=2, **ON_WHISKERS)
        axis.set_title(wrapped(title, int(2.2 / TITLE_LETTER)))
        axis.set_xlim(left=axis_begin(title))
    axes[0][0].set_yticks(range(len(lines)), names, fontsize=8)
    axes[0][0].set_ylim(len(lines) - 0.4, -0.6)
    return figure


def differences(lines: Sequence[Line], baseline: Baseline) -> Any:
    """A figure of differences to a baseline, seed by seed; None if no two runs have the same seed
    and flows."""
    from .. import paired

    of = baseline.of
    return paired.draw({one.label: {line.label: pairs_of(one, line, of[line.label])
                                    for line in lines if line.label in of}
                        for one in measured(lines)}, baseline.name,
                       hows={line.label: line.look for line in lines}, said=baseline.said)


def pairs_of(one: Measured, line: Line, base: Line) -> list[tuple[float, float]]:
    """For each seed that both have with the same flows: a value of the line, and that of the
    baseline."""
    found = ((one.of(run), one.of(other)) for run, other in line.pairs(base))
    return [(value, of_base) for value, of_base in found
            if value is not None and of_base is not None]


def why_no_pairs(lines: Sequence[Line], base: Line) -> str:
    """What tells those lines from a baseline, none of the runs of which can be compared with
    theirs."""
    seeds = {str(run.options.get("seed", "")) for run in base.runs}
    if not any(str(run.options.get("seed", "")) in seeds for line in lines for run in line.runs):
        return "no seed in common with it"
    names = [name for name in differing([run for line in (base, *lines) for run in line.runs])
             if name in DRAWN_BY]
    return "other flows than it has" + (
        f": {', '.join(names)} {'differs' if len(names) == 1 else 'differ'}" if names else "")
