# SPDX-License-Identifier: GPL-2.0-only
"""Networks in GraphML, as the Internet Topology Zoo and networkx write them, made topology files:
each node is a switch with hosts."""
from __future__ import annotations

import argparse
import collections
import dataclasses
import math
import re
import statistics
import sys
import xml.etree.ElementTree as tree
from pathlib import Path
from typing import Any, Callable, Collection, Mapping, Sequence

from .commands import check_file, positive
from .errors import DcfabricError
from .wording import count_of

HELP = "doc/howto/topology-zoo.rst"
US_PER_KM = 5.0
"""Light in fiber, at two thirds of its speed in a vacuum."""
EARTH_KM = 6371.0
LEAST_US = 0.1
"""Of links between nodes in one place."""
USUAL_BPS, USUAL_US = 100e9, 1.0
"""Where neither the file nor the user says anything, as in dcfabric-sim."""
LINK_SPEED = "linkspeed"
"""Of the Topology Zoo: a number whose unit is in another attribute."""
RATES = ("linkspeedraw", LINK_SPEED, "capacity", "bandwidth")
"""Attributes of links that have a rate, the first one counts. LinkSpeedRaw is in bit/s."""
DELAYS = ("delay", "latency")
NAMES = ("label", "name")
PLACES = (("longitude", "latitude"), ("lon", "lat"))
POWERS = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
TIMES = {"ps": 1e-6, "ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}
Values = Mapping[str, str]
"""Attributes of a node or link by their names in lower case."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """What a file does not say."""

    rate: str = ""
    """of links without one; empty: the median of the others"""
    delay: str = ""
    """of links without one; empty: the median of the others"""
    rate_from: str = ""
    """attribute of links with their rates; none: all have ``rate``; empty: RATES"""
    delay_from: str = ""
    """attribute of links with their delays; distance: that of the ends; none: all have ``delay``;
    empty: DELAYS, then the distance"""
    rate_unit: str = "Gbps"
    """of rates without a unit"""
    delay_unit: str = "ms"
    """of delays without a unit"""
    hosts: int = 1
    """at each switch"""
    host_rate: str = "100Gbps"


def rate_of(text: str, unit: str = "") -> float | None:
    """A rate in bit/s, None if it is none. unit: of one that has none."""
    found = re.fullmatch(r"\s*([0-9.]+(?:[eE][+-]?[0-9]+)?)\s*([kKMGT]?)(bps|b/s|bit/s|bit|b)?\s*",
                         text)
    if found and not found[2] and not found[3]:
        return rate_of(f"{found[1]} {unit}") if unit else None
    try:
        value = float(found[1]) * POWERS[found[2].lower()] if found else 0.0
    except ValueError:
        return None
    return value if 1 <= value < math.inf else None


def delay_of(text: str, unit: str = "") -> float | None:
    """A time in us, None if it is none. unit: of one that has none."""
    found = re.fullmatch(r"\s*([0-9.]+(?:[eE][+-]?[0-9]+)?)\s*([pnum]?s)?\s*", text)
    if not found or not (found[2] or unit):
        return None
    try:
        value = float(found[1]) * TIMES[found[2] or unit]
    except ValueError:
        return None
    return max(LEAST_US, value) if math.isfinite(value) else None


def kilometers(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Along the surface, without the detours of cables. a, b: longitude and latitude in degrees."""
    (x, y), (u, v) = ([math.radians(one) for one in place] for place in (a, b))
    angle = math.sin((v - y) / 2)**2 + math.cos(y) * math.cos(v) * math.sin((u - x) / 2)**2
    return 2 * EARTH_KM * math.asin(min(1.0, math.sqrt(angle)))


@dataclasses.dataclass(frozen=True)
class Graph:
    """What a file has."""

    nodes: dict[str, Values]
    links: list[tuple[str, str, Values]]
    left_out: list[str]
    """what has no place in a network, in words"""
    spelled: dict[str, str]
    """attributes as the file writes them, by their names in lower case"""


def read_graph(path: Path) -> Graph:
    """Raises DcfabricError or OSError."""
    try:
        root = tree.parse(path).getroot()
    except tree.ParseError as error:
        raise DcfabricError(f"{path}: no GraphML: {error} ({HELP})") from error
    space = root.tag[:root.tag.find("}") + 1]  # that of the file's names, if it has one
    if root.tag != f"{space}graphml" or root.find(f"{space}graph") is None:
        raise DcfabricError(f"{path}: no GraphML: there is no <graph> in <graphml> ({HELP})")
    named = {key.get("id", ""): str(key.get("attr.name") or key.get("id", ""))
             for key in root.iter(f"{space}key")}
    usual = {(kind, named[key.get("id", "")]): key.findtext(f"{space}default") or ""
             for key in root.iter(f"{space}key")
             for kind in ("node", "edge") if key.get("for", "all") in (kind, "all")}
    spelled: dict[str, str] = {}

    def values(one: Any, kind: str) -> Values:
        own = {name: text for (of, name), text in usual.items() if of == kind}
        for data in one.findall(f"{space}data"):
            own[named.get(data.get("key", ""), data.get("key", ""))] = data.text or ""
        spelled.update({name.lower(): name for name, text in own.items() if text.strip()})
        return {name.lower(): text.strip() for name, text in own.items() if text.strip()}

    nodes = {node.get("id", ""): values(node, "node") for node in root.iter(f"{space}node")}
    if not nodes:
        raise DcfabricError(f"{path}: there is no <node> ({HELP})")
    links, loops = [], 0
    directed = collections.Counter[tuple[str, str]]()
    for edge in root.iter(f"{space}edge"):
        a, b = edge.get("source", ""), edge.get("target", "")
        for end in (a, b):
            if end not in nodes:
                raise DcfabricError(f"{path}: a link ends at '{end}', which is no node ({HELP})")
        loops += a == b
        if root.find(f"{space}graph").get("edgedefault") == "directed":  # type: ignore[union-attr]
            directed[a, b] += 1
            if directed[a, b] <= directed[b, a]:
                continue  # the way back of a link that there is
        if a != b:
            links.append((a, b, values(edge, "edge")))
    hyper = sum(1 for _ in root.iter(f"{space}hyperedge"))
    said = [*([f"{count_of(loops, 'link')} of a node to itself"] if loops else []),
            *([count_of(hyper, "hyperedge")] if hyper else [])]
    return Graph(nodes, links, said, spelled)


def names_of(nodes: Mapping[str, Values], taken: set[str]) -> dict[str, str]:
    """Names of switches: those of the file, in one word, each once. taken: others."""
    found = {}
    for number, values in nodes.items():
        text = next((values[name] for name in NAMES if name in values), number)
        word = re.sub(r"[\s,:]+", "-", text.strip()).strip("-")
        word = "".join(letter for letter in word if letter.isprintable())
        found[number] = free_name(f"switch-{word}" if re.fullmatch(r"[0-9]*", word) else word,
                                  taken)
    return found


def free_name(name: str, taken: set[str]) -> str:
    """The name, or if it is taken with a number behind it. It is taken then."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    taken.add(free)
    return free


def place_of(values: Values) -> tuple[float, float] | None:
    """Longitude and latitude of a node."""
    for east, north in PLACES:
        try:
            x, y = float(values[east]), float(values[north])
        except (KeyError, ValueError):
            continue
        if abs(x) <= 360 and abs(y) <= 90:
            return x, y
    return None


def read_rate(values: Values, wanted: str, unit: str) -> tuple[str, float] | None:
    """The attribute that has the rate of a link, and the rate in bit/s."""
    for name in (wanted.lower(),) if wanted else RATES:
        own = {"linkspeedraw": "bps",
               LINK_SPEED: f"{values.get('linkspeedunits', '').strip()}bps"}.get(name, unit)
        rate = rate_of(values.get(name, ""), own)
        if rate is not None and wanted.lower() != "none":
            return name, rate
    return None


def read_delay(values: Values, wanted: str, unit: str,
               places: Sequence[tuple[float, float] | None]) -> tuple[str, float] | None:
    """Where the delay of a link is from, and the delay in us. places: of its ends."""
    for name in (wanted.lower(),) if wanted else DELAYS:
        delay = delay_of(values.get(name, ""), unit)
        if delay is not None and wanted.lower() != "none":
            return name, delay
    a, b = places
    if a is None or b is None or wanted.lower() not in ("", "distance"):
        return None
    return "distance", max(LEAST_US, US_PER_KM * kilometers(a, b))


def rate_text(bps: float) -> str:
    """As a topology file has it."""
    for unit, size in (("Gbps", 1e9), ("Mbps", 1e6)):
        if bps % size == 0:
            return f"{bps / size:.0f}{unit}"
    return f"{bps:.0f}bps"


def delay_text(us: float) -> str:
    """As a topology file has it, to the nanosecond."""
    return f"{round(us, 3):.12g}us"


@dataclasses.dataclass(frozen=True)
class Choice:
    """Where the rates or delays of links are from."""

    what: str
    option: str
    """for links that have none"""
    usual: float
    text: Callable[[float], str]

    def values(self, found: Sequence[tuple[str, float] | None], given: float | None,
               links: Sequence[str], spelled: Mapping[str, str]) -> tuple[list[float], str]:
        """Values of all links, and a few words about them. found: those of the file. given: of
        the others, by the user. links: their names. spelled: attributes as they are called."""
        known = [one[1] for one in found if one]
        default = (given if given is not None else statistics.median(known) if known
                   else self.usual)
        sources = collections.Counter(one[0] for one in found if one)
        said = [f"{number} by {spelled.get(name, name)}" for name, number in sources.items()]
        lacking = [link for link, one in zip(links, found) if not one]
        if lacking:
            why = "" if given is not None else "the median, " if known else "by default, "
            some = ", ".join([*lacking[:SHOWN],
                              *([f"{len(lacking) - SHOWN} more"] if len(lacking) > SHOWN else [])])
            said.append(f"{len(lacking)} of {self.text(default)} ({why}{self.option}: {some})")
        return [one[1] if one else default for one in found], f"{self.what}: {', '.join(said)}"


SHOWN = 3
"""Links that a note names."""


def check_settings(settings: Settings) -> dict[str, float | None]:
    """The rates and times of settings; None for those that are empty. Raises DcfabricError."""
    given = {}
    for name, reader, such in (("rate", rate_of, "10Gbps"), ("host_rate", rate_of, "100Gbps"),
                               ("delay", delay_of, "2ms")):
        text = getattr(settings, name)
        given[name] = reader(text)
        if text and given[name] is None:
            raise DcfabricError(f"--{name.replace('_', '-')}: '{text}' has to be such as {such}")
    for name, known in (("rate_unit", ["bps", "kbps", "Mbps", "Gbps", "Tbps"]),
                        ("delay_unit", [*TIMES])):
        if getattr(settings, name) not in known:
            raise DcfabricError(f"--{name.replace('_', '-')}: '{getattr(settings, name)}' is none "
                                f"of {', '.join(known)}")
    return given


def convert(path: str | Path, settings: Settings = Settings()) -> tuple[str, str]:
    """A topology file, as a text, and what of it is not from the GraphML file, in a line. Raises
    DcfabricError or OSError."""
    given = check_settings(settings)
    graph = read_graph(Path(path))
    attributes = {name for _, _, values in graph.links for name in values}
    for name in ("rate_from", "delay_from"):
        wanted = getattr(settings, name).lower()
        if wanted not in ("", "none", "distance") and wanted not in attributes:
            known = ", ".join(graph.spelled[one] for one in sorted(attributes)) or "none"
            raise DcfabricError(f"--{name.replace('_', '-')}: no link of {path} has the attribute "
                                f"'{getattr(settings, name)}'; there are: {known} ({HELP})")
    places = {node: place_of(values) for node, values in graph.nodes.items()}
    taken: set[str] = set()
    names = names_of(graph.nodes, taken)
    links = [f"{names[a]} to {names[b]}" for a, b, _ in graph.links]
    rates, of_rates = Choice("rates of links", "--rate", USUAL_BPS, rate_text).values(
        [read_rate(values, settings.rate_from, settings.rate_unit)
         for _, _, values in graph.links], given["rate"], links, graph.spelled)
    delays, of_delays = Choice("delays", "--delay", USUAL_US, delay_text).values(
        [read_delay(values, settings.delay_from, settings.delay_unit, (places[a], places[b]))
         for a, b, values in graph.links], given["delay"], links, graph.spelled)
    unread = attributes - {*RATES, *DELAYS, "linkspeedunits", settings.rate_from.lower(),
                           settings.delay_from.lower()}
    said = [of_rates, of_delays] if graph.links else ["no links between switches"]
    said += [f"left out: {one}" for one in graph.left_out]
    if unread:
        said.append("attributes of links without effect: "
                    + ", ".join(graph.spelled[name] for name in sorted(unread)))
    hosts = [(node, free_name(f"host-{names[node]}{f'-{i}' if settings.hosts > 1 else ''}", taken))
             for node in graph.nodes for i in range(settings.hosts)]
    number = {node: len(hosts) + i for i, node in enumerate(graph.nodes)}
    host_rate = rate_text(given["host_rate"] or USUAL_BPS)
    lines = [f"{i} {number[node]} {host_rate} 1us 0" for i, (node, _) in enumerate(hosts)]
    lines += [f"{number[a]} {number[b]} {rate_text(rate)} {delay_text(delay)} 0"
              for (a, b, _), rate, delay in zip(graph.links, rates, delays)]
    text = [f"{len(hosts) + len(number)} {len(number)} {len(lines)}",
            " ".join(map(str, number.values())), *lines,
            *(f"node {i} {name}" for i, (_, name) in enumerate(hosts)),
            *(f"node {number[node]} {name}{place_text(place)}"
              for (node, name), place in zip(names.items(), drawn(places.values())))]
    return "\n".join(text) + "\n", "; ".join(said)


def drawn(places: Collection[tuple[float, float] | None]) -> list[tuple[float, float] | None]:
    """Where drawings have nodes: degrees of longitude as wide as they are at the mean latitude."""
    known = [place for place in places if place]
    wide = math.cos(math.radians(statistics.fmean(y for _, y in known))) if known else 1.0
    return [(place[0] * wide, place[1]) if place else None for place in places]


def place_text(place: tuple[float, float] | None) -> str:
    """As a topology file has it, with a blank."""
    return f" {place[0]:.6g} {place[1]:.6g}" if place else ""


def add_graphml(commands: Any) -> None:
    """The command for argparse."""
    usual = Settings()
    parser = commands.add_parser(
        "graphml", help="make a topology file of a network in GraphML",
        description="Make a topology file, for dcfabric-sim --topology=file:PATH, of a network in "
        "GraphML, as of the Internet Topology Zoo: each node becomes a switch with hosts. A note "
        "says which rates and delays are not from the file.")
    parser.add_argument("file", metavar="FILE", type=Path, help="GraphML")
    parser.add_argument("--out", metavar="FILE", type=Path,
                        help="topology file (default: standard output)")
    parser.add_argument("--rate", default="", metavar="RATE",
                        help="of links without one (default: the median of the others, without any "
                             f"{rate_text(USUAL_BPS)})")
    parser.add_argument("--delay", default="", metavar="TIME",
                        help="of links without one (default: the median of the others, without any "
                             f"{delay_text(USUAL_US)})")
    parser.add_argument("--rate-from", default="", metavar="NAME",
                        help="attribute of links with their rates, or none (default: LinkSpeedRaw, "
                             "in bit/s, LinkSpeed with LinkSpeedUnits, capacity or bandwidth)")
    parser.add_argument("--delay-from", default="", metavar="NAME",
                        help="attribute of links with their delays, distance or none (default: "
                             "delay or latency, else the distance by Longitude and Latitude, at 5 "
                             "us for each km)")
    parser.add_argument("--rate-unit", default=usual.rate_unit, metavar="UNIT",
                        help="of rates without a unit (default: %(default)s)")
    parser.add_argument("--delay-unit", default=usual.delay_unit, metavar="UNIT",
                        help="of delays without a unit (default: %(default)s)")
    parser.add_argument("--hosts", type=positive, default=usual.hosts, metavar="N",
                        help="at each switch (default: %(default)s)")
    parser.add_argument("--host-rate", default=usual.host_rate, metavar="RATE",
                        help="of their links, of 1us (default: %(default)s)")


def run_graphml(options: argparse.Namespace) -> None:
    """Raises DcfabricError or OSError."""
    if options.out:
        check_file("--out", options.out)
    text, said = convert(options.file, Settings(**{
        field.name: getattr(options, field.name) for field in dataclasses.fields(Settings)}))
    print(f"dcfabric graphml: note: {said}", file=sys.stderr)
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
