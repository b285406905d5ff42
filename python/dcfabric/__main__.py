# SPDX-License-Identifier: GPL-2.0-only
"""Commands of the package: python3 -m dcfabric job LIST [INDEX], parquet FOLDER..., where
[WHAT]."""
from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path
from typing import Callable, Sequence

from .bindings import find_library
from .commands import guarded
from .errors import DcfabricError
from .program import VERSION, find_program, installed
from .result import Result
from .task import do_job, read_jobs


def cmake_folder() -> Path:
    """That of dcfabric-config.cmake. Raises DcfabricError outside an installed package."""
    path = installed("lib/cmake/dcfabric/dcfabric-config.cmake")
    if not path:
        raise DcfabricError("there is no package for CMake's find_package() in a checkout: pip "
                            "install makes one")
    return path.parent


PLACES: dict[str, Callable[[], Path]] = {
    "program": find_program,
    "library": lambda: find_library()[0],
    "include": lambda: find_library()[1],
    "cmake": cmake_folder,
}
"""What ``where`` tells."""


def where(what: str | None) -> None:
    """Print a place, or all there are. Raises DcfabricError if it is not there."""
    if what:
        print(PLACES[what]())
        return
    for name, place in PLACES.items():
        with contextlib.suppress(DcfabricError):
            print(f"{name}: {place()}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit status, see dcfabric.commands.guarded."""
    return guarded("dcfabric", lambda: _main(arguments))


def _main(arguments: Sequence[str] | None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m dcfabric",
                                     description="Commands of the package dcfabric.")
    parser.add_argument("--version", action="version", version=f"dcfabric {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True)
    job = commands.add_parser(
        "job", help="do a run of a list that dcfabric.write_jobs() wrote",
        description="Do a run of a list that "
        "dcfabric.write_jobs() wrote, unless it is finished; without INDEX, print how many there "
        "are.")
    job.add_argument("list", metavar="LIST", help="the list")
    job.add_argument("index", metavar="INDEX", type=int, nargs="?", help="which run, from 0")
    parquet = commands.add_parser("parquet",
                                  help="write the CSV files of result folders as Parquet, too",
                                  description="Write the CSV files of result folders as Parquet "
                                              "beside them, which dcfabric.Result "
                                  "then reads. Prints the paths. Needs pyarrow.")
    parquet.add_argument("folders", metavar="FOLDER", nargs="+", help="a folder with summary.json")
    place = commands.add_parser("where",
                                help="print where program, library, headers and CMake's file are",
                                description="Print where the parts of the package are, for scripts "
                                            "and CMake.")
    place.add_argument("what", choices=[*PLACES], nargs="?",
                       help="of these one only (default: all)")
    options = parser.parse_args(arguments)

    def work() -> int:
        if options.command == "where":
            where(options.what)
        elif options.command == "parquet":
            for path in [path for folder in options.folders
                         for path in Result(folder).to_parquet()]:
                print(path)
        elif options.index is None:
            print(len(read_jobs(options.list)))
        else:
            print(f"{options.list} {options.index}: {do_job(options.list, options.index).said}")
        return 0

    return guarded(f"dcfabric {options.command}", work)


if __name__ == "__main__":
    sys.exit(main())
