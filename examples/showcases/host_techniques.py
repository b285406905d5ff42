# SPDX-License-Identifier: GPL-2.0-only
"""The figures of the experiments with recycled entropies and with modifiers of congestion
control."""
from __future__ import annotations

import itertools
from typing import Any, Callable, Mapping, Sequence


def bars(axis: Any, groups: Mapping[str, Mapping[str, Sequence[float]]]) -> None:
    """A group of bars for each key, a bar for each name in it: mean over the seeds, and their
    range."""
    from dcfabric.drawing import bar_groups, looks, spread

    spreads = {
        key: {name: spread(values) for name, values in group.items()}
        for key, group in groups.items()}
    bar_groups(axis, spreads, looks(name for group in groups.values() for name in group))


def balancing(series: Mapping[str, Any]) -> Any:
    """Goodput by load balancer, a panel for each case; the dashed line is what the paths carry."""
    from dcfabric.drawing import from_zero, label, legend_above, panels

    if "bars" not in series:
        return None
    figure, axes = panels(1, len(series["bars"]), 3.6 * len(series["bars"]), 3.6)
    for axis, (case, groups) in zip(axes[0], series["bars"].items()):
        bars(axis, groups)
        if case in series["optimum"]:
            axis.axhline(series["optimum"][case], color="black", linestyle="--", linewidth=1,
                         label="what the paths carry")
        axis.set_title(case)
    axes[0][0].set_ylabel(label("goodput", "Gb/s"))
    from_zero(axes)
    legend_above(figure, axes)
    return figure


def failing(series: Mapping[str, Any]) -> Any:
    """Goodput over time around the failure: a column for each end of the link that is the near one,
    a row for each control."""
    from dcfabric.drawing import from_zero, label, legend_above, looks, panels

    if "lines" not in series:
        return None
    cases = series["lines"]
    controls = list(next(iter(cases.values())))
    figure, axes = panels(len(controls), len(cases), 6 * len(cases), 1.2 + 2 * len(controls),
                          sharex=True, sharey=True)
    for (row, control), (column, case) in itertools.product(enumerate(controls), enumerate(cases)):
        axis, lines = axes[row][column], cases[case][control]
        how = looks(lines)
        for balancer, one in lines.items():
            axis.plot([t / 1e3 for t in one["time_us"]], one["goodput_gbps"], label=balancer,
                      **how[balancer].line())
        axis.axvline(series["down_us"] / 1e3, color="0.5", linewidth=0.8)
        axis.axhline(series["optimum"][case], color="0.5", linewidth=0.8,
                     label="optimum without the link")
        axis.set_title(f"{case}, {control}")
    for row in axes:
        row[0].set_ylabel(label("goodput", "Gb/s"))
    for axis in axes[-1]:
        axis.set_xlabel("time (ms); the link goes down at the vertical line")
    from_zero(axes)
    legend_above(figure, axes)
    return figure


GATE_PANELS = (("goodput", "hot path: goodput of\nspread flows (Gb/s)"),
               ("burst", "hot path: goodput\nof the burst (Gb/s)"),
               ("incast_ratio", "incast: longest queue\nover that without gate"))


def gates(series: Mapping[str, Any]) -> Any:
    """Three quantities by load balancer, with and without gates, a column for each congestion
    control."""
    from dcfabric.drawing import from_zero, legend_above, panels

    if "gates" not in series:
        return None
    controls = series["gates"]
    widths = [len(quantities[GATE_PANELS[0][0]]) for quantities in controls.values()]
    figure, axes = panels(len(GATE_PANELS), len(controls), 2.5 + 1.2 * sum(widths), 7.5,
                          sharey="row",
                          gridspec_kw={"width_ratios": widths})
    for column, (control, quantities) in enumerate(controls.items()):
        for row, (key, title) in enumerate(GATE_PANELS):
            bars(axes[row][column],
                 {name.replace(" ", "\n"): group for name, group in quantities[key].items()})
            axes[row][column].tick_params(labelbottom=row == len(GATE_PANELS) - 1)
            axes[row][0].set_ylabel(title)
        axes[0][column].set_title(control)
        axes[-1][column].axhline(1.2, color="black", linestyle="--", linewidth=1)
    from_zero(axes)
    legend_above(figure, axes)
    return figure


def gate_lines(series: Mapping[str, Any]) -> Any:
    """Goodput of the spread flows over time, a row for each load balancer, a column for each
    congestion control."""
    from dcfabric.drawing import from_zero, label, legend_above, looks, panels, smooth

    if "lines" not in series:
        return None
    controls = list(dict.fromkeys(case.split(", ")[0] for case in series["lines"]))
    balancers = list(dict.fromkeys(case.split(", ")[1] for case in series["lines"]))
    figure, axes = panels(len(balancers), len(controls), 2 + 3 * len(controls),
                          0.5 + 2.2 * len(balancers), sharex=True,
                          sharey=True)
    for case, lines in series["lines"].items():
        control, balancer = case.split(", ")
        axis = axes[balancers.index(balancer)][controls.index(control)]
        how = looks(lines)
        for gate, one in lines.items():
            axis.plot([t / 1e3 for t in one["time_us"]], smooth(one["goodput_gbps"], 5), label=gate,
                      **how[gate].line())
        axis.set_title(case)
        axis.set_xlim(0.2, max(one["time_us"]) / 1e3)
    for axis in axes.flat:
        axis.set_visible(bool(axis.lines))
        axis.set_xlabel(label("time", "ms"))
        axis.set_ylabel(label("goodput", "Gb/s"))
        axis.label_outer()
    from_zero(axes)
    legend_above(figure, axes)
    return figure


