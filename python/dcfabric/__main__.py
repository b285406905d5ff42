# SPDX-License-Identifier: GPL-2.0-only
"""Commands of the package: python3 -m dcfabric job LIST [INDEX], python3 -m dcfabric parquet FOLDER..."""
from __future__ import annotations

import argparse
import sys
from typing import Sequence

from .commands import guarded
from .joblist import do_job, read_jobs
from .result import Result


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit status, see dcfabric.commands.guarded."""
    parser = argparse.ArgumentParser(prog="python3 -m dcfabric", description="Commands of the package dcfabric.")
    commands = parser.add_subparsers(dest="command", required=True)
    job = commands.add_parser(
        "job", help="do a run of a list that dcfabric.write_jobs() wrote", description="Do a run of a list that "
        "dcfabric.write_jobs() wrote, unless it is finished; without INDEX, print how many there are.")
    job.add_argument("list", metavar="LIST", help="the list")
    job.add_argument("index", metavar="INDEX", type=int, nargs="?", help="which run, from 0")
    parquet = commands.add_parser("parquet", help="write the CSV files of result folders as Parquet, too",
                                  description="Write the CSV files of result folders as Parquet beside them, which dcfabric.Result "
                                  "then reads. Prints the paths. Needs pyarrow.")
    parquet.add_argument("folders", metavar="FOLDER", nargs="+", help="a folder with summary.json")
    options = parser.parse_args(arguments)

    def work() -> int:
        if options.command == "parquet":
            for path in [path for folder in options.folders for path in Result(folder).to_parquet()]:
                print(path)
        elif options.index is None:
            print(len(read_jobs(options.list)))
        else:
            print(f"{options.list} {options.index}: {do_job(options.list, options.index).said}")
        return 0

    return guarded("dcfabric job", work)


if __name__ == "__main__":
    sys.exit(main())
