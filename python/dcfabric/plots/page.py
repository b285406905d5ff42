# SPDX-License-Identifier: GPL-2.0-only
"""A page to explore results in a browser: one file, which needs no network."""
from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, Mapping, Sequence

from .. import packages
from ..drawing import COLORS, Look, ccdf, neutral, nth
from ..plan import Plan
from ..run_files import write_whole
from .data import Line
from .distributions import EDGE_NAMES, QUANTILES, by_size, seeds_note, sizes_used
from .network import ways_of
from .page_series import network_of, queues_of, rates_of, thin, timelines_of
from .page_table import differing_options, table_of
from .timelines import Timeline

SYMBOLS = {"o": "circle", "s": "square", "^": "triangle-up", "D": "diamond", "v": "triangle-down",
           "P": "cross", "X": "x",
           "<": "triangle-left", ">": "triangle-right", "p": "pentagon", "*": "star"}
"""Markers of matplotlib as plotly calls them."""
TAIL_POINTS = 1000
"""Of a distribution; the tail keeps all of its own."""


def script_of_plotly() -> str:
    """Plotly's JavaScript. Raises DcfabricError if the package is missing."""
    packages.require("plotly")
    from plotly.offline import get_plotlyjs

    script: str = get_plotlyjs()
    return script


def dash_of(look: Look) -> str:
    """Strokes and gaps as plotly takes them."""
    return ",".join(f"{2 * length:g}px" for length in look.dash) or "solid"


def line_of(line: Line) -> dict[str, Any]:
    """Label and look of a line."""
    return {"label": line.label, "color": line.look.color, "dash": dash_of(line.look),
            "symbol": SYMBOLS[line.look.marker],
            "seeds": len(line.runs), "flows": len(line.flows)}


def sizes_of(lines: Sequence[Line], interval: bool) -> dict[str, Any]:
    """Percentiles of the slowdown by flow size, with their whiskers."""
    complete = [line for line in lines if len(line.flows)]
    used = sizes_used(complete) if complete else []
    found: dict[str, Any] = {"sizes": [EDGE_NAMES[one] for one in used],
                             "note": seeds_note(lines, interval), "quantiles": {}}
    for name, percent in QUANTILES:
        found["quantiles"][name] = [
            [{"x": place, **spread} for place, spread in by_size(line, used, percent, interval)]
                                    for line in lines]
    return found


def tails_of(lines: Sequence[Line]) -> dict[str, Any]:
    """Share of flows with at least so much slowdown and completion time (us)."""
    found: dict[str, Any] = {}
    for name, column, scale in (("slowdown", "slowdown", 1.0),
                                ("completion time (us)", "fct_ns", 1e3)):
        found[name] = []
        for line in lines:
            xs, shares = ccdf(line.flows[column] / scale)
            far = max(0, len(xs) - TAIL_POINTS)  # thinned where the line is dense
            near = thin(xs[:far], shares[:far], TAIL_POINTS)
            found[name].append({"x": near[0] + xs[far:], "y": near[1] + shares[far:]})
    return found


def clean(value: Any) -> Any:
    """For JSON: six digits of a number, no NaN or infinity."""
    if isinstance(value, Mapping):
        return {str(key): clean(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean(one) for one in value]
    if isinstance(value, (str, bool, int)) or value is None:
        return value
    number = float(value)
    return float(f"{number:.6g}") if math.isfinite(number) else None


def data_of(lines: Sequence[Line], plans: Mapping[str, Plan],
            asked: Sequence[Mapping[str, Timeline]],
            interval: bool) -> dict[str, Any]:
    """All that the page shows. plans: by label. asked: timelines that were asked for, of each
    line."""
    ways = [ways_of(plans[line.label]) if line.label in plans else {} for line in lines]
    return {"lines": [line_of(line) for line in lines], "table": table_of(lines, interval),
            "options": differing_options(lines),
            "bySize": sizes_of(lines, interval), "tails": tails_of(lines),
            "queues": [queues_of(line.first, way) for line, way in zip(lines, ways)],
            "rates": [rates_of(line.first) for line in lines],
            "links": [network_of(line, plans[line.label]) if line.label in plans else None
                      for line in lines],
            "timelines": [timelines_of(line.first, found, way) for line, found,
                          way in zip(lines, asked, ways)],
            "series": [{"color": nth(number).color} for number in range(len(COLORS))],
            "parts": [{"color": neutral(number).color, "dash": dash_of(neutral(number))}
                      for number in range(len(COLORS))]}


def write_page(path: Path, lines: Sequence[Line], plans: Mapping[str, Plan],
               asked: Sequence[Mapping[str, Timeline]],
               interval: bool = False) -> Path:
    """Write the page, whole or not at all. Raises DcfabricError without plotly, OSError if the file
    cannot be written."""
    script = script_of_plotly()
    data = json.dumps(clean(data_of(lines, plans, asked, interval)), allow_nan=False,
                      separators=(",", ":"))
    here = Path(__file__)
    page = here.with_name("page.html").read_text(encoding="utf-8")
    for mark, text in (("/*STYLE*/", here.with_name("page.css").read_text(encoding="utf-8")),
                       ("/*PLOTLY*/", script),
                       ("/*DATA*/", data.replace("<", "\\u003c")),
                       ("/*PAGE*/", here.with_name("page.js").read_text(encoding="utf-8"))):
        before, after = page.split(mark)
        page = before + text + after
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, page)
    return path
