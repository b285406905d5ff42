# SPDX-License-Identifier: GPL-2.0-only
"""A page to explore results in a browser: one file, which needs no network."""
from __future__ import annotations

import html
import json
import math
import re
from pathlib import Path
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from ..columns import SERIES, Series
from ..drawing import COLORS, HOLLOW_TEXT, Look, ccdf, neutral
from ..plan import Plan, ways_of
from ..program import require
from ..run_files import write_whole
from ..traffic import is_far
from .comparison import bus_bandwidth, collective_us, throughput
from .data import Line, Run, shown_us
from .naming import NOT_COMPARED, option_name
from .distributions import (QUANTILES, counts_note, counts_text, missing_note, percentile_of,
                            seeds_note, sizes_used, spread_of, spreads_by_size)
from .jobs import quantities
from .page_series import layout_of, network_of, over_time_of, thin, timelines_of
from .timelines import Timeline

MISSING = "-"


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


BEGUN = "flows begun"
DRAWN = "load, as drawn"
COLUMNS: tuple[tuple[str, Callable[[Run], float | None] | float], ...] = (
    ("flows received", lambda run: float(len(run.flows))),
    (BEGUN, _of_summary("flows_started")),
    (DRAWN, _of_summary("offered_load")),
    ("mean slowdown", lambda run: float(run.flows["slowdown"].mean()) if len(run.flows) else None),
    ("p50 slowdown", 50.0), ("p95 slowdown", 95.0), ("p99 slowdown", 99.0),
    ("throughput of a flow (Gb/s)", throughput),
    ("goodput until the stop (Gb/s)",
     lambda run: run.number("goodput_gbps") if run.summary.get("status") == "stopped" else None),
    ("mean time of a collective (us)", collective_us),
    ("bus bandwidth (GB/s)", bus_bandwidth),
    ("longest queue of a class (kB)", _of_summary("max_queue_bytes", 1e3)),
    ("pause frames", _of_summary("pfc_pause_frames")),
    ("ECN marks", _of_summary("ecn_marks")), ("packets dropped", _drops),
    ("packets trimmed", _trims),
    ("simulated time (ms)", _of_summary("sim_seconds", 1e-3)))
"""What the table shows of a run, or a percentile of the flows of all seeds; a column without any
value is left out."""


def cell_of(line: Line, value: Callable[[Run], float | None] | float,
            interval: bool) -> dict[str, float] | None:
    """Mean over the seeds with its whiskers; None without values, and for a percentile of too few
    flows."""
    if isinstance(value, float):
        found = percentile_of([run.flows["slowdown"] for run in line.runs], value, interval)
        return dict(found.spread) if found and found.enough else None
    known = [one for one in map(value, line.runs) if one is not None]
    return spread_of(known, interval) if known else None


def columns_of(lines: Sequence[Line], interval: bool) -> list[dict[str, Any]]:
    """Columns of the table: a name, and a cell for each line."""
    status = [", ".join(sorted({str(run.summary.get("status", MISSING)) for run in line.runs}))
              for line in lines]
    found: list[dict[str, Any]] = [
        *([] if set(status) == {"complete"} else [{"name": "status", "cells": status}]),
        *([] if all(len(line.runs) == 1 for line in lines)
          else [{"name": "seeds", "cells": [len(line.runs) for line in lines]}])]
    for name, value in COLUMNS:
        cells = [cell_of(line, value, interval) for line in lines]
        if name == BEGUN and cells == found[-1]["cells"]:
            continue  # all were received
        if name == DRAWN and not any(is_far(run.summary) for line in lines for run in line.runs):
            continue  # the load asked for
        if any(cell is not None for cell in cells):
            found.append({"name": name, "cells": cells})
    return found


RECORDED = ("trace", "trace-interval", "export", "alone")
"""Options that say what a run writes down, or compares it with: no figure depends on them."""


