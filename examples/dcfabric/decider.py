# SPDX-License-Identifier: GPL-2.0-only
"""Answers the questions of dcfabric-sim --cc=external by asking a congestion control in Python.

The other end is examples/dcfabric-sim/sim-external.cc: both read and write the same bytes of a socket.
"""
from __future__ import annotations

import socket
import struct
import threading
from typing import Any, Mapping

from .congestion_control import UNLIMITED, Ack, CongestionControl, Hop, Path

# kind, connection, now, window, rate, five numbers, four counts, hops, timer
QUESTION = struct.Struct("=IIqQd5Q4III")
HOP = struct.Struct("=qQQQ")  # time, transmitted, queue, rate
ANSWER = struct.Struct("=Qd4q")  # window, rate, timers
START, ACK, CNP, LOSS, TIMEOUT, TIMER = range(6)
KEEP = -1
NO_TIMERS = (KEEP,) * 4


class Decider:
    """Serves one run in a thread: instances of a class, one for each connection."""

    def __init__(self, policy: type[CongestionControl], parameters: Mapping[str, Any]) -> None:
        self.policy = policy
        self.parameters = parameters
        self.instances: list[CongestionControl] = []
        self.error: BaseException | None = None
        self._ours, self.theirs = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, name="dcfabric-decider", daemon=True)

    def start(self) -> None:
        """Begin to answer, once the program has its end of the socket."""
        self.theirs.close()
        self._thread.start()

    def close(self) -> None:
        """The program has ended."""
        self._thread.join()
        self._ours.close()

    def _serve(self) -> None:
        try:
            self._answer_all()
        except BaseException as error:  # whatever a policy raises belongs to who runs it
            self.error = error
            # The program notices, and ends.
            self._ours.shutdown(socket.SHUT_RDWR)

    def _receive(self, size: int) -> bytes:
        return self._ours.recv(size, socket.MSG_WAITALL)

    def _answer_all(self) -> None:
        instances, send, unpack, pack = self.instances, self._ours.sendall, QUESTION.unpack, ANSWER.pack
        size, receive = QUESTION.size, self._receive
        while question := receive(size):
            if len(question) < size:
                return  # the program ended within a question
            (kind, connection, now_ps, window, rate, n0, n1, n2, n3, n4, c0, c1, c2, c3, n_hops,
             timer) = unpack(question)
            now_ns = now_ps / 1000
            if kind == START:
                instance = self._begin(connection, Path(n0, n1 / 1000, n2, c0, c1))
            else:
                instance = instances[connection]
                instance.window_bytes = window
                instance.rate_bps = rate
            if kind == ACK:
                hops: tuple[Hop, ...] = ()
                if n_hops:
                    hops = tuple(Hop(time / 1000, sent, queue, capacity) for time, sent, queue, capacity
                                 in HOP.iter_unpack(receive(HOP.size * n_hops)))
                instance.on_ack(Ack(now_ns, n0 / 1000, n1, n2, n3, n4, c0, c1, c2, c3 != 0, hops))
            elif kind == TIMER:
                instance.on_timer(timer, now_ns)
            elif kind == CNP:
                instance.on_cnp(now_ns)
            elif kind == LOSS:
                instance.on_loss(now_ns, n0)
            elif kind == TIMEOUT:
                instance.on_timeout(now_ns)
            timers = NO_TIMERS
            if instance._timers:
                timers = tuple(instance._timers.get(i, KEEP) for i in range(4))
                instance._timers.clear()
            window, rate = instance.window_bytes, instance.rate_bps
            if not (1 <= window <= UNLIMITED and 0 < rate < 1e300):
                raise ValueError(f"{self.policy.__name__} set window_bytes to {window!r} and rate_bps to "
                                 f"{rate!r}: both must be above zero")
            send(pack(int(window), rate, *timers))

    def _begin(self, connection: int, path: Path) -> CongestionControl:
        instance = self.policy()
        instance.path = path
        instance.connection = connection
        instance.window_bytes = max(1, path.bdp_bytes)
        instance.rate_bps = float(path.line_rate_bps)
        instance._timers = {}
        for name, value in self.parameters.items():
            setattr(instance, name, value)
        self.instances.append(instance)
        instance.start()
        return instance


__all__ = ["Decider"]
