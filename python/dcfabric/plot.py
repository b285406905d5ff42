# SPDX-License-Identifier: GPL-2.0-only
"""Figures from one or several result folders of dcfabric-sim.

    dcfabric-plot DIR [DIR...] --out OUTDIR [--labels A,B,C] [--prefix NAME-]
                  [--from-us T] [--to-us T] [--format png|pdf|svg]

Needs flows.csv and summary.json in each DIR. Writes, where the folders hold the data:

    slowdown-by-size   median, 95th and 99th percentile of the slowdown over the flow size
    fct-cdf            distribution of the slowdown and of the flow completion time
    queues             queue length over time, at the port with the highest peak of each folder
    rates              throughput of the flows over time, and the limit that their congestion control sets
    links              utilization of the busiest links over time
    comparison         bars: slowdown, peak queue, pause frames

A DIR of an experiment (examples/fncc-*.py: result.json instead of flows.csv) gives that experiment's figures. A
file with the plan of a network (dcfabric-sim --plan=json > FILE.json) gives a drawing of it, of the file's name.

The path of every figure drawn is printed, one per line; standard error says what cannot be drawn.
Status 2: a folder or file is missing or malformed; nothing is written then.
"""
import argparse
import json
import sys
from pathlib import Path

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import numpy as np
    import pandas as pd
except ImportError as error:
    sys.exit(f"dcfabric-plot: {error}; needs matplotlib, numpy and pandas")

from .errors import DcfabricError
from .plan import Plan
from .showcases.figures import draw

# Upper edges of the size buckets, as in summary.json, and what a figure calls them.
EDGES = [10e3, 30e3, 50e3, 80e3, 100e3, 200e3, 1e6, 2e6, 5e6, 10e6, np.inf]
EDGE_NAMES = ["10k", "30k", "50k", "80k", "100k", "200k", "1M", "2M", "5M", "10M", ">10M"]

COLUMNS = {
    "flows.csv": ["flow", "src", "dst", "size_bytes", "start_ns", "fct_ns", "sender_fct_ns",
                  "ideal_fct_ns", "slowdown"],
    "queues.csv": ["time_ns", "node", "port", "class", "bytes"],
    "rates.csv": ["time_ns", "flow", "rate_bps", "window_bytes"],
    "links.csv": ["time_ns", "node", "port", "tx_bytes", "utilisation"],
}
LATER_COLUMNS = {"rates.csv": ["throughput_bps", "limit_bps"]}  # results of earlier versions lack them
# A row is omitted where the value stays the same: these columns identify the series.
SPARSE = {"queues": ["node", "port", "class"], "links": ["node", "port"]}
# Colors and dashes that remain distinguishable in print and for color-blind readers.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999933"]
DASHES = ["-", "--", "-.", ":"]
MANY = 8  # at most that many lines of one folder in a figure
STEPS = 100  # and about that many steps of a line: single packets would hide its course


class BadInput(Exception):
    """A result folder that cannot be used; the message says which file and why."""


