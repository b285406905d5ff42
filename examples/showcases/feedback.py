# SPDX-License-Identifier: GPL-2.0-only
"""How soon senders react, and the figures of the experiments with back-to-sender notification."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Callable, Mapping

if TYPE_CHECKING:
    import pandas

    from dcfabric.result import Result


def buildup_us(result: Result, least_bytes: float) -> float:
    """When a queue of a switch first holds so many bytes, in us; infinite if none ever does."""
    frame = result.queues
    long = frame[frame["bytes"] >= least_bytes]
    return float(long["time_ns"].min()) / 1e3 if len(long) else math.inf


def first_cuts_us(result: Result) -> pandas.Series:
    """When each flow first has less window or rate than at its start, in us; infinite if it never
    has."""
    import pandas

    cuts = pandas.Series(math.inf, index=result.flows["flow"])
    rates = result.rates.sort_values("time_ns")
    for flow in rates["flow"].unique():
        rows = rates[rates["flow"] == flow]
        begin = rows.iloc[0]
        fewer = rows["rate_bps"] < begin["rate_bps"]
        if not math.isnan(begin["window_bytes"]):
            fewer |= rows["window_bytes"] < begin["window_bytes"]
        if fewer.any():
            cuts[flow] = float(rows[fewer]["time_ns"].iloc[0]) / 1e3
    return cuts


def finite(value: float) -> float | None:
    """For JSON, which has no infinity: None."""
    return value if math.isfinite(value) else None


PANELS = (("latency_us", "queue to first cut, median (us)", True),
          ("queue_kb", "longest queue (kB)", True),
          ("bts_percent", "BTS bytes (% of data)", False), ("dropped", "packets dropped", False),
          ("slowdown", "mean slowdown", True))


def incast(series: Mapping[str, Any]) -> Any:
    """Five quantities over the number of senders, a column for each fabric."""
    from dcfabric.drawing import legend_above, looks, panels

    fabrics = list(dict.fromkeys(case.split(", ")[0] for case in series["runs"]))
    figure, axes = panels(len(PANELS), len(fabrics), 1 + 4.5 * len(fabrics), 12, sharex=True,
                          sharey="row")
    for column, fabric in enumerate(fabrics):
        cases = [case for case in series["runs"] if case.startswith(f"{fabric}, ")]
        how = looks(case.split(", ")[1] for case in series["runs"])
        for row, (key, title, logarithmic) in enumerate(PANELS):
            axis = axes[row][column]
            for case in cases:
                one, name = series["runs"][case], case.split(", ")[1]
                points = [(x, y) for x, y in zip(one["senders"], one[key]) if y is not None]
                axis.plot([x for x, _ in points], [y for _, y in points], label=name,
                          **how[name].points())
            axis.set_xscale("log", base=2)
            if logarithmic:
                axis.set_yscale("log")
            axes[row][0].set_ylabel(title)
        senders = series["runs"][cases[0]]["senders"]
        axes[0][column].set_title(fabric)
        axes[-1][column].set_xlabel("senders")
        axes[-1][column].set_xticks(senders, [str(x) for x in senders])
    axes[2][0].set_yscale("symlog", linthresh=0.1)
    axes[3][0].set_yscale("symlog", linthresh=10)
    for row in (2, 3):
        axes[row][0].set_ylim(bottom=0)
    legend_above(figure, axes, 4)
    return figure


def hop_ratio(series: Mapping[str, Any]) -> Any:
    """Median latency with notifications over that with echoed marks, by the switches on the way."""
    from dcfabric.drawing import from_zero, nth, panels

    figure, axes = panels(1, 1, 5.5, 3.8)
    axis = axes[0][0]
    for number, (senders, ratios) in enumerate(series["hops"].items()):
        points = [(int(hops), ratio) for hops, ratio in ratios.items() if ratio is not None]
        axis.plot([x for x, _ in points], [y for _, y in points], label=f"{senders} senders",
                  **nth(number).points())
    axis.set_xticks(sorted({int(hops) for ratios in series["hops"].values() for hops in ratios}))
    axis.set_xlabel("switches between sender and receiver")
    axis.set_ylabel("latency, BTS over echoed marks")
    axis.legend()
    from_zero(axes)
    return figure


def burst(series: Mapping[str, Any]) -> Any:
    """The queue, and the use of its link, a column for each fabric."""
    from dcfabric.drawing import from_zero, label, legend_above, looks, panels, smooth

    fabrics = list(dict.fromkeys(case.split(", ")[0] for case in series))
    how = looks(case.split(", ")[1] for case in series)
    figure, axes = panels(2, len(fabrics), 1 + 4.5 * len(fabrics), 6, sharex=True, sharey="row")
    for column, fabric in enumerate(fabrics):
        cases = [case for case in series if case.startswith(f"{fabric}, ")]
        for case in cases:
            one, name = series[case], case.split(", ")[1]
            axes[0][column].plot(one["time_us"], one["queue_kb"], **how[name].line(label=name))
            axes[1][column].plot(one["time_us"], smooth(one["use_percent"], 20),
                                 **how[name].line(label=name))
        axes[0][column].set_title(fabric)
        axes[1][column].set_xlabel(label("time", "us"))
    axes[0][0].set_ylabel(label("queue at the receiver", "kB"))
    axes[1][0].set_ylabel(label("use of its link, mean of 20 us", "%"))
    axes[0][0].set_xlim(200, 1400)
    from_zero(axes)
    legend_above(figure, axes, 4)
    return figure


def trimming(series: Mapping[str, Any]) -> Any:
    """How soon senders repeat, what telling them costs, and the last flow, over the place of the
    queue."""
    from dcfabric.drawing import from_zero, label, legend_above, looks, panels

    figure, axes = panels(1, 3, 12, 3.8)
    how = looks(series)
    quantities = (("repeat_us", "time until a packet is sent again", "us"),
                  ("told_bytes", "bytes on all wires for one report", "B"),
                  ("last_us", "last flow", "us"))
    for axis, (key, what, unit) in zip(axes[0], quantities):
        for way, one in series.items():
            if any(one[key]):
                axis.plot(one["place"], one[key], label=way, **how[way].points())
        axis.set_xlabel("switch whose queue overflows")
        axis.set_ylabel(label(what, unit))
        axis.set_xticks(next(iter(series.values()))["place"])
    from_zero(axes)
    legend_above(figure, axes, 3)
    return figure


FIGURES: dict[str, dict[str, Callable[[Mapping[str, Any]], Any]]] = {
    "trimming-feedback": {"": trimming},
    "wreb-incast": {"": incast, "-hops": hop_ratio},
    "wreb-burst": {"": burst},
}
"""As in figures.py."""
