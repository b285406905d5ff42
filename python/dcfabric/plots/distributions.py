# SPDX-License-Identifier: GPL-2.0-only
"""Slowdown by flow size, distributions of slowdown and completion time, and runs side by side."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ..drawing import (ccdf, confidence, counted, label, legend_above, name_places, note, panels,
                       ranges, shortened, spread, whisker_text, whiskers, wrapped)
from ..measures import BUCKETS, by_size, percentile
from .data import Line, Run

QUANTILES = (("median", 50.0), ("95th percentile", 95.0), ("99th percentile", 99.0))


def spread_of(values: Sequence[float], interval: bool) -> dict[str, float]:
    """Mean of several seeds, with their range or a confidence interval."""
    return confidence(values) if interval else spread(values)


def sizes_used(lines: Sequence[Line]) -> list[str]:
    """Buckets that hold flows of any line, from small to large."""
    found = {size for line in lines for size in by_size(line.flows)}
    return [size for size in BUCKETS if size in found]


def spreads_by_size(line: Line, used: Sequence[str], percent: float,
                    interval: bool) -> list[tuple[int, dict[str, float]]]:
    """Place and spread over the seeds of a percentile of the slowdown, for the buckets in which the
    line has flows."""
    points = []
    parts = [by_size(run.flows) for run in line.runs]
    for place, size in enumerate(used):
        values = [percentile(one[size]["slowdown"], percent) for one in parts if size in one]
        if values:
            points.append((place, spread_of(values, interval)))
    return points


def seeds_note(lines: Sequence[Line], interval: bool) -> str:
    """What whiskers are, "" without any."""
    most = max(len(line.runs) for line in lines)
    return whisker_text(most, interval) if most > 1 else ""


def slowdown_by_size(lines: Sequence[Line], interval: bool = False) -> Any:
    """Percentiles of the slowdown over the flow size."""
    used = sizes_used(lines)
    figure, axes = panels(1, 3, 13, 4.2)
    for axis, (name, percent) in zip(axes[0], QUANTILES):
        for line in lines:
            places, spreads = zip(*spreads_by_size(line, used, percent, interval))
            text = counted(line.label, len(line.flows))
            if len(line.runs) > 1:
                whiskers(axis, places, spreads, text, line.look)
            else:
                axis.plot(places, [one["mean"] for one in spreads], label=text,
                          **line.look.points())
        axis.set(title=f"slowdown, {name}", xlabel="flow size up to", ylabel="slowdown")
        axis.set_xticks(range(len(used)), used, rotation=45)
        axis.set_ylim(bottom=min(1, axis.get_ylim()[0]))
    legend_above(figure, axes)
    if seeds_note(lines, interval):
        note(figure, seeds_note(lines, interval))
    return figure


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
    for line in lines:
        flows = line.flows
        share = np.arange(1, len(flows) + 1) / len(flows)
        for axis, values in zip(axes[0], (flows["slowdown"], flows["fct_ns"] / 1e3)):
            # A step from zero, so that a folder with a single flow shows too.
            axis.step(np.concatenate([[values.min()], np.sort(values)]),
                      np.concatenate([[0], share]), where="post",
                      **line.look.line(label=counted(line.label, len(flows))))
    for axis in axes[0]:
        axis.set_ylim(0, 1.02)
        axis.set_ylabel("share of flows with at most so much")
    legend_above(figure, axes)
    return figure


def tail(lines: Sequence[Line]) -> Any:
    """Share of flows that have at least so much, on logarithmic axes: the last step is one flow."""
    figure, axes = _both()
    for line in lines:
        flows = line.flows
        for axis, values in zip(axes[0], (flows["slowdown"], flows["fct_ns"] / 1e3)):
            xs, shares = ccdf(values)
            axis.step([*xs, xs[-1]], [*shares, 0.5 / len(flows)], where="pre",
                      **line.look.line(label=counted(line.label, len(flows))))
    least = min(1 / len(line.flows) for line in lines)
    for axis in axes[0]:
        axis.set_yscale("log")
        axis.set_ylim(0.7 * least, 1.3)
        axis.set_ylabel("share of flows with at least so much")
    legend_above(figure, axes)
    return figure


PAUSES = "pause frames"
FEW = 8
"""Of so many lines the note has the numbers of flows one by one."""
TITLE_LETTER = 0.09
"""Width of a letter of a title in inches."""


def quantities(run: Run) -> dict[str, float]:
    """The numbers that the comparison shows, by title."""
    found = {}
    slowdown = run.flows["slowdown"].dropna()
    if len(slowdown):
        found["mean slowdown"] = float(slowdown.mean())
        found["p99 slowdown"] = percentile(slowdown, 99)
    for title, key, unit in ((label("goodput until the last flow ends", "Gb/s"), "goodput_gbps",
                              1.0),
                             (label("longest queue", "kB"), "max_queue_bytes", 1e3),
                             (PAUSES, "pfc_pause_frames", 1.0)):
        value = run.number(key)
        if value is not None:
            found[title] = value / unit
    return found


def compared(lines: Sequence[Line], interval: bool) -> dict[str, list[dict[str, float]]]:
    """Spread over the seeds of each quantity that all runs have, one for each line; those that are
    0 everywhere are left out."""
    tables = [[quantities(run) for run in line.runs] for line in lines]
    titles = [title for title in tables[0][0]
              if all(title in one for table in tables for one in table)]
    found = {title: [spread_of([one[title] for one in table], interval) for table in tables]
             for title in titles}
    return {title: spreads for title, spreads in found.items()
            if any(spread["high"] for spread in spreads)}


def number_text(value: float) -> str:
    """Three digits, or all of a whole number."""
    return f"{value:.0f}" if value >= 1000 or value == int(value) else f"{value:.3g}"


def comparison(lines: Sequence[Line], interval: bool = False) -> Any:
    """A panel with bars for each quantity, None if the runs have none in common."""
    found = compared(lines, interval)
    if not found:
        return None
    width = max(1.6 + 0.28 * len(lines), 3.4 / len(found))
    figure, axes = panels(1, len(found), width * len(found), 4.0)
    for axis, (title, spreads) in zip(axes[0], found.items()):
        for place, (line, one) in enumerate(zip(lines, spreads)):
            errors = ranges([one]) if len(line.runs) > 1 else None
            drawn = axis.bar([place], [one["mean"]], 0.8, yerr=errors, capsize=3,
                             error_kw={"ecolor": "0.25"}, **line.look.bar())
            axis.bar_label(drawn, [number_text(one["mean"])], padding=2, fontsize=8)
        name_places(axis, [line.label for line in lines])
        axis.set_title(wrapped(title, int(width / TITLE_LETTER)))
        axis.grid(visible=False, axis="x")
        axis.margins(y=0.15)
        axis.set_ylim(bottom=0)
    numbers = [len(line.flows) for line in lines]
    counts = (f"{min(numbers):,} to {max(numbers):,} in each" if len(lines) > FEW
              else ", ".join(f"{shortened(line.label)} {number:,}"
                             for line, number in zip(lines, numbers)))
    none = ([PAUSES] if PAUSES not in found
            and all(PAUSES in quantities(run) for line in lines for run in line.runs) else [])
    note(figure,
         "; ".join([*(f"no {what}" for what in none), *filter(None, [seeds_note(lines, interval)]),
                    f"complete flows: {counts}"]))
    return figure
