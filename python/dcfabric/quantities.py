# SPDX-License-Identifier: GPL-2.0-only
"""What can be measured of a run by name, such as ``slowdown_p99 by size`` or ``flows.fct_ns.mean``:
see quantity()."""
from __future__ import annotations

import dataclasses
import math
import re
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Sequence, Union

from .columns import SERIES, series_of
from .errors import DcfabricError
from .measures import BUCKETS, by_size, has_begun, jain, throughput_gbps
from .result import FRAMES
from .wording import nearest

if TYPE_CHECKING:
    import numpy
    import pandas

    from .result import Result

Measure = Callable[["Result"], Any]
"""A function of a result that gives a number, or numbers by name."""
Wanted = Union[str, Measure, "Quantity"]
"""How a quantity is asked for."""

DERIVED: dict[str, dict[str, Callable[[pandas.DataFrame, Result], pandas.Series]]] = {
    "flows": {"throughput_bps": lambda rows, _: rows["size_bytes"] * 8e9 / rows["fct_ns"],
              "unfinished": lambda rows, result: has_begun(rows, result) & rows["fct_ns"].isna()},
    "collectives": {"duration_ns": lambda rows, _: rows["end_ns"] - rows["start_ns"]},
    "marks": {"duration_ns": lambda rows, _: rows["end_ns"] - rows["start_ns"]},
    **{series.name: {"place": lambda rows, _: rows["node"].astype(str) + ":"
                     + rows["port"].astype(str)} for series in series_of("node", "port")},
}
"""Columns that files do not have, by frame: payload of a flow over its completion time (bit/s),
whether it has begun and is not complete, time that a collective or a mark took (ns), NODE:PORT."""
MEANS = {"bytes": "mean_queue_kb", "utilisation": "dcfabric.measures.utilisation"}
"""What gives a mean over time, by column of a frame without the rows that lie on a straight line
between others."""
SHORT = {
    "slowdown_STAT": ("flows.slowdown.STAT", 1.0),
    "fct_STAT_us": ("flows.fct_ns.STAT", 1e-3),
    "throughput_STAT_gbps": ("flows.throughput_bps.STAT", 1e-9),
    "jain": ("flows.throughput_bps.jain", 1.0),
    "goodput_gbps": ("summary.goodput_gbps", 1.0),
    "max_queue_kb": ("summary.max_queue_bytes", 1e-3),
    "mean_queue_kb": ("summary.mean_queue_bytes", 1e-3),
    "pause_frames": ("summary.pfc_pause_frames", 1.0),
    "dropped_packets": ("summary.drops", 1.0),
    "unfinished_flows": ("flows.unfinished.sum", 1.0),
    "collective_STAT_us": ("collectives.duration_ns.STAT", 1e-3),
    "algbw_STAT_gbyte_s": ("collectives.algbw_gbyte_s.STAT", 1.0),
    "busbw_STAT_gbyte_s": ("collectives.busbw_gbyte_s.STAT", 1.0),
}
"""Names for what is asked for most, the long form of each and its factor."""
THROUGHPUT = "throughput_gbps"
"""As bars of figures have it: see measures.throughput_gbps()."""
UNITS = {"_ns": "ns", "_us": "us", "_ms": "ms", "_bytes": "B", "_kb": "kB", "_bps": "bit/s",
         "_gbps": "Gb/s", "_gbyte_s": "GB/s"}
STATISTIC = r"mean|min|max|sum|count|jain|p(?!10{2,}(?![0-9]))[0-9]+"
"""Digits of a percentile after the second are decimals: p999 is 99.9, and p100, which would be 10.0
and not the maximum, is none."""
WITHOUT_UNIT = ("count", "jain")


