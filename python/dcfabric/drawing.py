# SPDX-License-Identifier: GPL-2.0-only
"""What all figures share: one style, one way to write units, whiskers that say what they are,
panels, files. How each algorithm looks is in looks.py."""
from __future__ import annotations

import contextlib
import math
import statistics
import textwrap
import weakref
from pathlib import Path
from typing import Any, Iterable, Iterator, Mapping, Sequence

from .errors import DcfabricError
from .intervals import ENOUGH_SEEDS, bounded, mean_interval
from .measures import ENOUGH_ABOVE
from .looks import COLORS, DASHES, HATCHES, MARKERS, NEUTRALS, Look, look, looks, neutral, nth
from .program import require
from .run_files import make_folder, replacing

__all__ = ["COLORS", "DASHES", "HATCHES", "MARKERS", "NEUTRALS", "STYLE", "UNITS", "Look",
           "bar_groups", "ccdf", "confidence", "counted", "figure_format", "from_zero",
           "has_whiskers", "hide_empty", "label", "leave_room", "legend_above", "legend_beside",
           "legend_name", "look", "looks", "name_places", "neutral", "note", "nth", "panels",
           "plain_log", "ranges", "save", "shortened", "smooth", "spell_out", "style", "styled",
           "whisker_text", "whiskers", "wrapped"]

STYLE: dict[str, Any] = {
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"], "font.size": 9,
    "axes.titlesize": 10, "axes.labelsize": 9,
    "legend.fontsize": 8, "legend.frameon": True, "legend.framealpha": 0.9,
    "legend.edgecolor": "0.85", "legend.handlelength": 3,
    "axes.grid": True, "grid.color": "0.88", "grid.linewidth": 0.6, "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False, "axes.edgecolor": "0.3", "lines.linewidth": 1.4,
    "lines.scale_dashes": False,
    "hatch.linewidth": 0.7, "errorbar.capsize": 2, "figure.facecolor": "white",
    "savefig.facecolor": "white"}
"""Settings of matplotlib for every figure."""

DPI = 150
MOST_PIXELS = 30000
"""Of a side of a figure: many panels have fewer pixels each. (Matplotlib takes 65535.)"""

UNITS = ("ns", "us", "ms", "s", "B", "kB", "MB", "Gb/s", "GB/s", "MiB/s", "%", "Gb/s a host")
"""How figures write units."""


@contextlib.contextmanager
def styled() -> Iterator[None]:
    """Within, figures are made and saved in the one style; the caller's own settings are back
    afterwards. Raises DcfabricError without matplotlib."""
    require("matplotlib")
    import matplotlib

    with matplotlib.rc_context(STYLE):
        yield


def label(quantity: str, unit: str = "") -> str:
    """What an axis is called: "queue (kB)". Raises ValueError for a unit that is not in UNITS; none
    is for ratios and counts."""
    if unit and unit not in UNITS:
        raise ValueError(f"unit '{unit}' of {quantity} is not one of {', '.join(UNITS)}")
    return f"{quantity} ({unit})" if unit else quantity


def style(number: int) -> dict[str, Any]:
    """Color and dashes of the n-th line of what is no algorithm, such as flows; distinguishable
    without colors, too."""
    return nth(number).line()


def hide_empty(figure: Any) -> None:
    """Panels in which nothing is drawn are not shown."""
    for axis in figure.axes:
        if not axis.has_data() and not axis.texts:
            axis.set_visible(False)


def figure_format(path: Path) -> str:
    """What a figure is written as, by the ending of its path: "png" without one. Raises
    DcfabricError if that cannot be drawn, or without matplotlib."""
    require("matplotlib")
    from matplotlib.backend_bases import FigureCanvasBase

    kind = path.suffix[1:].lower() or "png"
    if kind not in FigureCanvasBase.get_supported_filetypes():
        raise DcfabricError(f"{path}: no figure can be written as '{kind}'; take png, pdf or svg")
    return kind


def save(figure: Any, path: Path) -> Path:
    """Write and close a figure, without panels that have no content, in a folder that is made if
    needed. The file appears whole or not at all."""
    import matplotlib.pyplot as plt

    hide_empty(figure)
    try:
        kind = figure_format(path)
        spell_out(figure)
        make_folder(path.parent)
        with replacing(path) as temporary, styled():
            figure.savefig(temporary, format=kind,
                           dpi=min(DPI, MOST_PIXELS / max(figure.get_size_inches())))
    finally:
        plt.close(figure)
    return path


