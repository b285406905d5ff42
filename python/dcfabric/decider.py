# SPDX-License-Identifier: GPL-2.0-only
"""Answers the questions of dcfabric-sim --cc=external by asking a congestion control in Python.

The other end is helper/scenario/decider-socket.cc: both read and write the same bytes of a socket.
"""
from __future__ import annotations

import socket
import struct
import threading
from typing import Any, Mapping

from .congestion_control import EFFECTS, Ack, CongestionControl, Hop, Path
from .connections import ACK, CNP, LOSS, MODIFIED, START, TIMEOUT, TIMER, Connections

# kind, connection, now, window, rate, five numbers, four counts, hops, timer or effect
QUESTION = struct.Struct("=IIqQd5Q4III")
HOP = struct.Struct("=qQQQ")  # time, transmitted, queue, rate
ANSWER = struct.Struct("=Qd4q")  # window, rate, timers


class Decider:
    """Serves one run in a thread of its own."""

    def __init__(self, policy: type[CongestionControl], parameters: Mapping[str, Any]) -> None:
        self.connections = Connections(policy, parameters)
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
        except ConnectionError:
            pass  # the program has ended, and its status tells why
        except BaseException as error:  # whatever a policy raises belongs to who runs it
            self.error = error
            self._ours.shutdown(socket.SHUT_RDWR)  # the program notices, and ends

    def _receive(self, size: int) -> bytes:
        return self._ours.recv(size, socket.MSG_WAITALL)

    def _answer_all(self) -> None:
        connections, receive, send = self.connections, self._receive, self._ours.sendall
        instances, decision = connections.instances, connections.decision
        while len(question := receive(QUESTION.size)) == QUESTION.size:
            (kind, connection, now_ps, window, rate, n0, n1, n2, n3, n4, c0, c1, c2, c3, n_hops,
             timer) = QUESTION.unpack(question)
            now_ns = now_ps / 1000
            if kind == START:
                instance = connections.begin(connection, Path(n0, n1 / 1000, n2, c0, c1))
            else:
                instance = instances[connection]
                instance.window_bytes = window
                instance.rate_bps = rate
            if kind == ACK:
                hops: tuple[Hop, ...] = ()
                if n_hops:
                    hops = tuple(Hop(time / 1000, sent, queue, capacity) for time, sent, queue,
                                 capacity
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
            elif kind == MODIFIED:
                instance.on_modified(EFFECTS[timer], now_ns)
            decided, paced, timers = decision(instance)
            send(ANSWER.pack(decided, paced, *timers))
