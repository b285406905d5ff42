# SPDX-License-Identifier: GPL-2.0-only
"""Color, dash, marker and hatch of each algorithm: the same in every figure, told apart by
color-blind readers and in black and white."""
from __future__ import annotations

import collections
import dataclasses
import re
import zlib
from typing import Any, Iterable, Mapping, TypeVar

BLACK, BLUE, RED, GREEN, PINK, ORANGE, SKY, WINE, INDIGO, OLIVE, GRAY = COLORS = (
    "#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a1f4d",
    "#332288", "#999933", "#6a6a6a")
"""The first seven: Okabe and Ito, Color Universal Design (2008). Others after the muted scheme of
Tol, Colour Schemes (2021); its wine is darker here, for more distance to its indigo."""
OWN = ("#0000ff", "#772200", "#44cc77", "#7777ff")
"""Of algorithms that are not ours, so that none is taken for one of ours."""
DASHES: tuple[tuple[float, ...], ...] = ((), (5, 2), (6, 2, 1.5, 2), (1.5, 1.5),
                                         (6, 1.5, 1.5, 1.5, 1.5, 1.5), (9, 3), (3, 1),
                                         (9, 2, 3, 2), (4, 1.5, 1, 1.5, 1, 1.5, 1, 1.5),
                                         (12, 2, 1, 2), (4, 4))
"""Lengths of strokes and gaps in points; none is a solid line."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "*")
HATCHES = ("", "///", "...", "xxx", "\\\\\\", "---", "|||", "+++", "ooo", "/.", "\\|")


@dataclasses.dataclass(frozen=True)
class Look:
    """How one line, set of points or bar is drawn."""

    color: str
    """as #rrggbb"""
    dash: tuple[float, ...] = ()
    """lengths of strokes and gaps in points; none is a solid line"""
    marker: str = "o"
    """of matplotlib"""
    hatch: str = ""
    """of matplotlib; none is a plain area"""

    def line(self, **more: Any) -> dict[str, Any]:
        """Arguments of matplotlib for a line, which more may replace."""
        return {"color": self.color, "linestyle": (0, self.dash) if self.dash else "-", **more}

    def points(self, **more: Any) -> dict[str, Any]:
        """Arguments of matplotlib for a line with markers."""
        return {**self.line(), "marker": self.marker, "markersize": 4, **more}

    def bar(self, **more: Any) -> dict[str, Any]:
        """Arguments of matplotlib for a bar. Hatches are white on the color, so that they show on
        dark ones."""
        return {"color": self.color, "hatch": self.hatch, "edgecolor": "white", "linewidth": 0.5,
                **more}


