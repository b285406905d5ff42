# SPDX-License-Identifier: GPL-2.0-only
"""Builds the Python package (pyproject.toml): scikit-build-core, once ns-3 is at hand.

ns-3 is the wheel "ns3" that the extra "bindings" names, fetched without what it requires: that are
its bindings (cppyy), for which there are no wheels and which take minutes to compile. What is built
here does not need them, because the libraries of ns-3 that it uses go into its own wheel. Another
ns-3 can be given:
    pip install . -C cmake.define.ns3_DIR=<prefix>/lib/cmake/ns3
"""
from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Iterator

from scikit_build_core import build as backend
from scikit_build_core.build import (build_sdist, get_requires_for_build_editable,
                                     get_requires_for_build_sdist, get_requires_for_build_wheel,
                                     prepare_metadata_for_build_editable,
                                     prepare_metadata_for_build_wheel)
from tell_pip import told

__all__ = ["build_editable", "build_sdist", "build_wheel", "get_requires_for_build_editable",
           "get_requires_for_build_sdist", "get_requires_for_build_wheel",
           "prepare_metadata_for_build_editable", "prepare_metadata_for_build_wheel"]

Settings = dict[str, Any]
GIVEN = "cmake.define.ns3_DIR"
# The libraries of ns-3 know nothing of Python: those for this one do for all.
ANY_PYTHON = "3.11"
COMPILING = "Compiling the module (two to four minutes on two cores)"


def pinned() -> str:
    """The ns-3 that pyproject.toml asks for."""
    found = re.search(r'^bindings = \["(ns3==[^"]+)"\]$',
                      Path("pyproject.toml").read_text(encoding="utf-8"), re.M)
    assert found, "pyproject.toml names no ns3 for its bindings"
    return found[1]


def fetch(requirement: str, folder: Path) -> Path:
    """Unpack the wheel; returns its folder of CMake files."""
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-deps",
               "--quiet", "--no-compile", "--only-binary=:all:", f"--python-version={ANY_PYTHON}",
               f"--target={folder}", requirement]
    with told(f"Fetching {requirement} (about 70 MB)"):
        status = subprocess.run(command, check=False).returncode
    if status:
        sys.exit(f"dcfabric: error: {requirement} could not be fetched, or there is none for this "
                 "kind of machine; give "
                 "an ns-3 that you have built and installed: pip install . -C "
                 f"{GIVEN}=<prefix>/lib/cmake/ns3")
    return next(folder.glob("ns3/lib*/cmake/ns3"))


@contextlib.contextmanager
def with_ns3(settings: Settings | None) -> Iterator[Settings]:
    """The settings with an ns-3 in them."""
    settings = dict(settings or {})
    # The machine's compiler, as in all other builds (ccache goes by its name, too), not the one
    # that Python was built with.
    compiler = os.environ.setdefault("CXX", "c++").split()
    if not any(shutil.which(word) for word in compiler):
        sys.exit("dcfabric: error: a C++ compiler is needed to build it (Debian package g++)")
    if (GIVEN in settings or "ns3_DIR" in os.environ.get("CMAKE_ARGS", "")
            or "ns3_DIR" in os.environ):
        yield settings
        return
    with tempfile.TemporaryDirectory(prefix="dcfabric-ns3-") as folder:
        yield {**settings, GIVEN: str(fetch(pinned(), Path(folder)))}


def build_wheel(wheel_directory: str, config_settings: Settings | None = None,
                metadata_directory: str | None = None) -> str:
    """PEP 517."""
    with with_ns3(config_settings) as settings, told(COMPILING):
        return backend.build_wheel(wheel_directory, settings, metadata_directory)


def build_editable(wheel_directory: str, config_settings: Settings | None = None,
                   metadata_directory: str | None = None) -> str:
    """PEP 660."""
    with with_ns3(config_settings) as settings, told(COMPILING):
        return backend.build_editable(wheel_directory, settings, metadata_directory)
