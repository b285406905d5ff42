# SPDX-License-Identifier: GPL-2.0-only
"""What the experiments with regional congestion mitigation share: techniques, measures and
figures."""
from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping

from dcfabric.drawing import spread
from dcfabric.errors import DcfabricError
from dcfabric.measures import every_sample

if TYPE_CHECKING:
    import pandas

    from .experiment import Experiment
    from dcfabric.result import Result
    from dcfabric.scenario import Scenario

NO_DETOURS = {"ns3::RcmFeature::Detour": False}
FAILED = "failed"
"""Not a field: a link between edge and aggregation goes down at 20 us."""
TECHNIQUES: dict[str, dict[str, Any]] = {
    "no control": {"cc": "none"},
    "DCQCN": {"cc": "dcqcn"},
    "RCM": {"cc": "dcqcn", "features": ["rcm"]},
    "RCM alone": {"cc": "none", "features": ["rcm"]},
    "RCM that marks all": {"cc": "dcqcn", "features": ["rcm"],
                           "attributes": {"ns3::RcmFeature::MarkHarmfulOnly": "false"}},
    "RCM without detours": {"cc": "dcqcn", "features": ["rcm"], "attributes": NO_DETOURS},
    "RCM by the letter":
    {"cc": "dcqcn", "features": ["rcm"], "attributes": {"ns3::RcmParameters::StandOut": 255}},
    "Swift": {"cc": "swift"},
    "RCM with Swift": {"cc": "swift", "features": ["rcm"]},
    "HPCC": {"cc": "hpcc"},
    # HPCC compares INT of one path
    "RCM with HPCC": {"cc": "hpcc", "features": ["rcm"], "attributes": NO_DETOURS},
    "DCQCN over credits": {"cc": "dcqcn", "flow_control": "credit"},
    "RCM over credits": {"cc": "dcqcn", "features": ["rcm"], "flow_control": "credit"},
    "DCQCN with failed link": {"cc": "dcqcn", FAILED: True},
    "RCM with failed link": {"cc": "dcqcn", "features": ["rcm"], FAILED: True},
}
"""What can be compared, as fields of a Scenario. RCM leaves end-to-end congestion control on, as in
the paper."""
BASELINE, OURS, ALONE, MARKS_ALL, LETTER = ("DCQCN", "RCM", "RCM alone", "RCM that marks all",
                                            "RCM by the letter")
DEFAULT = ("no control", BASELINE, OURS)
FLOW_BY_FLOW = (*DEFAULT, ALONE, MARKS_ALL)
"""For the figures of single flows."""
SENDERS = "victim by senders"
"""Of the series: the throughput of the victim of figure 7 by technique and number of senders."""
OPEN: dict[str, tuple[Any, ...]] = {
    "Qeq": (2000, 4000, 8000, 16000, 26000),
    "Wq": (0.5, 1, 2, 4),
    "RemoteWeight": (0, 0.25, 0.5, 1),
    "SampleBytes": (7500, 15000, 30000, 150000),
    "CamDepth": (12, 16, 24, 32, 64),
    "StandOut": (1, 1.5, 2, 3, 255),
    "CamBytes": (375, 750, 1500, 3000),
    "MeasureBytes": (4000, 6000, 8000, 12000, 16000),
    "MaxMeasureBytes": (8000, 16000, 32000),
    "CutSpacing": ("0us", "10us", "20us", "50us"),
    "NotifySpacing": ("0us", "2us", "10us"),
}
"""Values to try of what the paper leaves open: attributes of RcmParameters."""


def settings() -> dict[str, dict[str, Any]]:
    """RCM alone with each of these values, the others at their defaults, as fields of a
    Scenario."""
    return {f"{name}={value}":
            {**TECHNIQUES[ALONE], "attributes": {f"ns3::RcmParameters::{name}": value}}
            for name, values in OPEN.items() for value in values}


