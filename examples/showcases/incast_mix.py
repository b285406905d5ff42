# SPDX-License-Identifier: GPL-2.0-only
"""Traffic of the HPCC paper's simulations: flows by a distribution of sizes, and incasts in
between."""
from __future__ import annotations

import bisect
import random
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Sequence

from dcfabric.flows import Flow
from dcfabric.run_files import write_whole
from .series import firm, samples

FB_HADOOP = ((0, 0), (100, 1), (200, 2), (300, 5), (350, 15), (400, 20), (500, 30), (600, 40),
             (700, 50), (1_000, 60),
             (2_000, 67), (7_000, 70), (30_000, 72), (50_000, 82), (80_000, 87), (120_000, 90),
             (300_000, 95),
             (1_000_000, 97.5), (2_000_000, 99), (10_000_000, 100))
"""Flow sizes in bytes and the percentage of flows up to that size, as published with the public
HPCC simulator; linear between the points."""
DECILES = {"325 B": 325, "400 B": 400, "500 B": 500, "600 B": 600, "700 B": 700, "1 kB": 1_000,
           "7 kB": 7_000,
           "46 kB": 46_000, "120 kB": 120_000, "10 MB": 10_000_000}
"""Upper edges of ten parts of FB_Hadoop with as many flows each, as on the axis of the paper's
figure."""
INCAST_BYTES = 500_000
"""What each sender of an incast sends."""


def mean_bytes(points: Sequence[tuple[float, float]]) -> float:
    """Mean of a distribution of sizes, in bytes."""
    return sum((low + high) / 2 * (to - begin) / 100 for (low, begin),
               (high, to) in zip(points, points[1:]))


def draw_bytes(points: Sequence[tuple[float, float]], percent: float) -> int:
    """The size at a percentile, at least one byte."""
    at = max(1, bisect.bisect_left([each for _, each in points], percent))
    (low, begin), (high, to) = points[at - 1], points[at]
    return max(1, round(low + (high - low) * (percent - begin) / (to - begin)))


def poisson_times(mean_ns: float, end_ns: float, numbers: random.Random) -> Iterator[float]:
    """Times from 0 on with so much between them on average."""
    now = numbers.expovariate(1 / mean_ns)
    while now < end_ns:
        yield now
        now += numbers.expovariate(1 / mean_ns)


def background(hosts: int, rate_bps: float, load: float, end_ns: float,
               numbers: random.Random) -> list[Flow]:
    """FB_Hadoop between hosts drawn at random; load: payload that a host offers over its rate, in
    the long run."""
    between_ns = mean_bytes(FB_HADOOP) * 8e9 / (rate_bps * load * hosts)
    flows = []
    for start in poisson_times(between_ns, end_ns, numbers):
        src, dst = numbers.sample(range(hosts), 2)
        flows.append(Flow(src, dst, draw_bytes(FB_HADOOP, numbers.uniform(0, 100)),
                          round(start, 3)))
    return flows


def incast_interval_ns(hosts: int, rate_bps: float, load: float, senders: int,
                       size_bytes: int = INCAST_BYTES) -> float:
    """Between two incasts that amount to a share of what all hosts together can send."""
    return senders * size_bytes * 8e9 / (rate_bps * load * hosts)


def incasts(hosts: int, rate_bps: float, load: float, end_ns: float, numbers: random.Random,
            senders: int = 60,
            size_bytes: int = INCAST_BYTES) -> list[Flow]:
    """Senders that begin at once, to a receiver drawn with them; load: of all hosts together.
    Evenly in time from a random first one on, so that the load is this also in a short span: whole
    intervals have as many incasts."""
    between_ns = incast_interval_ns(hosts, rate_bps, load, senders, size_bytes)
    start = numbers.uniform(0, between_ns)
    flows = []
    while round(start) < end_ns:
        receiver, *others = numbers.sample(range(hosts), senders + 1)
        flows += [Flow(src, receiver, size_bytes, round(start)) for src in others]
        start += between_ns
    return flows


def write_fat_tree(path: Path, pods: int, tors: int, aggs: int, hosts: int, cores: int) -> Path:
    """The HPCC paper's topology, in that simulator's format: pods of so many top-of-rack and
    aggregation switches, hosts at each of the former, cores above each of the latter (aggregation
    switch i of each pod has the same ones). Hosts have 100 Gb/s, switches 400 Gb/s, all links 1
    us."""
    servers = pods * tors * hosts
    first_agg = servers + pods * tors
    first_core = first_agg + pods * aggs
    end = first_core + aggs * cores
    links = [(host, servers + host // hosts, 100) for host in range(servers)]
    links += [(servers + pod * tors + tor, first_agg + pod * aggs + agg, 400)
              for pod in range(pods) for tor in range(tors) for agg in range(aggs)]
    links += [(first_agg + pod * aggs + agg, first_core + agg * cores + core, 400)
              for pod in range(pods) for agg in range(aggs) for core in range(cores)]
    lines = [f"{end} {end - servers} {len(links)}", " ".join(map(str, range(servers, end)))]
    lines += [f"{a} {b} {gbps}Gbps 1000ns 0" for a, b, gbps in links]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, "\n".join(lines) + "\n")
    return path


def draw(series: Mapping[str, Any]) -> Any:
    """95th and 99th percentile of the slowdown by flow size, a row for each load. What of few flows
    is hollow."""
    from matplotlib.ticker import LogFormatter

    from dcfabric.drawing import HOLLOW_TEXT, legend_above, looks, note, panels, percentiles, spread

    loads = list(dict.fromkeys(case["load"] for case in series.values()))
    figure, axes = panels(len(loads), 2, 11, 1 + 3 * len(loads))
    how = looks(case["cc"] for case in series.values())
    few = False
    for case in series.values():
        row = axes[loads.index(case["load"])]
        for axis, statistic in zip(row, ("p95", "p99")):
            few |= percentiles(axis, [(list(DECILES).index(size), spread([value[statistic]]),
                                       firm(statistic, value["flows"]))
                                      for size, value in case["sizes"].items()],
                               case["cc"], how[case["cc"]])
            title = samples(series, f"{case['load']}, {case['cc']}", case["load"])
            axis.set_title(f"{title}, {statistic}")
    for axis in axes.flat:
        axis.set_xticks(range(len(DECILES)), list(DECILES), rotation=45)
        axis.set_yscale("log")
        axis.yaxis.set_major_formatter("{x:g}")
        axis.yaxis.set_minor_formatter(LogFormatter(minor_thresholds=(1.5, 0.7)))
    for axis in axes[-1]:
        axis.set_xlabel("flow size up to")
    for axis in axes[:, 0]:
        axis.set_ylabel("slowdown")
    legend_above(figure, axes)
    if few:
        note(figure, HOLLOW_TEXT)
    return figure


FIGURES: dict[str, dict[str, Callable[[Mapping[str, Any]], Any]]] = {"hpcc-fct": {"": draw}}
