# SPDX-License-Identifier: GPL-2.0-only
"""Chakra execution traces: a graph of nodes for each rank, in files of length-delimited protobuf
messages.

Facts are of github.com/mlcommons/chakra (schema/protobuf/et_def.proto; the first message is the
metadata, then come nodes; files may be compressed by gzip) and of how ASTRA-sim reads them
(github.com/astra-sim/astra-sim, Workload.cc, Ring.cc): the size of a collective is that of a rank's
input.
"""
from __future__ import annotations

import gzip
import itertools
import json
import math
import zlib
from pathlib import Path
from typing import Any, Collection, Iterator, NoReturn

from ..errors import DcfabricError
from ..wording import count_of
from .chakra_schema import COLLECTIVES, NODE_TYPES, messages
from .job import Operation, TraceJob, in_order

MAX_TAG = 0x7FFFFFFF
NEEDED = {
    "COMP_NODE": (),
    "METADATA_NODE": (),
    "COMM_SEND_NODE": ("comm_size", "comm_dst"),
    "COMM_RECV_NODE": ("comm_size", "comm_src"),
    "COMM_COLL_NODE": ("comm_type",),
}
"""Node types that are covered, and the attributes that they must have."""
USED = {"is_cpu_op", "comm_type", "comm_size", "comm_src", "comm_dst", "comm_tag", "pg_name",
        "involved_dim", "comm_priority"}
"""Attributes that make a difference; the last two only say what is not covered, unless they ask for
nothing."""
INFORMATIVE = {"num_ops", "tensor_size", "tensor_loc", "rf_id", "fw_parent", "seq_id", "scope",
               "tid", "fw_tid", "op_schema", "stream", "kernel_backend", "kernel_file", "runtime",
               "comm_group", "dtype", "in_msg_nelems", "out_msg_nelems", "group_size"}
"""Attributes that describe a node, whose time and size are known."""
BECOMES = {"ALL_REDUCE": "iallreduce", "REDUCE": "ireduce", "ALL_GATHER": "iallgather",
           "BROADCAST": "ibroadcast",
            "ALL_TO_ALL": "ialltoall", "REDUCE_SCATTER": "ireducescatter",
            "REDUCE_SCATTER_BLOCK": "ireducescatter",
            "GATHER": "igather", "SCATTER": "iscatter", "BARRIER": "ibarrier"}
"""Collectives that are covered, and the operations that they become."""


def read_chakra(prefix: str | Path, groups: str | Path | None = None, skip: Collection[str] = (),
                tflops: float | None = None) -> TraceJob:
    """The traces PREFIX.0.et, PREFIX.1.et ... as a job. Computations take their duration; those
    with is_cpu_op follow one another, and so do the others (on=cpu, on=gpu).

    groups: file of process groups by their names, as ASTRA-sim has it; groups in metadata nodes
    come first. skip: node types that take no time then, and attributes that are left out. tflops:
    10^12 operations in a second, by which a computation takes its num_ops if it has no duration;
    without, it is refused. Raises DcfabricError for what is malformed or not covered, by name.
    """
    if tflops is not None and not 0 < tflops < math.inf:
        raise DcfabricError(f"tflops is {tflops:g}; it must be above 0")
    known = {*NODE_TYPES}
    for name in skip:
        if name.endswith("_NODE") and name not in known:
            raise DcfabricError(f"unknown node type '{name}' to skip; known: "
                                f"{', '.join(NODE_TYPES)}")
    paths = trace_files(prefix)
    if not paths:
        raise DcfabricError(f"{prefix}.0.et: cannot be opened; traces are PREFIX.0.et, PREFIX.1.et "
                            "..., one for each rank")
    return _Reader(paths, _read_groups(groups), frozenset(skip), tflops).read()


def trace_files(prefix: str | Path) -> list[Path]:
    """The files PREFIX.0.et, PREFIX.1.et ... that there are."""
    paths: list[Path] = []
    while (path := Path(f"{prefix}.{len(paths)}.et")).exists():
        paths.append(path)
    return paths


