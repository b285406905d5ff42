# SPDX-License-Identifier: GPL-2.0-only
"""Time series of result folders: which things matter most, their courses, and figures of both."""
from __future__ import annotations

import re
from typing import Any, Mapping, Sequence

import numpy as np

from ..columns import SERIES, Curve, Figure, Panel, Series, series_of
from ..drawing import (NEUTRALS, Look, label, legend_above, legend_name, neutral, note, nth, panels,
                       wrapped)
from ..plan import Plan, ways_of
from ..wording import count_of
from .data import Line, Run


def summed(series: Series, table: Any, column: str) -> Any:
    """Values of a column for each thing of a sparse series, its parts together, by the columns that
    name it and time.

    A part has a row only where its value changes, so what is summed are the changes."""
    assert series.figure is not None
    of = list(series.figure.of)
    changes = table[column] - table.groupby(series.keys)[column].shift(fill_value=0)
    changes = changes.groupby([*(table[key] for key in of), table["time_ns"]]).sum()
    return changes.groupby(level=of).cumsum()


def mean_over_time(series: Series, table: Any, column: str, begin_ns: float) -> Any:
    """Of a column of a sparse series, by the columns that name a thing. A row tells of all samples
    since the row before."""
    span = table["time_ns"] - table.groupby(series.keys)["time_ns"].shift(fill_value=begin_ns)
    sums = (table[column] * span).groupby([table[key] for key in series.keys]).sum()
    return sums / max(1, table["time_ns"].max() - begin_ns)


def mean_use(links: Any, begin_ns: float) -> Any:
    """Share of its line rate that each port sends over time, by node and port."""
    return mean_over_time(SERIES["links"], links, "utilisation", begin_ns)


def ranked(series: Series, table: Any, begin_ns: float) -> Any:
    """What things are ordered by, the most important one first."""
    figure = series.figure
    assert figure is not None
    of = list(figure.of)
    by = figure.by
    if by and by not in table.columns:  # of an earlier version
        by = next(curve.older for panel in figure.panels for curve in panel.curves if curve.older)
    if figure.order == "rows":
        found = table.groupby(of).size()
    elif figure.order == "mean":
        found = mean_over_time(series, table, by, begin_ns)
    elif figure.order == "peak":
        found = course_table(series, table, by).groupby(level=of).max()
    else:
        found = table.groupby(of)[by].sum()
    return found.sort_values(ascending=False, kind="stable")


def course_table(series: Series, table: Any, column: str) -> Any:
    """Values of a column by the columns that name a thing, and time."""
    if series.parts and series.sparse:
        return summed(series, table, column)
    assert series.figure is not None
    return table.set_index([*series.figure.of, "time_ns"])[column].sort_index(kind="stable")


def rows_of(table: Any, of: tuple[str, ...], thing: Any) -> Any:
    """The rows of one thing."""
    chosen = np.ones(len(table), dtype=bool)
    for key, value in zip(of, thing if isinstance(thing, tuple) else (thing,)):
        chosen &= (table[key] == value).to_numpy()
    return table[chosen]


def sample_interval(times: Any) -> float:
    """Time between two samples in ns, 0 if there is but one."""
    return float(np.median(np.diff(times))) if len(times) > 1 else 0.0


def means(rows: Any, column: str, factor: float, times: Any, count: int) -> tuple[Any, Any]:
    """Times in us and values of a thing, for a line in steps: each value is the mean of that many
    samples up to its time. At a time at which the thing has no row it gets nothing. times: of all
    samples."""
    inside = times[(times >= rows["time_ns"].iloc[0]) & (times <= rows["time_ns"].iloc[-1])]
    values = rows.groupby("time_ns")[column].sum().reindex(
        inside, fill_value=0).to_numpy() * factor
    edges = np.array([inside[0] - sample_interval(times), *inside])
    got = np.concatenate([[0], np.cumsum(values * np.diff(edges))])
    chosen = np.unique([*range(0, len(edges), count), len(edges) - 1])
    edges, got = edges[chosen], got[chosen]
    spans = np.maximum(np.diff(edges), 1e-3)  # a single sample spans nothing
    averages = np.diff(got) / spans if edges[0] < edges[-1] else values
    line = edges / 1e3, np.array([averages[0], *averages])
    if inside[-1] == times[-1]:
        return line
    return np.append(line[0], inside[-1] / 1e3), np.append(line[1], 0)  # the thing has ended


def course(curve: Curve, rows: Any, factor: float, times: Any, count: int) -> tuple[Any, Any]:
    """Times in us and values of a curve. rows: of the thing. times: of all samples. count: how many
    of these a mean is of."""
    column = curve.column_in(rows)
    if curve.style == "mean":
        return means(rows, column, factor, times, count)
    told = rows[rows[column] > 0] if curve.style == "steps" else rows
    return told["time_ns"] / 1e3, told[column] * factor


def use_by_port(run: Run) -> dict[tuple[int, int], float]:
    """Share of its line rate that each port of a run sends, 0 to 1, by node and port."""
    found = mean_use(run.series["links"], run.begin_ns)
    return {(int(node), int(port)): float(value) for (node, port), value in found.items()}


