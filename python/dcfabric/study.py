# SPDX-License-Identifier: GPL-2.0-only
"""Every combination of some values of some fields, each with several seeds: runs, a tidy frame,
intervals, figures."""
from __future__ import annotations

import dataclasses
import hashlib
import itertools
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Sequence

from .errors import DcfabricError, SweepFailed
from .run_files import STUDY, labels_in, usable, write_json
from .scenario import FIELDS, Scenario, option_text
from .sweep import Executor, sweep
from .task import folder_names
from .wording import check_names, count_of, nearest_text, plain, spelled

if TYPE_CHECKING:
    from .findings import Findings
    from .result import Result

Values = Sequence[Any] | Mapping[Any, Any]
Label = str | int | float | bool
Exclude = Callable[[Mapping[str, Label]], bool] | Iterable[Mapping[str, Any]]

MERGED = ("attributes", "options", "cc_parameters")
"""Fields whose values are added to those of the base scenario, entry by entry."""
LONGEST = 120
"""Bytes in the name of a run, which is that of its folder."""


@dataclasses.dataclass(frozen=True)
class Point:
    """One run of a study."""

    labels: Mapping[str, Label]
    """what the run has in each column of the grid"""
    seed: int
    scenario: Scenario


class Study:
    """Every combination of the values of a grid, each with the same seeds::

        study = Study(Scenario(topology="fat-tree:k=4", workload="websearch", duration="1ms"),
                      {"cc": ["fncc", "hpcc"], "load": [0.3, 0.5]}, seeds=10)
        findings = study.run(out="results/loads")
        findings.intervals("slowdown_p99")

    Equal seeds give equal flows to all algorithms, so that they can be compared pair by pair: see
    Findings.differences().
    """

    @spelled
    def __init__(self, base: Scenario, grid: Mapping[str, Values],
                 seeds: int | Iterable[int] = 10, exclude: Exclude = ()) -> None:
        """base: what all runs have in common. grid: values by column. A column is a field of
        Scenario or the full name of an attribute of ns-3, with a list of values or a mapping from
        labels to values; or a name of your own with a mapping from labels to fields, such as
        ``{"algorithm": {"FNCC": {"cc": "fncc", "preset": "fncc24"}, "HPCC": {"cc": "hpcc"}}}``.
        seeds: how many, from 1, or which. exclude: combinations to leave out: mappings from columns
        to a label or a list of labels, such as ``[{"cc": ["fncc", "hpcc"], "lb": "reps"}]``, or a
        function of the labels that says whether to.

        Raises DcfabricError for columns that are none, two columns that set one field, columns or
        seeds that are empty or have something twice, a base with a seed of its own, which no run
        would have, and an exclude that names what is not there or leaves nothing."""
        if base.seed != Scenario.seed:
            raise DcfabricError(f"the base has seed={base.seed}, but each run has one of seeds: "
                                f"give seeds=[{base.seed}]")
        self.base = base
        self.seeds = _seeds(seeds)
        self.columns: dict[str, dict[Label, dict[str, Any]]] = {column: _fields(column, values)
                                                                for column, values in grid.items()}
        if not self.columns:
            raise DcfabricError("a study needs a grid, such as {'cc': ['fncc', 'hpcc']}; to repeat "
                                "one scenario, give the field that "
                                "you would change next with a single value")
        setters: dict[str, str] = {}
        for column, values in self.columns.items():
            for field in sorted({key for changes in values.values() for key in _set(changes)}):
                if setters.setdefault(field, column) != column:
                    raise DcfabricError(f"columns '{setters[field]}' and '{column}' both set "
                                        f"{field}: merge them into one")
        self._is_excluded = _excluded(exclude, self.columns)
        if not self._combinations():
            raise DcfabricError("exclude leaves no combination")

    def points(self) -> dict[str, Point]:
        """All runs by name, those with one seed beside one another."""
        found = {}
        for labels in self._combinations():
            for seed in self.seeds:
                changes: dict[str, Any] = {"seed": seed}
                for column, label in labels.items():
                    for field, value in self.columns[column][label].items():
                        merged = ({**changes.get(field, getattr(self.base, field)), **value}
                                  if field in MERGED else value)
                        changes[field] = merged
                found[_name({**labels, "seed": seed})] = Point(labels, seed,
                                                               self.base.replace(**changes))
        return found

    def _combinations(self) -> list[dict[str, Label]]:
        """Labels by column, without those that are left out."""
        every = (dict(zip(self.columns, chosen))
                 for chosen in itertools.product(*self.columns.values()))
        return [labels for labels in every if not self._is_excluded(labels)]

    def scenarios(self) -> dict[str, Scenario]:
        """All runs by name, as sweep() and write_jobs() take them."""
        return {name: point.scenario for name, point in self.points().items()}

    @spelled
    def run(self, out: str | os.PathLike[str] | None = None, jobs: int | None = None,
            progress: bool = True, *,
            program: str | os.PathLike[str] | None = None,
            executor: Executor | None = None, force: bool = False) -> Findings:
        """Do the runs that are not finished, by sweep(), which explains the arguments. Raises what
        it does; of combinations that the program refuses it tells the ``exclude`` without them."""
        try:
            return self.findings(sweep(self.scenarios(), jobs, out, progress, program=program,
                                       executor=executor, force=force))
        except SweepFailed as error:
            refused = self.refused(error)
            if refused:
                error.args = (f"{error}\nTo leave them out: Study(..., exclude={refused!r})",)
            raise
        finally:
            if out is not None and os.path.isdir(out):
                self._keep_labels(Path(out))

    def _keep_labels(self, folder: Path) -> None:
        """For figures of the folder; also those of earlier studies there."""
        points = self.points()
        labels = {name: dict(point.labels)
                  for name, point in zip(folder_names(points), points.values())}
        with usable(folder):
            write_json(folder / STUDY, {**labels, **{name: some for name, some
                                                     in labels_in(folder).items()
                                                     if name not in labels}})

    def refused(self, error: SweepFailed) -> list[dict[str, Any]]:
        """The combinations that would be refused, as exclude takes them, without the columns that
        do not matter; none if nothing else would be left, and none of a study that has begun."""
        points = self.points()
        found = [dict(points[str(name)].labels) for name in error.failures if not error.begun]
        once = [one for at, one in enumerate(found) if one not in found[:at]]
        every = self._combinations()
        return _rules(once, every) if len(once) < len(every) else []

    def findings(self, results: Mapping[str, Result]) -> Findings:
        """What has been found by those runs that are done, by name; such as
        ``SweepFailed.results``, where others failed, or what sweep() returned. Raises DcfabricError
        for names of no run, and if there are none."""
        from .findings import Findings  # which knows studies

        points = self.points()
        unknown = [name for name in results if name not in points]
        if unknown or not results:
            raise DcfabricError(f"'{unknown[0]}' is no run of this study" if unknown
                                else "no run of this study is done")
        return Findings(list(self.columns),
                        [(point.labels, point.seed, results[name]) for name, point in points.items()
                         if name in results])

    def __len__(self) -> int:
        """Number of runs."""
        return len(self.seeds) * len(self._combinations())

    def __repr__(self) -> str:
        grid = "; ".join(f"{column}: {', '.join(map(str, values))}"
                         for column, values in self.columns.items())
        return (f"Study({grid}; seeds {', '.join(map(str, self.seeds))}: "
                f"{count_of(len(self), 'run')})")


