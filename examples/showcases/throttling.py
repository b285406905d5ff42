# SPDX-License-Identifier: GPL-2.0-only
"""What the experiments with proactive flow throttling share: settings, traffic, measures and
figures."""
from __future__ import annotations

import dataclasses
import random
from typing import TYPE_CHECKING, Any, Callable

from dcfabric.errors import DcfabricError
from dcfabric.flows import Flow

if TYPE_CHECKING:
    from dcfabric.result import Result

LATENCY_BYTES, BANDWIDTH_BYTES = 8, 131072
"""Messages of victims, as in GPCNeT: of its latency and its bandwidth test."""
VICTIMS = 0.2
"""Share of the hosts, as in GPCNeT."""
UNCONTROLLED = "no control"
DETECTORS = {"FT": "ns3::FixedThresholdDetector", "AT": "ns3::AverageThresholdDetector"}
SPACERS = {"FI": "ns3::FixedIntervalSpacer", "RI": "ns3::RandomIntervalSpacer"}
KINDS = [f"{detector}-{spacer}" for spacer in SPACERS for detector in DETECTORS]
BEST, PAPER_BEST = "AT-RI, m=18", 2.58
"""Setting and control factor."""
ENTER, LEAVE = 0x250, 0x2a0
"""Thresholds of the paper's best setting, for AT; FT has them the other way round."""


CLOCK_GHZ, FLIT_BYTES, RANDOM_BITS = 0.7, 18, 32
"""Defaults of ns3::ProactiveFlowThrottle and ns3::RandomIntervalSpacer: a flit of the line goes in
a cycle."""


@dataclasses.dataclass(frozen=True)
class Service:
    """What a network did for some traffic."""

    bandwidth: float
    """mean, in any unit"""
    delay: float
    """mean, in any unit"""


def control_factor(with_: Service, without: Service) -> float:
    """F_C of the PFT paper, equation 2: B_C / D_C over B_0 / D_0, above 1 if control does good.
    with_: under the control. without: of the same traffic without."""
    for one in (with_, without):
        if not one.bandwidth > 0 or not one.delay > 0:
            raise DcfabricError(f"control factor: bandwidth {one.bandwidth:g} and delay "
                                f"{one.delay:g} must be above 0")
    return with_.bandwidth / with_.delay * without.delay / without.bandwidth


def pft(kind: str, m: int = 0, n: int = 0, k: int = 0, enter: int = ENTER, leave: int = LEAVE,
        period: int | None = None, cycles: int | None = None) -> dict[str, Any]:
    """Fields of a Scenario. kind: detector and spacer, such as ``AT-RI``. period, cycles: of AT, Te
    and Te', which Ts and Ts' equal; None: as they are by default."""
    detector, spacer = kind.split("-")
    if detector == "FT":
        enter, leave = max(enter, leave), min(enter, leave)
    times = {f"ns3::AverageThresholdDetector::{side}{what}": value for side in ("Enter", "Leave")
             for what, value in (("Period", period), ("Cycles", cycles)) if value is not None}
    return {"throttle": "pft",
            "attributes": {"ns3::ProactiveFlowThrottle::Detector": DETECTORS[detector],
                           "ns3::ProactiveFlowThrottle::Spacer": SPACERS[spacer],
                           "ns3::ThrottleDetector::Enter": enter,
                           "ns3::ThrottleDetector::Leave": leave,
                           "ns3::FlitSpacer::M": m, "ns3::FlitSpacer::N": n,
                           "ns3::FlitSpacer::K": k, **times}}


def free_share(spacer: str, used: int, m: int = 0, n: int = 0, k: int = 0) -> float:
    """Injection rate of a congested port with so many used credits, as a share of that of one flit
    in each cycle: equation 1."""
    value = ((used << m) >> n) + k
    return 1 / max(1, value) if spacer == "FI" else max(0.0, 1 - value / 2 ** RANDOM_BITS)


def injection_rates() -> dict[str, dict[str, list[tuple[int, float]]]]:
    """Lines of figure 1: by spacer and setting, the free share over used credits."""
    used = [2 ** (exponent / 8) for exponent in range(6 * 8, 14 * 8 + 1)]

    def line(spacer: str, **shifts: int) -> list[tuple[int, float]]:
        return [(round(c), free_share(spacer, round(c), **shifts)) for c in used]

    return {"FI": {**{f"n={n}": line("FI", n=n) for n in range(8, 13)},
                   "n=8, k=2": line("FI", n=8, k=2)},
            "RI": {f"m={m}": line("RI", m=m) for m in range(15, 23)}}


def buffers_of(text: str) -> list[int]:
    """Of --buffers: bytes as whole numbers."""
    try:
        return list(dict.fromkeys(int(one) for one in text.split(",")))
    except ValueError:
        raise DcfabricError(
            f"--buffers: '{text}' is no comma list of whole numbers of bytes") from None


def kind_of(name: str) -> str:
    """Detector and spacer of a setting of the grid."""
    return name.split(",")[0]


def settings_of(name: str) -> dict[str, int]:
    """Numbers in the name of a setting, such as m and te."""
    return {key: int(value) for key, value in (part.split("=") for part in name.split(", ")[1:])}


def run_name(name: str, buffer: int, seed: int) -> str:
    """Of a run, and its folder."""
    return f"{buffer}-{name}-{seed}".replace(" ",
                                             "-").replace(",", "").replace("=", "").replace(
                                                 "'", "-prime")


def grid(quick: bool) -> dict[str, dict[str, Any]]:
    """Settings by their names: without control, and each kind over its shift."""
    found: dict[str, dict[str, Any]] = {UNCONTROLLED: {}}
    for detector in DETECTORS:
        for m in (18, 22) if quick else range(15, 23):
            found[f"{detector}-RI, m={m}"] = pft(f"{detector}-RI", m=m)
        for n in (8,) if quick else range(8, 13):
            found[f"{detector}-FI, n={n}"] = pft(f"{detector}-FI", n=n)
    return found


