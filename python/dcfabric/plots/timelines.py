# SPDX-License-Identifier: GPL-2.0-only
"""What results tell of one flow, one port or one rank over time, for figures and the interactive
page."""
from __future__ import annotations

import dataclasses
import math
from typing import Any, Sequence

import numpy as np

from ..wording import count_of
from .data import BadInput, Run
from .jobfile import JobFile, job_of
from .over_time import STEPS, is_measured
from .series import throughput


@dataclasses.dataclass(frozen=True)
class Span:
    """Something that takes a time."""

    row: str
    """what it is of, such as the name of a mark"""
    begin_us: float
    end_us: float
    """equal to the begin for a moment"""
    text: str
    """for a reader who points at it"""


@dataclasses.dataclass(frozen=True)
class Course:
    """A quantity over time."""

    name: str
    axis: str
    """label of its axis, with unit"""
    times_us: Sequence[float]
    values: Sequence[float]
    steps: bool = False
    """whether a value holds since the time before"""


@dataclasses.dataclass
class Timeline:
    """What is known of one thing, and what is not."""

    title: str
    spans: list[Span] = dataclasses.field(default_factory=list)
    courses: list[Course] = dataclasses.field(default_factory=list)
    missing: list[str] = dataclasses.field(default_factory=list)
    """what the results do not hold, for the reader"""

    def end_us(self) -> float:
        """Last time of a span, 0 without any."""
        return max((span.end_us for span in self.spans), default=0.0)


def _us(value: Any) -> float:
    return float(value) / 1e3


