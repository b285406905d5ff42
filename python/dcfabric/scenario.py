# SPDX-License-Identifier: GPL-2.0-only
"""A simulation described by a Python object: the options of dcfabric-sim as its fields."""
from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from .arguments import check_names, plain, spelled
from .errors import DcfabricError
from .flows import Flow, as_flows
from .html import table
from .wording import count_of

if TYPE_CHECKING:
    from .plan import Plan
    from .result import Result

Text = str | int | float | None


@dataclasses.dataclass(frozen=True)
class Scenario:
    """What to simulate. Each field is the option of dcfabric-sim with that name (``_`` for ``-``;
    doc/options.rst lists their values); None leaves it to the preset or to the program's default. Quantities are text with
    a unit, as in ``rate="100Gbps"``, ``delay="1.5us"``, ``stop="700us"``.

    A name that is no field is refused with the nearest one. Values are checked when the scenario is run: BadScenario carries the
    program's message.
    """

    topology: str | None = None
    """topology of the network, such as ``fat-tree:k=8`` or ``dumbbell:switches=3,senders=2``"""
    workload: str | None = None
    """traffic, such as ``websearch`` or ``incast:fan-in=16,size=1MB``; not together with ``flows``"""
    cc: Any = None
    """congestion control: a name such as ``fncc``, or a subclass of dcfabric.CongestionControl"""
    preset: str | None = None
    """named set of parameters, such as ``fncc24``; other fields override it"""
    rate: str | None = None
    """rate of all links, with a unit"""
    delay: str | None = None
    """propagation delay of all links, with a unit"""
    payload: int | None = None
    """payload of a full packet in bytes"""
    oversubscription: Text | Sequence[Any] = None
    """ratio of downlink to uplink capacity by switch tier, edge first"""
    tier_rates: str | Sequence[str] | None = None
    """rates by tier, host links first"""
    tier_delays: str | Sequence[str] | None = None
    """delays by tier, host links first"""
    load: float | None = None
    """payload offered per host over its line rate, 0 to 1 (Poisson arrivals)"""
    duration: str | None = None
    """time during which flows arrive, with a unit (Poisson arrivals)"""
    stop: str | None = None
    """simulated time at which to stop, with a unit; None: when all flows are complete"""
    seed: int = 1
    """of all random choices; the same seed gives the same flows.csv"""
    lb: str | None = None
    """load balancing"""
    routing: str | None = None
    """ways on which packets go; None: the usual ones of the topology"""
    flow_control: str | None = None
    """link-level flow control"""
    modifiers: str | Sequence[str] = ()
    """modifiers of congestion control, such as ``ratio-cut``"""
    policies: str | os.PathLike[str] | None = None
    """file with what some hosts, or their flows to some others, use instead of cc, lb and modifiers"""
    faults: str | os.PathLike[str] | None = None
    """file of faults and their times (dcfabric.faults writes one)"""
    convergence: str | None = None
    """time until all tables know of a link that goes down or comes up, with a unit; none: they stay as they are"""
    features: str | Sequence[str] = ()
    """features of switches, such as ``wreb``"""
    throttle: str | None = None
    """what limits the data that each port of a host injects, such as ``pft``"""
    coordination: str | None = None
    """congestion management of hosts and switches together, such as ``ccm``"""
    queue_disc: str | None = None
    """TypeId of the root queue disc of switch ports"""
    switch: str | None = None
    """memory of a switch"""
    reliability: str | None = None
    """what repairs losses"""
    messages: str | None = None
    """flows are messages that need a receive: preposted, rtw, rnr, rendezvous; None: nothing is matched"""
    post_delay: str | None = None
    """with messages, time from the start of a message to its receive, such as ``exponential:mean=20us``"""
    match_table: str | None = None
    """with messages, the match table: hash, tcam"""
    trace: str | Sequence[str] = ()
    """time series to write: queues, rates, links, pfc, messages; pcap for captures"""
    trace_interval: str | None = None
    """time between two samples, with a unit"""
    export: str | Sequence[str] | None = None
    """further formats, such as ``hpcc-fct``"""
    attributes: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)
    """attributes of ns-3 by full name, as in ``{"ns3::FnccCongestionControl::Alpha": 1.1}``"""
    flows: Any = None
    """your own flows instead of a workload: see dcfabric.as_flows"""
    cc_parameters: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)
    """with a congestion control in Python: attributes to set on each instance, as JSON values"""
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)
    """any further option of the program by its name, without dashes"""
    config: str | os.PathLike[str] | None = None
    """configuration file of the HPCC or ConWeave simulator; other fields, the seed included, override it"""
    switch_latency: str | None = None
    """latency of each switch without queueing, with a unit"""
    error_rate: float | None = None
    """probability that a link loses a packet, for links without their own"""
    marking: str | None = None
    """ECN thresholds by rate of the link, such as ``25Gbps:100kB,400kB,0.2``; ``none`` for no marks"""
    base_rtt: str | None = None
    """T of congestion controls: ``largest``, ``pair``, or a time with a unit"""
    link_down: str | None = None
    """a link that goes down, such as ``120us,16,24``"""

    def __new__(cls, *_: Any, **fields: Any) -> Scenario:
        """Refuses what is no field, before the arguments are taken apart."""
        for name in ("out", "force", "program"):
            if name in fields:
                raise DcfabricError(f"Scenario has no field '{name}': give it to run()")
        check_names("Scenario has no field", fields, FIELDS, "; options without a field go into options={...}")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for name in ("attributes", "cc_parameters", "options"):
            object.__setattr__(self, name, {key: plain(value) for key, value in dict(getattr(self, name)).items()})
        for field in dataclasses.fields(self):
            object.__setattr__(self, field.name, plain(getattr(self, field.name)))
        for name in ("modifiers", "features", "trace", "export", "oversubscription", "tier_rates", "tier_delays"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, (str, int, float)):
                object.__setattr__(self, name, tuple(value))
        if self.flows is not None:
            if self.workload is not None:
                raise DcfabricError("flows and workload name the same thing: give one of them")
            object.__setattr__(self, "flows", as_flows(self.flows))

    def replace(self, **changes: Any) -> Scenario:
        """A copy of the scenario with the given fields replaced. Mappings are replaced as a whole. Raises DcfabricError for
        what is no field."""
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
        Result. program: dcfabric-sim, see dcfabric.find_program. force: overwrite results of other options, which
        are refused otherwise; results of the same options are replaced. Old results stay until the new ones are complete.

        Raises BadScenario, FolderUnusable, InvariantViolated, Interrupted or RunCrashed, all of them RunFailed, and
        DcfabricError if the program is missing."""
        from .job import run  # the job knows scenarios

        return run(self, None if out is None else Path(out), program, force)

    def plan(self, *, program: str | os.PathLike[str] | None = None) -> Plan:
        """The plan of the network, without a run: nodes, links, diameter, bisection; ``plan().draw()`` is a figure.

        Raises BadScenario if the program refuses it, and DcfabricError if the program is missing."""
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
                value = f"{count_of(len(value), 'flow')}, {count_of(sum(flow.size_bytes for flow in value), 'byte')}"
            elif name == "cc" and not isinstance(value, str):
                value = f"{value.__name__} (Python)"
            elif isinstance(value, Mapping):
                value = "\n".join(f"{key} = {item}" for key, item in value.items())
            rows.append((name, option_text(value)))
        return table("Scenario", rows)


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
