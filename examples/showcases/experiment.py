# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment scripts share: options, runs that are not repeated, result.json, figures.

An experiment is a script that describes scenarios, measures their results and compares them with
the paper's. It writes ``result.json`` with every number that it prints or draws, and the figures,
which are drawn from that file alone (``dcfabric-plot FOLDER`` redraws them).
"""
from __future__ import annotations

import argparse
import dataclasses
import os
import sys
from pathlib import Path
from typing import Any, Callable, Mapping, Sequence

from dcfabric.commands import guarded, positive, require_packages
from dcfabric.errors import DcfabricError, FolderUnusable
from dcfabric.program import check_program, find_program, fingerprint
from dcfabric.result import Result
from dcfabric.run_files import for_json, write_json
from dcfabric.scenario import Scenario
from dcfabric.sweep import sweep


@dataclasses.dataclass(frozen=True)
class Number:
    """One measured quantity."""

    case: str
    """what was run, such as ``FNCC, 100 Gb/s``"""
    quantity: str
    """what was measured"""
    unit: str
    """its unit, empty for a ratio or a count"""
    value: float
    """our value"""
    paper: float | None = None
    """the paper's value, None where it gives none"""


@dataclasses.dataclass(frozen=True)
class Claim:
    """A claim that the paper makes about its results, and whether it holds here."""

    text: str
    """the claim"""
    holds: bool
    """whether our numbers agree"""
    values: str = ""
    """the numbers that decide"""


@dataclasses.dataclass(frozen=True)
class Setting:
    """What --set asks for."""

    cc: str | None
    """congestion control that a run must have, None for any"""
    name: str
    """attribute or option"""
    value: str
    """its value"""

    @classmethod
    def parse(cls, text: str) -> Setting:
        """From the command line, for argparse."""
        name, equals, value = text.partition("=")
        cc, comma, rest = name.partition(",")
        name = rest if comma else name
        if not equals or not name or (comma and not cc):
            raise argparse.ArgumentTypeError(f"'{text}' is not [CC,]NAME=VALUE")
        return cls(cc if comma else None, name, value)

    def __str__(self) -> str:
        return (f"{self.cc}," if self.cc else "") + f"{self.name}={self.value}"

    def applies_to(self, scenario: Scenario) -> bool:
        """Whether a run gets it."""
        return self.cc in (None, scenario.cc)


