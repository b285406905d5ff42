#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The ring all-gather of ASTRA-sim on its input HGX-H100-validated, on its network model and on
packets (doc/backend.rst, "A published configuration").

    python3 astra-ring.py [SIZE...]

SIZE is what each of 8 ranks gives, as 65536 or 1MiB. For each there is the time by ASTRA-sim's
congestion-aware analytical network, how much longer it takes with a packet for each message and
with packets of 8192 bytes, and the bandwidths as nccl-tests counts them. It needs the library for
other simulators.
"""
import argparse
import heapq
import itertools
import re
import sys
import tempfile

import dcfabric_path  # noqa: F401
from dcfabric import DcfabricError
from dcfabric.backend import Backend

# ASTRA-sim, examples/network/analytical/HGX-H100-validated.json: 8 NPUs, Switch, 400 GB/s, 936.25
# ns; examples/system/native_collectives/HGX-H100-validated.json: ring, 4 splits of which 2 are
# active, endpoint delay 10 ns.
NPUS, SPLITS, ACTIVE, DELAY_NS = 8, 4, 2, 10
LATENCY_NS = 936.25
# its GB are 2^30 bytes (astra-network-analytical, common/NetworkFunction.cc)
BYTES_PER_NS = 400 * 2**30 / 1e9
PACKET = 8192
WHOLE = 16384  # a packet that is a message
SIZES = ("64KiB", "512KiB", "2MiB", "8MiB", "16MiB", "32MiB", "64MiB")
UNITS = {"": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


class Ring:
    """A ring all-gather as ASTRA-sim's system layer has it: of each chunk, a rank sends a part to
    the next rank; when one has come, it goes on after the endpoint delay. A network has
    pass_on(chunk, rank, then), which sends to the next rank and receives from the one before, and
    after(ns, then)."""

    def __init__(self, network, on_end):
        self.network, self.on_end = network, on_end
        self.left = [SPLITS] * NPUS
        self.waiting = [SPLITS] * NPUS
        for rank in range(NPUS):
            for _ in range(ACTIVE):
                self.begin(rank)

    def begin(self, rank):
        if self.waiting[rank] > 0:
            chunk = SPLITS - self.waiting[rank]
            self.waiting[rank] -= 1
            self.network.after(DELAY_NS, lambda: self.step(chunk, rank, NPUS - 1))

    def step(self, chunk, rank, steps):
        if steps == 0:
            self.left[rank] -= 1
            self.begin(rank)
            if not any(self.left):
                self.on_end()
            return
        self.network.pass_on(chunk, rank, lambda: self.network.after(
            DELAY_NS, lambda: self.step(chunk, rank, steps - 1)))


class SwitchModel:
    """The network that ASTRA-sim calls congestion-aware: a link sends one message after the other,
    each of which is at its end after the latency and its length by the rate, in whole ns; the
    switch has it when all of it is there. now: the time of the collective in ns."""

    def __init__(self, part):
        self.busy_ns = int(part / BYTES_PER_NS)
        self.link_ns = int(LATENCY_NS + part / BYTES_PER_NS)
        self.free = {}  # by link
        self.now, self.calls, self.number = 0, [], itertools.count()
        self.receives = {}  # by chunk and rank: no message comes before its receive
        Ring(self, lambda: None)
        while self.calls:
            self.now, _, call = heapq.heappop(self.calls)
            call()

    def after(self, delay, then):
        heapq.heappush(self.calls, (self.now + delay, next(self.number), then))

    def cross(self, link, then):
        begin = max(self.now, self.free.get(link, 0))
        self.free[link] = begin + self.busy_ns
        self.after(begin + self.link_ns - self.now, then)

    def pass_on(self, chunk, rank, then):
        to = (rank + 1) % NPUS
        self.receives[chunk, rank] = then
        self.cross(("up", rank), lambda: self.cross(
            ("down", to), lambda: self.receives.pop((chunk, to))()))


class Fabric:
    """The same on packets of so many bytes. A network that is slower by a factor, with parts that
    are shorter by it, takes the same time. now: as in SwitchModel."""

    def __init__(self, part, payload, out, slower=1):
        self.part, self.now = part // slower, None
        with Backend(topology="dumbbell:switches=1,senders=4", delay=f"{LATENCY_NS}ns", cc="none",
                     rate=f"{round(8e9 * BYTES_PER_NS / slower)}bps", payload=payload, out=out,
                     attributes={"ns3::ClientWorkload::QueuePairs": 0}) as self.net:
            Ring(self, self.on_end)
            self.net.run()

    def on_end(self):
        self.now = self.net.now_ps / 1000

    def after(self, delay, then):
        self.net.schedule(1000 * delay, then)

    def pass_on(self, chunk, rank, then):
        self.net.send(rank, (rank + 1) % NPUS, self.part, tag=chunk)
        self.net.recv(rank, (rank - 1) % NPUS, self.part, tag=chunk, then=then)


def model(size):
    """Time in ns where each rank gives so many bytes."""
    return SwitchModel(size // SPLITS).now


def whole_messages(size, out):
    """The same with a packet for each message."""
    return Fabric(size // SPLITS, WHOLE, out, max(1, size // SPLITS // WHOLE)).now


def packets(size, out):
    """The same with packets as a network has them."""
    return Fabric(size // SPLITS, PACKET, out).now


def bus_bandwidth(size, ns):
    """Of nccl-tests, in GB/s of 10^9 bytes."""
    return (NPUS - 1) * size / ns


def parse_size(text):
    found = re.fullmatch(r"(\d{1,12})(|[KMG]iB)", text)
    size = int(found[1]) * UNITS[found[2]] if found else 0
    if size < SPLITS * NPUS:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write 65536 or 64KiB, at least "
                                         f"{SPLITS * NPUS}")
    return size


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("sizes", metavar="SIZE", nargs="*", type=parse_size,
                        help="bytes that each rank gives, as 65536 or 1MiB")
    sizes = parser.parse_args().sizes or [parse_size(text) for text in SIZES]
    print("     bytes   model us  one packet   packets   model GB/s  packets GB/s")
    with tempfile.TemporaryDirectory() as out:
        for size in sizes:
            expected, whole, ours = model(size), whole_messages(size, out), packets(size, out)
            print(f"{size:10} {expected / 1000:10.1f} {100 * (whole / expected - 1):9.2f} % "
                  f"{100 * (ours / expected - 1):7.2f} % {bus_bandwidth(size, expected):12.1f} "
                  f"{bus_bandwidth(size, ours):13.1f}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except DcfabricError as error:
        sys.exit(f"astra-ring.py: {error}")
