# SPDX-License-Identifier: GPL-2.0-only
"""Figures from one or several result folders of dcfabric-sim.

    dcfabric-plot DIR [DIR...] [--out OUTDIR] [--html FILE] [--labels A,B,C] [--join-seeds]
                      [--where OPTION=VALUE] [--x OPTION [--line OPTION] [--facet OPTION]]
                      [--baseline NAME] [--sizes 100kB,1MB] [--whiskers range|interval]
                      [--flow N] [--port NODE:PORT] [--rank N]
                      [--prefix NAME-] [--from-us T] [--to-us T] [--format png|pdf|svg]

Needs flows.csv and summary.json in each DIR, or in the folders of it, as in that of a sweep or
study: these runs are named by the options that differ, and seeds are joined. Writes, where the
folders hold the data:

    slowdown-by-size   median, 95th and 99th percentile of the slowdown over the flow size, hollow
                       where fewer than ten flows are above it
    fct-cdf            distribution of the slowdown and of the flow completion time
    fct-ccdf           their tails: share of flows with at least so much, logarithmic
    queues             queue length over time, at the port with the highest peak of each folder
    rates              throughput of the flows over time, and the limit that their congestion
                       control sets
    windows            windows and round-trip times of senders over time
    links              utilization of the busiest links over time
    link-use           mean utilization of every link over the plan of the network (from plan.json
                       of the folder, or by asking dcfabric-sim)
    jobs               times, slowdowns and steps of several jobs, and the links on which they wait
                       for one another
    comparison         bars: slowdown, throughput of flows, longest queue, pause frames
    differences        with --baseline: the same as differences to a line, seed by seed; to an
                       algorithm of several lines: to that with the same other options
    by-OPTION          with --x, in place of all others: the same over the values of an option, a
                       line for each value of --line, a row of panels for each of --facet
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
    from .plots import baselines, comparison, distributions, jobs, network, over_time, trend
    from .plots.baselines import some
    from .plots.data import BadInput, Line, Run, Window, lines_of, runs_in, shown_us
    from .plots.naming import (differing, followers_text, named_by_labels, named_options,
                               option_name, tell_controls_apart)
    from .plots.timelines import (Timeline, draw_timeline, flow_timeline, port_timeline,
                                  rank_timeline)
except ImportError as error:
    from .program import way_to

    print(f"dcfabric-plot: error: {error}: "
          f"{way_to('pip install matplotlib numpy pandas', 'dcfabric[plot]')}", file=sys.stderr)
    sys.exit(2)

from .commands import patient_errors, patient_output
from .errors import DcfabricError
from .measures import sizes_of
from .plan import Plan, ways_of
from .port_names import SUCH, find_port, is_port
from .program import VERSION
from .wording import count_of


DrawExperiment = Callable[[Mapping[str, Any], Path, str, str], list[Path]]
"""Draws the figures of an experiment; returns their paths."""


def say(text: str) -> None:
    """To standard error: what is not drawn, and why."""
    print(f"dcfabric-plot: {text}", file=sys.stderr)


def tell(path: Path) -> None:
    """A file that is there: at once, as many figures take a while."""
    print(path, flush=True)


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

    def write(self, name: str, function: Callable[..., Any], *arguments: Any,
              said: Sequence[str] = ()) -> None:
        """The figure that a function gives, if it gives one. said: what is to be read below it
        besides."""
        with drawing.styled():
            figure = function(*arguments)
        if figure is not None:
            if said:
                drawing.note(figure, "; ".join(said))
            tell(drawing.save(figure,
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


def plot_lines(lines: Sequence[Line], networks: Mapping[str, Plan], writer: Writer) -> None:
    """All figures of runs but timelines. networks: plans by label."""
    interval = writer.options.whiskers == "interval"
    complete = [line for line in lines if len(line.flows)]
    missing = distributions.missing_note(lines)
    if not complete and comparison.stopped(lines):
        print("no figures of completion times: the runs end before a flow is received, as --stop "
              "asks for")
    elif len(complete) < len(lines):
        lacking = [line for line in lines if line not in complete]
        none = not any(len(run.all_flows) for line in lacking for run in line.runs)
        say("slowdown by size and its CDF: "
            f"{'there are no flows' if none else 'no flow was received'} in "
            f"{names_of(lacking)}")
    if complete:
        writer.write("slowdown-by-size", distributions.slowdown_by_size, complete, interval,
                     writer.options.sizes, said=missing)
        writer.write("fct-cdf", distributions.distribution, complete, said=missing)
        writer.write("fct-ccdf", distributions.tail, complete, said=missing)
    for name, series in SERIES.items():
        if not series.figure or not series.figure.panels:
            continue
        having = [line for line in lines if line.first.has(name)]
        if having:
            writer.write(name, over_time.draw, series, having, networks, shown_us(having))
        if having and len(having) < len(lines):
            say(f"{name}: no data in {names_of([line for line in lines if line not in having])}")
    used = [line for line in lines
            if line.label in networks and all(run.has("links") for run in line.runs)]
    if used:
        some_used = used[:over_time.MOST_LINES]
        writer.write("link-use", network.link_use, some_used, networks)
        for text in over_time.first_note(some_used, used):
            say(f"link-use: {text}")
    writer.write("jobs", jobs.draw, lines, interval)
    writer.write("comparison", comparison.comparison, lines, interval, said=missing)
    if writer.options.baseline is not None:
        writer.write("differences", comparison.differences, lines, writer.options.compared,
                     said=missing)


def check_pairs(lines: Sequence[Line], grid: trend.Grid | None,
                baseline: baselines.Baseline) -> None:
    """Says which lines have other flows than the baseline: they are not compared, as luck would
    not cancel out. Raises DcfabricError if that is true of all."""
    others = [line for line in lines if line not in baseline.lines]
    if grid is None:
        if lacking := [line for line in others if line.label not in baseline.of]:
            say(f"differences: not of {names_of(lacking)}: no {baseline.name} has their other "
                "options")
        others = [line for line in others if line not in lacking]
    bases = {line.label: [baseline.of[line.label]] if grid is None else baseline.lines
             for line in others}
    apart = [line for line in others if not any(map(line.pairs, bases[line.label]))]
    if not apart:
        return
    why = comparison.why_no_pairs(apart, bases[apart[0].label][0])
    if len(apart) == len(others):
        raise DcfabricError(f"--baseline={baseline.name}: nothing can be compared seed by seed: "
                            f"{names_of(apart)} {'has' if len(apart) == 1 else 'have'} {why}"
                            + ("" if grid else "; --where OPTION=VALUE chooses runs of the same "
                               "flows, --x OPTION draws over an option"))
    say(f"differences: not of {names_of(apart)}, with {why}")


def plot_trend(lines: Sequence[Line], grid: trend.Grid, writer: Writer) -> None:
    """The figures of --x."""
    interval = writer.options.whiskers == "interval"
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", option_name(grid.x))
    missing = distributions.missing_note(lines)
    writer.write(f"by-{name}", trend.draw, lines, grid, interval, said=missing)
    if writer.options.baseline is not None:
        writer.write("differences", trend.draw, lines, grid, interval, writer.options.baseline,
                     said=missing)


def plans_of(lines: Sequence[Line]) -> dict[str, Plan]:
    """Plans by label, of those that have one; says why others have not, if it takes one to draw
    them. The names of ports are from them, too."""
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
            if line.first.has("links"):
                lacking.setdefault(str(error), []).append(line.label)
    for reason, labels in lacking.items():
        say(f"link-use: no plan of the network of {some(labels)}: {reason}")
    return found


def timelines_of(run: Run, options: argparse.Namespace) -> dict[str, Timeline]:
    """Those that the options ask for, by name of the figure."""
    found = {f"flow-{number}": flow_timeline(run, number) for number in options.flow}
    for text in options.port:
        try:
            node, port = find_port(text, lambda: network.plan_of(run))
        except DcfabricError as error:
            raise DcfabricError(f"--port: {error}") from error
        found[f"port-{node}-{port}"] = port_timeline(run, node, port)
    found.update({f"rank-{rank}": rank_timeline(run, rank) for rank in options.rank})
    return found


def plot_timelines(lines: Sequence[Line], found: Sequence[dict[str, Timeline]], writer: Writer,
                   window: Window, networks: Mapping[str, Plan]) -> None:
    """A figure for each timeline of the first run of each line; says what results lack. networks:
    plans by label, for the names of ports."""
    for line, timelines in zip(lines, found):
        ways = ways_of(networks[line.label]) if timelines and line.label in networks else {}
        for name, timeline in timelines.items():
            of_port = re.fullmatch(r"port-(\d+)-(\d+)", name)
            way = ways.get((int(of_port[1]), int(of_port[2]))) if of_port else None
            if way:
                timeline.title = f"{way} ({timeline.title})"
            file = (name if len(lines) == 1
                    else f"{name}-{re.sub(r'[^A-Za-z0-9._-]+', '-', line.label)}")
            if timeline.missing:
                say(f"{file}: {'; '.join(timeline.missing)}")
            writer.write(file, draw_timeline, timeline, line.of_first(), window)


def port_text(text: str) -> str:
    """NODE:PORT, or from which node to which, for argparse."""
    if not is_port(text):
        raise argparse.ArgumentTypeError(f"'{text}' is not NODE:PORT, such as {SUCH}")
    return text


def pair_of(text: str) -> tuple[str, str]:
    """OPTION=VALUE, for argparse."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"'{text}' is not OPTION=VALUE, such as load=0.5")
    return name.removeprefix("--"), value


