# SPDX-License-Identifier: GPL-2.0-only
"""Chakra execution traces: a graph of nodes for each rank, in files of one of several forms.

Facts are of github.com/mlcommons/chakra (schema/protobuf/et_def.proto, feeder) and of how ASTRA-sim
reads traces (github.com/astra-sim/astra-sim, Workload.cc, Ring.cc): the size of a collective is
that of a rank's input; computations of the GPU may take their time from a roofline; a node of
memory takes a latency and its size over a rate.
"""
from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any, Callable, Collection, NoReturn

from ..errors import DcfabricError
from ..wording import count_of
from .chakra_nodes import SUFFIXES, TraceNode, read_nodes, trace_files
from .chakra_schema import COLLECTIVES, NODE_TYPES
from .job import MAX_PS, MAX_SIZE, UNITS, Operation, TraceJob, in_order
from .rates import Memory, Roofline

__all__ = ["read_chakra", "trace_files"]

MAX_TAG = 0x7FFFFFFF
LATER = "later"
"""Instead of a roofline: the program says what ranks compute, and its run how fast."""
NEEDED = {
    "COMP_NODE": (),
    "METADATA_NODE": (),
    "COMM_SEND_NODE": ("comm_size", "comm_dst"),
    "COMM_RECV_NODE": ("comm_size", "comm_src"),
    "COMM_COLL_NODE": ("comm_type",),
    "MEM_LOAD_NODE": (),
    "MEM_STORE_NODE": (),
}
"""Node types that are covered, and the attributes that they must have."""
USED = {"is_cpu_op", "comm_type", "comm_size", "comm_src", "comm_dst", "comm_tag", "pg_name",
        "comm_group", "num_ops", "tensor_size", "involved_dim", "comm_priority"}
"""Attributes that make a difference; the last two only say what is not covered, unless they ask for
nothing."""
INFORMATIVE = {"tensor_loc", "rf_id", "fw_parent", "seq_id", "scope", "tid", "fw_tid", "op_schema",
               "stream", "kernel_backend", "kernel_file", "runtime", "dtype", "in_msg_nelems",
               "out_msg_nelems", "group_size", "inputs", "outputs", "op_type", "op_category",
               "y_tensor_size", "communicator_id", "schema"}
"""Attributes that describe a node, whose time and size are known."""
BECOMES = {"ALL_REDUCE": "iallreduce", "REDUCE": "ireduce", "ALL_GATHER": "iallgather",
           "BROADCAST": "ibroadcast",
            "ALL_TO_ALL": "ialltoall", "REDUCE_SCATTER": "ireducescatter",
            "REDUCE_SCATTER_BLOCK": "ireducescatter",
            "GATHER": "igather", "SCATTER": "iscatter", "BARRIER": "ibarrier"}
"""Collectives that are covered, and the operations that they become."""


def read_chakra(prefix: str | Path, groups: str | Path | None = None, skip: Collection[str] = (),
                tflops: float | None = None, compute: str | None = None,
                memory: str | None = None) -> TraceJob:
    """The traces PREFIX.0.et, PREFIX.1.et ... as a job (or .eg, .json). Computations take their
    duration; those with is_cpu_op follow one another, and so do the others (on=cpu, on=gpu), and
    accesses to memory (on=mem).

    groups: file of process groups by their names, as ASTRA-sim has it; groups in metadata nodes
    come first. skip: node types that take no time then, and attributes that are left out. compute:
    FLOPS,BYTES/s of a rank, such as "312TFLOPS,2TB/s", by which a computation takes the time of its
    num_ops and tensor_size if it has no duration; without, it is refused. With "later" the program
    says these numbers, and dcfabric-sim takes the same option. tflops: 10^12 operations
    in a second instead, with memory that is fast enough. memory: LATENCY,BYTES/s of nodes that load
    and store. Raises DcfabricError for what is malformed or not covered, by name.
    """
    if tflops is not None and not 0 < tflops < math.inf:
        raise DcfabricError(f"tflops is {tflops:g}; it must be above 0")
    if tflops is not None and compute is not None:
        raise DcfabricError("tflops and compute both say how fast a rank is; give one of them")
    roofline = (Roofline.parse(compute) if compute is not None and compute != LATER
                else Roofline(tflops * 1e12) if tflops is not None else None)
    known = {*NODE_TYPES}
    for name in skip:
        if name.endswith("_NODE") and name not in known:
            raise DcfabricError(f"unknown node type '{name}' to skip; known: "
                                f"{', '.join(NODE_TYPES)}")
    paths = trace_files(prefix)
    if not paths:
        raise DcfabricError(f"{prefix}.0.et: cannot be opened; traces are PREFIX.0.et, PREFIX.1.et "
                            f"..., one for each rank, or .{' or .'.join(SUFFIXES[1:])}")
    return _Reader(paths, _read_groups(groups), frozenset(skip), roofline,
                   Memory.parse(memory) if memory is not None else None, compute == LATER).read()


