# SPDX-License-Identifier: GPL-2.0-only
"""What is random of the flows of runs: whether two runs have the same flows, so that luck cancels
out when they are compared seed by seed; and the load that was drawn, beside the one asked for."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Sequence

if TYPE_CHECKING:
    import pandas

DRAWN_BY = ("topology", "workload", "load", "duration", "seed", "rate", "oversubscription",
            "tier-rates", "only", "alone", "compute", "config")
"""Options that flows follow from: runs that have all of them in common have the same flows."""
OF_FLOW = ["src", "dst", "size_bytes"]


def same_flows(options: Mapping[str, Any], flows: Callable[[], pandas.DataFrame],
               others: Mapping[str, Any], of_others: Callable[[], pandas.DataFrame]) -> bool:
    """Whether two runs have the same flows, by their options, or else by what is in flows.csv:
    other topologies and copies of files may give the same. options, others: of summary.json.
    flows, of_others: read the file if it takes that."""
    if options and others and all(str(options.get(name, "")) == str(others.get(name, ""))
                                  for name in DRAWN_BY):
        return True
    first, second = (read()[OF_FLOW] for read in (flows, of_others))
    if len(first) != len(second) or not len(first):
        return False
    return bool((first.sort_values(OF_FLOW).to_numpy()
                 == second.sort_values(OF_FLOW).to_numpy()).all())


FAR = 0.1
"""A load that was drawn is told where it is so far from the one that was asked for."""


def asked_load(summary: Mapping[str, Any]) -> float | None:
    """The load that a run was asked for; None if nothing arrives at random. summary:
    summary.json."""
    return float(summary.get("asked_load") or 0) or None


def is_far(summary: Mapping[str, Any]) -> bool:
    """Whether the load that was drawn is far from the one that was asked for: few flows, or few
    large ones among them, are not the mean of their distribution."""
    asked = asked_load(summary)
    return asked is not None and abs(float(summary["offered_load"]) - asked) > FAR * asked


def loads_drawn(summaries: Iterable[Mapping[str, Any]]) -> list[str]:
    """A text for each load that was asked for and not drawn: "load 0.7: 0.57 drawn, by 44
    flows". Of runs with equal flows, as of several algorithms, it tells once."""
    found: dict[float, dict[tuple[float, int], bool]] = {}
    for summary in summaries:
        asked = asked_load(summary)
        if asked is not None:
            drawn = float(summary["offered_load"]), int(summary["load_flows"])
            found.setdefault(asked, {})[drawn] = is_far(summary)
    texts = []
    for asked, drawn_ in sorted(found.items()):
        if any(drawn_.values()):
            loads, flows = zip(*sorted(drawn_))
            what = "flow" if max(flows) == 1 else "flows"
            texts.append(f"load {asked:g}: {_span(loads, '.2f')} drawn, by "
                         f"{_span(sorted(flows), ',')} {what}")
    return texts


def _span(values: Sequence[float], form: str) -> str:
    """The value, or the first and the last."""
    first, last = f"{values[0]:{form}}", f"{values[-1]:{form}}"
    return first if first == last else f"{first} to {last}"
