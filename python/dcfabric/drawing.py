# SPDX-License-Identifier: GPL-2.0-only
"""What all figures share: colors, dashes and markers that remain distinguishable in black and white, panels, files."""
from __future__ import annotations

from pathlib import Path
from typing import Any, Iterable, Mapping, Sequence

COLOURS = ("#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (2, 1)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def style(number: int) -> dict[str, Any]:
    """Color and dashes of the n-th line; distinguishable without colors, too."""
    return {"color": COLOURS[number % len(COLOURS)], "linestyle": DASHES[number % len(DASHES)], "linewidth": 1.2}


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
