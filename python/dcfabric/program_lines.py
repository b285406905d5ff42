# SPDX-License-Identifier: GPL-2.0-only
"""What programs of ranks did, in a few lines: kinds of collectives and of marks, and jobs; as the
report of dcfabric-sim tells it."""
from __future__ import annotations

import csv
import dataclasses
from pathlib import Path
from typing import Iterator, Mapping

from .wording import count_of

MOST_LINES = 12
"""Of each file so many kinds have a line."""
Row = Mapping[str, str]


@dataclasses.dataclass
class Tally:
    """What things of one kind have in common."""

    count: int = 0
    ended: int = 0
    sum_ns: float = 0.0
    """of the times of those that have ended"""
    longest_ns: float = 0.0
    measured: int = 0
    """that have a bus bandwidth"""
    sum_gbyte_s: float = 0.0
    """of these"""
    ranks: set[str] = dataclasses.field(default_factory=set)
    """that have such a thing, where it is one of a rank"""

    def add(self, row: Row) -> None:
        """One more of them."""
        self.count += 1
        if row["end_ns"]:
            time_ns = float(row["end_ns"]) - float(row["start_ns"])
            self.ended += 1
            self.sum_ns += time_ns
            self.longest_ns = max(self.longest_ns, time_ns)
        if row.get("busbw_gbyte_s"):
            self.measured += 1
            self.sum_gbyte_s += float(row["busbw_gbyte_s"])
        if "rank" in row:
            self.ranks.add(row["rank"])

    def text(self, name: str) -> str:
        """A line. name: of the kind."""
        found = f"{name}: {self.count}"
        if self.ranks:
            found += f" on {count_of(len(self.ranks), 'rank')}"
        if self.ended < self.count:
            found += f", {self.ended} complete"
        if self.ended:
            found += (f", mean {self.sum_ns / self.ended / 1e3:.3f} us, longest "
                      f"{self.longest_ns / 1e3:.3f} us")
        if self.measured:
            found += f", bus bandwidth {self.sum_gbyte_s / self.measured:.3f} GB/s"
        return found


def program_lines(folder: Path) -> list[tuple[str, str]]:
    """Lines with what each is of: collectives, steps and jobs; none of a run without programs."""
    collectives: dict[str, Tally] = {}
    for row in _rows(folder / "collectives.csv"):
        name = f"{row['operation']} ({row['algorithm']}){_of_job(row)}"
        collectives.setdefault(name, Tally()).add(row)
    jobs = list(_rows(folder / "jobs.csv"))
    steps: dict[str, Tally] = {}
    for row in _rows(folder / "marks.csv"):
        if row["start_ns"] != row["end_ns"]:  # and not of a moment
            steps.setdefault(row["name"] + _of_job(row), Tally()).add(row)
    if jobs:  # of all ranks of one together
        known, steps = set(steps), {}
        for row in _rows(folder / "steps.csv"):
            name = row["name"] + _of_job(row)
            if row["kind"] == "mark" and name in known:
                steps.setdefault(name, Tally()).add(row)
    return [*_limited("collectives", [one.text(name) for name, one in collectives.items()]),
            *_limited("steps", [one.text(name) for name, one in steps.items()]),
            *_limited("jobs", [_job(row) for row in jobs])]


def _rows(path: Path) -> Iterator[Row]:
    if path.is_file():
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.reader(file)  # csv.DictReader takes twice as long: there may be millions
            names = next(rows, [])
            yield from (dict(zip(names, row)) for row in rows if row)


def _of_job(row: Row) -> str:
    return f" of {row['job']}" if row.get("job") else ""


def _job(row: Row) -> str:
    """A line of jobs.csv; what runs beside jobs has no ranks."""
    ranks, flows = int(row["ranks"]), int(row["flows"])
    found = f"{row['job']}: {count_of(ranks, 'rank') if ranks else count_of(flows, 'flow')}"
    found += f", {float(row['time_ns']) / 1e3:.3f} us" if row["time_ns"] else ", not complete"
    if row["busbw_gbyte_s"]:
        found += f", bus bandwidth {float(row['busbw_gbyte_s']):.3f} GB/s"
    if row["slowdown"]:
        found += f", {float(row['slowdown']):.3f} times as long as alone"
    return found


def _limited(name: str, lines: list[str]) -> list[tuple[str, str]]:
    more = [f"and {len(lines) - MOST_LINES} more kinds"] if len(lines) > MOST_LINES else []
    return [(name, line) for line in [*lines[:MOST_LINES], *more]]
