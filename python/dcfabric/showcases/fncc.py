# SPDX-License-Identifier: GPL-2.0-only
"""The figures of the experiments with FNCC."""
from __future__ import annotations

from typing import Any, Callable, Mapping

from ..drawing import from_zero, looks, panels, smooth, style, whiskers
from ..measures import BUCKETS


def response(series: Mapping[str, Any]) -> Any:
    """Queue, rate of flow 0 and use of the link, a column for each line rate."""
    rates = list(dict.fromkeys(case.split(", ")[1] for case in series))
    figure, axes = panels(3, len(rates), 3 + 3.2 * len(rates), 8, sharex=True)
    for column, rate in enumerate(rates):
        names = [case.split(", ")[0] for case in series if case.endswith(f", {rate}")]
        for number, name in enumerate(names):
            one = series[f"{name}, {rate}"]
            axes[0][column].plot(one["time_us"], one["queue_kb"], label=name, **style(number))
            axes[1][column].plot(one["flow_us"][0], one["flow_gbps"][0], label=name, **style(number))
            axes[2][column].plot(one["time_us"], [100 * v for v in smooth(one["utilisation"], 10)], label=name,
                                 **style(number))
        axes[0][column].set_title(rate)
        axes[2][column].set_xlabel("time (us)")
        axes[2][column].set_xlim(280, max(series[f"{names[0]}, {rate}"]["time_us"]))
    axes[0][0].set_ylabel("queue of switch 1 (kB)")
    axes[1][0].set_ylabel("rate of flow 0 (Gb/s)")
    axes[2][0].set_ylabel("use of the link (%, mean of 10 us)")
    axes[0][0].legend()
    from_zero(axes)
    return figure


def response_flows(series: Mapping[str, Any]) -> Any:
    """Both flows of each algorithm at 100 Gb/s (figure 9b)."""
    names = [case.split(", ")[0] for case in series if case.endswith(", 100 Gb/s")]
    figure, axes = panels(1, len(names), 3.2 * len(names), 3.2, sharey=True)
    for axis, name in zip(axes[0], names):
        one = series[f"{name}, 100 Gb/s"]
        for flow in (0, 1):
            axis.plot(one["flow_us"][flow], one["flow_gbps"][flow], label=f"flow {flow}", **style(flow))
        axis.set_title(name)
        axis.set_xlabel("time (us)")
    axes[0][0].set_ylabel("rate (Gb/s)")
    axes[0][0].legend()
    from_zero(axes)
    return figure


def fairness(series: Mapping[str, Any]) -> Any:
    """Rates of all flows, a panel for each algorithm."""
    figure, axes = panels(len(series), 1, 8, 2.4 * len(series), sharex=True, sharey=True)
    for axis, (name, one) in zip(axes[:, 0], series.items()):
        for flow, (times, rates) in enumerate(zip(one["flow_us"], one["flow_gbps"])):
            axis.plot([t / 1e3 for t in times], rates, label=f"flow {flow}", **style(flow))
        axis.set_title(name)
        axis.set_ylabel("rate (Gb/s)")
    axes[-1][0].set_xlabel("time (ms)")
    axes[0][0].legend(loc="upper left", bbox_to_anchor=(0.45, 1), ncols=2)  # where no line is
    from_zero(axes)
    return figure


def hops(series: Mapping[str, Any]) -> Any:
    """The queue above, both flows below, a column for each place."""
    places = list(dict.fromkeys(case.split(", ")[0] for case in series))
    figure, axes = panels(2, len(places), 4 * len(places), 6, sharex=True, sharey="row")
    for column, place in enumerate(places):
        names = [case.split(", ")[1] for case in series if case.startswith(f"{place}, ")]
        for number, name in enumerate(names):
            one = series[f"{place}, {name}"]
            axes[0][column].plot(one["time_us"], one["queue_kb"], label=name, **style(number))
            for flow in (0, 1):
                axes[1][column].plot(one["flow_us"][flow], one["flow_gbps"][flow], label=f"{name}, flow {flow}",
                                     **{**style(number), "linewidth": 1.6 - 0.9 * flow})
        axes[0][column].set_title(f"congestion at the {place}")
        axes[1][column].set_xlabel("time (us)")
        axes[1][column].set_xlim(280, 560)
    axes[0][0].set_ylabel("queue (kB)")
    axes[1][0].set_ylabel("rate (Gb/s); thin: flow 1")
    axes[0][0].legend()
    from_zero(axes)
    return figure


def fct(workload: str) -> Callable[[Mapping[str, Any]], Any]:
    """Four statistics of the slowdown by flow size; bars give the range over the seeds."""
    def function(series: Mapping[str, Any]) -> Any:
        from matplotlib.ticker import LogLocator, NullFormatter

        if workload not in series:
            return None
        figure, axes = panels(1, 4, 15, 4)
        sizes = [name for name in BUCKETS
                 if any(name in statistics["average"] for statistics in series[workload].values())]
        how = looks(series[workload])
        for name, statistics in series[workload].items():
            for axis, (statistic, values) in zip(axes[0], statistics.items()):
                whiskers(axis, [sizes.index(size) for size in values], list(values.values()), name, how[name])
                axis.set_title(f"{workload}, {statistic}")
        for axis in axes[0]:
            axis.set_xticks(range(len(sizes)), sizes, rotation=60)
            axis.set_xlabel("flow size up to")
            axis.set_yscale("log")
            # a span of less than two powers of ten has hardly a tick otherwise
            axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axis.yaxis.set_major_formatter("{x:g}")
            axis.yaxis.set_minor_formatter(NullFormatter())
        axes[0][0].set_ylabel("slowdown of the flow completion time")
        axes[0][0].legend()
        return figure
    return function


FIGURES = {
    "fncc-response": {"": response, "-flows": response_flows},
    "fncc-fairness": {"": fairness},
    "fncc-hops": {"": hops},
    "fncc-fct": {"-websearch": fct("WebSearch"), "-hadoop": fct("FB_Hadoop")},
}
