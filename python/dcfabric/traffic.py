# SPDX-License-Identifier: GPL-2.0-only
"""Whether two runs have the same flows, so that what is random in both cancels out when they are
compared seed by seed."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping

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
