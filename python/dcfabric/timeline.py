# SPDX-License-Identifier: GPL-2.0-only
"""What a run did over time, as a file of trace events for ui.perfetto.dev and chrome://tracing.

The format is the JSON form of Google's "Trace Event Format": slices with a begin and a length (X),
moments (i), counters (C), and names of processes and threads (M); times are microseconds. A process
is a rank, a node of the network, the collectives of a job or the flows; a thread is a row of slices
that follow one another or lie within one another.
"""
from __future__ import annotations

import functools
import heapq
import json
import math
import re
from pathlib import Path
from typing import Any, Callable, Iterable, Sequence

from .columns import SERIES, Series
from .errors import DcfabricError
from .result import Result
from .run_files import replacing
from .traces.job import JobFile, place_among

PARTS = ("ranks", "collectives", "flows")
"""What is there beside time series."""
_TIMES = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1.0, "ps": 1e-3}
_BATCH = 50_000
"""Events that are in memory as text at a time."""
_name = functools.lru_cache(maxsize=65536)(json.dumps)
"""A text as JSON."""


def write_timeline(result: Result, path: str | Path, parts: Sequence[str] = ()) -> int:
    """Write the file, whole or not at all, and return how many events there are.

    parts: names among PARTS and those of time series; empty: all that the folder has. Raises
    DcfabricError for other names, and for a part that the run did not write.
    """
    known = [*PARTS, *(name for name, series in SERIES.items() if _shows(series))]
    for name in parts:
        if name not in known:
            raise DcfabricError(f"no part '{name}' of a timeline; there are {', '.join(known)}")
    with replacing(Path(path)) as temporary, temporary.open("w", encoding="utf-8") as file:
        events = _Events(file.write, result)
        for name in parts or known:
            draw = {"ranks": _ranks, "collectives": _collectives, "flows": _flows}.get(name)
            if parts or name == "flows" or _has(result, "marks" if name == "ranks" else name):
                draw(events) if draw else _series(events, SERIES[name])
        events.close()
    return events.count


def _has(result: Result, name: str) -> bool:
    return any((result.folder / f"{name}.{suffix}").is_file() for suffix in ("csv", "parquet"))


def _shows(series: Series) -> bool:
    """Whether a series has numbers, or spans between two texts."""
    return bool(_numbers(series) or series.figure and series.figure.spans)


def _numbers(series: Series) -> list[str]:
    return [column.name for column in series.columns
            if column.type in ("whole", "real") and column.name != "flow"]


class _Events:
    """Writes events, and names processes and threads when they come for the first time."""

    def __init__(self, write: Callable[[str], object], result: Result) -> None:
        self.result = result
        options = result.summary.get("options", {})
        self.job = JobFile.of_workload(str(options.get("workload", "")))
        self.jobs = _jobs(result)
        self.hosts = {int(one) for end in ("src", "dst") for one in result.flows[end].unique()}
        self.end_ns = float(result.summary.get("sim_seconds", 0)) * 1e9
        """of the run, which ends what has no end of its own"""
        found = re.fullmatch(r"([\d.]+)([a-z]+)", str(options.get("trace-interval", "")))
        self.interval_ns = (float(found[1]) * _TIMES[found[2]] if found and found[2] in _TIMES
                            else 0.0)
        self.count = 0
        self._write = write
        self._processes: dict[str, int] = {}
        self._threads: dict[tuple[int, str], int] = {}
        self._lines: list[str] = []
        self._before = ""
        said = {"folder": str(result.folder), "version": str(result.summary.get("version", "")),
                "options": ", ".join(f"{name}={value}" for name, value in options.items() if value)}
        write('{"displayTimeUnit":"ns","otherData":' + json.dumps(said) + ',"traceEvents":[\n')

    def close(self) -> None:
        """The end of the file."""
        self._flush()
        self._write("\n]}\n")

    def _add(self, line: str) -> None:
        self._lines.append(line)
        self.count += 1
        if len(self._lines) >= _BATCH:
            self._flush()

    def _flush(self) -> None:
        if self._lines:
            self._write(self._before + ",\n".join(self._lines))
            self._before = ",\n"
            self._lines.clear()

    def process(self, name: str) -> int:
        """Its number."""
        found = self._processes.get(name)
        if found is None:
            found = self._processes[name] = len(self._processes) + 1
            self._meta("process_name", found, 0, f'"name":{_name(name)}')
            self._meta("process_sort_index", found, 0, f'"sort_index":{found}')
        return found

    def thread(self, process: int, name: str) -> int:
        """Its number."""
        found = self._threads.get((process, name))
        if found is None:
            found = self._threads[process, name] = len(self._threads) + 1
            self._meta("thread_name", process, found, f'"name":{_name(name)}')
            self._meta("thread_sort_index", process, found, f'"sort_index":{found}')
        return found

    def _meta(self, what: str, process: int, thread: int, arguments: str) -> None:
        self._add(f'{{"ph":"M","name":"{what}","pid":{process},"tid":{thread},'
                  f'"args":{{{arguments}}}}}')

    def slice(self, process: int, thread: int, name: str, kind: str, begin_ns: float,
              end_ns: float, arguments: str = "") -> None:
        """From a begin to an end; of equal times a moment. arguments: members of a JSON object."""
        shape = (f'"ph":"X","dur":{(end_ns - begin_ns) / 1e3:.6f}' if end_ns > begin_ns
                 else '"ph":"i","s":"t"')
        self._add(f'{{{shape},"name":{_name(name)},"cat":"{kind}","ts":{begin_ns / 1e3:.6f},'
                  f'"pid":{process},"tid":{thread},"args":{{{arguments}}}}}')

    def counter(self, process: int, name: str, kind: str, at_ns: float, arguments: str) -> None:
        """Values that hold from then on."""
        self._add(f'{{"ph":"C","name":{_name(name)},"cat":"{kind}","ts":{at_ns / 1e3:.6f},'
                  f'"pid":{process},"tid":0,"args":{{{arguments}}}}}')

    def rank(self, rank: int, job: object = None) -> int:
        """Process of a rank. job: its name; without one, ranks are counted through all jobs."""
        if not isinstance(job, str):
            job, rank = place_among(self.jobs, rank)
        place = (f" of {job}" if job else
                 f" on host {self.job.host(rank)}" if self.job is not None else "")
        return self.process(f"rank {rank}{place}")

    def node(self, node: int) -> int:
        """Process of a node."""
        return self.process(f"{'host' if node in self.hosts else 'node'} {node}")

    def until(self, begin_ns: float, end_ns: float) -> float:
        """The end of something that began then; that of the run if it has none."""
        return end_ns if end_ns >= begin_ns else max(begin_ns, self.end_ns)