THRESHOLDS = ((148, 168), (296, 336), (640, 592))
"""te and ts beside those of the paper: a quarter, half, and such that AT does not go to and fro."""
PERIODS = ((256, 128), (4096, 2048), (1024, 64))
"""Te and Te' beside 1024 and 512."""


def variants() -> dict[str, dict[str, Any]]:
    """More settings by their names: what k, thresholds and periods change."""
    found: dict[str, dict[str, Any]] = {f"AT-FI, n={n}, k={k}": pft("AT-FI", n=n, k=k)
                                        for n in range(8, 13) for k in (1, 2)}
    for m in (18, 22):
        found.update(
            {f"AT-RI, m={m}, te={enter}, ts={leave}": pft("AT-RI", m=m, enter=enter, leave=leave)
             for enter, leave in THRESHOLDS})
        found.update(
            {f"AT-RI, m={m}, Te={period}, Te'={cycles}":
             pft("AT-RI", m=m, period=period, cycles=cycles)
             for period, cycles in PERIODS})
    return found


def chosen(text: str) -> dict[str, dict[str, Any]]:
    """Settings by their names, with that without control. text: few, grid, all, or names with
    semicolons between them. Raises DcfabricError for unknown ones."""
    every = {**grid(False), **variants()}
    if text in ("few", "grid"):
        return grid(text == "few")
    if text == "all":
        return every
    names = [name.strip() for name in text.split(";")]
    for name in names:
        if name not in every:
            raise DcfabricError(f"--settings: unknown '{name}'; known: few, grid, all, or some of "
                                f"{'; '.join(every)}")
    return {name: every[name] for name in dict.fromkeys([UNCONTROLLED, *names])}


@dataclasses.dataclass(frozen=True)
class Traffic:
    """Victims among congestors."""

    hosts: int
    """of the network"""
    pattern: str
    """what congestors do, of PATTERNS"""
    begin_us: float
    """when victims begin"""
    end_us: float
    """when the run ends"""
    period_us: float
    """of messages of a victim"""
    seed: int
    """of all choices"""

    def flows(self) -> list[Flow]:
        """All messages. Victims send to the next one of a random ring, each period a small and a
        large one."""
        chance = random.Random(self.seed)
        order = chance.sample(range(self.hosts), self.hosts)
        victims, congestors = order[:round(VICTIMS * self.hosts)], order[round(
            VICTIMS * self.hosts):]
        flows = PATTERNS[self.pattern](congestors, self.end_us, chance)
        for here, there in zip(victims, victims[1:] + victims[:1]):
            start = self.begin_us + chance.random() * self.period_us
            while start < self.end_us - self.period_us:
                flows.append(Flow(here, there, LATENCY_BYTES, round(start * 1e3)))
                flows.append(Flow(here, there, BANDWIDTH_BYTES,
                                  round((start + self.period_us / 4) * 1e3)))
                start += self.period_us
        return flows

    def service(self, result: Result) -> tuple[Service, list[float], list[float]]:
        """What victims got: mean rate of a large message in Gb/s and mean delay of a small one in
        us; and of each victim, its mean delay and its mean rate. A message that has not arrived
        counts as if it did at the end."""
        flows = result.flows
        left = self.end_us * 1e3 - flows["start_ns"]
        flows = flows.assign(took=flows["fct_ns"].fillna(left))
        small = flows[flows["size_bytes"] == LATENCY_BYTES]
        large = flows[flows["size_bytes"] == BANDWIDTH_BYTES]
        large = large.assign(gbps=8 * large["size_bytes"] / large["took"])
        return (Service(float(large["gbps"].mean()), float(small["took"].mean()) / 1e3),
                [us / 1e3 for us in small.groupby("src")["took"].mean()],
                [float(gbps) for gbps in large.groupby("src")["gbps"].mean()])


FAN_IN = 15
BURST_US, BURST_BYTES = 250, 100000


def incasts(congestors: list[int], end_us: float, chance: random.Random) -> list[Flow]:
    """FAN_IN hosts to one, without end, as many times as there are hosts for it."""
    size = round(end_us * 12500)  # more than a line of 100 Gb/s carries
    flows = []
    for at in range(0, len(congestors), FAN_IN + 1):
        receiver, *senders = congestors[at:at + FAN_IN + 1]
        flows += [Flow(sender, receiver, size, round(chance.random() * 5e3)) for sender in senders]
    return flows


def all_to_all(congestors: list[int], end_us: float, chance: random.Random) -> list[Flow]:
    """Each to all others at once, in random order, for as long as the run lasts at line rate."""
    size = round(end_us * 12500 / (len(congestors) - 1))
    return [Flow(here, there, size, round(chance.random() * 5e3))
            for here in congestors for there in chance.sample(congestors, len(congestors))
            if here != there]


def bursts(congestors: list[int], end_us: float, chance: random.Random) -> list[Flow]:
    """As incasts, but each sender has BURST_BYTES every BURST_US: half of what its receiver can
    take."""
    flows = []
    for at in range(0, len(congestors), FAN_IN + 1):
        receiver, *senders = congestors[at:at + FAN_IN + 1]
        start = chance.random() * BURST_US
        while start < end_us:
            flows += [Flow(sender, receiver, BURST_BYTES, round(start * 1e3)) for sender in senders]
            start += BURST_US
    return flows


PATTERNS: dict[str, Callable[[list[int], float, random.Random], list[Flow]]] = {
    "incasts": incasts,
    "bursts": bursts,
    "all-to-all": all_to_all,
}
