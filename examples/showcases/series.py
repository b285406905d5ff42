# SPDX-License-Identifier: GPL-2.0-only
"""What figures are drawn from: the series of result.json, and how many flows are behind a
percentile."""
from __future__ import annotations

from typing import Any, Mapping

from dcfabric.measures import enough_above


class Series(dict[str, Any]):
    """The series of a result, with the numbers of flows that it has."""

    def __init__(self, result: Mapping[str, Any]) -> None:
        """result: as in result.json."""
        super().__init__(result["series"])
        self.flows = {number["case"]: int(number["value"]) for number in result.get("numbers", ())
                      if number["quantity"] == "flows"}
        """by case"""


def samples(series: Mapping[str, Any], case: str, name: str) -> str:
    """A name with the number of flows of a case, over all seeds, where the result has it: "FNCC
    (1,234 flows)"."""
    flows = series.flows.get(case) if isinstance(series, Series) else None
    return name if flows is None else f"{name} ({flows:,} flows)"


def firm(statistic: str, flows: int) -> bool:
    """Whether a statistic of so many flows is more than the luck of single ones. statistic: such as
    "p95"; else a mean or median."""
    return enough_above(flows, float(statistic[1:]) if statistic[0] == "p" else 50)
