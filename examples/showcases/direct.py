# SPDX-License-Identifier: GPL-2.0-only
"""What the experiments on direct networks share: dragonflies, loads of their global links,
figures."""
from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Callable, Mapping

from dcfabric.measures import between, utilisation

if TYPE_CHECKING:
    from dcfabric.result import Result

GOODPUT = 1000 / 1082
"""Payload of a full packet over its bytes on the wire."""


@dataclasses.dataclass(frozen=True)
class Dragonfly:
    """A dragonfly with one link between each pair of groups."""

    hosts: int
    """of each router"""
    routers: int
    """of each group"""
    globals: int
    """global ports of each router"""
    rate_gbps: float = 100.0
    """of all links"""

    @property
    def groups(self) -> int:
        """Number of groups."""
        return self.routers * self.globals + 1

    @property
    def n_hosts(self) -> int:
        """Number of hosts."""
        return self.hosts * self.routers * self.groups

    def spec(self) -> str:
        """As on the command line."""
        return (f"dragonfly:hosts={self.hosts},routers={self.routers},globals={self.globals},"
                "groups=0")

    def global_ports(self) -> list[tuple[int, int]]:
        """Node and port of each end of a global link: the last ports of the routers, which follow
        the hosts."""
        count = self.routers * self.groups
        first = self.hosts + self.routers - 1
        return [(count * self.hosts + router, first + port) for router in range(count)
                for port in range(self.globals)]


def global_loads(result: Result, dragonfly: Dragonfly, start_us: float,
                 end_us: float) -> list[float]:
    """Share of its line rate that each global link carries in a span, in each direction."""
    return [float(between(utilisation(result, node, port, end_us), start_us, end_us).mean())
            for node, port in dragonfly.global_ports()]


def loads(series: Mapping[str, Any]) -> Any:
    """Loads of global links in ascending order: a panel for each size and traffic."""
    from dcfabric.drawing import from_zero, label, legend_above, looks, panels

    parts = {case: case.split(", ") for case in series}
    places = list(dict.fromkeys((size, traffic) for size, traffic, _ in parts.values()))
    routings = list(dict.fromkeys(routing for _, _, routing in parts.values()))
    figure, axes = panels(1, len(places), 1 + 3.3 * len(places), 3.3, sharey=True)
    how = looks(routings)
    for case, (size, traffic, routing) in parts.items():
        values = series[case]["load_percent"]
        share = [100 * (i + 0.5) / len(values) for i in range(len(values))]
        axes[0][places.index((size, traffic))].plot(share, values, label=routing,
                                                    **how[routing].line())
    for column, (size, traffic) in enumerate(places):
        axes[0][column].set_title(f"{traffic}, {size}")
        axes[0][column].set_xlabel(label("global links, by load", "%"))
    axes[0][0].set_ylabel(label("load", "%"))
    from_zero(axes)
    legend_above(figure, axes)
    return figure


FIGURES: dict[str, dict[str, Callable[[Mapping[str, Any]], Any]]] = {"direct-networks": {"": loads}}
"""As in dcfabric.showcases.figures."""
