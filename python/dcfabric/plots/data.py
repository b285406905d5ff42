# SPDX-License-Identifier: GPL-2.0-only
"""Result folders as dcfabric-plot reads them: checked tables, windows of time, folders of several
seeds."""
from __future__ import annotations

import functools
import json
import math
from pathlib import Path
from typing import Any, Mapping, Sequence

import numpy as np
import pandas as pd

from ..columns import SERIES
from ..drawing import Look, looks
from ..engine import CC_TYPE
from ..errors import DcfabricError
from ..looks import KINDS, NOTHING
from ..program import digest
from ..run_files import SUMMARY, Control, control_in_python, labels_in, options_given
from ..traffic import same_flows
from ..wording import count_of
from .naming import (NOT_COMPARED, POLICIES, common_label, differing, named_by_labels,
                     named_by_options, named_options, told_apart)

Window = tuple[float, float]
"""Begin and end in us; both may be infinite."""

COLUMNS = {
    "flows.csv": ["flow", "src", "dst", "size_bytes", "start_ns", "fct_ns", "sender_fct_ns",
                  "ideal_fct_ns", "slowdown"],
    "marks.csv": ["rank", "iteration", "start_ns", "end_ns"],
    "collectives.csv": ["first_rank", "iteration", "ranks", "size_bytes", "start_ns", "end_ns"],
    "jobs.csv": ["ranks", "busbw_gbyte_s", "time_ns", "slowdown"],
    "steps.csv": ["time_ns"],
    "interference.csv": ["behind_others_ns"],
}
"""Columns with numbers that a figure needs, by file; those of time series are in SERIES."""
TEXTS = {"marks.csv": ["name"], "collectives.csv": ["operation", "group"], "jobs.csv": ["job"],
         "steps.csv": ["job", "kind", "name"], "interference.csv": ["link", "job"]}
MAY_BE_EMPTY = {"flows.csv": ("start_ns", "fct_ns", "sender_fct_ns", "ideal_fct_ns", "slowdown"),
                "marks.csv": ("end_ns",),
                "collectives.csv": ("size_bytes", "start_ns", "end_ns"),
                "jobs.csv": ("busbw_gbyte_s", "time_ns", "slowdown"),
                "steps.csv": ("time_ns",), "interference.csv": ("behind_others_ns",)}


class BadInput(DcfabricError):
    """A result folder that cannot be used; the message says which file and why."""


def needs(name: str) -> tuple[list[str], list[str], list[str]]:
    """Columns of a file: with numbers, with numbers that results of earlier versions lack, and with
    texts."""
    series = SERIES.get(name.removesuffix(".csv"))
    if series is None:
        return COLUMNS[name], [], TEXTS.get(name, [])
    numbers = [column for column in series.columns if column.type != "text"]
    return (["time_ns", *(column.name for column in numbers if not column.later)],
            [column.name for column in numbers if column.later],
            [column.name for column in series.columns if column.type == "text"])


def read_table(path: Path) -> Any:
    """One CSV file as a frame of numbers, with the columns promised for its name. Raises
    BadInput."""
    try:
        # a job may be called 01 or NA
        frame = pd.read_csv(path, skipinitialspace=True, converters={"job": str})
    except (OSError, ValueError, pd.errors.ParserError) as error:
        raise BadInput(f"{path}: {error}") from error
    needed, later, texts = needs(path.name)
    missing = [c for c in needed + texts if c not in frame.columns]
    if missing:
        raise BadInput(f"{path}:1: no column {', '.join(missing)}")
    for column in needed + [c for c in later if c in frame.columns]:
        numbers: Any = pd.to_numeric(frame[column], errors="coerce")
        bad = (numbers.isna() & frame[column].notna() if column in MAY_BE_EMPTY.get(path.name, ())
               else numbers.isna())
        if bad.any():
            line = int(np.flatnonzero(bad)[0])
            raise BadInput(f"{path}:{line + 2}: {column} is not a number: {frame[column][line]!r}")
        frame[column] = numbers
    return frame


