# SPDX-License-Identifier: GPL-2.0-only
"""Slowdown by flow size, and distributions of slowdown and completion time."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ..drawing import (ccdf, confidence, counted, label, legend_above, note, panels, whisker_text,
                       whiskers)
from .data import Line, percentile

EDGES = (10e3, 30e3, 50e3, 80e3, 100e3, 200e3, 1e6, 2e6, 5e6, 10e6, float("inf"))
"""Upper edges of the size buckets, as in summary.json."""
EDGE_NAMES = ("10 kB", "30 kB", "50 kB", "80 kB", "100 kB", "200 kB", "1 MB", "2 MB", "5 MB",
              "10 MB", "above")
QUANTILES = (("median", 50.0), ("95th percentile", 95.0), ("99th percentile", 99.0))


def bucket(flows: Any) -> Any:
    """Index of the size bucket of every flow."""
    return np.searchsorted(EDGES, flows["size_bytes"].to_numpy(), side="left")


def spread_of(values: Sequence[float], interval: bool) -> dict[str, float]:
    """Mean of several seeds, with their range or a confidence interval."""
    if interval:
        return confidence(values)
    return {"mean": sum(values) / len(values), "low": min(values), "high": max(values)}


def sizes_used(lines: Sequence[Line]) -> list[int]:
    """Buckets that hold flows of any line."""
    return sorted({int(one) for line in lines for one in np.unique(bucket(line.flows))})


def by_size(line: Line, used: Sequence[int], percent: float,
            interval: bool) -> list[tuple[int, dict[str, float]]]:
    """Place and spread over the seeds of a percentile of the slowdown, for the buckets in which the
    line has flows."""
    points = []
    for place, one in enumerate(used):
        values = [percentile(run.flows["slowdown"][bucket(run.flows) == one], percent)
                  for run in line.runs if (bucket(run.flows) == one).any()]
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
            places, spreads = zip(*by_size(line, used, percent, interval))
            text = counted(line.label, len(line.flows))
            if len(line.runs) > 1:
                whiskers(axis, places, spreads, text, line.look)
            else:
                axis.plot(places, [one["mean"] for one in spreads], label=text,
                          **line.look.points())
        axis.set(title=f"slowdown, {name}", xlabel="flow size up to", ylabel="slowdown")
        axis.set_xticks(range(len(used)), [EDGE_NAMES[b] for b in used], rotation=45)
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
