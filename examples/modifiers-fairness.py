#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Convergence of unequal flows with and without ratio-based cuts, under DCTCP, DCQCN and HPCC.

    python3 modifiers-fairness.py [--quick] [--sweep] [--seeds N] [--out DIR] [--jobs N]
                                  [--program FILE]

Two, four and eight flows over one link (dumbbell), which are unequal at first.
DCTCP, 100 Gb/s, links of 4 us, BDP 308 kB: flows begin with 10 packets and grow by one in each
round trip; all but the last begin within the first 0.5 ms, the last after 1.5 ms. Marking is a step
at 300 kB (the default), or linear from 100 to 400 kB. DCQCN, 10 Gb/s (its steps of 40 Mb/s take a
second at 100 Gb/s), links of 1 us: two short flows of 500 kB slow the first flow down at 0.2 ms,
the others begin from 1 to 1.5 ms, at line rate. HPCC over a set of eight entropies, whose paths
share all links here: likewise, but with 100 Gb/s. Measured: Jain's index of what the flows sent in
the last millisecond; the time after the start of the last flow until it is 0.99 and stays there for
1 ms; link utilization and longest queue. Source: [Patent], "Improving Fairness and Congestion
Control Convergence". --sweep: instead, Wmax under DCTCP, also with links of 1 us (BDP 84 kB).
--quick: two flows, one seed.
"""
import itertools
import math
import random
import statistics
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Flow, Scenario
from showcases.experiment import Claim, Experiment, Number
from showcases.feedback import finite
from dcfabric.measures import between, jain, stays_from, utilisation

FLOWS = (2, 4, 8)
ENDLESS = 1 << 40
STEP_US, MEAN_SAMPLES, STAYS_US = 100, 10, 1000
FAIR = 0.99
SMALL = {"ns3::DctcpCongestionControl::InitialWindow": 10_000,
         "ns3::DctcpCongestionControl::SlowStartThreshold": 10_000}
SLOPE = {"ns3::WredMarkingProfile::Kmin": 100_000, "ns3::WredMarkingProfile::Kmax": 400_000,
         "ns3::WredMarkingProfile::Pmax": 0.2}
WHOLE, SCALED = "full cuts", "ratio-based cuts"
# name: base scenario, time of the run in us, and cuts by name: attributes, None for full cuts
CONTROLS = {
    "DCTCP, step": (Scenario(cc="dctcp", delay="4us", attributes=SMALL), 24_000,
                    {WHOLE: None, SCALED: {}}),
    "DCTCP, slope": (Scenario(cc="dctcp", delay="4us", attributes=SMALL | SLOPE), 24_000,
                     {WHOLE: None, SCALED: {}}),
    "DCQCN": (Scenario(cc="dcqcn", rate="10Gbps"), 40_000, {WHOLE: None, SCALED: {}}),
    "HPCC, 8 paths": (Scenario(cc="hpcc", lb="path-set:paths=8"), 16_000,
                      {WHOLE: None, SCALED: {}}),
}
WMAX_KB = (80, 150, 300, 450, 700, 1000)


def sweep_controls():
    """DCTCP with other Wmax, also where the base RTT is short."""
    del CONTROLS["DCQCN"], CONTROLS["HPCC, 8 paths"]
    for name, (base, end, _) in list(CONTROLS.items()):
        cuts = {WHOLE: None, "Wmax = BDP": {},
                **{f"Wmax = {kb} kB": {"ns3::RatioCutModifier::MaxWindow": 1000 * kb}
                   for kb in WMAX_KB}}
        CONTROLS[name] = base, end, cuts
        CONTROLS[f"{name}, 1 us"] = base.replace(delay="1us"), 16_000, cuts


def start_times(control, count, seed):
    """Of the flows, in us, the last one latest."""
    draw = random.Random(seed)
    if not control.startswith("DCTCP"):
        return [0.0, *sorted(draw.uniform(1000, 1500) for _ in range(count - 1))]
    return [0.0, *(draw.uniform(0, 500) for _ in range(count - 2)), draw.uniform(1500, 1600)]


def scenario(control, cuts, count, seed):
    """Flow i goes from host i to its peer at the other side."""
    base, end, attributes = CONTROLS[control][0], CONTROLS[control][1], CONTROLS[control][2][cuts]
    shorts = 0 if control.startswith("DCTCP") else 2
    hosts = count + shorts
    flows = [Flow(i, hosts + i, ENDLESS, 1e3 * at)
             for i, at in enumerate(start_times(control, count, seed))]
    flows += [Flow(count + i, hosts + count + i, 500_000, 200e3) for i in range(shorts)]
    return base.replace(topology=f"dumbbell:switches=2,senders={hosts}", flows=flows,
                        stop=f"{end}us", seed=seed,
                        trace=["links"], trace_interval=f"{STEP_US}us",
                        modifiers=() if attributes is None else "ratio-cut",
                        attributes={**base.attributes, **(attributes or {})})


def fairness(result, control, count, seed):
    """Jain's index over the time since the last flow began, in us; taken of the last
    millisecond."""
    end, begin = CONTROLS[control][1], start_times(control, count, seed)[-1]
    rates = [utilisation(result, host, 0, end).rolling(MEAN_SAMPLES).mean()
             for host in range(count)]
    times = [t for t in rates[0].index if t > begin + STEP_US * MEAN_SAMPLES]
    index = rates[0][times].copy()
    for at in times:
        index[at] = jain(rate[at] for rate in rates)
    index.index = index.index - begin
    return index


def use_percent(result, control, count, seed):
    """Of the link in the first 10 ms that all flows are there."""
    begin = start_times(control, count, seed)[-1]
    return 100 * sum(
        float(between(utilisation(result, host, 0, CONTROLS[control][1]), begin, begin + 10_000)
              .mean())
                     for host in range(count))


def mean_over_seeds(indices):
    """Mean of several series on a common grid."""
    count = min(len(one) for one in indices)
    return ([(MEAN_SAMPLES + i) * STEP_US for i in range(count)],
            [statistics.mean(float(one.iloc[i]) for one in indices) for i in range(count)])


def body(experiment):
    options = experiment.options
    counts = (2,) if options.quick else FLOWS
    seeds = range(1, options.seeds + 1)
    if options.sweep:
        sweep_controls()
    keys = [(control, cuts, count, seed) for control in CONTROLS for cuts in CONTROLS[control][2]
            for count in counts
            for seed in seeds]
    named = experiment.run(
        {"-".join(map(str, key)).replace(" ", "-").replace(",", ""): scenario(*key)
         for key in keys})
    results = dict(zip(keys, named.values()))
    numbers, lines, times, early = [], {}, {}, {}
    for control, count in itertools.product(CONTROLS, counts):
        for cuts in CONTROLS[control][2]:
            each = [results[control, cuts, count, seed] for seed in seeds]
            indices = [fairness(result, control, count, seed) for result, seed in zip(each, seeds)]
            times[control, count, cuts] = [stays_from(one, FAIR, STAYS_US) for one in indices]
            grid, mean = mean_over_seeds(indices)
            lines.setdefault(control, {}).setdefault(str(count),
                                                     {})[cuts] = {"time_us": grid, "jain": mean}
            case = f"{control}, {count} flows, {cuts}"
            early[control, count, cuts] = statistics.mean(value for at, value in zip(grid, mean)
                                                          if at <= 10_000)
            numbers += [Number(case, "Jain's index, mean of the first 10 ms", "",
                               early[control, count, cuts]),
                        Number(case, "seeds that stay at 0.99 for 1 ms", "",
                               sum(map(math.isfinite, times[control, count, cuts]))),
                        Number(case, "link utilization, first 10 ms", "%",
                               statistics.mean(use_percent(result, control, count, seed)
                                               for result, seed in zip(each, seeds))),
                        Number(case, "longest queue", "kB",
                               statistics.mean(result.summary["max_queue_bytes"] for result in each)
                               / 1e3)]
            if math.isfinite(statistics.median(times[control, count, cuts])):
                numbers.append(Number(case, "stays at 0.99 from, median", "us",
                                      statistics.median(times[control, count, cuts])))
    if options.sweep:
        return {"numbers": numbers}
    return {"numbers": numbers, "claims": claims(times, early, counts),
            "series": {"fairness": lines}}


def claims(times, early, counts):
    """What [Patent] promises, by the median and the mean over the seeds."""
    def text(values):
        return "/".join("never" if finite(value) is None else f"{value / 1e3:.1f}"
                        for value in sorted(values))

    found = []
    for control, count in itertools.product(CONTROLS, counts):
        whole, scaled = times[control, count, WHOLE], times[control, count, SCALED]
        found.append(Claim(f"{control}, {count} flows: reaches 0.99 sooner with ratio-based cuts",
                           statistics.median(scaled) < statistics.median(whole),
                           f"{text(scaled)} against {text(whole)} ms"))
        whole, scaled = early[control, count, WHOLE], early[control, count, SCALED]
        found.append(
            Claim(f"{control}, {count} flows: the mean of Jain's index over 10 ms is higher",
                  scaled > whole,
                  f"{scaled:.4f} against {whole:.4f}"))
    return found


if __name__ == "__main__":
    EXPERIMENT = Experiment("modifiers-fairness", __doc__, seeds=5)
    EXPERIMENT.parser.add_argument("--sweep", action="store_true",
                                   help="instead, vary Wmax under DCTCP")
    sys.exit(EXPERIMENT.main(body))
