# SPDX-License-Identifier: GPL-2.0-only
"""Networks, traffic and arms of the experiment on coordinated congestion management, and its
figure."""
from __future__ import annotations

import dataclasses
from typing import Any, Callable, Mapping

ECMP, ADAPTIVE, HOSTS, CCM = "ECMP", "adaptive", "hosts (REPS)", "CCM"
THRESHOLD = {"ns3::SelectiveRepeat::ReorderThreshold": 10000}
"""Nothing is lost, and what a flow leaves behind on a slow link is overtaken by thousands of
packets."""

ALL, SHIFT, INCAST = "all-to-all and incast", "shift", "incast"
ALL_TO_ALL = "alltoall"
RECEIVER = 0
"""Host of the incast."""
FAN_IN = 16
"""Flows of the incast."""
TRAFFIC = {ALL: f"alltoall:size={{size}}+incast:fan-in={FAN_IN},size=2MB,start=20us",
           SHIFT: "shift:by={by},size=4MB",
           INCAST: f"incast:fan-in={FAN_IN},size=2MB"}
"""Workloads, to be filled in with what the network says."""


@dataclasses.dataclass(frozen=True)
class Network:
    """A network of the experiment."""

    topology: str
    """as on the command line"""
    by: int
    """how far on the receiver of a shift is: in the next leaf, rack or group"""
    size: str
    """of each flow of the all-to-all"""
    slow: tuple[int, int]
    """switches at the ends of the link that becomes slow"""
    choices: int
    """switches on a way, at most, that have several ports for a packet"""
    adaptive: Mapping[str, Any] = dataclasses.field(default_factory=lambda: {"lb": "adaptive"})
    """what makes its routing adaptive without coordination, as fields of a Scenario"""
    coordinated: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """with coordination, beside it"""
    attributes: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """with coordination"""

    def arm(self, name: str, control: str) -> dict[str, Any]:
        """What makes an arm, as fields of a Scenario."""
        if name != CCM:
            return {"attributes": THRESHOLD,
                    **{ECMP: {}, HOSTS: {"lb": "reps"}, ADAPTIVE: self.adaptive}[name]}
        if control == "hpcc":
            # no routing that decides for each packet
            return {"coordination": "ccm", "attributes": THRESHOLD}
        return {"coordination": "ccm", "attributes": {**THRESHOLD, **self.attributes},
                **self.coordinated}


NETWORKS = {
    "leaf-spine": Network("leaf-spine:leaves=4,spines=8,hosts=8", 8, "400kB", (32, 36), 1),
    "four layers": Network("clos4:racks=4,hosts=4,l1=2,l2=4,switching-racks=2,l3=2,l4=4", 8,
                           "400kB", (56, 60), 3),
    "dragonfly": Network("dragonfly:hosts=2,routers=4,globals=2,groups=9", 8, "50kB", (72, 76), 0,
                         {"routing": "ugal"},
                         {"routing": "ugal"}, {"ns3::CcmFeature::Adaptive": "false"}),
}


def bars(series: Mapping[str, Any]) -> Any:
    """The all-to-all beside the incast: its end above, needless cuts below, a column for each
    network and state."""
    from dcfabric.drawing import bar_groups, from_zero, label, legend_above, looks, panels

    cases = [tuple(case.split(", ")) for case in series if case.split(", ")[2] == ALL]
    places = list(dict.fromkeys(case[:2] for case in cases))
    controls = list(dict.fromkeys(case[3] for case in cases))
    arms = [arm for arm in (ECMP, ADAPTIVE, HOSTS, CCM) if any(case[4] == arm for case in cases)]
    figure, axes = panels(2, len(places), 1 + 2.5 * len(places), 5.5, sharex=True)
    for column, place in enumerate(places):
        for row, (name, scale) in enumerate((("last_us", 1e-3), ("needless", 1))):
            found = {control: {arm: series.get(", ".join((*place, ALL, control, arm)))
                               for arm in arms} for control in controls}
            bar_groups(axes[row][column],
                       {control: {arm: one[name] * scale for arm, one in group.items() if one}
                        for control, group in found.items()}, looks(arms))
        axes[1][column].set_yscale("symlog", linthresh=10)
        axes[0][column].set_title(", ".join(place))
    axes[0][0].set_ylabel(label("end of the all-to-all", "ms"))
    axes[1][0].set_ylabel("needless cuts")
    legend_above(figure, axes)
    from_zero(axes)
    return figure


FIGURES: dict[str, dict[str, Callable[[Mapping[str, Any]], Any]]] = {"ccm-alltoall": {"": bars}}
"""As in dcfabric.showcases.figures."""
