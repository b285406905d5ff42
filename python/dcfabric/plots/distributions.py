# SPDX-License-Identifier: GPL-2.0-only
"""Slowdown by flow size, and distributions of slowdown and completion time."""
from __future__ import annotations

import dataclasses
from typing import Any, Mapping, Sequence

import numpy as np

from ..drawing import (HOLLOW_TEXT, ccdf, confidence, counted, label, legend_above, legend_name,
                       note, panels, percentiles, spread, whisker_text)
from ..measures import BUCKETS, ENOUGH_ABOVE, above, by_size
from ..wording import count_of
from .data import Line, Run

QUANTILES = (("median", 50.0), ("95th percentile", 95.0), ("99th percentile", 99.0))
NAMES = {percent: name for name, percent in QUANTILES}
MOST_LINES = 12
"""With more, lines of one algorithm share an entry of the legend."""


def spread_of(values: Sequence[float], interval: bool, least: float = 0.0) -> dict[str, float]:
    """Mean of several seeds, with their range or a confidence interval."""
    return confidence(values, least) if interval else spread(values)


def sizes_used(lines: Sequence[Line], edges: Mapping[str, float] | None = None) -> list[str]:
    """Buckets that hold flows of any line, from small to large."""
    found = {size for line in lines for run in line.runs for size in parts_of(run, edges)}
    return [size for size in (BUCKETS if edges is None else edges) if size in found]


@dataclasses.dataclass(frozen=True)
class Percentile:
    """Of values of several runs taken together."""

    spread: Mapping[str, float]
    """``mean``: of all of them; ``low`` and ``high``: range of the seeds' own, or interval"""
    count: int
    """of values"""
    above: int
    """values above it"""

    @property
    def enough(self) -> bool:
        """Whether it is more than the luck of single values."""
        return self.above >= ENOUGH_ABOVE


def percentile_of(runs: Sequence[Any], percent: float, interval: bool,
                  least: float = 1.0) -> Percentile | None:
    """A percentile of the values of runs, None if nothing is above it: then it would be the largest
    value. It is that of all values together, with the range of the runs' own percentiles; with
    interval the mean of these, with its interval by Student's t, as Findings.intervals() has it."""
    known = [run for run in runs if len(run)]
    count = sum(map(len, known))
    behind = above(count, percent)
    if behind < 1:
        return None
    own = [float(np.sort(run)[len(run) - above(len(run), percent) - 1]) for run in known]
    values = np.concatenate([np.asarray(run, dtype=float) for run in known])
    whole = float(np.sort(values)[count - behind - 1])
    spread_ = {"mean": whole, "low": min(own), "high": max(own)}
    if interval:
        spread_ = confidence(own, least)
    return Percentile(spread_, count, behind)


def parts_of(run: Run, edges: Mapping[str, float] | None) -> dict[str, Any]:
    """The slowdowns of a run by flow size; kept, as each percentile asks for them."""
    key = tuple(BUCKETS if edges is None else edges)
    if key not in run.by_size:
        run.by_size[key] = {size: part["slowdown"].to_numpy()
                            for size, part in by_size(run.flows, edges).items()}
    return run.by_size[key]


def spreads_by_size(line: Line, used: Sequence[str], percent: float, interval: bool,
                    edges: Mapping[str, float] | None = None) -> list[tuple[int, Percentile]]:
    """Place and percentile of the slowdown, for the buckets in which the line has enough flows for
    one."""
    parts = [parts_of(run, edges) for run in line.runs]
    found = ((place, percentile_of([one[size] for one in parts if size in one],
                                   percent, interval)) for place, size in enumerate(used))
    return [(place, one) for place, one in found if one is not None]


def least_counts(lines: Sequence[Line], used: Sequence[str],
                 edges: Mapping[str, float] | None = None) -> list[tuple[int, int]]:
    """Fewest and most flows that a line has in each bucket."""
    counts = [[sum(len(parts_of(run, edges).get(size, ())) for run in line.runs)
               for line in lines] for size in used]
    return [(min(some), max(some)) for some in counts]


