# SPDX-License-Identifier: GPL-2.0-only
"""Quantities that several experiments derive from their results."""
from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Mapping

from .errors import DcfabricError
from .program import require

if TYPE_CHECKING:
    import pandas

    from .result import Result

BUCKETS = {"10 kB": 10e3, "30 kB": 30e3, "50 kB": 50e3, "80 kB": 80e3, "100 kB": 100e3,
           "200 kB": 200e3,
           "1 MB": 1e6, "2 MB": 2e6, "5 MB": 5e6, "10 MB": 10e6, "above": math.inf}
"""Upper edges of flow sizes in bytes, as in summary.json."""


UNITS_US = {"ps": 1e-6, "ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}


def duration_ns(text: str) -> float:
    """A span such as 1ms, as given with --duration, in ns."""
    found = re.fullmatch(r"([0-9]+\.?[0-9]*)(ns|us|ms|s)", text)
    if not found:
        raise DcfabricError(f"--duration '{text}' is not a time with a unit, such as 1ms")
    return float(found[1]) * UNITS_US[found[2]] * 1e3


def interval_us(result: Result) -> float:
    """Time between two samples of a run in us."""
    text = result.summary["options"]["trace-interval"]
    found = re.fullmatch(r"([0-9.]+)\s*([a-z]+)", text)
    if not found:
        raise DcfabricError(f"{result.folder}: trace-interval '{text}' in summary.json is no time")
    return float(found[1]) * UNITS_US[found[2]]


def every_sample(series: pandas.Series, result: Result, end_us: float) -> pandas.Series:
    """The series at each sample from 0 to a time: the files leave out what lies on a straight line
    between their rows, and what is zero before the first and after the last."""
    require("pandas")
    import numpy
    import pandas

    step = interval_us(result)
    grid = numpy.arange(0, end_us + step / 2, step)
    if series.empty:
        return pandas.Series(numpy.zeros(len(grid)), index=grid)
    return pandas.Series(numpy.interp(grid, series.index, series, left=0.0), index=grid)


def queue_kb(result: Result, node: int, port: int, end_us: float) -> pandas.Series:
    """Queue of a port in kB, all classes together, over the time in us."""
    frame = result.queues
    frame = frame[(frame["node"] == node) & (frame["port"] == port)]
    total: pandas.Series[float] | None = None
    for _, part in frame.groupby("class"):
        one = part.set_index("time_ns")["bytes"] / 1e3
        one.index = one.index / 1e3
        filled = every_sample(one, result, end_us)
        total = filled if total is None else total + filled
    return every_sample(frame["bytes"], result, end_us) if total is None else total


def rate_gbps(result: Result, flow: int) -> pandas.Series:
    """Rate that its congestion control allows a flow, in Gb/s over the time in us."""
    frame = result.rates[result.rates["flow"] == flow]
    series = frame.set_index("time_ns")["rate_bps"] / 1e9
    series.index = series.index / 1e3
    return series


def has_begun(flows: pandas.DataFrame, result: Result) -> pandas.Series[bool]:
    """Whether flows began in the run: others have no start, or, in results of earlier versions, one
    after its end."""
    # to the picosecond, as starts are written
    end_ns: float = round(result.summary.get("sim_seconds", math.inf) * 1e9, 3)
    return flows["start_ns"] <= end_ns


def throughput_gbps(flows: pandas.DataFrame) -> float:
    """Payload of all flows received over the sum of their times, in Gb/s: one that takes long
    counts as much as it is long, and no more. NaN without any."""
    known = flows[flows["fct_ns"].notna()]
    return (8 * float(known["size_bytes"].sum()) / float(known["fct_ns"].sum()) if len(known)
            else math.nan)


def throughputs_gbps(result: Result) -> pandas.Series[float]:
    """Throughput of each flow that is complete, its size over its completion time, in Gb/s by the
    number of the flow."""
    flows = result.flows.set_index("flow")
    return (flows["size_bytes"] * 8 / flows["fct_ns"]).dropna()


def throughput_over_time(result: Result) -> pandas.DataFrame:
    """Throughput of flows over the time in us: a column for each flow, in Gb/s, as rates.csv has it
    (trace ``rates``): of new payload that arrived since the sample before. 0 while a flow is not
    active."""
    table = result.rates.pivot(index="time_ns", columns="flow",
                               values="throughput_bps").fillna(0.0) / 1e9
    return table.set_axis(table.index / 1e3, axis=0).rename_axis("time_us")


def fairness_over_time(result: Result) -> pandas.Series[float]:
    """Jain's index of the throughputs of the flows that are active at each sample, over the time in
    us; NaN while all of them are at 0."""
    rates = result.rates
    found = rates.groupby("time_ns")["throughput_bps"].agg(jain)
    return found.set_axis(found.index / 1e3).rename_axis("time_us")


def utilisation(result: Result, node: int, port: int, end_us: float) -> pandas.Series:
    """Share of the line rate that a port sends, over the time in us."""
    frame = result.links
    frame = frame[(frame["node"] == node) & (frame["port"] == port)]
    series = frame.set_index("time_ns")["utilisation"]
    series.index = series.index / 1e3
    return every_sample(series, result, end_us)


def between(series: pandas.Series, begin: float, end: float) -> pandas.Series:
    """The part of a series from begin (excluded) to end (included)."""
    return series[(series.index > begin) & (series.index <= end)]


def reaction_us(rate: pandas.Series, join_us: float) -> float:
    """When a rate is first 5 % below its mean of the 50 us before a moment, in us; infinite if it
    never is."""
    before = between(rate, join_us - 50, join_us).mean()
    slower = rate[(rate.index > join_us) & (rate < 0.95 * before)]
    return math.inf if slower.empty else float(slower.index[0])


def stays_from(series: pandas.Series, least: float, span: float) -> float:
    """The first index from which a series stays at or above a value for a given span; infinite if
    it never does."""
    start = None
    for at, value in zip(map(float, series.index), series):
        if not value >= least:
            start = None
            continue
        start = at if start is None else start
        if at - start >= span:
            return start
    return math.inf


def jain(values: Any) -> float:
    """Jain's fairness index: 1 if all are equal, 1/n if one has everything."""
    values = [float(value) for value in values]
    squares = sum(value * value for value in values)
    return sum(values) ** 2 / (len(values) * squares) if squares else math.nan


def percentile(values: pandas.Series, percent: float) -> float:
    """Nearest-rank percentile: the smallest value that this share of all values does not exceed."""
    ordered = values.sort_values()
    return float(ordered.iloc[max(0, math.ceil(percent / 100 * len(ordered) - 1e-9) - 1)])


ENOUGH_ABOVE = 10
"""With fewer values above it a percentile is the luck of single flows."""


def above(count: int, percent: float) -> int:
    """How many of so many values are behind the nearest-rank percentile, when put into order."""
    return count - max(1, math.ceil(percent / 100 * count - 1e-9)) if count else 0


def enough_above(count: int, percent: float) -> bool:
    """Whether a percentile of so many values is more than the luck of single ones."""
    return above(count, percent) >= ENOUGH_ABOVE


def sizes_of(text: str) -> dict[str, float]:
    """Upper edges of flow sizes such as "100kB,1MB", by name, with what is above the last one.
    Raises DcfabricError."""
    found: dict[str, float] = {}
    for part in text.split(","):
        known = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) ?(B|kB|KB|MB|GB)", part.strip())
        if not known:
            raise DcfabricError(f"sizes '{text}': '{part.strip()}' is no size such as 100kB; give "
                                "ascending ones, such as 100kB,1MB,10MB")
        unit = known[2].replace("K", "k")
        edge = float(known[1]) * {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}[unit]
        if found and edge <= max(found.values()):
            raise DcfabricError(f"sizes '{text}': '{part.strip()}' is not above the one before")
        found[f"{float(known[1]):g} {unit}"] = edge
    return {**found, "above": math.inf}


def slowdowns(flows: pandas.DataFrame) -> dict[str, float]:
    """Mean, median, 95th and 99th percentile of the slowdown of completed flows."""
    slowdown = flows["slowdown"].dropna()
    if slowdown.empty:
        return {}
    return {"average": float(slowdown.mean()), "median": percentile(slowdown, 50),
            "p95": percentile(slowdown, 95), "p99": percentile(slowdown, 99)}


def by_size(flows: pandas.DataFrame,
            edges: Mapping[str, float] | None = None) -> dict[str, pandas.DataFrame]:
    """Flows by size, those without flows left out. edges: upper ones in bytes, by name; those of
    summary.json by default."""
    found = {}
    low = -1.0
    for name, high in (BUCKETS if edges is None else edges).items():
        part = flows[(flows["size_bytes"] > low) & (flows["size_bytes"] <= high)]
        if len(part):
            found[name] = part
        low = high
    return found


def by_group(flows: pandas.DataFrame) -> dict[str, pandas.DataFrame]:
    """Flows by their labels, in the order of these; nothing for a workload without labels."""
    return ({str(label): part for label, part in flows.groupby("group")} if "group" in flows.columns
            else {})
