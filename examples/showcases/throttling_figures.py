# SPDX-License-Identifier: GPL-2.0-only
"""Figures of the experiments with proactive flow throttling."""
from __future__ import annotations

from typing import Any, Callable, Mapping

from .throttling import DETECTORS, SPACERS, UNCONTROLLED, grid, kind_of, settings_of


def _factors(series: Mapping[str, Any]) -> Any:
    """Control factors over the shift: a row for each buffer, a column for RI and one for FI."""
    from dcfabric.drawing import legend_above, nth, panels

    factors = series["factors"]
    figure, axes = panels(len(factors), len(SPACERS), 7.5, 0.6 + 2.6 * len(factors), sharey="row")
    for row, (buffer, values) in zip(axes, factors.items()):
        for axis, (spacer, shift) in zip(row, (("RI", "m"), ("FI", "n"))):
            for number, detector in enumerate(DETECTORS):
                line = [(int(name.split("=")[1]), value) for name, value in values.items()
                        if kind_of(name) == f"{detector}-{spacer}"]
                axis.plot(*zip(*line), label=detector, **nth(number).points())
            axis.axhline(1, color="0.4", linewidth=0.8)
            axis.set_title(f"{spacer}, buffers of {buffer}")
            axis.set_xlabel(shift)
            axis.xaxis.get_major_locator().set_params(integer=True)
        row[0].set_ylabel("control factor")
    legend_above(figure, axes)
    return figure


def _victims(series: Mapping[str, Any]) -> Any:
    """Victims by delay and by rate: how many have at most so much; a row for each buffer."""
    from dcfabric.drawing import panels, style

    victims = series["victims"]
    figure, axes = panels(len(victims), 2, 8, 0.6 + 2.8 * len(victims), sharey=True)
    for row, (buffer, settings) in zip(axes, victims.items()):
        for axis, key, label in zip(row, ("delay_us", "gbps"), ("mean delay of small messages (us)",
                                                                "mean rate of large messages (Gb/"
                                                                "s)")):
            for number, (name, values) in enumerate(settings.items()):
                ordered = sorted(values[key])
                axis.plot(ordered, range(1, len(ordered) + 1), drawstyle="steps-post", label=name,
                          **style(number))
            axis.set_title(f"buffers of {buffer}")
            axis.set_xlabel(label)
        row[0].set_ylabel("victims with at most that")
        row[0].legend(fontsize="small")
    return figure


def _over(axis: Any, factors: Mapping[str, Mapping[str, float]], spacer: str, shift: str) -> None:
    """Lines of control factors over m or n: Avg of both detectors and of other k, and 99 % of
    AT."""
    from dcfabric.drawing import nth

    lines: dict[str, list[tuple[int, float]]] = {}
    for name, of in factors.items():
        numbers, (detector, _, kind) = settings_of(name), kind_of(name).partition("-")
        if kind == spacer and set(numbers) <= {shift, "k"}:
            label = detector + (f", k={numbers['k']}" if "k" in numbers else "")
            lines.setdefault(label, []).append((numbers[shift], of["average"]))
            if label == "AT":
                lines.setdefault("AT, 99 %", []).append((numbers[shift], of["worst"]))
    for number, (label, line) in enumerate(lines.items()):
        axis.plot(*zip(*line), label=label, **nth(number).points())
    axis.set_yscale("log")
    axis.axhline(1, color="0.4", linewidth=0.8)
    axis.set_xlabel(shift)
    axis.xaxis.get_major_locator().set_params(integer=True)
    axis.legend(fontsize="small")


def _bars(axis: Any, values: Mapping[str, Mapping[str, float]]) -> None:
    """Avg and 99 % by setting."""
    from dcfabric.drawing import bar_groups, nth

    ends = {"mean": "", "low": "_low", "high": "_high"}
    shown = {"Avg": "average", "99 %": "worst"}
    bar_groups(axis,
               {name: {label: {key: of.get(f"{field}{end}", of[field]) for key, end in ends.items()}
                       for label, field in shown.items()} for name, of in values.items()},
               {"Avg": nth(1), "99 %": nth(2)}, base=1)
    axis.axhline(1, color="0.4", linewidth=0.8)
    axis.set_xticks(range(len(values)), list(values), rotation=60, ha="right", fontsize="x-small")
    axis.legend(fontsize="small")


