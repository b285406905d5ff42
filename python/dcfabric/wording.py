# SPDX-License-Identifier: GPL-2.0-only
"""What people read: words of messages, tables of notebooks."""
from __future__ import annotations

import difflib
import html
from typing import Any, Iterable


def count_of(number: int, one: str, several: str = "") -> str:
    """A number and what is counted: "1 flow", "2 flows". several: of what is not made by an s at
    the end of the first word."""
    first, space, rest = one.partition(" ")
    return f"{number} {one if number == 1 else several or f'{first}s{space}{rest}'}"


def nearest(name: str, known: Iterable[str], least: float = 0.0) -> str:
    """The known name that a reader may have meant; - and _ are the same, and case does not matter.
    least: how much alike they have to be, 0 to 1; empty if none is."""
    plain = {one.replace("-", "_").lower(): one for one in sorted(known)}
    found = difflib.get_close_matches(name.replace("-", "_").lower(), plain, 1, least)
    return plain[found[0]] if found else ""


def table(title: str, rows: Iterable[tuple[str, Any]]) -> str:
    """A table of names and values under a title; everything is escaped, lines stay lines."""
    body = "".join(
        f"<tr><th style='text-align:left'>{html.escape(str(name))}</th>"
        f"<td style='text-align:left'>{html.escape(str(value)).replace(chr(10), '<br>')}</td></tr>"
        for name, value in rows)
    return (f"<table><caption style='text-align:left'><b>{html.escape(title)}</b></caption>"
            f"<tbody>{body}</tbody></table>")
