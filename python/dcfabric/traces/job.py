# SPDX-License-Identifier: GPL-2.0-only
"""Job files (doc/programs.rst): programs of ranks as traces give them; and what a file says of its
ranks: on which host each is, and which groups it belongs to."""
from __future__ import annotations

import ast
import dataclasses
import heapq
import re
from pathlib import Path
from typing import Sequence

from ..errors import DcfabricError
from ..run_files import write_whole


@dataclasses.dataclass
class Operation:
    """Something that a rank does when what it waits for is complete."""

    text: str
    """as a program has it, such as ``isend 1 64kB tag=3``"""
    label: str
    """by which messages name it"""
    after: list[int] = dataclasses.field(default_factory=list)
    """numbers of the rank's operations that have to be complete before it begins"""
    after_begun: list[int] = dataclasses.field(default_factory=list)
    """of those that only have to have begun"""
    stream: str = ""
    """on which it begins after others, empty: none"""


MAX_RANKS = 10_000_000
"""of a program (RankJob::MAX_RANKS)"""
MAX_PS = (1 << 62) - 1
"""of a computation (RankRunner: half of FabricTime::NEVER)"""
MAX_SIZE = 1 << 62
"""of a message, in bytes"""
UNITS = {"ps": 1, "ns": 10 ** 3, "us": 10 ** 6, "ms": 10 ** 9, "s": 10 ** 12}
"""of times, in ps"""


class TraceJob:
    """What all ranks do."""

    def __init__(self, ranks: int) -> None:
        """ranks: how many there are, at least 1. Raises DcfabricError for more than a program can
        have."""
        if ranks > MAX_RANKS:
            raise DcfabricError(f"{ranks} ranks; a program has at most {MAX_RANKS}")
        self.ranks: list[list[Operation]] = [[] for _ in range(ranks)]
        self.notes: list[str] = []
        """what of the trace was taken in another way than written"""
        self._groups: dict[tuple[int, ...], str] = {}

    def group(self, name: str, ranks: Sequence[int]) -> str:
        """Name under which programs know some ranks; name: wish."""
        members = tuple(sorted(set(ranks)))
        if members == tuple(range(len(self.ranks))):
            return "all"
        if not members or members[0] < 0 or members[-1] >= len(self.ranks):
            raise DcfabricError(f"group '{name}' has ranks {list(members)[:8]}; there are ranks 0 "
                                f"to {len(self.ranks) - 1}")
        if members not in self._groups:
            clean = "pg_" + "".join(c if c.isascii() and (c.isalnum() or c in "_-.") else "_"
                                    for c in name)
            taken = set(self._groups.values())
            number = 1
            unique = clean
            while unique in taken:
                number += 1
                unique = f"{clean}_{number}"
            self._groups[members] = unique
        return self._groups[members]

    def groups(self) -> dict[tuple[int, ...], str]:
        """Names of groups by their ranks."""
        return dict(self._groups)

    def to_text(self, per_host: int = 1, source: str = "") -> str:
        """The file. Each program ends with the mark ``end``, when all that the rank does is
        complete.

        per_host: ranks on each host; source: said in the first line. Raises DcfabricError for
        operations that wait for one another in a circle.
        """
        lines = [f"# {source}"] if source else []
        lines.append(f"ranks {len(self.ranks)} per-host {per_host}")
        lines += [f"group {name} {_ranges(members)}" for members, name in self._groups.items()]
        programs: dict[str, list[int]] = {}
        for rank, operations in enumerate(self.ranks):
            text = _program(rank, operations) if operations else ""  # of many that do nothing
            programs.setdefault(text, []).append(rank)
        for text, ranks in programs.items():
            lines += [f"program {_ranges(ranks)} {{", text + "wait", "mark end", "}"]
        return "\n".join(lines) + "\n"

    def write(self, path: str | Path, per_host: int = 1, source: str = "") -> None:
        """The same into a file, whole or not at all."""
        write_whole(Path(path), self.to_text(per_host, source))


def _program(rank: int, operations: Sequence[Operation]) -> str:
    named = {number for operation in operations for number in operation.after}
    begun = {number for operation in operations for number in operation.after_begun}
    lines = []
    for number in in_order(rank, operations):
        operation = operations[number]
        after = [f"n{other}" for other in dict.fromkeys(operation.after)]
        after += [f"b{other}" for other in dict.fromkeys(operation.after_begun)]
        lines.append(operation.text + (f" as=n{number}" if number in named else "") +
                     (f" begun=b{number}" if number in begun else "") +
                     (f" after={','.join(after)}" if after else "") +
                     (f" on={operation.stream}" if operation.stream else "") + "\n")
    return "".join(lines)


def in_order(rank: int, operations: Sequence[Operation]) -> list[int]:
    """Numbers in an order in which each comes after those that it waits for, otherwise as they are.
    Raises DcfabricError if there is none; rank: for its message."""
    unmet = [len(operation.after) + len(operation.after_begun) for operation in operations]
    waiting: list[list[int]] = [[] for _ in operations]
    for number, operation in enumerate(operations):
        for other in operation.after + operation.after_begun:
            waiting[other].append(number)
    # a heap, because it is sorted
    ready = [number for number, count in enumerate(unmet) if count == 0]
    order = []
    while ready:
        number = heapq.heappop(ready)
        order.append(number)
        for other in waiting[number]:
            unmet[other] -= 1
            if unmet[other] == 0:
                heapq.heappush(ready, other)
    if len(order) < len(operations):
        left = [operations[number].label for number, count in enumerate(unmet) if count > 0]
        raise DcfabricError(f"rank {rank}: these operations wait for one another in a circle, or "
                            "for such: " + ", ".join(left[:8]) +
                            (" ..." if len(left) > 8 else ""))
    return order


