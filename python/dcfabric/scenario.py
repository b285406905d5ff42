# SPDX-License-Identifier: GPL-2.0-only
"""A simulation described by a Python object: the options of dcfabric-sim as its fields."""
from __future__ import annotations

import dataclasses
import inspect
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Mapping

from .errors import DcfabricError
from .field_docs import document
from .flows import Flow, as_flows
from .option_fields import LISTS, OptionFields
from .option_values import (check_attributes, check_options, check_value, checked_mapping,
                            is_library)
from .wording import check_names, count_of, plain, spelled, table

if TYPE_CHECKING:
    from .plan import Plan
    from .result import Result


@dataclasses.dataclass(frozen=True, kw_only=True)
class Scenario(OptionFields):
    """What to simulate. Each field is the option of dcfabric-sim with that name, with ``_`` for
    ``-``, but for ``attributes``, ``options`` and what only Python has: ``flows``,
    ``cc_parameters``. None leaves it to the preset or to the program's default. Quantities are text
    with a unit, as in ``rate="100Gbps"``, ``delay="1.5us"``, ``stop="700us"``; lists are lists or
    text with commas.

    A name that is no field is refused with the nearest one, a value that cannot be right with what
    would be: a name that is unknown, a time without a unit. What does not go together is refused
    when the scenario is run, or by check().
    """

    attributes: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)
    """attributes of ns-3 by full name, as in ``{"ns3::FnccCongestionControl::Alpha": 1.1}``"""
    flows: Any = None
    """your own flows instead of a workload: see dcfabric.as_flows"""
    cc_parameters: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)
    """with a congestion control in Python: attributes to set on each instance, as JSON values"""
    cores: int | None = None
    """processes on this machine that share one run; its results are the same"""
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)
    """any further option of the program by its name, without dashes: ``head-start``,
    ``partition``, and those that are fields, unless these are set, too"""
    __signature__: ClassVar[inspect.Signature]

    def __new__(cls, *_: Any, **fields: Any) -> Scenario:
        """Refuses what is no field, before the arguments are taken apart."""
        for name in ("out", "force", "program"):
            if name in fields:
                raise DcfabricError(f"Scenario has no field '{name}': give it to run()")
        check_names("Scenario has no field", fields, FIELDS,
                    "; options without a field go into options={...}")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for name in ("attributes", "cc_parameters", "options"):
            object.__setattr__(self, name, {
                key: plain(value)
                for key, value in checked_mapping(name, getattr(self, name)).items()})
        for field in dataclasses.fields(self):
            object.__setattr__(self, field.name, plain(getattr(self, field.name)))
        for name in LISTS:
            value = getattr(self, name)
            if value is None:
                object.__setattr__(self, name, ())
            elif not isinstance(value, (str, int, float, os.PathLike)):
                object.__setattr__(self, name, tuple(value))
        if is_library(self.load):  # as the program has it: a file that results depend on
            before = self.library if isinstance(self.library, tuple) else (self.library,)
            object.__setattr__(self, "library", (*before, self.load))
            object.__setattr__(self, "load", None)
        for name in (*(field.name for field in dataclasses.fields(OptionFields)), "cores"):
            check_value(name, getattr(self, name))
        if self.flows is not None:
            if self.workload is not None:
                raise DcfabricError("flows and workload name the same thing: give one of them")
            object.__setattr__(self, "flows", as_flows(self.flows))
        check_options(self.options, self.set_fields())
        check_attributes(self.attributes)

    def replace(self, **changes: Any) -> Scenario:
        """A copy of the scenario with the given fields replaced. Mappings are replaced as a whole.
        Raises DcfabricError for what is no field."""
        return dataclasses.replace(self, **changes)

    def set_fields(self) -> dict[str, Any]:
        """The fields that are not at their defaults, and the seed."""
        found = {}
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            default = field.default
            if field.default_factory is not dataclasses.MISSING:
                default = field.default_factory()
            if field.name == "seed" or value != default:
                found[field.name] = value
        return found

    def arguments(self) -> list[str]:
        """The options for dcfabric-sim, without ``--out`` and without what Python gives (flows, a
        congestion control that is a class)."""
        given = []
        for name, value in self.set_fields().items():
            if name in ("attributes", "flows", "cc_parameters", "options"):
                continue
            if name == "cc" and not isinstance(value, str):
                continue
            given.append(f"--{name.replace('_', '-')}={option_text(value)}")
        for mapping in (self.options, self.attributes):
            given += [f"--{name}={option_text(value)}" for name, value in mapping.items()]
        return given

    @spelled
    def run(self, out: str | os.PathLike[str] | None = None, *,
            program: str | os.PathLike[str] | None = None, force: bool = False) -> Result:
        """Simulate in a separate process, and return the results.

        out: result folder, created if needed; None for a temporary one, which lives as long as the
        Result. program: dcfabric-sim, see dcfabric.find_program. force: overwrite results of other
        options, which are refused otherwise; results of the same options are replaced. Old results
        stay until the new ones are complete.

        Raises BadScenario, FolderUnusable, InvariantViolated, Interrupted or RunCrashed, all of
        them RunFailed, and DcfabricError if the program is missing."""
        from .job import run  # the job knows scenarios

        return run(self, None if out is None else Path(out), program, force)

    def check(self, *, program: str | os.PathLike[str] | None = None) -> None:
        """Have the program build the network and its traffic, without a run. sweep() does that for
        all its scenarios.

        Raises BadScenario if the program refuses the scenario, and DcfabricError if the program is
        missing."""
        from .refused import check_scenario

        check_scenario(self, program)

    def plan(self, *, program: str | os.PathLike[str] | None = None) -> Plan:
        """The plan of the network, without a run: nodes, links, diameter, bisection;
        ``plan().draw()`` is a figure.

        Raises BadScenario if the program refuses it, and DcfabricError if the program is
        missing."""
        from .plan import ask_plan

        return ask_plan(self.arguments(), program)

    def __repr__(self) -> str:
        fields = dict(self.set_fields())
        if "flows" in fields and len(fields["flows"]) > 4:
            shown = ", ".join(map(repr, fields["flows"][:3]))
            fields["flows"] = _Bare(f"({shown}, ... {len(fields['flows'])} flows)")
        if "cc" in fields and not isinstance(fields["cc"], str):
            fields["cc"] = _Bare(getattr(fields["cc"], "__name__", repr(fields["cc"])))
        return f"Scenario({', '.join(f'{name}={value!r}' for name, value in fields.items())})"

    def _repr_html_(self) -> str:
        rows = []
        for name, value in self.set_fields().items():
            if name == "flows":
                value = (f"{count_of(len(value), 'flow')}, "
                         f"{count_of(sum(flow.size_bytes for flow in value), 'byte')}")
            elif name == "cc" and not isinstance(value, str):
                value = f"{value.__name__} (Python)"
            elif isinstance(value, Mapping):
                value = "\n".join(f"{key} = {item}" for key, item in value.items())
            rows.append((name, option_text(value)))
        return table("Scenario", rows)


# what editors and notebooks complete, which else is that of __new__()
Scenario.__signature__ = inspect.signature(Scenario.__init__).replace(
    parameters=[*inspect.signature(Scenario.__init__).parameters.values()][1:],
    return_annotation=Scenario)
# the same of replace(), where no field has to be named
_CHANGES = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for one in Scenario.__signature__.parameters.values()]
Scenario.replace.__signature__ = (  # type: ignore[attr-defined]
    Scenario.__signature__.replace(parameters=[
        inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD), *_CHANGES]))
document(Scenario, OptionFields)
FIELDS = tuple(field.name for field in dataclasses.fields(Scenario))
"""Names of the fields."""


class _Bare(str):
    """Text that shows itself without quotes."""

    __repr__ = str.__str__


def option_text(value: Any) -> str:
    """A value as dcfabric-sim reads it: lists with commas, truth values in lower case."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return ",".join(map(option_text, value))
    return str(value)


__all__ = ["Flow", "Scenario", "option_text"]
