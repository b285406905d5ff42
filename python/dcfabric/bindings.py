# SPDX-License-Identifier: GPL-2.0-only
"""A congestion control in Python at work: an instance for each connection of a run, which is asked
by dcfabric-sim --cc=external through a socket, or within the same process by scripts that build
networks themselves with ns-3's bindings (cppyy), as dcfabric-dumbbell.py does. These find the
classes of this module here as well; a Scenario needs nothing of that.

The other end of the socket is helper/scenario/decider-socket.cc: both read and write the same
bytes."""
from __future__ import annotations

import contextlib
import importlib.util
import os
import pathlib
import re
import socket
import struct
import subprocess
import threading
from typing import Any, Iterator, Mapping, Sequence

from .congestion_control import EFFECTS, UNLIMITED, Ack, CongestionControl, Hop, Path
from .errors import DcfabricError
from .program import ROOT, installed, require, trees_folder, way_to

START, ACK, CNP, LOSS, TIMEOUT, TIMER, MODIFIED = range(7)
"""What happened, as ExternalCongestionCall::Kind."""
KEEP = -1
"""Leave a timer as it is."""
NO_TIMERS = (KEEP,) * 4

# kind, connection, now, window, rate, five numbers, four counts, hops, timer or effect
QUESTION = struct.Struct("=IIqQd5Q4III")
HOP = struct.Struct("=qQQQ")  # time, transmitted, queue, rate
ANSWER = struct.Struct("=Qd4q")  # window, rate, timers


class Connections:
    """Makes instances and checks what they decide."""

    def __init__(self, policy: type[CongestionControl], parameters: Mapping[str, Any]) -> None:
        """parameters: attributes to set on each instance before it starts."""
        self.policy = policy
        self.parameters = parameters
        self.instances: list[CongestionControl] = []
        self.acted = False
        """whether an instance has set a window, a rate or a timer"""

    def begin(self, connection: int, path: Path) -> CongestionControl:
        """A connection starts, with a window of one BDP and the line rate."""
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

    @staticmethod
    def tell(instance: CongestionControl, kind: int, now_ns: float, lost: int,
             what: int) -> None:
        """Call the hook of what happened, if that is neither the start nor an acknowledgement.
        lost: bytes. what: number of a timer, or of an effect."""
        if kind == TIMER:
            instance.on_timer(what, now_ns)
        elif kind == CNP:
            instance.on_cnp(now_ns)
        elif kind == LOSS:
            instance.on_loss(now_ns, lost)
        elif kind == TIMEOUT:
            instance.on_timeout(now_ns)
        elif kind == MODIFIED:
            instance.on_modified(EFFECTS[what], now_ns)

    def decision(self, instance: CongestionControl) -> tuple[int, float, tuple[int, ...]]:
        """Window (bytes), rate (bit/s) and timers (ps or KEEP or -2 to cancel) as an instance has
        set them. Raises ValueError for what makes no sense."""
        timers: tuple[int, ...] = NO_TIMERS
        if instance._timers:
            timers = tuple(instance._timers.get(i, KEEP) for i in range(4))
            instance._timers.clear()
        window, rate = instance.window_bytes, instance.rate_bps
        if not self.acted:
            path = instance.path
            self.acted = bool(timers is not NO_TIMERS or window != max(1, path.bdp_bytes)
                              or rate != path.line_rate_bps)
        if not (1 <= window <= UNLIMITED and 0 < rate < 1e300):
            raise ValueError(f"{self.policy.__name__} set window_bytes to {window!r} and rate_bps "
                             f"to {rate!r}: "
                             "expected a window from 1 to UNLIMITED and a rate above zero")
        return int(window), rate, timers

    def mistaken(self) -> str | None:
        """What to say of a run in which no instance has set anything that is read, but something
        that resembles it."""
        if self.acted:
            return None
        found = sorted({name for instance in self.instances for name in vars(instance)
                        if name.startswith(("window", "rate", "cwnd"))
                        and name not in ("window_bytes", "rate_bps")})
        if not found:
            return None
        return (f"{self.policy.__name__} has set neither window_bytes nor rate_bps in any "
                "connection, and so had no effect; it has set "
                f"{', '.join(found)}, which nothing reads")


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
                    hops = tuple(Hop(time / 1000, sent, queue, capacity)
                                 for time, sent, queue, capacity
                                 in HOP.iter_unpack(receive(HOP.size * n_hops)))
                instance.on_ack(Ack(now_ns, n0 / 1000, n1, n2, n3, n4, c0, c1, c2, c3 != 0, hops))
            else:
                connections.tell(instance, kind, now_ns, n0, timer)
            decided, paced, timers = decision(instance)
            send(ANSWER.pack(decided, paced, *timers))


LIBRARY = "libdcfabric.so"
HEADERS = ("fabric-error.h", "fabric-helper.h", "fabric-topology.h", "series-recorder.h")
"""What most scripts use."""

_deciders: list[Any] = []
"""All of this process: the bindings do not keep what they are given."""


