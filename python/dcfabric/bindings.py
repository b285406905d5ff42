# SPDX-License-Identifier: GPL-2.0-only
"""For scripts that build networks themselves with ns-3's bindings (cppyy), as dcfabric-dumbbell.py
does: the classes of this module, and a congestion control in Python within the same process. A
Scenario does not need this."""
from __future__ import annotations

import os
import pathlib
from typing import Any, Sequence

from .congestion_control import EFFECTS, Ack, CongestionControl, Hop, Path
from .decider import ACK, CNP, LOSS, MODIFIED, START, TIMEOUT, TIMER, Connections
from .errors import DcfabricError
from .program import ROOT, installed, trees_folder, way_to

LIBRARY = "libdcfabric.so"
HEADERS = ("fabric-error.h", "fabric-helper.h", "fabric-topology.h", "series-recorder.h")
"""What most scripts use."""

_deciders: list[Any] = []
"""All of this process: the bindings do not keep what they are given."""


def find_library(given: str | os.PathLike[str] | None = None) -> tuple[pathlib.Path, pathlib.Path]:
    """The library and the folder of its headers: the given library; else the one that the
    environment variable DCFABRIC_LIBRARY names; else, of a package that pip has installed, its own;
    else that of a stand-alone build in build/ of the checkout, or of those that ./quickstart and
    ./run-tests build from it.

    Raises DcfabricError if there is none, or its headers are missing."""
    named = given or os.environ.get("DCFABRIC_LIBRARY")
    own = installed(f"lib/{LIBRARY}")
    if named:
        candidates = [pathlib.Path(named)]
    elif own:
        candidates = [own]
    else:
        candidates = [ROOT / "build" / LIBRARY,
                      *sorted(trees_folder().glob(f"wheel-*/cmake-cache/{LIBRARY}"))]
    for path in candidates:
        if path.is_file():
            for include in (path.parent / "include", path.parent.parent / "include"):
                if (include / "ns3" / HEADERS[-1]).is_file():
                    return path.resolve(), include.resolve()
            raise DcfabricError(f"{path}: no headers beside it (include/ns3): not a stand-alone "
                                "build")
    raise DcfabricError(f"no dcfabric library at {' or '.join(map(str, candidates))}: build it "
                        "with\n"
                        "    cmake -S . -B build -Dns3_DIR=<site-packages>/ns3/lib64/cmake/ns3\n"
                        "    cmake --build build --target dcfabric\n"
                        "or call ./quickstart, and name it in DCFABRIC_LIBRARY")


def load(library: str | os.PathLike[str] | None = None, headers: Sequence[str] = HEADERS) -> Any:
    """The namespace of ns-3's bindings with this module in it, as ``ns``. Takes seconds.

    library: see find_library. headers: those of the classes that are used. Raises DcfabricError if
    library or bindings are missing."""
    path, include = find_library(library)
    try:
        from ns import ns
    except ImportError as error:
        advice = way_to("pip install 'ns3==3.44.*'", "dcfabric[bindings]")
        raise DcfabricError(f"{error}; the wheel of ns-3 is needed: {advice}") from error
    # after ns-3's own: libraries of these names are not loaded twice
    ns.cppyy.add_include_path(str(include))
    ns.cppyy.load_library(str(path))
    for header in headers:
        ns.cppyy.include(f"ns3/{header}")
    return ns


def connect(ns: Any, policy: type[CongestionControl], **parameters: Any) -> list[CongestionControl]:
    """Let a congestion control in Python decide wherever ``ns3::ExternalCongestionControl`` is
    installed in this process: ``helper.SetCongestionControl("ns3::ExternalCongestionControl")``,
    with the attributes DataInt, AckInt, Ecn and CnpInterval set to what the class needs.

    ns: the namespace of the bindings, with this module's library loaded. parameters: set as
    attributes of each instance. Returns the list of instances, which grows as connections begin;
    call anew for each simulation. An exception in a hook leaves ``ns.Simulator.Run()`` as an
    exception.
    """
    ns.cppyy.include("ns3/external-congestion-control.h")
    ns.cppyy.include("ns3/fabric-packet-item.h")
    connections = Connections(policy, parameters)
    instances = connections.instances

    def decide(call: Any) -> None:
        kind, now_ns = call.kind, call.nowPs / 1000
        if kind == START:
            path = call.path
            instance = connections.begin(call.connection,
                                         Path(path.lineRateBps, path.baseRttPs / 1000,
                                              path.bdpBytes, path.payloadBytes,
                                              path.packetBytes))
        else:
            instance = instances[call.connection]
            instance.window_bytes = call.window
            instance.rate_bps = call.rate
        if kind == ACK:
            ack = call.ack
            hops = tuple(Hop(hop.timePs / 1000, hop.txBytes, hop.queueBytes, hop.rateBps)
                         for hop in call.hops)
            instance.on_ack(Ack(now_ns, ack.rttPs / 1000, ack.ackedPayload, ack.cumulativeBytes,
                                ack.sentBytes,
                                ack.inFlightBytes, ack.coveredPackets, ack.markedPackets,
                                ack.activeFlows,
                                ack.triggerMarked, hops))
        elif kind == TIMER:
            instance.on_timer(call.timer, now_ns)
        elif kind == CNP:
            instance.on_cnp(now_ns)
        elif kind == LOSS:
            instance.on_loss(now_ns, call.lostBytes)
        elif kind == TIMEOUT:
            instance.on_timeout(now_ns)
        elif kind == MODIFIED:
            instance.on_modified(EFFECTS[call.effect], now_ns)
        call.window, call.rate, timers = connections.decision(instance)
        for timer, at_ps in enumerate(timers):
            if at_ps != -1:
                call.timersPs[timer] = at_ps

    ns.ExternalCongestionControl.SetDecider(decide)
    _deciders.append(decide)
    return instances