def _jobs(result: Result) -> list[tuple[str, int]]:
    """Names of jobs and how many ranks they have, in the order of their ranks; empty: there is one,
    without a name."""
    if not _has(result, "jobs"):
        return []
    return [(str(name), int(ranks)) for name, ranks in _rows(result.jobs, ("job", "ranks"))
            if ranks > 0]


class _Lanes:
    """Rows of slices that may overlap: each goes to the first row that is free."""

    def __init__(self, events: _Events) -> None:
        self.events = events
        self.free: dict[tuple[int, str], list[int]] = {}
        self.busy: dict[tuple[int, str], list[tuple[float, int]]] = {}

    def thread(self, process: int, name: str, begin_ns: float, end_ns: float) -> int:
        """Of a slice; begins ascend."""
        key = process, name
        free, busy = self.free.setdefault(key, []), self.busy.setdefault(key, [])
        while busy and busy[0][0] <= begin_ns:
            heapq.heappush(free, heapq.heappop(busy)[1])
        lane = heapq.heappop(free) if free else len(busy)
        heapq.heappush(busy, (end_ns, lane))
        return self.events.thread(process, name if lane == 0 else f"{name} ({lane + 1})")


def _known(**values: float) -> str:
    """Further members of a JSON object, without what is not known."""
    return "".join(f',"{name}":{value:.12g}' for name, value in values.items()
                   if math.isfinite(value))


def _rows(frame: Any, names: Sequence[str]) -> Iterable[tuple[Any, ...]]:
    """Fields of each row; those of a column that is not there are None."""
    none = [None] * len(frame)
    return zip(*(frame[name].tolist() if name in frame.columns else none for name in names))


def _ranks(events: _Events) -> None:
    """Marks; what ranks compute is a time series of its own."""
    marks = events.result.marks
    # what has no end has what is within it, however the end of the run was rounded
    events.end_ns = max([events.end_ns, *marks["end_ns"].dropna()])
    found = [(job if isinstance(job, str) else "", rank, begin, events.until(begin, end), name,
              iteration)
             for job, rank, name, iteration, begin, end in _rows(
                 marks, ("job", "rank", "name", "iteration", "start_ns", "end_ns"))]
    # the outer one of two that begin together first
    for job, rank, begin, end, name, iteration in sorted(
            found, key=lambda one: (*one[:3], -one[3])):
        process = events.rank(rank, job or None)
        events.slice(process, events.thread(process, "marks"), str(name), "mark", begin, end,
                     f'"iteration":{iteration}')