def sizes_for(text: str) -> dict[str, float]:
    """Edges, for argparse."""
    try:
        return sizes_of(text)
    except DcfabricError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def parse_options(arguments: Sequence[str] | None, name: str) -> argparse.Namespace:
    """From the command line; ends the program with status 2 if they are wrong. name: of the
    command."""
    parser = argparse.ArgumentParser(prog=name,
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
    parser.add_argument("--where", type=pair_of, action="append", default=[],
                        metavar="OPTION=VALUE",
                        help="only runs whose option has this value; may be given several times, "
                             "and with several values of one option")
    parser.add_argument("--x", metavar="OPTION",
                        help="draw over the values of an option, such as load, in place of all "
                             "other figures")
    parser.add_argument("--line", metavar="OPTION",
                        help="with --x: a line for each value of this option (default: the "
                             "algorithm that differs)")
    parser.add_argument("--facet", metavar="OPTION",
                        help="with --x: a row of panels for each value of this option")
    parser.add_argument("--baseline", metavar="NAME",
                        help="also draw differences to this line, seed by seed; to an algorithm "
                             "of several lines: to that with the same other options")
    parser.add_argument("--sizes", type=sizes_for, metavar="100kB,1MB",
                        help="upper edges of flow sizes in slowdown-by-size (default: those of "
                             "summary.json)")
    parser.add_argument("--whiskers", choices=("range", "interval"), default="range",
                        help="what whiskers over several seeds are: their range, or the 95%% "
                             "confidence interval of the mean")
    parser.add_argument("--flow", type=int, action="append", default=[], metavar="N",
                        help="also the timeline of a flow")
    parser.add_argument("--port", type=port_text, action="append", default=[], metavar="NODE:PORT",
                        help=f"and of a port, such as {SUCH}")
    parser.add_argument("--rank", type=int, action="append", default=[], metavar="N",
                        help="and of a rank (--workload=program:PATH); each of the three may be "
                             "given several times")
    parser.add_argument("--prefix", default="", help="prefix of the figures' file names")
    parser.add_argument("--from-us", type=float, default=float("-inf"),
                        help="start of time series [us]")
    parser.add_argument("--to-us", type=float, default=float("inf"), help="end of time series [us]")
    parser.add_argument("--format", choices=("png", "pdf", "svg"), default="png")
    options = parser.parse_args(arguments)
    spread_folders(parser, options)
    options.names = ([name.strip() for name in options.labels.split(",")]
                     if options.labels is not None
                     else [folder.resolve().name for folder in options.folders])
    if options.x is None and (options.line or options.facet):
        parser.error("--line and --facet go with --x OPTION")
    if options.x is not None and options.html is not None:
        parser.error("--x draws figures; it does not go with --html")
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


def spread_folders(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Folders of runs in place of those of sweeps and studies, the seeds of which are joined."""
    runs = [runs_in(folder) for folder in options.folders]
    options.by_options = any(runs)
    if not options.by_options:
        return
    if options.labels is not None:
        folder = next(one for one, found in zip(options.folders, runs) if found)
        parser.error(f"--labels: {folder} holds {count_of(len(max(runs, key=len)), 'run')}, which "
                     "are named by the options that differ")
    options.join_seeds = True
    options.folders = [one for folder, found in zip(options.folders, runs)
                       for one in found or [folder]]


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
    for text in tell_controls_apart(runs):
        say(text)
    runs = trend.filtered(runs, options.where)
    grid = (trend.grid_of(runs, options.x, options.line, options.facet)
            if options.x is not None and runs else None)
    lines = lines_of(runs, options.join_seeds or grid is not None,
                     options.labels is not None and grid is None,
                     options.by_options or bool(grid))
    if (options.by_options and grid is None and all(run.options for run in runs)
            and not named_by_labels([line.first for line in lines])):
        _, followers = named_options(runs, differing(runs))
        for text in followers_text(runs, followers):
            say(f"names of lines do not tell that {text}")
    for name in dict.fromkeys(run.label for run in runs):
        if (not options.join_seeds
                and sum(run.label == name for line in lines for run in line.runs[:1]) > 1):
            say(f"folders of the name {name} have other options: they are drawn apart; --labels "
                "would join them")
    for wanted, names in ((options.flow or options.port or options.rank,
                           "--flow, --port, --rank"), (options.where, "--where"),
                          (options.x, "--x"), (options.baseline, "--baseline")):
        if not lines and wanted:
            raise DcfabricError(f"{names}: no result folder of dcfabric-sim is given")
    timelines = [timelines_of(line.first, options) for line in lines]
    if options.html is not None and not lines:
        raise DcfabricError("--html: no result folder of dcfabric-sim is given")
    if options.baseline is not None and lines:
        options.compared = (
            baselines.baseline_of(lines, options.baseline, options.html is not None)
            if grid is None else trend.baseline_of(lines, grid, options.baseline))
        options.baseline = options.compared.name
        check_pairs(lines, grid, options.compared)
    for text in distributions.missing_note(lines):
        say(text)
    networks = (plans_of([line for line in lines if over_time.has_ports(line.first)])
                if grid is None else {})
    if options.html is not None:
        from .plots.page import write_page

        tell(write_page(options.html, lines, networks, timelines, options.whiskers == "interval",
                        options.sizes, options.baseline))
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        writer = Writer(options)
        for name, plan in plans:
            writer.write(name, plan.draw)
        if draw:
            for experiment in experiments:
                for path in draw(experiment, options.out, options.format,
                                 writer.free(str(experiment["experiment"]))):
                    tell(path)
        if grid is not None:
            plot_trend(lines, grid, writer)
        elif lines:
            plot_lines(lines, networks, writer)
            plot_timelines(lines, timelines, writer, window, networks)


def main(arguments: Sequence[str] | None = None, draw: DrawExperiment | None = None,
         name: str = "dcfabric-plot") -> int:
    """The program. Returns its exit status. draw: what draws the figures of experiments, with the
    folder, the ending and the beginning of their names; None where their scripts are not. name:
    by which it was called."""
    with patient_errors():
        return _main(arguments, draw, name)


def _main(arguments: Sequence[str] | None, draw: DrawExperiment | None, name: str) -> int:
    try:
        with patient_output():
            work(parse_options(arguments, name), draw)
    except (DcfabricError, OSError) as error:
        print(f"dcfabric-plot: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        say("interrupted; what is printed above is complete")
        return 130
    return 0