def seeds_note(lines: Sequence[Line], interval: bool, pooled: bool = False) -> str:
    """What points and whiskers are. pooled: of percentiles."""
    most = max(len(line.runs) for line in lines)
    if most == 1:
        return "one seed: small differences may be its luck"
    return (f"points: flows of all {most} seeds together; whiskers: range of the seeds' own values"
            if pooled and not interval else whisker_text(most, interval))


def entries(lines: Sequence[Line]) -> list[tuple[str, float]]:
    """What a legend calls each line, "" for none, and how opaque it is: lines of one algorithm
    share an entry where there are many."""
    if len(lines) <= MOST_LINES:
        return [(counted(line.label, len(line.flows)), 1.0) for line in lines]
    keys = [line.algorithm or line.label for line in lines]
    found: list[tuple[str, float]] = []
    for at, key in enumerate(keys):
        number = keys.count(key)
        name = f"{key} ({number} lines)" if number > 1 else key
        found.append((legend_name(name) if keys.index(key) == at else "", 0.55))
    return found


def crowd_note(lines: Sequence[Line]) -> list[str]:
    """How to tell many lines apart."""
    return ([f"{len(lines)} lines: --where OPTION=VALUE chooses, --x OPTION draws over an option"]
            if len(lines) > MOST_LINES else [])


def missing_note(lines: Sequence[Line], most: int = 5) -> list[str]:
    """Which lines lack flows, as their runs ended before all that had begun were received: mostly
    slow ones, so that they look better than they are. Lines without a flow that was received are
    not in figures of flows. most: lines that are named."""
    found = []
    for line in lines:
        missing = sum(run.missing for run in line.runs)
        if missing and len(line.flows):
            begun = sum(int(run.number("flows_started") or 0) for run in line.runs)
            status = sorted({str(run.summary.get("status", "")) for run in line.runs
                             if run.missing} - {""})
            found.append(f"{line.label}: {missing:,} of {begun:,}"
                         + (f" ({', '.join(status)})" if status else ""))
    if len(found) > most:
        found[most:] = [f"and {count_of(len(found) - most, 'more line', 'more lines')}"]
    return [f"flows begun but not received are missing: {', '.join(found)}"] if found else []


def slowdown_by_size(lines: Sequence[Line], interval: bool = False,
                     edges: Mapping[str, float] | None = None) -> Any:
    """Percentiles of the slowdown over the flow size, filled where they are of enough flows."""
    used = sizes_used(lines, edges)
    figure, axes = panels(1, 3, 13, 4.4)
    few = False
    for axis, (name, percent) in zip(axes[0], QUANTILES):
        for line, (text, alpha) in zip(lines, entries(lines)):
            found = spreads_by_size(line, used, percent, interval, edges)
            few |= _percentiles(axis, found, line, text, alpha)
        axis.set(title=f"slowdown, {name}", xlabel="flow size up to; flows", ylabel="slowdown",
                 xlim=(-0.5, len(used) - 0.5))
        axis.set_xticks(range(len(used)), [f"{size}\n{count}" for size, count
                                           in zip(used, counts_text(lines, used, edges))],
                        fontsize=9 if len(used) <= 5 else 6.5)
        axis.set_ylim(bottom=min(1, axis.get_ylim()[0]))
        if not any(len(line.get_xdata()) for line in axis.lines):
            axis.text(0.5, 0.5, f"not enough flows for a\n{name}", ha="center", va="center",
                      transform=axis.transAxes, color="0.35")
            axis.set_yticks([])
    legend_above(figure, axes)
    hollow = [f"{HOLLOW_TEXT}; no point: no flow is slower"] if few else []
    note(figure, "; ".join([*hollow, *counts_note(counts_text(lines, used, edges)),
                            seeds_note(lines, interval, pooled=True), *crowd_note(lines)]))
    return figure


def counts_text(lines: Sequence[Line], used: Sequence[str],
                edges: Mapping[str, float] | None = None) -> list[str]:
    """Flows of each size: of all lines, or the fewest with a +."""
    return [_range(counts) for counts in least_counts(lines, used, edges)] if lines else []


