# SPDX-License-Identifier: GPL-2.0-only
"""The figures of Ultra Ethernet: beside its public simulator, and beside other schemes."""
from __future__ import annotations

from typing import Any, Callable, Mapping

WORDS = {"nscc": "NSCC", "rccc": "RCCC", "both": "both", "reps": "REPS", "mixed-1sack": "mixed",
         "notrim": "no trimming", "singlepath": "single path"}
"""What the controls and variants of the reference are called in figures, others as there."""


def _spelled(control: str) -> str:
    """The name of a control and its variant."""
    return ", ".join(WORDS.get(part, part) for part in control.split(", "))


def beside_simulator(series: Mapping[str, Any]) -> Any:
    """How much later flows end here than there, a panel for each case."""
    from dcfabric.drawing import bar_groups, legend_above, looks, note, panels

    ratios = {case: controls for case, controls in series["ratios"].items() if case != "lone flow"}
    names = [f"{flow} flow, {rate}" for rate in ("100 Gb/s", "400 Gb/s")
             for flow in ("median", "last")]
    figure, axes = panels(len(ratios), 1, 9, 2.4 * len(ratios), sharey=True)
    for axis, (case, controls) in zip(axes[:, 0], ratios.items()):
        groups = {_spelled(control): {f"{flow} flow, {rate}": 100 * (value - 1)
                                      for rate, flows in rates.items()
                                      for flow, value in flows.items() if flow != "first"}
                  for control, rates in controls.items()}
        bar_groups(axis, groups, looks(names))
        axis.axhline(0, color="0.4", lw=0.7)
        for bound in (-5, 5):
            axis.axhline(bound, color="0.4", lw=0.7, ls="--")
        axis.set_title(case)
        axis.set_ylabel("later than uet-htsim (%)")
        axis.set_xlim(-0.5, len(groups) - 0.5)
    legend_above(figure, axes)
    note(figure, "dashed: 5 %, within which last flows are to agree, but for a single path")
    return figure


def beside_schemes(series: Mapping[str, Any]) -> Any:
    """99th percentile of the slowdown in each case under each scheme."""
    from dcfabric.drawing import bar_groups, legend_above, looks, note, panels, plain_log

    groups = series.get("schemes")
    if not groups:
        return None
    figure, axes = panels(1, 1, 11, 4)
    bar_groups(axes[0][0], groups, looks(next(iter(groups.values()))), base=1)
    plain_log(axes[0][0])
    axes[0][0].set_ylabel("slowdown, 99th percentile")
    legend_above(figure, axes)
    note(figure, "fewer than 10 flows are above it: of 15 to 21 flows it is the slowest, of 127 "
         "and more the second slowest or a later one")
    return figure


FIGURES: dict[str, dict[str, Callable[[Mapping[str, Any]], Any]]] = {
    "uet": {"": beside_simulator, "-schemes": beside_schemes}}
"""As in dcfabric.showcases.figures."""
