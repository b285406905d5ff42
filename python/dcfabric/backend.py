# SPDX-License-Identifier: GPL-2.0-only
"""A network for programs that decide while it runs which message follows which: the library for
other simulators (doc/backend.rst), from Python.

    from dcfabric import Backend

    with Backend(topology="fat-tree:k=4", rate="100Gbps", out="results") as net:
        net.recv(1, 0, 1_000_000, then=lambda: print(net.now_ps))
        net.send(0, 1, 1_000_000)
        net.run()
"""
from __future__ import annotations

import ctypes
import os
from pathlib import Path
from types import TracebackType
from typing import Any, Callable, Iterator

from .errors import BadScenario, DcfabricError, InvariantViolated, RunFailed
from .program import PACKAGE, find_program

NAME = "libdcfabric-backend.so"
DONE, STOPPED, ERROR, VIOLATION = range(4)
Then = Callable[[], Any]
Handler = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def find_backend(library: str | os.PathLike[str] | None = None) -> Path:
    """The library: the argument, what DCFABRIC_BACKEND names, that of the package, or that beside
    the program dcfabric-sim. Raises DcfabricError if there is none."""
    given = library or os.environ.get("DCFABRIC_BACKEND")
    candidates = [Path(given)] if given else list(_candidates())
    for path in candidates:
        if path.is_file():
            return path.resolve()
    raise DcfabricError(f"{given} is no file" if given else
                        f"there is no {NAME}; the stand-alone build and the package of pip have it "
                        "(doc/backend.rst); DCFABRIC_BACKEND names another")


def _candidates() -> Iterator[Path]:
    yield PACKAGE / "lib" / NAME
    try:
        program = find_program()
    except DcfabricError:
        return
    yield program.parent.parent / NAME
    yield program.parent.parent / "lib" / NAME


