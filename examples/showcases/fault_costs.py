# SPDX-License-Identifier: GPL-2.0-only
"""The figure of what faults cost."""
from __future__ import annotations

from typing import Any, Callable, Mapping


def costs(series: Mapping[str, Any]) -> Any:
    """Completion of the last flow after each fault over that without, a panel for each
    convergence."""
    from dcfabric.drawing import bar_groups, legend_above, looks, panels, plain_log

    figure, axes = panels(len(series), 1, 9, 2.8 * len(series), sharex=True, sharey=True)
    for axis, (convergence, faults) in zip(axes[:, 0], series.items()):
        bar_groups(axis, faults, looks(next(iter(faults.values()))), base=1)
        plain_log(axis)
        axis.axhline(1, color="0.4", linewidth=0.8)
        axis.set_title("routes are not repaired" if convergence == "none"
                       else f"routes are repaired after {convergence}")
        axis.set_ylabel("last flow, over no failure")
    legend_above(figure, axes)
    return figure


FIGURES: dict[str, dict[str, Callable[[Mapping[str, Any]], Any]]] = {"fault-costs": {"": costs}}