def panels(rows: int, columns: int, width: float, height: float, **options: Any) -> tuple[Any, Any]:
    """A figure of the one style with a grid of axes. width, height: in inches. Raises DcfabricError
    without matplotlib."""
    require("matplotlib")
    import matplotlib.pyplot as plt

    with styled():
        figure, axes = plt.subplots(rows, columns, figsize=(width, height), squeeze=False,
                                    layout="constrained",
                                    **options)
    # or the label of an axis would stand against the panel to its left
    (figure.get_layout_engine().set if hasattr(figure, "get_layout_engine")
     else figure.set_constrained_layout_pads)(wspace=GAP * (columns - 1) / width)
    return figure, axes


GAP = 0.15
"""Between two panels, in inches."""


def from_zero(axes: Any) -> None:
    """After the last line, so that the other end follows the data: matplotlib's margin is a part of
    what the data spans, and would cut the marks of large values that differ little."""
    for axis in axes.flat:
        margin, top = axis.margins()[1], axis.dataLim.y1
        follows = axis.get_autoscaley_on() and top > 0
        axis.set_ylim(bottom=0)
        if follows:
            axis.set_ylim(top=max(axis.get_ylim()[1], top * (1 + margin)))


def ranges(spreads: Iterable[Mapping[str, float]]) -> list[list[float]]:
    """From means to the ends of their whiskers (``mean``, ``low``, ``high``), as matplotlib takes
    errors."""
    # rounding may put the mean of equal numbers beside them, and an estimate of a bootstrap may lie
    # outside its interval
    found = list(spreads)
    return [[max(0.0, one["mean"] - one["low"]) for one in found],
            [max(0.0, one["high"] - one["mean"]) for one in found]]


ON_WHISKERS = {"markersize": 5.5, "markeredgecolor": "white", "markeredgewidth": 0.5}
"""Of a marker on a whisker: a short one would fill a plus to a disk."""


def whiskers(axis: Any, places: Sequence[float], spreads: Sequence[Mapping[str, float]], name: str,
             how: Look, joined: bool = True) -> None:
    """A line of an axis: means over the seeds, and whiskers between ``low`` and ``high``. The
    figure has to say what these are, see whisker_text(). None if nothing varies, as with one
    seed. joined: by a line, which says that there is something between the places."""
    points = how.points() if joined else how.points(linestyle="none")
    errors = ranges(spreads) if any(one["high"] > one["low"] for one in spreads) else None
    if errors is None:
        axis.plot(places, [one["mean"] for one in spreads], label=legend_name(name), **points)
    else:
        axis.errorbar(places, [one["mean"] for one in spreads], yerr=errors,
                      label=legend_name(name), capsize=2, **{**points, **ON_WHISKERS})


def percentiles(axis: Any, found: Sequence[tuple[int, Mapping[str, float], bool]], name: str,
                how: Look, alpha: float = 1.0) -> bool:
    """A line of an axis: percentiles at places 0, 1, ... as whiskers() has them. Those of enough
    values (True) are filled, and a line joins neighbors; the others are hollow. Whether some are:
    the figure then has to say HOLLOW_TEXT."""
    axis.plot([], [], label=name, **how.points(alpha=alpha))  # for the legend
    blocks: list[list[tuple[int, Mapping[str, float]]]] = []
    for place, one, enough in found:
        if not enough:
            axis.plot([place], [one["mean"]], linestyle="none", marker=how.marker, markersize=4,
                      markerfacecolor="none", color=how.color, alpha=0.6)
            continue
        if not blocks or blocks[-1][-1][0] != place - 1:
            blocks.append([])
        blocks[-1].append((place, one))
    for block in blocks:
        whiskers(axis, [place for place, _ in block], [one for _, one in block], "", how)
    return not all(enough for _, _, enough in found)


HOLLOW_TEXT = f"hollow: fewer than {ENOUGH_ABOVE} flows are slower, so that single ones decide it"


def whisker_text(seeds: int, interval: bool = False) -> str:
    """What points and whiskers are. seeds: how many. interval: a confidence interval of 95 % in
    place of the range."""
    if seeds < 2:
        return "one seed: no whiskers"
    few = (f"; fewer than {ENOUGH_SEEDS} say little" if interval and seeds < ENOUGH_SEEDS else "")
    return (f"mean of {seeds} seeds; whiskers: "
            f"{'95 % confidence interval' if interval else 'range of the seeds'}{few}")


def has_whiskers(figure: Any) -> bool:
    """Whether a figure has lines or bars with whiskers."""
    from matplotlib.container import BarContainer, ErrorbarContainer

    return any(isinstance(one, ErrorbarContainer) or isinstance(one, BarContainer)
               and one.errorbar is not None
               for axis in figure.axes for one in axis.containers)


