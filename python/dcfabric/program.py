# SPDX-License-Identifier: GPL-2.0-only
"""The program dcfabric-sim and what else is installed: where it is, how to tell one version of it
from another, what it tells while it runs (doc/describe.rst), and the Python packages that only some
uses need."""
from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import IO, Any, Iterator, Mapping

from .errors import DcfabricError
from .option_fields import OptionFields

PACKAGE = Path(__file__).resolve().parent
ROOT = PACKAGE.parents[1]
"""The module's folder, of a package in a checkout."""
NAME = "dcfabric-sim"


def installed(path: str) -> Path | None:
    """A file that pip has installed with the package, such as bin/dcfabric-sim; None in a
    checkout."""
    found = PACKAGE / path
    return found if found.is_file() else None


def _read_version() -> str:
    """Of the header that the library is made with; ``0+unknown`` if somebody has copied the package
    without it."""
    name = "dcfabric-version.h"
    header = installed(f"include/ns3/{name}") or ROOT / "helper" / "results" / name
    with contextlib.suppress(OSError):
        found = re.search(r'DCFABRIC_VERSION = "([^"]+)"', header.read_text(encoding="utf-8"))
        if found:
            return found[1]
    return "0+unknown"


VERSION = _read_version()
"""Of the package and its program."""


def way_to(checkout: str, package: str) -> str:
    """Which of two pieces of advice helps here: one for a checkout, and what pip is to install for
    a package."""
    return f"pip install '{package}'" if installed(f"bin/{NAME}") else checkout


def cache_folder() -> Path:
    """Where ./quickstart and ./run-tests keep what they build."""
    return Path(os.environ.get("DCFABRIC_CACHE") or Path.home() / ".cache" / "dcfabric")


def trees_folder() -> Path:
    """Where they build what belongs to this checkout; see find_trees in .ci/setup-ns3.sh."""
    return cache_folder() / "trees" / hashlib.sha256(os.fsencode(ROOT)).hexdigest()[:12]


def _newest_source() -> Path | None:
    """Of the files that the program is made of the one that was changed last."""
    sources = [path for folder in ("model", "helper", "examples/dcfabric-sim")
               for path in (ROOT / folder).rglob("*")
               if path.suffix in (".cc", ".h")]
    return max(sources, key=lambda path: path.stat().st_mtime, default=None)


def _is_older(program: Path, source: Path | None) -> bool:
    """Whether a source was changed after the program, and the library beside it if there is one,
    was made."""
    made = [program, *program.parent.parent.glob("libdcfabric.so"),
            *program.parents[3].glob("lib/libns3*-dcfabric*.so")]
    return (source is not None
            and source.stat().st_mtime > max(path.stat().st_mtime for path in made))


def _in_tree(tree: Path) -> list[Path]:
    """The program as ns-3 builds it, optimized ones first."""
    found = [path for path in tree.glob(f"build/contrib/dcfabric/examples/ns3*-{NAME}*")
             if re.fullmatch(rf"ns3[^-]*-{NAME}(-[a-z]+)?", path.name)]
    return sorted(found, key=lambda path: ("optimized" not in path.name, path.name))


def _candidates() -> Iterator[Path]:
    yield ROOT / "build" / "examples" / NAME
    if ROOT.parent.name == "contrib":
        yield from _in_tree(ROOT.parent.parent)
    trees = trees_folder()
    for kind in ("ns-*-optimized", "wheel-*", "ns-*-default"):
        # the newest first
        for tree in sorted(trees.glob(kind), key=lambda tree: -tree.stat().st_mtime):
            yield tree / "cmake-cache" / "examples" / NAME
            yield from _in_tree(tree)


def behind(path: Path) -> Path:
    """The program that a command of pip starts, which is a script of Python; of anything else the
    path itself.

    Raises DcfabricError if the command does not tell."""
    with path.open("rb") as file:
        if b"dcfabric.commands" not in file.read(4096):
            return path
    environment = {name: value for name, value in os.environ.items() if name != "DCFABRIC_SIM"}
    # in a folder of the package's own, so that no package of the current folder answers
    answer = subprocess.run([str(path.parent / "python3"), "-m", "dcfabric", "where", "program"],
                            env=environment, cwd=path.parent,
                            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        raise DcfabricError(f"{path} is a command of pip without its program: "
                            f"{answer.stderr.strip()}")
    return Path(answer.stdout.strip())


def find_program(given: str | os.PathLike[str] | None = None) -> Path:
    """The program to run: the given one; else the one that the environment variable DCFABRIC_SIM
    names; else, of a package that pip has installed, its own; else that of a stand-alone build in
    build/ of the checkout; of the ns-3 tree around it; of the trees that ./quickstart and
    ./run-tests build from it; else that of the command of pip in PATH. One that a checkout has
    built must not be older than its sources.

    Raises DcfabricError if there is none."""
    named = given or os.environ.get("DCFABRIC_SIM")
    if named:
        path = Path(named)
        if not (path.is_file() and os.access(path, os.X_OK)):
            raise DcfabricError(f"{path} ({'given' if given else 'in DCFABRIC_SIM'}) is not a "
                                "program")
        return behind(path.resolve())
    own = installed(f"bin/{NAME}")
    if own:
        return own
    source = _newest_source()
    old = None
    for path in _candidates():
        if path.is_file() and os.access(path, os.X_OK):
            if not _is_older(path, source):
                return path
            old = old or path
    if old:
        raise DcfabricError(f"{old} is older than {source}: call {ROOT / 'quickstart'} or build it "
                            "again, or name "
                            "the program in DCFABRIC_SIM to run it as it is")
    command = shutil.which(NAME)
    program = behind(Path(command).resolve()) if command else None
    # what another checkout has built may be in PATH, too
    if command and program and program != Path(command).resolve():
        return program
    raise DcfabricError(
        f"no {NAME} was found: call {ROOT / 'quickstart'}, or build this module in an ns-3 tree "
        "(./ns3 configure --enable-examples && ./ns3 build), and name the program in DCFABRIC_SIM "
        "if it "
        "is elsewhere")


CHECK_S = 60.0


def check_program(path: Path) -> None:
    """Raise DcfabricError unless the program answers --help as dcfabric-sim does."""
    wrong = DcfabricError(f"{path} is not {NAME}: it does not answer --help with the options of "
                          "that")
    try:
        answer = subprocess.run([str(path), "--help"], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, timeout=CHECK_S, check=False).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        raise wrong from error
    if not all(option in answer for option in (b"--topology", b"--workload", b"--cc")):
        raise wrong


def digest(*paths: Path) -> str:
    """A short hash of the contents of files."""
    total = hashlib.sha256()
    for path in paths:
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:16]


