# SPDX-License-Identifier: GPL-2.0-only
"""What results tell of one flow, one port or one rank over time, for the interactive page and as
figures: rows of bars above, courses of quantities below, all with one time axis."""
from __future__ import annotations

import dataclasses
import math
from typing import Any, Iterator, Sequence

import numpy as np

from ..columns import Figure, Series, series_of
from ..drawing import label, neutral, note, panels, wrapped
from ..traces.job import JobFile, place_among
from ..wording import count_of
from .data import BadInput, Run, Window
from .over_time import STEPS, course, name_of, rows_of


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


IDEAL = "ideal"
"""The row of a span that tells what would have been."""
ROOM = 0.05
"""Of an axis, beside what it shows."""


@dataclasses.dataclass
class Timeline:
    """What is known of one thing, and what is not."""

    title: str
    spans: list[Span] = dataclasses.field(default_factory=list)
    courses: list[Course] = dataclasses.field(default_factory=list)
    missing: list[str] = dataclasses.field(default_factory=list)
    """what the results do not hold, for the reader"""
    since_us: float | None = None
    """from when on it is shown; None: from the first thing on"""

    def end_us(self) -> float:
        """Last time of a span, 0 without any."""
        return max((span.end_us for span in self.spans), default=0.0)

    def begin_us(self) -> float | None:
        """Where an axis begins: with the first thing, unless it is to begin before; None of
        nothing."""
        since = [] if self.since_us is None else [self.since_us]
        return min([*since, *(span.begin_us for span in self.spans),
                    *(min(one.times_us) for one in self.courses if len(one.times_us))],
                   default=None)

    def cut_us(self) -> float | None:
        """Where an axis ends; None if it shows all. Of a flow that the run does not complete the
        ideal time may be many times as long as all that happened."""
        ends = [span.end_us for span in self.spans if span.row != IDEAL]
        ends += [max(one.times_us) for one in self.courses if len(one.times_us)]
        last, begin = max(ends, default=math.inf), self.begin_us() or 0.0
        return last + ROOM * (last - begin) if begin < last < self.end_us() else None

    def range_us(self) -> tuple[float, float] | None:
        """From when to when an axis goes; None if it shows all, and nothing before."""
        begin, cut = self.begin_us() or 0.0, self.cut_us()
        if cut is None and self.since_us is not None and self.end_us() > begin:
            cut = self.end_us() + ROOM * (self.end_us() - begin)
        return None if cut is None else (begin, cut)

    def overlap(self) -> bool:
        """Whether a row has several spans at a time."""
        ends: dict[str, float] = {}
        for span in sorted(self.spans, key=lambda span: span.begin_us):
            if span.begin_us < ends.get(span.row, -math.inf):
                return True
            ends[span.row] = max(ends.get(span.row, -math.inf), span.end_us)
        return False


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
    for row, key in ((IDEAL, "ideal_fct_ns"), ("to the last byte", "fct_ns"),
                     ("to the last ACK", "sender_fct_ns")):
        span = _us(flow[key])
        if math.isnan(span):
            found.missing.append({IDEAL: "an endless flow has no ideal time",
                                  "to the last byte": "the flow was not received",
                                  "to the last ACK": "the last ACK has not come"}[row])
        else:
            found.spans.append(Span(row, begin, begin + span, f"{row}: {span:g} us"))
    _add_series(found, run, ("flow",), number)
    if found.cut_us() is not None:
        found.missing.append(f"the ideal time, to {found.end_us():,.0f} us, is cut")
    return found


def _add_series(found: Timeline, run: Run, of: tuple[str, ...], thing: Any) -> None:
    """What the time series of such things tell of one: courses and spans."""
    traced = {series.name: rows_of(run.series[series.name], of, thing)
              for series in series_of(*of) if series.name in run.series}
    end = max((_us(run.series[name]["time_ns"].max()) for name in traced
               if len(run.series[name])), default=0.0)
    for series in series_of(*of):
        rows, figure = traced.get(series.name), series.figure
        assert figure is not None
        if rows is None:
            found.missing.append(f"no {series.name}.csv (--trace={series.name})")
        elif not len(rows):
            found.missing.append(figure.nothing)
        else:
            for part, some in _parts(series, rows):
                found.courses += _courses(figure, some, part,
                                          np.unique(run.series[series.name]["time_ns"]))
            found.spans += spans_of(series, rows, end)


def _parts(series: Series, rows: Any) -> list[tuple[str, Any]]:
    """The rows of each part of a thing, such as class 3, by its name; all of them if there are no
    parts."""
    if not series.parts:
        return [("", rows)]
    by = series.parts if len(series.parts) > 1 else series.parts[0]
    return [(name_of(tuple(series.parts), part), some) for part, some in rows.groupby(by)]


