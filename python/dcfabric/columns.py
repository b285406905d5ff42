# SPDX-License-Identifier: GPL-2.0-only
"""What is in result files and how time series are drawn, as ``dcfabric-sim --describe=json`` tells
it: results.json beside this file, which .ci/update-options writes."""
from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any, Mapping


@dataclasses.dataclass(frozen=True)
class Column:
    """Of a CSV file."""

    name: str
    type: str
    """``key`` (a whole number that says what the row is of), ``whole``, ``real`` (may be empty) or
    ``text``"""
    later: bool = False
    """results of earlier versions lack it"""
    of_labels: bool = False
    of_datagrams: bool = False
    """only where flows have labels"""

    @property
    def dtype(self) -> str:
        """Of pandas."""
        return {"real": "float64", "text": "str"}.get(self.type, "int64")


@dataclasses.dataclass(frozen=True)
class Curve:
    """A line of each thing in a panel."""

    column: str
    name: str
    """in the legend; empty: the panel has one curve"""
    style: str
    """``line``, ``limit``, ``mean`` (of several samples, each over the time since the sample
    before) or ``steps`` (each value holds until the next row; 0 stands for none)"""
    older: str
    """column in its place in results of earlier versions; empty: none"""

    def column_in(self, table: Any) -> str:
        """The column that a table has for it; empty if it has none."""
        return next((one for one in (self.column, self.older) if one in table.columns), "")


@dataclasses.dataclass(frozen=True)
class Panel:
    """Axes."""

    quantity: str
    unit: str
    factor: float
    """from the unit of the columns"""
    most: float
    """upper end of the axis; 0: as the values need it"""
    instead: bool
    """only where the panel before has nothing but zeros"""
    aside: bool
    """only in timelines"""
    curves: tuple[Curve, ...]

    @property
    def axis(self) -> str:
        """Its label."""
        return f"{self.quantity} ({self.unit})" if self.unit else self.quantity

    def has_values(self, table: Any) -> bool:
        """Whether a table has more than zeros for it."""
        return any(table[column].any() for column in
                   (curve.column_in(table) for curve in self.curves) if column)


@dataclasses.dataclass(frozen=True)
class Spans:
    """What takes a time, in timelines."""

    column: str
    begin: str
    end: str
    """texts in the column"""
    name: str


@dataclasses.dataclass(frozen=True)
class Figure:
    """What a figure of a series shows: of all things that it tells of the few that matter most."""

    title: str
    nothing: str
    """of a thing without rows, in its timeline; empty: timelines leave the series out"""
    of: tuple[str, ...]
    """columns that name a thing"""
    order: str
    """which are shown: those with the largest ``peak``, ``mean`` over time or ``sum`` of a column,
    or with most ``rows``"""
    by: str
    most: int
    """things that are shown of a run"""
    together: bool
    """one panel for all runs"""
    panels: tuple[Panel, ...]
    spans: Spans | None

    def drawn(self, table: Any) -> list[Panel]:
        """The panels of a figure: of two that stand for each other, the one with values."""
        found: list[Panel] = []
        for panel in self.panels:
            if panel.aside:
                continue
            if not panel.instead:
                found.append(panel)
            elif not found[-1].has_values(table):
                found[-1] = panel
        return found


@dataclasses.dataclass(frozen=True)
class Series:
    """A time series, NAME.csv."""

    name: str
    rows: str
    """which samples have one: ``all``, ``changes`` (at which a value has changed) or ``thinned``
    (which a straight line between others does not show)"""
    columns: tuple[Column, ...]
    """behind ``time_ns``"""
    figure: Figure | None = None

    @property
    def sparse(self) -> bool:
        """Whether samples without a row are like others."""
        return self.rows != "all"

    @property
    def keys(self) -> list[str]:
        """Columns that say what a row is of."""
        return [column.name for column in self.columns if column.type == "key"]

    @property
    def parts(self) -> list[str]:
        """Of these, those that tell parts of a thing from one another, such as classes of a
        port."""
        of = self.figure.of if self.figure else ()
        return [key for key in self.keys if key not in of] if set(of) <= set(self.keys) else []


def _figure(told: Mapping[str, Any]) -> Figure:
    panels = tuple(Panel(**{**panel, "curves": tuple(Curve(**one) for one in panel["curves"])})
                   for panel in told["panels"])
    spans = Spans(**told["spans"]) if "spans" in told else None
    return Figure(**{**told, "of": tuple(told["of"]), "panels": panels, "spans": spans})


def series_from(told: Mapping[str, Any]) -> Series:
    """A series as the program describes it."""
    return Series(told["name"], told["rows"], tuple(Column(**one) for one in told["columns"]),
                  _figure(told["figure"]) if "figure" in told else None)


_TOLD = json.loads(Path(__file__).with_name("results.json").read_text(encoding="utf-8"))
FLOWS = tuple(Column(**one) for one in _TOLD["flows"])
"""Columns of flows.csv."""
SERIES = {one["name"]: series_from(one) for one in _TOLD["series"]}
"""Time series by name."""


def series_of(*keys: str) -> list[Series]:
    """Those whose things are named by these columns, and which timelines show."""
    return [series for series in SERIES.values()
            if series.figure and series.figure.nothing and series.figure.of == keys]