def _ranges(ranks: Sequence[int]) -> str:
    """Ranks as a file has them: ``0-3,8``."""
    parts: list[list[int]] = []
    for rank in ranks:
        if parts and rank == parts[-1][1] + 1:
            parts[-1][1] = rank
        else:
            parts.append([rank, rank])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


def place_among(jobs: Sequence[tuple[str, int]], rank: int) -> tuple[str, int]:
    """Name of the job that a rank belongs to, and its number there. jobs: names, and how many ranks
    they have, whose ranks are counted through. An empty name: there is no such rank."""
    number = rank
    for name, ranks in jobs:
        if 0 <= number < ranks:
            return name, number
        number -= ranks
    return "", rank


def ranks_of(text: str, ranks: int) -> set[int]:
    """From ``all``, or numbers and ranges such as ``0-3,8,10-20:2``. Raises ValueError."""
    found: set[int] = set()
    for part in text.split(","):
        span, _, step = part.partition(":")
        first, dash, last = span.partition("-")
        if part == "all":
            found |= set(range(ranks))
        else:
            found |= set(range(int(first), int(last if dash else first) + 1, int(step or 1)))
    return found


def value_of(expression: str, rank: int, ranks: int) -> int:
    """Of an expression with numbers, ``rank``, ``ranks``, + - * / % ^, comparisons and parentheses.
    Raises ValueError for others."""
    names = {"rank": rank, "ranks": ranks}

    def value(node: ast.expr) -> int:
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        if isinstance(node, ast.Name) and node.id in names:
            return names[node.id]
        if isinstance(node, ast.BinOp):
            return _combined(node.op, value(node.left), value(node.right))
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return int(_compared(node.ops[0], value(node.left), value(node.comparators[0])))
        raise ValueError(f"'{expression}' is not understood")

    try:
        return value(ast.parse(expression, mode="eval").body)
    except (SyntaxError, ZeroDivisionError) as error:
        raise ValueError(f"'{expression}': {error}") from error


def _combined(how: ast.operator, left: int, right: int) -> int:
    """Division and remainder are Python's, as doc/programs.rst has them; operators bind as there,
    too."""
    if isinstance(how, (ast.Div, ast.FloorDiv)):
        return left // right
    if isinstance(how, ast.Mod):
        return left % right
    others = {ast.Add: left + right, ast.Sub: left - right, ast.Mult: left * right,
              ast.BitXor: left ^ right}
    if type(how) not in others:
        raise ValueError("an operator that is not understood")
    return others[type(how)]


def _compared(how: ast.cmpop, left: int, right: int) -> bool:
    found = {ast.Eq: left == right, ast.NotEq: left != right, ast.Lt: left < right,
             ast.LtE: left <= right, ast.Gt: left > right,
             ast.GtE: left >= right}.get(type(how))
    if found is None:
        raise ValueError("a comparison that is not understood")
    return found


@dataclasses.dataclass
class JobFile:
    """Ranks, places and groups."""

    ranks: int = 0
    per_host: int = 1
    places: dict[int, int] = dataclasses.field(default_factory=dict)
    members: dict[str, set[int]] = dataclasses.field(default_factory=dict)
    """of groups with a list of ranks"""
    rules: dict[str, str] = dataclasses.field(default_factory=dict)
    """of groups that divide the ranks"""

    @classmethod
    def of_workload(cls, workload: str) -> JobFile | None:
        """That of ``program:PATH``, with a name or a start (``program:PATH,name=x@10us``) or
        without. None if it cannot be read from here, its ranks are placed otherwise than it says,
        or the workload is another one or has more parts."""
        kind, _, path = workload.partition(":")
        if kind == "program" and not Path(path).is_file():
            path = re.sub(r"@[0-9.]+[a-z]+$", "", path)
            path = re.sub(r"(,(?!placement=)[a-z-]+=[^,/]+)+$", "", path)
        if kind != "program" or not Path(path).is_file():
            return None
        return cls.parse(Path(path).read_text(encoding="utf-8", errors="replace"))

    @classmethod
    def parse(cls, text: str) -> JobFile:
        """What is not understood is left out: the program has read the file before."""
        found = cls()
        for line in text.splitlines():
            words = line.partition("#")[0].split()
            try:
                if words[:1] == ["ranks"]:
                    found.ranks = int(words[1])
                    found.per_host = int(words[3]) if words[2:3] == ["per-host"] else 1
                elif words[:1] == ["place"]:
                    found.places[int(words[1])] = int(words[2])
                elif words[:1] == ["group"]:
                    found.members[words[1]] = ranks_of(words[2], found.ranks)
                elif words[:1] == ["groups"]:
                    found.rules[words[1]] = words[3]
            except (IndexError, ValueError):
                continue
        return found

    def host(self, rank: int) -> int:
        """Where a rank is."""
        return self.places.get(rank, rank // self.per_host)

    def belongs(self, rank: int, group: str, first_rank: int) -> bool | None:
        """Whether a rank is in the group of this name that begins with another; None if that is not
        known."""
        if rank == first_rank or group == "all":
            return True
        if group in self.members:
            return rank in self.members[group]
        try:
            rule = self.rules[group]
            return value_of(rule, rank, self.ranks) == value_of(rule, first_rank, self.ranks)
        except (KeyError, ValueError):
            return None
