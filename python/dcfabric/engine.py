# SPDX-License-Identifier: GPL-2.0-only
"""The program dcfabric-sim for one scenario: its options, who decides for its congestion control,
and what decides its results: the key by which a run that is finished is known again."""
from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
import types
import uuid
from pathlib import Path
from typing import Any, Iterator, Sequence

from .bindings import Decider
from .congestion_control import NAMES_BY_INT, CongestionControl, check_parameters
from .errors import DcfabricError
from .flows import flow_file_text
from .option_fields import FILES
from .program import digest, find_program, fingerprint, text_digest
from .run_files import VALUES
from .scenario import Scenario

CC_TYPE = "ns3::ExternalCongestionControl"
BEGINS = {begin for begins in FILES.values() for begin in begins if begin}
_unknown: dict[Any, str] = {}
"""Of what has no source: it is like nothing else, also in another process."""


class Engine:
    """dcfabric-sim for one scenario. Raises DcfabricError if the program is missing, and for
    cc_parameters that its congestion control does not have."""

    def __init__(self, scenario: Scenario, program: str | os.PathLike[str] | None = None) -> None:
        self.program = find_program(program)
        self.scenario = scenario
        cc = scenario.cc
        self.policy: type[CongestionControl] | None = None
        if isinstance(cc, type) and issubclass(cc, CongestionControl):
            check_parameters(cc, scenario.cc_parameters)
            self.policy = cc
        elif scenario.cc_parameters:
            raise DcfabricError("cc_parameters are for a congestion control in Python; for one of "
                                "the program "
                                "use attributes")

    def arguments(self) -> list[str]:
        """Options of dcfabric-sim but for those of one folder."""
        given = self.scenario.arguments()
        if self.policy:
            given.append(f"--cc={NAMES_BY_INT[self.policy.needs_int]}")
            if self.policy.needs_ecn:
                given.append(f"--{CC_TYPE}::Ecn=true")
            if self.policy.cnp_interval_ns is not None:
                given.append(f"--{CC_TYPE}::CnpInterval={self.policy.cnp_interval_ns}ns")
        return given

    def decider(self) -> Decider | None:
        """Who decides for the congestion control of one run; None: the program."""
        return Decider(self.policy, self.scenario.cc_parameters) if self.policy else None

    def key(self, base: Path = Path()) -> dict[str, Any]:
        """What decides the results of a run, as JSON: two runs with the same key give the same
        files. base: folder that paths of input files count from."""
        arguments = self.arguments()
        key: dict[str, Any] = {"arguments": arguments,
                               "inputs": input_files(arguments, base, self.program),
                               "program": fingerprint(self.program)}
        if self.policy:
            key["cc_parameters"] = dict(self.scenario.cc_parameters)
            key["policy"] = source_of(self.policy)
            key[VALUES] = values_of(self.policy)
        if self.scenario.flows is not None:
            key["flows"] = flow_file_text(self.scenario.flows)
        try:
            again: dict[str, Any] = json.loads(json.dumps(key))  # as it will be read from a file
        except TypeError as error:
            raise DcfabricError(f"cc_parameters: {error}; numbers, texts, lists and mappings of "
                                "these can be given") from error
        return again


def input_files(arguments: Sequence[str], base: Path, program: Path) -> dict[str, str]:
    """Hashes of the files that a run with these options reads, by path as the program opens it;
    none if it refuses the options. base: folder that paths count from. The program is asked only if
    an option may name a file. Raises DcfabricError if it does not answer as dcfabric-sim does."""
    if not any(_may_name_file(argument, base) for argument in arguments):
        return {}
    asked = [str(program), *arguments, "--describe=inputs"]
    try:
        told = subprocess.run(asked, cwd=base, stdin=subprocess.DEVNULL, capture_output=True,
                              check=False)
        paths = json.loads(told.stdout)["inputs"] if told.returncode == 0 else []
    except OSError as error:
        raise DcfabricError(f"{program} cannot be started: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise DcfabricError(f"{program} --describe=inputs: {error}; is it dcfabric-sim?") from error
    return {path: digest(base / path) for path in paths if _is_file(base / path)}


def _may_name_file(argument: str, base: Path) -> bool:
    """Whether an option or attribute has a value as those have that name files."""
    option, _, value = argument.removeprefix("--").partition("=")
    if "::" in option:
        return any(begin in value for begin in BEGINS) or _is_file(base / value)
    return any(begin in value for begin in FILES.get(option, ()))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # longer than a name may be
        return False


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