class Experiment:
    """One experiment: options of the command line, runs, and results."""

    def __init__(self, name: str, title: str, seeds: int | None = None,
                 quick_seeds: int = 1) -> None:
        """name: of the script, without .py. title: its first paragraph is for --help. seeds:
        default of --seeds; None if the experiment has nothing random in it. quick_seeds: the same
        of --quick."""
        self.name = name
        self.is_random = seeds is not None
        self._defaults: dict[str, tuple[Any, Any]] = {}
        parser = argparse.ArgumentParser(prog=f"{name}.py", description=title.partition("\n\n")[0])
        parser.add_argument("--quick", action="store_true",
                            help="a short form, for less than a minute")
        parser.add_argument("--out", type=Path, default=Path(f"results-{name}"),
                            help="folder for runs, result.json and figures (default: %(default)s)")
        self.parser = parser
        if self.is_random:
            self.add("--seeds", seeds, quick_seeds, "number of seeds", type=positive)
        else:
            self.add("--seeds", 1, 1, "no effect: nothing is random here", type=positive)
        parser.add_argument("--jobs", type=positive, default=len(os.sched_getaffinity(0)),
                            help="runs at a time (default: as many as there are processors)")
        parser.add_argument("--set", type=Setting.parse, action="append", default=[],
                            metavar="[CC,]NAME=VALUE",
                            help="an attribute of ns-3 by its full name, or an option of "
                                 "dcfabric-sim without dashes, for "
                            "every run or those with one congestion control; may be given several "
                            "times")
        parser.add_argument("--program", type=Path,
                            help="dcfabric-sim to run (default: found as doc/python.rst says)")
        parser.add_argument("--force", action="store_true",
                            help="overwrite runs of other options, as of another --set")
        self.options = argparse.Namespace()

    def add(self, name: str, default: Any, quick: Any, text: str, **more: Any) -> None:
        """An option with another default under --quick, which does not override what is given.
        text: for --help. more: for argparse."""
        shown = f"{default}; with --quick {quick}" if quick != default else f"{default}"
        self._defaults[self.parser.add_argument(name, help=f"{text} (default: {shown})",
                                                **more).dest] = (default, quick)

    def _parse(self, arguments: Sequence[str] | None) -> argparse.Namespace:
        options = self.parser.parse_args(arguments)
        for name, (default, quick) in self._defaults.items():
            if getattr(options, name) is None:
                setattr(options, name, quick if options.quick else default)
        if options.seeds > 1 and not self.is_random:
            print(f"{self.name}.py: nothing is random in this experiment: one seed instead of "
                  f"--seeds={options.seeds}", file=sys.stderr)
            options.seeds = 1
        return options

    def main(self, body: Callable[[Experiment], Mapping[str, Any]],
             arguments: Sequence[str] | None = None) -> int:
        """Parse options, run the body and write what it returns: a mapping with ``numbers``,
        ``claims`` and ``series``. Returns the exit status, see guarded()."""

        def work() -> int:
            self.options = self._parse(arguments)
            if arguments is None:
                require_packages()
            check_program(find_program(self.options.program))
            self.finish(body(self))
            return 0

        return guarded(f"{self.name}.py", work)

    def run(self, scenarios: Mapping[Any, Scenario]) -> dict[Any, Result]:
        """Run scenarios with what --set asks for in the result folder; finished ones are not run
        again."""
        changed = {name: self._set(name, scenario) for name, scenario in scenarios.items()}
        unused = [str(one) for one in self.options.set
                  if not any(one.applies_to(scenario) for scenario in scenarios.values())]
        if unused:
            raise DcfabricError(f"--set {unused[0]}: no run of this experiment has that congestion "
                                "control")
        # those of the short form have the same names, and are others
        out = self.options.out / ("runs-quick" if self.options.quick else "runs")
        try:
            return sweep(changed, jobs=self.options.jobs, out=out, program=self.options.program,
                         force=self.options.force)
        except FolderUnusable as error:
            raise FolderUnusable(str(error).replace("give another out or other names", "give "
                                                    "another --out")
                                 .replace("force=True", "--force")) from error

    def _set(self, name: Any, scenario: Scenario) -> Scenario:
        """A scenario with what --set asks for."""
        changes = {one.name: one.value for one in self.options.set if one.applies_to(scenario)}
        for option in changes:
            if (option in scenario.attributes or option in scenario.options
                    or option.replace("-", "_") in scenario.set_fields()):
                raise DcfabricError(f"--set {option}: the run '{name}' of this experiment sets it "
                                    "itself; change the "
                                    "script instead")
        return scenario.replace(options={**scenario.options, **changes})

    def finish(self, outcome: Mapping[str, Any]) -> None:
        """Print the tables, write result.json and draw the figures."""
        from .figures import draw

        numbers: list[Number] = outcome["numbers"]
        claims: list[Claim] = outcome.get("claims", [])
        out = self.options.out
        result = {
            "experiment": self.name,
            "quick": self.options.quick,
            "seeds": self.options.seeds,
            "set": [str(one) for one in self.options.set],
            "program": fingerprint(find_program(self.options.program)),
            "numbers": [dataclasses.asdict(number) for number in numbers],
            "claims": [dataclasses.asdict(claim) for claim in claims],
            "series": outcome.get("series", {}),
        }
        print_numbers(numbers)
        for claim in claims:
            print(f"{'holds        ' if claim.holds else 'DOES NOT HOLD'}  {claim.text}"
                  + (f" ({claim.values})" if claim.values else ""))
        write_json(out / "result.json", result)
        print(out / "result.json")
        for path in draw(for_json(result), out):  # as dcfabric-plot will read it
            print(path)


def print_numbers(numbers: Sequence[Number]) -> None:
    """A line for each number, with the paper's value and the deviation where there is one."""
    width = max((len(number.case) for number in numbers), default=0)
    for number in numbers:
        line = (
            f"{number.case:{width}}  {number.quantity}: {number.value:.4g} {number.unit}".rstrip())
        if number.paper is not None:
            line += f" (paper: {number.paper:.4g} {number.unit}".rstrip() + ")"
        print(line)
