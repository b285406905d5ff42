# SPDX-License-Identifier: GPL-2.0-only
"""The figure of what faults cost."""
from __future__ import annotations

from typing import Any, Mapping


def costs(series: Mapping[str, Any]) -> Any:
    """Completion of the last flow after each fault over that without, a panel for each convergence."""
    from ..drawing import COLORS, panels

    figure, axes = panels(len(series), 1, 9, 2.8 * len(series), sharex=True, sharey=True)
    for axis, (convergence, faults) in zip(axes[:, 0], series.items()):
        balancers = list(next(iter(faults.values())))
        width = 0.8 / len(balancers)
        for number, balancer in enumerate(balancers):
            axis.bar([place + (number - (len(balancers) - 1) / 2) * width for place in range(len(faults))],
                     [values[balancer] for values in faults.values()], width, label=balancer,
                     color=COLORS[number % len(COLORS)], edgecolor="black", linewidth=0.5)
        axis.set_yscale("log")
        axis.set_xticks(range(len(faults)), list(faults))
        axis.set_title(f"convergence: {convergence}")
        axis.set_ylabel("time of the last flow (relative)")
    axes[0][0].legend(ncols=3)
    return figure


FIGURES = {"fault-costs": {"": costs}}
