# SPDX-License-Identifier: GPL-2.0-only
"""The figure of what repairs losses best."""
from __future__ import annotations

from typing import Any, Callable, Mapping


def repairs(series: Mapping[str, Any]) -> Any:
    """Slowdown and packets sent again under each loss, a column for one path and for spraying."""
    from dcfabric.drawing import bar_groups, confidence, legend_above, looks, panels

    names = list(dict.fromkeys(repair for losses in series.values() for one in losses.values()
                               for repair in one))
    rows = {"slowdown": ("slowdown, 99th percentile", None),
            "again": ("packets sent again,\nof new ones", 1e-5)}
    figure, axes = panels(len(rows), len(series), 13, 6, sharey="row")
    for column, (path, losses) in enumerate(series.items()):
        for row, (measure, (label, least)) in enumerate(rows.items()):
            axis = axes[row][column]
            groups = {loss: {repair: confidence([max(value, least or value)
                                                 for value in one[measure]])
                             for repair, one in repairs.items()}
                      for loss, repairs in losses.items()}
            bar_groups(axis, groups, looks(names))
            axis.set_yscale("log")
            if least:
                axis.set_ylim(bottom=least)
            if row == 0:
                axis.set_title(path)
            if column == 0:
                axis.set_ylabel(label)
    legend_above(figure, axes)
    return figure


FIGURES: dict[str, dict[str, Callable[[Mapping[str, Any]], Any]]] = {"uet-losses": {"": repairs}}
"""As in dcfabric.showcases.figures."""
