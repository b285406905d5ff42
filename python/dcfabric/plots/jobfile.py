# SPDX-License-Identifier: GPL-2.0-only
"""What a job file says of its ranks: on which host each is, and which groups it belongs to
(doc/programs.rst)."""
from __future__ import annotations

import ast
import dataclasses
from pathlib import Path

from .data import Run


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


def job_of(run: Run) -> JobFile | None:
    """The job file that a run's options name, None if it cannot be read from here."""
    kind, _, path = run.options.get("workload", "").partition(":")
    if kind != "program" or not Path(path).is_file():
        return None
    return JobFile.parse(Path(path).read_text(encoding="utf-8", errors="replace"))
