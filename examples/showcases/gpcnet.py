# SPDX-License-Identifier: GPL-2.0-only
"""GPCNeT's load test [GPCNET] as a program of ranks: roles, victims' tests, congestors, statistics.

Facts are of the benchmark's source, version 1.3 (network_load_test.c and what it calls).
"""
from __future__ import annotations

import dataclasses
import math
import os
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

from dcfabric.errors import DcfabricError
from dcfabric.run_files import write_whole

if TYPE_CHECKING:
    import pandas

LATENCY, BANDWIDTH, ALLREDUCE = "latency", "bandwidth", "allreduce"
TESTS = {LATENCY: ("RR two-sided latency (8 B)", "us"),
         BANDWIDTH: ("RR two-sided bandwidth + sync (131072 B)", "MiB/s"),
         ALLREDUCE: ("multiple allreduce (8 B)", "us")}
"""Of victims, by the names of their marks: as the benchmark prints them, unit."""
ALL_TO_ALL, INCAST, PUT_INCAST, GET_BROADCAST = ("all-to-all", "incast", "put-incast",
                                                 "get-broadcast")
CONGESTORS = (ALL_TO_ALL, INCAST, PUT_INCAST, GET_BROADCAST)
"""Kinds, by the names of their marks."""
LATENCY_BYTES, BANDWIDTH_BYTES, OUTSTANDING, CONGESTOR_BYTES = 8, 131072, 8, 4096
LEAST_HOSTS = 10
RING_SEED = 8675309
"""Of the rings of a slice: this and the local number of its ranks."""
EAGER_BYTES = 512
"""MPI keeps a copy of a small message and goes on at once."""
STOP_BYTES = 1000
"""Least of the message that ends congestors, which is longer than what is buffered (Counts.eager):
its sender has to know that it has arrived."""
ATTRIBUTES = {"ns3::RankRunner::EagerBytes": EAGER_BYTES}
"""With which a job has to run whose counts do not say otherwise; see attributes()."""
STOP_TAG = 9
MIB = 1 << 20


@dataclasses.dataclass(frozen=True)
class Counts:
    """How often; the defaults are far below those of the benchmark, which measures for seconds."""

    rings: int = 3
    """random rings of each test (benchmark: 30)"""
    latency: int = 20
    """iterations of the latency test on a ring (200), and as many to warm up as latency_warm_up
    says (200)"""
    latency_warm_up: int = 5
    bandwidth: int = 2
    """the same of the bandwidth test (8, 1)"""
    bandwidth_warm_up: int = 1
    allreduce: int = 20
    """calls (200); 0: without that test, and so for the others"""
    rounds: int = 4
    """of congestors from one look for the end to the next"""
    alone: int = 8
    """rounds of each congestor alone"""
    outstanding: int = OUTSTANDING
    """messages of the bandwidth test to and from each neighbor at once (8)"""
    eager: int = EAGER_BYTES
    """bytes up to which MPI keeps a copy of a message and goes on at once. Libraries have some
    kilobytes and more, so that their senders of an incast (4096 bytes) do not wait for the root"""

    pause_us: int = 0
    """from one iteration of the latency test to the next, so that few of them meet as much of what
    congestors do as thousands would"""
    settle_us: int = 0
    """for how long congestors run before victims measure; in the benchmark 256 times some tens or
    hundreds of rounds"""

    @property
    def stop_bytes(self) -> int:
        """Length of the message that ends congestors."""
        return max(STOP_BYTES, self.eager + 1)


