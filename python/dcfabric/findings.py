# SPDX-License-Identifier: GPL-2.0-only
"""What a study has found: tidy frames, confidence intervals over seeds, differences between
algorithms."""
from __future__ import annotations

import dataclasses
import math
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from .errors import DcfabricError, FewFlowsWarning, FewSeedsWarning
from .intervals import (ENOUGH_SEEDS, LEAST_SEEDS, Interval, bootstrap_interval, bounded,
                        check_confidence, mean_interval)
from .looks import looks_of
from .measures import ENOUGH_ABOVE, above
from .program import require
from .quantities import THROUGHPUT, Quantity, Wanted, quantity, statistic_of, together
from .result import Result
from .wording import count_of

if TYPE_CHECKING:
    import os

    import pandas

USUAL = ("slowdown_mean", "slowdown_p99", THROUGHPUT, "max_queue_kb", "pause_frames",
         "dropped_packets", "unfinished_flows")
"""Quantities of a frame that is asked for without any. No goodput: it is until the last flow ends,
so that one straggler decides it."""
STOPPED = {THROUGHPUT: "goodput_gbps"}
"""In place of these, where all runs are stopped by the clock: then goodputs are of one span."""
METHODS = ("t", "bootstrap")
Run = tuple[Mapping[str, Any], int, Result]


@dataclasses.dataclass(frozen=True)
class Few:
    """A percentile that single values decide."""

    quantity: Quantity
    number: int
    """of the run; where runs are taken together, of the first one"""
    part: str
    above: int
    """values above it"""