def cut(frame: Any, window: Window, keys: Sequence[str] | None = None) -> Any:
    """The rows between two times. With keys, those of a sparse series: what goes on across an end
    of the window has a row there, too."""
    begin, end = (1e3 * time for time in window)
    so_far = frame[frame["time_ns"] <= end]
    if keys is None:
        return so_far[so_far["time_ns"] >= begin]
    names = list(keys)
    rows = pd.concat(
        [so_far[so_far["time_ns"] <= begin].groupby(names).tail(1).assign(time_ns=begin),
         so_far[so_far["time_ns"] > begin]])
    going_on = pd.MultiIndex.from_frame(frame.loc[frame["time_ns"] > end, names])
    last = rows.groupby(names).tail(1)
    last = last[pd.MultiIndex.from_frame(last[names]).isin(going_on) & (last["time_ns"] < end)]
    return pd.concat([rows, last.assign(time_ns=end)], ignore_index=True)


def has_results(folder: Path) -> bool:
    """Whether a folder is that of a run."""
    return (folder / "flows.csv").is_file() and (folder / "summary.json").is_file()


def runs_in(folder: Path) -> list[Path]:
    """The runs of the folder of a sweep or study, or of any folder with folders of runs; none if it
    is one itself, or has none. Those of a study are in its order."""
    if not folder.is_dir() or (folder / SUMMARY).is_file() or (folder / "flows.csv").is_file():
        return []
    order = {name: place for place, name in enumerate(labels_in(folder))}
    return sorted((one for one in folder.iterdir()
                   if one.is_dir() and not one.name.startswith(".") and has_results(one)),
                  key=lambda one: (order.get(one.name, len(order)), one))