def nth(number: int) -> Look:
    """Of the n-th line of what is no algorithm, such as the flows of a run. The first 121 differ in
    color or dash."""
    at, others = number % len(COLORS), (number + number // len(COLORS)) % len(DASHES)
    return Look(COLORS[at], DASHES[others], MARKERS[others], HATCHES[others])


NEUTRALS = ("#1f2d3a", "#5f7688", "#9fb0bd")
"""Of what is no algorithm, and would be taken for one in any of COLORS: dark to light."""


def neutral(number: int) -> Look:
    """Of the n-th quantity of one flow, port or rank, or of bars that have their names beside
    them."""
    return dataclasses.replace(nth(number % len(COLORS)), color=NEUTRALS[number % len(NEUTRALS)])


KINDS = ("cc", "lb", "algorithm")
"""Options, and columns of a study, whose values look the same in whatever company."""


def own(name: str) -> Look:
    """Of an algorithm that is not ours: by its name without that of its namespace, one of 44 in
    colors that no other has."""
    at = zlib.crc32(_words(name.rpartition("::")[2]).encode())
    return _at(OWN[at % len(OWN)], at // len(OWN) % len(DASHES))


def _at(color: str, place: int) -> Look:
    """With the dash, marker and hatch of a place."""
    return Look(color, DASHES[place], MARKERS[place], HATCHES[place])


def _family(**colors: str) -> dict[str, Look]:
    """Each of a family has a dash, a marker and a hatch of its own, in this order."""
    return {name.replace("_", " "): _at(color, place)
            for place, (name, color) in enumerate(colors.items())}


NOTHING = "none"
CONTROLS = {
    **_family(fncc=BLUE, hpcc=RED, dcqcn=GREEN, rocc=PINK, dctcp=WINE, timely=ORANGE, swift=SKY,
              bts=INDIGO, none=GRAY, nscc=OLIVE, powertcp=BLACK),
    # there are but eleven colors: variants have that of what they vary
    "hpcc rate": _at(RED, 4), "hpcc pint": _at(RED, 7), "theta powertcp": _at(BLACK, 2),
    "dcqcn plus": _at(GREEN, 5), "dcqcn win": _at(GREEN, 8), "timely win": _at(ORANGE, 1),
    "swift rccc": _at(SKY, 9), "nscc rccc": _at(OLIVE, 4), "external": _at(GRAY, 0),
    "external int": _at(GRAY, 3), "external ack int": _at(GRAY, 6),
    # others that of one that they are seldom compared with
    "falcon": _at(ORANGE, 3), "mprdma": _at(WINE, 9), "bolt": _at(WINE, 2), "ib": _at(INDIGO, 3),
    "rccc": _at(BLUE, 4), "ndp": _at(INDIGO, 1), "homa": _at(PINK, 8)}
BALANCERS = {
    **_family(reps=RED, ecmp=GREEN, symmetric_ecmp=BLUE, spray_random=SKY, spray_rr=PINK,
              flowlet=ORANGE, path_set=WINE, adaptive=INDIGO, spanning_trees=OLIVE),
    "weighted ecmp": _at(GREEN, 4), "reps ring": _at(RED, 3), "oblivious": _at(WINE, 10),
    "bitmap": _at(INDIGO, 10), "mixed": _at(OLIVE, 0), "mrc": _at(BLACK, 9),
    "plb": _at(BLUE, 10), "falcon": CONTROLS["falcon"], "drill": _at(INDIGO, 5),
    "conga": _at(BLACK, 5), "conweave": _at(SKY, 0), "hermes": _at(PINK, 10)}
FLOW_CONTROLS = _family(pfc=BLUE, credit=RED, voq_credit=GREEN)
TECHNIQUES = _family(rcm=BLACK, ccm=WINE, pft=INDIGO, wreb=OLIVE)
MODIFIERS = _family(ratio_cut=BLUE, ewma_gate=SKY, majority_gate=RED, rtt_ecn_recovery=GREEN,
                    median_filter=ORANGE)
ROUTINGS = _family(shortest=BLACK, minimal=BLUE, valiant=RED, ugal=GREEN, dimension_order=PINK,
                   minimal_adaptive=ORANGE, par=SKY, piggyback=WINE, par_piggyback=INDIGO)
RECEIVES = _family(preposted=BLACK, rtw=BLUE, rnr=RED, rendezvous=GREEN, deferrable=PINK)
FAMILIES = (CONTROLS, BALANCERS, FLOW_CONTROLS, TECHNIQUES, MODIFIERS, ROUTINGS, RECEIVES)
"""Names as options have them, with letters and digits only. Within a family all differ; those of
one color do in dash, marker and hatch."""
FIXED = {*CONTROLS, *BALANCERS}
"""These look the same in whatever company. (A load balancer that looks like a congestion control,
as flowlet like timely, has another dash, marker and hatch beside it.)"""
KNOWN = {name: look for family in FAMILIES for name, look in family.items()}
ALIASES = {"random spraying": "spray random", "flowlets": "flowlet",
           "mp rdma": "mprdma", "infiniband": "ib",
           "ratio based cuts": "ratio cut", "credits": "credit",
           "uncontrolled": NOTHING, "full cuts": NOTHING, "as it is": NOTHING,
           "unmodified": NOTHING, "isolated": NOTHING}
"""What figures call some of them."""


def _words(name: str) -> str:
    """As the tables above write it."""
    return " ".join(re.findall(r"[a-z0-9]+", name.lower()))


def known_as(name: str) -> str | None:
    """Which algorithm a name is of: what it begins with ("FNCC, 100 Gb/s"), else what it mentions
    ("hosts (REPS)"), the longest of several; "no" before anything is none. None if it is of no
    known one."""
    words = _words(name)
    if words.split(" ")[0] == "no":
        return NOTHING
    names = sorted([*KNOWN, *ALIASES], key=len, reverse=True)
    for found in (one for one in names if f"{words} ".startswith(f"{one} ")):
        return ALIASES.get(found, found)
    for found in (one for one in names if one != NOTHING and f" {one} " in f" {words} "):
        return ALIASES.get(found, found)
    return None


def look(name: str) -> Look:
    """Of an algorithm as users write it, in any case, also with more behind it. Of an unknown name:
    always the same, but perhaps that of another; ``looks`` gives those of a figure."""
    key = known_as(name)
    if key is not None:
        return KNOWN[key]
    at = zlib.crc32(_words(name).encode())
    return Look(COLORS[at % 10], DASHES[at // 10 % len(DASHES)], MARKERS[at // 10 % len(MARKERS)],
                HATCHES[at // 10 % len(HATCHES)])


Part = TypeVar("Part")


def _free(wish: Part, all_of: tuple[Part, ...], taken: Iterable[Part],
          order: int | None = None) -> Part:
    """What is wished, or the next that is not taken, from the place in order on; once all are, of
    those that were taken least."""
    counts = collections.Counter(taken)
    if not counts[wish]:
        return wish
    start = order if order is not None else all_of.index(wish) if wish in all_of else 0
    return min(all_of[start:] + all_of[:start], key=lambda one: counts[one])


def _controls(names: list[str]) -> dict[str, str]:
    """The congestion control that each name mentions, where these differ and what the names begin
    with does not: "minimal-fncc" and "minimal-hpcc"."""
    begins = {known_as(name) for name in names}
    if len(begins) != 1 or begins <= {None, *CONTROLS}:
        return {}
    longest = sorted(CONTROLS, key=len, reverse=True)
    found = {name: next((one for one in longest
                         if one != NOTHING and f" {one} " in f" {_words(name)} "), "")
             for name in names}
    return found if all(found.values()) and len(set(found.values())) > 1 else {}


def looks_of(kind: str | None, names: Iterable[str]) -> dict[str, Look]:
    """Of the values of an option or column. kind: its name."""
    order = list(names)
    return looks(order, {name: name for name in order}, True) if kind in KINDS else looks(order)


def looks(names: Iterable[str], algorithms: Mapping[str, str] | None = None,
          fixed_kind: bool = False) -> dict[str, Look]:
    """Of all names of a figure, no two alike in color and dash, up to 121. Congestion controls and
    load balancers have their own looks. Any other algorithm has so, too, unless one of these has
    the color. Variants of an algorithm ("FNCC without LHCS") have its color, with another dash,
    marker and hatch. Other names have a color of their own unless it is taken, and dashes in the
    order of names. Up to eleven of what is not fixed differ in each of color, dash, marker and
    hatch.

    algorithms: by name, where something else than the name tells it, such as the option of a
    run. However many names are of one, they have its color. fixed_kind: they are of one of KINDS:
    those that are not ours have the look of own(), but for two of one look, where the second one
    has the next that is free."""
    order = list(dict.fromkeys(names))
    told = _controls(order) if algorithms is None else algorithms
    keys = {name: known_as(told[name]) or _words(told[name]) if name in told else known_as(name)
            for name in order}
    others_own = {name: f"own {_words(told[name].rpartition('::')[2])}" for name in order
                  if fixed_kind and told.get(name) and not known_as(told[name])}
    keys.update(others_own)
    # the one of each algorithm that has its look: the plain name, else the first
    chosen: dict[str | None, str] = {}
    for name in sorted(order,
                       key=lambda name: keys[name] not
                       in (_words(name), ALIASES.get(_words(name)))):
        chosen.setdefault(keys[name], name)
    found: dict[str, Look] = {}
    owner: dict[str, str | None] = {}

    def turn(name: str) -> int:
        """What is certain comes first."""
        key = keys[name]
        if key is None:
            return 4
        if chosen[key] != name:
            return 3
        return next((at for at, some in enumerate((CONTROLS, BALANCERS)) if key in some), 2)

    for name in sorted(order, key=turn):
        key, mine = keys[name], name in others_own
        wish = own(told[name]) if mine else look(told.get(name, name))
        if key is None:  # of a name that says nothing only the color is its own
            wish = Look(wish.color)
        color = wish.color
        taken = [one.color for one in found.values()]
        fixed = (key in FIXED or mine) and chosen[key] == name
        if not fixed and not mine and (
                owner.get(color, key) != key or (key is None and color in owner)
                or algorithms is None and taken.count(color) >= len(DASHES)):
            # gray means none
            color = _free(color, COLORS[:-1] if set(COLORS[:-1]) - set(owner) else COLORS,
                          [*owner, *taken])
        owner.setdefault(color, key)
        # once each has been taken, those of other colors no longer count
        others = [one for one in found.values()
                  if not fixed and len(found) < len(DASHES) or one.color == color]
        found[name] = Look(color, _free(wish.dash, DASHES, [one.dash for one in others], 0),
                           _free(wish.marker, MARKERS, [one.marker for one in others]),
                           _free(wish.hatch, HATCHES, [one.hatch for one in others]))
    return {name: found[name] for name in order}
