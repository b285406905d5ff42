# SPDX-License-Identifier: GPL-2.0-only
"""Tables of the interactive page: numbers of each line, and the options in which runs differ."""
from __future__ import annotations

from typing import Any, Sequence

from .data import NOT_COMPARED, Line, Run, percentile
from .distributions import spread_of

MISSING = "-"


def _of_slowdown(percent: float) -> Any:
    return lambda run: percentile(run.flows["slowdown"], percent) if len(run.flows) else None


def _of_summary(key: str, unit: float = 1.0) -> Any:
    def value(run: Run) -> float | None:
        found = run.number(key)
        return None if found is None else found / unit
    return value


def _drops(run: Run) -> float | None:
    drops = run.summary.get("drops")
    return float(sum(drops.values())) if isinstance(drops, dict) else None


ROWS = (("flows complete", lambda run: float(len(run.flows))),
        ("flows begun", _of_summary("flows_started")),
        ("slowdown, mean", lambda run: float(run.flows["slowdown"].mean()) if len(run.flows)
         else None),
        ("slowdown, median", _of_slowdown(50)), ("slowdown, 95th percentile", _of_slowdown(95)),
        ("slowdown, 99th percentile", _of_slowdown(99)),
        ("goodput until the last flow ends (Gb/s)", _of_summary("goodput_gbps")),
        ("longest queue (kB)", _of_summary("max_queue_bytes", 1e3)),
        ("pause frames", _of_summary("pfc_pause_frames")),
        ("ECN marks", _of_summary("ecn_marks")), ("packets dropped", _drops),
        ("simulated time (ms)", _of_summary("sim_seconds", 1e-3)))
"""What the comparison shows of a run; a row without any value is left out."""


def number_text(value: float) -> str:
    """Four digits, all of a whole number, thousands apart."""
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 10000 else f"{value:.4g}"


def spread_text(values: Sequence[float | None], interval: bool) -> str:
    """A number; of several seeds the mean and what whiskers show."""
    known = [value for value in values if value is not None]
    if not known:
        return MISSING
    spread = spread_of(known, interval)
    if spread["low"] == spread["high"]:
        return number_text(spread["mean"])
    return (f"{number_text(spread['mean'])} ({number_text(spread['low'])} to "
            f"{number_text(spread['high'])})")


def table_of(lines: Sequence[Line], interval: bool) -> list[list[str]]:
    """Rows of the comparison: the title of each, then a text for each line."""
    status = [", ".join(sorted({str(run.summary.get("status", MISSING)) for run in line.runs}))
              for line in lines]
    found = [["status", *status], ["seeds", *(str(len(line.runs)) for line in lines)]]
    for title, value in ROWS:
        texts = [spread_text([value(run) for run in line.runs], interval) for line in lines]
        if any(text != MISSING for text in texts):
            found.append([title, *texts])
    return found


def differing_options(lines: Sequence[Line]) -> list[list[str]]:
    """The same for options that are not the same in all runs; those that no run has are empty."""
    names = list(dict.fromkeys(name for line in lines for run in line.runs for name in run.options))
    found = []
    for name in names:
        values = [", ".join(dict.fromkeys(str(run.options.get(name, "")) for run in line.runs))
                  for line in lines]
        if (name not in NOT_COMPARED[1:]
                and (len(set(values)) > 1 or name == "topology" or name == "workload")):
            found.append([name, *values])
    return found
