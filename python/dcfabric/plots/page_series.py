# SPDX-License-Identifier: GPL-2.0-only
"""Time series, the network and timelines as the interactive page holds them: thinned, and at most
so many."""
from __future__ import annotations

import dataclasses
from typing import Any, Mapping, Sequence

import numpy as np

from ..columns import SERIES, Curve, Series, series_of
from ..plan import MARKS, Plan, ways_of
from .data import BadInput, Line, Run
from .network import busiest, halves, mean_over_seeds, time_of_mean
from .over_time import (PORT, Ways, course, course_table, first_of, means_said, name_of, ranked,
                        rows_of, samples_of_step, thing_looks)
from .timelines import Timeline, flow_timeline, port_timeline, rank_timeline

POINTS = 800
"""Of a course, at most."""
SHOWN = 10
"""Things of a run over time, at most."""
MOST_FLOWS, MOST_PORTS, MOST_RANKS = 60, 60, 64
"""Timelines of a run, at most; what is asked for comes first."""
FEWEST, SEVERAL = 4, 3
"""Timelines of a run of many, and of so many lines each has as many as one alone."""
SOME, FEWEST_POINTS = 12, 300
"""So many lines have all points and things over time; more share them, but each has so many
points."""
TIMES, FINE = 60, 10
"""Spans for which the plan shows queues, and samples in each."""


