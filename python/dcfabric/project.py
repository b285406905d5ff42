# SPDX-License-Identifier: GPL-2.0-only
"""Projects for policies of one's own in C++: made of a template, and compiled to a library that
dcfabric-sim loads (doc/plugins.rst)."""
from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Iterator

from .bindings import find_library
from .errors import DcfabricError
from .program import PACKAGE, cache_folder, find_program
from .wording import nearest

TEMPLATES = PACKAGE / "templates"
SOURCE = "policy.cc.in"
"""Of a template; it gets the name of the project."""
NS3 = "ns3==3.44.post0"
"""Whose headers are fetched if there are none; what the extra "bindings" names."""
CORE = Path("ns3") / "core-module.h"
"""That ns-3's headers are there."""
FLAGS = ("-O2", "-fPIC", "-shared", "-Wall", "-Wextra")


def kinds() -> list[str]:
    """Of projects."""
    return sorted(path.name for path in TEMPLATES.iterdir() if (path / SOURCE).is_file())


def new_project(kind: str, name: str, folder: Path | None = None) -> Path:
    """Make a project in a new folder, by default ``my-control`` for MyControl. Returns it.

    kind: of policy, see kinds(). name: of its class. Raises DcfabricError for an unknown kind, a
    name that is none of a class, and a folder that is there."""
    if kind not in kinds():
        near = nearest(kind, kinds())
        raise DcfabricError(f"there is no template '{kind}'; known: {', '.join(kinds())}"
                            + (f"; the nearest is {near}" if near else ""))
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]{0,60}", name):
        raise DcfabricError(f"'{name}' is no name for a class; expected letters and digits, the "
                            "first one a capital, such as MyControl")
    file = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()
    folder = folder or Path(file)
    try:
        folder.mkdir(parents=True)
    except FileExistsError as error:
        raise DcfabricError(f"{folder} is there already; give another name, or --out") from error
    for path in sorted((TEMPLATES / kind).iterdir()):
        text = path.read_text(encoding="utf-8").replace("@NAME@", name).replace("@FILE@", file)
        to = folder / (f"{file}.cc" if path.name == SOURCE else path.name.removesuffix(".in"))
        to.write_text(text, encoding="utf-8")
    return folder


def build_project(folder: Path = Path()) -> Path:
    """Compile the C++ files of a folder to build/libNAME.so in it, NAME being that of the first
    one. Returns its path.

    The compiler is that of the environment variable CXX, else c++; CXXFLAGS are added. Raises
    DcfabricError if there are no files, if compiler, library or headers are missing, and if the
    compiler refuses the files, whose messages are on standard error."""
    if not folder.is_dir():
        raise DcfabricError(f"there is no folder {folder}; dcfabric new makes one, and tells its "
                            "name")
    sources = sorted(folder.glob("*.cc"))
    if not sources:
        raise DcfabricError(f"{folder.absolute()} has no C++ files (*.cc); dcfabric new makes a "
                            "project")
    compiler = os.environ.get("CXX", "c++").split()
    if not shutil.which(compiler[0]):
        raise DcfabricError(f"the compiler {compiler[0]} is missing (Debian package g++)")
    own, (version, ns3) = find_library()[1], find_ns3_headers()
    out = folder / "build" / f"lib{sources[0].stem}.so"
    out.parent.mkdir(exist_ok=True)
    # not in its place until it is whole: a program may have loaded the old one
    made = out.with_suffix(".new")
    command = [*compiler, f"-std={standard_of(version)}", *FLAGS,
               *os.environ.get("CXXFLAGS", "").split(), "-isystem", str(own), "-isystem", str(ns3),
               f'-DDCFABRIC_NS3_VERSION="{version}"', *map(str, sources), "-o", str(made)]
    done = subprocess.run(command, check=False)
    if done.returncode:
        made.unlink(missing_ok=True)
        stale = f"; {out} is still that of an earlier build" if out.exists() else ""
        raise DcfabricError(f"{compiler[0]} ended with status {done.returncode}; its messages are "
                            f"above{stale}")
    os.replace(made, out)
    return out


def standard_of(version: str) -> str:
    """The standard of C++ that a release of ns-3 is written in, as in .ci/stand-alone.cmake."""
    if not version:  # a program that does not tell
        return "c++20"
    number = tuple(int(part) for part in re.findall(r"\d+", version)[:2])
    return "c++23" if number >= (3, 46) else "c++20" if number >= (3, 41) else "c++17"


def find_ns3_headers() -> tuple[str, Path]:
    """Version and folder of the headers of ns-3: beside those of this module; of the Python package
    ns3; of the wheel that ./quickstart fetches; else fetched, once (70 MB)."""
    version = program_ns3()
    for folder in _header_folders():
        if (folder / CORE).is_file():
            return version, folder
    return version, _fetch_headers() / "ns3" / "include"


def _header_folders() -> Iterator[Path]:
    given = os.environ.get("DCFABRIC_NS3_INCLUDE")
    if given:
        yield Path(given)
    yield find_library()[1]
    for path in map(Path, sys.path):
        yield path / "ns3" / "include"
    yield PACKAGE.parent / "ns3" / "include"
    yield from cache_folder().glob("wheel/lib/python3*/site-packages/ns3/include")
    yield _headers_here() / "ns3" / "include"


def _headers_here() -> Path:
    return cache_folder() / f"headers-{requirement().partition('==')[2]}"


def program_ns3() -> str:
    """The version of ns-3 that the program has, such as 3.44. Headers have to be of the same: of
    other ones the compiler or the program tells."""
    said = subprocess.run([str(find_program()), "--version"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False).stdout
    found = re.search(r"on ns-3 (\S+)", said)
    return found[1] if found else ""


def requirement() -> str:
    """The ns-3 of the extra "bindings", for pip."""
    try:
        wanted = importlib.metadata.requires("dcfabric") or []
    except importlib.metadata.PackageNotFoundError:
        wanted = []
    found = re.search(r"ns3==[\w.]+", " ".join(wanted))
    return found[0] if found else NS3


def _fetch_headers() -> Path:
    """By pip, without what the wheel requires, which would be compiled for minutes."""
    to = _headers_here()
    print(f"Fetching the headers of {requirement()} (about 70 MB) to {to}", file=sys.stderr,
          flush=True)
    part = to.with_name(f"{to.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-deps",
         "--quiet", "--no-compile", "--only-binary=:all:", "--python-version=3.11",
         f"--target={part}", requirement()], check=False, stdout=sys.stderr)
    if done.returncode or not (part / "ns3" / "include" / CORE).is_file():
        raise DcfabricError(f"pip could not fetch {requirement()}; name the folder of the headers "
                            "of ns-3 (with ns3/core-module.h in it) in DCFABRIC_NS3_INCLUDE")
    os.replace(part, to)
    return to