def _collectives(events: _Events) -> None:
    """A row for each group that has been in any."""
    lanes = _Lanes(events)
    columns = ("job", "operation", "algorithm", "group", "first_rank", "iteration", "ranks",
               "size_bytes", "start_ns", "end_ns", "busbw_gbyte_s")
    for (job, operation, algorithm, group, first, iteration, ranks, size, begin, end,
         busbw) in _rows(events.result.collectives.sort_values("start_ns", kind="stable"), columns):
        if math.isnan(begin):
            continue
        process = events.process(f"collectives of {job}" if isinstance(job, str)
                                 else "collectives")
        until = events.until(begin, end)
        row = str(group) if group == "all" else f"{group} from rank {first}"
        events.slice(process, lanes.thread(process, row, begin, until), str(operation),
                     "collective", begin, until,
                     f'"algorithm":{_name(str(algorithm))},"iteration":{iteration},"ranks":{ranks}'
                     + _known(size_bytes=size, busbw_gbyte_s=busbw)
                     + ("" if end >= begin else ',"complete":false'))


def _flows(events: _Events) -> None:
    """What each host sends, to the last byte at the receiver."""
    lanes = _Lanes(events)
    flows = events.result.flows.sort_values("start_ns", kind="stable")
    for flow, source, to, size, begin, took, slowdown, label in _rows(
            flows, ("flow", "src", "dst", "size_bytes", "start_ns", "fct_ns", "slowdown", "group")):
        if math.isnan(begin):
            continue
        until = events.until(begin, begin + took)
        process = events.node(source)
        events.slice(process, lanes.thread(process, "sends", begin, until), f"to host {to}", "flow",
                     begin, until, f'"flow":{flow}' + _known(size_bytes=size, slowdown=slowdown)
                     + (f',"group":{_name(label)}' if isinstance(label, str) else "")
                     + ("" if took >= 0 else ',"complete":false'))


def _series(events: _Events, series: Series) -> None:
    """Counters and spans of each thing that a time series tells of."""
    frame = events.result.frame(series.name)
    if "duration_ns" in frame.columns:
        _durations(events, series, frame)
        return
    if series.figure and series.figure.spans:
        _spans(events, series, frame)
        return
    numbers = [name for name in _numbers(series) if name in frame.columns]
    # values that are means over the time since the sample before begin with that time
    means = {curve.column for panel in (series.figure.panels if series.figure else ())
             for curve in panel.curves if curve.style == "mean"}
    shift = events.interval_ns if means & set(numbers) else 0.0
    keys = [*series.keys, *(column.name for column in series.columns
                            if column.type == "text" and series.rows == "thinned")]
    of_flows = "flow" in series.keys
    last: dict[str, tuple[int, float]] = {}
    form = ",".join(f"{_name(name)}:%.12g" for name in numbers)
    for row in _rows(frame, ("time_ns", *keys, *numbers)):
        at, key, values = row[0], row[1:len(keys) + 1], row[len(keys) + 1:]
        process, name = _thing(events, series.name, keys, key)
        said = form % values if math.isfinite(sum(values)) else _known(
            **dict(zip(numbers, values)))[1:]
        if said:
            events.counter(process, name, series.name, max(0.0, at - shift), said)
        if of_flows:
            last[name] = process, at
    for name, (process, at) in last.items():
        events.counter(process, name, series.name, at, form % ((0,) * len(numbers)))


def _thing(events: _Events, series: str, keys: Sequence[str],
           key: Sequence[Any]) -> tuple[int, str]:
    """Process and name of what a row is of."""
    if keys[:1] == ["node"]:
        said = " ".join(f"{name} {value}" for name, value in zip(keys[1:], key[1:]))
        return events.node(key[0]), f"{series} {said}".rstrip()
    return events.process("flows"), " ".join(
        [series, *(f"{name} {value}" for name, value in zip(keys, key))])


def _spans(events: _Events, series: Series, frame: Any) -> None:
    """From a text to another one, such as pauses."""
    assert series.figure and series.figure.spans
    spans = series.figure.spans
    since: dict[tuple[Any, ...], float] = {}

    def draw(key: tuple[Any, ...], begin: float, end: float) -> None:
        process, name = _thing(events, series.name, series.keys, key)
        events.slice(process, events.thread(process, name), spans.name, series.name, begin, end)

    for at, event, *key in _rows(frame, ("time_ns", spans.column, *series.keys)):
        if event == spans.begin:
            since.setdefault(tuple(key), at)
        elif event == spans.end and tuple(key) in since:
            draw(tuple(key), since.pop(tuple(key)), at)
    for left, begin in since.items():
        draw(left, begin, events.until(begin, math.nan))


def _durations(events: _Events, series: Series, frame: Any) -> None:
    """What ranks do for some time, by stream; what has no stream is what the rank itself does."""
    lanes = _Lanes(events)
    frame = frame.sort_values("time_ns", kind="stable")
    for begin, rank, stream, took, line in _rows(
            frame, ("time_ns", "rank", "stream", "duration_ns", "line")):
        process = events.rank(rank)
        row = str(stream) if isinstance(stream, str) and stream else "program"
        events.slice(process, lanes.thread(process, row, begin, begin + took), "compute",
                     series.name, begin, begin + took, f'"line":{line}')