class Run:
    """What one folder holds: flows, summary and the time series that exist, cut to a window."""

    def __init__(self, folder: Path, label: str, window: Window) -> None:
        """Raises BadInput."""
        self.folder, self.label, self.window = folder, label, window
        if not folder.is_dir():
            raise BadInput(f"{folder}: no such folder")
        for name in ("flows.csv", "summary.json"):
            if not (folder / name).is_file():
                raise BadInput(f"{folder}: no {name}: not a result folder of dcfabric-sim")
        before = self._identity()
        self.all_flows = read_table(folder / "flows.csv")
        self.flows = self.all_flows[self.all_flows["fct_ns"] > 0]
        """those that were received: their last byte is there"""
        self.by_size: dict[Any, dict[str, Any]] = {}
        """slowdowns by edges and flow size, once these are asked for"""
        self._same: dict[Path, bool] = {}
        self.summary = self._read_summary()
        self.series: dict[str, Any] = {}
        for name, series in SERIES.items():
            path = folder / f"{name}.csv"
            if series.figure and path.is_file():
                self.series[name] = cut(read_table(path).sort_values("time_ns", kind="stable"),
                                        window, series.keys if series.sparse else None)
        self.tables = {name: read_table(folder / f"{name}.csv") for name in
                       ("marks", "collectives", "jobs", "steps", "interference")
                       if (folder / f"{name}.csv").is_file()}
        """of programs of ranks"""
        jobs = self.tables.get("jobs")
        self.jobs = [] if jobs is None else [(job, int(ranks)) for job, ranks in zip(
            jobs["job"], jobs["ranks"]) if ranks > 0]
        """names of several jobs, and how many ranks they have; empty: one without a name"""
        if self._identity() != before:
            raise BadInput(f"{folder}: another run has put its results there while they were read: "
                           "try again")

    def _identity(self) -> str:
        """Of the results: the program takes the summary of others away first, and writes its own
        last."""
        try:
            return digest(self.folder / SUMMARY)
        except OSError:
            return ""

    def _read_summary(self) -> dict[str, Any]:
        path = self.folder / "summary.json"
        try:
            found = json.loads(path.read_text())
        except (OSError, ValueError) as error:
            raise BadInput(f"{path}: {error}") from error
        if not isinstance(found, dict):
            raise BadInput(f"{path}: not an object")
        return found

    def marked_ranks(self) -> list[int]:
        """Ranks that have marks, counted through all jobs."""
        marks = self.tables.get("marks")
        if marks is None:
            return []
        if not self.jobs or "job" not in marks.columns:
            return sorted({int(rank) for rank in marks["rank"]})
        first, firsts = 0, {}
        for name, ranks in self.jobs:
            firsts[name] = first
            first += ranks
        return sorted({firsts.get(str(job), 0) + int(rank)
                       for job, rank in zip(marks["job"], marks["rank"])})

    @functools.cached_property
    def options(self) -> Mapping[str, str]:
        """As in summary.json, empty if it has none; but a congestion control in Python has its own
        name, and its parameters are options, as attributes are."""
        options = self.summary.get("options")
        if not isinstance(options, dict):
            return {}
        control = self.control
        return options if not control else {
            **options, "cc": control.name,
            **{f"{control.name}::{one}": str(value) for one, value in control.parameters.items()}}

    @functools.cached_property
    def labels(self) -> Mapping[str, str]:
        """What the run has in the columns of its study, in their order; nothing if it is of
        none."""
        return labels_in(self.folder.parent).get(self.folder.name, {})

    @functools.cached_property
    def control(self) -> Control | None:
        """The congestion control in Python, None without one."""
        return control_in_python(self.folder)

    @functools.cached_property
    def given(self) -> set[str]:
        """Options that were asked for, as far as it is known; the others are defaults, or follow
        from these."""
        return {name for name in options_given(self.folder) if not name.startswith(f"{CC_TYPE}::")}

    @property
    def begin_ns(self) -> float:
        """Begin of the time series."""
        return max(0.0, 1e3 * self.window[0])

    def has_flows_of(self, other: Run) -> bool:
        """Whether the two have the same flows, so that they can be compared as a pair."""
        if other.folder not in self._same:
            self._same[other.folder] = same_flows(self.options, lambda: self.all_flows,
                                                  other.options, lambda: other.all_flows)
        return self._same[other.folder]

    def number(self, key: str) -> float | None:
        """A number of the summary, or None if the run did not report it."""
        value = self.summary.get(key)
        return value if isinstance(value, (int, float)) else None

    @property
    def missing(self) -> int:
        """How many flows had begun and were not received when the run ended; 0 if the summary does
        not say how many began."""
        return max(0, int(self.number("flows_started") or 0) - len(self.flows))

    def has(self, name: str) -> bool:
        """Whether there are rows of a time series."""
        return name in self.series and len(self.series[name]) > 0


class Line:
    """One or several runs that figures show as one: they differ in the seed alone."""

    def __init__(self, label: str, runs: Sequence[Run], look: Look, algorithm: str = "") -> None:
        self.label, self.runs, self.look = label, list(runs), look
        self.algorithm = algorithm
        """by which it has its color; empty: the label"""

    @property
    def first(self) -> Run:
        """The run that stands for all in figures over time."""
        return self.runs[0]

    @functools.cached_property
    def flows(self) -> Any:
        """The flows of all runs that were received."""
        return (self.runs[0].flows if len(self.runs) == 1
                else pd.concat([run.flows for run in self.runs], ignore_index=True))

    def pairs(self, base: Line) -> list[tuple[Run, Run]]:
        """Each run with that of another line which has the same seed and the same flows."""
        theirs: dict[str, list[Run]] = {}
        for run in base.runs:
            theirs.setdefault(str(run.options.get("seed", "")), []).append(run)
        found = []
        for run in self.runs:
            others = theirs.get(str(run.options.get("seed", "")), [])
            found += [(run, other) for other in others if run.has_flows_of(other)][:1]
        return found

    def of_first(self) -> str:
        """The label for a figure that shows the first run alone."""
        return (self.label if len(self.runs) == 1
                else f"{self.label} (first of {len(self.runs)} seeds)")


