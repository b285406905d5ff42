# SPDX-License-Identifier: GPL-2.0-only
"""The tables that dcfabric sweep and dcfabric study print."""
from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Sequence

from .findings import Few, Findings
from .measures import ENOUGH_ABOVE
from .quantities import quantity
from .result import Result
from .traffic import loads_drawn, same_flows

if TYPE_CHECKING:
    import pandas

MARK = "*"
"""Behind a percentile that single flows decide."""
MARK_TEXT = (f"{MARK} fewer than {ENOUGH_ABOVE} flows (or other values) are above the percentile "
             "in a run: the luck of single ones")
COUNT_TEXT = "n: flows (or other values) that a percentile is of, in the run with the fewest"
EQUAL_TEXT = "no interval (NaN) where all seeds give the same value"
ONE_SEED_TEXT = "one seed: small differences may be its luck; --seeds takes several"
INDEPENDENT_TEXT = ("the flows are not those of the baseline with the same seed, so that their "
                    "luck does not cancel out")


def tell_runs(findings: Findings, wanted: Sequence[str], what: str) -> None:
    """Print a row for each run. what: is done, for the last line."""
    few = findings.few(wanted)
    table = findings.frame(*wanted).astype(object)
    for name in {_column(one) for one in few}:
        rows = {one.number for one in few if _column(one) == name}
        table[name] = [_cell(value, at in rows) for at, value in enumerate(table[name])]
    _print(table)
    _say([*([MARK_TEXT] if few else []), *_loads(findings),
          *([ONE_SEED_TEXT] if len(findings.seeds) == 1 and len(findings.runs) > 1 else []), what])


def tell_means(findings: Findings, wanted: Sequence[str], what: str) -> None:
    """Print a row for each point and quantity: means over the seeds. what: is done."""
    few = findings.few(wanted)
    marked = {(*findings.runs[one.number][0].values(), one.quantity.name, one.part)
              for one in few}
    found = findings.intervals(*wanted)
    table = found.astype(object)
    keys = found[[*findings.columns, "quantity", "part"]].itertuples(index=False, name=None)
    if few:
        table["mean"] = [_cell(value, key in marked) for key, value in zip(keys, found["mean"])]
    counted = "n" in found
    if counted:
        # not by astype(str): pandas 3 keeps what is missing
        table["n"] = ["-" if lacks else str(number)
                      for number, lacks in zip(found["n"], found["n"].isna())]
    zero = _zero(found)
    others = found[~found["quantity"].isin(zero)]
    _print(table[~table["quantity"].isin(zero)])
    _say([*([MARK_TEXT] if few else []), *([COUNT_TEXT] if counted else []),
          *([f"0 in all runs: {', '.join(zero)}"] if zero else []), *_loads(findings),
          f"{what}; intervals of 95 % over the seeds",
          *([EQUAL_TEXT] if others["low"].isna().any() else [])])


def tell_differences(findings: Findings, wanted: Sequence[str], column: str, baseline: str) -> None:
    """Print a row for each point that is none of the baseline, and quantity: mean of the
    differences to that, seed by seed."""
    import pandas

    others = [label for label in dict.fromkeys(str(run[0][column]) for run in findings.runs)
              if label != baseline]
    rest = [name for name in findings.columns if name != column]
    tables = [findings.differences(name, column, label, baseline)
              .assign(**{column: label, "quantity": quantity(name).name})
              for name in wanted for label in others]
    table = pandas.concat(tables, ignore_index=True)
    zero = _zero(table)
    table = table[~table["quantity"].isin(zero)].astype({"mean": object})
    few = {(str(labels[column]), *(labels[name] for name in rest), one.quantity.name, one.part)
           for one in findings.few(wanted) for labels in [findings.runs[one.number][0]]}
    keys = list(table[[column, *rest, "quantity", "part"]].itertuples(index=False, name=None))
    marks = [key in few or (baseline, *key[1:]) in few for key in keys]
    if any(marks):
        table["mean"] = [_cell(value, mark) for value, mark in zip(table["mean"], marks)]
    print(f"\ndifferences to {column.replace('_', '-')}={baseline}, seed by seed (percent: of its "
          "mean)")
    _print(table[[column, *rest, "quantity", "part", "mean", "low", "high", "seeds", "percent"]])
    _say([*([MARK_TEXT] if any(marks) else []),
          "an interval that does not contain 0 tells the two apart",
          *([f"no difference in any run: {', '.join(zero)}"] if zero else []),
          *([EQUAL_TEXT] if table["low"].isna().any() else []),
          *([] if _of_same_flows(findings, column, baseline) else [INDEPENDENT_TEXT])])


def _zero(table: pandas.DataFrame) -> list[str]:
    """Quantities of a table that are 0 with each seed, which a line says as well as rows; none if
    there is no other."""
    rows = (table["mean"] == 0) & table["low"].isna()
    found = [name for name, of in rows.groupby(table["quantity"], sort=False) if of.all()]
    return found if len(found) < table["quantity"].nunique() else []


def _of_same_flows(findings: Findings, column: str, baseline: str) -> bool:
    """Whether each run has the flows of that of the baseline with which it is compared."""
    base: dict[tuple[Any, ...], Result] = {
        (*(label for name, label in labels.items() if name != column), seed): result
        for labels, seed, result in findings.runs if labels[column] == baseline}
    for labels, seed, result in findings.runs:
        other = base.get((*(label for name, label in labels.items() if name != column), seed))
        if other is not None and not same_flows(
                result.summary.get("options", {}), functools.partial(_flows, result),
                other.summary.get("options", {}), functools.partial(_flows, other)):
            return False
    return True


def _loads(findings: Findings) -> list[str]:
    """What was drawn in place of the load asked for."""
    return loads_drawn(result.summary for _, _, result in findings.runs)


def _flows(result: Result) -> pandas.DataFrame:
    """Read and not kept."""
    return result.fresh().flows


def _column(few: Few) -> str:
    """Of a frame of runs."""
    return f"{few.quantity.name}, {few.part}" if few.part else few.quantity.name


def _cell(value: float, is_few: bool) -> str:
    return f"{value:.4g}{MARK if is_few else ' '}"


def _print(table: pandas.DataFrame) -> None:
    if "part" in table and (table["part"] == "").all():
        table = table.drop(columns="part")
    text = table.to_string(index=False, float_format=lambda value: f"{value:.4g}")
    print("\n".join(line.rstrip() for line in text.split("\n")))


def _say(lines: Sequence[str]) -> None:
    print("\n".join(lines))