def _read_groups(path: str | Path | None) -> dict[str, list[int]]:
    if path is None:
        return {}
    try:
        content = json.loads(Path(path).read_text())
    except OSError as error:
        raise DcfabricError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise DcfabricError(f"{path}: is not JSON: {error}") from error
    if not isinstance(content, dict) or not all(_are_ranks(ranks) for ranks in content.values()):
        raise DcfabricError(f"{path}: expected process groups by their names, such as {{\"0\": [0, "
                            f"1, 2, 3]}}")
    return content


def _are_ranks(ranks: object) -> bool:
    return (isinstance(ranks, list)
            and all(isinstance(rank, int) and not isinstance(rank, bool) for rank in ranks))


class _Reader:
    def __init__(self, paths: list[Path], groups: dict[str, list[int]], skip: frozenset[str],
                 roofline: Roofline | None, memory: Memory | None, later: bool) -> None:
        self.paths, self.groups, self.skip = paths, groups, skip
        self.roofline, self.memory, self.later = roofline, memory, later
        self.elsewhere: list[str] = []  # nodes that wait for one that is not in their file
        self.launches: list[str] = []  # what a CPU does for a communication
        self.job = TraceJob(len(paths))
        self.collectives: dict[tuple[str, int], list[tuple[int, str, int, str]]] = {}
        """of a group and rank: number of the operation, name, size, place"""
        self.path = paths[0]
        self.node: TraceNode | None = None  # that is read

    def read(self) -> TraceJob:
        for rank, path in enumerate(self.paths):
            self.path = path
            self.read_rank(rank)
        self.check_sequences()
        if self.elsewhere:
            self.job.notes.append(
                f"{count_of(len(self.elsewhere), 'dependency is', 'dependencies are')} on nodes "
                "that are not in the file, and "
                f"{'counts' if len(self.elsewhere) == 1 else 'count'} as complete: "
                f"{self.elsewhere[0]}" + (" and others" if len(self.elsewhere) > 1 else ""))
        if self.launches:
            self.job.notes.append(
                f"{count_of(len(self.launches), 'node')} of the CPU without the attributes of a "
                f"communication {'takes' if len(self.launches) == 1 else 'take'} only the time of "
                f"the CPU: {self.launches[0]}" + (" and others" if len(self.launches) > 1 else ""))
        return self.job

    def refuse(self, why: str) -> NoReturn:
        node = f" {self.label()}:" if self.node is not None else ""
        raise DcfabricError(f"{self.path}:{node} {why}")

    def label(self) -> str:
        """Of the node that is read."""
        assert self.node is not None
        return f"node {self.node.number} ({self.node.name})"

    def read_rank(self, rank: int) -> None:
        nodes = read_nodes(self.path)
        numbers: dict[int, int] = {}
        own = dict(self.groups)
        for node in nodes:
            self.node = node
            if node.number in numbers:
                self.refuse("its number is given twice")
            numbers[node.number] = len(numbers)
            if node.kind == "METADATA_NODE":
                own.update(self.read_metadata(node.values.strip()))
        for node in nodes:
            self.node = node
            operation = self.operation(node, rank, own)
            for other in dict.fromkeys(node.needs):
                if other in numbers:
                    operation.after.append(numbers[other])
                else:
                    self.elsewhere.append(f"{self.label()} of {self.path.name} waits for node "
                                          f"{other}")
            self.job.ranks[rank].append(operation)
        self.node = None

    def read_metadata(self, text: str) -> dict[str, list[int]]:
        """Process groups that a node of PyTorch describes, none if it says something else."""
        for candidate in (text, text[2:-2]):
            try:
                found = json.loads(candidate)
            except (ValueError, RecursionError):
                continue
            if (isinstance(found, list)
                    and all(isinstance(one, dict) and "pg_name" in one for one in found)):
                if not all(_are_ranks(one.get("ranks")) for one in found):
                    self.refuse("a process group has no list of ranks")
                return {str(one["pg_name"]): one["ranks"] or list(range(len(self.paths)))
                        for one in found}
        return {}

    def attributes(self, node: TraceNode) -> dict[str, Any]:
        """Those that are not skipped. Raises DcfabricError for one that is not known."""
        if node.kind == "METADATA_NODE":
            return {}
        values = {name: value for name, value in node.attributes.items() if name not in self.skip}
        for name in values:
            if name not in USED and name not in INFORMATIVE:
                self.refuse(f"attribute '{name}' of a {node.kind} is not covered; skip it if it "
                            "does not matter")
        return values

    def operation(self, node: TraceNode, rank: int, groups: dict[str, list[int]]) -> Operation:
        kind, label = node.kind, self.label()
        if kind in self.skip:
            return Operation("icompute 0", label)
        if kind not in NEEDED:
            self.refuse(f"{kind} is not covered; covered: {', '.join(NEEDED)}; skip it to let it "
                        "take no time")
        values = self.attributes(node)
        if kind == "METADATA_NODE":
            return Operation("icompute 0", label)
        if kind == "COMP_NODE":
            return Operation(f"icompute {self.compute_time(node, values)}", label,
                             stream="cpu" if values.get("is_cpu_op") else "gpu")
        if kind in ("MEM_LOAD_NODE", "MEM_STORE_NODE"):
            return Operation(f"icompute {self.memory_time(node, values)}", label, stream="mem")
        missing = [name for name in NEEDED[kind] if name not in values]
        if missing and values.get("is_cpu_op"):
            self.launches.append(f"{label} of {self.path.name}")
            return Operation(f"icompute {self.duration(node)}", label, stream="cpu")
        if missing:
            self.refuse(f"a {kind} needs the attribute '{missing[0]}'")
        involved = values.get("involved_dim") or []
        if not isinstance(involved, list) or not all(involved):
            self.refuse("attribute 'involved_dim' picks dimensions of ASTRA-sim's network, which "
                        "is not covered; use process groups")
        if values.get("comm_priority"):
            self.refuse(f"attribute 'comm_priority' is {values['comm_priority']}; priorities of "
                        "communications are not covered")
        if kind == "COMM_COLL_NODE":
            return Operation(self.collective(node, rank, values, groups), label)
        return Operation(self.message(rank, kind, values), label)

    def compute_time(self, node: TraceNode, values: dict[str, Any]) -> str:
        """The duration; of a node that has none but tells its operations or bytes, what these take.
        The CPU takes its duration, whatever else the node tells but operations."""
        operations = self.number(values, "num_ops", MAX_SIZE)
        size = 0 if values.get("is_cpu_op") else self.number(values, "tensor_size", MAX_SIZE)
        if node.duration > 0 or operations + size == 0:
            return self.duration(node)
        if self.later:
            return f"flops={operations} bytes={size}"
        roofline = self.roofline
        if roofline is None:
            counted = (f"{count_of(operations, 'operation')} (num_ops)" if operations
                       else f"{count_of(size, 'byte')} (tensor_size)")
            self.refuse(f"has no duration (duration_micros), only {counted}; say with --compute "
                        "how many operations and bytes a rank does in a second, or with --tflops "
                        "how many 10^12 operations")
        return f"{self.at_node(lambda: roofline.time_ps(operations, size))}ps"

    def memory_time(self, node: TraceNode, values: dict[str, Any]) -> str:
        """The duration, or what the memory takes for the size."""
        size = self.number(values, "tensor_size", MAX_SIZE)
        if node.duration > 0:
            return self.duration(node)
        memory = self.memory
        if memory is None:
            self.refuse(f"a {node.kind} of {count_of(size, 'byte')} (tensor_size) has no duration; "
                        "say with --memory what the memory takes, or skip "
                        f"{node.kind} to let it take no time")
        return f"{self.at_node(lambda: memory.time_ps(size))}ps"

    def duration(self, node: TraceNode) -> str:
        """As a program has it."""
        if node.duration * UNITS[node.unit] > MAX_PS:
            self.refuse(f"its duration of {node.duration} {node.unit} is too long: at most "
                        f"{MAX_PS} ps")
        return f"{node.duration}{node.unit}"

    def at_node(self, time: Callable[[], int]) -> int:
        """A time, refused with the node if it is."""
        try:
            return time()
        except DcfabricError as error:
            self.refuse(str(error))

    def number(self, values: dict[str, Any], name: str, most: int) -> int:
        value = values.get(name, 0)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            self.refuse(f"attribute '{name}' is {value!r}; it must be a whole number from 0 to "
                        f"{most}")
        return value

    def message(self, rank: int, kind: str, values: dict[str, Any]) -> str:
        mine, other = (("comm_src", "comm_dst") if kind == "COMM_SEND_NODE"
                       else ("comm_dst", "comm_src"))
        if values.get(mine, rank) != rank:
            self.refuse(f"attribute '{mine}' is {values[mine]} in the trace of rank {rank}")
        peer = self.number(values, other, len(self.paths) - 1)
        tag = self.number(values, "comm_tag", MAX_TAG)
        if kind == "COMM_RECV_NODE":
            return f"irecv {peer} tag={tag}"
        return f"isend {peer} {self.number(values, 'comm_size', MAX_SIZE)} tag={tag}"

    def collective(self, node: TraceNode, rank: int, values: dict[str, Any],
                   groups: dict[str, list[int]]) -> str:
        name = values["comm_type"]
        if not isinstance(name, str):
            name = COLLECTIVES[self.number(values, "comm_type", len(COLLECTIVES) - 1)]
        if name not in BECOMES:
            self.refuse(f"the collective {name} is not covered; covered: {', '.join(BECOMES)}")
        members = list(range(len(self.paths)))
        # earlier traces have a comm_group, which is a number
        wanted = str(values.get("pg_name", values.get("comm_group", "")))
        if wanted != "":
            if wanted not in groups:
                self.refuse(f"no process group '{wanted}': it is neither in a metadata node nor in "
                            "a file of groups; known: "
                            f"{', '.join(groups) or 'none'}")
            members = groups[wanted]
            if rank not in members:
                self.refuse(f"rank {rank} is not in process group '{wanted}'")
        group = self.job.group(wanted, members)
        size = self.number(values, "comm_size", 1 << 40)
        self.collectives.setdefault((group, rank),
                                    []).append((len(self.job.ranks[rank]), name, size,
                                                f"{self.path} node {node.number}"))
        if name == "BARRIER":
            return f"ibarrier {group}"
        count = len(set(members))
        # a rank's input is its part of what all or the root gather, and what it has for all others
        # together
        size = (size * count if name in ("ALL_GATHER", "GATHER") else math.ceil(size / count)
                if name == "ALL_TO_ALL" else size)
        return f"{BECOMES[name]} {size} {group}"

    def check_sequences(self) -> None:
        """The ranks of a group come to the same collectives in the same order, or they would wait
        for ever."""
        places = [{number: place for place, number in enumerate(in_order(rank, operations))}
                  for rank, operations in enumerate(self.job.ranks)]
        members = {"all": tuple(range(len(self.paths))),
                   **{name: ranks for ranks, name in self.job.groups().items()}}
        for group in sorted({group for group, _ in self.collectives}):
            sequences = []
            for rank in members[group]:
                place_of = places[rank]
                sequences.append(sorted(self.collectives.get((group, rank), []),
                                        key=lambda one: place_of[one[0]]))
            for rank, sequence in zip(members[group], sequences):
                for index, (first,
                            other) in enumerate(itertools.zip_longest(sequences[0], sequence)):
                    if first is None or other is None or first[1:3] != other[1:3]:
                        told = [f"rank {who} "
                                + ("does nothing" if one is None
                                   else f"does {one[1]} of {one[2]} bytes ({one[3]})")
                                for who, one in ((members[group][0], first), (rank, other))]
                        raise DcfabricError(f"collective {index + 1} of group {group}: {told[0]}, "
                                            f"{told[1]}; all ranks of a group have "
                                            "to come to the same collectives in the same order")
