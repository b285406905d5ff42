# SPDX-License-Identifier: GPL-2.0-only
"""Runs side by side: a bar for each quantity that all of them have."""
from __future__ import annotations

from typing import Any, Sequence

from ..drawing import label, name_places, note, panels, ranges, shortened, wrapped
from .data import Line, Run, percentile
from .distributions import seeds_note, spread_of


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
        for place, (line, spread) in enumerate(zip(lines, spreads)):
            errors = ranges([spread]) if len(line.runs) > 1 else None
            drawn = axis.bar([place], [spread["mean"]], 0.8, yerr=errors, capsize=3,
                             error_kw={"ecolor": "0.25"}, **line.look.bar())
            axis.bar_label(drawn, [number_text(spread["mean"])], padding=2, fontsize=8)
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
