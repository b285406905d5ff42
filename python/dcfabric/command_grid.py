# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric sweep and dcfabric study: combinations of options from the command line."""
from __future__ import annotations

import argparse
import re
import shlex
import sys
import warnings
from pathlib import Path
from typing import Any, Mapping, Sequence

from .commands import positive
from .errors import (BadScenario, DcfabricError, FewFlowsWarning, FewSeedsWarning, FolderUnusable,
                     SweepFailed)
from .findings import USUAL
from .grid_tables import tell_differences, tell_means, tell_runs
from .intervals import ENOUGH_SEEDS, LEAST_SEEDS
from .option_fields import OptionFields
from .quantities import quantity
from .scenario import Scenario
from .study import Study
from .wording import count_of, nearest

NAMES = {field: field.replace("_", "-") for field in OptionFields.__dataclass_fields__}
"""Options by the fields that have them."""


def add_grid(commands: Any, program: str) -> None:
    """Add the two commands to those of a parser. program: its name."""
    for name, what, seeds in (("sweep", "run every combination of some options", 1),
                              ("study", "the same with several seeds, and means with intervals",
                               5)):
        parser = commands.add_parser(
            name, help=what,
            allow_abbrev=False,  # --seed of dcfabric-sim is not --seeds
            usage=f"{program} {name} --over NAME VALUE... [--over ...]\n"
            "           [--exclude NAME=VALUE...] [--out DIR] [--seeds SEEDS] [--jobs N]\n"
            "           [--show QUANTITY...] [--baseline NAME=VALUE] [--force] OPTIONS",
            description=f"{what[0].upper()}{what[1:]}. OPTIONS are those of dcfabric-sim, which "
            "all runs have. Finished runs are not run again.")
        parser.add_argument("--over", nargs="+", action="append", required=True,
                            metavar=("NAME", "VALUE"),
                            help="option or attribute of ns-3, without dashes, and its values, as "
                                 "in --over cc hpcc fncc; given for each option that varies")
        parser.add_argument("--exclude", nargs="+", action="append", default=[],
                            metavar="NAME=VALUE",
                            help="combinations to leave out: those that have all of these values, "
                                 "as in --exclude cc=hpcc cc=fncc lb=reps (either of the two "
                                 "controls with REPS); may be given several times")
        parser.add_argument("--out", type=Path, default=Path("results"),
                            help="folder with a folder for each run (default: %(default)s)")
        parser.add_argument("--seeds", type=seeds_of, default=str(seeds),
                            help="seeds of each combination: how many, from 1, or which, as in "
                                 "101-103 or 1,5,9 (7-7 is seed 7 alone; default: %(default)s)")
        parser.add_argument("--jobs", type=positive,
                            help="runs at a time (default: as many as there are processors)")
        parser.add_argument("--show", nargs="+", default=[], metavar="QUANTITY",
                            help="what the table tells, such as slowdown_p99; see doc/python.rst "
                                 f"(default: {' '.join(USUAL)}; of runs that --stop ends "
                                 "goodput_gbps in place of throughput_gbps)")
        parser.add_argument("--baseline", metavar="NAME=VALUE",
                            help="also tell differences to the runs with this value, seed by "
                                 "seed, as in --baseline cc=hpcc; needs two seeds")
        parser.add_argument("--force", action="store_true",
                            help="overwrite runs of other options in the folder")


def seeds_of(text: str) -> tuple[int, ...]:
    """The seeds 1 to N of a number N, or those of a list with ranges, for argparse."""
    if re.fullmatch("[0-9]+", text):
        return tuple(range(1, positive(text) + 1))
    seeds: list[int] = []
    for part in text.split(","):
        found = re.fullmatch("([0-9]+)-([0-9]+)|([0-9]+)", part)
        if not found:
            raise argparse.ArgumentTypeError(f"'{text}': expected how many, or which, as in "
                                             "101-103 or 1,5,9")
        first, last = (int(found[1] or found[3]), int(found[2] or found[3]))
        if last < first:
            raise argparse.ArgumentTypeError(f"'{part}' ends before it begins")
        seeds += range(first, last + 1)
    if len({*seeds}) < len(seeds):
        raise argparse.ArgumentTypeError(f"'{text}' has a seed twice")
    return tuple(seeds)


