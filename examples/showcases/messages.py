# SPDX-License-Identifier: GPL-2.0-only
"""The figures of the experiments with messages."""
from __future__ import annotations

from typing import Any, Callable, Mapping

from dcfabric.drawing import from_zero, label, legend_above, looks, panels
from .sequence import CHARTS


def lateness(series: Mapping[str, Any]) -> Any:
    """Completion time above, refused payload below, a column for each size."""
    sizes = list(dict.fromkeys(case.split(", ")[1] for case in series))
    names = list(dict.fromkeys(case.split(", ")[0] for case in series))
    figure, axes = panels(2, len(sizes), 1 + 3 * len(sizes), 6, sharex=True)
    how = looks(names)
    for column, size in enumerate(sizes):
        axes[0][column].axhline(series[f"{names[0]}, {size}"]["in_time_us"], color="0.55",
                                linewidth=0.8,
                                label="receive in time")
        for number, name in enumerate(names):
            one = series[f"{name}, {size}"]
            line = how[name].points(label=name, markersize=3 + 2 * (number == 2),
                                    fillstyle="none" if number == 2 else "full")
            axes[0][column].plot(one["posted_us"], one["done_us"], **line)
            axes[1][column].plot(one["posted_us"], one["wasted_kb"], **line)
        axes[0][column].set_title(f"message of {size}")
        axes[1][column].set_xlabel(label("receive posted after", "us"))
    axes[0][0].set_ylabel(label("completion time", "us"))
    axes[1][0].set_ylabel(label("payload refused", "kB"))
    from_zero(axes[1:])
    legend_above(figure, axes)
    return figure


FIGURES: dict[str, dict[str, Callable[[Mapping[str, Any]], Any]]] = {
    "message-lateness": {"": lateness}, "message-sequence": CHARTS}