def _seeds(given: int | Iterable[int]) -> tuple[int, ...]:
    given = plain(given)
    seeds = tuple(range(1, given + 1)) if isinstance(given, int) else tuple(map(plain, given))
    if (not seeds or len(set(seeds)) < len(seeds)
            or not all(isinstance(seed, int) for seed in seeds)):
        raise DcfabricError(f"seeds are {given!r}; expected how many, from 1, or different whole "
                            "numbers")
    return seeds


def _fields(column: str, values: Values) -> dict[Label, dict[str, Any]]:
    """What each label of a column sets."""
    if column == "seed":
        raise DcfabricError("column 'seed': give seeds=..., which every point of the grid gets")
    if isinstance(values, str) or not isinstance(values, (Mapping, Iterable)):
        raise DcfabricError(f"column '{column}' is {values!r}; expected a list of values, or a "
                            "mapping from labels to values")
    named = dict(values) if isinstance(values, Mapping) else _labelled(column, list(values))
    if not named:
        raise DcfabricError(f"column '{column}' has no values")
    texts = [str(label) for label in named]
    for text in texts:
        if texts.count(text) > 1:  # runs of both would have one name
            raise DcfabricError(f"column '{column}' has '{text}' twice")
    if column in FIELDS:
        return {label: {column: value} for label, value in named.items()}
    if "::" in column:
        return {label: {"attributes": {column: value}} for label, value in named.items()}
    for label, value in named.items():
        if not isinstance(value, Mapping):
            raise DcfabricError(f"column '{column}' is no field of Scenario"
                                f"{nearest_text(column, FIELDS)}; a name of your own needs a "
                                "mapping from labels to fields, such as "
                                f"{{'{column}': {{'FNCC': {{'cc': 'fncc', 'preset': 'fncc24'}}}}}}")
        if "seed" in value:
            raise DcfabricError(f"column '{column}', {label}: 'seed' is no field that a column can "
                                "set: give seeds=...")
        check_names(f"column '{column}', {label}: Scenario has no field", value, FIELDS)
    return {label: dict(value) for label, value in named.items()}


