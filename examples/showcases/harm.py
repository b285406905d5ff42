# SPDX-License-Identifier: GPL-2.0-only
"""The harm table: ratios of paired runs, their text for the document, and the heat map."""
from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

from dcfabric.measures import percentile
from dcfabric.wording import count_of

if TYPE_CHECKING:
    from dcfabric.result import Result

LIMIT = 1.1
"""A ratio above it is explained or listed as open."""
RATIOS = {"mean": "mean slowdown", "p99": "p99 slowdown", "goodput": "goodput, without over with",
          "queue": "longest queue"}
"""What is compared as a ratio, with over without but for the goodput: above 1 is harm. The first
one decides."""
COUNTS = {"drops": "packets dropped", "pauses": "pause frames", "again": "packets sent again"}
"""What is given as two numbers, as there may be none."""
MOST = 4.0
"""End of the scale of colors."""


def measure(result: Result, ideal: Result) -> dict[str, float]:
    """Numbers of one run. ideal: the run whose ideal times count, so that both of a pair are
    measured alike. A flow that has not ended counts with what it took so far."""
    flows, summary = result.flows, result.summary
    took = flows["fct_ns"].fillna(summary["sim_seconds"] * 1e9 - flows["start_ns"])
    slowdown = (took / ideal.flows["ideal_fct_ns"]).dropna()
    span = float((flows["start_ns"] + took).max() - flows["start_ns"].min())
    done = float(flows.loc[flows["fct_ns"].notna(), "size_bytes"].sum())
    return {"mean": float(slowdown.mean()), "p99": percentile(slowdown, 99),
            "goodput": done * 8 / span,
            "queue": float(summary["max_queue_bytes"]),
            "drops": float(sum(summary["drops"].values())),
            "pauses": float(summary["pfc_pause_frames"]),
            "again": float(flows["packets_retransmitted"].sum()),
            "open": float(flows["fct_ns"].isna().sum())}


def over(value: float, base: float) -> float:
    """A ratio; of nothing to nothing 1."""
    return value / base if base else 1.0 if not value else math.inf


def compare(pairs: Sequence[tuple[Mapping[str, float], Mapping[str, float]]]) -> dict[str, Any]:
    """Of runs with and without, one pair for each seed: geometric means of the ratios, the range of
    the first, and sums of counts."""
    ratios = {key: [over(base[key], one[key]) if key == "goodput" else over(one[key], base[key])
                    for one, base in pairs] for key in RATIOS}
    found: dict[str, Any] = {key: statistics.geometric_mean(values)
                             for key, values in ratios.items()}
    first = ratios[next(iter(RATIOS))]
    found |= {"low": min(first), "high": max(first)}
    found |= {key: [sum(base[key] for _, base in pairs), sum(one[key] for one, _ in pairs)]
              for key in (*COUNTS, "open")}
    return found


def text(ratio: float) -> str:
    """Of a ratio, with two decimals."""
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"


def table(rows: Mapping[str, Mapping[str, Any]], reasons: Sequence[tuple[str, str, str]],
          seeds: int) -> str:
    """What the document includes. rows: by subject, those of each case. reasons: subject, case,
    why; * for any."""
    lines = ["..", "   Written by examples/harm.py --doc.", "",
             f".. csv-table:: Over all scenarios, {count_of(seeds, 'seed')}",
             '   :header: "", "median", "best", "worst", "where", "p99, worst", "goodput, worst", '
             '"longest queue, worst"', ""]
    for subject, cases in rows.items():
        known = {name: case for name, case in cases.items() if "mean" in case}
        if not known:
            cells = [subject, *[""] * 7]
        else:
            worst = max(known, key=lambda name: known[name]["mean"])
            cells = [subject, text(statistics.median(case["mean"] for case in known.values())),
                     text(min(case["mean"] for case in known.values())), text(known[worst]["mean"]),
                     worst,
                     *(text(max(case[key] for case in known.values()))
                       for key in ("p99", "goodput", "queue"))]
        lines.append("   " + ", ".join(f'"{cell}"' for cell in cells))
    lines += ["", f".. csv-table:: Ratios of the mean slowdown above {LIMIT}",
              '   :header: "", "scenario", "mean [range]", "p99", "goodput", "longest queue", '
              '"dropped", "pauses", "sent again", "why"',
              "   :widths: 12, 12, 12, 6, 6, 6, 8, 8, 8, 40", ""]
    for subject, cases in rows.items():
        for name, case in cases.items():
            if case.get("mean", 0) <= LIMIT:
                continue
            cells = [subject, name,
                     f"{text(case['mean'])} [{text(case['low'])}, {text(case['high'])}]",
                     *(text(case[key]) for key in ("p99", "goodput", "queue")),
                     *(counts(case[key]) for key in COUNTS),
                     reason(subject, name, reasons)]
            lines.append("   " + ", ".join(f'"{cell}"' for cell in cells))
    return "\n".join(lines) + "\n"


