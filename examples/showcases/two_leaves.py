# SPDX-License-Identifier: GPL-2.0-only
"""Two leaves under several spines, as a topology file, with unequal paths."""
from __future__ import annotations

import dataclasses
from pathlib import Path

from dcfabric.run_files import write_whole

RATE = "100Gbps"
DELAY = "1us"


@dataclasses.dataclass(frozen=True)
class TwoLeaves:
    """All links have 100 Gb/s and 1 us by default. Numbers of nodes: hosts of the first leaf from
    0, those of the second leaf, hosts at the first spine, as many receivers of theirs at the second
    leaf, then the leaves, then the spines."""

    hosts: int
    """at each leaf"""
    spines: int
    """that is, paths"""
    across: int = 0
    """hosts at the first spine; what they send to their receivers can take no other path"""
    slow: str = RATE
    """rate of the link between the first leaf and the first spine"""
    delay: str = DELAY
    """of each link"""

    @property
    def first_leaf(self) -> int:
        """node, whose first ports lead to its hosts"""
        return 2 * self.hosts + 2 * self.across

    @property
    def second_leaf(self) -> int:
        """node, whose first ports lead to its hosts and then to the receivers"""
        return self.first_leaf + 1

    @property
    def first_spine(self) -> int:
        """node"""
        return self.first_leaf + 2

    def links(self) -> list[tuple[int, int, str]]:
        """Ends and rate of each, in the order of ports."""
        spines = range(self.first_spine, self.first_spine + self.spines)
        across = 2 * self.hosts
        found = [(host, self.first_leaf + host // self.hosts, RATE)
                 for host in range(2 * self.hosts)]
        found += [(across + i, self.first_spine, RATE) for i in range(self.across)]
        found += [(across + self.across + i, self.second_leaf, RATE) for i in range(self.across)]
        for spine in spines:
            found += [(self.first_leaf, spine, self.slow if spine == self.first_spine else RATE),
                      (self.second_leaf, spine, RATE)]
        return found

    def write(self, path: Path) -> str:
        """Write the file; returns what --topology takes."""
        links = self.links()
        switches = range(self.first_leaf, self.first_spine + self.spines)
        lines = [f"{switches[-1] + 1} {len(switches)} {len(links)}", " ".join(map(str, switches))]
        lines += [f"{one} {other} {rate} {self.delay} 0" for one, other, rate in links]
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, "\n".join(lines) + "\n")
        return f"file:{path.resolve()}"
