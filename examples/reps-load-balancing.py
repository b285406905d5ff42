#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Recycled entropies (REPS) against ECMP, random spraying and flowlets, under DCTCP, DCQCN and
Swift.

    python3 reps-load-balancing.py [--quick] [--sweep] [--seeds N] [--out DIR] [--jobs N]
                                   [--program FILE]

Five cases, links of 100 Gb/s and 1 us:
permutation: each of 32 hosts at four leaves under eight spines sends 2 MB to another one;
half-rate link: four hosts at each of two leaves under four spines send 4 MB to one at the other
leaf, and the link between the first leaf and the first spine has 50 Gb/s; failing link: four hosts
at the first leaf send endlessly to the other, and that link, now at 100 Gb/s, goes down at 1 ms;
failing link, far: four hosts at the second leaf send to the first, so that only the spine sees that
its port is down; incast: 16 of the 32 hosts send 1 MB to another one. Source: [Patent], "Recycled
Entropies Packet Spraying". --sweep: instead, expiry and capacity of the store. --quick: DCTCP only,
one seed, shorter.
"""
import itertools
import statistics
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Flow, Scenario
from dcfabric.faults import write_faults
from showcases.experiment import Claim, Experiment, Number
from showcases.feedback import finite
from dcfabric.measures import between, percentile, stays_from, utilisation
from showcases.two_leaves import TwoLeaves

BALANCERS = {"REPS": "reps", "random spraying": "spray-random", "flowlets": "flowlet",
             "ECMP": "symmetric-ecmp"}
CONTROLS = {"DCTCP": "dctcp", "DCQCN": "dcqcn", "Swift": "swift"}
PERMUTATION, HALF, FAILING, INCAST = "permutation", "half-rate link", "failing link", "incast"
FAR, MISSING = "failing link, far", "link that never was"
HOSTS, SPINES = 4, 4
LEAF_SPINE = "leaf-spine:leaves=4,spines=8,hosts=8"
UNEQUAL = TwoLeaves(HOSTS, SPINES, slow="50Gbps")
EQUAL = TwoLeaves(HOSTS, SPINES)
THREE = TwoLeaves(HOSTS, SPINES - 1)
# On the wire, with preamble and gap: a packet with 1000 B of payload, and its ACK.
PACKET, ACK = 1082, 118
# What the paths carry, Gb/s of payload. Both directions carry the ACKs of the other one at the
# half-rate link, and all flows have to leave 3.5 links; only ACKs go back where a link fails.
OPTIMUM = {HALF: 2 * 350 * 1000 / (PACKET + ACK), FAILING: 300 * 1000 / PACKET,
           FAR: 300 * 1000 / PACKET,
           INCAST: 100 * 1000 / PACKET}
DOWN_US, STEP_US, MEAN_SAMPLES = 1000, 50, 2
# What REPS is allowed: one timeout, fixed here, and ten base RTTs of 8.4 us.
TIMEOUT_NS = 4_194_304
ALLOWED_US = TIMEOUT_NS // 1000 + 84
FIXED = {"ns3::FabricNic::AckTimeout": f"{TIMEOUT_NS}ns"}
# The leaf where flows without end arrive.
RECEIVING = {FAILING: EQUAL.second_leaf, FAR: EQUAL.first_leaf, MISSING: THREE.second_leaf}


def scenarios(experiment, seeds, controls):
    """One for each case, load balancer, congestion control and seed."""
    quick, out = experiment.options.quick, experiment.options.out
    half, equal = UNEQUAL.write(out / "half-rate.txt"), EQUAL.write(out / "equal.txt")
    faults = write_faults(out / "faults.txt",
                          [f"{DOWN_US}us down {EQUAL.first_leaf} {EQUAL.first_spine}"])
    cross = [Flow(host, (host + HOSTS) % (2 * HOSTS), 1_000_000 if quick else 4_000_000)
             for host in range(2 * HOSTS)]
    endless = [Flow(host, HOSTS + host, 1 << 40) for host in range(HOSTS)]
    back = [Flow(HOSTS + host, host, 1 << 40) for host in range(HOSTS)]
    lasting = Scenario(topology=equal, flows=endless, stop=f"{end_us(quick)}us", trace=["links"],
                       trace_interval=f"{STEP_US}us",
                       attributes=FIXED)
    base = {PERMUTATION: Scenario(topology=LEAF_SPINE,
                                  workload=f"permutation:size={'500kB' if quick else '2MB'}"),
            HALF: Scenario(topology=half, flows=cross),
            FAILING: lasting.replace(faults=faults),
            FAR: lasting.replace(flows=back, faults=faults),
            INCAST: Scenario(topology=LEAF_SPINE,
                             workload=f"incast:fan-in=16,size={'200kB' if quick else '1MB'}")}
    keys = {(case, balancer, control, seed):
            scenario.replace(lb=BALANCERS[balancer], cc=CONTROLS[control], seed=seed)
            for (case, scenario), balancer, control,
            seed in itertools.product(base.items(), BALANCERS, controls, seeds)}
    # what the congestion control itself makes of the paths that are left
    three = THREE.write(out / "three-spines.txt")
    return keys | {(MISSING, "REPS", control, seed):
                   lasting.replace(topology=three, lb="reps", cc=CONTROLS[control], seed=seed)
                   for control, seed in itertools.product(controls, seeds)}


def end_us(quick):
    """When the run with the failing link stops."""
    return 6_000 if quick else 12_000


def goodput_over_time(result, case, end):
    """Payload that reaches the hosts of flows without end, Gb/s."""
    return sum(utilisation(result, RECEIVING[case], port, end)
               for port in range(HOSTS)) * 1e5 / 1062


def failure(result, case, end):
    """What became of the flows after the link failed."""
    goodput = goodput_over_time(result, case, end)
    mean = goodput.rolling(MEAN_SAMPLES).mean()
    after = mean[mean.index >= DOWN_US + STEP_US * MEAN_SAMPLES]
    reached, settled = (finite(stays_from(after, 0.95 * OPTIMUM[FAILING], span) - DOWN_US)
                        for span in (0, 1000))
    return {"goodput": float(between(goodput, DOWN_US + ALLOWED_US, end).mean()),
            "reached_us": reached, "settled_us": settled,
            "time_us": [float(t) for t in goodput.index],
            "goodput_gbps": [float(v) for v in goodput]}


def measure(case, result, end):
    """Numbers of one run."""
    flows, summary = result.flows, result.summary
    row = {"longest queue": ("kB", summary["max_queue_bytes"] / 1e3),
           "retransmitted packets": ("", float(flows["packets_retransmitted"].sum()))}
    if case in RECEIVING:
        return {"goodput": ("Gb/s", failure(result, case, end)["goodput"]), **row}
    return {"goodput": ("Gb/s", summary["goodput_gbps"]),
            "slowdown, mean": ("", float(flows["slowdown"].mean())),
            "slowdown, p99": ("", percentile(flows["slowdown"], 99)), **row}


def body(experiment):
    options = experiment.options
    if options.sweep:
        return sweep_store(experiment)
    seeds = range(1, options.seeds + 1)
    controls = ["DCTCP"] if options.quick else list(CONTROLS)
    keys = scenarios(experiment, seeds, controls)
    named = experiment.run(
        {"-".join(map(str, key)).replace(" ", "-"): scenario for key, scenario in keys.items()})
    results = dict(zip(keys, named.values()))
    end = end_us(options.quick)
    numbers, bars, lines, settled, lasting = [], {}, {}, {}, {}
    for case, balancer, control in dict.fromkeys(key[:3] for key in keys):
        rows = [measure(case, results[case, balancer, control, seed], end) for seed in seeds]
        for quantity, (unit, _) in rows[0].items():
            numbers.append(Number(f"{case}, {control}, {balancer}", quantity, unit,
                                  statistics.mean(row[quantity][1] for row in rows)))
        if balancer == "REPS" and case in RECEIVING:
            lasting[case, control] = [row["goodput"][1] for row in rows]
        if case not in (FAR, MISSING):
            bars.setdefault(case, {}).setdefault(control,
                                                 {})[balancer] = [row["goodput"][1] for row in rows]
        if case in (FAILING, FAR):
            each = [failure(results[case, balancer, control, seed], case, end) for seed in seeds]
            for key, text in (("reached_us", "95 % of the optimum"),
                              ("settled_us", "95 % of the optimum for 1 ms")):
                times = settled[case, control, balancer, key] = [one[key] for one in each]
                numbers.append(Number(f"{case}, {control}, {balancer}", f"seeds that reach {text}",
                                      "",
                                      sum(one is not None for one in times)))
                if None not in times:
                    numbers.append(Number(f"{case}, {control}, {balancer}",
                                          f"{text} after the failure, latest seed", "us",
                                          max(times)))
            shown = lines.setdefault(case, {}).setdefault(control, {})
            shown[balancer] = {key: each[0][key] for key in ("time_us", "goodput_gbps")}
    return {"numbers": numbers, "claims": claims(bars, settled, lasting, controls),
            "series": {"bars": bars, "optimum": OPTIMUM, "lines": lines, "down_us": DOWN_US}}


def claims(bars, settled, lasting, controls):
    """What [Patent] promises of REPS."""
    def values(case, control, unit=" Gb/s"):
        return ", ".join(f"{name} {min(goodput):.0f} to {max(goodput):.0f}"
                         for name, goodput in bars[case][control].items()) + unit

    found = []
    for control in controls:
        for case in (PERMUTATION, HALF):
            one = bars[case][control]
            found.append(
                Claim(f"{case}, {control}: goodput of REPS is above that of all others, with each "
                      "seed",
                      all(reps > other for name in one if name != "REPS"
                          for reps, other in zip(one["REPS"], one[name])), values(case, control)))
        for case, (key, text) in itertools.product((FAILING, FAR),
                                                   (("reached_us", "reaches 95 % of the optimum"),
                                                    ("settled_us",
                                                     "is at 95 % of the optimum for 1 ms"))):
            times = settled[case, control, "REPS", key]
            found.append(Claim(f"{case}, {control}: REPS {text} within a timeout and ten RTTs",
                               all(one is not None and one <= ALLOWED_US for one in times),
                               ", ".join("never" if one is None else f"{one:.0f} us"
                                         for one in times)))
        for case in (FAILING, FAR):
            after, ever = lasting[case, control], lasting[MISSING, control]
            found.append(
                Claim(f"{case}, {control}: from then on REPS has 98 % of what it has with three "
                      "spines from the start",
                      statistics.mean(after) >= 0.98 * statistics.mean(ever),
                      f"{min(after):.1f} to {max(after):.1f}, from the start {min(ever):.1f} to "
                      f"{max(ever):.1f} Gb/s"))
        incast = bars[INCAST][control]
        found.append(Claim(f"incast, {control}: REPS has at least 95 % of the goodput of ECMP",
                           statistics.mean(incast["REPS"])
                           >= 0.95 * statistics.mean(incast["ECMP"]),
                           values(INCAST, control)))
    return found


EXPIRIES = ("10us", "30us", "100us", "300us", "1ms", "10ms")
CAPACITIES = (8, 16, 32, 64, 128, 256, 1024)
MESSAGES = "messages beside a failed link"


def sweep_store(experiment):
    """By expiry and capacity: goodput at the half-rate link, the slowdown of flows of all sizes
    there, and messages of 64 kB of four hosts, one in 100 us each, at the second leaf, beside a
    link of the first one that is down from the start; all of a host belong to one PDC."""
    quick, out = experiment.options.quick, experiment.options.out
    seeds = range(1, experiment.options.seeds + 1)
    half, equal = UNEQUAL.write(out / "half-rate.txt"), EQUAL.write(out / "equal.txt")
    faults = write_faults(out / "dead-link.txt",
                          [f"0us down {EQUAL.first_leaf} {EQUAL.first_spine}"])
    cross = [Flow(host, (host + HOSTS) % (2 * HOSTS), 4_000_000) for host in range(2 * HOSTS)]
    messages = [Flow(HOSTS + host, host, 64_000, 100e3 * i) for i in range(10 if quick else 40)
                for host in range(HOSTS)]
    reps = Scenario(cc="dctcp", lb="reps")
    base = {"4 MB": reps.replace(topology=half, flows=cross),
            "Hadoop at 50 %": reps.replace(topology=half, workload="hadoop", load=0.5,
                                           duration="200us" if quick else "2ms"),
            MESSAGES: reps.replace(topology=equal, flows=messages, faults=faults,
                                   stop="30ms" if quick else "60ms",
                                   attributes={"ns3::FabricNic::PdcPerMessage": False, **FIXED})}
    settings = {f"Expiry {value}": {"ns3::RepsLoadBalancer::Expiry": value} for value in EXPIRIES}
    settings |= {"Recurrent": {"ns3::RepsLoadBalancer::Recurrent": True}}
    settings |= {f"Capacity {value}": {"ns3::PrivateEntropyStore::Capacity": value}
                 for value in CAPACITIES}
    keys = {(workload, setting, seed):
            scenario.replace(attributes=scenario.attributes | attributes, seed=seed)
            for (workload, scenario), (setting, attributes),
            seed in itertools.product(base.items(), settings.items(), seeds)}
    named = experiment.run(
        {"sweep-" + "-".join(map(str, key)).replace(" ", "-"): one for key, one in keys.items()})
    results = dict(zip(keys, named.values()))
    numbers = []
    for workload, setting in itertools.product(base, settings):
        each = [results[workload, setting, seed] for seed in seeds]
        rows = [waited(one) if workload == MESSAGES else measure(HALF, one, 0) for one in each]
        numbers += [Number(f"{workload}, {setting}", quantity, unit,
                           statistics.mean(row[quantity][1] for row in rows))
                    for quantity, (unit, _) in rows[0].items()]
    return {"numbers": numbers}


def waited(result):
    """What became of messages beside a failed link."""
    late = result.flows["fct_ns"].isna() | (result.flows["fct_ns"] >= 0.75 * TIMEOUT_NS)
    return {"messages delayed by timeouts": ("%", 100 * float(late.mean())),
            "retransmitted packets": ("", float(result.flows["packets_retransmitted"].sum()))}


if __name__ == "__main__":
    EXPERIMENT = Experiment("reps-load-balancing", __doc__, seeds=3)
    EXPERIMENT.parser.add_argument("--sweep", action="store_true",
                                   help="instead, vary expiry and capacity of the store")
    sys.exit(EXPERIMENT.main(body))