@dataclasses.dataclass(frozen=True)
class Layout:
    """Who does what. Ranks are numbered by role: those of the first victim host, of the second ...
    then of the hosts of each congestor."""

    hosts: int
    """of the network"""
    per_host: int
    """ranks on each (PPN)"""
    seed: int = 1
    """of the roles"""
    congestors: tuple[str, ...] = CONGESTORS
    """kinds that there are"""

    def __post_init__(self) -> None:
        if self.hosts < LEAST_HOSTS or self.per_host < 1 or not self.congestors:
            raise DcfabricError(f"GPCNeT needs {LEAST_HOSTS} hosts, a rank on each and a "
                                f"congestor; there are {self.hosts} hosts, "
                                f"{self.per_host} ranks, {len(self.congestors)} congestors")

    def roles(self) -> dict[str, list[int]]:
        """Hosts of the victims ("") and of each congestor: four fifths of the hosts, drawn at
        random, dealt out one by one."""
        shuffled = random.Random(self.seed).sample(range(self.hosts), self.hosts)
        congestors = shuffled[:4 * self.hosts // 5]
        return {"": shuffled[len(congestors):],
                **{kind: congestors[number::len(self.congestors)]
                   for number, kind in enumerate(self.congestors)}}

    def first(self) -> dict[str, int]:
        """First rank of each role."""
        found, at = {}, 0
        for role, hosts in self.roles().items():
            found[role] = at
            at += len(hosts) * self.per_host
        return found

    def slice_of(self, role: str, local: int) -> list[int]:
        """Ranks of a slice, which talk to one another alone: those with a local number on all hosts
        of a role."""
        first = self.first()[role] + local
        return [first + at * self.per_host for at in range(len(self.roles()[role]))]

    def rings(self, local: int, count: int) -> list[list[int]]:
        """Random orders of the victims of a slice."""
        chance, order, found = random.Random(RING_SEED + local), self.slice_of("", local), []
        for _ in range(count):
            cyclic_shuffle(order, chance)
            found.append(list(order))
        return found


def network(quick: bool) -> tuple[str, int]:
    """What the experiments run on, a topology and the number of its hosts: full bisection, as the
    PFT paper has it."""
    leaves, spines, hosts = (4, 10, 10) if quick else (10, 12, 12)
    return f"leaf-spine:leaves={leaves},spines={spines},hosts={hosts}", leaves * hosts


def attributes(counts: Counts) -> dict[str, int]:
    """With which a job of such counts has to run."""
    return {**ATTRIBUTES, "ns3::RankRunner::EagerBytes": counts.eager}


def cyclic_shuffle(order: list[int], chance: random.Random) -> None:
    """Each place, from the last on, changes with a random one before it: nothing stays where it was
    (Sattolo)."""
    for at in range(len(order) - 1, 0, -1):
        other = chance.randrange(at)
        order[at], order[other] = order[other], order[at]


def _block(head: str, lines: Sequence[str]) -> list[str]:
    return [f"{head} {{", *lines, "}"]


def _exchange(left: int, right: int, size: int, times: int) -> list[str]:
    """With both neighbors; tags tell directions, because in a ring of two they are one rank."""
    lines = [f"isend {right} {size} tag=1", f"isend {left} {size} tag=2", f"irecv {left} tag=1",
             f"irecv {right} tag=2"]
    return [*(_block(f"repeat {times}", lines) if times > 1 else lines), "wait"]


def _victim(layout: Layout, counts: Counts, orders: Sequence[Sequence[int]],
            rank: int) -> list[str]:
    """The three tests of a victim."""
    lines: list[str] = []
    sides = []
    for order in orders:
        at = order.index(rank)
        sides.append((order[at - 1], order[(at + 1) % len(order)]))
    lines += ["barrier victims", *([f"compute {counts.settle_us}us"] if counts.settle_us else [])]
    pause = [f"compute {counts.pause_us}us"] if counts.pause_us else []
    for left, right in sides:
        once = _exchange(left, right, LATENCY_BYTES, 1)
        lines += ["barrier slice", *_block(f"repeat {counts.latency_warm_up}", once),
                  *_block(f"repeat {counts.latency}", [*pause, *_block(f"mark {LATENCY}", once)])]
    lines.append("barrier victims")
    for left, right in sides:
        once = [*_exchange(left, right, BANDWIDTH_BYTES, counts.outstanding), "barrier slice"]
        lines += ["barrier slice", *_block(f"repeat {counts.bandwidth_warm_up}", once),
                  *_block(f"mark {BANDWIDTH}", _block(f"repeat {counts.bandwidth}", once))]
    lines += ["barrier victims", *_block(f"repeat {counts.allreduce}",
                                         _block(f"mark {ALLREDUCE}",
                                                ["allreduce 8 slice algorithm=doubling"]))]
    return lines


def _round(layout: Layout, kind: str, root: bool) -> list[str]:
    """A round of a congestor; a rank of a root has a slice of its own, and all roots of a kind are
    on one host."""
    first, size = layout.first()[kind], len(layout.roles()[kind])
    mine = f"{first}+rank%{layout.per_host}"
    if kind == ALL_TO_ALL:
        return _block(f"mark {kind}", [f"alltoall {CONGESTOR_BYTES} slice"])
    if root:
        return [*_block(f"repeat {size - 1} i", [f"irecv {mine}+(i+1)*{layout.per_host} as=data"]),
                "wait data"] if kind == INCAST else []
    return _block(f"mark {kind}",
                  [f"{ {INCAST: 'send', PUT_INCAST: 'put', GET_BROADCAST: 'get'}[kind]} {mine} "
                   f"{CONGESTOR_BYTES}"])


def _beside_victims(layout: Layout, counts: Counts, kind: str, root: bool) -> list[str]:
    """Rounds until the victims are done. All ranks of a slice have to leave after the same round:
    its root, told by a victim, tells the others when all of them have looked (first barrier) and
    before any looks again (second)."""
    first, size = layout.first()[kind], len(layout.roles()[kind])
    mine = f"{first}+rank%{layout.per_host}"
    once = _round(layout, kind, root)
    rounds = _block(f"repeat {counts.rounds}", once) if once else []
    lines = [f"irecv {0 if root else mine} tag={STOP_TAG} as=stop", *once, "barrier",
             *_block("until stop", [*rounds, "barrier slice", "barrier slice"])]
    if root:
        lines += [*rounds, "barrier slice",
                  *_block(f"repeat {size - 1} i",
                          [f"isend {mine}+(i+1)*{layout.per_host} {counts.stop_bytes} "
                           f"tag={STOP_TAG} as=told"]),
                  "wait told", "barrier slice"]
    return lines


def _alone(layout: Layout, counts: Counts, kind: str, root: bool) -> list[str]:
    """One kind after the other."""
    once = _round(layout, kind, root)
    mine = _block(f"repeat {counts.alone}", once) if once else []
    return [line for one in layout.congestors
            for line in ["barrier congestors", *(mine if one == kind else [])]]


def _ranks(first: int, count: int) -> str:
    return f"{first}-{first + count - 1}" if count > 1 else f"{first}"


def job(layout: Layout, counts: Counts, victims: bool = True, congestors: bool = True) -> str:
    """The text of a job file. victims, congestors: who takes part; congestors without victims run
    one kind after the other."""
    if not victims and not congestors:
        raise DcfabricError("GPCNeT: neither victims nor congestors take part")
    roles, first, per = layout.roles(), layout.first(), layout.per_host
    hosts = [host for role in roles.values() for host in role]
    ranks = len(hosts) * per
    role = "+".join(f"(rank/{per}>={first[kind] // per})" for kind in layout.congestors)
    lines = [f"ranks {ranks} per-host {per}",
             *(f"place {rank} {hosts[rank // per]}" for rank in range(ranks)),
             f"group victims {_ranks(0, len(roles['']) * per)}",
             "group congestors "
             f"{_ranks(first[layout.congestors[0]], ranks - first[layout.congestors[0]])}",
             f"groups slice by ({role})*{per}+rank%{per}"]
    if victims:
        for local in range(per):
            orders = layout.rings(local, counts.rings)
            for rank in layout.slice_of("", local):
                own = _victim(layout, counts, orders, rank)
                if congestors:
                    own = ["barrier", *own, "barrier victims"]
                    if rank == 0:
                        own += [f"isend {first[kind] + at} {counts.stop_bytes} tag={STOP_TAG}"
                                for kind in layout.congestors for at in range(per)]
                lines += _block(f"program {rank}", own)
    if congestors:
        write = _beside_victims if victims else _alone
        for kind in layout.congestors:
            lines += _block(f"program {_ranks(first[kind], per)}",
                            write(layout, counts, kind, True))
            lines += _block(f"program {_ranks(first[kind] + per, (len(roles[kind]) - 1) * per)}",
                            write(layout, counts, kind, False))
    return "\n".join(lines) + "\n"


def write_job(path: str | os.PathLike[str], text: str) -> Path:
    """Write a job file, whole; an unchanged one is left alone. Returns its path."""
    found = Path(path)
    found.parent.mkdir(parents=True, exist_ok=True)
    if not found.is_file() or found.read_text() != text:
        write_whole(found, text)
    return found


@dataclasses.dataclass(frozen=True)
class Figures:
    """What the benchmark prints of a test."""

    average: float
    """mean of all values"""
    worst: float
    """99 %: the value that 99 % of all do no worse than"""
    values: int
    """how many"""


def worst_of(values: Sequence[float], more_is_better: bool, share: float = 0.99) -> float:
    """The smallest of values, sorted from the best on, that so many do no worse than; the benchmark
    rounds to 1/100,000 of the range."""
    ordered = sorted(values, reverse=more_is_better)
    return ordered[max(math.ceil(share * len(ordered) - 1e-9), 1) - 1]


def figures_of(values: Sequence[float], more_is_better: bool) -> Figures:
    """Of a test. Raises DcfabricError without values."""
    if not values:
        raise DcfabricError("GPCNeT: no rank has measured anything")
    return Figures(math.fsum(values) / len(values), worst_of(values, more_is_better), len(values))


def values_of(marks: pandas.DataFrame, counts: Counts, test: str) -> pandas.Series[float]:
    """What ranks have measured in a test, by rank. marks: of a run."""
    rows = marks[marks["name"] == test].set_index("rank")
    ns = rows["end_ns"] - rows["start_ns"]
    volume = counts.bandwidth * 2 * counts.outstanding * BANDWIDTH_BYTES / MIB
    return volume / (ns / 1e9) if test == BANDWIDTH else ns / (2e3 if test == LATENCY else 1e3)


def victims_of(marks: pandas.DataFrame, counts: Counts) -> dict[str, Figures]:
    """Results of the tests that there are. marks: of a run."""
    return {test: figures_of([float(value) for value in values_of(marks, counts, test)],
                             test == BANDWIDTH)
            for test in TESTS if getattr(counts, test) > 0}


def congestors_of(marks: pandas.DataFrame, layout: Layout) -> dict[str, Figures]:
    """MiB/s that a rank of each congestor sends or gets in a round. marks: of a run."""
    found = {}
    for kind in layout.congestors:
        size = CONGESTOR_BYTES * (len(layout.roles()[kind]) - 1 if kind == ALL_TO_ALL else 1)
        rows = marks[marks["name"] == kind]
        found[kind] = figures_of([size / MIB / (float(ns) / 1e9)
                                  for ns in rows["end_ns"] - rows["start_ns"] if ns > 0], True)
    return found


def impact(test: str, isolated: float, congested: float) -> float:
    """Congestion impact factor of the benchmark, from values as printed, with a decimal: from 1 on,
    congestion harms."""
    alone, beside = round(isolated, 1), round(congested, 1)
    above, below = (alone, beside) if test == BANDWIDTH else (beside, alone)
    if not below > 0:
        raise DcfabricError(f"GPCNeT: no impact factor of {test}: isolated {isolated:g}, congested "
                            f"{congested:g}")
    return above / below


def bars(series: Mapping[str, Any]) -> Any:
    """Impact factors of Avg and 99 % by congestion control, a group of bars for each test."""
    from dcfabric.drawing import bar_groups, legend_beside, looks, panels, plain_log

    factors = series["impact"]
    figure, axes = panels(1, 2, 9, 3.8, sharey=True)
    for axis, (key, title) in zip(axes[0], (("average", "mean"), ("worst", "99th percentile"))):
        bar_groups(axis,
                   {test: {control: of[test][key] for control, of in factors.items()}
                    for test in TESTS}, looks(factors), base=1)
        plain_log(axis)
        axis.axhline(1, color="0.4", linewidth=0.8)
        axis.set_title(title)
    axes[0][0].set_ylabel("congestion impact factor")
    legend_beside(axes)
    return figure


FIGURES: dict[str, dict[str, Callable[[Mapping[str, Any]], Any]]] = {"gpcnet": {"": bars}}
"""As in dcfabric.showcases.figures."""
