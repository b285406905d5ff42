# SPDX-License-Identifier: GPL-2.0-only
"""Ports as users write them: by number or name of the node, as plans print it, or by where the link
leads, as figures have it."""
from __future__ import annotations

import re
from typing import Callable

from .errors import DcfabricError
from .plan import Plan, link_ports
from .wording import nearest

SUCH = "4:0, leaf-0:0 or 'leaf-0 to spine-1'"


def is_port(text: str) -> bool:
    """Whether it may be a port, of whatever network."""
    return re.fullmatch(r".+:\d+|.+ to .+", text) is not None


def find_port(text: str, plan_of: Callable[[], Plan]) -> tuple[int, int]:
    """Node and port. plan_of: asked for names only. Raises DcfabricError if there is no such node
    or way, or if the names are not known."""
    text = re.sub(r" \(port \d+ of node \d+\)$", "", text)  # of a title
    node, _, port = text.rpartition(":")
    if re.fullmatch(r"\d+:\d+", text):
        return int(node), int(port)
    try:
        plan = plan_of()
    except (DcfabricError, OSError) as error:
        raise DcfabricError(f"'{text}': the names of nodes are not known: {error}; nodes have "
                            "numbers, too, as in 4:0") from error
    numbers = {str(one["name"]): i for i, one in enumerate(plan.nodes)}
    if port.isdigit():
        return find_node(node, numbers), int(port)
    start, end = (find_node(name, numbers) for name in text.split(" to ", 1))
    found = []
    for link, (port_a, port_b) in zip(plan.links, link_ports(plan)):
        found += [(start, port_a)] if (link["a"], link["b"]) == (start, end) else []
        found += [(start, port_b)] if (link["b"], link["a"]) == (start, end) else []
    if len(found) != 1:
        name = plan.nodes[start]["name"]
        raise DcfabricError(f"'{text}': no link leads there" if not found else
                            f"'{text}': {len(found)} links lead there: give one of "
                            + ", ".join(f"{name}:{one}" for _, one in found))
    return found[0]


def find_node(text: str, numbers: dict[str, int]) -> int:
    """The number of a node. numbers: of all, by name. Raises DcfabricError if there is none."""
    if text in numbers:
        return numbers[text]
    if text.isdigit() and int(text) < len(numbers):
        return int(text)
    raise DcfabricError(f"there is no node '{text}'; the nearest is {nearest(text, numbers)}; a "
                        f"port is such as {SUCH}, with names as dcfabric-sim --plan prints them")