def _excluded(exclude: Exclude,
              columns: Mapping[str, Mapping[Label, Any]]) -> Callable[[Mapping[str, Label]], bool]:
    """Whether a combination is left out."""
    if callable(exclude):
        return exclude
    if isinstance(exclude, Mapping):
        exclude = [exclude]
    rules: list[dict[str, list[Any]]] = []
    for rule in exclude:
        if not isinstance(rule, Mapping) or not rule:
            raise DcfabricError(f"exclude has {rule!r}; expected mappings from columns to labels, "
                                "such as [{'cc': 'fncc', 'lb': 'reps'}], or a function")
        check_names("exclude: the grid has no column", rule, columns)
        rules.append({column: list(labels) if isinstance(labels, (list, tuple, set)) else [labels]
                      for column, labels in rule.items()})
        for column, labels in rules[-1].items():
            for label in labels:
                if label not in columns[column]:
                    raise DcfabricError(f"exclude: column '{column}' has no {label!r}; it has "
                                        f"{', '.join(map(repr, columns[column]))}")
    return lambda labels: any(all(labels[column] in some for column, some in rule.items())
                              for rule in rules)


def _rules(refused: Sequence[Mapping[str, Label]],
           every: Sequence[Mapping[str, Label]]) -> list[dict[str, Any]]:
    """The fewest words that leave out what is refused, of every combination, and nothing else: a
    column that does not matter is left out, and labels of one column are a list."""
    rules: list[dict[str, Any]] = []
    known = {tuple(one.items()) for one in refused}
    fine = [one for one in every if tuple(one.items()) not in known]
    for one in refused:
        rule = dict(one)
        for column in one:
            wider = {name: label for name, label in rule.items() if name != column}
            if wider and not any(_has(other, wider) for other in fine):
                rule = wider
        if rule not in rules:
            rules.append(rule)
    merged: list[dict[str, Any]] = []
    for rule in rules:
        last = merged[-1] if merged else {}
        unlike = [column for column in rule if rule[column] != last.get(column)]
        if [*rule] == [*last] and len(unlike) == 1 and len(rule) > 1:
            others = last[unlike[0]]
            last[unlike[0]] = [*(others if isinstance(others, list) else [others]),
                               rule[unlike[0]]]
        else:
            merged.append(rule)
    return merged


def _has(labels: Mapping[str, Label], rule: Mapping[str, Label]) -> bool:
    """Whether a combination has all labels of a rule."""
    return all(labels[column] == label for column, label in rule.items())


def _set(changes: Mapping[str, Any]) -> list[str]:
    """What they set, entries of mappings one by one."""
    return [key for field, value in changes.items()
            for key in (map(str, value) if field in MERGED else [field])]


def _labelled(column: str, values: list[Any]) -> dict[Label, Any]:
    found: dict[Label, Any] = {}
    for value in map(plain, values):
        if isinstance(value, (str, int, float)):
            label: Label = value
        elif value is None:
            label = "default"
        elif isinstance(value, type):
            label = _name_of_class(value, found)
        elif (isinstance(value, (list, tuple))
              and all(isinstance(one, (str, int, float)) for one in value)):
            label = option_text(value)
        else:
            raise DcfabricError(f"column '{column}': {value!r} needs a label; give a mapping from "
                                "labels to values")
        if label in found:
            raise DcfabricError(f"column '{column}' has {label!r} twice")
        found[label] = value
    return found


def _name_of_class(value: type[Any], found: Mapping[Label, Any]) -> str:
    """Its name, with a number if other classes have it, too: "Mine (2)"."""
    names = itertools.chain([value.__name__],
                            (f"{value.__name__} ({number})" for number in itertools.count(2)))
    return next(name for name in names if name not in found or found[name] is value)


def _name(labels: Mapping[str, Any]) -> str:
    """Of a run; a long one ends with a hash instead."""
    text = ",".join(f"{column}={label}" for column, label in labels.items())
    if len(text.encode()) <= LONGEST:
        return text
    return (
        f"{text.encode()[:LONGEST - 20].decode(errors='ignore')}..."
            f"{hashlib.sha256(text.encode()).hexdigest()[:16]}")