def _courses(figure: Figure, rows: Any, part: str, times: Any) -> Iterator[Course]:
    """What the panels of a figure show of a part of a thing, those with nothing but zeros
    excepted."""
    for panel in figure.panels:
        for curve in panel.curves if panel.has_values(rows) else ():
            if curve.column_in(rows):
                xs, ys = course(curve, rows, panel.factor, times, -(-len(rows) // (4 * STEPS)))
                yield Course(part or curve.name or panel.quantity, panel.axis,
                             np.array(xs).tolist(), np.array(ys).tolist(),
                             steps=curve.style == "mean")


def spans_of(series: Series, rows: Any, end_us: float) -> list[Span]:
    """Spans between begin and end of each part of a thing, such as pauses of the classes of a port.
    rows: of the thing, in the order of time. One that was open lasts to the end."""
    spans = series.figure.spans if series.figure else None
    if spans is None:
        return []
    found: list[Span] = []
    since: dict[str, float] = {}
    for row in rows.to_dict("records"):
        part = " ".join(f"{key} {row[key]:.0f}" for key in series.parts)
        time, event = _us(row["time_ns"]), str(row[spans.column]).strip()
        if event == spans.begin:
            since.setdefault(part, time)
        elif event == spans.end and part in since:
            begin = since.pop(part)
            found.append(Span(f"{spans.name}, {part}", begin, time,
                              f"{part} {spans.name} for {time - begin:g} us"))
    return found + [Span(f"{spans.name}, {part}", begin, max(begin, end_us),
                         f"{part} {spans.name} to the end")
                    for part, begin in since.items()]


def port_timeline(run: Run, node: int, port: int) -> Timeline:
    """Of a port: the queue of each class, the use of its link, and when it was paused. Raises
    BadInput without a trace of ports."""
    known = [series.name for series in series_of("node", "port")]
    if not any(name in run.series for name in known):
        files = " nor ".join(f"{name}.csv" for name in known)
        raise BadInput(f"{run.folder}: neither {files}: nothing is known of ports "
                       f"(--trace={','.join(known)})")
    found = Timeline(f"port {port} of node {node}")
    _add_series(found, run, ("node", "port"), (node, port))
    return found


def rank_timeline(run: Run, rank: int) -> Timeline:
    """Of a rank: its marks, the collectives of its groups, and the messages of its host. Several
    jobs have their ranks counted through. Raises BadInput if the run had no programs of ranks."""
    marks = run.tables.get("marks")
    if marks is None:
        raise BadInput(f"{run.folder}: no marks.csv: the run had no programs of ranks "
                       "(--workload=program:PATH)")
    job = JobFile.of_workload(run.options.get("workload", ""))
    if job is not None and not 0 <= rank < job.ranks:
        raise BadInput(f"{run.folder}: no rank {rank}; there are {job.ranks}, from 0")
    name, rank = _of_job(run, rank)
    # its program begins with the run: what it computes before anything else is a gap
    found = Timeline(f"rank {rank}" + (f" of {name}" if name else ""), since_us=0.0)
    end = (_us(run.all_flows[["start_ns", "sender_fct_ns"]].sum(axis=1).max()) if len(run.all_flows)
           else 0.0)
    for mark, number, begin, stop in _rows_of(marks[marks["rank"] == rank], name)[[
            "name", "iteration", "start_ns", "end_ns"]].itertuples(index=False):
        until = max(end, _us(begin)) if math.isnan(stop) else _us(stop)
        found.spans.append(Span(f"mark {mark}", _us(begin), until, f"{mark} {number:.0f}"))
    if not found.spans:
        found.missing.append("the program of this rank has no marks: mark what it computes, sends "
                             "and waits for")
    _add_collectives(found, run, (name, rank), job, end)
    if job is None:
        found.missing.append("the host of this rank is unknown here, and so are its messages: the "
                             "job file is missing, ranks are placed by an option, or there are "
                             "other workloads beside the job")
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
    traced = (run.folder / "computations.csv").is_file()
    found.missing.append("computations are in computations.csv, which dcfabric timeline shows; "
                         "other operations (wait) are not in the results, only what is marked"
                         if traced else
                         "single operations (compute, wait) are not in the results, only what is "
                         "marked; --trace=computations has what is computed")
    return found


def _of_job(run: Run, rank: int) -> tuple[str, int]:
    """The job that a rank among all belongs to, and its number there; without jobs an empty name.
    Raises BadInput."""
    name, own = place_among(run.jobs, rank)
    if run.jobs and not name:
        raise BadInput(f"{run.folder}: no rank {rank}; there are "
                       f"{sum(ranks for _, ranks in run.jobs)}, from 0, counted through all jobs")
    return name, own


def _rows_of(table: Any, job: str) -> Any:
    """Those of a job; of no name: all."""
    return table[table["job"].astype(str) == job] if job and "job" in table.columns else table


def _add_collectives(found: Timeline, run: Run, of: tuple[str, int], job: JobFile | None,
                     end: float) -> None:
    """Those of groups that the rank belongs to. of: name of a job, and the rank."""
    table, (name, rank) = run.tables.get("collectives"), of
    if table is None:
        return
    unknown = 0
    for one in _rows_of(table, name).to_dict("records"):
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
        for number, one in enumerate(shown):
            axis.plot(one.times_us, one.values,
                      drawstyle="steps-pre" if one.steps else "default",
                      **neutral(number).line(label=one.name))
        axis.set_ylabel(kind)
        axis.set_ylim(bottom=0)
        axis.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    column[-1].set_xlabel(label("time", "us"))
    begin, end = window
    column[0].set_xlim(left=begin if begin > float("-inf") else timeline.begin_us(),
                       right=end if end < float("inf") else timeline.cut_us())
    column[0].set_title(wrapped(f"{title}: {timeline.title}", 100))
    if timeline.overlap():
        note(figure, "darker: several at a time")
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
