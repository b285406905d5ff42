# SPDX-License-Identifier: GPL-2.0-only
"""What the experiments with regional congestion mitigation share: techniques, measures and figures."""
from __future__ import annotations

import argparse
import statistics
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping

from .errors import DcfabricError

if TYPE_CHECKING:
    import pandas

TECHNIQUES: dict[str, dict[str, Any]] = {
    "no control": {"cc": "none"},
    "DCQCN": {"cc": "dcqcn"},
    "RCM": {"cc": "dcqcn", "features": ["rcm"]},
}
"""What is compared, as fields of a Scenario. RCM leaves end-to-end congestion control on, as in the paper."""
BASELINE, OURS = "DCQCN", "RCM"


def add_techniques(parser: argparse.ArgumentParser) -> None:
    """The option --techniques."""
    parser.add_argument("--techniques", default=",".join(TECHNIQUES), metavar="NAMES",
                        help="what to compare, comma list (default: %(default)s)")


def chosen(options: argparse.Namespace) -> list[str]:
    """The techniques of --techniques, each once."""
    names = list(dict.fromkeys(name.strip() for name in options.techniques.split(",")))
    for name in names:
        if name not in TECHNIQUES:
            raise DcfabricError(f"--techniques: unknown '{name}'; known: {', '.join(TECHNIQUES)}")
    return names


def spread(values: Iterable[float]) -> dict[str, float]:
    """Mean and range over the seeds."""
    found = list(values)
    return {"mean": statistics.mean(found), "low": min(found), "high": max(found)}


def gain_percent(ours: float, baseline: float) -> float:
    """By how much a value is above another."""
    return 100 * (ours / baseline - 1)


def delivered_gbps(flows: pandas.DataFrame, until_ns: float) -> float:
    """Payload of flows that arrived by a time, over that time."""
    in_time = flows[flows["start_ns"] + flows["fct_ns"] <= until_ns]
    return float(in_time["size_bytes"].sum()) * 8 / until_ns


def flow_gbps(flows: pandas.DataFrame) -> float:
    """Mean throughput of single flows: size over completion time."""
    return float((flows["size_bytes"] * 8 / flows["fct_ns"]).mean())


def _hotspot(series: Mapping[str, Any]) -> Any:
    """Throughput above, latency below, over the load; a column for each label."""
    from .figures import MARKERS, from_zero, panels, style

    names = list(series)
    labels = list(next(iter(series[names[0]].values())))
    figure, axes = panels(2, len(labels), 1 + 3.2 * len(labels), 6, sharex=True)
    for column, label in enumerate(labels):
        for number, name in enumerate(names):
            loads = [float(load) for load in series[name]]
            for axis, quantity in zip(axes[:, column], ("gbps", "fct_us")):
                values = [one[label][quantity] for one in series[name].values()]
                middle = [value["mean"] for value in values]
                axis.errorbar(loads, middle, label=name, marker=MARKERS[number], markersize=4, capsize=2,
                              yerr=[[m - v["low"] for m, v in zip(middle, values)],
                                    [v["high"] - m for m, v in zip(middle, values)]], **style(number))
        axes[0][column].set_title(label)
        axes[1][column].set_xlabel("offered load of a host")
    axes[0][0].set_ylabel("throughput (Gb/s a host)")
    axes[1][0].set_ylabel("mean completion time (us)")
    axes[0][0].legend()
    from_zero(axes)
    return figure


def _fct(series: Mapping[str, Any]) -> Any:
    """Mean completion time of each class of sizes over that of the baseline, a panel for each workload and grouping."""
    from .figures import COLOURS, from_zero, panels

    figure, axes = panels(1, len(series), 1 + 3.2 * len(series), 3.6, sharey=True)
    for axis, (title, techniques) in zip(axes[0], series.items()):
        base = techniques.get(BASELINE) or next(iter(techniques.values()))
        classes = list(base)
        width = 0.8 / len(techniques)
        for number, (name, values) in enumerate(techniques.items()):
            shown = [(at, kind) for at, kind in enumerate(classes) if kind in values]
            axis.bar([at + (number - (len(techniques) - 1) / 2) * width for at, _ in shown],
                     [values[kind]["mean"] / base[kind]["mean"] for _, kind in shown], width, label=name,
                     color=COLOURS[number], hatch=("", "//", "..")[number % 3], edgecolor="white")
        axis.set_xticks(range(len(classes)), classes)
        axis.set_title(title)
    axes[0][0].set_ylabel(f"mean completion time over {BASELINE}'s")
    axes[0][0].legend()
    from_zero(axes)
    return figure


FIGURES: dict[str, dict[str, Callable[[Mapping[str, Any]], Any]]] = {"rcm-hotspot": {"": _hotspot},
                                                                     "rcm-fct": {"": _fct}}
"""As in figures.py."""
