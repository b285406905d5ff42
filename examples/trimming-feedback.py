#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A queue that overflows: packet trimming and back-to-sender notification side by side. Which tells
the sender sooner, and at which cost?

    python3 trimming-feedback.py [--quick] [--out DIR] [--jobs N] [--program FILE]

Four hosts send 500 kB each at once through a row of five switches to one host, under Swift and
without flow control. All links have 1 us; one has 100 Gb/s, that behind the first to the fifth
switch, and those that lead to it enough for all four. Each queue holds 100 kB of data. A packet
without room is dropped; or its source is notified of the drop (WREB, of drops alone); or its
headers go on, and the receiver answers with a NACK (trimming). Measured in the captures of the
senders: from a packet to its repetition. --quick: the first, the third and the fifth switch.
"""
import statistics
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Flow, Scenario
from dcfabric.run_files import write_whole
from showcases import captures
from showcases.experiment import Claim, Experiment, Number

SENDERS, SWITCHES, BYTES = 4, 5, 500_000
GAP, HEADERS, NACK = 20, 64, 98  # bytes on the wire beside a frame, of what is left, of the answer
NO_EARLY = "ns3::WredMarkingProfile[Kmin=1000000000|Kmax=1000000000]"
WAYS = {"dropping": {}, "WREB": {"features": ["wreb"]}, "trimming": {"trimming": "headers"}}


def topology(path, place):
    """Hosts 0 to 3, the receiver 4, the switches 5 to 9; the link behind a switch is slow."""
    first = SENDERS + 1
    links = [(host, first, "100Gbps") for host in range(SENDERS)]
    for number in range(1, SWITCHES + 1):
        switch = first + number - 1
        behind = switch + 1 if number < SWITCHES else SENDERS
        links.append((switch, behind, "100Gbps" if number == place else "400Gbps"))
    switches = " ".join(str(first + number) for number in range(SWITCHES))
    lines = [f"{first + SWITCHES} {SWITCHES} {len(links)}", switches]
    lines += [f"{one} {other} {rate} 1us 0" for one, other, rate in links]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, "\n".join(lines) + "\n")
    return f"file:{path.resolve()}"


def scenario(experiment, place, way):
    return Scenario(topology=topology(experiment.options.out / f"row-{place}.topo", place),
                    flows=[Flow(host, SENDERS, BYTES, 0) for host in range(SENDERS)],
                    flow_control="none", cc="swift", trace=["pcap"],
                    attributes={"ns3::CongestionAwareQueueDisc::MaxSize": "100000B",
                                "ns3::PcapPorts::Ports": ",".join(map(str, range(SENDERS))),
                                "ns3::FabricNic::AckTimeout": "1ms",
                                **({"ns3::BackToSenderNotifier::Profile": NO_EARLY}
                                   if way == "WREB" else {})},
                    **WAYS[way])


def repetitions_us(result):
    """Time from each packet to its repetition, of all senders."""
    gaps = []
    for host in range(SENDERS):
        last = {}
        for frame in captures.read(result.folder / f"pcap-{host}-0.pcap"):
            if frame.kind == "data" and frame.src == host:
                if frame.psn in last:
                    gaps.append((frame.time_ns - last[frame.psn]) / 1e3)
                last[frame.psn] = frame.time_ns
    return gaps


def told_bytes(summary, place, way):
    """Bytes on all wires that it takes to tell of one packet."""
    if way == "WREB":
        return (summary["bts_bytes"] / max(summary["bts_sent"], 1) + GAP) * place
    if way == "trimming":
        return (HEADERS + GAP) * (SWITCHES + 1 - place) + (NACK + GAP) * (SWITCHES + 1)
    return 0


def body(experiment):
    places = (1, 3, 5) if experiment.options.quick else tuple(range(1, SWITCHES + 1))
    keys = [(place, way) for place in places for way in WAYS]
    named = experiment.run(
        {f"{way}-{place}": scenario(experiment, place, way) for place, way in keys})
    numbers, found = [], {}
    series = {way: {"place": list(places), "repeat_us": [], "told_bytes": [], "last_us": []}
              for way in WAYS}
    for (place, way), result in zip(keys, named.values()):
        gaps = repetitions_us(result)
        lost = result.summary["trimmed_packets"] + sum(result.summary["drops"].values())
        one = {"repeat_us": statistics.median(gaps),
               "told_bytes": told_bytes(result.summary, place, way),
               "last_us": float(result.flows["fct_ns"].max()) / 1e3}
        found[place, way] = {**one, "lost": lost, "again": len(gaps)}
        case = f"switch {place}, {way}"
        numbers += [Number(case, "from a packet to its repetition, median", "us",
                           one["repeat_us"]),
                    Number(case, "likewise, longest", "us", max(gaps)),
                    Number(case, "bytes on all wires to tell of one packet", "B",
                           one["told_bytes"]),
                    Number(case, "packets without room", "", lost),
                    Number(case, "packets sent again", "", len(gaps)),
                    Number(case, "last flow", "us", one["last_us"])]
        for key, value in one.items():
            series[way][key].append(value)
    first, last = places[0], places[-1]

    def each(place, key):
        return ", ".join(f"{way} {found[place, way][key]:.1f}" for way in WAYS)

    claims = [Claim("first switch: WREB tells sooner than trimming",
                    found[first, "WREB"]["repeat_us"] < found[first, "trimming"]["repeat_us"],
                    each(first, "repeat_us") + " us"),
              Claim("last switch: trimming is at most 2.5 us later than WREB",
                    found[last, "trimming"]["repeat_us"] < found[last, "WREB"]["repeat_us"] + 2.5,
                    each(last, "repeat_us") + " us"),
              Claim("everywhere both tell of each packet, and nothing is sent needlessly",
                    all(one["again"] == one["lost"] for (_, way), one in found.items()
                        if way != "dropping"),
                    ", ".join(f"{way} {place}: {one['again']} of {one['lost']}"
                              for (place, way), one in found.items() if way != "dropping"))]
    return {"numbers": numbers, "claims": claims, "series": series}


if __name__ == "__main__":
    sys.exit(Experiment("trimming-feedback", __doc__).main(body))
