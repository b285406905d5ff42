# SPDX-License-Identifier: GPL-2.0-only
"""Figures from one or several result folders of dcfabric-sim.

    dcfabric-plot DIR [DIR...] [--out OUTDIR] [--html FILE] [--labels A,B,C] [--join-seeds]
                      [--whiskers range|interval] [--flow N] [--port NODE:PORT] [--rank N]
                      [--prefix NAME-] [--from-us T] [--to-us T] [--format png|pdf|svg]

Needs flows.csv and summary.json in each DIR. Writes, where the folders hold the data:

    slowdown-by-size   median, 95th and 99th percentile of the slowdown over the flow size
    fct-cdf            distribution of the slowdown and of the flow completion time
    fct-ccdf           their tails: share of flows with at least so much, logarithmic
    queues             queue length over time, at the port with the highest peak of each folder
    rates              throughput of the flows over time, and the limit that their congestion
                       control sets
    windows            windows and round-trip times of senders over time
    links              utilization of the busiest links over time
    link-use           mean utilization of every link over the plan of the network (from plan.json
                       of the folder, or by asking dcfabric-sim)
    comparison         bars: slowdown, goodput, longest queue, pause frames
    flow-N, port-NODE-PORT, rank-N
                       timelines, one file for each folder

Folders of the same label are seeds of one thing: one line, with whiskers. --join-seeds joins
folders whose options differ only in the seed. --html writes a page with all of this to explore in a
browser; it needs plotly.

A DIR of an experiment (examples/fncc-*.py: result.json instead of flows.csv) gives that
experiment's figures. A file with the plan of a network (dcfabric-sim --plan=json > FILE.json) gives
a drawing of it, of the file's name.

The path of every figure drawn is printed, one per line; standard error says what cannot be drawn.
Status 2: a folder or file is missing or malformed; nothing is written then.
"""
from __future__ import annotations

import argparse
import itertools
import json
import re
import sys
from pathlib import Path
from typing import Any, Callable, Mapping, Sequence

try:
    import matplotlib

    matplotlib.use("Agg")
    from . import drawing
    from .columns import SERIES
    from .plots import distributions, network, over_time
    from .plots.data import BadInput, Line, Run, Window, lines_of
    from .plots.timelines import (Timeline, draw_timeline, flow_timeline, port_timeline,
                                  rank_timeline)
except ImportError as error:
    from .program import way_to

    print(f"dcfabric-plot: error: {error}: "
          f"{way_to('install matplotlib, numpy and pandas', 'dcfabric[plot]')}", file=sys.stderr)
    sys.exit(2)

from .commands import patient_errors, patient_output
from .errors import DcfabricError
from .plan import Plan
from .program import VERSION
from .wording import count_of


DrawExperiment = Callable[[Mapping[str, Any], Path, str, str], list[Path]]
"""Draws the figures of an experiment; returns their paths."""


def say(text: str) -> None:
    """To standard error: what is not drawn, and why."""
    print(f"dcfabric-plot: {text}", file=sys.stderr)


