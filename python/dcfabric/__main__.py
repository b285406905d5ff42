# SPDX-License-Identifier: GPL-2.0-only
"""Commands of the package: python3 -m dcfabric job LIST [INDEX], parquet FOLDER..., timeline FOLDER
--out FILE, where [WHAT]."""
from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path
from typing import Callable, Sequence

from .bindings import find_library
from .commands import check_file, guarded
from .errors import DcfabricError
from .program import VERSION, find_program, installed
from .result import Result
from .task import do_job, read_jobs
from .wording import count_of


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


def write(folder: str, out: Path, only: str) -> None:
    """Write a timeline. Raises DcfabricError or OSError."""
    from .timeline import write_timeline
    check_file("--out", out)
    events = write_timeline(Result(folder), out, only.split(",") if only else ())
    # what goes to a pipe, such as /dev/stdout, is the timeline alone
    print(f"{out}: {count_of(events, 'event')}", file=sys.stdout if out.is_file() else sys.stderr)


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
    line = commands.add_parser("timeline",
                               help="write a result folder as trace events, for Perfetto",
                               description="Write what a run did over time as a file of trace "
                                           "events, which ui.perfetto.dev and chrome://tracing "
                                           "open: ranks, collectives, flows and time series. Needs "
                                           "pandas.")
    line.add_argument("folder", metavar="FOLDER", help="a folder with summary.json")
    line.add_argument("--out", metavar="FILE", type=Path, required=True, help="it, as JSON")
    line.add_argument("--only", metavar="PART,...", default="",
                      help="of ranks, collectives, flows and names of time series (default: all "
                           "that the folder has)")
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
        elif options.command == "timeline":
            write(options.folder, options.out, options.only)
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
