# SPDX-License-Identifier: GPL-2.0-only
"""Names of arguments that are spelled wrong: refused with the nearest one, as dcfabric-sim refuses
its options."""
from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, Iterable, TypeVar, cast

from .errors import DcfabricError
from .wording import nearest

Function = TypeVar("Function", bound=Callable[..., Any])


def check_names(where: str, given: Iterable[str], known: Iterable[str],
                elsewhere: str = "") -> None:
    """Raises DcfabricError for the first name that is not known. where: "Scenario has no field";
    elsewhere: what else may be meant."""
    names = list(known)
    for name in given:
        if name not in names:
            raise DcfabricError(f"{where} '{name}'; the nearest is "
                                f"{nearest(name, names)}{elsewhere}")


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
                    raise DcfabricError(f"{said}() has no argument '{name}'; it is a field of "
                                        "Scenario: set it there")
            check_names(f"{said}() has no argument", named, known)
        return function(*values, **named)

    return cast(Function, checked)
