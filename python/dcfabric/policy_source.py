# SPDX-License-Identifier: GPL-2.0-only
"""What a congestion control in Python is made of, so that a sweep can tell whether it has
changed."""
from __future__ import annotations

import inspect
import sys
import types
import uuid
from pathlib import Path
from typing import Any, Iterator

from .congestion_control import CongestionControl
from .program import digest, text_digest

_unknown: dict[Any, str] = {}
"""Of what has no source: it is like nothing else, also in another process."""


def source_of(policy: type[CongestionControl]) -> str:
    """The class, its bases that are neither Python's nor of this package, and what their methods
    call from the same place: by name and a hash of the file of each; in a notebook, of its text."""
    return " ".join(f"{one.__qualname__} {_text_of(one)}" for one in _classes(policy))


def values_of(policy: type[CongestionControl]) -> dict[str, str]:
    """Numbers and texts that may be changed from outside of the source: attributes of the classes,
    and variables that methods read."""
    found: dict[str, Any] = {}
    for one in _classes(policy):
        found.update({f"{one.__qualname__}.{name}": value for name, value in vars(one).items()
                      if not name.startswith("__")})
        for function in _functions(one):
            found.update({f"{function.__qualname__}: {name}": value
                          for name, value in _variables(function).items()})
    return {name: repr(value) for name, value in sorted(found.items()) if _is_plain(value)}


def _classes(policy: type[Any]) -> list[type[Any]]:
    return [one for one in policy.__mro__
            if one is not CongestionControl
            and one.__module__.partition(".")[0] not in sys.stdlib_module_names]


def _text_of(one: type[Any]) -> str:
    """Raises nothing."""
    try:
        path = inspect.getsourcefile(one)
        if path and Path(path).is_file():
            return digest(Path(path))
    except (OSError, TypeError):
        pass
    try:  # a class of a notebook has no file, but its methods know their cells
        texts = [inspect.getsource(function) for function in _functions(one)]
        return text_digest(
            "\n".join([*texts, *sorted(name for name in vars(one) if not name.startswith("__"))]))
    except (OSError, TypeError):
        return _unknown.setdefault(one, f"without a source {uuid.uuid4().hex}")


def _functions(one: type[Any]) -> Iterator[types.FunctionType]:
    """Methods of a class, and functions that they call, as far as these are of the same module."""
    found: dict[types.FunctionType, None] = {}

    def add(value: Any) -> None:
        for function in (value, getattr(value, "__func__", None), getattr(value, "fget", None)):
            if (isinstance(function, types.FunctionType) and function.__module__ == one.__module__
                    and function not in found):
                found[function] = None
                for other in _variables(function).values():
                    add(other)

    for value in vars(one).values():
        add(value)
    return iter(found)


def _variables(function: types.FunctionType) -> dict[str, Any]:
    """What a function reads from outside of itself, by name."""
    try:
        seen = inspect.getclosurevars(function)
    except ValueError:  # a variable around it has no value yet
        return {}
    return {**seen.globals, **seen.nonlocals}


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, (bool, int, float, str))
