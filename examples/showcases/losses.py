# SPDX-License-Identifier: GPL-2.0-only
"""The figure of what repairs losses best."""
from __future__ import annotations

import itertools
from typing import Any, Callable, Mapping


def repairs(series: Mapping[str, Any]) -> Any:
    """Slowdown and packets sent again under each loss, for one path and for spraying."""
    from dcfabric.drawing import bar_groups, legend_above, looks, panels, spread

    names = list(dict.fromkeys(repair for losses in series.values() for one in losses.values()
                               for repair in one))
    measures = {"slowdown": ("slowdown, 99th percentile", 1.0),
                "again": ("packets sent again,\nof new ones", 1e-5)}
    figure, axes = panels(len(series) * len(measures), 1, 12, 2.2 * len(series) * len(measures),
                          sharex=True)
    for row, (path, measure) in enumerate(itertools.product(series, measures)):
        axis = axes[row][0]
        label, least = measures[measure]
        # a bar that has nothing to show ends below the axis
        groups = {loss: {repair: spread(max(value, least) for value in one[measure])
                         for repair, one in repairs.items()}
                  for loss, repairs in series[path].items()}
        bar_groups(axis, groups, looks(names))
        axis.set_yscale("log")
        axis.set_ylim(bottom=least)
        axis.set_title(path)
        axis.set_ylabel(label)
    legend_above(figure, axes)
    return figure


FIGURES: dict[str, dict[str, Callable[[Mapping[str, Any]], Any]]] = {"uet-losses": {"": repairs}}
"""As in dcfabric.showcases.figures."""
