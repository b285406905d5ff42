# SPDX-License-Identifier: GPL-2.0-only
"""Time series of result folders: which things matter most, and their courses."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..columns import SERIES, Curve, Series
from .data import Run


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
