# SPDX-License-Identifier: GPL-2.0-only
"""The figures of the experiments with FNCC."""
from __future__ import annotations

from typing import Any, Callable, Mapping

from dcfabric.drawing import (HOLLOW_TEXT, from_zero, label, legend_above, looks, note, panels,
                              percentiles, plain_log, smooth, style)
from dcfabric.measures import BUCKETS
from .series import firm, samples


def response(series: Mapping[str, Any]) -> Any:
    """Queue, rate of flow 0 and use of the link, a column for each line rate."""
    rates = list(dict.fromkeys(case.split(", ")[1] for case in series))
    figure, axes = panels(3, len(rates), 3 + 3.2 * len(rates), 8, sharex=True)
    how = looks(case.split(", ")[0] for case in series)
    for column, rate in enumerate(rates):
        names = [case.split(", ")[0] for case in series if case.endswith(f", {rate}")]
        for name in names:
            one, line = series[f"{name}, {rate}"], how[name].line(label=name)
            axes[0][column].plot(one["time_us"], one["queue_kb"], **line)
            axes[1][column].plot(one["flow_us"][0], one["flow_gbps"][0], **line)
            axes[2][column].plot(one["time_us"], [100 * v for v in smooth(one["utilisation"], 10)],
                                 **line)
        axes[0][column].set_title(rate)
        axes[2][column].set_xlabel(label("time", "us"))
        axes[2][column].set_xlim(280, max(series[f"{names[0]}, {rate}"]["time_us"]))
    axes[0][0].set_ylabel(label("queue of switch 1", "kB"))
    axes[1][0].set_ylabel(label("rate of flow 0", "Gb/s"))
    axes[2][0].set_ylabel(label("use of the link, mean of 10 us", "%"))
    from_zero(axes)
    legend_above(figure, axes)
    return figure


def response_flows(series: Mapping[str, Any]) -> Any:
    """Both flows of each algorithm at 100 Gb/s (figure 9b)."""
    names = [case.split(", ")[0] for case in series if case.endswith(", 100 Gb/s")]
    figure, axes = panels(1, len(names), 3.2 * len(names), 3.2, sharey=True)
    for axis, name in zip(axes[0], names):
        one = series[f"{name}, 100 Gb/s"]
        for flow in (0, 1):
            axis.plot(one["flow_us"][flow], one["flow_gbps"][flow], label=f"flow {flow}",
                      **style(flow))
        axis.set_title(name)
        axis.set_xlabel(label("time", "us"))
    axes[0][0].set_ylabel(label("rate", "Gb/s"))
    from_zero(axes)
    legend_above(figure, axes)
    return figure


def fairness(series: Mapping[str, Any]) -> Any:
    """Rates of all flows, a panel for each algorithm."""
    figure, axes = panels(len(series), 1, 8, 2.4 * len(series), sharex=True, sharey=True)
    for axis, (name, one) in zip(axes[:, 0], series.items()):
        for flow, (times, rates) in enumerate(zip(one["flow_us"], one["flow_gbps"])):
            axis.plot([t / 1e3 for t in times], rates, label=f"flow {flow}", **style(flow))
        axis.set_title(name)
        axis.set_ylabel(label("rate", "Gb/s"))
    axes[-1][0].set_xlabel(label("time", "ms"))
    from_zero(axes)
    legend_above(figure, axes)
    return figure


def hops(series: Mapping[str, Any]) -> Any:
    """The queue above, both flows below, a column for each place."""
    places = list(dict.fromkeys(case.split(", ")[0] for case in series))
    figure, axes = panels(2, len(places), 4 * len(places), 6, sharex=True, sharey="row")
    how = looks(case.split(", ")[1] for case in series)
    for column, place in enumerate(places):
        names = [case.split(", ")[1] for case in series if case.startswith(f"{place}, ")]
        for name in names:
            one, line = series[f"{place}, {name}"], how[name].line(label=name)
            axes[0][column].plot(one["time_us"], one["queue_kb"], **line)
            for flow in (0, 1):
                axes[1][column].plot(one["flow_us"][flow], one["flow_gbps"][flow],
                                     **{**line, "linewidth": 1.8 - 1.1 * flow})
        axes[0][column].set_title(f"congestion at the {place}")
        axes[1][column].set_xlabel(label("time", "us"))
        axes[1][column].set_xlim(280, 560)
    axes[0][0].set_ylabel(label("queue", "kB"))
    axes[1][0].set_ylabel(label("rate of flow 0 (thin: flow 1)", "Gb/s"))
    from_zero(axes)
    legend_above(figure, axes)
    return figure


def fct(workload: str) -> Callable[[Mapping[str, Any]], Any]:
    """Four statistics of the slowdown by flow size; bars give the range over the seeds. What of few
    flows is hollow."""
    def function(series: Mapping[str, Any]) -> Any:
        if workload not in series:
            return None
        figure, axes = panels(1, 4, 15, 4)
        sizes = [name for name in BUCKETS
                 if any(name in statistics["average"] for statistics in series[workload].values())]
        how = looks(series[workload])
        few = False
        for name, statistics in series[workload].items():
            for axis, (statistic, values) in zip(axes[0], statistics.items()):
                few |= percentiles(axis, [(sizes.index(size), one, firm(statistic, one["flows"]))
                                          for size, one in values.items()],
                                   samples(series, f"{workload}, {name}", name), how[name])
                axis.set_title(f"{workload}, {statistic}")
        for axis in axes[0]:
            axis.set_xticks(range(len(sizes)), sizes, rotation=60)
            axis.set_xlabel("flow size up to")
            plain_log(axis)
        axes[0][0].set_ylabel("slowdown of the flow completion time")
        legend_above(figure, axes)
        if few:
            note(figure, HOLLOW_TEXT)
        return figure
    return function


FIGURES: dict[str, dict[str, Callable[[Mapping[str, Any]], Any]]] = {
    "fncc-response": {"": response, "-flows": response_flows},
    "fncc-fairness": {"": fairness},
    "fncc-hops": {"": hops},
    "fncc-fct": {"-websearch": fct("WebSearch"), "-hadoop": fct("FB_Hadoop")},
}