def text_digest(text: str) -> str:
    """The same of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


Stamp = tuple[int, int, int]
"""Of a file: it changes when the file does."""


def _stamp(path: Path) -> Stamp:
    status = path.stat()
    return status.st_ino, status.st_mtime_ns, status.st_size


@functools.cache
def _libraries(path: Path, _: Stamp) -> list[Path]:
    """Of ns-3 and of this module, that the program would load."""
    # What the loader would load, instead of running the program; one without a loader says its
    # version.
    listed = subprocess.run([str(path), "--PrintVersion"],
                            env={**os.environ, "LD_TRACE_LOADED_OBJECTS": "1"},
                            stdin=subprocess.DEVNULL, capture_output=True, text=True,
                            check=False).stdout
    # folders may have spaces in their names
    found = set(re.findall(r"=> (/.*\.so[^ ]*) \(0x", listed))
    return sorted(Path(one) for one in found if "ns3" in one or "dcfabric" in one)


@functools.cache
def _fingerprint(files: tuple[Path, ...], _: tuple[Stamp, ...]) -> str:
    return digest(*files)


def fingerprint(path: Path) -> str:
    """A text that changes when the program or a library of ns-3 or of this module does, also while
    Python runs."""
    files = (path, *(one for one in _libraries(path, _stamp(path)) if one.is_file()))
    return _fingerprint(files, tuple(map(_stamp, files)))


USES = {"numpy": ("data frames", ""), "pandas": ("data frames", ""),
        "matplotlib": ("figures", "plot"), "plotly": ("--html", "plot"),
        "pyarrow": ("Parquet files", "parquet"),
        "cppyy": ("the bindings of an ns-3 tree", "")}
"""What needs a package, and the extra of pip that brings it; what needs none comes with dcfabric
itself."""


def require(name: str) -> None:
    """Raises DcfabricError if a package of USES cannot be imported here."""
    try:
        importlib.import_module(name)
    except ImportError as error:
        use, extra = USES[name]
        needs = "need" if use.endswith("s") else "needs"
        raise DcfabricError(f"{use} {needs} the Python package {name}: " + advice(name, extra)
                            + f" ({error})") from error


def advice(name: str, extra: str) -> str:
    """How to get a package."""
    if not extra:
        return f"pip install {name}"
    return way_to(f"pip install {name} (the extra '{extra}' of dcfabric has it)",
                  f"dcfabric[{extra}]")


LAST_BYTES = 100_000
"""Of a file only the last line is looked for, within so many bytes."""


def read_end(file: IO[bytes], most: int | None = None) -> bytes:
    """All of a file, or its last bytes. (A program writes at the common place of the file: not
    moved.)"""
    total = os.fstat(file.fileno()).st_size
    return os.pread(file.fileno(), total, 0 if most is None else max(0, total - most))


def last_event(file: IO[bytes]) -> dict[str, Any]:
    """What the program told last; empty if it has not told anything."""
    *lines, _ = read_end(file, LAST_BYTES).split(b"\n")  # the last may not be whole yet
    try:
        event: dict[str, Any] = json.loads(lines[-1])
    except (IndexError, ValueError):  # nothing yet; a very long text
        return {}
    return event


def fraction(event: Mapping[str, Any]) -> float:
    """How far a run is, 0 to 1; 0 if the program does not know."""
    return 1.0 if event.get("event") == "end" else event.get("fraction") or 0.0


def refusal(event: Mapping[str, Any]) -> str:
    """What was refused, with options as arguments of Scenario; empty if nothing was."""
    return "".join(part if isinstance(part, str) else in_python(part["text"])
                   for part in event.get("parts", ()))


def in_python(name: str) -> str:
    """What the program names by options, such as ``--flow-control=pfc`` or ``a --cc``."""
    return re.sub(r"--([\w:-]+)(?:=(\S+))?", _argument, name)


OF_RUN = {"out": "out", "force": "force=True"}
"""Arguments of run() by their options."""


def _argument(option: re.Match[str]) -> str:
    field = option[1].replace("-", "_")
    if field in OF_RUN:
        return OF_RUN[field] if option[2] is None else f"{field}={option[2]!r}"
    if field == "cores" or field in OptionFields.__dataclass_fields__:
        return field if option[2] is None else f"{field}={option[2]!r}"
    mapping = "attributes" if "::" in option[1] else "options"
    value = "" if option[2] is None else f": {option[2]!r}"
    return f"{mapping}={{{option[1]!r}{value}}}"