FEW = len(grid(True))
"""Settings of which there are bars in place of lines."""


def _gpcnet_factors(series: Mapping[str, Any]) -> Any:
    """Control factors (figure 5): of few settings as bars with the range of the seeds; else under
    the first buffer over m and n, and where there are any by thresholds, periods and buffers."""
    from dcfabric.drawing import panels

    buffers = list(series["factors"])
    if len(series["factors"][buffers[0]]) <= FEW:
        figure, axes = panels(1, len(buffers), 1.5 + 4 * len(buffers), 3.8, sharey=True)
        for axis, buffer in zip(axes[0], buffers):
            axis.set_yscale("log")
            _bars(axis,
                  {name: of for name, of in series["factors"][buffer].items()
                   if name != UNCONTROLLED})
            axis.set_title(f"buffers of {buffer}")
        axes[0][0].set_ylabel("control factor")
        return figure
    first = {name: of for name, of in series["factors"][buffers[0]].items() if name != UNCONTROLLED}
    more = {name.removeprefix("AT-RI, "): of for name, of in first.items()
            if kind_of(name) == "AT-RI"
            and (set(settings_of(name)) - {"m"} or settings_of(name)["m"] in (18, 22))}
    by_buffer = {f"{name}, {buffer}": series["factors"][buffer][name] for name in first
                 if kind_of(name).startswith("AT")
                 for buffer in buffers if all(name in series["factors"][one] for one in buffers)}
    whole = len(buffers) > 1
    figure, axes = panels(2 if whole else 1, 2, 9, 7 if whole else 3.2, sharey="row")
    for axis, (spacer, shift) in zip(axes[0], (("RI", "m"), ("FI", "n"))):
        _over(axis, first, spacer, shift)
        axis.set_title(f"{spacer}, buffers of {buffers[0]}")
    if whole:
        _bars(axes[1][0], more)
        axes[1][0].set_title(f"AT-RI, buffers of {buffers[0]}")
        _bars(axes[1][1], by_buffer)
        axes[1][1].set_title("AT, by buffer")
    for row in axes:
        row[0].set_ylabel("control factor")
    return figure


def _injection(series: Mapping[str, Any]) -> Any:
    """Injection rate over used credits (figure 1)."""
    from dcfabric.drawing import nth, panels

    figure, axes = panels(1, 2, 8, 3.2, sharey=True)
    for axis, (spacer, lines) in zip(axes[0], series["injection"].items()):
        for number, (label, line) in enumerate(lines.items()):
            axis.plot(*zip(*line), label=label, **nth(number).points(markersize=3, markevery=6))
        axis.set_xscale("log", base=2)
        axis.set_title(spacer)
        axis.set_xlabel("used credits c")
        axis.legend(fontsize="x-small")
    axes[0][0].set_ylabel("flits in a cycle")
    return figure


BINS = 24


def _processes(series: Mapping[str, Any]) -> Any:
    """How many processes have which delay and bandwidth (figures 3 and 4), a row for each buffer;
    the last point has all beyond it."""
    from dcfabric.drawing import panels, style

    figure, axes = panels(len(series["ranks"]), 2, 8, 0.6 + 2.6 * len(series["ranks"]))
    for row, (buffer, settings) in zip(axes, series["ranks"].items()):
        for axis, key, label in zip(row, ("delay_us", "mib_s"),
                                    ("mean latency of a process (us)",
                                     "mean bandwidth of a process (MiB/s)")):
            ordered = sorted(value for of in settings.values() for value in of[key])
            low, high = ordered[0], ordered[len(ordered) * 98 // 100]
            width = (high - low) / BINS or 1
            for number, (name, of) in enumerate(settings.items()):
                counts = [0] * (BINS + 1)
                for value in of[key]:
                    counts[min(int((value - low) / width), BINS)] += 1
                axis.plot([low + (at + 0.5) * width for at in range(BINS + 1)], counts, label=name,
                          **style(number))
            axis.set_title(f"buffers of {buffer}")
            axis.set_xlabel(label)
        row[0].set_ylabel("processes")
        row[0].legend(fontsize="x-small")
    return figure


FIGURES: dict[str, dict[str, Callable[[Mapping[str, Any]], Any]]] = {
    "pft-sweep": {"": _factors, "-victims": _victims},
    "pft-gpcnet": {"": _gpcnet_factors, "-injection": _injection, "-processes": _processes},
}
