# SPDX-License-Identifier: GPL-2.0-only
"""The figures of all experiments, drawn from result.json alone."""
from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Mapping

from . import (coordination, direct, fault_costs, feedback, fncc, gpcnet, harm, host_techniques,
               incast_mix, losses, messages, regional, schemes, throttling_figures, uet)
from dcfabric.drawing import has_whiskers, note, save, styled, whisker_text
from dcfabric.errors import DcfabricError
from .series import Series


def draw(result: Mapping[str, Any], out: Path, extension: str = "png",
         begin: str | None = None) -> list[Path]:
    """Draw the figures of an experiment into a folder; returns their paths. begin: of their names,
    that of the experiment by default.

    Raises DcfabricError if the experiment is not known."""
    import matplotlib

    matplotlib.use("Agg")
    name = result.get("experiment")
    if name not in FIGURES:
        raise DcfabricError(f"no figures are known for the experiment {name!r}; known are "
                            f"{', '.join(sorted(FIGURES))}")
    paths = []
    series = Series(result)
    for suffix, function in FIGURES[name].items():
        with styled():
            figure = function(series)
        if figure is not None:
            if has_whiskers(figure):
                note(figure, whisker_text(result["seeds"], interval=name in INTERVALS))
            paths.append(save(figure, out / f"{begin or name}{suffix}.{extension}"))
    return paths


FIGURES: dict[str, dict[str, Callable[[Mapping[str, Any]], Any]]] = {
    **coordination.FIGURES,
    **direct.FIGURES,
    **fault_costs.FIGURES,
    **feedback.FIGURES,
    **fncc.FIGURES,
    **gpcnet.FIGURES,
    **harm.FIGURES,
    **host_techniques.FIGURES,
    **incast_mix.FIGURES,
    **losses.FIGURES,
    **messages.FIGURES,
    **regional.FIGURES,
    **schemes.FIGURES,
    **throttling_figures.FIGURES,
    **uet.FIGURES,
}
"""For each experiment the functions that draw, by the end of the figure's name."""
INTERVALS = ("modifiers-study",)
"""Experiments whose whiskers are confidence intervals; those of the others are ranges."""
