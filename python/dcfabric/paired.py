# SPDX-License-Identifier: GPL-2.0-only
"""Differences to a baseline, seed by seed: what is random in both at once, such as the flows,
cancels out."""
from __future__ import annotations

import math
import statistics
from typing import Any, Mapping, Sequence

from . import drawing
from .intervals import ENOUGH_SEEDS, Interval, bounded, mean_interval

ROW = 0.34
"""Height of a name in inches."""
PANEL = 3.4
"""Width of a panel in inches."""

Pairs = Sequence[tuple[float, float]]
"""For each seed a value and that of the baseline."""


def percents(pairs: Pairs) -> list[float]:
    """Differences in percent of the mean of the baseline; empty if that is 0, or nothing is
    known."""
    known = [(value, base) for value, base in pairs if math.isfinite(value - base)]
    mean = statistics.fmean(base for _, base in known) if known else 0.0
    return [100 * (value - base) / mean for value, base in known] if mean else []


def interval(pairs: Pairs, confidence: float = 0.95) -> Interval:
    """Mean of the percents, with its interval by Student's t: what is never negative cannot be more
    than 100 % below the baseline."""
    gaps = percents(pairs)
    found = bounded(mean_interval(gaps, confidence), gaps)
    positive = all(min(pair) >= 0 for pair in pairs if math.isfinite(sum(pair)))
    return found._replace(low=-100.0) if positive and found.low < -100 else found


def draw(found: Mapping[str, Mapping[str, Pairs]], baseline: str, confidence: float = 0.95,
         hows: Mapping[str, drawing.Look] | None = None, said: str = "") -> Any:
    """A panel for each quantity, with a row for each name; None if there is nothing to compare.
    found: pairs by label of the quantity and name. hows: looks by name. said: what else the line
    below has to say."""
    rows = {title: {name: pairs for name, pairs in of.items() if percents(pairs)}
            for title, of in found.items()}
    rows = {title: of for title, of in rows.items() if of}
    names = list(dict.fromkeys(name for of in rows.values() for name in of))
    if not names:
        return None
    height = 1.5 + ROW * max(2, len(names))
    figure, axes = drawing.panels(1, len(rows), max(5.5, PANEL * len(rows) + 1), height,
                                  sharey=True)
    how = hows or drawing.looks([baseline, *names])
    for axis, (title, of) in zip(axes[0], rows.items()):
        axis.axvline(0, color="0.3", linewidth=1)
        for name, pairs in of.items():
            _row(axis, names.index(name), pairs, how[name], confidence)
        axis.set_title(drawing.wrapped(title, int(PANEL / drawing.LETTER * 0.8)))
        axis.set_xlabel(drawing.wrapped(f"difference to {drawing.shortened(baseline)} (%)", 40))
        axis.margins(x=0.12)
        axis.grid(visible=False, axis="y")
    axes[0][0].set_yticks(range(len(names)), [drawing.shortened(name) for name in names])
    axes[0][0].set_ylim(len(names) - 0.5, -0.5)
    drawing.note(figure, "; ".join(filter(None, [_text(rows, confidence), said])))
    return figure


def _row(axis: Any, place: int, pairs: Pairs, how: drawing.Look,
         confidence: float) -> None:
    """The seeds of a name, and above them their mean with its interval."""
    gaps = percents(pairs)
    axis.plot(gaps, [place + 0.2] * len(gaps), "o", markersize=3, markerfacecolor="none",
              color=how.color, alpha=0.8)
    found = interval(pairs, confidence)
    error = ([[found.mean - found.low], [found.high - found.mean]]
             if found.high > found.low else None)
    axis.errorbar([found.mean], [place - 0.1], xerr=error, marker=how.marker, color=how.color,
                  linewidth=1.4, capsize=3, **drawing.ON_WHISKERS)


def _text(rows: Mapping[str, Mapping[str, Pairs]], confidence: float) -> str:
    """What is drawn."""
    counts = [len(percents(pairs)) for of in rows.values() for pairs in of.values()]
    least, most = min(counts), max(counts)
    seeds = f"{most} seeds" if least == most else f"{least} to {most} seeds"
    if most == 1:
        return "one seed: the difference may be its luck"
    few = f"; fewer than {ENOUGH_SEEDS} say little" if least < ENOUGH_SEEDS else ""
    return (f"seed by seed, {seeds}{few}; hollow: a seed; filled: their mean, with its "
            f"{100 * confidence:g} % confidence interval: one that does not reach 0 tells the two "
            "apart")
