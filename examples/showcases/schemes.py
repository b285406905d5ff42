# SPDX-License-Identifier: GPL-2.0-only
"""The figure of all congestion controls and load balancers of a build."""
from __future__ import annotations

from typing import Any, Callable, Mapping

TITLES = {"cc": "--cc", "lb": "--lb, under DCTCP"}
QUEUES = {"cc": ("mean_queue_kb", "mean queue"), "lb": ("queue_kb", "longest queue")}


def bars(axis: Any, values: Mapping[str, Mapping[str, float] | float | None]) -> None:
    """A horizontal bar for each scheme, with whiskers where there is a range; a word where a build
    refuses it."""
    from dcfabric.drawing import neutral

    how = neutral(2).bar()
    for at, value in enumerate(values.values()):
        if value is None:
            axis.annotate("refused", (0, at), (4, 0), textcoords="offset points", va="center",
                          fontsize=7, color="0.4")
        elif isinstance(value, Mapping):
            axis.barh(at, value["mean"], 0.7,
                      xerr=[[value["mean"] - value["low"]], [value["high"] - value["mean"]]],
                      error_kw={"elinewidth": 0.9, "capsize": 2, "ecolor": "0.25"}, **how)
        else:
            axis.barh(at, value, 0.7, **how)
    axis.set_yticks(range(len(values)), list(values))
    axis.set_ylim(len(values) - 0.4, -0.6)
    axis.grid(visible=False, axis="y")


def schemes(series: Mapping[str, Any]) -> Any:
    """A row for each kind of scheme: slowdown in two cases, a queue, and the cost."""
    from dcfabric.drawing import label, panels

    kinds = series["schemes"]
    counts = [len(found) + 1 for found in kinds.values()]
    figure, axes = panels(len(kinds), 4, 15, 2 + 0.24 * sum(counts), sharey="row",
                          gridspec_kw={"height_ratios": counts})
    for row, (kind, found) in zip(axes, kinds.items()):
        cases = [case for case in next(iter(found.values())) if case != "cost"]
        for axis, case in zip(row, cases):
            bars(axis, {name: None if "refused" in one[case] else
                        {"mean": one[case]["slowdown"], "low": one[case]["low"],
                         "high": one[case]["high"]} for name, one in found.items()})
            axis.set_title(case)
            axis.set_xlabel("slowdown, mean")
        key, what = QUEUES[kind]
        case = cases[1] if kind == "cc" else cases[0]
        bars(row[2], {name: one[case].get(key) for name, one in found.items()})
        row[2].set_title(f"{case}: {what}")
        row[2].set_xlabel(label(what, "kB"))
        bars(row[3], {name: one["cost"] for name, one in found.items()})
        row[3].set_title("cost of a packet-hop")
        row[3].set_xlabel(series["unit"])
        row[0].set_ylabel(TITLES[kind])
    return figure


FIGURES: dict[str, dict[str, Callable[[Mapping[str, Any]], Any]]] = {"schemes": {"": schemes}}
