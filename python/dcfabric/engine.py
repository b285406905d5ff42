# SPDX-License-Identifier: GPL-2.0-only
"""Starts the program dcfabric-sim for a scenario, and finds what decides for its congestion
control."""
from __future__ import annotations

import os
from typing import Any

from .congestion_control import CongestionControl, check_names, check_parameters
from .decider import Decider
from .errors import DcfabricError
from .policy_source import source_of, values_of
from .program import find_program, fingerprint
from .scenario import Scenario

CC_NAMES = {None: "external", "data": "external-int", "ack": "external-ack-int"}
CC_TYPE = "ns3::ExternalCongestionControl"
VALUES = "policy_values"
"""In the key of a run: numbers that may change while its congestion control in Python works, as
counters of a class do."""


class Engine:
    """dcfabric-sim for one scenario. Raises DcfabricError if the program is missing or ``cc`` is
    neither a name nor a congestion control in Python."""

    def __init__(self, scenario: Scenario, program: str | os.PathLike[str] | None = None) -> None:
        self.program = find_program(program)
        self.scenario = scenario
        cc = scenario.cc
        self.policy: type[CongestionControl] | None = None
        if isinstance(cc, type) and issubclass(cc, CongestionControl):
            check_names(cc)
            check_parameters(cc, scenario.cc_parameters)
            self.policy = cc
            if cc.needs_int not in CC_NAMES:
                raise DcfabricError(f"{cc.__name__}.needs_int is {cc.needs_int!r}; known: None, "
                                    "'data', 'ack'")
        elif cc is not None and not isinstance(cc, str):
            raise DcfabricError(f"cc is {cc!r}; expected a name or a subclass of CongestionControl")
        elif scenario.cc_parameters:
            raise DcfabricError("cc_parameters are for a congestion control in Python; for one of "
                                "the program "
                                "use attributes")

    def arguments(self) -> list[str]:
        """Options of dcfabric-sim but for those of one folder."""
        given = self.scenario.arguments()
        if self.policy:
            given.append(f"--cc={CC_NAMES[self.policy.needs_int]}")
            if self.policy.needs_ecn:
                given.append(f"--{CC_TYPE}::Ecn=true")
            if self.policy.cnp_interval_ns is not None:
                given.append(f"--{CC_TYPE}::CnpInterval={self.policy.cnp_interval_ns}ns")
        return given

    def decider(self) -> Decider | None:
        """Who decides for the congestion control of one run; None: the program."""
        return Decider(self.policy, self.scenario.cc_parameters) if self.policy else None

    def key(self) -> dict[str, Any]:
        """What decides the results besides arguments and flows, as JSON: the version of the program
        and, with a congestion control in Python, its parameters and source."""
        key: dict[str, Any] = {"program": fingerprint(self.program)}
        if self.policy:
            key["cc_parameters"] = dict(self.scenario.cc_parameters)
            key["policy"] = source_of(self.policy)
            key[VALUES] = values_of(self.policy)
        return key