def find_library(given: str | os.PathLike[str] | None = None) -> tuple[pathlib.Path, pathlib.Path]:
    """The library and the folder of its headers: the given library; else the one that the
    environment variable DCFABRIC_LIBRARY names; else, where Python finds the bindings of an ns-3
    tree, that of the tree; else, of a package that pip has installed, its own; else that of a
    stand-alone build in build/ of the checkout, or of those that ./quickstart and ./run-tests build
    from it.

    Raises DcfabricError if there is none, or its headers are missing."""
    named = given or os.environ.get("DCFABRIC_LIBRARY")
    tree = tree_of_bindings()
    if tree:
        library = library_of(tree)
        if named and pathlib.Path(named).resolve() != library.resolve():
            raise DcfabricError(f"Python finds the bindings of the ns-3 tree {tree}, which go with "
                                f"{library} and not with {named}: leave the library out, or take "
                                "the tree out of PYTHONPATH")
        return library.resolve(), tree / "build" / "include"
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


def tree_of_bindings() -> pathlib.Path | None:
    """The ns-3 tree whose bindings Python would import (``./ns3 configure
    --enable-python-bindings``; ``./ns3 run`` and ``./ns3 shell`` put them into PYTHONPATH), if it
    is one."""
    try:
        found = importlib.util.find_spec("ns")
    except (ImportError, ValueError):
        return None
    if found is None or not found.origin:
        return None
    # TREE/build/bindings/python/ns/__init__.py
    tree = pathlib.Path(found.origin).resolve().parents[min(4, found.origin.count(os.sep) - 1)]
    return tree if any(tree.glob(".lock-ns3_*_build")) else None


def library_of(tree: pathlib.Path) -> pathlib.Path:
    """This module's library in an ns-3 tree. Raises DcfabricError if it has not been built."""
    found = [one for one in sorted((tree / "build" / "lib").glob("libns3*-dcfabric*.so"))
             if "-test" not in one.name]
    if len(found) != 1:
        raise DcfabricError(f"{tree / 'build' / 'lib'} has "
                            f"{'several libraries' if found else 'no library'} of dcfabric: build "
                            f"{'one profile only' if found else 'it with ./ns3 build'}")
    return found[0]


def _folders_of_mpi(tree: pathlib.Path) -> list[str]:
    """Where mpi.h may be, which the headers of ns-3's module for MPI include without telling cppyy
    where; nothing if the tree was built without it. Open MPI and MPICH tell it alike."""
    if not (tree / "build" / "include" / "ns3" / "mpi-module.h").is_file():
        return []
    try:
        told = subprocess.run(["mpicxx", "-show"], capture_output=True, text=True, check=False)
    except OSError:
        return []
    return re.findall(r"-I(\S+)", told.stdout)


@contextlib.contextmanager
def _libraries_found(tree: pathlib.Path) -> Iterator[None]:
    """ns-3 up to 3.41 looks for the libraries that its own need below the folders of
    LD_LIBRARY_PATH, PATH and the working directory, which may take minutes: meanwhile these are the
    folders of the former alone."""
    own = tree / "build" / "lib"
    told = subprocess.run(["ldd", *own.glob("libns3*.so")], capture_output=True, text=True,
                          check=False).stdout
    folders = dict.fromkeys(os.path.dirname(found) for found in re.findall("=> (/.*) ", told))
    before = {name: os.environ.get(name) for name in ("LD_LIBRARY_PATH", "PATH")}
    where = os.getcwd()
    os.environ.update(LD_LIBRARY_PATH=os.pathsep.join(folders), PATH=str(own))
    os.chdir(own)
    try:
        yield
    finally:
        os.chdir(where)
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value


def load(library: str | os.PathLike[str] | None = None, headers: Sequence[str] = HEADERS) -> Any:
    """The namespace of ns-3's bindings with this module in it, as ``ns``: those of the wheel, or of
    an ns-3 tree. Takes seconds.

    library: see find_library. headers: those of the classes that are used. Raises DcfabricError if
    library or bindings are missing."""
    path, include = find_library(library)
    tree = tree_of_bindings()
    if tree:
        require("cppyy")  # ns-3 would end the interpreter
        import cppyy
        for folder in _folders_of_mpi(tree):
            cppyy.add_include_path(folder)
    try:
        with _libraries_found(tree) if tree else contextlib.nullcontext():
            from ns import ns
    except ImportError as error:
        advice = way_to("pip install 'ns3==3.44.*' (the extra 'bindings' of dcfabric has it), or "
                        f"{ROOT / 'quickstart'} --bindings, which tells the Python with it",
                        "dcfabric[bindings]")
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
        else:
            connections.tell(instance, kind, now_ns, call.lostBytes,
                             call.timer if kind == TIMER else call.effect)
        call.window, call.rate, timers = connections.decision(instance)
        for timer, at_ps in enumerate(timers):
            if at_ps != -1:
                call.timersPs[timer] = at_ps

    ns.ExternalCongestionControl.SetDecider(decide)
    _deciders.append(decide)
    return instances
