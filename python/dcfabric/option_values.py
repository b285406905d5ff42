# SPDX-License-Identifier: GPL-2.0-only
"""Whether values of Scenario can be right: names that are known, quantities with their units,
numbers in their range. The program refuses the rest when it is asked: what does not go together,
files that are missing."""
from __future__ import annotations

import numbers
import os
import re
from typing import Any, Iterable

from .errors import BadScenario
from .option_fields import BOUNDS, KINDS, LISTS, WORDS
from .wording import nearest_text

UNITS = {
    "time": (r"fs|ps|ns|us|ms|s|min|h", "a time", "1.5us"),
    "rate": (r"[kKMGT]?(bps|b/s)|[kKMG]?(Bps|B/s)|[KMG]i[bB]/s", "a rate", "100Gbps"),
}
"""Of a kind: its units, what it is, an example."""
NUMBER = r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?"
CORES = (1, 256)
"""Of --cores, which the program takes before it has a schema of options."""
WORD = r"[A-Za-z0-9][\w.-]*"
"""What may be a name; a class of ns-3, a path and what has parameters is none."""


def _refused(text: str) -> BadScenario:
    """As if the program had refused it."""
    return BadScenario(text, status=2)


def check_value(field: str, value: Any) -> None:
    """Raises BadScenario if a field cannot have a value. None, and lists without an entry, are no
    value."""
    if value is None or isinstance(value, type):
        return
    for one in _entries(field, value):
        if field == "cores":
            _check_number(field, one, "integer")
        elif field in KINDS:
            _check_quantity(field, one)
        elif field in WORDS:
            _check_word(field, one)


def is_library(load: Any) -> bool:
    """Whether a load is the path of a library, as the program has it, and no number."""
    return (isinstance(load, os.PathLike)
            or (isinstance(load, str) and ("/" in load or load.endswith(".so"))))


def _entries(field: str, value: Any) -> Iterable[Any]:
    if field not in LISTS:
        return [value]
    if isinstance(value, str):
        return value.split(",")
    return value if isinstance(value, (list, tuple)) else [value]


def _check_word(field: str, value: Any) -> None:
    if not isinstance(value, str):
        raise _refused(f"{field} is {value!r}; expected a name, such as "
                          f"{field}={WORDS[field][0].rstrip(':')!r}")
    known = [word.rstrip(":") for word in WORDS[field]]
    # several workloads at once are joined, some names of controls have a plus
    parts = re.split(r"\+(?=[a-z])", value) if field == "workload" else [value]
    for part in parts:
        name = part.partition(":")[0]
        if "::" in part or not re.fullmatch(WORD if field == "workload" else r"[\w.+-]+", name):
            continue
        if name not in known:
            raise _refused(f"unknown {field} {part!r}; known: {', '.join(known)}"
                           f"{nearest_text(name, known)}")


def _check_quantity(field: str, value: Any) -> None:
    kind = KINDS[field]
    if field == "load" and is_library(value):
        return
    if isinstance(value, bool) or not isinstance(value, (str, numbers.Real)):
        raise _refused(f"{field} is {value!r}; expected a number"
                          + (" with a unit" if kind in UNITS else ""))
    if kind in UNITS:
        _check_unit(field, value, *UNITS[kind])
    else:
        _check_number(field, value, kind)


def _check_unit(field: str, value: Any, units: str, what: str, example: str) -> None:
    text = str(value)
    if text in WORDS.get(field, ()) or re.fullmatch(rf"{NUMBER} *({units})", text):
        return
    if re.fullmatch(NUMBER, text):
        if float(text) == 0 and what == "a time":
            return
        unit = re.sub(r"[0-9.]", "", example)
        raise _refused(f"{field}: {text!r} has no unit; {what} is written like "
                          f"{field}={text + unit!r}")
    words = "".join(f", or {word!r}" for word in WORDS.get(field, ()))
    raise _refused(f"{field}: {text!r} is not {what}; write it like {field}={example!r}{words}")


def _check_number(field: str, value: Any, kind: str) -> None:
    what = "a whole number" if kind == "integer" else "a number"
    least, most = CORES if field == "cores" else BOUNDS.get(field, (None, None))
    if least is not None:
        what += f" from {least} to {most}"
    try:
        number = float(value)
        good = (re.fullmatch(r"[0-9]+" if kind == "integer" else rf"[-+]?{NUMBER}",
                             str(value)) is not None
                and (least is None or most is None or least <= number <= most))
    except (ValueError, OverflowError):
        good = False
    if not good:
        raise _refused(f"{field}: {str(value)!r} is not {what}")
