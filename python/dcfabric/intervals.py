# SPDX-License-Identifier: GPL-2.0-only
"""Confidence intervals of what random runs have measured.

A run with a seed of its own is one independent observation; the flows in it are not, because they
share queues. So intervals are over runs: Student's t for means [LAW]_, and a bootstrap that draws
whole runs for percentiles of all flows together [ET93]_ (doc/references.rst).
"""
from __future__ import annotations

import math
import random
import statistics
from typing import Callable, NamedTuple, Sequence

from .errors import DcfabricError

LEAST_SEEDS = 2
"""With one observation nothing is known about the spread."""
ENOUGH_SEEDS = 5
"""With fewer an interval says little: of two or three it is mostly the luck of their spread."""
RESAMPLES = 2000
"""Of a bootstrap: enough for the ends of 95 % intervals [ET93]."""


class Interval(NamedTuple):
    """A mean, or another estimate, and a range that has the true value with the given
    confidence."""

    mean: float
    """the estimate, in the unit of the observations"""
    low: float
    """lower end; NaN with fewer than two observations"""
    high: float
    """upper end; NaN with fewer than two observations"""
    seeds: int
    """number of independent observations"""


def check_confidence(confidence: float) -> None:
    """Raises DcfabricError unless it is a probability between 0 and 1."""
    if not 0 < confidence < 1:
        raise DcfabricError(f"confidence is {confidence}; expected a number between 0 and 1, such "
                            "as 0.95")


def t_distribution(t: float, degrees: int) -> float:
    """Probability that Student's t with some degrees of freedom lies between -t and t.

    The finite series for whole degrees of freedom: Abramowitz and Stegun, Handbook of Mathematical
    Functions, 26.7.3 and 26.7.4."""
    angle = math.atan(t / math.sqrt(degrees))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2
    term = total = cosine if odd else 1.0
    for number in range(1 + odd, degrees - 1, 2):
        term *= number / (number + 1) * cosine * cosine
        total += term
    if odd:
        return 2 / math.pi * (angle + (sine * total if degrees > 1 else 0.0))
    return sine * total


def t_quantile(confidence: float, degrees: int) -> float:
    """The t for which the probability between -t and t is the confidence (0 to 1, both
    excluded)."""
    check_confidence(confidence)
    if degrees < 1:
        raise DcfabricError(f"Student's t with {degrees} degrees of freedom and confidence "
                            f"{confidence}: expected at least 1, and a "
                            "number between 0 and 1, such as 0.95")
    low, high = 0.0, 1.0
    while t_distribution(high, degrees) < confidence:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = ((middle, high) if t_distribution(middle, degrees) < confidence
                     else (low, middle))
    return (low + high) / 2


def mean_interval(values: Sequence[float], confidence: float = 0.95) -> Interval:
    """Mean of independent observations, with Student's t: mean +- t s / sqrt(n)."""
    count = len(values)
    if count == 0:
        return Interval(math.nan, math.nan, math.nan, 0)
    if not all(map(math.isfinite, values)):  # such as the time of what never happened
        return Interval(sum(values) / count, math.nan, math.nan, count)
    mean = statistics.fmean(values)
    if count < LEAST_SEEDS:
        return Interval(mean, math.nan, math.nan, count)
    half = t_quantile(confidence, count - 1) * statistics.stdev(values, mean) / math.sqrt(count)
    return Interval(mean, mean - half, mean + half, count)


def bounded(found: Interval, values: Sequence[float], least: float = -math.inf,
            most: float = math.inf) -> Interval:
    """An interval whose ends are no values that the quantity cannot have, and which has no ends if
    all observations are the same: then the seed changes nothing, and there is but one observation.

    values: the observations. least, most: the range of the quantity; one beyond it, by rounding,
    widens it."""
    finite = [value for value in values if math.isfinite(value)]
    if len(finite) < LEAST_SEEDS or min(finite) == max(finite):
        return found._replace(low=math.nan, high=math.nan)
    low, high = min([least, *finite]), max([most, *finite])
    # a comparison with NaN is false: an end that is not known stays so
    return found._replace(low=low if found.low < low else found.low,
                          high=high if found.high > high else found.high)


def bootstrap_interval(runs: int, estimate: Callable[[Sequence[Sequence[int]]], Sequence[float]],
                       confidence: float = 0.95,
                       seed: int = 1, resamples: int = RESAMPLES) -> Interval:
    """An estimate over runs, and the middle part of its values when as many runs are drawn with
    replacement, again and again (percentile bootstrap).

    runs: how many there are. estimate: for each draw, which tells how often each run counts, a
    value, such as a percentile of all their flows. seed: of the draws; the same seed gives the same
    interval. Of few runs it is too narrow, as few cannot show how different runs may be: take ten
    or more."""
    check_confidence(confidence)
    once = [1] * runs
    if runs < LEAST_SEEDS:
        return Interval(estimate([once])[0] if runs else math.nan, math.nan, math.nan, runs)
    chance = random.Random(seed)
    draws = []
    for _ in range(resamples):
        drawn = [0] * runs
        for number in chance.choices(range(runs), k=runs):
            drawn[number] += 1
        draws.append(drawn)
    mean, *found = estimate([once, *draws])
    found.sort()
    outside = (1 - confidence) / 2
    low, high = math.floor(outside * (resamples - 1)), math.ceil((1 - outside) * (resamples - 1))
    return Interval(mean, found[low], found[high], runs)