def style(index):
    return {"color": COLOURS[index % len(COLOURS)],
            "linestyle": DASHES[(index // len(COLOURS) + index) % len(DASHES)]}


def read_table(path, may_be_empty=()):
    """One CSV file as a frame of numbers, with the columns promised for its name."""
    try:
        frame = pd.read_csv(path, skipinitialspace=True)
    except (OSError, ValueError, pd.errors.ParserError) as error:
        raise BadInput(f"{path}: {error}") from error
    missing = [c for c in COLUMNS[path.name] if c not in frame.columns]
    if missing:
        raise BadInput(f"{path}:1: no column {', '.join(missing)}")
    later = [c for c in LATER_COLUMNS.get(path.name, []) if c in frame.columns]
    for column in COLUMNS[path.name] + later:
        numbers = pd.to_numeric(frame[column], errors="coerce")
        bad = numbers.isna() if column not in may_be_empty else numbers.isna() & frame[column].notna()
        if bad.any():
            line = int(np.flatnonzero(bad)[0]) + 2
            raise BadInput(f"{path}:{line}: {column} is not a number: {frame[column][line - 2]!r}")
        frame[column] = numbers
    return frame


def cut(frame, window, keys=None):
    """The rows between two times in us. With keys, those of a sparse series: what goes on across an end of
    the window has a row there, too."""
    begin, end = (1e3 * time for time in window)
    so_far = frame[frame["time_ns"] <= end]
    if keys is None:
        return so_far[so_far["time_ns"] >= begin]
    rows = pd.concat([so_far[so_far["time_ns"] <= begin].groupby(keys).tail(1).assign(time_ns=begin),
                      so_far[so_far["time_ns"] > begin]])
    going_on = pd.MultiIndex.from_frame(frame.loc[frame["time_ns"] > end, keys])
    last = rows.groupby(keys).tail(1)
    last = last[pd.MultiIndex.from_frame(last[keys]).isin(going_on) & (last["time_ns"] < end)]
    return pd.concat([rows, last.assign(time_ns=end)], ignore_index=True)


class Result:
    """What one folder holds: flows (completed ones), summary and the time series that exist."""

    def __init__(self, folder, label, window):
        self.label = label
        if not folder.is_dir():
            raise BadInput(f"{folder}: no such folder")
        for name in ("flows.csv", "summary.json"):
            if not (folder / name).is_file():
                raise BadInput(f"{folder}: no {name}: not a result folder of dcfabric-sim")
        flows = read_table(folder / "flows.csv",
                           may_be_empty=("fct_ns", "sender_fct_ns", "slowdown"))
        self.flows = flows[flows["fct_ns"] > 0]
        try:
            self.summary = json.loads((folder / "summary.json").read_text())
        except (OSError, ValueError) as error:
            raise BadInput(f"{folder / 'summary.json'}: {error}") from error
        if not isinstance(self.summary, dict):
            raise BadInput(f"{folder / 'summary.json'}: not an object")
        self.series = {}
        for name in ("queues", "rates", "links"):
            path = folder / f"{name}.csv"
            if path.is_file():
                self.series[name] = cut(read_table(path).sort_values("time_ns", kind="stable"), window,
                                        SPARSE.get(name))

    def number(self, key):
        """A number of the summary, or None if the run did not report it."""
        value = self.summary.get(key)
        return value if isinstance(value, (int, float)) else None


def save(figure, options, name):
    """Writes the figure under a temporary name and renames it."""
    path = options.out / f"{options.prefix}{name}.{options.format}"
    temporary = path.with_suffix(".tmp")
    figure.savefig(temporary, format=options.format, dpi=150)
    plt.close(figure)
    temporary.replace(path)
    print(path)


def percentile(values, percent):
    """As in summary.json: the smallest value that this share of the flows does not exceed."""
    return np.percentile(values, percent, method="inverted_cdf")


def bucket(flows):
    """Index of the size bucket of every flow."""
    return np.searchsorted(EDGES, flows["size_bytes"].to_numpy(), side="left")


def plot_slowdown_by_size(results, options):
    used = sorted(set(np.concatenate([bucket(r.flows) for r in results]).tolist()))
    figure, axes = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
    for axis, (name, quantile) in zip(axes, (("median", 50), ("95th percentile", 95),
                                             ("99th percentile", 99))):
        for index, result in enumerate(results):
            which = bucket(result.flows)
            points = [(x, percentile(result.flows["slowdown"][which == b], quantile))
                      for x, b in enumerate(used) if (which == b).any()]
            axis.plot(*zip(*points), marker="o", markersize=4, label=result.label, **style(index))
        axis.set(title=f"Slowdown, {name}", xlabel="Flow size up to [bytes]", ylabel="Slowdown")
        axis.set_xticks(range(len(used)), [EDGE_NAMES[b] for b in used], rotation=45)
        axis.set_ylim(bottom=min(1, axis.get_ylim()[0]))
        axis.grid(alpha=0.3)
    axes[0].legend()
    save(figure, options, "slowdown-by-size")


def plot_cdf(results, options):
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    for index, result in enumerate(results):
        share = np.arange(1, len(result.flows) + 1) / len(result.flows)
        for axis, values in zip(axes, (result.flows["slowdown"], result.flows["fct_ns"] / 1e3)):
            # A step from zero, so that a folder with a single flow shows too.
            axis.step(np.concatenate([[values.min()], np.sort(values)]),
                      np.concatenate([[0], share]), where="post", label=result.label,
                      **style(index))
    axes[0].set(title="Slowdown of all flows", xlabel="Slowdown", ylabel="Share of flows")
    axes[1].set(title="Flow completion time", xlabel="Time [us]", ylabel="Share of flows")
    for axis in axes:
        axis.set_xscale("log")
        axis.set_ylim(0, 1.02)
        axis.grid(alpha=0.3, which="both")
    axes[1].legend(loc="lower right")
    save(figure, options, "fct-cdf")


def all_classes(queues):
    """Bytes of all classes of each port together, by node, port and time.

    A class has a row only where its length changes, so what is summed are the changes."""
    changes = queues["bytes"] - queues.groupby(SPARSE["queues"])["bytes"].shift(fill_value=0)
    changes = changes.groupby([queues["node"], queues["port"], queues["time_ns"]]).sum()
    return changes.groupby(level=["node", "port"]).cumsum()


def plot_queues(results, options):
    figure, axis = plt.subplots(figsize=(9, 4.5), layout="constrained")
    for index, result in enumerate(results):
        queues = all_classes(result.series["queues"])
        peaks = queues.groupby(level=["node", "port"]).max()
        node, port = peaks.idxmax()
        one = queues.loc[(node, port)]
        axis.plot(one.index / 1e3, one / 1e3, linewidth=1.2, **style(index),
                  label=f"{result.label} (node {node:.0f} port {port:.0f}, "
                        f"peak {peaks.max() / 1e3:.0f} kB)")
    axis.set(title="Queue at the port with the highest peak", xlabel="Time [us]",
             ylabel="Queue length [kB]")
    axis.set_ylim(bottom=0)
    axis.grid(alpha=0.3)
    axis.legend()
    save(figure, options, "queues")


def panels(results, height):
    """One panel a folder, one below the other, with a common time axis."""
    figure, axes = plt.subplots(len(results), 1, sharex=True, squeeze=False, layout="constrained",
                                figsize=(9, max(height, height * 0.75 * len(results))))
    axes[-1, 0].set_xlabel("Time [us]")
    return figure, axes[:, 0]


def sample_interval(times):
    """Time between two samples in ns, 0 if there is but one."""
    return np.median(np.diff(times)) if len(times) > 1 else 0


def throughput(flow, times, count):
    """Times in us and Gb/s of a flow, for a line in steps: each value is the mean of that many samples up to
    its time. At a time at which the flow has no row it gets nothing."""
    inside = times[(times >= flow["time_ns"].iloc[0]) & (times <= flow["time_ns"].iloc[-1])]
    values = flow.groupby("time_ns")["throughput_bps"].sum().reindex(inside, fill_value=0).to_numpy() / 1e9
    edges = np.array([inside[0] - sample_interval(times), *inside])
    got = np.concatenate([[0], np.cumsum(values * np.diff(edges))])
    chosen = np.unique([*range(0, len(edges), count), len(edges) - 1])
    edges, got = edges[chosen], got[chosen]
    spans = np.maximum(np.diff(edges), 1e-3)  # a single sample spans nothing
    means = np.diff(got) / spans if edges[0] < edges[-1] else values
    line = edges / 1e3, np.array([means[0], *means])
    if inside[-1] == times[-1]:
        return line
    return np.append(line[0], inside[-1] / 1e3), np.append(line[1], 0)  # the flow has ended


def plot_rates(results, options):
    from matplotlib.lines import Line2D

    figure, axes = panels(results, 4)
    for axis, result in zip(axes, results):
        rates = result.series["rates"]
        measured = set(LATER_COLUMNS["rates.csv"]) <= set(rates.columns)
        limit = "limit_bps" if measured else "rate_bps"
        times = np.unique(rates["time_ns"])
        count = -(-len(times) // STEPS)
        totals = rates.groupby("flow")["throughput_bps" if measured else "rate_bps"].sum()
        shown = sorted(totals.sort_values(ascending=False, kind="stable").index[:MANY])
        lines = []
        for index, flow in enumerate(shown):
            one = rates[rates["flow"] == flow]
            colour = COLOURS[index % len(COLOURS)]
            if measured:
                axis.plot(*throughput(one, times, count), drawstyle="steps-pre", linewidth=1.4, color=colour)
            axis.plot(one["time_ns"] / 1e3, one[limit] / 1e9, linewidth=0.8, linestyle="--", color=colour)
            lines.append(Line2D([], [], color=colour, label=f"flow {flow:.0f}"))
        if measured:
            lines.append(Line2D([], [], color="0.4", linewidth=1.4, label="throughput"))
        lines.append(Line2D([], [], color="0.4", linewidth=0.8, linestyle="--", label="limit"))
        more = f" ({len(shown)} of {len(totals)} flows)" if len(totals) > len(shown) else ""
        mean = f", mean of {count * sample_interval(times) / 1e3:g} us" if count > 1 else ""
        what = f"throughput (payload received{mean}), limit (lower of rate and window / base RTT)" if measured \
            else "limit of the rate (this rates.csv has no throughput)"
        axis.set_title(f"{result.label}{more}: {what}", fontsize="medium")
        axis.set_ylabel("Rate [Gb/s]")
        axis.set_ylim(bottom=0)
        axis.grid(alpha=0.3)
        axis.legend(handles=lines, loc="center left", bbox_to_anchor=(1, 0.5), fontsize="small")
    save(figure, options, "rates")


def mean_utilisation(links, begin_ns):
    """Of each port over time. A row tells of all samples since the row before."""
    ports = [links["node"], links["port"]]
    span = links["time_ns"] - links.groupby(SPARSE["links"])["time_ns"].shift(fill_value=begin_ns)
    sums = (links["utilisation"] * span).groupby(ports).sum()
    return sums / max(1, links["time_ns"].max() - begin_ns)


def plot_links(results, options):
    figure, axes = panels(results, 4)
    for axis, result in zip(axes, results):
        links = result.series["links"]
        busiest = mean_utilisation(links, max(0, 1e3 * options.from_us))
        busiest = busiest.sort_values(ascending=False, kind="stable").index[:4]
        for index, (node, port) in enumerate(busiest):
            one = links[(links["node"] == node) & (links["port"] == port)]
            axis.plot(one["time_ns"] / 1e3, one["utilisation"] * 100, linewidth=1.2,
                      label=f"node {node:.0f} port {port:.0f}", **style(index))
        axis.set(title=f"{result.label}: busiest links", ylabel="Utilisation [%]")
        axis.set_ylim(0, 105)
        axis.grid(alpha=0.3)
        axis.legend(loc="lower right", ncols=2)
    save(figure, options, "links")


def bars(result):
    """The numbers that the comparison shows, by title."""
    slowdown = result.flows["slowdown"]
    values = {}
    if len(slowdown):
        values["Mean slowdown"] = slowdown.mean()
        values["p99 slowdown"] = percentile(slowdown, 99)
    for title, key, unit in (("Peak queue [kB]", "max_queue_bytes", 1e3),
                             ("Pause frames", "pfc_pause_frames", 1)):
        if result.number(key) is not None:
            values[title] = result.number(key) / unit
    return values


def plot_comparison(results, options):
    tables = [bars(result) for result in results]
    titles = [t for t in ("Mean slowdown", "p99 slowdown", "Peak queue [kB]", "Pause frames")
              if all(t in table for table in tables)]
    if not titles:
        return
    figure, axes = plt.subplots(1, len(titles), squeeze=False, layout="constrained",
                                figsize=(3.2 * len(titles), 4.2))
    for axis, title in zip(axes[0], titles):
        values = [table[title] for table in tables]
        drawn = axis.bar(range(len(values)), values, color=COLOURS[:1] * len(values))
        for index, patch in enumerate(drawn):
            patch.set_color(COLOURS[index % len(COLOURS)])
        labels = [f"{v:.0f}" if v >= 1000 or v == int(v) else f"{v:.3g}" for v in values]
        axis.bar_label(drawn, labels, padding=2)
        axis.set_xticks(range(len(values)), [r.label for r in results], rotation=30, ha="right")
        axis.set(title=title)
        axis.margins(y=0.15)
        if max(values) == 0:
            axis.set_ylim(0, 1)
    save(figure, options, "comparison")


def is_experiment(folder):
    return (folder / "result.json").is_file() and not (folder / "flows.csv").exists()


def read_experiment(folder):
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


def plot_all(results, options):
    if all(len(r.flows) for r in results):
        plot_slowdown_by_size(results, options)
        plot_cdf(results, options)
    else:
        without = ", ".join(r.label for r in results if not len(r.flows))
        print(f"dcfabric-plot: left out slowdown by size and its CDF, for no flow was completed in {without}",
              file=sys.stderr)
    for name, plot in (("queues", plot_queues), ("rates", plot_rates), ("links", plot_links)):
        having = [r for r in results if name in r.series and len(r.series[name])]
        if having:
            plot(having, options)
        if having and len(having) < len(results):
            without = ", ".join(r.label for r in results if r not in having)
            print(f"dcfabric-plot: {name}: no data in {without}", file=sys.stderr)
    plot_comparison(results, options)


def parse_options(arguments):
    parser = argparse.ArgumentParser(prog="dcfabric-plot",
                                     description="Figures from result folders of dcfabric-sim.")
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="result folder, or file with a plan")
    parser.add_argument("--out", required=True, type=Path, help="folder for the figures")
    parser.add_argument("--labels", help="comma-separated names, one per folder (default: the folder's)")
    parser.add_argument("--prefix", default="", help="prefix of the figures' file names")
    parser.add_argument("--from-us", type=float, default=-np.inf, help="start of time series [us]")
    parser.add_argument("--to-us", type=float, default=np.inf, help="end of time series [us]")
    parser.add_argument("--format", choices=("png", "pdf", "svg"), default="png")
    options = parser.parse_args(arguments)
    options.names = options.labels.split(",") if options.labels else \
        [folder.resolve().name for folder in options.folders]
    if len(options.names) != len(options.folders):
        parser.error(f"--labels names {len(options.names)}, but there are "
                     f"{len(options.folders)} folders")
    if options.from_us >= options.to_us:
        parser.error("--from-us must be less than --to-us")
    return options


def main(arguments=None):
    options = parse_options(arguments)
    try:
        window = (options.from_us, options.to_us)
        plans = [(f.stem, Plan.read(f)) for f in options.folders if f.is_file()]
        experiments = [e for e in map(read_experiment, options.folders) if e]
        results = [Result(f, n, window) for f, n in zip(options.folders, options.names)
                   if not f.is_file() and not is_experiment(f)]
        options.out.mkdir(parents=True, exist_ok=True)
        for name, plan in plans:
            save(plan.draw(), options, name)
        for experiment in experiments:
            for path in draw(experiment, options.out, options.format):
                print(path)
        if results:
            plot_all(results, options)
    except (BadInput, DcfabricError, OSError) as error:
        print(f"dcfabric-plot: {error}", file=sys.stderr)
        return 2
    return 0
