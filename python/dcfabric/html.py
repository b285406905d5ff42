# SPDX-License-Identifier: GPL-2.0-only
"""Tables for notebooks."""
from __future__ import annotations

import html
from typing import Any, Iterable


def table(title: str, rows: Iterable[tuple[str, Any]]) -> str:
    """A table of names and values under a title; everything is escaped, lines stay lines."""
    body = "".join(
        f"<tr><th style='text-align:left'>{html.escape(str(name))}</th>"
        f"<td style='text-align:left'>{html.escape(str(value)).replace(chr(10), '<br>')}</td></tr>"
        for name, value in rows)
    return (f"<table><caption style='text-align:left'><b>{html.escape(title)}</b></caption>"
            f"<tbody>{body}</tbody></table>")