def counts(both: Sequence[float]) -> str:
    """Without and with."""
    return "" if not any(both) else f"{both[0]:,.0f} → {both[1]:,.0f}"


def case_table(cases: Mapping[str, str]) -> str:
    """What the document includes of the scenarios, by name."""
    lines = ["..", "   Written by examples/harm.py --doc.", "", ".. csv-table::",
             '   :header: "name", "scenario"', "   :widths: 20, 80", ""]
    return "\n".join([*lines, *(f'   "{name}", "{what}"' for name, what in cases.items()), ""])


OPEN = "**open**"


def reason(subject: str, case: str, reasons: Sequence[tuple[str, str, str]]) -> str:
    """Why a ratio is above LIMIT: the first that fits."""
    return next((why for of, where,
                 why in reasons if of in (subject, "*") and where in (case, "*")), OPEN)


def heat_map(series: Mapping[str, Any]) -> Any:
    """A row for each subject, a column for each scenario: green where it helps, red where it harms,
    a cross where it is refused."""
    from matplotlib.colors import TwoSlopeNorm

    from dcfabric.drawing import panels

    rows = series["ratios"]
    cases = list(dict.fromkeys(case for row in rows.values() for case in row))
    figure, axes = panels(1, 1, 2.6 + 0.37 * len(cases), 1.8 + 0.27 * len(rows))
    axis = axes[0][0]
    scale = math.log(MOST)
    cells = [[row.get(case, {"state": ""}) for case in cases] for row in rows.values()]
    shades = [[max(-scale, min(scale, math.log(cell["mean"]))) if "mean" in cell else math.nan
               for cell in row] for row in cells]
    axis.imshow(shades, cmap="RdYlGn_r", norm=TwoSlopeNorm(0, -scale, scale), aspect="auto")
    for at, row in enumerate(cells):
        for place, cell in enumerate(row):
            shown = (text(cell["mean"]) if "mean" in cell
                     else {"refused": "×", "stuck": "!"}.get(cell["state"], ""))
            axis.text(place, at, shown, ha="center", va="center", fontsize=6.5,
                      color="0.1" if "mean" in cell else "0.6",
                      fontweight="bold" if cell.get("mean", 0) > LIMIT else "normal")
    axis.set_xticks(range(len(cases)), cases, rotation=60, ha="right", rotation_mode="anchor",
                    fontsize=7.5)
    axis.set_yticks(range(len(rows)), list(rows), fontsize=7.5)
    axis.secondary_xaxis("top").set_xticks(range(len(cases)), cases, rotation=60, ha="left",
                                           rotation_mode="anchor", fontsize=7.5)
    axis.grid(visible=False)
    kinds = [series["kinds"][name] for name in rows]
    for at in range(1, len(kinds)):
        if kinds[at] != kinds[at - 1]:
            axis.axhline(at - 0.5, color="0.1", linewidth=1.2)
    axis.set_title("mean slowdown over that of the same run without it (×: refused, !: stuck, "
                   "empty: another network)")
    return figure


FIGURES: dict[str, dict[str, Callable[[Mapping[str, Any]], Any]]] = {"harm": {"": heat_map}}
