# SPDX-License-Identifier: GPL-2.0-only
"""The figures of the experiments, drawn from result.json alone; readable in black and white."""
from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Iterable, Mapping, Sequence

from . import coordination, direct, faults, feedback, gpcnet, host_techniques, incast_mix, regional, throttling_figures
from .errors import DcfabricError
from .measures import BUCKETS
from .sequence import CHARTS

COLOURS = ("#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (2, 1)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def style(number: int) -> dict[str, Any]:
    """Color and dashes of the n-th line; distinguishable without colors, too."""
    return {"color": COLOURS[number % len(COLOURS)], "linestyle": DASHES[number % len(DASHES)], "linewidth": 1.2}


def draw(result: Mapping[str, Any], out: Path, extension: str = "png") -> list[Path]:
    """Draw the figures of an experiment into a folder; returns their paths.

    Raises DcfabricError if the experiment is not known."""
    import matplotlib

    matplotlib.use("Agg")
    name = result.get("experiment")
    if name not in FIGURES:
        raise DcfabricError(f"no figures are known for the experiment {name!r}; known are "
                            f"{', '.join(sorted(FIGURES))}")
    paths = []
    for suffix, function in FIGURES[name].items():
        figure = function(result["series"])
        if figure is not None:
            paths.append(save(figure, out / f"{name}{suffix}.{extension}"))
    return paths


def save(figure: Any, path: Path) -> Path:
    """The file appears whole or not at all."""
    import matplotlib.pyplot as plt

    temporary = path.with_name(path.name + ".tmp")
    try:
        figure.savefig(temporary, format=path.suffix[1:], dpi=150)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    finally:
        plt.close(figure)
    return path


def panels(rows: int, columns: int, width: float, height: float, **options: Any) -> tuple[Any, Any]:
    """A grid of axes with grid lines."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(rows, columns, figsize=(width, height), squeeze=False, layout="constrained",
                                **options)
    for axis in axes.flat:
        axis.grid(color="0.88")
    return figure, axes


def from_zero(axes: Any) -> None:
    """After the last line, so that the other end follows the data."""
    for axis in axes.flat:
        axis.set_ylim(bottom=0)


def ranges(spreads: Iterable[Mapping[str, float]]) -> list[list[float]]:
    """From means to the ends of their ranges (``mean``, ``low``, ``high``), as matplotlib takes errors."""
    found = list(spreads)
    return [[one["mean"] - one["low"] for one in found], [one["high"] - one["mean"] for one in found]]


def whiskers(axis: Any, places: Sequence[float], spreads: Sequence[Mapping[str, float]], number: int, name: str) -> None:
    """The n-th line of an axis: means over the seeds, and their ranges."""
    axis.errorbar(places, [one["mean"] for one in spreads], yerr=ranges(spreads), label=name, marker=MARKERS[number % len(MARKERS)],
                  markersize=4, capsize=2, **style(number))


def smooth(values: list[float], span: int) -> list[float]:
    """Mean of the last values."""
    return [sum(values[max(0, i - span + 1):i + 1]) / min(span, i + 1) for i in range(len(values))]


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
        for number, (name, statistics) in enumerate(series[workload].items()):
            for axis, (statistic, values) in zip(axes[0], statistics.items()):
                whiskers(axis, [sizes.index(size) for size in values], list(values.values()), number, name)
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


def lateness(series: Mapping[str, Any]) -> Any:
    """Completion time above, refused payload below, a column for each size."""
    sizes = list(dict.fromkeys(case.split(", ")[1] for case in series))
    names = list(dict.fromkeys(case.split(", ")[0] for case in series))
    figure, axes = panels(2, len(sizes), 1 + 3 * len(sizes), 6, sharex=True)
    for column, size in enumerate(sizes):
        axes[0][column].axhline(series[f"{names[0]}, {size}"]["in_time_us"], color="0.55", linewidth=0.8,
                                label="receive in time")
        for number, name in enumerate(names):
            one = series[f"{name}, {size}"]
            look = {**style(number), "marker": MARKERS[number], "markersize": 3 + 2 * (number == 2),
                    "fillstyle": "none" if number == 2 else "full"}
            axes[0][column].plot(one["posted_us"], one["done_us"], label=name, **look)
            axes[1][column].plot(one["posted_us"], one["wasted_kb"], label=name, **look)
        axes[0][column].set_title(f"message of {size}")
        axes[1][column].set_xlabel("receive posted after (us)")
    axes[0][0].set_ylabel("completion time (us)")
    axes[1][0].set_ylabel("payload refused (kB)")
    axes[0][0].legend()
    from_zero(axes[1:])
    return figure


FIGURES: dict[str, dict[str, Callable[[Mapping[str, Any]], Any]]] = {
    "fncc-response": {"": response, "-flows": response_flows},
    "fncc-fairness": {"": fairness},
    "fncc-hops": {"": hops},
    "message-lateness": {"": lateness},
    "message-sequence": CHARTS,
    "fncc-fct": {"-websearch": fct("WebSearch"), "-hadoop": fct("FB_Hadoop")},
    **coordination.FIGURES,
    **faults.FIGURES,
    **direct.FIGURES,
    **feedback.FIGURES,
    **gpcnet.FIGURES,
    **host_techniques.FIGURES,
    **incast_mix.FIGURES,
    **regional.FIGURES,
    **throttling_figures.FIGURES,
}
"""For each experiment the functions that draw, by the end of the figure's name."""