def study(series: Mapping[str, Any]) -> Any:
    """Ratios to the run without a modifier with their confidence intervals: a row for each trouble,
    a column for each quantity, a place for each congestion control."""
    from dcfabric.drawing import legend_above, looks, name_places, panels, ranges

    if "study" not in series:
        return None
    cases = series["study"]
    columns = list(next(iter(cases.values())))
    figure, axes = panels(len(cases), len(columns), 5 * len(columns), 1.5 + 2.1 * len(cases),
                          sharex=True)
    for row, (case, quantities) in zip(axes, cases.items()):
        for axis, quantity in zip(row, columns):
            modifiers = quantities[quantity]
            how = looks(modifiers)
            for number, (modifier, controls) in enumerate(modifiers.items()):
                places = [at + 0.22 * (number - (len(modifiers) - 1) / 2)
                          for at in range(len(controls))]
                spreads = list(controls.values())
                axis.errorbar(places, [one["mean"] for one in spreads], yerr=ranges(spreads),
                              label=modifier, color=how[modifier].color,
                              marker=how[modifier].marker, linestyle="none", markersize=6,
                              capsize=3, elinewidth=1.1)
            axis.axhline(1, color="0.3", linewidth=0.9)
            axis.set_yscale("log")
            axis.set_title(f"{case}: {quantity}")
            name_places(axis, list(next(iter(modifiers.values()))))
        row[0].set_ylabel("ratio to no modifier")
    for axis in axes.flat:
        ratios_as_they_are(axis)
    legend_above(figure, axes)
    return figure


def ratios_as_they_are(axis: Any) -> None:
    """Marks of a logarithmic axis of ratios: decimal numbers, a few."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    low, high = axis.get_ylim()
    low, high = min(low, 0.88), max(high, 1.14)
    axis.set_ylim(low, high)
    near, far = (0.9, 0.95, 1, 1.05, 1.1), (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
    between = (0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5)
    shown = near if high / low < 1.5 else between if high / low < 8 else far
    axis.yaxis.set_major_locator(FixedLocator([tick for tick in shown if low <= tick <= high]))
    axis.yaxis.set_minor_locator(NullLocator())
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def fairness(series: Mapping[str, Any]) -> Any:
    """What Jain's index lacks to 1 over time: a row for each congestion control, a column for each
    number of flows."""
    from dcfabric.drawing import label, legend_above, looks, panels

    if "fairness" not in series:
        return None
    rows = series["fairness"]
    columns = list(next(iter(rows.values())))
    figure, axes = panels(len(rows), len(columns), 3 + 3.6 * len(columns), 2.6 * len(rows),
                          sharey=True)
    for row, (control, counts) in zip(axes, rows.items()):
        for axis, (count, lines) in zip(row, counts.items()):
            how = looks(lines)
            for cuts, one in lines.items():
                axis.plot([t / 1e3 for t in one["time_us"]], [1 - value for value in one["jain"]],
                          label=cuts, **how[cuts].line())
            axis.axhline(0.01, color="0.5", linewidth=0.8)
            axis.set_title(f"{control}, {count} flows")
            axis.set_yscale("log")
            axis.set_ylim(5e-5, 1)
        row[0].set_ylabel("1 - Jain's index")
    for axis in axes[-1]:
        axis.set_xlabel(label("time since the last flow began", "ms"))
    legend_above(figure, axes)
    return figure


def recovery(series: Mapping[str, Any]) -> Any:
    """Use of the line by the flow that remains: a row for each congestion control, a column for
    each number of flows."""
    from dcfabric.drawing import from_zero, label, legend_above, looks, panels, smooth

    if "recovery" not in series:
        return None
    rows = series["recovery"]
    columns = list(next(iter(rows.values())))
    figure, axes = panels(len(rows), len(columns), 3 + 3.2 * len(columns), 0.6 + 2.6 * len(rows),
                          sharex=True, sharey=True)
    for row, (control, counts) in zip(axes, rows.items()):
        for axis, (count, lines) in zip(row, counts.items()):
            how = looks(lines)
            for name, one in lines.items():
                axis.plot(one["time_us"], smooth(one["use_percent"], 4), label=name,
                          **how[name].line())
            axis.axvline(0, color="0.5", linewidth=0.8)
            axis.set_title(f"{control}, {count} flows")
        row[0].set_ylabel(label("use of the line", "%"))
    axes[0][0].set_xlim(-200, 1500)
    for axis in axes[-1]:
        axis.set_xlabel(label("time since the others ended", "us"))
    from_zero(axes)
    legend_above(figure, axes)
    return figure


FIGURES: dict[str, dict[str, Callable[[Mapping[str, Any]], Any]]] = {
    "reps-load-balancing": {"": balancing, "-failure": failing},
    "modifiers-fairness": {"": fairness},
    "modifiers-recovery": {"": recovery},
    "modifiers-gates": {"": gates, "-hot-path": gate_lines},
    "modifiers-study": {"": study},
}
"""As in figures.py."""
