# SPDX-License-Identifier: GPL-2.0-only
"""python3 -m dcfabric.traces: see the package."""
from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Sequence

from ..errors import DcfabricError
from . import chakra, goal


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit status: 2 if a trace is refused."""
    parser = argparse.ArgumentParser(prog="dcfabric.traces", description="Write a trace of an application as a program of ranks.")
    formats = parser.add_subparsers(dest="format", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--out", metavar="FILE", required=True, help="program of ranks that is written, for --workload=program:FILE")
    common.add_argument("--per-host", metavar="COUNT", type=int, default=1, help="ranks on each host (1)")
    one = formats.add_parser("goal", parents=[common], help="a GOAL schedule of LogGOPSim, text or binary")
    one.add_argument("trace", metavar="FILE")
    one.add_argument("--unit", choices=goal.UNITS, default="ns", help="of calc (ns)")
    one.add_argument("--skip", action="append", default=[], choices=goal.SKIPPABLE, help="leave out what is not covered")
    two = formats.add_parser("chakra", parents=[common], help="Chakra execution traces, a file for each rank: PREFIX.0.et, PREFIX.1.et ...")
    two.add_argument("trace", metavar="PREFIX")
    two.add_argument("--groups", metavar="FILE", help="process groups as JSON, such as {\"0\": [0, 1, 2, 3]}")
    two.add_argument("--skip", action="append", default=[], metavar="NAME",
                     help="node type that takes no time, or attribute that is left out; may be repeated")
    options = parser.parse_args(arguments)
    try:
        if options.per_host < 1:
            raise DcfabricError(f"--per-host={options.per_host}: at least 1")
        if options.format == "goal":
            job = goal.read_goal(options.trace, options.unit, options.skip)
        else:
            job = chakra.read_chakra(options.trace, options.groups, options.skip)
        job.write(options.out, options.per_host, f"from {Path(options.trace).name}")
    except DcfabricError as error:
        print(f"dcfabric.traces: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"dcfabric.traces: {options.out}: cannot be written: {error.strerror}", file=sys.stderr)
        return 2
    operations = sum(map(len, job.ranks))
    print(f"{options.out}: {len(job.ranks)} ranks, {operations} operations")
    return 0


if __name__ == "__main__":
    sys.exit(main())
