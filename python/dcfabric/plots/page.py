# SPDX-License-Identifier: GPL-2.0-only
"""A page to explore results in a browser: one file, which needs no network."""
from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, Mapping, Sequence

from ..columns import SERIES, Series
from ..drawing import COLORS, Look, ccdf, neutral, nth
from ..measures import percentile
from ..plan import Plan, ways_of
from ..program import require
from ..run_files import write_whole
from .data import NOT_COMPARED, Line, Run
from .distributions import QUANTILES, seeds_note, sizes_used, spread_of, spreads_by_size
from .page_series import network_of, over_time_of, thin, timelines_of
from .timelines import Timeline

MISSING = "-"


def _of_slowdown(percent: float) -> Any:
    return lambda run: percentile(run.flows["slowdown"], percent) if len(run.flows) else None


def _of_summary(key: str, unit: float = 1.0) -> Any:
    def value(run: Run) -> float | None:
        found = run.number(key)
        return None if found is None else found / unit
    return value


def _drops(run: Run) -> float | None:
    drops = run.summary.get("drops")
    return float(sum(drops.values())) if isinstance(drops, dict) else None


def _trims(run: Run) -> float | None:
    return float(run.number("trimmed_packets") or 0) or None  # no row of zeros


ROWS = (("flows complete", lambda run: float(len(run.flows))),
        ("flows begun", _of_summary("flows_started")),
        ("slowdown, mean", lambda run: float(run.flows["slowdown"].mean()) if len(run.flows)
         else None),
        ("slowdown, median", _of_slowdown(50)), ("slowdown, 95th percentile", _of_slowdown(95)),
        ("slowdown, 99th percentile", _of_slowdown(99)),
        ("goodput until the last flow ends (Gb/s)", _of_summary("goodput_gbps")),
        ("longest queue (kB)", _of_summary("max_queue_bytes", 1e3)),
        ("pause frames", _of_summary("pfc_pause_frames")),
        ("ECN marks", _of_summary("ecn_marks")), ("packets dropped", _drops),
        ("packets trimmed", _trims),
        ("simulated time (ms)", _of_summary("sim_seconds", 1e-3)))
"""What the comparison shows of a run; a row without any value is left out."""


def number_text(value: float) -> str:
    """Four digits, all of a whole number, thousands apart."""
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 10000 else f"{value:.4g}"


def spread_text(values: Sequence[float | None], interval: bool) -> str:
    """A number; of several seeds the mean and what whiskers show."""
    known = [value for value in values if value is not None]
    if not known:
        return MISSING
    spread = spread_of(known, interval)
    if spread["low"] == spread["high"]:
        return number_text(spread["mean"])
    return (f"{number_text(spread['mean'])} ({number_text(spread['low'])} to "
            f"{number_text(spread['high'])})")


def table_of(lines: Sequence[Line], interval: bool) -> list[list[str]]:
    """Rows of the comparison: the title of each, then a text for each line."""
    status = [", ".join(sorted({str(run.summary.get("status", MISSING)) for run in line.runs}))
              for line in lines]
    found = [["status", *status], ["seeds", *(str(len(line.runs)) for line in lines)]]
    for title, value in ROWS:
        texts = [spread_text([value(run) for run in line.runs], interval) for line in lines]
        if any(text != MISSING for text in texts):
            found.append([title, *texts])
    return found


def differing_options(lines: Sequence[Line]) -> list[list[str]]:
    """The same for options that are not the same in all runs; those that no run has are empty."""
    names = list(dict.fromkeys(name for line in lines for run in line.runs for name in run.options))
    found = []
    for name in names:
        values = [", ".join(dict.fromkeys(str(run.options.get(name, "")) for run in line.runs))
                  for line in lines]
        if (name not in NOT_COMPARED[1:]
                and (len(set(values)) > 1 or name == "topology" or name == "workload")):
            found.append([name, *values])
    return found


SYMBOLS = {"o": "circle", "s": "square", "^": "triangle-up", "D": "diamond", "v": "triangle-down",
           "P": "cross", "X": "x",
           "<": "triangle-left", ">": "triangle-right", "p": "pentagon", "*": "star"}
"""Markers of matplotlib as plotly calls them."""
TAIL_POINTS = 1000
"""Of a distribution; the tail keeps all of its own."""


def script_of_plotly() -> str:
    """Plotly's JavaScript. Raises DcfabricError if the package is missing."""
    require("plotly")
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
    found: dict[str, Any] = {"sizes": used, "note": seeds_note(lines, interval), "quantiles": {}}
    for name, percent in QUANTILES:
        spreads = [spreads_by_size(line, used, percent, interval) for line in lines]
        found["quantiles"][name] = [[{"x": place, **point.spread, "n": point.count,
                                      "few": not point.enough} for place, point in one]
                                    for one in spreads]
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
            "overTime": [over_time_of(series, lines, ways) for series in drawn_series()],
            "network": [network_of(line, plans[line.label]) if line.label in plans else None
                        for line in lines],
            "timelines": [timelines_of(line.first, found, way) for line, found,
                          way in zip(lines, asked, ways)],
            "colors": [{"color": nth(number).color} for number in range(len(COLORS))],
            "parts": [{"color": neutral(number).color, "dash": dash_of(neutral(number))}
                      for number in range(len(COLORS))]}


def drawn_series() -> list[Series]:
    """Those that have a section."""
    return [series for series in SERIES.values() if series.figure and series.figure.panels]


SECTION = """<section id="{0}"><h2>{1} over time</h2><p class="controls"></p>\
<div class="plot"></div><p class="note"></p></section>
"""
LINK = """<a href="#{0}">{1}</a>"""


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
                       *((mark, "".join(form.format(one.name, one.name.capitalize())
                                        for one in drawn_series()))
                         for mark, form in (("<!--LINKS-->", LINK), ("<!--SECTIONS-->", SECTION))),
                       ("/*PLOTLY*/", script),
                       ("/*DATA*/", data.replace("<", "\\u003c")),
                       ("/*PAGE*/", here.with_name("page.js").read_text(encoding="utf-8"))):
        before, after = page.split(mark)
        page = before + text + after
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, page)
    return path
