#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Ultra Ethernet: NSCC, RCCC and both, beside the consortium's public simulator and beside other
schemes.

    python3 uet.py [--quick] [--seeds N] [--out DIR] [--jobs N] [--program FILE]

Beside the simulator (uet-htsim, commit 40ccb05): its own connection matrices on fat-trees of 16 and
128 hosts, links of 1 us, 100 and 400 Gb/s, with the sizes of its frames; the time of a flow ends
when its sender has the last ACK. Beside HPCC and DCQCN over lossless links, DCQCN with WREB, BTS
alone and DCTCP with REPS: a permutation, two incasts, an outcast, an oversubscribed fabric, a
failed link, WebSearch and an all-to-all, 128 hosts, 100 Gb/s, Ultra Ethernet with the sizes of its
own frames. --quick: a lone flow, the incast of 15 and the outcast, 16 hosts, one seed.
"""
import csv
import statistics
import sys
from pathlib import Path

import find_dcfabric  # noqa: F401
from dcfabric import Scenario
from dcfabric.drawing import spread
from dcfabric.faults import write_faults
from dcfabric.measures import percentile
from showcases.experiment import Claim, Experiment, Number

REFERENCE = Path(__file__).resolve().parent / "reference"
PRESETS = {"nscc": "uet", "rccc": "uet-rccc", "both": "uet-both"}
# connection matrix and ports of a switch of the fat-tree
MATRICES = {"one": ("one", 4), "incast15": ("incast", 4), "outcast-incast": ("outcast_incast", 8),
            "perm128": ("perm_128n_128c_2MB", 8), "incast127": ("incast_128", 8)}
TITLES = {"one": "lone flow", "incast15": "incast of 15", "outcast-incast": "outcast and incast",
          "perm128": "permutation of 128", "incast127": "incast of 127"}
# What differs from the preset in a variant of the reference.
VARIANTS = {"": {}, "notrim": {"trimming": "none", "reliability": "sleek"},
            "reps": {"lb": "reps-ring"}, "bitmap": {"lb": "bitmap"},
            "oblivious": {"lb": "oblivious"}, "mixed-1sack": {"lb": "mixed"},
            "singlepath": {"lb": "symmetric-ecmp"}}
EACH_ACK = ("reps", "bitmap", "oblivious", "mixed-1sack")
SCHEMES = {
    "NSCC": {"preset": "uet"},
    "RCCC": {"preset": "uet-rccc"},
    "NSCC + RCCC": {"preset": "uet-both"},
    "HPCC": {"cc": "hpcc", "flow_control": "pfc", "lb": "ecmp"},
    "DCQCN": {"cc": "dcqcn", "flow_control": "pfc", "lb": "ecmp"},
    "DCQCN + WREB": {"cc": "dcqcn", "flow_control": "none", "lb": "ecmp", "features": ["wreb"]},
    "BTS": {"cc": "bts", "flow_control": "none", "lb": "ecmp"},
    "DCTCP + REPS": {"cc": "dctcp", "flow_control": "none", "lb": "reps"},
}


def read_reference():
    """The runs of the public simulator: a row for each."""
    with open(REFERENCE / "uet-htsim.csv", encoding="utf-8") as rows:
        return [{key: value if key in ("case", "control", "variant") else float(value)
                 for key, value in row.items()} for row in csv.DictReader(rows)]


def beside_simulator(row, seed):
    """The scenario of a run of the public simulator."""
    matrix, ports = MATRICES[row["case"]]
    attributes = {"ns3::FabricNic::AckBytes": 0} if row["variant"] in EACH_ACK else {}
    scenario = Scenario(preset=PRESETS[row["control"]], topology=f"fat-tree:k={ports}",
                        rate=f"{row['rate_gbps']:g}Gbps", delay="1us", payload=4086,
                        workload=f"cm:{REFERENCE / matrix}.cm", seed=seed, attributes=attributes,
                        options={"wire-format": "uet-htsim"})
    return scenario.replace(**VARIANTS[row["variant"]])


def times_us(result):
    """Times of all flows until their senders have the last ACK, in order."""
    return sorted(result.flows["sender_fct_ns"] / 1e3)


def compare(experiment, reference):
    """Runs beside those of the public simulator."""
    seeds = range(1, experiment.options.seeds + 1)
    names = {(i, seed): "-".join(filter(None, (row["case"], f"{row['rate_gbps']:g}G",
                                               row["control"], row["variant"], str(seed))))
             for i, row in enumerate(reference) for seed in seeds}
    results = experiment.run({names[i, seed]: beside_simulator(reference[i], seed)
                              for i, seed in names})
    numbers, claims, ratios = [], [], {}
    for i, row in enumerate(reference):
        each = [results[names[i, seed]] for seed in seeds]
        times = [times_us(one) for one in each]
        case = ", ".join(filter(None, (TITLES[row["case"]], f"{row['rate_gbps']:g} Gb/s",
                                       row["control"], row["variant"])))
        found = {"first": (statistics.mean(one[0] for one in times), row["first_us"]),
                 "median": (statistics.mean(map(statistics.median, times)), row["median_us"]),
                 "last": (statistics.mean(one[-1] for one in times), row["last_us"])}
        numbers += [Number(case, f"{name} flow", "us", ours, theirs)
                    for name, (ours, theirs) in found.items()]
        again = statistics.mean(float(one.flows["packets_retransmitted"].sum()) for one in each)
        numbers.append(Number(case, "packets sent again", "", again, row["again"]))
        shown = ratios.setdefault(TITLES[row["case"]], {}).setdefault(
            ", ".join(filter(None, (row["control"], row["variant"]))), {})
        shown[f"{row['rate_gbps']:g} Gb/s"] = {name: ours / theirs
                                               for name, (ours, theirs) in found.items()}
        bounds = {"last": 0.01 if row["case"] == "one" else 0.05, "median": 0.1}
        if row["case"] == "one":
            del bounds["median"]
        if row["variant"] == "singlepath":
            del bounds["last"]  # by which flows happen to meet on a link
        for name, bound in bounds.items():
            ours, theirs = found[name]
            claims.append(Claim(f"{case}: the {name} flow within {100 * bound:g} %",
                                abs(ours / theirs - 1) <= bound,
                                f"{ours:.1f} us, there {theirs:.1f}"))
    return numbers, claims, ratios


def cases(experiment):
    """Scenarios of the comparison with other schemes, without a scheme."""
    hosts = "fat-tree:k=8"
    base = Scenario(topology=hosts, rate="100Gbps", delay="1us")
    failed = write_faults(experiment.options.out / "failed.txt", ["0us down 128 160"])
    return {
        "permutation": base.replace(workload="permutation:size=2MB"),
        "incast of 15": base.replace(workload="incast:fan-in=15,size=2MB"),
        "incast of 127": base.replace(workload="incast:fan-in=127,size=200kB"),
        "outcast": base.replace(workload=f"cm:{REFERENCE / 'outcast_incast.cm'}"),
        "oversubscribed": base.replace(
            topology="leaf-spine:leaves=8,spines=4,hosts=16", workload="permutation:size=2MB"),
        "failed link": base.replace(workload="permutation:size=2MB", faults=failed),
        "WebSearch": base.replace(workload="websearch", load=0.5, duration="1ms"),
        "all-to-all": base.replace(topology="fat-tree:k=4", workload="alltoall:size=200kB"),
    }


def body(experiment):
    quick = experiment.options.quick
    reference = sorted((row for row in read_reference() if row["variant"] in VARIANTS
                        and (not quick or MATRICES[row["case"]][1] == 4)),
                       key=lambda row: (list(MATRICES).index(row["case"]), row["variant"] != "",
                                        list(PRESETS).index(row["control"])))
    numbers, claims, ratios = compare(experiment, reference)
    series = {"ratios": ratios}
    if not quick:
        more, series["schemes"] = beside_schemes(experiment)
        numbers += more
    return {"numbers": numbers, "claims": claims, "series": series}


def beside_schemes(experiment):
    """Each case under each scheme."""
    seeds = range(1, experiment.options.seeds + 1)
    keys = {(case, scheme, seed): one.replace(seed=seed, **SCHEMES[scheme])
            for case, one in cases(experiment).items() for scheme in SCHEMES for seed in seeds}
    named = experiment.run({"-".join(map(str, key)).replace(" ", "-"): one
                            for key, one in keys.items()})
    results = dict(zip(keys, named.values()))
    numbers, bars = [], {}
    for case, scheme in dict.fromkeys(key[:2] for key in keys):
        each = [results[case, scheme, seed] for seed in seeds]
        last = [float(one.flows["fct_ns"].max()) / 1e3 for one in each]
        slow = [percentile(one.flows["slowdown"], 99) for one in each]
        numbers += [Number(f"{case}, {scheme}", "last flow", "us", statistics.mean(last)),
                    Number(f"{case}, {scheme}", "slowdown, p99", "", statistics.mean(slow))]
        bars.setdefault(case, {})[scheme] = spread(slow)
    return numbers, bars


if __name__ == "__main__":
    sys.exit(Experiment("uet", __doc__, seeds=3).main(body))
