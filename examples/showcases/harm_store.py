# SPDX-License-Identifier: GPL-2.0-only
"""The ratios of the harm table as a file, so that some of its rows can be renewed."""
from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, Iterable, Mapping

from dcfabric.errors import DcfabricError
from dcfabric.run_files import write_whole

from .harm import COUNTS, RATIOS

VALUES = (*RATIOS, "low", "high")
"""Of a cell, one number each."""
BOTH = (*COUNTS, "open")
"""Of a cell, without and with."""
HEAD = ("subject", "scenario", "seeds", "state", *VALUES,
        *(f"{name} {which}" for name in BOTH for which in ("without", "with")))


def write(path: Path, rows: Mapping[str, Mapping[str, Mapping[str, Any]]], seeds: int) -> None:
    """A line for each cell that was to be run. rows: by subject, those of each case."""
    lines = [HEAD]
    for subject, cases in rows.items():
        for name, cell in cases.items():
            numbers = ([f"{cell[key]:.7g}" for key in VALUES]
                       + [f"{value:.0f}" for key in BOTH for value in cell[key]]
                       if "mean" in cell else [""] * (len(HEAD) - 4))
            lines.append((subject, name, str(seeds), cell["state"], *numbers))
    write_whole(path, "".join(",".join(line) + "\n" for line in lines))


def _cell(line: Mapping[str, str]) -> dict[str, Any]:
    cell: dict[str, Any] = {"state": line["state"]}
    if line["mean"]:
        cell |= {key: float(line[key]) for key in VALUES}
        cell |= {key: [float(line[f"{key} {which}"]) for which in ("without", "with")]
                 for key in BOTH}
    return cell


def read(path: Path, subjects: Iterable[str], seeds: int) -> dict[str, dict[str, dict[str, Any]]]:
    """The rows of these subjects. Raises DcfabricError if one is not there, is of another number
    of seeds or says something else, or if there is no such file."""
    found: dict[str, dict[str, dict[str, Any]]] = {name: {} for name in subjects}
    try:
        rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    except (OSError, UnicodeError, csv.Error) as error:
        raise DcfabricError(f"{path}: {error}; renew all: --doc without --subjects") from error
    for number, line in enumerate(rows, 2):
        if line.get("subject") not in found:
            continue
        try:
            of, scenario, cell = int(line["seeds"]), line["scenario"], _cell(line)
        except (KeyError, TypeError, ValueError) as error:
            raise DcfabricError(f"{path.name}, line {number}: not a row of ratios "
                                f"({error}); renew all") from error
        if of != seeds:
            raise DcfabricError(f"--seeds={seeds}: the rows of {path.name} are of {of}; renew all "
                                f"or give --seeds={of}")
        found[line["subject"]][scenario] = cell
    missing = next((name for name, cases in found.items() if not cases), None)
    if missing is not None:
        raise DcfabricError(f"--subjects: {path.name} has no rows of '{missing}'; name it, too")
    return found