def option_columns(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """The same for options that are not the same in all runs, and for network and traffic; those
    that no run has are empty, and those of RECORDED left out."""
    names = list(dict.fromkeys(name for line in lines for run in line.runs for name in run.options))
    found = []
    for name in names:
        values = [", ".join(dict.fromkeys(str(run.options.get(name, "")) for run in line.runs))
                  for line in lines]
        if (name not in (*NOT_COMPARED, *RECORDED)
                and (len(set(values)) > 1 or name in ("topology", "workload"))):
            found.append({"name": option_name(name), "cells": values})
    return found


def table_note(lines: Sequence[Line], interval: bool) -> str:
    """What cells are."""
    seeds = seeds_note(lines, interval).replace("whiskers", "in parentheses")
    several = (f"{seeds.capitalize()}. "
               if max(len(line.runs) for line in lines) > 1 else "")
    return (f"{several}Click a name to sort. Percentiles are of the flows of all seeds together, "
            "and - with fewer than ten flows above them. Throughput of a flow: payload of all "
            "flows received over the sum of their times.")


def sentences(texts: Sequence[str]) -> str:
    """What figures say below, for the page."""
    return " ".join(f"{text[:1].upper()}{text[1:]}." for text in texts if text)


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
            "symbol": SYMBOLS[line.look.marker], "algorithm": line.algorithm,
            "seeds": len(line.runs), "flows": len(line.flows)}


def traffic_of(lines: Sequence[Line]) -> list[int]:
    """A number for each line, the same for those that have runs of the same seed and flows."""
    firsts: list[Line] = []
    found = []
    for line in lines:
        at = next((at for at, first in enumerate(firsts) if line.pairs(first)), len(firsts))
        firsts += [line] if at == len(firsts) else []
        found.append(at)
    return found


def sizes_of(lines: Sequence[Line], interval: bool,
             edges: Mapping[str, float] | None = None) -> dict[str, Any]:
    """Percentiles of the slowdown by flow size, with their whiskers."""
    complete = [line for line in lines if len(line.flows)]
    used = sizes_used(complete, edges) if complete else []
    counts = counts_text(complete, used, edges)
    found: dict[str, Any] = {
        "sizes": used, "quantiles": {}, "counts": counts,
        "note": sentences([f"{HOLLOW_TEXT}; no point: no flow is slower",
                           *counts_note(counts), seeds_note(lines, interval, True),
                           *missing_note(lines)])}
    for name, percent in QUANTILES:
        spreads = [spreads_by_size(line, used, percent, interval, edges) for line in lines]
        found["quantiles"][name] = [[{"x": place, **point.spread, "n": point.count,
                                      "few": not point.enough} for place, point in one]
                                    for one in spreads]
    return found


def jobs_of(lines: Sequence[Line], interval: bool) -> list[dict[str, Any]]:
    """What figures show of several jobs: names, and for each line the values of these."""
    return [{"title": one.title, "names": list(one.groups),
             "values": [[group[line.label] for group in one.groups.values()] for line in lines],
             "note": sentences(["; ".join([*one.said, seeds_note(lines, interval)])])}
            for one in quantities(lines, interval)]


def tails_of(lines: Sequence[Line]) -> dict[str, Any]:
    """Share of flows with at least so much slowdown and completion time (us)."""
    found: dict[str, Any] = {}
    for name, column, scale in (("slowdown", "slowdown", 1.0),
                                ("completion time (us)", "fct_ns", 1e3)):
        found[name] = []
        for line in lines:
            xs, shares = ccdf(line.flows[column] / scale)
            far = max(0, len(xs) - TAIL_POINTS)  # thinned where the line is dense
            near = thin(xs[:far], shares[:far], TAIL_POINTS, range(far))
            found[name].append({"x": near[0] + xs[far:], "y": near[1] + shares[far:]})
    return found


def clean(value: Any) -> Any:
    """For JSON: six digits of a number, no NaN or infinity."""
    kind = type(value)
    if kind is list or kind is tuple:
        if len(value) > 8 and all(type(one) in (float, int) for one in value):
            return rounded(value)
        return [clean(one) for one in value]
    if isinstance(value, Mapping):
        return {str(key): clean(one) for key, one in value.items()}
    if isinstance(value, (str, bool, int)) or value is None:
        return value
    number = float(value)
    return float(f"{number:.6g}") if math.isfinite(number) else None


