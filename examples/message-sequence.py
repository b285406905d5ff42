#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Message sequence charts of matched messages, like figures 1D, 1E and 1F of [Patent], drawn from
the traces of runs.

    python3 message-sequence.py [--quick] [--out DIR] [--program FILE]

1D: the receive is posted when the message arrives. 1E: it is not; packets are refused by RTW until
the sender stops, and an RTS restarts the message. 1F: the packets of two messages take paths of
different length and arrive out of order. Links of 10 Gb/s. Packets come from the captures of both
hosts (trace pcap), states from the trace messages.
"""
import sys

import find_dcfabric  # noqa: F401
from dcfabric import Flow, Scenario
from dcfabric.run_files import write_whole
from showcases.captures import arrows
from showcases.experiment import Claim, Experiment, Number

PAYLOAD = 1000
POSTED_US = 14
# Hosts 0 and 1, switches 2 and 5 at them, between these switch 3 on a short and switch 4 on a long
# way.
TWO_PATHS = """6 4 6
2 3 4 5
0 2 10Gbps 500ns 0
2 3 10Gbps 500ns 0
2 4 10Gbps 1.5us 0
3 5 10Gbps 500ns 0
4 5 10Gbps 1.5us 0
5 1 10Gbps 500ns 0
"""


def scenarios(out):
    """The runs by the letter of the figure."""
    common = {"cc": "none", "payload": PAYLOAD, "trace": ["messages", "pcap"],
              "trace_interval": "1ms"}
    lone = {"topology": "dumbbell:switches=1,senders=1", "rate": "10Gbps", "delay": "1us", **common}
    out.mkdir(parents=True, exist_ok=True)
    plan = out.resolve() / "two-paths.topo"
    write_whole(plan, TWO_PATHS)
    return {
        "1d": Scenario(messages="preposted", workload="pairs:size=2kB", **lone),
        "1e": Scenario(messages="rtw", post_delay=f"fixed:{POSTED_US}us", workload="pairs:size=8kB",
                       **lone),
        # a seed with which the second message overtakes the first
        "1f": Scenario(messages="preposted", topology=f"file:{plan}", lb="spray-rr", seed=20,
                       flows=[Flow(0, 1, 2 * PAYLOAD, 0), Flow(0, 1, 2 * PAYLOAD, 0)], **common),
    }


def chart(result):
    """Packets and states of a run, for the figure."""
    packets = []
    for sent, arrived in arrows(result.folder, 0, 1):
        packets.append({"src": sent.src, "kind": sent.kind, "psn": sent.psn, "syn": sent.syn,
                        "msn": sent.msn,
                        "epoch": sent.epoch,
                        "packet": None if sent.offset is None else sent.offset // PAYLOAD,
                        "complete": sent.complete, "sent_us": sent.time_ns / 1e3,
                        "arrived_us": None if arrived is None else arrived.time_ns / 1e3})
    states = [{"time_us": row["time_ns"] / 1e3,
               **{key: row[key] for key in ("role", "msn", "from", "to")}}
              for row in result.messages.to_dict("records")]
    sizes = [int(size) // PAYLOAD for size in result.flows["size_bytes"]]
    return {"packets": packets, "states": states, "sizes": sizes}


def of_kind(one, kind):
    """Packets of a kind in the order in which they arrived."""
    return sorted((packet for packet in one["packets"] if packet["kind"] == kind),
                  key=lambda p: p["arrived_us"])


def walk(one, role, msn=0):
    """The states that a message or its receive went through."""
    return [state["to"] for state in one["states"] if state["role"] == role and state["msn"] == msn]


def claims(series):
    """What figures and text of [Patent] say of the sequences."""
    ready, late, two = (series[name] for name in ("1d", "1e", "1f"))
    data, rtw, rts = of_kind(late, "data"), of_kind(late, "RTW"), of_kind(late, "RTS")
    first = [packet for packet in data if packet["epoch"] == 0]
    again = [packet for packet in data if packet["epoch"] == 1]
    order = [(packet["msn"], packet["packet"]) for packet in of_kind(two, "data")]
    done = {state["msn"]: state["time_us"] for state in two["states"]
            if (state["role"], state["to"]) == ("receiver", "complete")}
    return [
        Claim("1D: packets of a posted receive are all acknowledged and none is refused",
              [packet["kind"] for packet in ready["packets"]].count("ACK") == 2
              and not of_kind(ready, "RTW")),
        Claim("1D: the sender goes from sending to complete, the receive from posted to complete",
              walk(ready, "sender") == ["sending", "complete"]
              and walk(ready, "receiver") == ["posted", "complete"]),
        Claim("1D: there is no connection set-up; packets carry SYN until the first answer names "
              "the context",
              all(packet["syn"] for packet in of_kind(ready, "data"))),
        Claim("1E: each packet that comes before the receive is answered by an RTW",
              [packet["psn"] for packet in rtw] == [packet["psn"] for packet in first],
              f"{len(rtw)} packets"),
        Claim("1E: the sender stops at the first RTW",
              max(packet["sent_us"] for packet in first) <= rtw[0]["arrived_us"]),
        Claim("1E: posting the receive sends one RTS, and the message restarts from its first "
              "packet with new sequence numbers",
              len(rts) == 1 and rts[0]["sent_us"] == POSTED_US
              and [packet["packet"] for packet in again] ==
              list(range(8)) and again[0]["psn"] == len(first)),
        Claim("1E: the sender goes from sending to waiting to sending to complete",
              walk(late, "sender") == ["sending", "waiting", "sending", "complete"]),
        Claim("1F: packets arrive out of order, also across messages, and each message goes to its "
              "own receive",
              order != sorted(order)
              and walk(two, "receiver", 0) == walk(two, "receiver", 1) == ["posted", "complete"]
              and not of_kind(two, "RTW"), " ".join(f"{msn}.{packet}" for msn, packet in order)),
        Claim("1F: the second message may be complete before the first", done[1] < done[0],
              f"{done[1]:.2f} and {done[0]:.2f} us"),
    ]


def body(experiment):
    series = {name: chart(result)
              for name, result in experiment.run(scenarios(experiment.options.out)).items()}
    numbers = [Number(f"figure {name}", "packets between the hosts", "", len(one["packets"]))
               for name, one in series.items()]
    return {"numbers": numbers, "claims": claims(series), "series": series}


if __name__ == "__main__":
    sys.exit(Experiment("message-sequence", __doc__).main(body))
