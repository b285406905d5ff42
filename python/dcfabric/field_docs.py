# SPDX-License-Identifier: GPL-2.0-only
"""What fields of dataclasses are, for help() and notebooks. Python keeps no text behind an
attribute, so that it is read in the source."""
from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

HEADING = "Fields:"


def field_docs(owner: type[Any]) -> dict[str, str]:
    """The texts behind the fields of a class by name; empty without its source."""
    try:
        body = ast.parse(textwrap.dedent(inspect.getsource(owner))).body[0]
    except (OSError, TypeError, SyntaxError):
        return {}
    assert isinstance(body, ast.ClassDef)
    return {field.target.id: inspect.cleandoc(text.value.value)
            for field, text in zip(body.body, body.body[1:])
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
            and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
            and isinstance(text.value.value, str)}


def document(owner: type[Any], *bases: type[Any]) -> None:
    """Put the texts of the fields of a class and of bases behind its own."""
    found: dict[str, str] = {}
    for one in (*bases, owner):
        found.update(field_docs(one))
    lines = [f"{name}:\n{textwrap.indent(text, '    ')}" for name, text in found.items()]
    if owner.__doc__ and lines:
        owner.__doc__ = "\n\n".join([inspect.cleandoc(owner.__doc__), HEADING, *lines]) + "\n"