def counts_note(counts: Sequence[str]) -> list[str]:
    """What a + behind a number of flows means, if there is one."""
    texts = {"0+": "0+: some lines have no flow of the size",
             "1+": "1+: at least one flow in each line"}
    found = [texts.get(text, f"{text}: at least {text[:-1]} flows in each line")
             for text in counts if text.endswith("+")]
    return sorted(set(found[:1] + [texts["0+"]] * ("0+" in counts)), key=found.index)


def _range(counts: tuple[int, int]) -> str:
    """Of flows in a bucket."""
    low, high = counts
    return f"{low:,}" if low == high else f"{low:,}+"


def _percentiles(axis: Any, found: Sequence[tuple[int, Percentile]], line: Line, text: str,
                 alpha: float) -> bool:
    """Points of a line: those of enough flows are filled, and a line joins neighbors. Whether
    some are not, or are missing."""
    some = percentiles(axis, [(place, one.spread, one.enough) for place, one in found], text,
                       line.look, alpha)
    return some or len(found) < 1


def _both() -> tuple[Any, Any]:
    from matplotlib.ticker import LogFormatter

    figure, axes = panels(1, 2, 10, 4.4)
    axes[0][0].set(title="slowdown of all flows", xlabel="slowdown")
    axes[0][1].set(title="flow completion time", xlabel=label("time", "us"))
    for axis in axes[0]:
        axis.set_xscale("log")
        axis.xaxis.set_major_formatter("{x:g}")
        axis.xaxis.set_minor_formatter(LogFormatter(minor_thresholds=(1.5, 0.7)))
        axis.grid(visible=True, which="both", alpha=0.6)
    return figure, axes


def distribution(lines: Sequence[Line]) -> Any:
    """Share of flows that have at most so much."""
    figure, axes = _both()
    for line, (text, alpha) in zip(lines, entries(lines)):
        flows = line.flows
        share = np.arange(1, len(flows) + 1) / len(flows)
        for axis, values in zip(axes[0], (flows["slowdown"], flows["fct_ns"] / 1e3)):
            # A step from zero, so that a folder with a single flow shows too.
            axis.step(np.concatenate([[values.min()], np.sort(values)]),
                      np.concatenate([[0], share]), where="post",
                      **line.look.line(label=text, alpha=alpha))
    for axis in axes[0]:
        axis.set_ylim(0, 1.02)
        axis.set_ylabel("share of flows with at most so much")
    legend_above(figure, axes)
    if crowd_note(lines):
        note(figure, "; ".join(crowd_note(lines)))
    return figure


def tail(lines: Sequence[Line]) -> Any:
    """Share of flows that have at least so much, on logarithmic axes: the last step is one flow.
    What the slowest few decide is pale."""
    figure, axes = _both()
    for line, (text, alpha) in zip(lines, entries(lines)):
        flows = line.flows
        for axis, values in zip(axes[0], (flows["slowdown"], flows["fct_ns"] / 1e3)):
            xs, shares = ccdf(values)
            firm = sum(share >= ENOUGH_ABOVE / len(flows) for share in shares)
            axis.step(xs[:firm], shares[:firm], where="pre",
                      **line.look.line(label=text, alpha=alpha))
            axis.step([*xs[max(0, firm - 1):], xs[-1]],
                      [*shares[max(0, firm - 1):], 0.5 / len(flows)], where="pre",
                      **line.look.line(alpha=0.45 * alpha, linewidth=0.9))
    least = min(1 / len(line.flows) for line in lines)
    for axis in axes[0]:
        axis.set_yscale("log")
        axis.set_ylim(0.7 * least, 1.3)
        axis.set_ylabel("share of flows with at least so much")
    legend_above(figure, axes)
    note(figure, "; ".join([f"pale: the {ENOUGH_ABOVE} slowest flows of each line, where single "
                            "ones decide", *crowd_note(lines)]))
    return figure
