# SPDX-License-Identifier: GPL-2.0-only
"""What people read: words of messages; names that are spelled wrong, which are refused with the
nearest one as dcfabric-sim refuses its options; tables of notebooks."""
from __future__ import annotations

import difflib
import functools
import html
import inspect
from typing import Any, Callable, Iterable, TypeVar, cast

from .errors import DcfabricError


def count_of(number: int, one: str, several: str = "") -> str:
    """A number and what is counted: "1 flow", "2 flows". several: of what is not made by an s at
    the end of the first word."""
    first, space, rest = one.partition(" ")
    return f"{number} {one if number == 1 else several or f'{first}s{space}{rest}'}"


ALIKE = 0.6
"""How much alike two names have to be, 0 to 1; what is further away misleads."""
BEGIN = 3
"""Letters of a name that is taken for the begin of another one, or for one with more behind it."""
FEW_NAMES = 12
"""Of so many names all are told where none is alike."""


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that a reader may have meant, empty if none is much alike; - and _ are the
    same, and case does not matter."""
    plain = {one.replace("-", "_").lower(): one for one in sorted(known)}
    wanted = name.replace("-", "_").lower()
    found = difflib.get_close_matches(wanted, plain, 1, ALIKE)
    if not found and len(wanted) >= BEGIN:
        found = ([one for one in plain if one.startswith(wanted)]
                 or sorted((one for one in plain if len(one) >= BEGIN and wanted.startswith(one)),
                           key=len, reverse=True))
    return plain[found[0]] if found else ""


def nearest_text(name: str, known: Iterable[str]) -> str:
    """What follows an unknown name: "; the nearest is X", empty if none is much alike."""
    near = nearest(name, known)
    return f"; the nearest is {near}" if near else ""


def hint(name: str, known: Iterable[str]) -> str:
    """What follows an unknown name: "; the nearest is X", or what there is if none is alike, unless
    that is much."""
    names = list(known)
    if near := nearest_text(name, names):
        return near
    return f"; there are {', '.join(sorted(names))}" if 0 < len(names) <= FEW_NAMES else ""


def table(title: str, rows: Iterable[tuple[str, Any]]) -> str:
    """A table of names and values under a title; everything is escaped, lines stay lines."""
    body = "".join(
        f"<tr><th style='text-align:left'>{html.escape(str(name))}</th>"
        f"<td style='text-align:left'>{html.escape(str(value)).replace(chr(10), '<br>')}</td></tr>"
        for name, value in rows)
    return (f"<table><caption style='text-align:left'><b>{html.escape(title)}</b></caption>"
            f"<tbody>{body}</tbody></table>")


Function = TypeVar("Function", bound=Callable[..., Any])


def check_names(where: str, given: Iterable[str], known: Iterable[str],
                elsewhere: str = "") -> None:
    """Raises DcfabricError for the first name that is not known. where: "Scenario has no field";
    elsewhere: what else may be meant."""
    names = list(known)
    for name in given:
        if name not in names:
            raise DcfabricError(f"{where} '{name}'{hint(name, names)}{elsewhere}")


def plain(value: Any) -> Any:
    """A number of numpy as one of Python, an array as a list; anything else as it is."""
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return value.tolist()
    return value


def spelled(function: Function) -> Function:
    """A function whose callers learn the nearest name of an argument that it does not have."""
    known = [name for name in inspect.signature(function).parameters if name != "self"]
    said = function.__qualname__.removesuffix(".__init__")

    @functools.wraps(function)
    def checked(*values: Any, **named: Any) -> Any:
        if not named.keys() <= set(known):
            from .scenario import FIELDS  # which uses this

            for name in named:
                if name not in known and name in FIELDS:
                    several = isinstance(named[name], (list, tuple))
                    raise DcfabricError(
                        f"{said}() has no argument '{name}'; it is a field of Scenario: " +
                        (f"compare values with Study(scenario, {{{name!r}: {named[name]!r}}})"
                         if several else "set it there"))
            check_names(f"{said}() has no argument", named, known)
        return function(*values, **named)

    return cast(Function, checked)