def add_techniques(parser: argparse.ArgumentParser) -> None:
    """The option --techniques."""
    parser.add_argument("--techniques", default=",".join(DEFAULT), metavar="NAMES",
                        help="what to compare, comma list (default: %(default)s); known: "
                             f"{', '.join(TECHNIQUES)}")


def fields_of(technique: str, k: int) -> dict[str, Any]:
    """Fields of a Scenario with a fat-tree of so many ports a switch."""
    fields = dict(TECHNIQUES[technique])
    if fields.pop(FAILED, False):
        # in the order of their numbers; then come the aggregation switches
        hosts, edges = k ** 3 // 4, k ** 2 // 2
        fields["link_down"] = f"20us,{hosts},{hosts + edges}"
    return fields


def parts_of(text: str, known: Iterable[str], option: str) -> list[str]:
    """The names of an option's comma list, each once."""
    names = list(dict.fromkeys(name.strip() for name in text.split(",")))
    for name in names:
        if name not in known:
            raise DcfabricError(f"{option}: unknown '{name}'; known: {', '.join(known)}")
    return names


def gain_percent(ours: float, baseline: float) -> float:
    """By how much a value is above another."""
    return 100 * (ours / baseline - 1)


def received_bytes(result: Result, interval_ns: float) -> pandas.Series:
    """Payload of each flow that arrived in the first interval of the trace ``rates``, whether or
    not the flow was complete."""
    first = result.rates[result.rates["time_ns"] <= interval_ns * (1 + 1e-9)]
    return (first["throughput_bps"] * first["time_ns"] / 8e9).groupby(first["flow"]).sum()


def flow_gbps(flows: pandas.DataFrame) -> float:
    """Mean throughput of single flows: size over completion time."""
    return float((flows["size_bytes"] * 8 / flows["fct_ns"]).mean())


def run_name(*parts: Any) -> str:
    """What a run is called, which is also the name of its folder."""
    return "-".join(map(str, parts)).replace(" ", "-")


def run_phases(experiment: Experiment, scenario: Callable[[Mapping[str, Any], int], Scenario],
               measure: Callable[[Result], Any]) -> dict[str, list[Any]]:
    """What is measured of each technique, or with --sweep of each setting, for each seed. scenario:
    from fields of a Scenario and a seed."""
    options = experiment.options
    cases = settings() if options.sweep else {name: TECHNIQUES[name] for name in FLOW_BY_FLOW}
    seeds = range(1, 1 + options.seeds)
    results = experiment.run({run_name(case, seed): scenario(fields, seed)
                              for case, fields in cases.items() for seed in seeds})
    return {case: [measure(results[run_name(case, seed)]) for seed in seeds] for case in cases}


WIRE_PER_PAYLOAD = 1082 / 1000
"""Bytes on the wire, preamble and gap included, for one of payload in a full packet."""


def line_gbps(result: Result, flow: int, end_us: float) -> pandas.Series:
    """What arrived of a flow in each interval of the trace, in Gb/s of the line, over the end of
    the interval in us."""
    frame = result.rates[result.rates["flow"] == flow]
    series = frame.set_index("time_ns")["throughput_bps"] / 1e9 * WIRE_PER_PAYLOAD
    series.index = series.index / 1e3
    return every_sample(series, result, end_us)


def range_text(values: Iterable[float]) -> str:
    """Least, most and mean throughput as text."""
    one = spread(values)
    return f"{one['low']:.1f} to {one['high']:.1f}, mean {one['mean']:.1f} Gb/s"


def _flows(lines: Mapping[str, str], span: int = 1,
           **limits: Any) -> Callable[[Mapping[str, Any]], Any]:
    """Throughput over time, a panel for each technique. lines: label by key of the series. span:
    samples of which the mean is drawn. limits: of the axes."""
    def function(series: Mapping[str, Any]) -> Any:
        from dcfabric.drawing import from_zero, label, legend_above, panels, smooth, style

        if not series or SENDERS in series:
            return None  # a sweep, or other numbers of senders
        figure, axes = panels(1, len(series), 3.2 * len(series), 3.2, sharex=True, sharey=True)
        for axis, (name, one) in zip(axes[0], series.items()):
            for number, (key, text) in enumerate(lines.items()):
                axis.plot(one["time_us"], smooth(one[key], span), label=text, **style(number))
            axis.set(title=name, xlabel=label("time", "us"), **limits)
        axes[0][0].set_ylabel(label("throughput", "Gb/s"))
        from_zero(axes)
        legend_above(figure, axes)
        return figure
    return function