def _read_groups(path: str | Path | None) -> dict[str, list[int]]:
    if path is None:
        return {}
    try:
        content = json.loads(Path(path).read_text())
    except OSError as error:
        raise DcfabricError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise DcfabricError(f"{path}: is not JSON: {error}") from error
    if not isinstance(content, dict) or not all(_are_ranks(ranks) for ranks in content.values()):
        raise DcfabricError(f"{path}: expected process groups by their names, such as {{\"0\": [0, "
                            f"1, 2, 3]}}")
    return content


def _are_ranks(ranks: object) -> bool:
    return (isinstance(ranks, list)
            and all(isinstance(rank, int) and not isinstance(rank, bool) for rank in ranks))


def _read_messages(path: Path) -> Iterator[Any]:
    """The metadata, then the nodes."""
    from google.protobuf.internal.decoder import _DecodeVarint32
    from google.protobuf.message import DecodeError
    try:
        content = path.read_bytes()
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
        if not content:
            raise DcfabricError(f"{path}: is empty; a trace begins with its metadata")
        at, kind = 0, "GlobalMetadata"
        while at < len(content):
            size, at = _DecodeVarint32(content, at)
            if at + size > len(content):
                raise DcfabricError(f"{path}: is cut off: a message of {size} bytes at {at}, and "
                                    f"the file has {len(content)}")
            yield messages()[kind].FromString(content[at:at + size])
            at, kind = at + size, "Node"
    except OSError as error:
        raise DcfabricError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (DecodeError, IndexError, EOFError, zlib.error) as error:
        raise DcfabricError(f"{path}: is no Chakra trace in protobuf form: {error}") from error


