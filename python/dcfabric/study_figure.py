# SPDX-License-Identifier: GPL-2.0-only
"""Figures of studies: a quantity over a column of the grid, with a line or bars for each value of
another one."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from . import drawing
from .errors import DcfabricError
from .intervals import ENOUGH_SEEDS, LEAST_SEEDS
from .looks import KINDS, known_as, looks_of
from .measures import ENOUGH_ABOVE
from .program import require
from .quantities import Quantity, Wanted, quantity

if TYPE_CHECKING:
    import pandas

    from .findings import Findings

SIZE = (5.2, 3.4)
"""Of a figure in inches."""
ASIDE, MOST_ASIDE = 0.08, 0.6
"""Whiskers of two lines are so far apart that both can be seen, and those of all lines at most so
far; in steps between labels."""
BESIDE, ROWS = 7, 16
"""With so many lines the legend is beside the figure; names in a column of it."""
MOST_TICKS = 8
"""That are the values of a column themselves."""


def draw(findings: Findings, x: str, y: Wanted, by: str | None, confidence: float,
         method: str) -> Any:
    """See Findings.plot()."""
    require("matplotlib")
    import matplotlib.pyplot as plt

    asked = quantity(y)
    _check(findings, x, asked, by)
    rows = _rows(findings, asked, confidence, method)
    few = few_text(findings, asked, method)
    finite = rows["mean"].abs() < math.inf
    if not finite.any():
        raise DcfabricError(f"no run has a value of '{asked.name}': nothing to draw")
    place = "part" if asked.by and x == asked.by else x
    endless = rows["mean"].abs().max() == math.inf
    rows = rows[finite]
    names = ({str(label): some for label, some in rows.groupby(by, sort=False)} if by
             else {asked.label: rows})
    how = looks_of(by, names)
    figure, axes = drawing.panels(1, 1, *SIZE)
    axis = axes[0][0]
    known: list[Any] = (asked.ordered(rows[place]) if place == "part"
                        else list(dict.fromkeys(rows[place])))
    if place == "part" and asked.by == "size" or not _are_numbers(known):
        _categories(axis, names, place, [str(label) for label in known], how,
                    lines=place == "part" and asked.by == "size")
    else:
        ordered_known = sorted(known)
        nearest = min((b - a for a, b in zip(ordered_known, ordered_known[1:])), default=1)
        step = min(ASIDE * ((max(known) - min(known)) or 1) / 8, MOST_ASIDE * nearest / len(names))
        for number, (name, some) in enumerate(names.items()):
            ordered = some.sort_values(place)
            _line(axis, [at + _aside(number, len(names), step) for at in ordered[place]], ordered,
                  name, how[name])
        if len(known) <= MOST_TICKS:
            axis.set_xticks(known, [f"{label:g}" for label in known])
    axis.set_xlabel({"size": "flow size"}.get(x, x.rpartition("::")[2].replace("_", " ")))
    axis.set_ylabel(asked.label)
    if len(names) > 1:
        _legend(figure, axis, by if by not in ("cc", "algorithm") else None, list(names))
    drawing.note(figure,
                 _text(rows, confidence, method, asked.pools)
                 + ("; infinite values are left out" if endless else "")
                 + (f"; {few}" if few else ""))
    drawing.spell_out(figure)
    plt.close(figure)  # a notebook shows what a cell returns; it would show an open figure, too
    return figure


def _legend(figure: Any, axis: Any, title: str | None, names: list[str]) -> None:
    """In the figure where there is room; many names beside it, for which it becomes wider."""
    with drawing.styled():
        if len(names) < BESIDE:
            axis.legend(title=title)
            return
        columns = -(-len(names) // ROWS)
        axis.legend(title=title, ncol=columns, loc="upper left", bbox_to_anchor=(1.02, 1))
    width, height = figure.get_size_inches()
    figure.set_size_inches(width
                           + columns * (drawing.HANDLE + drawing.LETTER * max(map(len, names))),
                           max(height, 0.7 + 0.19 * min(len(names), ROWS)))


def _check(findings: Findings, x: str, asked: Quantity, by: str | None) -> None:
    """Raise DcfabricError unless each point of the figure is of one point of the grid."""
    columns = findings.columns + ([asked.by] if asked.by else [])
    for name, value in (("x", x), ("by", by)):
        if value is not None and value not in columns:
            raise DcfabricError(f"{name}='{value}': the study has no such column; there are "
                                f"{', '.join(columns)}")
    if x == by or by is not None and by == asked.by:
        raise DcfabricError(f"by='{by}': lines are for the values of a column of the grid other "
                            "than x")
    if asked.by and x != asked.by:
        raise DcfabricError(f"'{asked.name}' has a value for each {asked.by}: draw it with "
                            f"x='{asked.by}'")
    for column in findings.columns:
        labels = list(dict.fromkeys(run[0][column] for run in findings.runs))
        if column not in (x, by) and len(labels) > 1:
            raise DcfabricError(f"column '{column}' has {len(labels)} values, which would be mixed "
                                "up: choose one with "
                                f"where({column}={labels[0]!r}), or by='{column}'")


def _rows(findings: Findings, asked: Quantity, confidence: float, method: str) -> pandas.DataFrame:
    """Intervals, or values without ends if there is one seed only."""
    if len(findings.seeds) >= LEAST_SEEDS:
        return findings._intervals([asked], confidence, method)
    return findings._tidy([asked]).rename(columns={"value": "mean"}).assign(
        low=math.nan, high=math.nan, seeds=1)


def few_text(findings: Findings, asked: Quantity, method: str = "t") -> str:
    """What a figure of percentiles has to say of runs with few values, "" if there are enough."""
    least = min((few.above for few in findings.few([asked], method == "bootstrap")), default=None)
    return (f"percentiles of runs with as few as {least} values above them: the luck of single "
            f"ones below {ENOUGH_ABOVE}" if least is not None else "")


def _are_numbers(labels: list[Any]) -> bool:
    return all(isinstance(label, (int, float)) and not isinstance(label, bool) for label in labels)


def _spreads(rows: pandas.DataFrame) -> list[dict[str, float]]:
    return [{"mean": mean, "low": low, "high": high} for mean, low,
            high in zip(rows["mean"], rows["low"], rows["high"])]


def _line(axis: Any, places: list[float], rows: pandas.DataFrame, name: str,
          how: drawing.Look) -> None:
    """Points, with whiskers where there are any."""
    if rows["low"].isna().all():
        axis.plot(places, rows["mean"], label=drawing.legend_name(name), **how.points())
    else:
        drawing.whiskers(axis, places, _spreads(rows), name, how)


def _categories(axis: Any, names: dict[str, Any], place: str, known: list[str], how: Any,
                lines: bool) -> None:
    """Values of a column that are no numbers: bars, or lines where they have an order."""
    if not lines and len(names) == 1:
        [some] = names.values()
        # labels, but no algorithms
        looks = (looks_of(place, known) if place in KINDS or any(map(known_as, known))
                 else dict.fromkeys(known, drawing.neutral(1)))
        for at, (label, spread) in enumerate(zip(some[place].astype(str), _spreads(some))):
            axis.bar(at, spread["mean"], 0.6, yerr=drawing.ranges([spread]),
                     error_kw={"capsize": 2, "ecolor": "0.25"}, **looks[label].bar())
        drawing.name_places(axis, list(some[place].astype(str)))
        axis.grid(visible=False, axis="x")
        return
    if not lines:
        drawing.bar_groups(axis, {label: {name: spread for name, some in names.items()
                                          for spread in _spreads(
                                              some[some[place].astype(str) == label])}
                                  for label in known}, how)
        return
    for number, (name, some) in enumerate(names.items()):
        places = [known.index(str(label))
                  + _aside(number, len(names), min(ASIDE, MOST_ASIDE / len(names)))
                  for label in some[place]]
        _line(axis, places, some, name, how[name])
    axis.set_xticks(range(len(known)), known)
    axis.tick_params(axis="x", labelrotation=45)


def _aside(number: int, lines: int, step: float) -> float:
    """How far the points of the n-th line are from their place."""
    return (number - (lines - 1) / 2) * step


def _text(rows: pandas.DataFrame, confidence: float, method: str, pools: bool) -> str:
    """What points and whiskers are."""
    least, most = int(rows["seeds"].min()), int(rows["seeds"].max())
    if most < LEAST_SEEDS:
        return drawing.whisker_text(most)
    kind = "Student's t" if method == "t" else "bootstrap over runs"
    seeds = f"{most} seeds" if least == most else f"{least} to {most} seeds"
    alone = "; none: one seed" if least < LEAST_SEEDS else ""
    point = "all flows" if method == "bootstrap" and pools else "mean"
    if rows["low"].isna().all():
        return f"no whiskers: all of {seeds} gave the same"
    few = f"; fewer than {ENOUGH_SEEDS} seeds say little" if least < ENOUGH_SEEDS else ""
    return (f"{point} of {seeds}; whiskers: {100 * confidence:g} % confidence interval "
            f"({kind}){alone}{few}")