class Backend:
    """A network and the ranks on it. A process has one at a time; close() it, or use ``with``.

    Options are those of dcfabric-sim, as keywords with ``_`` for ``-``, and ``ranks`` and
    ``per_host``; ``attributes`` have names such as ``ns3::FabricNic::Mtu``. Raises BadScenario if
    they are refused.

    Functions (``then``) are called without arguments, all by the thread that is in run() and none
    within a call of this object. An exception in one of them is raised by run() once the simulation
    is over; no function is called after it.
    """

    def __init__(self, *, library: str | os.PathLike[str] | None = None,
                 attributes: dict[str, Any] | None = None, **options: Any) -> None:
        self._library = _load(find_backend(library))
        given = {name.replace("_", "-"): value for name, value in options.items()}
        words = [f"--{name}={_text(value)}".encode()
                 for name, value in {**given, **(attributes or {})}.items()]
        error = ctypes.create_string_buffer(1 << 16)
        self._thens: dict[int, Then] = {}
        self._next = 1
        self._failure: BaseException | None = None
        self._running = False
        self._call = Handler(self._on_call)
        self._open: int | None = self._library.dcf_open(
            len(words), (ctypes.c_char_p * len(words))(*words), error, len(error))
        if not self._open:
            raise BadScenario(error.value.decode(), status=ERROR)

    @property
    def ranks(self) -> int:
        """Number of ranks."""
        return int(self._library.dcf_ranks(self._opened()))

    @property
    def now_ps(self) -> int:
        """The present, in picoseconds."""
        return int(self._library.dcf_now_ps(self._opened()))

    @property
    def gigabytes_per_second(self) -> float:
        """Rate of a port of a host."""
        return float(self._library.dcf_bandwidth(self._opened(), 0))

    def schedule(self, delta_ps: int, then: Then) -> None:
        """Call a function after some time; 0: at this time, after the present one."""
        self._ask(self._library.dcf_schedule, then, _count(delta_ps))

    def send(self, src: int, dst: int, size: int, tag: int = 0, then: Then | None = None) -> None:
        """Send a message now; the function is called when the sender knows that it has arrived."""
        self._ask(self._library.dcf_send, then, _count(src, 32), _count(dst, 32), _count(size),
                  _count(tag))

    def recv(self, dst: int, src: int, size: int, tag: int = 0, then: Then | None = None) -> None:
        """Receive so many bytes; the function is called when the last one is there."""
        self._ask(self._library.dcf_recv, then, _count(dst, 32), _count(src, 32), _count(size),
                  _count(tag))

    def finish(self, rank: int) -> None:
        """A rank has nothing more to do. Where none says so, the run ends when nothing is left to
        wait for."""
        if rank not in range(self.ranks):
            raise RunFailed(f"there is no rank {rank}; ranks are 0 to {self.ranks - 1}")
        self._library.dcf_finish(self._opened(), rank)

    def run(self) -> bool:
        """Simulate, and write the results; once, and not within a function that it calls. False if
        the time of the option ``stop`` came first. Raises InvariantViolated if it is stuck, which
        says which receives wait, and RunFailed if it ran before or results cannot be written."""
        self._refuse_within("run")
        self._running = True
        try:
            status = self._library.dcf_run(self._opened())
        finally:
            self._running = False
        self._thens.clear()
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure
        if status == VIOLATION:
            raise InvariantViolated(self._error(), status=status)
        if status not in (DONE, STOPPED):
            raise RunFailed(self._error(), status=status)
        return bool(status == DONE)

    def close(self) -> None:
        """Give everything back; a second call does nothing. Raises RunFailed within a function that
        run() calls."""
        self._refuse_within("close")
        if self._open:
            self._library.dcf_close(self._open)
            self._open = None

    def __enter__(self) -> Backend:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def _refuse_within(self, name: str) -> None:
        if self._running:
            raise RunFailed(f"{name}() within a function that run() calls; call it once run() has "
                            "returned")

    def _opened(self) -> int:
        if not self._open:
            raise DcfabricError("this network is closed")
        return self._open

    def _error(self) -> str:
        return str(self._library.dcf_error(self._opened()).decode())

    def _ask(self, call: Callable[..., int], then: Then | None, *arguments: int) -> None:
        network = self._opened()
        number = None
        if then:
            number, self._next = self._next, self._next + 1
            self._thens[number] = then
        if call(network, *arguments, self._call if then else Handler(), number) != 0:
            if number is not None:
                del self._thens[number]
            raise RunFailed(self._error(), status=ERROR)

    def _on_call(self, number: int) -> None:
        then = self._thens.pop(number)
        if self._failure is None:
            try:
                then()
            except BaseException as failure:  # C cannot pass it on
                self._failure = failure


def _load(path: Path) -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise DcfabricError(f"{path} cannot be loaded: {error}") from error
    handle, u32, u64 = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64
    signatures: dict[str, tuple[Any, ...]] = {
        "dcf_open": (handle, ctypes.c_int, ctypes.POINTER(ctypes.c_char_p), ctypes.c_char_p,
                     ctypes.c_size_t),
        "dcf_ranks": (ctypes.c_int, handle),
        "dcf_now_ps": (u64, handle),
        "dcf_schedule": (ctypes.c_int, handle, u64, Handler, ctypes.c_void_p),
        "dcf_send": (ctypes.c_int, handle, u32, u32, u64, u64, Handler, ctypes.c_void_p),
        "dcf_recv": (ctypes.c_int, handle, u32, u32, u64, u64, Handler, ctypes.c_void_p),
        "dcf_finish": (None, handle, u32),
        "dcf_run": (ctypes.c_int, handle),
        "dcf_bandwidth": (ctypes.c_double, handle, ctypes.c_int),
        "dcf_error": (ctypes.c_char_p, handle),
        "dcf_close": (None, handle),
    }
    for name, (result, *arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def _count(value: int, bits: int = 64) -> int:
    """ctypes would cut it."""
    if not 0 <= value < 1 << bits:
        raise RunFailed(f"{value} is out of range; it must be 0 to 2^{bits} - 1")
    return value


def _text(value: Any) -> str:
    """As dcfabric-sim takes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)