TITLE = 100
"""Letters in a line of a title."""
STEPS = 100
"""And about that many steps of a line: single packets would hide its course."""


def samples_of_step(times: Any) -> int:
    """How many samples a mean is of. times: of all samples."""
    return -(-len(times) // STEPS)


def means_said(panel: Panel, curves: Sequence[Curve], times: Any) -> list[str]:
    """Of what and of how long the means are that stand for curves; nothing of single samples."""
    count = samples_of_step(times)
    return [f"{curve.name or panel.quantity} as means of "
            f"{count * sample_interval(times) / 1e3:g} us"
            for curve in curves if curve.style == "mean" and count > 1]


def name_of(of: tuple[str, ...], thing: Any) -> str:
    """A thing, such as node 4 port 0."""
    values = thing if isinstance(thing, tuple) else (thing,)
    return " ".join(f"{key} {value:.0f}" for key, value in zip(of, values))


def first_of(figure: Figure, order: Sequence[Any], most: int) -> list[Any]:
    """The things that matter most: by number, if they have one."""
    return sorted(order[:most]) if len(figure.of) == 1 else list(order[:most])


def first_note(some: Sequence[Line], lines: Sequence[Line]) -> list[str]:
    """That a figure has the first lines only, if it has not all."""
    return ([f"the first {len(some)} of {len(lines)} lines; --where OPTION=VALUE chooses others"]
            if len(some) < len(lines) else [])


def thing_looks(things: Sequence[Any], more: Sequence[Any] = ()) -> dict[Any, Look]:
    """How the things of a figure look, in this order, and more that a page shows beside them."""
    order = dict.fromkeys([*things, *more])
    # more could not be told apart without the colors of algorithms
    of_thing = neutral if len(order) <= len(NEUTRALS) else nth
    return {thing: of_thing(number) for number, thing in enumerate(order)}


PORT = ("node", "port")
Ways = Mapping[tuple[int, int], str]
"""Where the links of ports lead, as far as that is known."""
MOST_LINES = 12
"""Runs in a figure, and panels of runs that have their own: more would be neither told
apart nor seen at once."""


def has_ports(run: Run) -> bool:
    """Whether a run has series of ports."""
    return any(run.has(series.name) for series in series_of(*PORT))


def thing_name(of: tuple[str, ...], thing: Any, ways: Ways) -> str:
    """Of a thing, for a legend: of a port where its link leads, if that is known."""
    way = ways.get((int(thing[0]), int(thing[1]))) if of == PORT else None
    return way or name_of(of, thing)


def draw(series: Series, lines: Sequence[Line], plans: Mapping[str, Plan] | None = None,
         shown: tuple[float, float, str] = (-np.inf, np.inf, "")) -> Any:
    """The figure of a series. plans: by label, for the names of ports. shown: from when to when, in
    us, and what that leaves out."""
    figure = series.figure
    assert figure is not None
    some = list(lines)
    if not figure.together:
        drawn = [len(figure.drawn(line.first.series[series.name])) for line in some]
        some = [line for at, line in enumerate(some)
                if not at or sum(drawn[:at + 1]) <= MOST_LINES]
    said = [shown[2]] if shown[2] else []
    some = some[:MOST_LINES]
    said += first_note(some, lines)
    ways = {line.label: ways_of(plans[line.label]) if plans and line.label in plans else {}
            for line in some}
    drawing = (_together if figure.together else _apart)(series, figure, some, ways)
    axis = drawing.axes[-1]
    left, right = axis.get_xlim()
    begin, end = some[0].first.window
    begin, end = max(begin, shown[0]), min(end, shown[1])
    axis.set_xlim(left=begin if np.isfinite(begin) and begin < right else None,
                  right=end if left < end < right else None)
    if figure.together:
        said += _cut_quiet_ends(axis)
        said.append("a queue: all classes of its port together")
        if any(_longest(line.first) is None for line in some):
            said.append("peaks are those of the samples; between two of them a queue may be longer")
        elif any(re.search(r"peak \d+ \(", str(one.get_label())) for one in axis.lines):
            said.append("in parentheses: the longest queue, between two samples")
    if said:
        note(drawing, "; ".join(said))
    return drawing


QUIET, ROOM = 0.02, 1.05
"""Of the highest peak: less is nothing that a reader sees. And room behind what is more."""


def _cut_quiet_ends(axis: Any) -> list[str]:
    """Where nothing happens for more than a third of the axis, at its begin or at its end, it is
    cut there, and says so."""
    top = max((max(line.get_ydata(), default=0) for line in axis.lines), default=0)
    all_of = [x for line in axis.lines for x in line.get_xdata()]
    busy = [x for line in axis.lines for x, y in zip(line.get_xdata(), line.get_ydata())
            if y > QUIET * top]
    if not busy:
        return []
    begin, end = axis.get_xlim()
    first, last, cut = min(busy), max(busy), []
    room = (ROOM - 1) * (last - first)
    if first - begin > (end - begin) / 3:
        cut.append(f"before {first:,.0f} us")
        axis.set_xlim(left=first - room)
        begin = first - room
    if end - last > (end - begin) / 3:
        cut.append(f"from {last:,.0f} to {min(end, max(all_of)):,.0f} us")
        axis.set_xlim(right=last + room)
    return ([f"not shown: {' and '.join(cut)}, where all queues are below {100 * QUIET:.0f} % of "
             "the highest peak"] if cut else [])


def _longest(run: Run) -> float | None:
    """The longest queue of a port at any time, in bytes; None where that is not known of the times
    that are shown."""
    if any(np.isfinite(end) for end in run.window):
        return None
    return run.number("max_port_queue_bytes")


def _peak_text(values: Any, run: Run, panel: Panel) -> str:
    """The highest sample; in parentheses what the run had between two of them, so that both are one
    queue to a reader of other figures."""
    peak, longest = f"{values.max():.0f}", (_longest(run) or 0) * panel.factor
    more = f" ({longest:.0f})" if longest > values.max() and f"{longest:.0f}" != peak else ""
    return f"peak {peak}{more} {panel.unit}".strip()


def _together(series: Series, figure: Figure, lines: Sequence[Line],
              ways: Mapping[str, Ways]) -> Any:
    """The first thing of each run, all in one panel."""
    panel, = figure.panels
    drawing, axes = panels(1, 1, 9, 4.5)
    axis = axes[0][0]
    for line in lines:
        table = line.first.series[series.name]
        thing = ranked(series, table, line.first.begin_ns).index[0]
        values = course_table(series, table, panel.curves[0].column).loc[thing] * panel.factor
        axis.plot(values.index / 1e3, values, **line.look.line(label=legend_name(
            f"{line.of_first()}: {thing_name(figure.of, thing, ways[line.label])}, "
            f"{_peak_text(values, line.first, panel)}")))
    axis.set(title=figure.title, xlabel=label("time", "us"),
             ylabel=panel.axis)
    axis.set_ylim(bottom=0)
    legend_above(drawing, axes, 2)
    return drawing


def _apart(series: Series, figure: Figure, lines: Sequence[Line],
           ways: Mapping[str, Ways]) -> Any:
    """The first things of each run, panels for each."""
    drawn = [figure.drawn(line.first.series[series.name]) for line in lines]
    count = sum(map(len, drawn))
    drawing, axes = panels(count, 1, 9, max(4, 3 * len(lines), 2.5 * count), sharex=True)
    axes[-1, 0].set_xlabel(label("time", "us"))
    below = iter(axes[:, 0])
    for line, those in zip(lines, drawn):
        table = line.first.series[series.name]
        order = ranked(series, table, line.first.begin_ns)
        things = first_of(figure, order.index, figure.most)
        more = (f" ({len(things)} of {count_of(len(order), figure.of[-1])})"
                if len(order) > len(things) else "")
        for number, panel in enumerate(those):
            axis = next(below)
            said = _draw_panel(axis, figure, panel, table, things, ways[line.label])
            if number == 0:
                axis.set_title(wrapped(f"{line.of_first()}{more}: {figure.title}{said}", TITLE),
                               fontsize="medium", loc="left")
    return drawing


def _draw_panel(axis: Any, figure: Figure, panel: Panel, table: Any, things: Sequence[Any],
                ways: Ways) -> str:
    """Curves of things. Returns what the title has to add."""
    from matplotlib.lines import Line2D

    times = np.unique(table["time_ns"])
    count = samples_of_step(times)
    curves = [curve for curve in panel.curves if curve.column_in(table)]
    handles = []
    for thing, look in thing_looks(things).items():
        rows = rows_of(table, figure.of, thing)
        name = thing_name(figure.of, thing, ways)
        for curve in curves:
            how = ({"label": name, "color": look.color} if len(panel.curves) > 1
                   or curve.style == "steps" else look.line(label=name))
            axis.plot(*course(curve, rows, panel.factor, times, count),
                      **{**how, **STYLES[curve.style]})
        handles.append(Line2D([], [], color=look.color, label=name) if len(panel.curves) > 1
                       else axis.lines[-1])
    handles += [Line2D([], [], color="0.4", **STYLES[curve.style], label=curve.name)
                for curve in curves if len(panel.curves) > 1]
    axis.set_ylabel(panel.axis)
    axis.set_ylim(0, panel.most or None)
    axis.legend(handles=handles, loc="center left", bbox_to_anchor=(1, 0.5))
    lacking = [curve.name or curve.column for curve in panel.curves if curve not in curves]
    said = [f"no {', '.join(lacking)} in the results of this earlier version"] if lacking else []
    said += means_said(panel, curves, times)
    return "".join(f"; {one}" for one in said)


STYLES: dict[str, dict[str, Any]] = {
    "line": {}, "limit": {"linewidth": 0.8, "linestyle": "--"},
    "mean": {"drawstyle": "steps-pre", "linewidth": 1.4}, "steps": {"drawstyle": "steps-post"}}
"""How matplotlib draws curves."""