def spread(values: Iterable[float]) -> dict[str, float]:
    """Mean of the values of several seeds, and their range as ``low`` and ``high``."""
    found = list(values)
    return {"mean": statistics.mean(found), "low": min(found), "high": max(found)}


def confidence(values: Iterable[float], least: float = -math.inf) -> dict[str, float]:
    """Mean of the values of several seeds, and the 95 % confidence interval of the mean (Student's
    t) as ``low`` and ``high``; of a single value, or of equal ones, that value thrice. least: a
    value below which there is none."""
    known = list(values)
    found = bounded(mean_interval(known), known, least)
    if math.isnan(found.low):
        return {"mean": found.mean, "low": found.mean, "high": found.mean}
    return {"mean": found.mean, "low": found.low, "high": found.high}


def legend_name(name: str) -> str:
    """A name as matplotlib takes it: of those that begin with an underscore it shows none, so a
    space of no width comes first."""
    return f"\u200b{name}" if name.startswith("_") else name


def counted(name: str, samples: int) -> str:
    """A name for a legend with the number of samples that its percentiles are of: "FNCC (n =
    1,234)"."""
    return legend_name(f"{name} (n = {samples:,})")


def spell_out(figure: Any) -> None:
    """Texts with dollar signs that are no formulas are shown as they are; matplotlib would raise
    ValueError when it draws."""
    from matplotlib.mathtext import MathTextParser
    from matplotlib.text import Text

    parser = MathTextParser("path")
    for text in figure.findobj(Text):
        try:
            for line in text.get_text().split("\n"):
                if line.count("$") > 1:
                    parser.parse(line)
        except ValueError:
            if hasattr(text, "set_parse_math"):
                text.set_parse_math(False)
            else:  # matplotlib 3.5
                text.set_text(text.get_text().replace("$", r"\$"))


def ccdf(values: Iterable[float]) -> tuple[list[float], list[float]]:
    """Each different value in ascending order, and the share of all that are at least so large:
    from 1 down to that of the largest one. As a line, each share holds from the value before
    ("steps-pre")."""
    ordered = sorted(values)
    firsts = [at for at, value in enumerate(ordered) if at == 0 or value != ordered[at - 1]]
    return [ordered[at] for at in firsts], [1 - at / len(ordered) for at in firsts]


def plain_log(axis: Any) -> None:
    """A logarithmic y axis whose ticks read 1, 2, 5, 10, 20: powers of ten are hardly a tick where
    values span less than two of them."""
    from matplotlib.ticker import LogLocator, NullFormatter

    axis.set_yscale("log")
    axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.yaxis.set_major_formatter("{x:g}")
    axis.yaxis.set_minor_formatter(NullFormatter())


def bar_groups(axis: Any, groups: Mapping[str, Mapping[str, float | Mapping[str, float] | None]],
               how: Mapping[str, Look], base: float = 0) -> None:
    """A group of bars for each key, in it a bar for each name: a number, or ``mean``, ``low`` and
    ``high``, which has whiskers; None leaves its place empty. how: by name, in the order of bars.
    base: where bars begin, as at 1 for ratios on a logarithmic axis, which has no zero."""
    width = 0.84 / len(how)
    for number, (name, one) in enumerate(how.items()):
        shown = [(at, value) for at, group in enumerate(groups.values())
                 if (value := group.get(name)) is not None]
        spreads: list[Mapping[str, float]] = [{"mean": value} if isinstance(value, (int, float))
                                              else value for _, value in shown]
        errors = (ranges(spreads)
                  if any(spread.get("high", 0) > spread.get("low", 0) for spread in spreads)
                  else None)
        axis.bar([at + (number - (len(how) - 1) / 2) * width for at, _ in shown],
                 [spread["mean"] - base for spread in spreads], width, bottom=base,
                 label=legend_name(name), yerr=errors,
                 error_kw={"elinewidth": 0.9, "capsize": 2, "ecolor": "0.25"}, **one.bar())
        for (at, _), spread in zip(shown, spreads):
            if spread["mean"] == base:  # told apart from one that is not there
                axis.annotate(f"{base:g}", (at + (number - (len(how) - 1) / 2) * width, base),
                              (0, 1), textcoords="offset points", ha="center", va="bottom",
                              fontsize=6.5, color=one.color)
    name_places(axis, list(groups))
    axis.grid(visible=False, axis="x")


LETTER, HANDLE = 0.071, 0.7
"""Of a legend, in inches: the mean width of a letter, and that of a line and what is around it."""
ROOM = 0.65
"""Height of a legend for which figures have room as they are: three rows."""


