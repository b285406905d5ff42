# SPDX-License-Identifier: GPL-2.0-only
"""For scripts that build networks themselves with ns-3's bindings (cppyy), as dcfabric-dumbbell.py does: a
congestion control in Python within the same process. A Scenario does not need this."""
from __future__ import annotations

from typing import Any

from .congestion_control import Ack, CongestionControl, Hop, Path
from .connections import ACK, CNP, LOSS, START, TIMEOUT, TIMER, Connections

_deciders: list[Any] = []
"""All of this process: the bindings do not keep what they are given."""


def connect(ns: Any, policy: type[CongestionControl], **parameters: Any) -> list[CongestionControl]:
    """Let a congestion control in Python decide wherever ``ns3::ExternalCongestionControl`` is installed in
    this process: ``helper.SetCongestionControl("ns3::ExternalCongestionControl")``, with the attributes DataInt,
    AckInt, Ecn and CnpInterval set to what the class needs.

    ns: the namespace of the bindings, with this module's library loaded. parameters: set as attributes of each
    instance. Returns the list of instances, which grows as connections begin; call anew for each simulation.
    An exception in a hook leaves ``ns.Simulator.Run()`` as an exception.
    """
    ns.cppyy.include("ns3/external-congestion-control.h")
    ns.cppyy.include("ns3/fabric-packet-item.h")
    connections = Connections(policy, parameters)
    instances = connections.instances

    def decide(call: Any) -> None:
        kind, now_ns = call.kind, call.nowPs / 1000
        if kind == START:
            path = call.path
            instance = connections.begin(call.connection, Path(path.lineRateBps, path.baseRttPs / 1000,
                                                               path.bdpBytes, path.payloadBytes,
                                                               path.packetBytes))
        else:
            instance = instances[call.connection]
            instance.window_bytes = call.window
            instance.rate_bps = call.rate
        if kind == ACK:
            ack = call.ack
            hops = tuple(Hop(hop.timePs / 1000, hop.txBytes, hop.queueBytes, hop.rateBps) for hop in call.hops)
            instance.on_ack(Ack(now_ns, ack.rttPs / 1000, ack.ackedPayload, ack.cumulativeBytes, ack.sentBytes,
                                ack.inFlightBytes, ack.coveredPackets, ack.markedPackets, ack.activeFlows,
                                ack.triggerMarked, hops))
        elif kind == TIMER:
            instance.on_timer(call.timer, now_ns)
        elif kind == CNP:
            instance.on_cnp(now_ns)
        elif kind == LOSS:
            instance.on_loss(now_ns, call.lostBytes)
        elif kind == TIMEOUT:
            instance.on_timeout(now_ns)
        call.window, call.rate, timers = connections.decision(instance)
        for timer, at_ps in enumerate(timers):
            if at_ps != -1:
                call.timersPs[timer] = at_ps

    ns.ExternalCongestionControl.SetDecider(decide)
    _deciders.append(decide)
    return instances