def among(most: int, fewest: int, lines: int) -> int:
    """How many points or things each of so many lines has: a page of all of them for a hundred
    would be too large to open."""
    return max(fewest, most * SOME // max(SOME, lines))


def thin(xs: Sequence[float], ys: Sequence[float], most: int = POINTS,
         by: Sequence[float] | None = None) -> tuple[list[float], list[float]]:
    """At most so many points of a line (or a few more): the first, the last, the lowest and the
    highest of each of equal spans, so that no peak is lost and what is level stays so (M4: Jugel
    et al., VLDB 2014). by: what spans are equal in, xs without."""
    if len(xs) <= most:
        return list(xs), list(ys)
    along = np.asarray(xs if by is None else by, dtype=float)
    along = (along - along[0]) / max(along[-1] - along[0], 1e-300)
    values, spans = np.asarray(ys, dtype=float), max(1, most // 4)

    def firsts(spans: int) -> Any:
        """Places at which the first point of a span is."""
        number = np.minimum((along * spans).astype(int), spans - 1)
        return np.concatenate([[0], 1 + np.flatnonzero(np.diff(number))])

    # spans without a point leave room for shorter ones
    while (spans < 64 * most and np.minimum(np.diff([*firsts(2 * spans), len(along)]), 4).sum()
           <= most):
        spans *= 2
    begins = firsts(spans)
    ends = np.concatenate([begins[1:], [len(along)]])
    order = np.lexsort((values, np.repeat(np.arange(len(begins)), ends - begins)))
    chosen = np.unique([begins, ends - 1, order[begins], order[ends - 1]]).tolist()
    return [xs[at] for at in chosen], [ys[at] for at in chosen]


MOST = {"peak": "the highest peak", "mean": "the highest mean", "sum": "the largest sum",
        "rows": "most rows"}
"""Of things that are shown, by the order of a figure."""


def thing_name(of: tuple[str, ...], thing: Any, ways: Ways) -> str:
    """Of a thing, for a legend: of a port where its link leads, if that is known, and its
    number."""
    way = ways.get((int(thing[0]), int(thing[1]))) if of == PORT else None
    return f"{way} ({name_of(of, thing)})" if way else name_of(of, thing)


def over_time_of(series: Series, lines: Sequence[Line], ways: Sequence[Ways]) -> dict[str, Any]:
    """What the section of a series shows, of the first run of each line."""
    figure = series.figure
    assert figure is not None
    return {"name": series.name, "note": "" if figure.together else figure.title,
            "together": figure.together, "things": f"{figure.of[-1]}s", "most": MOST[figure.order],
            "runs": [_courses_of(series, line.first, way, len(lines))
                     for line, way in zip(lines, ways)]}


def _courses_of(series: Series, run: Run, ways: Ways, lines: int) -> dict[str, Any]:
    """Courses of the things of a series that matter most, over us, how many there are, and what of
    them are means. lines: in the page."""
    points = among(POINTS, FEWEST_POINTS, lines)
    found: dict[str, Any] = {"total": 0, "courses": [], "traced": series.name in run.series}
    figure = series.figure
    if figure is None or not run.has(series.name):
        return found
    table = run.series[series.name]
    order = ranked(series, table, run.begin_ns).index
    found["total"] = len(order)
    tables: dict[str, Any] = {}  # parts of things together, by column
    things = first_of(figure, order, among(SHOWN, FEWEST, lines))
    looks = thing_looks(first_of(figure, order, figure.most), things)
    for number, thing in enumerate(things):
        name = thing_name(figure.of, thing, ways)
        for panel in figure.drawn(table):
            for curve in panel.curves:
                if curve.column_in(table):
                    xs, ys = _points(series, table, thing, curve, panel.factor, tables, points)
                    found["courses"].append({"thing": number, "color": looks[thing].color,
                                             "name": name, "curve": curve.name,
                                             "axis": panel.axis, "style": curve.style,
                                             "x": xs, "y": ys})
    means = [text for panel in figure.drawn(table) for text in means_said(
        panel, [curve for curve in panel.curves if curve.column_in(table)],
        np.unique(table["time_ns"]))]
    return {**found, "means": ", ".join(means)} if means else found


def _points(series: Series, table: Any, thing: Any, curve: Curve, factor: float,
            tables: dict[str, Any], most: int) -> tuple[list[float], list[float]]:
    """Of a curve: parts of a thing together. tables: those that are known. most: points."""
    assert series.figure is not None
    if series.parts and series.sparse:
        column = curve.column_in(table)
        if column not in tables:
            tables[column] = course_table(series, table, column)
        one = tables[column].loc[thing]
        return thin((one.index / 1e3).tolist(), (one * factor).tolist(), most)
    rows = rows_of(table, series.figure.of, thing)
    times = np.unique(table["time_ns"])
    xs, ys = course(curve, rows, factor, times, samples_of_step(times))
    points = np.array(xs).tolist(), np.array(ys).tolist()
    return points if curve.style == "mean" else thin(*points, most)


def layout_of(plan: Plan) -> dict[str, Any]:
    """Nodes and halves of links where they are drawn, with their names."""
    places, ways, names = plan.places, ways_of(plan), [node["name"] for node in plan.nodes]
    drawn = []
    for node, port, points in halves(plan, places):
        ends = points if len(points) > 8 or _is_bent(points) else [points[0], points[-1]]
        drawn.append({"x": [x for x, _ in ends], "y": [y for _, y in ends],
                      "text": f"{ways[node, port]} (node {node} port {port})"})
    nodes = [{"x": x, "y": y, "text": f"{names[node]} (node {node})",
              "host": plan.nodes[node]["kind"] == "host",
              "tier": min(plan.nodes[node]["tier"], len(MARKS) - 1)}
             for node, (x, y) in places.items()]
    return {"halves": drawn, "nodes": nodes, "hidden": len(plan.nodes) - len(nodes)}


def network_of(line: Line, plan: Plan, number: int, shown: tuple[float, float]) -> dict[str, Any]:
    """Use of the halves of links in percent, and queues over time. number: of the plan in the page.
    shown: from when to when, in us."""
    used = all(run.has("links") for run in line.runs)
    use = mean_over_seeds(line) if used else {}
    ports = [(node, port) for node, port, _ in halves(plan, plan.places)]
    return {"plan": number, "use": [100 * use.get(port, 0.0) for port in ports],
            "seeds": len(line.runs), "used": used, "over": time_of_mean(line) if used else "",
            "queues": queues_of(line.first, ports, shown),
            "busiest": [f"{way}: {100 * value:.0f} %" for way, value in busiest(plan, use, 5)]}


def queues_of(run: Run, ports: Sequence[tuple[int, int]],
              shown: tuple[float, float]) -> dict[str, Any] | None:
    """Queues of ports over time, for the plan: the longest one of each of so many spans, in kB, by
    place in the list of ports; None if none was traced."""
    if not run.has("queues"):
        return None
    series = SERIES["queues"]
    table = course_table(series, run.series["queues"], "bytes")
    times = table.index.get_level_values("time_ns").to_numpy(dtype=float)
    begin = max(times.min(), 1e3 * shown[0])
    end = max(begin + 1, min(times.max(), 1e3 * shown[1]))
    fine = np.linspace(begin, end, TIMES * FINE)
    places = {port: at for at, port in enumerate(ports)}
    found: dict[str, list[float]] = {}
    for (node, port), some in table.groupby(level=["node", "port"]):
        place = places.get((int(node), int(port)))
        if place is None:
            continue
        at, values = some.index.get_level_values("time_ns").to_numpy(dtype=float), some.to_numpy()
        # rows lie on straight lines, and are missing where there is nothing
        course = np.interp(fine, at, values, left=0, right=0).reshape(TIMES, FINE).max(axis=1)
        if course.any():
            found[str(place)] = (course / 1e3).tolist()
    if not found:
        return None
    sums = np.max(list(found.values()), axis=0)
    return {"times": (fine.reshape(TIMES, FINE).mean(axis=1) / 1e3).tolist(), "halves": found,
            "most": float(sums.max()), "busiest": int(sums.argmax())}


def _is_bent(points: Sequence[tuple[float, float]]) -> bool:
    """Whether the middle of a line is beside its chord."""
    (x0, y0), (x1, y1), (x2, y2) = points[0], points[len(points) // 2], points[-1]
    return abs((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)) > 1e-9


def as_json(key: str, timeline: Timeline, points: int = POINTS) -> dict[str, Any]:
    """A timeline. key: what a reader chooses. points: of a course, at most."""
    courses = []
    for one in timeline.courses:
        xs, ys = thin(one.times_us, one.values, points)
        courses.append({"name": one.name, "axis": one.axis, "x": xs, "y": ys,
                        "steps": one.steps})
    return {"key": key, "title": timeline.title, "missing": timeline.missing, "courses": courses,
            "range": timeline.range_us(),
            "spans": [[span.row, span.begin_us, span.end_us, span.text] for span in timeline.spans]}


def share(most: int, lines: int) -> int:
    """How many timelines each of so many lines has: a page of all of them for a hundred would be
    too large to open."""
    return max(FEWEST, most // max(1, lines // SEVERAL))


def flows_to_show(run: Run, most: int = MOST_FLOWS) -> list[int]:
    """The slowest flows and the largest ones, those that are not complete first."""
    flows = run.all_flows
    begun = flows[flows["start_ns"].notna()]
    open_ones = begun[~(begun["fct_ns"] > 0)]["flow"]
    slow = begun.sort_values("slowdown", ascending=False, kind="stable")["flow"]
    large = begun.sort_values("size_bytes", ascending=False, kind="stable")["flow"]
    half = most // 2
    order = [*open_ones[:10], *slow[:half], *large[:half]]
    return list(dict.fromkeys(int(flow) for flow in order))[:most]


def _peaks_first(series: Series) -> int:
    """What a reader looks for before means, and means before counts."""
    return ("peak", "mean", "sum", "rows").index(series.figure.order if series.figure else "rows")


def ports_to_show(run: Run, most: int = MOST_PORTS) -> list[tuple[int, int]]:
    """The ports with the longest queues and those that send most."""
    order: list[Any] = []
    half = most // 2
    for series in sorted(series_of(*PORT), key=_peaks_first):
        if run.has(series.name):
            order += list(ranked(series, run.series[series.name], run.begin_ns).index[:half])
    return list(dict.fromkeys((int(node), int(port)) for node, port in order))[:most]


def timelines_of(run: Run, asked: Mapping[str, Timeline], ways: Ways,
                 lines: int = 1) -> dict[str, Any]:
    """Timelines by kind, those asked for first; and of how many there are. lines: in the page."""
    found: dict[str, dict[str, Any]] = {"flow": {}, "port": {}, "rank": {}}
    for name, timeline in asked.items():
        kind, _, key = name.partition("-")
        found[kind][key.replace("-", ":")] = timeline
    for flow in flows_to_show(run, share(MOST_FLOWS, lines)):
        found["flow"].setdefault(str(flow), flow_timeline(run, flow))
    for node, port in ports_to_show(run, share(MOST_PORTS, lines)):
        found["port"].setdefault(f"{node}:{port}", port_timeline(run, node, port))
    ranks = run.marked_ranks()
    for rank in ranks[:share(MOST_RANKS, lines)]:
        try:
            found["rank"].setdefault(str(rank), rank_timeline(run, rank))
        except BadInput:
            break
    for key, timeline in found["port"].items():
        node, port = map(int, key.split(":"))
        found["port"][key] = dataclasses.replace(timeline,
                                                 title=thing_name(PORT, (node, port), ways))
    totals = {"flow": len(run.all_flows), "port": _ports(run), "rank": len(ranks)}
    points = among(POINTS, FEWEST_POINTS, lines)
    return {kind: {"total": totals[kind], "all": [as_json(key, one, points)
                                            for key, one in of.items()]}
            for kind, of in found.items()}


def _ports(run: Run) -> int:
    """How many ports have rows in any trace."""
    return len({port for series in series_of(*PORT) if run.has(series.name)
                for port in zip(*(run.series[series.name][list(PORT)].drop_duplicates()[key]
                                  for key in PORT))})
