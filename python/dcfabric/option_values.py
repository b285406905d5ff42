# SPDX-License-Identifier: GPL-2.0-only
"""Whether values of Scenario can be right: names that are known, quantities with their units,
numbers in their range, options that there are. The program refuses the rest when it is asked: what
does not go together, files that are missing."""
from __future__ import annotations

import numbers
import os
import re
from typing import Any, Collection, Iterable, Mapping

from .congestion_control import CongestionControl, check_class
from .errors import BadScenario
from .option_fields import BOUNDS, FILES, KINDS, LISTS, WORDS, OptionFields
from .wording import nearest, nearest_text

UNITS = {
    "time": (r"fs|ps|ns|us|ms|s|min|h", "a time", "1.5us"),
    "rate": (r"[kKMGT]?(bps|b/s)|[kKMG]?(Bps|B/s)|[KMG]i[bB]/s", "a rate", "100Gbps"),
}
"""Of a kind: its units, what it is, an example."""
NUMBER = r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?"
CORES = (1, 256)
"""Of --cores, which the program takes before it has a schema of options."""
FURTHER = ("head-start", "partition")
"""Options for options={...}: those of a simulation that are no fields."""
OF_RUN = ("out", "force", "progress")
"""What run() sets."""
WORD = r"[A-Za-z0-9][\w.-]*"
"""What may be a name; a class of ns-3, a path and what has parameters is none."""


def _refused(text: str) -> BadScenario:
    """As if the program had refused it."""
    return BadScenario(text, status=2)


def check_value(field: str, value: Any) -> None:
    """Raises BadScenario if a field cannot have a value, and DcfabricError for a class that cannot
    be right. None, and lists without an entry, are no value."""
    if value is None:
        return
    if field == "cc" and isinstance(value, type) and issubclass(value, CongestionControl):
        check_class(value)
        return
    for one in _entries(field, value):
        if field == "cores":
            _check_number(field, one, "integer")
        elif field in KINDS:
            _check_quantity(field, one)
        elif field in WORDS:
            _check_word(field, one)
        else:
            _check_text(field, one)


def checked_mapping(field: str, value: Any) -> dict[str, Any]:
    """A copy of the value of a field that is a mapping. Raises BadScenario if it is none, or its
    names are no text."""
    example = {"attributes": "{'ns3::FabricNic::AckEvery': 2}", "options": "{'head-start': 'off'}",
               "cc_parameters": "{'gain': 0.5}"}[field]
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise _refused(f"{field} is {value!r}; expected a mapping, such as {field}={example}")
    return dict(value)


def check_options(options: Mapping[str, Any], fields: Collection[str]) -> None:
    """Raises BadScenario for a name that is no option, one that a field has set, too, and what is
    no value. Whether the values are right is left to the program. fields: that are set."""
    known = [*(field.replace("_", "-") for field in OptionFields.__dataclass_fields__), "cores",
             *FURTHER]
    for name, value in options.items():
        if name in OF_RUN:
            raise _refused(f"options: '{name}' is none of a scenario; run() says it")
        if name not in known and not _is_of_ns3(name):
            raise _refused(f"options: there is no option '{name}'{nearest_text(name, known)}")
        field = name.replace("-", "_")
        if field in fields:
            raise _refused(f"options: '{name}' is the field {field}, which is set, too; give it "
                           f"once, as {field}={value!r}")
        _check_plain("options", name, value)


def check_attributes(attributes: Mapping[str, Any]) -> None:
    """Raises BadScenario for a name that can be none of an attribute, and what is no value. Which
    there are is left to the program."""
    for name, value in attributes.items():
        if not _is_of_ns3(name):
            fields = [*OptionFields.__dataclass_fields__, "cores"]
            near = nearest(name, fields)
            raise _refused(f"attributes: '{name}' is no attribute of ns-3, such as "
                           "'ns3::FabricNic::AckEvery'"
                           + (f"; the nearest field is {near}" if near else ""))
        _check_plain("attributes", name, value)


def _is_of_ns3(name: str) -> bool:
    """Whether a name may be an attribute, or a global value such as RngRun."""
    return "::" in name or name[:1].isupper()


def _check_plain(field: str, name: str, value: Any) -> None:
    if not isinstance(value, (str, numbers.Number, os.PathLike, list, tuple)):
        raise _refused(f"{field}: '{name}' is {value!r}; expected a text, a number, a truth value "
                       "or a list")


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


def _check_text(field: str, value: Any) -> None:
    if not isinstance(value, (str, os.PathLike) if field in FILES else str):
        raise _refused(f"{field} is {value!r}; expected "
                       + ("the path of a file" if field in FILES else "a text"))


def _check_word(field: str, value: Any) -> None:
    if not isinstance(value, str):
        raise _refused(f"{field} is {value!r}; expected a name, such as "
                          f"{field}={WORDS[field][0].rstrip(':')!r}"
                       + (", or a subclass of CongestionControl" if field == "cc" else ""))
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
        raise _refused(f"{field}: {str(value)!r} is not {what}"
                       + ("; a library with policies of your own is library=..."
                          if field == "load" and re.match(r"[A-Za-z]{4}", str(value)) else ""))