SHORT, TICK_LETTER, SLANT = 24, 0.07, 0.3
"""Most letters of a name that stands aslant; mean width of a letter below an axis, and least
distance of names aslant, in inches."""


TICK_ROOM = 0.6
"""For upright names there is so much room, in inches."""
_higher: weakref.WeakKeyDictionary[Any, float] = weakref.WeakKeyDictionary()
"""Figures that are higher, and the names for which they are."""


def name_places(axis: Any, names: Sequence[str]) -> None:
    """Names below an axis at 0, 1, 2 ...: aslant or upright where they would lie over one another,
    for which the figure becomes higher. The middle of very long ones is left out."""
    shown = [shortened(name) for name in names]
    room = axis.figure.get_size_inches()[0] * axis.get_position().width / max(1, len(names))
    longest = max((len(line) for name in shown for line in name.split("\n")), default=0)
    if longest * TICK_LETTER <= room:
        axis.set_xticks(range(len(names)), shown)
    elif longest <= SHORT and room >= SLANT:
        axis.set_xticks(range(len(names)), shown, rotation=30, ha="right", rotation_mode="anchor")
    else:
        axis.set_xticks(range(len(names)), shown, rotation=90)
        width, height = axis.figure.get_size_inches()
        more = longest * TICK_LETTER - _higher.get(axis.figure, TICK_ROOM)
        if more > 0:
            _higher[axis.figure] = longest * TICK_LETTER
            axis.figure.set_size_inches(width, height + more)


def _handles(axes: Any) -> dict[str, Any]:
    """What all panels show, each name once, in the order of appearance."""
    found: dict[str, Any] = {}
    for axis in axes.flat:
        for handle, name in zip(*axis.get_legend_handles_labels()):
            found.setdefault(name, handle)
    return found


def wrapped(name: str, letters: int = 60) -> str:
    """A long name in several lines of so many letters."""
    return "\n".join(textwrap.wrap(name, letters, break_on_hyphens=False)) or name


def shortened(name: str, letters: int = 48) -> str:
    """The begin and the end of a name that is longer."""
    return (name if len(name) <= letters
            else f"{name[:letters // 2]}...{name[3 - letters + letters // 2:]}")


def legend_above(figure: Any, axes: Any, columns: int = 6) -> None:
    """One legend for all panels, above them. columns: names in a row, at most. It takes as many
    columns as fit, and the figure becomes higher where it has many rows, so that panels keep their
    size."""
    found = _handles(axes)
    if not found:
        return
    width, height = figure.get_size_inches()
    names = [wrapped(name, int((width - HANDLE) / LETTER)) for name in found]
    longest = max(len(line) for name in names for line in name.split("\n"))
    columns = max(1, min(columns, len(found), int(width / (HANDLE + LETTER * longest))))
    rows = -(-len(found) // columns) * (1 + max(name.count("\n") for name in names))
    with styled():
        figure.legend(list(found.values()), names, loc="upper center", ncol=columns, frameon=False)
    above = 0.08 + 0.19 * rows
    more = max(0.0, above - ROOM)
    figure.set_size_inches(width, height + more)
    leave_room(figure, above=above / (height + more))


def leave_room(figure: Any, above: float = 0.0, below: float = 0.0) -> None:
    """Keep panels out of shares of the height of a figure."""
    if hasattr(figure, "get_layout_engine"):
        figure.get_layout_engine().set(rect=(0.0, below, 1.0, 1.0 - above - below))
    else:  # matplotlib 3.5
        figure.set_constrained_layout(False)
        figure.tight_layout(rect=(0.0, below, 1.0, 1.0 - above))


def legend_beside(axes: Any) -> None:
    """One legend for all panels, to the right of the uppermost last one."""
    found = _handles(axes)
    with styled():
        axes[0][-1].legend(list(found.values()), list(found), loc="upper left",
                           bbox_to_anchor=(1.02, 1))


NOTE_LETTER = 0.058
"""Mean width of a letter of a note in inches."""


def note(figure: Any, text: str) -> None:
    """A small line below the panels, such as what whiskers are; behind what was noted before."""
    figure.noted = text = "; ".join([*filter(None, [getattr(figure, "noted", "")]), text])
    figure.supxlabel(wrapped(text, int(figure.get_size_inches()[0] / NOTE_LETTER)), fontsize=8,
                     color="0.35", x=0.99, ha="right")


def smooth(values: list[float], span: int) -> list[float]:
    """Mean of the last values."""
    return [sum(values[max(0, i - span + 1):i + 1]) / min(span, i + 1) for i in range(len(values))]