def flow_timeline(run: Run, number: int) -> Timeline:
    """Of a flow: its times, throughput, limit and window. Raises BadInput if there is no such
    flow."""
    rows = run.all_flows[run.all_flows["flow"] == number]
    if not len(rows):
        raise BadInput(f"{run.folder / 'flows.csv'}: no flow {number}")
    flow = rows.iloc[0]
    found = Timeline(f"flow {number}: host {flow['src']:.0f} to host {flow['dst']:.0f}, "
                     f"{flow['size_bytes'] / 1e3:.10g} kB")
    begin = _us(flow["start_ns"])
    if math.isnan(begin):
        found.missing.append("the flow has not begun")
        return found
    for row, key in (("ideal", "ideal_fct_ns"), ("to the last byte", "fct_ns"),
                     ("to the last ACK", "sender_fct_ns")):
        span = _us(flow[key])
        if math.isnan(span):
            found.missing.append({"ideal": "an endless flow has no ideal time",
                                  "to the last byte": "the flow is not complete",
                                  "to the last ACK": "the last ACK has not come"}[row])
        else:
            found.spans.append(Span(row, begin, begin + span, f"{row}: {span:g} us"))
    rates = run.series.get("rates")
    if rates is None or not (rates["flow"] == number).any():
        found.missing.append("no rates of it (--trace=rates)")
        return found
    one, times = rates[rates["flow"] == number], np.unique(rates["time_ns"])
    at = (one["time_ns"] / 1e3).tolist()
    if is_measured(one):
        xs, ys = throughput(one, times, -(-len(one) // (4 * STEPS)))
        found.courses.append(Course("throughput", "rate (Gb/s)", xs.tolist(), ys.tolist(),
                                    steps=True))
        found.courses.append(Course("limit", "rate (Gb/s)", at, (one["limit_bps"] / 1e9).tolist()))
    else:
        found.courses.append(Course("limit of the rate", "rate (Gb/s)", at,
                                    (one["rate_bps"] / 1e9).tolist()))
    if (one["window_bytes"] > 0).any():
        found.courses.append(Course("window", "window (kB)", at,
                                    (one["window_bytes"] / 1e3).tolist()))
    return found


def pauses(rows: Any, end_us: float) -> list[Span]:
    """Spans between pause and resume of each class. rows: of pfc.csv, of one port in the order of
    time. One that was open lasts to the end."""
    found: list[Span] = []
    since: dict[int, float] = {}
    for time, of_class, event in zip(rows["time_ns"], rows["class"], rows["event"]):
        number = int(of_class)
        if str(event).strip() == "pause":
            since.setdefault(number, _us(time))
        elif number in since:
            begin = since.pop(number)
            found.append(Span(f"paused, class {number}", begin, _us(time),
                              f"class {number} paused for {_us(time) - begin:g} us"))
    return found + [Span(f"paused, class {number}", begin, max(begin, end_us),
                         f"class {number} paused to the end")
                    for number, begin in since.items()]


def port_timeline(run: Run, node: int, port: int) -> Timeline:
    """Of a port: the queue of each class, the use of its link, and when it was paused. Raises
    BadInput without a trace of ports."""
    found = Timeline(f"port {port} of node {node}")
    end = 0.0
    tables = {
        name:
        run.series[name][(run.series[name]["node"] == node) & (run.series[name]["port"] == port)]
              for name in ("queues", "links", "pfc") if name in run.series}
    if not tables:
        raise BadInput(f"{run.folder}: neither queues.csv nor links.csv nor pfc.csv: nothing is "
                       "known of ports "
                       "(--trace=queues,links,pfc)")
    for name, rows in tables.items():
        if len(run.series[name]):
            end = max(end, _us(run.series[name]["time_ns"].max()))
        if name == "queues":
            for number, one in rows.groupby("class"):
                found.courses.append(Course(f"class {number:.0f}", "queue (kB)",
                                            (one["time_ns"] / 1e3).tolist(),
                                            (one["bytes"] / 1e3).tolist()))
        elif name == "links" and len(rows):
            found.courses.append(Course("use of the line rate", "use (%)",
                                        (rows["time_ns"] / 1e3).tolist(),
                                        (100 * rows["utilisation"]).tolist()))
    found.spans = pauses(tables["pfc"], end) if "pfc" in tables else []
    for name, what in (("queues", "nothing ever waited there"), ("links", "it never sent"),
                       ("pfc", "it was never paused")):
        if name not in tables:
            found.missing.append(f"no {name}.csv (--trace={name})")
        elif not len(tables[name]):
            found.missing.append(what)
    return found


def rank_timeline(run: Run, rank: int) -> Timeline:
    """Of a rank: its marks, the collectives of its groups, and the messages of its host. Raises
    BadInput if the run had no programs of ranks."""
    marks = run.tables.get("marks")
    if marks is None:
        raise BadInput(f"{run.folder}: no marks.csv: the run had no programs of ranks "
                       "(--workload=program:PATH)")
    job = job_of(run)
    if job is not None and not 0 <= rank < job.ranks:
        raise BadInput(f"{run.folder}: no rank {rank}; there are {job.ranks}, from 0")
    found = Timeline(f"rank {rank}")
    end = (_us(run.all_flows[["start_ns", "sender_fct_ns"]].sum(axis=1).max()) if len(run.all_flows)
           else 0.0)
    for name, number, begin, stop in marks[marks["rank"] == rank][[
            "name", "iteration", "start_ns", "end_ns"]].itertuples(index=False):
        until = max(end, _us(begin)) if math.isnan(stop) else _us(stop)
        found.spans.append(Span(f"mark {name}", _us(begin), until, f"{name} {number:.0f}"))
    if not found.spans:
        found.missing.append("the program of this rank has no marks: mark what it computes, sends "
                             "and waits for")
    _add_collectives(found, run, rank, job, end)
    if job is None:
        found.missing.append("the job file cannot be read from here: the host of this rank is "
                             "unknown, and so are its messages")
        return found
    host = job.host(rank)
    found.title = f"rank {rank} on host {host}"
    for row, end_of, other, word in (("sends", "src", "dst", "to"),
                                     ("receives", "dst", "src", "from")):
        for flow in run.all_flows[run.all_flows[end_of] == host].to_dict("records"):
            if math.isnan(flow["start_ns"]):
                continue
            begin = _us(flow["start_ns"])
            span = flow["sender_fct_ns"] if row == "sends" else flow["fct_ns"]
            until = max(end, begin) if math.isnan(span) else begin + _us(span)
            found.spans.append(Span(f"host {row}", begin, until,
                                    f"flow {flow['flow']:.0f} {word} host {flow[other]:.0f}, "
                                    f"{flow['size_bytes'] / 1e3:.10g} kB"))
    found.missing.append("single operations (compute, wait) are not in the results, only what is "
                         "marked")
    return found


def _add_collectives(found: Timeline, run: Run, rank: int, job: JobFile | None, end: float) -> None:
    """Those of groups that the rank belongs to."""
    table = run.tables.get("collectives")
    if table is None:
        return
    unknown = 0
    for one in table.to_dict("records"):
        group, first = str(one["group"]), int(one["first_rank"])
        belongs = (job or JobFile()).belongs(rank, group, first)
        unknown += belongs is None
        if not belongs or math.isnan(one["start_ns"]):
            continue
        until = max(end, _us(one["start_ns"])) if math.isnan(one["end_ns"]) else _us(one["end_ns"])
        found.spans.append(Span(f"{one['operation']} of {group}", _us(one["start_ns"]), until,
                                f"{one['operation']} {one['iteration']:.0f}, "
                                f"{count_of(int(one['ranks']), 'rank')}, from the first that came "
                                "to "
                                "the last that left"))
    if unknown:
        found.missing.append(f"{count_of(unknown, 'collective')} of groups of which it is not "
                             "known whether the rank belongs to them")
