# SPDX-License-Identifier: GPL-2.0-only
"""Time series of result folders: queues of ports, throughput of flows, use of links."""
from __future__ import annotations

from typing import Any

import numpy as np

from .data import SPARSE, Run


def all_classes(queues: Any) -> Any:
    """Bytes of all classes of each port together, by node, port and time.

    A class has a row only where its length changes, so what is summed are the changes."""
    changes = queues["bytes"] - queues.groupby(SPARSE["queues"])["bytes"].shift(fill_value=0)
    changes = changes.groupby([queues["node"], queues["port"], queues["time_ns"]]).sum()
    return changes.groupby(level=["node", "port"]).cumsum()


def sample_interval(times: Any) -> float:
    """Time between two samples in ns, 0 if there is but one."""
    return float(np.median(np.diff(times))) if len(times) > 1 else 0.0


def throughput(flow: Any, times: Any, count: int) -> tuple[Any, Any]:
    """Times in us and Gb/s of a flow, for a line in steps: each value is the mean of that many
    samples up to its time. At a time at which the flow has no row it gets nothing. times: of all
    samples."""
    inside = times[(times >= flow["time_ns"].iloc[0]) & (times <= flow["time_ns"].iloc[-1])]
    values = flow.groupby("time_ns")["throughput_bps"].sum().reindex(
        inside, fill_value=0).to_numpy() / 1e9
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


def mean_use(links: Any, begin_ns: float) -> Any:
    """Share of its line rate that each port sends over time, by node and port. A row tells of all
    samples since the row before."""
    ports = [links["node"], links["port"]]
    span = links["time_ns"] - links.groupby(SPARSE["links"])["time_ns"].shift(fill_value=begin_ns)
    sums = (links["utilisation"] * span).groupby(ports).sum()
    return sums / max(1, links["time_ns"].max() - begin_ns)


def use_by_port(run: Run) -> dict[tuple[int, int], float]:
    """The same of a run, 0 to 1, by node and port."""
    found = mean_use(run.series["links"], run.begin_ns)
    return {(int(node), int(port)): float(value) for (node, port), value in found.items()}
