# SPDX-License-Identifier: GPL-2.0-only
"""Commands of the package: python3 -m dcfabric job LIST [INDEX]."""
from __future__ import annotations

import argparse
import sys
from typing import Sequence

from .commands import guarded
from .joblist import do_job, read_jobs


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit status, see dcfabric.commands.guarded."""
    parser = argparse.ArgumentParser(prog="python3 -m dcfabric", description="Commands of the package dcfabric.")
    job = parser.add_subparsers(dest="command", required=True).add_parser(
        "job", help="do a run of a list that dcfabric.write_jobs() wrote", description="Do a run of a list that "
        "dcfabric.write_jobs() wrote, unless it is finished; without INDEX, print how many there are.")
    job.add_argument("list", metavar="LIST", help="the list")
    job.add_argument("index", metavar="INDEX", type=int, nargs="?", help="which run, from 0")
    options = parser.parse_args(arguments)

    def work() -> int:
        if options.index is None:
            print(len(read_jobs(options.list)))
        else:
            print(f"{options.list} {options.index}: {do_job(options.list, options.index).said}")
        return 0

    return guarded("dcfabric job", work)


if __name__ == "__main__":
    sys.exit(main())