def _senders(series: Mapping[str, Any]) -> Any:
    """Throughput of the victim over the number of senders, a line for each technique."""
    from dcfabric.drawing import from_zero, label, legend_above, looks, panels, whiskers

    if SENDERS not in series:
        return None
    figure, axes = panels(1, 1, 5, 3.6)
    axis = axes[0][0]
    how = looks(series[SENDERS])
    for name, values in series[SENDERS].items():
        whiskers(axis, [int(senders) for senders in values], list(values.values()), name, how[name])
    ticks = sorted({int(senders) for values in series[SENDERS].values() for senders in values})
    axis.set_xscale("log", base=2)
    axis.set_xticks(ticks, [str(senders) for senders in ticks])
    axis.set(xlabel=label("senders"), ylabel=label("throughput of the victim", "Gb/s"))
    from_zero(axes)
    legend_above(figure, axes)
    return figure


def _hotspot(series: Mapping[str, Any]) -> Any:
    """A row for each quantity over the load; a column for each label."""
    from dcfabric.drawing import from_zero, legend_above, looks, panels, whiskers

    quantities = {"gbps": "throughput (Gb/s a host)", "flow_gbps": "throughput of a flow (Gb/s)",
                  "fct_us": "completion time (us)"}
    labels = list(next(iter(next(iter(series.values())).values())))
    figure, axes = panels(len(quantities), len(labels), 1 + 3.2 * len(labels), 8, sharex=True)
    how = looks(series)
    for row, (quantity, title) in zip(axes, quantities.items()):
        row[0].set_ylabel(title)
        for axis, label in zip(row, labels):
            for name, loads in series.items():
                whiskers(axis, [float(load) for load in loads],
                         [one[label][quantity] for one in loads.values()], name, how[name])
    for label, first, last in zip(labels, axes[0], axes[-1]):
        first.set_title(label)
        last.set_xlabel("offered load of a host")
    from_zero(axes)
    legend_above(figure, axes)
    return figure


def _fct(series: Mapping[str, Any]) -> Any:
    """Mean completion time of each class of sizes over that of the baseline, a panel for each
    workload and grouping."""
    from dcfabric.drawing import bar_groups, from_zero, legend_above, looks, panels

    names = list(next(iter(series.values())))
    baseline = BASELINE if BASELINE in names else names[0]
    figure, axes = panels(1, len(series), 1 + 3.2 * len(series), 3.6, sharey=True)
    for axis, (title, techniques) in zip(axes[0], series.items()):
        base = techniques[baseline]
        bar_groups(axis,
                   {kind: {name: {end: value / of["mean"] for end, value in values[kind].items()}
                           for name, values in techniques.items() if kind in values}
                    for kind, of in base.items()},
                   looks(techniques))
        axis.set_title(title)
    axes[0][0].set_ylabel(f"mean completion time over {baseline}'s")
    from_zero(axes)
    legend_above(figure, axes)
    return figure


FIGURES: dict[str, dict[str, Callable[[Mapping[str, Any]], Any]]] = {
    "rcm-burst":
    {"": _flows({"burst": "burst", "incast": "incast, mean of four"}, xlim=(130, 300))},
    "rcm-victim":
    {"": _flows({"victim": "victim", "beside": "incast beside it", "apart": "incast, other way up"},
                span=20),
     "-senders": _senders},
    "rcm-hotspot": {"": _hotspot},
    "rcm-fct": {"": _fct},
}
"""As in figures.py."""
