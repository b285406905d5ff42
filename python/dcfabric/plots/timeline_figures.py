# SPDX-License-Identifier: GPL-2.0-only
"""Timelines as figures: rows of bars above, courses of quantities below, all with one time axis."""
from __future__ import annotations

from typing import Any

from ..drawing import label, neutral, panels, wrapped
from .data import Window
from .timelines import Timeline


def draw_timeline(timeline: Timeline, title: str, window: Window) -> Any:
    """A figure, or None if there is nothing to draw. title: of the run."""
    rows = list(dict.fromkeys(span.row for span in timeline.spans))
    kinds = list(dict.fromkeys(course.axis for course in timeline.courses))
    if not rows and not kinds:
        return None
    heights = ([0.35 + 0.28 * len(rows)] if rows else []) + [2.0] * len(kinds)
    figure, axes = panels(len(heights), 1, 10, 0.9 + sum(heights), sharex=True,
                          gridspec_kw={"height_ratios": heights})
    column = list(axes[:, 0])
    if rows:
        _draw_rows(column[0], timeline, rows)
    for axis, kind in zip(column[1 if rows else 0:], kinds):
        shown = [course for course in timeline.courses if course.axis == kind]
        for number, course in enumerate(shown):
            axis.plot(course.times_us, course.values,
                      drawstyle="steps-pre" if course.steps else "default",
                      **neutral(number).line(label=course.name))
        axis.set_ylabel(kind)
        axis.set_ylim(bottom=0)
        axis.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    column[-1].set_xlabel(label("time", "us"))
    begin, end = window
    column[0].set_xlim(left=begin if begin > float("-inf") else None,
                       right=end if end < float("inf") else None)
    column[0].set_title(wrapped(f"{title}: {timeline.title}", 100))
    return figure


def _draw_rows(axis: Any, timeline: Timeline, rows: list[str]) -> None:
    """A row of bars for each kind of span; moments are strokes."""
    for number, row in enumerate(rows):
        spans = [span for span in timeline.spans if span.row == row]
        look = neutral(number)
        axis.broken_barh([(span.begin_us, span.end_us - span.begin_us) for span in spans
                          if span.end_us > span.begin_us],
                         (number - 0.38, 0.76), facecolor=look.color, edgecolor="white",
                         linewidth=0.5, alpha=0.85)
        moments = [span.begin_us for span in spans if span.end_us <= span.begin_us]
        if moments:
            axis.plot(moments, [number] * len(moments), "|", color=look.color, markersize=10)
    axis.set_yticks(range(len(rows)), rows)
    axis.set_ylim(len(rows) - 0.5, -0.5)
    axis.grid(visible=False, axis="y")