class Findings:
    """Results of a study. Quantities are names or functions of a Result, see
    dcfabric.quantities.quantity()."""

    def __init__(self, columns: Sequence[str], runs: Sequence[Run]) -> None:
        """columns: of the grid. runs: labels in these, seed, result."""
        self.columns = list(columns)
        self.runs = list(runs)
        self._measured: dict[tuple[Any, int], dict[str, float]] = {}

    @property
    def seeds(self) -> list[int]:
        """Seeds that there are."""
        return sorted({seed for _, seed, _ in self.runs})

    @property
    def results(self) -> dict[tuple[Any, ...], Result]:
        """Results by the values of the columns, and the seed."""
        return {(*labels.values(), seed): result for labels, seed, result in self.runs}

    def where(self, **labels: Any) -> Findings:
        """Those runs that have the given values in the given columns. Raises DcfabricError if there
        are none."""
        for column, label in labels.items():
            self._check(column, [label])
        found = Findings(self.columns,
                         [run for run in self.runs
                          if all(run[0][column] == label for column, label in labels.items())])
        if not found.runs:
            raise DcfabricError(f"no run has {labels}")
        return found

    def usual(self) -> list[str]:
        """USUAL for these runs: STOPPED in place of some if all of them end by the clock."""
        stopped = all(result.summary.get("status") == "stopped" for _, _, result in self.runs)
        return [STOPPED.get(name, name) if stopped else name for name in USUAL]

    def frame(self, *wanted: Wanted) -> pandas.DataFrame:
        """A row for each run: the grid's columns, the seed, and a column for each quantity, or for
        each part of it (``slowdown_p99 by size, 10 kB``). Without arguments: usual().

        Warns (FewFlowsWarning) where a percentile has fewer than ten values above it."""
        require("pandas")
        import pandas

        asked = [quantity(one) for one in wanted or self.usual()]
        self._measure_all(asked)
        self._warn(asked, few_seeds=False)
        rows: list[dict[str, Any]] = [{**labels, "seed": seed} for labels, seed, _ in self.runs]
        for one in asked:
            for part in one.ordered(part for number in range(len(rows))
                                    for part in self._values(one, number)):
                for number, row in enumerate(rows):
                    row[f"{one.name}, {part}" if part else one.name] = self._values(
                        one, number).get(part, math.nan)
        return pandas.DataFrame(rows)

    def tidy(self, *wanted: Wanted) -> pandas.DataFrame:
        """A row for each run, quantity and part of it: the grid's columns, ``seed``, ``quantity``,
        ``part`` (empty for the whole) and ``value``. Warns (FewFlowsWarning) as frame() does."""
        asked = [quantity(one) for one in wanted or self.usual()]
        found = self._tidy(asked)
        self._warn(asked, few_seeds=False)
        return found

    def _tidy(self, asked: Sequence[Quantity]) -> pandas.DataFrame:
        require("pandas")
        import pandas

        self._measure_all(asked)
        rows = [{**labels, "seed": seed, "quantity": one.name, "part": part, "value": value}
                for one in asked for number, (labels, seed, _) in enumerate(self.runs)
                for part, value in self._values(one, number).items()]
        return pandas.DataFrame(rows, columns=[*self.columns, "seed", "quantity", "part", "value"])

    def intervals(self, *wanted: Wanted, confidence: float = 0.95, method: str = "t",
                  bootstrap_seed: int = 1) -> pandas.DataFrame:
        """A row for each point of the grid, quantity and part: ``mean`` over the seeds, ``low`` and
        ``high`` ends of its confidence interval, ``seeds`` that have a value. With only one of
        them, low and high are NaN, and if all seeds gave the same value, too. No interval leaves
        the range of its quantity: there is no slowdown below 1. With percentiles there is a column
        ``n``, of how many values they are, such as flows: in the run with the fewest of them, or
        with ``bootstrap`` in all together.

        method: ``t``, the mean of the values of all runs, with Student's t; ``bootstrap``, which
        takes the flows (or other rows) of all runs together where the quantity is a mean or a
        percentile of them, and draws runs with replacement; bootstrap_seed is of its draws.

        Warns below five seeds (FewSeedsWarning), and where a percentile has fewer than ten values
        above it (FewFlowsWarning). Raises DcfabricError for a study with fewer than two seeds, and
        for an unknown method."""
        asked = [quantity(one) for one in wanted or self.usual()]
        found = self._intervals(asked, confidence, method, bootstrap_seed)
        self._warn(asked, method == "bootstrap")
        return found

    def _warn(self, asked: Sequence[Quantity], pooled: bool = False,
              few_seeds: bool = True) -> None:
        if few_seeds and len(self.seeds) < ENOUGH_SEEDS:
            warnings.warn(f"intervals of {len(self.seeds)} seeds say little: take {ENOUGH_SEEDS} "
                          "or more", FewSeedsWarning, stacklevel=3)
        least: dict[str, int] = {}
        for few in self.few(asked, pooled):
            name = few.quantity.name
            least[name] = min(few.above, least.get(name, few.above))
        for name, count in least.items():
            where = "all runs of a point" if pooled else "a run"
            warnings.warn(f"{name}: in {where} as few as {count} values are above the percentile; "
                          f"below {ENOUGH_ABOVE} it is the luck of single ones", FewFlowsWarning,
                          stacklevel=3)

    def few(self, wanted: Sequence[Wanted], pooled: bool = False) -> list[Few]:
        """Percentiles with fewer than ten values above them, as figures and tables mark them.
        pooled: of all runs of a point of the grid together, in place of each run."""
        found = []
        for one in map(quantity, wanted):
            if one.percent is None:
                continue
            for numbers in ([numbers for _, numbers in self._points()] if pooled
                            else [[number] for number in range(len(self.runs))]):
                for part, counts in self._counts(one, numbers).items():
                    behind = above(sum(counts), one.percent)
                    if counts and behind < ENOUGH_ABOVE:
                        found.append(Few(one, numbers[0], part, behind))
        return found

    def _counts(self, one: Quantity, numbers: Sequence[int]) -> dict[str, list[int]]:
        """How many values those runs have that have any, by part."""
        counter = one.counts()
        self._measure([counter])
        found: dict[str, list[int]] = {}
        for number in numbers:
            for part, count in self._values(counter, number).items():
                found.setdefault(part, []).extend([int(count)] if count else [])
        return found

    def _intervals(self, asked: Sequence[Quantity], confidence: float, method: str,
                   bootstrap_seed: int = 1) -> pandas.DataFrame:
        require("pandas")
        import pandas

        if len(self.seeds) < LEAST_SEEDS:
            raise DcfabricError(f"an interval needs at least {LEAST_SEEDS} seeds, this study has "
                                f"{len(self.seeds)}; frame() has the values")
        check_confidence(confidence)
        if method not in METHODS:
            raise DcfabricError(f"unknown method '{method}'; known: {', '.join(METHODS)}")
        if method == "t":
            self._measure_all(asked)
        rows = []
        for one in asked:
            for labels, numbers in self._points():
                found = (self._means(one, numbers, confidence) if method == "t"
                         else self._bootstraps(one, numbers, confidence, bootstrap_seed))
                counts = self._counts(one, numbers) if one.percent is not None else {}
                of_point = sum if method == "bootstrap" else min
                rows += [{**labels, "quantity": one.name, "part": part, **interval._asdict(),
                          "n": of_point(counts[part]) if counts.get(part) else None}
                         for part, interval in found.items()]
        of_percentiles = any(one.percent is not None for one in asked)
        table = pandas.DataFrame(rows, columns=[
            *self.columns, "quantity", "part", *Interval._fields,
            *(["n"] if of_percentiles else [])])
        return table.astype({"n": "Int64"}) if of_percentiles else table

    def differences(self, wanted: Wanted, column: str, first: Any, second: Any, *,
                    confidence: float = 0.95) -> pandas.DataFrame:
        """First minus second value of a column, seed by seed: what is random in both at once, such
        as the flows, cancels out (common random numbers). A row for each point of the other columns
        and each part: ``mean`` of the differences, ``low`` and ``high`` ends of its interval by
        Student's t, number of ``seeds``, and ``percent``, the mean difference relative to the mean
        of the second. If the interval does not contain 0, the two differ.

        Without an interval where all differences are the same, as if the seed changes nothing.
        Warns as intervals() does. Raises DcfabricError for a column or value that there is not,
        and for fewer than two seeds."""
        asked = quantity(wanted)
        found = self._differences(asked, column, first, second, confidence)
        self._warn([asked])
        return found

    def _differences(self, asked: Quantity, column: str, first: Any, second: Any,
                     confidence: float) -> pandas.DataFrame:
        require("pandas")
        import pandas

        self._check(column, [first, second])
        if len(self.seeds) < LEAST_SEEDS:
            raise DcfabricError(f"differences need at least {LEAST_SEEDS} seeds, this study has "
                                f"{len(self.seeds)}")
        check_confidence(confidence)
        self._measure_all([asked])
        rest = [name for name in self.columns if name != column]
        pairs: dict[tuple[Any, ...], dict[str, list[tuple[float, float]]]] = {}
        place = {(*labels.values(), seed): number
                 for number, (labels, seed, _) in enumerate(self.runs)}
        for number, (labels, seed, _) in enumerate(self.runs):
            if labels[column] != first:
                continue
            other = place.get((*{**labels, column: second}.values(), seed))
            parts = pairs.setdefault(tuple(labels[name] for name in rest), {})
            theirs = self._values(asked, other) if other is not None else {}
            for part, value in self._values(asked, number).items():
                pair = (value, theirs.get(part, math.nan))
                parts.setdefault(part, []).extend([] if math.isnan(pair[0] - pair[1]) else [pair])
        rows = []
        for point, parts in pairs.items():
            for part in asked.ordered(parts):
                both = parts[part]
                gaps = [a - b for a, b in both]
                interval = bounded(mean_interval(gaps, confidence), gaps)
                of_second = sum(b for _, b in both)
                if both and interval.low < (least := asked.least - of_second / len(both)):
                    interval = interval._replace(low=least)  # the first has values in the range
                rows.append({**dict(zip(rest, point)), "part": part, **interval._asdict(),
                             "percent": 100 * interval.mean * len(both) / of_second if of_second
                             else math.nan})
        return pandas.DataFrame(rows, columns=[*rest, "part", *Interval._fields, "percent"])

    def plot(self, x: str, y: Wanted, by: str | None = None, *,
             path: str | os.PathLike[str] | None = None, confidence: float = 0.95,
             method: str = "t") -> Any:
        """A figure of a quantity over a column: means over the seeds with their confidence
        intervals, which it says; values alone if there is one seed.

        x: a column of the grid, with numbers for lines and with other labels for bars; or what
        divides the quantity, such as ``size`` for ``slowdown_p99 by size``. y: the quantity. by:
        the column that has a line or bars for each of its values. path: where to save it, as its
        ending says (png, pdf, svg). confidence, method: see intervals().

        Raises DcfabricError if a further column has several values (see where()), and if there is
        nothing to draw."""
        from .drawing import save
        from .study_figure import draw  # needs matplotlib

        figure = draw(self, x, y, by, confidence, method)
        if path is not None:
            save(figure, Path(path))
        return figure

    def plot_differences(self, y: Wanted, column: str, baseline: Any, *,
                         path: str | os.PathLike[str] | None = None,
                         confidence: float = 0.95) -> Any:
        """A figure of differences to a baseline, seed by seed, in percent of the baseline's mean:
        each seed, and the mean of the differences with its confidence interval (see
        differences()). A row for each other value of the column, a panel for each point of the
        other columns.

        y: the quantity. column: whose values are compared. baseline: one of them. path: where to
        save it, as its ending says (png, pdf, svg).

        Raises DcfabricError for a column or value that there is not, and if nothing can be
        compared."""
        from . import paired
        from .drawing import save, styled
        from .study_figure import few_text

        self._check(column, [baseline])
        asked = quantity(y)
        self._measure_all([asked])
        with styled():
            figure = paired.draw(self._pairs(asked, column, baseline), str(baseline), confidence,
                                 looks_of(column, [str(label) for label in
                                                   dict.fromkeys(run[0][column]
                                                                 for run in self.runs)]),
                                 said=few_text(self, asked))
        if figure is None:
            raise DcfabricError(f"'{asked.name}' is 0 or unknown for {column}={baseline!r}, or "
                                "there is nothing else: no differences to draw")
        if path is None:
            import matplotlib.pyplot as plt

            plt.close(figure)  # a notebook shows what a cell returns
        else:
            save(figure, Path(path))
        return figure

    def _pairs(self, asked: Quantity, column: str,
               baseline: Any) -> dict[str, dict[str, list[tuple[float, float]]]]:
        """By point of the other columns and value of the column: for each seed a value and that of
        the baseline."""
        place = {(*labels.values(), seed): number
                 for number, (labels, seed, _) in enumerate(self.runs)}
        found: dict[str, dict[str, list[tuple[float, float]]]] = {}
        for number, (labels, seed, _) in enumerate(self.runs):
            other = place.get((*{**labels, column: baseline}.values(), seed))
            if labels[column] == baseline or other is None:
                continue
            point = ", ".join(f"{name}={value}" for name, value in labels.items()
                              if name != column)
            theirs = self._values(asked, other)
            for part, value in self._values(asked, number).items():
                title = ", ".join(filter(None, [asked.label, part, point]))
                found.setdefault(title, {}).setdefault(str(labels[column]), []).append(
                    (value, theirs.get(part, math.nan)))
        return found

    def __repr__(self) -> str:
        grid = "; ".join(f"{column}: "
                         f"{', '.join(dict.fromkeys(str(run[0][column]) for run in self.runs))}"
                         for column in self.columns)
        return (f"Findings({grid}; seeds {', '.join(map(str, self.seeds))}: "
                f"{count_of(len(self.runs), 'run')})")

    def _check(self, column: str, labels: Sequence[Any]) -> None:
        if column not in self.columns:
            raise DcfabricError(f"the study has no column '{column}'; there are "
                                f"{', '.join(self.columns)}")
        known = list(dict.fromkeys(run[0][column] for run in self.runs))
        for label in labels:
            if label not in known:
                raise DcfabricError(f"column '{column}' has no {label!r}; there are "
                                    f"{', '.join(map(repr, known))}")

    def _points(self) -> list[tuple[Mapping[str, Any], list[int]]]:
        """Labels, and the numbers of the runs that have them."""
        found: dict[tuple[Any, ...], tuple[Mapping[str, Any], list[int]]] = {}
        for number, (labels, _, _) in enumerate(self.runs):
            found.setdefault(tuple(labels.values()), (labels, []))[1].append(number)
        return list(found.values())

    def _fresh(self, number: int) -> Result:
        """The result of a run without the frames that it keeps: those of all runs together may be
        large."""
        return self.runs[number][2].fresh()

    def _values(self, one: Quantity, number: int) -> dict[str, float]:
        return self._measured[one.key(), number]

    def _measure_all(self, asked: Sequence[Quantity]) -> None:
        """The same with how many values percentiles are of, for which runs are read once only."""
        self._measure([*asked, *(one.counts() for one in asked if one.percent is not None)])

    def _measure(self, asked: Sequence[Quantity]) -> None:
        """Read each run once for all that has not been measured yet."""
        for number in range(len(self.runs)):
            missing = [one for one in asked if (one.key(), number) not in self._measured]
            result = self._fresh(number) if missing else None
            for one in missing:
                assert result is not None
                self._measured[one.key(), number] = one.measure(result)

    def _means(self, one: Quantity, numbers: Sequence[int],
               confidence: float) -> dict[str, Interval]:
        values: dict[str, list[float]] = {}
        for number in numbers:
            for part, value in self._values(one, number).items():
                values.setdefault(part, []).extend([] if math.isnan(value) else [value])
        return {part: bounded(mean_interval(values[part], confidence), values[part], one.least,
                              one.most) for part in one.ordered(values)}

    def _bootstraps(self, one: Quantity, numbers: Sequence[int], confidence: float,
                    seed: int) -> dict[str, Interval]:
        import numpy

        statistic = one.statistic if one.pools else "mean"
        runs: dict[str, list[Any]] = {}
        for number in numbers:
            for part, some in one.samples(self._fresh(number)).items():
                array = numpy.asarray(some if one.pools else [statistic_of(one.statistic, some)],
                                      dtype=float)
                array = array[~numpy.isnan(array)]
                runs.setdefault(part, []).extend([array] if len(array) else [])
        found = {}
        for part in one.ordered(runs):
            estimate = together(statistic, runs[part]) if runs[part] else lambda _: [math.nan]
            alone = estimate([[int(at == other) for other in range(len(runs[part]))]
                              for at in range(len(runs[part]))]) if runs[part] else []
            found[part] = bounded(bootstrap_interval(len(runs[part]), estimate, confidence, seed),
                                  alone, one.least, one.most)
        return found
