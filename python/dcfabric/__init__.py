# SPDX-License-Identifier: GPL-2.0-only
"""Simulations of congestion management in data-center networks, from Python.

    from dcfabric import Scenario, sweep

    result = Scenario(topology="dumbbell:switches=3,senders=2", workload="pairs:size=40MB",
    cc="fncc",
                      preset="fncc24", stop="700us", trace=["queues", "rates"]).run()
    result.rates  # a pandas frame

The example scripts find the package by themselves; elsewhere put the folder ``python`` of this
module into PYTHONPATH. Each run is a separate process (the program dcfabric-sim); its failures
arrive as exceptions. See doc/python.rst.
"""
from .backend import Backend
from .congestion_control import UNLIMITED, Ack, CongestionControl, Hop, Path
from .errors import (BadScenario, DcfabricError, FewFlowsWarning, FewSeedsWarning, FolderUnusable,
                     Interrupted, InvariantViolated, PolicyFailed, RunCrashed, RunFailed,
                     SweepFailed, SweepStopped)
from .findings import Findings
from .flows import Flow, as_flows
from .plan import Plan
from .program import VERSION as __version__, find_program
from .result import Result
from .scenario import Scenario
from .study import Study
from .sweep import sweep
from .task import do_job, write_jobs

__all__ = ["Ack", "Backend", "BadScenario", "CongestionControl", "DcfabricError",
           "FewFlowsWarning", "FewSeedsWarning", "Findings", "Flow", "FolderUnusable", "Hop",
           "Interrupted", "InvariantViolated", "Path", "Plan", "PolicyFailed", "Result",
           "RunCrashed", "RunFailed", "Scenario", "Study", "SweepFailed", "SweepStopped",
           "UNLIMITED", "__version__", "as_flows", "do_job", "find_program", "sweep",
           "write_jobs"]