class _Reader:
    def __init__(self, paths: list[Path], groups: dict[str, list[int]], skip: frozenset[str],
                 tflops: float | None) -> None:
        messages()  # or it is refused before anything else
        self.paths, self.groups, self.skip, self.tflops = paths, groups, skip, tflops
        self.elsewhere: list[str] = []  # nodes that wait for one that is not in their file
        self.job = TraceJob(len(paths))
        self.collectives: dict[tuple[str, int], list[tuple[int, str, int, str]]] = {}
        """of a group and rank: number of the operation, name, size, place"""
        self.path = paths[0]
        self.node: Any = None  # that is read

    def read(self) -> TraceJob:
        for rank, path in enumerate(self.paths):
            self.path = path
            self.read_rank(rank)
        self.check_sequences()
        if self.elsewhere:
            self.job.notes.append(
                f"{count_of(len(self.elsewhere), 'dependency is', 'dependencies are')} on nodes "
                "that are not in the file, and "
                                  f"{'counts' if len(self.elsewhere) == 1 else 'count'} as "
                                  f"complete: {self.elsewhere[0]}"
                                  + (" and others" if len(self.elsewhere) > 1 else ""))
        return self.job

    def refuse(self, why: str) -> NoReturn:
        node = f" node {self.node.id} ({self.node.name}):" if self.node is not None else ""
        raise DcfabricError(f"{self.path}:{node} {why}")

    def read_rank(self, rank: int) -> None:
        nodes = list(_read_messages(self.path))[1:]
        numbers: dict[int, int] = {}
        own = dict(self.groups)
        for self.node in nodes:
            if self.node.id in numbers:
                self.refuse("its number is given twice")
            numbers[self.node.id] = len(numbers)
            if self.node.type == NODE_TYPES.index("METADATA_NODE"):
                own.update(self.read_metadata())
        for self.node in nodes:
            operation = self.operation(rank, own)
            for other in dict.fromkeys([*self.node.ctrl_deps, *self.node.data_deps]):
                if other in numbers:
                    operation.after.append(numbers[other])
                else:
                    self.elsewhere.append(f"node {self.node.id} ({self.node.name}) of "
                                          f"{self.path.name} waits for node {other}")
            self.job.ranks[rank].append(operation)
        self.node = None

    def read_metadata(self) -> dict[str, list[int]]:
        """Process groups that a node of PyTorch describes, none if it says something else."""
        text = self.node.inputs.values.strip()
        for candidate in (text, text[2:-2]):
            try:
                found = json.loads(candidate)
            except ValueError:
                continue
            if (isinstance(found, list)
                    and all(isinstance(one, dict) and "pg_name" in one for one in found)):
                if not all(_are_ranks(one.get("ranks")) for one in found):
                    self.refuse("a process group has no list of ranks")
                return {str(one["pg_name"]): one["ranks"] or list(range(len(self.paths)))
                        for one in found}
        return {}

    def attributes(self, kind: str) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for attribute in self.node.attr:
            name = attribute.name
            if name in self.skip or kind == "METADATA_NODE":
                continue
            if name not in USED and name not in INFORMATIVE:
                self.refuse(f"attribute '{name}' of a {kind} is not covered; skip it if it does "
                            "not matter")
            which = attribute.WhichOneof("value")
            value: Any = getattr(attribute, which) if which else None
            values[name] = list(value.values) if which and which.endswith("_list") else value
        missing = [name for name in NEEDED[kind] if name not in values]
        if missing:
            self.refuse(f"a {kind} needs the attribute '{missing[0]}'")
        return values

    def operation(self, rank: int, groups: dict[str, list[int]]) -> Operation:
        kind = (NODE_TYPES[self.node.type] if self.node.type < len(NODE_TYPES)
                else f"node type {self.node.type}")
        label = f"node {self.node.id} ({self.node.name})"
        if kind in self.skip:
            return Operation("icompute 0", label)
        if kind not in NEEDED:
            self.refuse(f"{kind} is not covered; covered: {', '.join(NEEDED)}; skip it to let it "
                        "take no time")
        values = self.attributes(kind)
        if kind == "METADATA_NODE":
            return Operation("icompute 0", label)
        if kind == "COMP_NODE":
            return Operation(f"icompute {self.compute_time(values)}", label,
                             stream="cpu" if values.get("is_cpu_op") else "gpu")
        if any(not wanted for wanted in values.get("involved_dim") or []):
            self.refuse("attribute 'involved_dim' picks dimensions of ASTRA-sim's network, which "
                        "is not covered; use process groups")
        if values.get("comm_priority"):
            self.refuse(f"attribute 'comm_priority' is {values['comm_priority']}; priorities of "
                        "communications are not covered")
        if kind == "COMM_COLL_NODE":
            return Operation(self.collective(rank, values, groups), label)
        return Operation(self.message(rank, kind, values), label)

    def compute_time(self, values: dict[str, Any]) -> str:
        """The duration; of a node that has none but tells its operations, what these take."""
        operations = self.number(values, "num_ops", 1 << 62)
        if self.node.duration_micros > 0 or operations == 0:
            return f"{self.node.duration_micros}us"
        if self.tflops is None:
            self.refuse("has no duration (duration_micros), only "
                        f"{count_of(operations, 'operation')} (num_ops); say with --tflops how "
                        "many "
                        "10^12 of them a rank does in a second")
        return f"{round(operations / self.tflops)}ps"

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
        return f"isend {peer} {self.number(values, 'comm_size', 1 << 62)} tag={tag}"

    def collective(self, rank: int, values: dict[str, Any], groups: dict[str, list[int]]) -> str:
        kind = self.number(values, "comm_type", len(COLLECTIVES) - 1)
        name = COLLECTIVES[kind]
        if name not in BECOMES:
            self.refuse(f"the collective {name} is not covered; covered: {', '.join(BECOMES)}")
        members = list(range(len(self.paths)))
        if values.get("pg_name", "") != "":
            wanted = str(values["pg_name"])
            if wanted not in groups:
                self.refuse(f"no process group '{wanted}': it is neither in a metadata node nor in "
                            "a file of groups; known: "
                            f"{', '.join(groups) or 'none'}")
            members = groups[wanted]
            if rank not in members:
                self.refuse(f"rank {rank} is not in process group '{wanted}'")
        group = self.job.group(str(values.get("pg_name", "")), members)
        size = self.number(values, "comm_size", 1 << 40)
        self.collectives.setdefault((group, rank),
                                    []).append((len(self.job.ranks[rank]), name, size,
                                                f"{self.path} node {self.node.id}"))
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