@dataclasses.dataclass(frozen=True)
class Quantity:
    """Something that each run has a value of."""

    name: str
    """in frames and tables"""
    label: str
    """on axes, with its unit"""
    samples: Callable[[Result], Mapping[str, Any]]
    """what a run gives for each part, such as the slowdowns of the flows of each size; the whole
    has the name "" """
    statistic: str = "mean"
    """of these: mean, min, max, sum, count, jain, p50, p99, p999 ..."""
    by: str = ""
    """what its parts are; empty if there are none"""
    pools: bool = False
    """whether the samples of several runs can be taken together"""
    source: Any = None
    """the text or function that it was made of"""
    least: float = -math.inf
    most: float = math.inf
    """values that it can have: intervals do not go beyond"""

    @property
    def percent(self) -> float | None:
        """Of a percentile, such as 99.9; None for another statistic."""
        found = re.fullmatch("p([0-9]+)", self.statistic)
        return 100 * int(found[1]) / _whole(found[1]) if found else None

    def counts(self) -> Quantity:
        """How many values it has, by part."""
        return dataclasses.replace(self, name=f"{self.name}, count", statistic="count",
                                   pools=False, source=("count", self.key()))

    def key(self) -> Any:
        """Equal for quantities with the same values."""
        return self.source if self.source is not None else (self.name, self.samples)

    def ordered(self, parts: Iterable[str]) -> list[str]:
        """Its parts without repetition: sizes from small to large, others as they came."""
        found = dict.fromkeys(parts)
        return [size for size in BUCKETS if size in found] if self.by == "size" else list(found)

    def measure(self, result: Result) -> dict[str, float]:
        """Its values in a run by part; NaN where nothing has happened."""
        return {part: statistic_of(self.statistic, values)
                for part, values in self.samples(result).items()}


def _whole(digits: str) -> int:
    """What the digits of a percentile are of."""
    return int(100 * 10 ** max(0, len(digits) - 2))


def statistic_of(name: str, values: Any) -> float:
    """A statistic of samples, without those that are NaN; of none it is NaN, but for sum and
    count."""
    import numpy

    array = numpy.asarray(values, dtype=float)
    array = array[~numpy.isnan(array)]
    if name == "count":
        return float(len(array))
    if not len(array):
        return 0.0 if name == "sum" else math.nan
    if name == "sum":
        return float(array.sum())
    if name == "jain":
        return jain(array)
    if name in ("min", "max"):
        return float(array.min() if name == "min" else array.max())
    return together(name, [array])([[1]])[0]


