# SPDX-License-Identifier: GPL-2.0-only
"""The command dcfabric, and python3 -m dcfabric: run, plot, sweep, study, list; new and build for
policies of one's own; graphml for networks; traces for programs of ranks; job, parquet, timeline
and where for lists, folders and places."""
from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path
from typing import Any, Callable, Sequence

from .bindings import find_library
from .command_grid import add_grid, run_grid
from .commands import check_file, guarded, sim
from .completion import COMMANDS, SCRIPTS, complete, script
from .errors import DcfabricError
from .graphml import add_graphml, run_graphml
from .program import VERSION, find_program, installed
from .project import build_project, kinds, new_project
from .result import Result
from .task import do_job, read_jobs
from .wording import count_of, nearest_text


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


GRIDS = ("sweep", "study")
"""Commands that take options of dcfabric-sim beside their own."""


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


def name_of_command() -> str:
    """As it was called: a command that pip has installed, or the module."""
    called = Path(sys.argv[0]).name if sys.argv else ""
    return called if called == "dcfabric" else "python3 -m dcfabric"


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit status, see dcfabric.commands.guarded."""
    words = [*(sys.argv[1:] if arguments is None else arguments)]
    if words[:1] == ["plot"]:
        from .plot import main as plot

        return plot(words[1:], name=f"{name_of_command()} plot")
    if words[:1] == ["traces"]:
        from .traces.__main__ import main as traces

        return traces(words[1:], "dcfabric traces", f"{name_of_command()} traces")
    if words[:1] in (["run"], ["list"]):
        return sim([*(["--list"] if words[0] == "list" else []), *words[1:]],
                   f"{name_of_command()} {words[0]}")
    return guarded("dcfabric", lambda: _main(words))


def _main(arguments: Sequence[str]) -> int:
    parser = parser_of()
    if not arguments:
        parser.print_help(sys.stderr)
        return 2
    if not arguments[0].startswith("-") and arguments[0] not in COMMANDS:
        parser.error(f"there is no command '{arguments[0]}'; known: {', '.join(COMMANDS)}"
                     f"{nearest_text(arguments[0], COMMANDS)}")
    options, others = parser.parse_known_args(arguments)
    if others and options.command not in GRIDS:
        parser.error(f"unrecognized arguments: {' '.join(others)}")
    return guarded(f"dcfabric {options.command}", lambda: perform(options, others))


def parser_of() -> argparse.ArgumentParser:
    """Of all commands."""
    name = name_of_command()
    parser = argparse.ArgumentParser(prog=name, allow_abbrev=False,
                                     description="Simulate congestion management in data-center "
                                                 "networks, and evaluate the results.",
                                     epilog=f"{name} COMMAND --help tells more of each.")
    parser.add_argument("--version", action="version", version=f"dcfabric {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("run", help="simulate: dcfabric-sim, with its options")
    commands.add_parser("plot", help="draw result folders: dcfabric-plot, with its options")
    add_grid(commands, name)
    commands.add_parser("list", help="print every policy with its attributes")
    new = commands.add_parser("new", help="make a project for a policy of your own in C++",
                              description="Make a folder with a policy in C++, which works as it "
                              "is, a script that compares it, and a README.")
    new.add_argument("kind", choices=kinds(), help="of policy")
    new.add_argument("name", metavar="NAME", help="of its class, such as Mine")
    new.add_argument("--out", metavar="DIR", type=Path,
                     help="folder to make (default: the name in lower case)")
    build = commands.add_parser("build", help="compile such a project to a library",
                                description="Compile the C++ files of a folder to build/libNAME.so "
                                "in it, for dcfabric-sim --load. CXX and CXXFLAGS of the "
                                "environment are used.")
    build.add_argument("folder", metavar="DIR", type=Path, nargs="?", default=Path(),
                       help="of the project (default: the current one)")
    add_graphml(commands)
    commands.add_parser("traces", help="write a trace of an application (GOAL, Chakra), or a step "
                                       "of training, as a program of ranks")
    add_folders(commands)
    words = commands.add_parser("completion", help="print what makes a shell complete words",
                                description="Print what a shell has to read: source "
                                "<(dcfabric completion bash) in ~/.bashrc, source <(dcfabric "
                                "completion zsh) in ~/.zshrc, dcfabric completion fish | source in "
                                "config.fish.")
    words.add_argument("shell", choices=[*SCRIPTS], nargs="?", default="bash")
    words.add_argument("--line", help=argparse.SUPPRESS)
    return parser


def add_folders(commands: Any) -> None:
    """Add the commands for lists of runs and for folders."""
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


def perform(options: argparse.Namespace, others: Sequence[str]) -> int:
    """Do what a command asks for. others: words that the command takes as they are. Returns the
    exit status. Raises DcfabricError or OSError."""
    if options.command in GRIDS:
        return run_grid(options, others)
    if options.command == "where":
        where(options.what)
    elif options.command == "new":
        folder = new_project(options.kind, options.name, options.out)
        print(f"{folder}: {', '.join(sorted(path.name for path in folder.iterdir()))}; next: "
              f"dcfabric build {folder} && python3 {folder / 'compare.py'}")
    elif options.command == "build":
        print(build_project(options.folder))
    elif options.command == "completion":
        print(script(options.shell) if options.line is None
              else "\n".join(complete(options.line)))
    elif options.command == "graphml":
        run_graphml(options)
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


if __name__ == "__main__":
    sys.exit(main())
