#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What failures cost under each load balancer, with and without repair of routes.

    python3 fault-costs.py [--quick] [--seeds N] [--out DIR] [--jobs N] [--program FILE]

Each of 32 hosts at four leaves under four spines (100 Gb/s, 1 us) sends 2 MB to another one under
DCTCP and PFC. After 50 us one thing fails: a link between a leaf and a spine, for ever; a spine,
for ever; that link again and again, 20 us down and 50 us up, ten times; or it loses one frame in a
hundred. Senders wait 400 us for an ACK (AckTimeout). Without convergence only the ends of a link
know that it is down; with it all tables do, 50 us later. A figure is the time of the last flow over
that without any failure. --quick: 500 kB, three load balancers, one seed.
"""
import itertools
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Scenario
from showcases.experiment import Claim, Experiment, Number
from dcfabric.faults import flapping, write_faults

BALANCERS = {"ECMP": "symmetric-ecmp", "flowlets": "flowlet", "adaptive": "adaptive",
             "random spraying": "spray-random",
             "REPS": "reps", "trees": "spanning-trees"}
QUICK = ("ECMP", "adaptive", "random spraying")
CONVERGENCES = {"none": "none", "50 us": "50us"}
NOTHING = "nothing"
# Hosts 0 to 31, leaves 32 to 35, spines 36 to 39.
LEAF, SPINE, AT_US = 32, 36, 50
FAULTS = {"link down": [f"{AT_US}us down {LEAF} {SPINE}"],
          "spine down": [f"{AT_US}us switch-down {SPINE}"],
          "flapping": flapping(AT_US, LEAF, SPINE, 20, 50, 10),
          "1 % loss": [f"{AT_US}us loss {LEAF} {SPINE} 0.01"]}
LOSS = "1 % loss"


def scenarios(experiment, balancers, seeds):
    """One for each fault, convergence, load balancer and seed."""
    options = experiment.options
    base = Scenario(topology="leaf-spine:leaves=4,spines=4,hosts=8", cc="dctcp",
                    workload=f"permutation:size={'500kB' if options.quick else '2MB'}",
                    attributes={"ns3::FabricNic::AckTimeout": "400us"})
    files = {
        fault: write_faults(options.out / f"{fault.replace(' ', '-').replace('%', 'percent')}.txt",
                            lines)
             for fault, lines in FAULTS.items()}
    keys = {(NOTHING, "none", balancer, seed): base.replace(lb=BALANCERS[balancer], seed=seed)
            for balancer, seed in itertools.product(balancers, seeds)}
    for (fault,
         path), convergence, balancer, seed in itertools.product(
             files.items(), CONVERGENCES, balancers, seeds):
        if fault == LOSS and CONVERGENCES[convergence] != "none":
            continue  # no table has anything to learn
        known = None if convergence == "none" else CONVERGENCES[convergence]
        keys[fault, convergence, balancer, seed] = base.replace(lb=BALANCERS[balancer], seed=seed,
                                                                faults=path, convergence=known)
    return keys


def body(experiment):
    options = experiment.options
    seeds = range(1, options.seeds + 1)
    balancers = QUICK if options.quick else tuple(BALANCERS)
    keys = scenarios(experiment, balancers, seeds)
    named = experiment.run(
        {"-".join(map(str, key)).replace(" ", "-").replace("%", "percent"): scenario
         for key, scenario in keys.items()})
    results = dict(zip(keys, named.values()))

    def mean(fault, convergence, balancer, measure):
        return sum(measure(results[fault, convergence, balancer, seed])
                   for seed in seeds) / len(seeds)

    def last_us(result):
        return float(result.flows["fct_ns"].max()) / 1e3

    def lost(result):
        return float(sum(result.summary["drops"].values()))

    numbers, claims, series = [], [], {convergence: {} for convergence in CONVERGENCES}
    for balancer in balancers:
        numbers.append(Number(f"{NOTHING}, {balancer}", "last flow", "us",
                              mean(NOTHING, "none", balancer, last_us)))
    for fault, convergence in itertools.product(FAULTS, CONVERGENCES):
        known = "none" if fault == LOSS else convergence
        ratios = series[convergence][fault] = {}
        for balancer in balancers:
            ratios[balancer] = mean(fault, known, balancer,
                                    last_us) / mean(NOTHING, "none", balancer, last_us)
            if known == convergence:
                numbers += [Number(f"{fault}, {convergence}, {balancer}",
                                   "last flow, over that without failure", "", ratios[balancer]),
                            Number(f"{fault}, {convergence}, {balancer}", "packets lost", "",
                                   mean(fault, known, balancer, lost))]
    # which finds by itself what is dead
    for balancer in (one for one in balancers if one != "REPS"):
        before, after = (series[convergence]["link down"][balancer] for convergence in CONVERGENCES)
        claims.append(
            Claim(f"link down, {balancer}: the last flow is complete sooner with convergence",
                  after < before,
                  f"{before:.2f} without, {after:.2f} with"))
    return {"numbers": numbers, "claims": claims, "series": series}


if __name__ == "__main__":
    sys.exit(Experiment("fault-costs", __doc__, seeds=3).main(body))