def rounded(values: Sequence[float]) -> list[float | None]:
    """Many numbers at once."""
    array = np.asarray(values, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        power = np.floor(np.log10(np.abs(array)))
        digits = np.where(np.isfinite(power), 5 - power, 0)
        # what is too small for a power of ten is as it was
        digits = np.clip(digits, -300, 300)
        found = np.where(digits > 0, np.round(array * 10.0 ** digits) / 10.0 ** digits,
                         np.round(array / 10.0 ** -digits) * 10.0 ** -digits)
    whole: list[Any] = found.tolist()
    if not np.isfinite(array).all():
        return [one if math.isfinite(one) else None for one in whole]
    return [int(one) if one.is_integer() and abs(one) < 1e15 else one for one in whole]


def data_of(lines: Sequence[Line], plans: Mapping[str, Plan],
            asked: Sequence[Mapping[str, Timeline]],
            interval: bool, edges: Mapping[str, float] | None = None,
            baseline: str | None = None) -> dict[str, Any]:
    """All that the page shows. plans: by label. asked: timelines that were asked for, of each
    line. edges: of flow sizes. baseline: the label of a line, from which differences are shown."""
    known = {id(plan): ways_of(plan) for plan in plans.values()}
    ways = [known[id(plans[line.label])] if line.label in plans else {} for line in lines]
    shown = [shown_us([line]) for line in lines]
    options = option_columns(lines)
    drawn = list({id(plan): plan for plan in plans.values()}.values())
    numbers = {id(plan): number for number, plan in enumerate(drawn)}
    networks = [network_of(line, plans[line.label], numbers[id(plans[line.label])], of[:2])
                if line.label in plans else None for line, of in zip(lines, shown)]
    traffic = traffic_of(lines)
    return {"lines": [{**line_of(line), "traffic": traffic[at],
                       "options": {one["name"]: one["cells"][at] for one in options}}
                      for at, line in enumerate(lines)],
            "baseline": baseline, "runs": sum(len(line.runs) for line in lines),
            "columns": columns_of(lines, interval), "tableNote": table_note(lines, interval),
            "options": options, "jobs": jobs_of(lines, interval),
            "bySize": sizes_of(lines, interval, edges), "tails": tails_of(lines),
            "shown": [[max(0.0, begin), end if math.isfinite(end) else last_us(line)]
                      for line, (begin, end, _) in zip(lines, shown)],
            "shownNotes": [sentences([said]) for _, _, said in shown],
            "endUs": max(map(last_us, [line for line in lines if line.first.series] or lines)),
            "overTime": [over_time_of(series, lines, ways) for series in drawn_series()
                         if any(line.first.has(series.name) for line in lines)],
            "network": networks if any(networks) else [],
            "plans": [layout_of(plan) for plan in drawn] if any(networks) else [],
            "timelines": [timelines_of(line.first, found, way, len(lines)) for line, found,
                          way in zip(lines, asked, ways)],
            "parts": [{"color": neutral(number).color, "dash": dash_of(neutral(number))}
                      for number in range(len(COLORS))]}


def last_us(line: Line) -> float:
    """The last time of anything that is shown of the first run, in us."""
    run = line.first
    ends = (run.all_flows["start_ns"] + run.all_flows["fct_ns"]).dropna()
    times = [series["time_ns"].max() for series in run.series.values() if len(series)]
    return float(max([*times, *ends.nlargest(1)], default=0.0)) / 1e3


def drawn_series() -> list[Series]:
    """Those that can have a section."""
    return [series for series in SERIES.values() if series.figure and series.figure.panels]


def apart(data: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the page reads when it is opened; and what it reads when it is shown, by name: of many
    runs that is nearly all."""
    blocks: dict[str, Any] = {}

    def put(name: str, at: int | str, what: Any) -> bool:
        if what:
            blocks[f"{name}-{at}"] = what
        return bool(what)

    series = [{**one, "runs": [{**run, "courses": put(one["name"], at, run["courses"])}
                               for at, run in enumerate(one["runs"])]} for one in data["overTime"]]
    first = {**data, "overTime": series,
             "network": [put("network", at, one) for at, one in enumerate(data["network"])],
             "plans": [put("plan", at, one) for at, one in enumerate(data["plans"])],
             "timelines": [{kind: put("timelines", f"{at}-{kind}", one if one["all"] else None)
                            for kind, one in of.items()}
                           for at, of in enumerate(data["timelines"])]}
    return first, blocks


SECTION = """<section id="{0}"><h2>{1}</h2><p class="controls"></p>{2}\
<p class="note" aria-live="polite"></p>{3}</section>
"""
PLOT = """<div class="plot"></div>"""
VALUES = """<details class="curves"><summary>Curves</summary><div></div></details>\
<details class="values"><summary>Values shown</summary><div class="scroll" \
tabindex="0" role="region" aria-label="Values shown: {0}"><table></table></div></details>"""
TABLE = """<div class="scroll" tabindex="0"><table></table></div>"""
BLOCK = """<script type="application/json" id="data-{0}">{1}</script>
"""
LINK = """<a href="#{0}">{1}</a>"""
SCRIPTS = ("page_base.js", "page_plot.js", "page_legend.js", "page_zoom.js", "page_values.js",
           "page_table.js", "page_jobs.js", "page_sections.js")
TAILS = ("Share of the flows received that have at least so much. The last ten steps are single "
         "flows")


def sections_of(data: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Name, link and title of those that have something to show."""
    found = [("comparison", "Comparison", "Comparison")]
    if data["jobs"]:
        found.append(("jobs", "Jobs", "Jobs"))
    if data["bySize"]["sizes"]:
        found += [("sizes", "Slowdown by size", "Slowdown by flow size"),
                  ("tails", "Tails", "Tails")]
    found += [(one["name"], one["name"].capitalize(), f"{one['name'].capitalize()} over time")
              for one in data["overTime"]]
    if data["network"]:
        found.append(("network", "Network", "The network: use of links and queues"))
    if any(kind["all"] for of in data["timelines"] for kind in of.values()):
        found.append(("timelines", "Timelines", "Timelines"))
    return found


def as_text(value: Any) -> str:
    """JSON that may stand in a page."""
    text = json.dumps(clean(value), allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def missing_of(data: Mapping[str, Any]) -> str:
    """What the results do not hold, and how to get it."""
    have = {one["name"] for one in data["overTime"]}
    lacking = [series.name for series in drawn_series() if series.name not in have]
    return f"No rows of {', '.join(lacking)}: --trace={','.join(lacking)}.\n" if lacking else ""


def write_page(path: Path, lines: Sequence[Line], plans: Mapping[str, Plan],
               asked: Sequence[Mapping[str, Timeline]],
               interval: bool = False, edges: Mapping[str, float] | None = None,
               baseline: str | None = None) -> Path:
    """Write the page, whole or not at all. edges: of flow sizes. baseline: the label of a line.
    Raises DcfabricError without plotly, OSError if the file cannot be written."""
    script = script_of_plotly()
    found = data_of(lines, plans, asked, interval, edges, baseline)
    sections = sections_of(found)
    first, later = apart(found)
    data = "".join(BLOCK.format(name, as_text(one)) for name, one in later.items()
                   ) + BLOCK.format("first", as_text(first))
    here = Path(__file__)
    page = here.with_name("page.html").read_text(encoding="utf-8")
    parts = [here.with_name(name).read_text(encoding="utf-8") for name in SCRIPTS]
    blocks = "".join(SECTION.format(name, title, *((TABLE, "") if name == "comparison" else
                                                   (PLOT, VALUES.format(title))))
                     for name, _, title in sections)
    said = html.escape(sentences([TAILS, *missing_note(lines)]))
    blocks = re.sub(r'(id="tails".*?aria-live="polite">)', lambda at: at[1] + said, blocks)
    for mark, text in (("/*STYLE*/", here.with_name("page.css").read_text(encoding="utf-8")),
                       ("<!--LINKS-->", "".join(LINK.format(name, short)
                                                for name, short, _ in sections)),
                       ("<!--SECTIONS-->", blocks), ("<!--MISSING-->", missing_of(found)),
                       ("/*PLOTLY*/", script),
                       ("<!--DATA-->", data),
                       ("/*PAGE*/", "\n".join(['"use strict";', "(() => {", *parts, "})();"]))):
        before, after = page.split(mark)
        page = before + text + after
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, page)
    return path