def together(name: str,
             runs: Sequence[numpy.ndarray[Any, Any]]) -> Callable[[
                 Sequence[Sequence[int]]], list[float]]:
    """Mean or percentile of the samples of several runs taken together, for many draws at once:
    each tells how often each run counts. Percentiles are as in summary.json: of n values the one at
    rank ceil(p n), in whole numbers, as 0.95 * 20 is not quite 19.

    The samples are put into order once; what a draw asks for is then found by bisection."""
    import numpy

    counts = numpy.array([len(run) for run in runs])
    if name == "mean":
        sums = numpy.array([run.sum() for run in runs])
        return lambda draws: list((numpy.asarray(draws) @ sums / (numpy.asarray(draws) @ counts))
                                  .astype(float))
    digits = name[1:]
    share, whole = int(digits), _whole(digits)
    samples = numpy.concatenate(runs)
    order = numpy.argsort(samples, kind="stable")
    owner = numpy.repeat(numpy.arange(len(runs)), counts)[order]
    places = [numpy.flatnonzero(owner == run) for run in range(len(runs))]

    def find(draws: Sequence[Sequence[int]]) -> list[float]:
        drawn = numpy.asarray(draws)
        ranks = numpy.maximum(1, -(-share * (drawn @ counts) // whole))
        low = numpy.zeros(len(drawn), dtype=int)
        high = numpy.full(len(drawn), len(samples) - 1)
        while (low < high).any():
            middle = (low + high) // 2
            seen = sum(drawn[:, run] * numpy.searchsorted(places[run], middle, side="right")
                       for run in range(len(runs)))
            low, high = numpy.where(seen >= ranks, low,
                                    middle + 1), numpy.where(seen >= ranks, middle, high)
        return list(samples[order][low].astype(float))

    return find


def quantity(wanted: Wanted) -> Quantity:
    """A quantity by name, or by a function of a Result.

    Names: ``FILE.COLUMN.STATISTIC``, such as ``flows.fct_ns.p99``, of a frame of Result or a column
    of DERIVED, where the statistic is mean, min, max, sum, count, jain, or a percentile: p50, p99,
    p999 for 99.9; ``summary.KEY``, a number of summary.json, dots between the keys, and of several
    numbers the sum; the short forms of SHORT, and THROUGHPUT. ``by COLUMN`` after the name divides
    the rows by the values of a column, ``by size`` the flows by the buckets of summary.json.

    Raises DcfabricError for an unknown name."""
    if isinstance(wanted, Quantity):
        return wanted
    if not isinstance(wanted, str):
        return of_function(wanted)
    text, _, by = wanted.partition(" by ")
    if text == THROUGHPUT:
        return Quantity(wanted, "throughput of a flow (Gb/s)",
                        lambda result: {
                            part: [throughput_gbps(rows)] for part, rows
                            in _divide("flows", result.frame("flows"), by, result).items()},
                        by=by, source=wanted, least=0.0)
    long, factor = _long_form(text)
    frame, _, rest = long.partition(".")
    if frame == "summary" and rest and not by:
        return Quantity(wanted, _label(text, ""),
                        lambda result: {"": [factor * _look_up(result, rest.split("."))]},
                        source=wanted, least=0.0)
    found = re.fullmatch(rf"([a-z_]+)\.({STATISTIC})", rest)
    if re.search(r"[._]p10{2,}([._]|$)", text):
        raise DcfabricError(f"quantity '{wanted}': digits of a percentile after the second are "
                            "decimals, as in p999 for 99.9; the largest is "
                            "max")
    near = re.search(r"[._]p9(?=[._]|$)", text)
    if near:
        ways = [f"'{text[:near.end()]}{more}{text[near.end():]}'" for more in "09"]
        raise DcfabricError(f"quantity '{wanted}': did you mean {' or '.join(ways)}? The 9th "
                            "percentile is p09")
    if frame not in FRAMES or not found:
        raise DcfabricError(f"unknown quantity '{wanted}'{_nearest(text)}; expected "
                            "FILE.COLUMN.STATISTIC [by COLUMN], such as "
                            "flows.fct_ns.p99, summary.KEY, a function of a Result, or one of "
                            f"{', '.join([*SHORT, THROUGHPUT])} (STAT: mean, p50, "
                            "p95, p99, p999 ...)")
    column, statistic = found.groups()
    if (frame in SERIES and SERIES[frame].rows == "thinned"
            and statistic not in ("min", "max")):
        raise DcfabricError(f"quantity '{wanted}': {frame}.csv leaves out rows on a straight line "
                            "between others, so that only max "
                            "and min of its rows say anything; for means over time see "
                            f"{MEANS.get(column, 'dcfabric.measures')}")

    def samples(result: Result) -> dict[str, Any]:
        rows = result.frame(frame)
        return {part: factor * _column(frame, some, column, result)
                for part, some in _divide(frame, rows, by, result).items()}

    return Quantity(wanted, _label(text if long != text else column, statistic), samples, statistic,
                    by,
                    statistic == "mean" or statistic[0] == "p", wanted, *_range(column, statistic))


def _range(column: str, statistic: str) -> tuple[float, float]:
    """Values that a statistic of a column can have: no column of results has negative ones."""
    if statistic == "jain" or column == "utilisation" and statistic not in ("sum", "count"):
        return 0.0, 1.0
    # nothing is faster than a flow that is alone
    return 1.0 if column == "slowdown" and statistic not in ("sum", "count") else 0.0, math.inf


def of_function(function: Measure, name: str | None = None, label: str | None = None, *,
                least: float = -math.inf, most: float = math.inf) -> Quantity:
    """A quantity that a function of a Result gives: a number, or a mapping from names of parts to
    numbers. name: in frames, the function's own by default. label: on axes. least, most: values
    that it can have, beyond which no interval goes, such as 0 and 1 of a share."""
    name = name or str(getattr(function, "__name__", ""))
    if not callable(function) or not name.isidentifier():
        raise DcfabricError(f"a quantity is text or a function with a name, found {function!r}; "
                            "see dcfabric.quantities.of_function")

    def samples(result: Result) -> dict[str, Any]:
        value = function(result)
        return ({str(part): [one] for part, one in value.items()} if isinstance(value, Mapping)
                else {"": [value]})

    return Quantity(name, label or _label(name, ""), samples, source=function, least=least,
                    most=most)


def _long_form(text: str) -> tuple[str, float]:
    for short, (long, factor) in SHORT.items():
        found = re.fullmatch(short.replace("STAT", f"({STATISTIC})"), text)
        if found:
            return long.replace("STAT", found[1] if found.groups() else ""), factor
    return text, 1.0


def _nearest(text: str) -> str:
    known = [name.replace("STAT", stat) for name in [*SHORT, THROUGHPUT]
             for stat in ("mean", "p50", "p95", "p99", "p999")]
    near = nearest(text, known)
    return f", did you mean '{near}'?" if near else ""


def _look_up(result: Result, keys: list[str]) -> float:
    value: Any = result.summary
    for key in keys:
        if not isinstance(value, Mapping) or key not in value:
            raise DcfabricError(f"{result.folder}/summary.json has no {'.'.join(keys)}")
        value = value[key]
    if isinstance(value, Mapping) and all(isinstance(one, (int, float)) for one in value.values()):
        return float(sum(value.values()))
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise DcfabricError(f"{'.'.join(keys)} in {result.folder}/summary.json is no number")
    return float(value)


def _column(frame: str, rows: pandas.DataFrame, column: str, result: Result) -> Any:
    """A column of a file, or one that is derived."""
    derived = DERIVED.get(frame, {})
    if column not in rows.columns and column not in derived:
        raise DcfabricError(f"{frame} have no column '{column}'; there are "
                            f"{', '.join([*rows.columns, *derived])}")
    return rows[column] if column in rows.columns else derived[column](rows, result)


def _divide(frame: str, rows: pandas.DataFrame, by: str,
            result: Result) -> dict[str, pandas.DataFrame]:
    """Rows by the values of a column, in their order."""
    if not by:
        return {"": rows}
    if frame == "flows" and by == "size":
        return by_size(rows)
    return {str(value): some for value, some in rows.groupby(_column(frame, rows, by, result))}


def _label(name: str, statistic: str) -> str:
    """Words and a unit instead of a name with underscores."""
    unit = (next((unit for end, unit in UNITS.items() if name.endswith(end)), "")
            if statistic not in WITHOUT_UNIT else "")
    plain = name.removeprefix("summary.").replace(".", " ")
    for end in UNITS:
        plain = plain.removesuffix(end)
    plain = re.sub(rf"_({STATISTIC})$", "", plain)
    if statistic.startswith("p"):
        digits = statistic[1:]
        number = f"{int(digits[:2])}" + (f".{digits[2:]}" if len(digits) > 2 else "")
        statistic = "median" if float(number) == 50 else f"{number}{_ordinal(number)} percentile"
    words = {"fct": "flow completion time", "jain": "Jain's fairness index",
             "algbw": "algorithm bandwidth",
             "busbw": "bus bandwidth"}.get(plain, plain.replace("_", " "))
    if statistic == "count":
        words = f"number of values: {words}"
    elif statistic == "jain":
        words = words if words.startswith("Jain") else f"Jain's fairness index of {words}"
    elif statistic:
        words += f", {statistic}"
    return f"{words} ({unit})" if unit else words


def _ordinal(number: str) -> str:
    """The end of a number: 1st, 2nd, 3rd, 4th, 11th, 99.9th."""
    return ({"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th") if "." not in number
            and number[-2:] not in ("11", "12", "13") else "th")
