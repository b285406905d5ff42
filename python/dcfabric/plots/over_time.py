# SPDX-License-Identifier: GPL-2.0-only
"""Queues, rates, windows and links over time, of the first run of each line."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ..drawing import NEUTRALS, label, legend_above, legend_name, neutral, nth, panels, wrapped
from .data import LATER_COLUMNS, Line, Run
from .series import all_classes, mean_use, sample_interval, throughput

MANY = 8
"""At most that many lines of one run in a figure."""
TITLE = 100
"""Letters in a line of a title."""
STEPS = 100
"""And about that many steps of a line: single packets would hide its course."""


def busiest_queue(run: Run) -> tuple[int, int, Any]:
    """Node, port and course (bytes by time in ns) of the queue with the highest peak."""
    by_port = all_classes(run.series["queues"])
    node, port = by_port.groupby(level=["node", "port"]).max().idxmax()
    return int(node), int(port), by_port.loc[(node, port)]


def queues(lines: Sequence[Line]) -> Any:
    """The queue at the port with the highest peak of each run."""
    figure, axes = panels(1, 1, 9, 4.5)
    axis = axes[0][0]
    for line in lines:
        node, port, course = busiest_queue(line.first)
        axis.plot(course.index / 1e3, course / 1e3,
                  **line.look.line(
                      label=legend_name(f"{line.of_first()}: node {node} port {port}, peak "
                                        f"{course.max() / 1e3:.0f} kB")))
    axis.set(title="queue at the port with the highest peak", xlabel=label("time", "us"),
             ylabel=label("queue", "kB"))
    axis.set_ylim(bottom=0)
    legend_above(figure, axes, 2)
    return figure


def _stack(lines: Sequence[Line]) -> tuple[Any, Any]:
    """One panel for each line, one below the other, with a common time axis."""
    figure, axes = panels(len(lines), 1, 9, max(4, 3 * len(lines)), sharex=True)
    axes[-1, 0].set_xlabel(label("time", "us"))
    return figure, axes[:, 0]


def is_measured(rates: Any) -> bool:
    """Whether a table of rates has the throughput."""
    return set(LATER_COLUMNS["rates.csv"]) <= set(rates.columns)


def largest_flows(rates: Any, count: int) -> list[int]:
    """The flows that sent most, in ascending order."""
    totals = rates.groupby("flow")["throughput_bps" if is_measured(rates) else "rate_bps"].sum()
    return sorted(int(flow)
                  for flow in totals.sort_values(ascending=False, kind="stable").index[:count])


def rates(lines: Sequence[Line]) -> Any:
    """Throughput of the largest flows and the limit that their congestion control sets, a panel for
    each run."""
    from matplotlib.lines import Line2D

    figure, axes = _stack(lines)
    for axis, line in zip(axes, lines):
        table = line.first.series["rates"]
        measured = is_measured(table)
        limit = "limit_bps" if measured else "rate_bps"
        times = np.unique(table["time_ns"])
        count = -(-len(times) // STEPS)
        shown, total = largest_flows(table, MANY), table["flow"].nunique()
        handles = []
        # more could not be told apart without the colors of algorithms
        of_flow = neutral if len(shown) <= len(NEUTRALS) else nth
        for index, flow in enumerate(shown):
            one, color = table[table["flow"] == flow], of_flow(index).color
            if measured:
                axis.plot(*throughput(one, times, count), drawstyle="steps-pre", linewidth=1.4,
                          color=color)
            axis.plot(one["time_ns"] / 1e3, one[limit] / 1e9, linewidth=0.8, linestyle="--",
                      color=color)
            handles.append(Line2D([], [], color=color, label=f"flow {flow}"))
        if measured:
            handles.append(Line2D([], [], color="0.4", linewidth=1.4, label="throughput"))
        handles.append(Line2D([], [], color="0.4", linewidth=0.8, linestyle="--", label="limit"))
        more = f" ({len(shown)} of {total} flows)" if total > len(shown) else ""
        mean = f", mean of {count * sample_interval(times) / 1e3:g} us" if count > 1 else ""
        what = (f"throughput (payload received{mean}), limit (lower of rate and window / base RTT)"
                if measured else "limit of the rate (this rates.csv has no throughput)")
        axis.set_title(wrapped(f"{line.of_first()}{more}: {what}", TITLE), fontsize="medium")
        axis.set_ylabel(label("rate", "Gb/s"))
        axis.set_ylim(bottom=0)
        axis.legend(handles=handles, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def windows(lines: Sequence[Line]) -> Any:
    """Windows (rates, where there is no window) and round-trip times of the flows in which they
    changed most often, two panels for each run."""
    figure, axes = panels(2 * len(lines), 1, 9, max(4, 5 * len(lines)), sharex=True)
    axes[-1, 0].set_xlabel(label("time", "us"))
    for line, (upper, lower) in zip(lines, axes[:, 0].reshape(-1, 2)):
        table = line.first.series["windows"]
        column, unit, name = ("window_bytes", 1e3,
                              label("window", "kB")) if table["window_bytes"].any() \
            else ("rate_bps", 1e9, label("rate", "Gb/s"))
        counts = table.groupby("flow").size().sort_values(ascending=False, kind="stable")
        shown = sorted(int(flow) for flow in counts.index[:MANY])
        of_flow = neutral if len(shown) <= len(NEUTRALS) else nth
        for index, flow in enumerate(shown):
            one, color = table[table["flow"] == flow], of_flow(index).color
            upper.plot(one["time_ns"] / 1e3, one[column] / unit, drawstyle="steps-post",
                       color=color, label=f"flow {flow}")
            told = one[one["rtt_ns"] > 0]
            lower.plot(told["time_ns"] / 1e3, told["rtt_ns"] / 1e3, drawstyle="steps-post",
                       color=color)
        more = f" ({len(shown)} of {len(counts)} flows)" if len(counts) > len(shown) else ""
        upper.set(
            title=wrapped(f"{line.of_first()}{more}: what senders may have in flight, and what "
                          "they measure", TITLE), ylabel=name)
        lower.set(ylabel=label("round-trip time", "us"))
        upper.set_ylim(bottom=0)
        lower.set_ylim(bottom=0)
        upper.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def links(lines: Sequence[Line]) -> Any:
    """Use of the four busiest links over time, a panel for each run."""
    figure, axes = _stack(lines)
    for axis, line in zip(axes, lines):
        table = line.first.series["links"]
        busiest = mean_use(table,
                           line.first.begin_ns).sort_values(ascending=False,
                                                            kind="stable").index[:4]
        for index, (node, port) in enumerate(busiest):
            one = table[(table["node"] == node) & (table["port"] == port)]
            axis.plot(one["time_ns"] / 1e3, one["utilisation"] * 100,
                      **neutral(index).line(label=f"node {node:.0f} port {port:.0f}"))
        axis.set(title=wrapped(f"{line.of_first()}: busiest links", TITLE),
                 ylabel=label("use", "%"))
        axis.set_ylim(0, 105)
        axis.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return figure