def lines_of(runs: Sequence[Run], join_seeds: bool = False, chosen: bool = True,
             by_options: bool = False) -> list[Line]:
    """Runs of the same label together, those of which the options are known only if these are the
    same but for the seed, unless the labels were chosen. join_seeds: runs of any labels whose
    options are the same but for the seed. by_options: lines are named by the labels of their study,
    else by the options that differ, not by their folders. No two lines have one label."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        options = json.dumps([{name: value for name, value in run.options.items()
                               if name not in NOT_COMPARED},
                              run.control and (run.control.source, run.control.values)],
                             sort_keys=True)
        key = (options if join_seeds
               and run.options else run.label if chosen else f"{run.label} {options}")
        groups.setdefault(key, []).append(run)
    varied = differing(runs) if all(run.options for run in runs) else []
    by_label = named_by_labels([group[0] for group in groups.values()]) if by_options else {}
    telling, _ = named_options(runs, varied)
    named = [(by_label[group[0].folder] if by_label
              else named_by_options(group[0], telling) if by_options and varied
              else common_label([run.label for run in group])
              if len({run.label for run in group}) > 1
              else group[0].label, group)
             for group in groups.values()]
    seen: dict[str, int] = {}
    labels = []
    # groups that would have the same name keep that of their first folder
    for label, group in named:
        seen[label] = seen.get(label, 0) + 1
        labels.append(label if seen[label] == 1 else group[0].label)
    labels = told_apart(labels, [group[0].folder for _, group in named])
    policy = next((name for name in varied if name in POLICIES), None)
    algorithms = ({label: str(group[0].options.get(policy) or NOTHING)
                   for label, (_, group) in zip(labels, named)} if policy else None)
    how = looks(labels, algorithms, policy in KINDS)
    return [Line(label, group, how[label], (algorithms or {}).get(label, ""))
            for label, (_, group) in zip(labels, named)]


MANY = 40
"""Of so many flows the last ones do not decide where a figure ends."""
STRAGGLERS = 0.02
"""These are so many of them, and at least one ..."""
LONGER = 1.25
"""... if with them it would be so many times as long."""


def shown_us(lines: Sequence[Line]) -> tuple[float, float, str]:
    """From when to when figures over time show the first run of each line, in us, and what they
    leave out: they begin with the first flow, and do not go on for a straggler. Ends that a window
    sets, or that are not known, are infinite."""
    begin, end, said = math.inf, -math.inf, ""
    last, most = -math.inf, 0
    for run in (line.first for line in lines):
        flows = run.all_flows
        starts = flows["start_ns"].dropna()
        ends = (flows["start_ns"] + flows["sender_fct_ns"].fillna(flows["fct_ns"])).dropna()
        begin = min(begin, starts.min() / 1e3 if len(starts) else -math.inf)
        # a flow that is not complete goes on
        if len(ends) < max(MANY, len(starts)):
            return _within(lines, begin, math.inf), math.inf, ""
        ordered = ends.sort_values()
        left = max(1, int(STRAGGLERS * len(ordered)))
        most = max(most, left)
        end = max(end, ordered.iloc[-1 - left] / 1e3)
        last = max(last, ordered.iloc[-1] / 1e3)
    if not lines or last < LONGER * end or any(math.isfinite(run.window[1])
                                               for line in lines for run in line.runs):
        return _within(lines, begin, math.inf), math.inf, said
    return (_within(lines, begin, math.inf), end,
            f"shown up to {end:,.0f} us, when at most {count_of(most, 'flow')} of a run "
            f"{'was' if most == 1 else 'were'} left; the last one ended at {last:,.0f} us")


def _within(lines: Sequence[Line], begin: float, otherwise: float) -> float:
    """A begin that no window sets."""
    set_ = any(math.isfinite(run.window[0]) for line in lines for run in line.runs)
    return -math.inf if set_ or begin == otherwise else begin