class Writer:
    """Draws in the one style, saves and prints paths."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self._taken: set[str] = set()

    def free(self, name: str) -> str:
        """What a figure of this name is called, with the prefix: no figure takes the place of
        another one of this call."""
        names = (f"{self.options.prefix}{name}{end}"
                 for end in itertools.chain([""], (f"-{number}" for number in itertools.count(2))))
        found = next(one for one in names if one not in self._taken)
        self._taken.add(found)
        return found

    def write(self, name: str, function: Callable[..., Any], *arguments: Any) -> None:
        """The figure that a function gives, if it gives one."""
        with drawing.styled():
            figure = function(*arguments)
        if figure is not None:
            print(drawing.save(figure,
                               self.options.out / f"{self.free(name)}.{self.options.format}"))


def is_experiment(folder: Path) -> bool:
    """Whether a folder is that of an experiment, not of a run."""
    return (folder / "result.json").is_file() and not (folder / "flows.csv").exists()


def read_experiment(folder: Path) -> dict[str, Any] | None:
    """What an experiment wrote, or None for the folder of a run."""
    if not is_experiment(folder):
        return None
    path = folder / "result.json"
    try:
        result = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise BadInput(f"{path}: {error}") from error
    if not isinstance(result, dict) or "experiment" not in result or "series" not in result:
        raise BadInput(f"{path}: not the result of an experiment")
    return result


def names_of(lines: Sequence[Line]) -> str:
    """Labels, for a message."""
    return some([line.label for line in lines])


def some(names: Sequence[str], most: int = 5) -> str:
    """The first names of a list, and how many more there are."""
    return ", ".join([*names[:most],
                      *([f"and {len(names) - most} more"] if len(names) > most else [])])


def plot_lines(lines: Sequence[Line], networks: Mapping[str, Plan], writer: Writer) -> None:
    """All figures of runs but timelines. networks: plans by label."""
    interval = writer.options.whiskers == "interval"
    complete = [line for line in lines if len(line.flows)]
    if len(complete) < len(lines):
        say("slowdown by size and its CDF: no flow was completed in "
            f"{names_of([line for line in lines if line not in complete])}")
    if complete:
        writer.write("slowdown-by-size", distributions.slowdown_by_size, complete, interval)
        writer.write("fct-cdf", distributions.distribution, complete)
        writer.write("fct-ccdf", distributions.tail, complete)
    for name, series in SERIES.items():
        if not series.figure or not series.figure.panels:
            continue
        having = [line for line in lines if line.first.has(name)]
        if having:
            writer.write(name, over_time.draw, series, having)
        if having and len(having) < len(lines):
            say(f"{name}: no data in {names_of([line for line in lines if line not in having])}")
    if networks:
        writer.write("link-use", network.link_use,
                     [line for line in lines if line.label in networks], networks)
    writer.write("comparison", distributions.comparison, lines, interval)


def plans_of(lines: Sequence[Line]) -> dict[str, Plan]:
    """Plans by label, of those that have one; says why others have not."""
    found = {}
    known: dict[str, Plan] = {}  # the same options are the same network
    lacking: dict[str, list[str]] = {}
    for line in lines:
        key = line.label
        if line.first.options and not (line.first.folder / "plan.json").is_file():
            key = json.dumps([line.first.options.get(name)
                              for name in network.SHAPING if name != "seed"])
        try:
            found[line.label] = known[key] = (known[key] if key in known
                                              else network.plan_of(line.first))
        except (DcfabricError, OSError) as error:
            lacking.setdefault(str(error), []).append(line.label)
    for reason, labels in lacking.items():
        say(f"link-use: no plan of the network of {some(labels)}: {reason}")
    return found


def timelines_of(run: Run, options: argparse.Namespace) -> dict[str, Timeline]:
    """Those that the options ask for, by name of the figure."""
    found = {f"flow-{number}": flow_timeline(run, number) for number in options.flow}
    found.update(
        {f"port-{node}-{port}": port_timeline(run, node, port) for node, port in options.port})
    found.update({f"rank-{rank}": rank_timeline(run, rank) for rank in options.rank})
    return found


def plot_timelines(lines: Sequence[Line], found: Sequence[dict[str, Timeline]], writer: Writer,
                   window: Window) -> None:
    """A figure for each timeline of the first run of each line; says what results lack."""
    for line, timelines in zip(lines, found):
        for name, timeline in timelines.items():
            file = (name if len(lines) == 1
                    else f"{name}-{re.sub(r'[^A-Za-z0-9._-]+', '-', line.label)}")
            if timeline.missing:
                say(f"{file}: {'; '.join(timeline.missing)}")
            writer.write(file, draw_timeline, timeline, line.of_first(), window)


def port_of(text: str) -> tuple[int, int]:
    """NODE:PORT, for argparse."""
    found = re.fullmatch(r"(\d+):(\d+)", text)
    if not found:
        raise argparse.ArgumentTypeError(f"'{text}' is not NODE:PORT, such as 4:0")
    return int(found[1]), int(found[2])


def parse_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """From the command line; ends the program with status 2 if they are wrong."""
    parser = argparse.ArgumentParser(prog="dcfabric-plot",
                                     description="Figures from result folders of dcfabric-sim.")
    parser.add_argument("--version", action="version", version=f"dcfabric {VERSION}")
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR",
                        help="result folder, or file with a plan")
    parser.add_argument("--out", type=Path,
                        help="folder for the figures (default: figures; with --html: none are "
                             "drawn)")
    parser.add_argument("--html", type=Path, metavar="FILE",
                        help="write a page to explore the results in a browser, without network "
                             "access; needs plotly")
    parser.add_argument("--labels",
                        help="comma-separated names, one per folder (default: the folder's); "
                             "folders of one name "
                        "are seeds of one line")
    parser.add_argument("--join-seeds", action="store_true",
                        help="folders whose options differ only in the seed become one line")
    parser.add_argument("--whiskers", choices=("range", "interval"), default="range",
                        help="what whiskers over several seeds are: their range, or the 95%% "
                             "confidence interval of the mean")
    parser.add_argument("--flow", type=int, action="append", default=[], metavar="N",
                        help="also the timeline of a flow")
    parser.add_argument("--port", type=port_of, action="append", default=[], metavar="NODE:PORT",
                        help="and of a port")
    parser.add_argument("--rank", type=int, action="append", default=[], metavar="N",
                        help="and of a rank (--workload=program:PATH); each of the three may be "
                             "given several times")
    parser.add_argument("--prefix", default="", help="prefix of the figures' file names")
    parser.add_argument("--from-us", type=float, default=float("-inf"),
                        help="start of time series [us]")
    parser.add_argument("--to-us", type=float, default=float("inf"), help="end of time series [us]")
    parser.add_argument("--format", choices=("png", "pdf", "svg"), default="png")
    options = parser.parse_args(arguments)
    options.names = ([name.strip() for name in options.labels.split(",")]
                     if options.labels is not None
                     else [folder.resolve().name for folder in options.folders])
    if len(options.names) != len(options.folders):
        parser.error(f"--labels has {count_of(len(options.names), 'name')} for "
                     f"{count_of(len(options.folders), 'folder')}")
    if options.labels is not None and not all(options.names):
        parser.error("--labels has an empty name")
    if not options.from_us < options.to_us:
        parser.error("--from-us must be less than --to-us")
    if options.out is None and options.html is None:
        options.out = Path("figures")
    return options


def work(options: argparse.Namespace, draw: DrawExperiment | None) -> None:
    """Reads everything, then draws. Raises DcfabricError or OSError."""
    window = (options.from_us, options.to_us)
    plans = [(f.stem, Plan.read(f)) for f in options.folders if f.is_file()]
    experiments = [e for e in map(read_experiment, options.folders) if e]
    runs = [Run(f, n, window) for f, n in zip(options.folders, options.names)
            if not f.is_file() and not is_experiment(f)]
    if experiments and draw is None:
        raise DcfabricError(f"the experiment {experiments[0]['experiment']!r} is drawn by "
                            "examples/dcfabric-plot of a checkout, beside the experiments' scripts")
    lines = lines_of(runs, options.join_seeds, options.labels is not None)
    for name in dict.fromkeys(run.label for run in runs):
        if (not options.join_seeds
                and sum(run.label == name for line in lines for run in line.runs[:1]) > 1):
            say(f"folders of the name {name} have other options: they are drawn apart; --labels "
                "would join them")
    if not lines and (options.flow or options.port or options.rank):
        raise DcfabricError("--flow, --port, --rank: no result folder of dcfabric-sim is given")
    timelines = [timelines_of(line.first, options) for line in lines]
    if options.html is not None and not lines:
        raise DcfabricError("--html: no result folder of dcfabric-sim is given")
    networks = plans_of([line for line in lines if all(run.has("links") for run in line.runs)])
    if options.html is not None:
        from .plots.page import write_page

        print(write_page(options.html, lines, networks, timelines, options.whiskers == "interval"))
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        writer = Writer(options)
        for name, plan in plans:
            writer.write(name, plan.draw)
        if draw:
            for experiment in experiments:
                for path in draw(experiment, options.out, options.format,
                                 writer.free(str(experiment["experiment"]))):
                    print(path)
        if lines:
            plot_lines(lines, networks, writer)
            plot_timelines(lines, timelines, writer, window)


def main(arguments: Sequence[str] | None = None, draw: DrawExperiment | None = None) -> int:
    """The program. Returns its exit status. draw: what draws the figures of experiments, with the
    folder, the ending and the beginning of their names; None where their scripts are not."""
    with patient_errors():
        return _main(arguments, draw)


def _main(arguments: Sequence[str] | None, draw: DrawExperiment | None) -> int:
    try:
        with patient_output():
            work(parse_options(arguments), draw)
    except (DcfabricError, OSError) as error:
        print(f"dcfabric-plot: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        say("interrupted; what is printed above is complete")
        return 130
    return 0