def split_options(words: Sequence[str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Fields of Scenario and attributes from words such as --rate=100Gbps, or --rate and 100Gbps
    behind it. Raises DcfabricError for what is no option."""
    fields: dict[str, Any] = {}
    attributes: dict[str, str] = {}
    joined: list[str] = []
    for word in words:
        if joined and re.fullmatch(r"--[\w:-]+", joined[-1]) and not word.startswith("--"):
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    for word in joined:
        found = re.fullmatch(r"--([\w:-]+)=(.+)", word, re.DOTALL)
        if not found:
            raise DcfabricError(f"'{word}' is not an option; write --option=value")
        name, value = found[1], found[2]
        if "::" in name:
            attributes[name] = value
        else:
            fields[field_of(name)] = int(value) if name == "seed" and value.isdigit() else value
    return fields, attributes


def field_of(option: str) -> str:
    """The field that an option has. Raises DcfabricError if there is none."""
    field = option.replace("-", "_")
    if field not in NAMES or "_" in option:
        near = nearest(option, NAMES.values())
        raise DcfabricError(f"unknown option '--{option}'; "
                            + (f"the nearest is --{near}" if near
                               else "dcfabric run --help has all"))
    return field


def grid_of(over: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    """Columns of a study from --over."""
    grid: dict[str, list[str]] = {}
    for name, *values in over:
        option, equals, text = name.partition("=")
        if equals:
            raise DcfabricError(f"--over {name}: write --over {option} "
                                f"{text.replace(',', ' ') or 'VALUE VALUE'}")
        column = name if "::" in name else field_of(name)
        if not values:
            raise DcfabricError(f"--over {name}: no values; write --over {name} VALUE VALUE")
        if column in grid:
            raise DcfabricError(f"--over {name} is given twice; give all its values at once")
        grid[column] = values
    return grid


def pair_of(option: str, text: str, grid: Mapping[str, Sequence[str]]) -> tuple[str, str]:
    """Column and value of NAME=VALUE, or of a value that one column has. option: for messages.
    Raises DcfabricError."""
    having = [column for column, values in grid.items() if text in values]
    if len(having) == 1:
        return having[0], text
    name, equals, value = text.partition("=")
    columns = {NAMES.get(column, column): column for column in grid}
    if not equals or name not in columns:
        raise DcfabricError(f"{option} {text}: expected NAME=VALUE of "
                            + " or ".join(f"--over {one}" for one in columns)
                            + f", such as {option} {next(iter(columns))}="
                            f"{next(iter(grid.values()))[0]}")
    if value not in grid[columns[name]]:
        raise DcfabricError(f"{option} {text}: --over {name} has no {value}; it has "
                            f"{', '.join(grid[columns[name]])}")
    return columns[name], value


def rules_of(excluded: Sequence[Sequence[str]],
             grid: Mapping[str, Sequence[str]]) -> list[dict[str, list[str]]]:
    """What Study leaves out, from --exclude. Raises DcfabricError."""
    rules: list[dict[str, list[str]]] = []
    for words in excluded:
        rules.append({})
        for word in words:
            column, value = pair_of("--exclude", word, grid)
            rules[-1].setdefault(column, []).append(value)
    return rules


def as_options(combinations: Sequence[Mapping[str, Any]]) -> str:
    """The --exclude for combinations."""
    return " ".join("--exclude " + " ".join(
        shlex.quote(f"{NAMES.get(column, column)}={label}") for column, labels in one.items()
        for label in (labels if isinstance(labels, list) else [labels])) for one in combinations)


def run_grid(options: argparse.Namespace, words: Sequence[str]) -> int:
    """Do the runs, and print a table. words: the other options. Returns the exit status. Raises
    DcfabricError."""
    fields, attributes = split_options(words)
    try:
        grid = grid_of(options.over)
        if "seed" in {*fields, *grid}:
            raise DcfabricError("--seed: every combination has the seeds of --seeds: how many, or "
                                "which, as in --seeds 101-103, --seeds 1,5,9 or --seeds 7-7")
        for one in options.show:
            quantity(one)  # refused before the runs
        rules = rules_of(options.exclude, grid)
        baseline = baseline_of(options, grid)
        study = Study(Scenario(attributes=attributes, **fields), grid, seeds=options.seeds,
                      exclude=rules)
        findings = study.run(options.out, options.jobs, force=options.force)
    except BadScenario as error:
        raise DcfabricError(in_options(str(error))) from error
    except FolderUnusable as error:
        raise FolderUnusable(in_options(str(error)).replace(" or other names", "")) from error
    except SweepFailed as error:
        text = in_options(str(error).partition("\nTo leave them out")[0])
        refused = study.refused(error)
        if refused:
            text += f"\nTo leave them out: {as_options(refused)}"
        error.args = (text,)
        raise
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", FewSeedsWarning)
        warnings.simplefilter("ignore", FewFlowsWarning)  # marked in the table
        shown = options.show or findings.usual()
        done = f"{count_of(len(study), 'run')} in {options.out}"
        (tell_means if len(options.seeds) >= LEAST_SEEDS else tell_runs)(findings, shown, done)
        if baseline:
            tell_differences(findings, shown, *baseline)
    for text in dict.fromkeys(str(warning.message) for warning in said):
        print(f"note: {text}", file=sys.stderr)
    return 0


def baseline_of(options: argparse.Namespace,
                grid: Mapping[str, Sequence[str]]) -> tuple[str, str] | None:
    """Column and value of --baseline, None without it. Raises DcfabricError."""
    if options.baseline is None:
        return None
    if len(options.seeds) < LEAST_SEEDS:
        raise DcfabricError(f"--baseline: differences seed by seed need at least {LEAST_SEEDS} "
                            f"seeds, such as --seeds {ENOUGH_SEEDS}")
    column, value = pair_of("--baseline", options.baseline, grid)
    if len(grid[column]) < 2:
        raise DcfabricError(f"--baseline: --over {NAMES.get(column, column)} has no other value "
                            f"than {value}")
    return column, value


def in_options(text: str) -> str:
    """A message with options for the arguments of Python that it names."""
    names = "|".join(sorted(NAMES, key=len, reverse=True))
    text = re.sub(rf"\b({names})=('[^']*')", lambda found: f"--{NAMES[found[1]]}={found[2][1:-1]}",
                  text)
    text = re.sub(rf"(?m)^({names})(?=:| is )", lambda found: f"--{NAMES[found[1]]}", text)
    return text.replace("force=True", "--force").replace("another out", "another --out")
