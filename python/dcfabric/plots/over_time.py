# SPDX-License-Identifier: GPL-2.0-only
"""Time series over time, of the first run of each line, as they say themselves how to be drawn."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ..columns import Figure, Panel, Series
from ..drawing import NEUTRALS, label, legend_above, legend_name, neutral, nth, panels, wrapped
from ..wording import count_of
from .data import Line
from .series import course, course_table, ranked, rows_of, sample_interval

TITLE = 100
"""Letters in a line of a title."""
STEPS = 100
"""And about that many steps of a line: single packets would hide its course."""


def name_of(of: tuple[str, ...], thing: Any) -> str:
    """A thing, such as node 4 port 0."""
    values = thing if isinstance(thing, tuple) else (thing,)
    return " ".join(f"{key} {value:.0f}" for key, value in zip(of, values))


def draw(series: Series, lines: Sequence[Line]) -> Any:
    """The figure of a series."""
    figure = series.figure
    assert figure is not None
    return (_together if figure.together else _apart)(series, figure, lines)


def _together(series: Series, figure: Figure, lines: Sequence[Line]) -> Any:
    """The first thing of each run, all in one panel."""
    panel, = figure.panels
    drawing, axes = panels(1, 1, 9, 4.5)
    axis = axes[0][0]
    for line in lines:
        table = line.first.series[series.name]
        thing = ranked(series, table, line.first.begin_ns).index[0]
        values = course_table(series, table, panel.curves[0].column).loc[thing] * panel.factor
        axis.plot(values.index / 1e3, values, **line.look.line(
            label=legend_name(f"{line.of_first()}: {name_of(figure.of, thing)}, peak "
                              f"{values.max():.0f} {panel.unit}".strip())))
    axis.set(title=figure.title, xlabel=label("time", "us"),
             ylabel=panel.axis)
    axis.set_ylim(bottom=0)
    legend_above(drawing, axes, 2)
    return drawing


def _apart(series: Series, figure: Figure, lines: Sequence[Line]) -> Any:
    """The first things of each run, panels for each."""
    drawn = [figure.drawn(line.first.series[series.name]) for line in lines]
    count = sum(map(len, drawn))
    drawing, axes = panels(count, 1, 9, max(4, 3 * len(lines), 2.5 * count), sharex=True)
    axes[-1, 0].set_xlabel(label("time", "us"))
    below = iter(axes[:, 0])
    for line, those in zip(lines, drawn):
        table = line.first.series[series.name]
        order = ranked(series, table, line.first.begin_ns)
        things = sorted(order.index[:figure.most]) if len(figure.of) == 1 else list(
            order.index[:figure.most])
        more = (f" ({len(things)} of {count_of(len(order), figure.of[-1])})"
                if len(order) > len(things) else "")
        for number, panel in enumerate(those):
            axis = next(below)
            said = _draw_panel(axis, figure, panel, table, things)
            if number == 0:
                axis.set_title(wrapped(f"{line.of_first()}{more}: {figure.title}{said}", TITLE),
                               fontsize="medium")
    return drawing


def _draw_panel(axis: Any, figure: Figure, panel: Panel, table: Any, things: Sequence[Any]) -> str:
    """Curves of things. Returns what the title has to add."""
    from matplotlib.lines import Line2D

    times = np.unique(table["time_ns"])
    count = -(-len(times) // STEPS)
    curves = [curve for curve in panel.curves if curve.column_in(table)]
    # more could not be told apart without the colors of algorithms
    of_thing = neutral if len(things) <= len(NEUTRALS) else nth
    handles = []
    for index, thing in enumerate(things):
        rows, look = rows_of(table, figure.of, thing), of_thing(index)
        name = name_of(figure.of, thing)
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
    if count > 1:
        said += [f"{curve.name or panel.quantity} as means of "
                 f"{count * sample_interval(times) / 1e3:g} us"
                 for curve in curves if curve.style == "mean"]
    return "".join(f"; {one}" for one in said)


STYLES: dict[str, dict[str, Any]] = {
    "line": {}, "limit": {"linewidth": 0.8, "linestyle": "--"},
    "mean": {"drawstyle": "steps-pre", "linewidth": 1.4}, "steps": {"drawstyle": "steps-post"}}
"""How matplotlib draws curves."""
