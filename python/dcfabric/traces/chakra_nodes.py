# SPDX-License-Identifier: GPL-2.0-only
"""Files of Chakra execution traces, whatever form they have, as nodes.

In protobuf form, messages follow one another, each behind its length: in the first schema (0.0.1)
nodes, from 0.0.4 on metadata, then nodes. Files may be compressed by gzip. As JSON there are three
forms: the messages in the form that protobuf gives them, one behind the other
(github.com/mlcommons/chakra, jsonizer); a ``workload_graph`` (src/feeder/json_node.cpp there); and
``nodes`` of the generator github.com/astra-sim/symbolic_tensor_graph (json_backend.py).
"""
from __future__ import annotations

import dataclasses
import gzip
import json
import re
import zlib
from pathlib import Path
from typing import Any, Iterator, Mapping

from ..errors import DcfabricError
from .chakra_schema import FIRST_COLLECTIVES, FIRST_NODE_TYPES, NODE_TYPES, messages

SUFFIXES = ("et", "eg", "json")
"""Of the files of traces; the generator has called them .eg."""
_GZIP = b"\x1f\x8b"
_NUMBER_FIRST = b"\x08"
"""Begins a message whose first field is number 1, as whole number: a node. That of metadata is
text, or there is none."""


@dataclasses.dataclass
class TraceNode:
    """A node of a graph."""

    number: int
    name: str
    kind: str
    """such as COMP_NODE"""
    needs: list[int]
    """numbers of the nodes that it waits for"""
    duration: int
    """0: none is known"""
    unit: str
    """of the duration"""
    values: str
    """of its inputs, as text"""
    attributes: dict[str, Any]


def trace_files(prefix: str | Path) -> list[Path]:
    """The files PREFIX.0.et, PREFIX.1.et ... that there are, or those of another suffix. Raises
    DcfabricError if one is missing in between."""
    for suffix in SUFFIXES:
        paths: list[Path] = []
        while (path := Path(f"{prefix}.{len(paths)}.{suffix}")).exists():
            paths.append(path)
        if not paths:
            continue
        last = max((number for number in map(_number_of(prefix, suffix), path.parent.iterdir())
                    if number is not None), default=0)
        if last > len(paths):
            raise DcfabricError(f"{path}: is not there, but one of rank {last} is")
        return paths
    return []


def _number_of(prefix: str | Path, suffix: str) -> Any:
    form = re.compile(re.escape(Path(prefix).name) + r"\.(0|[1-9]\d{0,8})\." + suffix)

    def number(path: Path) -> int | None:
        found = form.fullmatch(path.name)
        return int(found[1]) if found else None

    return number


def read_nodes(path: Path) -> list[TraceNode]:
    """All of a file. Raises DcfabricError if it is none of a trace."""
    try:
        content = path.read_bytes()
        if content[:2] == _GZIP:
            content = gzip.decompress(content)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DcfabricError(f"{path}: is cut off or damaged: {error}") from error
    except OSError as error:
        raise DcfabricError(f"{path}: cannot be read: {error.strerror or error}") from error
    if path.suffix == ".json":
        return _from_json(path, content)
    return list(_from_protobuf(path, content))


def _from_protobuf(path: Path, content: bytes) -> Iterator[TraceNode]:
    known = messages()  # or it is refused before anything else
    if not content:
        raise DcfabricError(f"{path}: is empty; a trace begins with its metadata")
    from google.protobuf.internal.decoder import _DecodeVarint32
    from google.protobuf.message import DecodeError
    try:
        at, kind = 0, ""
        while at < len(content):
            size, at = _DecodeVarint32(content, at)
            if at + size > len(content):
                raise DcfabricError(f"{path}: is cut off: a message of {size} bytes at {at}, and "
                                    f"the file has {len(content)}")
            message = content[at:at + size]
            at += size
            if not kind:
                kind = "FirstNode" if message[:1] == _NUMBER_FIRST else "Node"
                if kind == "Node":  # the metadata, which differ among versions
                    known["Anything"].FromString(message)
                    continue
            found = known[kind].FromString(message)
            yield _first_node(path, found) if kind == "FirstNode" else _node(found)
    except (DecodeError, IndexError) as error:
        raise DcfabricError(f"{path}: is no Chakra trace in protobuf form: {error}") from error


def _node(node: Any) -> TraceNode:
    attributes: dict[str, Any] = {}
    for attribute in node.attr:
        which = attribute.WhichOneof("value")
        value: Any = getattr(attribute, which) if which else None
        attributes[attribute.name] = (list(value.values) if which and which.endswith("_list")
                                      else value)
    return TraceNode(node.id, node.name, _named(NODE_TYPES, node.type),
                     [*node.ctrl_deps, *node.data_deps], node.duration_micros, "us",
                     node.inputs.values, attributes)


def _first_node(path: Path, node: Any) -> TraceNode:
    """Of the first schema. Its times are ticks of a nanosecond; a communicator of 0 is all."""
    size = node.ByteSize()
    node.DiscardUnknownFields()
    if node.ByteSize() != size:
        raise DcfabricError(f"{path}: node {node.id} has fields that schema 0.0.1 does not know, "
                            "and the file begins without the metadata that later ones have")
    attributes = {field.name: value for field, value in node.ListFields()
                  if field.name.startswith("comm_")
                  or field.name in ("num_ops", "tensor_size", "involved_dim")}
    if "involved_dim" in attributes:
        attributes["involved_dim"] = list(node.involved_dim)
    if "comm_type" in attributes:
        attributes["comm_type"] = _named(FIRST_COLLECTIVES, node.comm_type,
                                         "communication type")
    if node.communicator_id:
        attributes["pg_name"] = str(node.communicator_id)
    return TraceNode(node.id, node.name, _named(FIRST_NODE_TYPES, node.node_type),
                     [*node.parent], node.simulated_run_time, "ns", "", attributes)


def _named(names: tuple[str, ...], number: int, what: str = "node type") -> str:
    return names[number] if 0 <= number < len(names) else f"{what} {number}"


_SPELLED = {"Id": "id", "Name": "name", "node_type": "type", "NodeType": "type",
            "dataDeps": "data_deps", "ctrlDeps": "ctrl_deps", "runtime": "duration_micros",
            "durationMicros": "duration_micros", "startTimeMicros": "start_time_micros"}
_OF_NODE = {"id", "name", "type", "data_deps", "ctrl_deps", "duration_micros",
            "start_time_micros", "inputs", "outputs", "attr"}


def _from_json(path: Path, content: bytes) -> list[TraceNode]:
    found: list[Any] = []
    try:
        text = content.decode()
        decoder, at = json.JSONDecoder(), 0
        while rest := re.compile(r"\S").search(text, at):
            value, at = decoder.raw_decode(text, rest.start())
            found.append(value)
    except (ValueError, RecursionError) as error:
        raise DcfabricError(f"{path}: is not JSON, or cut off: {error}") from error
    if not found:
        raise DcfabricError(f"{path}: is empty")
    if len(found) == 1 and isinstance(found[0], dict):
        found = next((found[0][name] for name in ("nodes", "workload_graph") if name in found[0]),
                     found)
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise DcfabricError(f"{path}: expected 'nodes' or a 'workload_graph', or metadata and "
                            "nodes one behind the other")
    if found and not {"id", "Id", "type", "node_type", "NodeType"} & found[0].keys():
        found = found[1:]  # the metadata
    return [_json_node(path, place, one) for place, one in enumerate(found)]


def _json_node(path: Path, place: int, raw: Mapping[str, Any]) -> TraceNode:
    said = {_SPELLED.get(key, key): value for key, value in raw.items()}

    def whole(value: Any, what: str) -> int:
        # protobuf writes 64 bits as text
        if isinstance(value, str) and re.fullmatch(r"\d{1,20}", value):
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 64:
            raise DcfabricError(f"{path}: node {place} of the file: {what} is {value!r}; it must "
                                "be a whole number from 0")
        return value

    kind = said.get("type", 0)
    if isinstance(kind, str):
        kind = kind.upper().replace("COLL_COMM_NODE", "COMM_COLL_NODE")
    else:
        kind = _named(NODE_TYPES, whole(kind, "its type"))
    needs: list[int] = []
    for name in ("ctrl_deps", "data_deps"):
        listed = said.get(name, [])
        if not isinstance(listed, list):
            raise DcfabricError(f"{path}: node {place} of the file: {name} is no list")
        needs += [whole(one, name) for one in listed]
    inputs = said.get("inputs")
    values = str(inputs.get("values", "")) if isinstance(inputs, dict) else ""
    attributes = {key: value for key, value in said.items() if key not in _OF_NODE}
    listed = said.get("attr", [])
    for one in listed if isinstance(listed, list) else [None]:
        if not isinstance(one, dict) or not isinstance(one.get("name"), str):
            raise DcfabricError(f"{path}: node {place} of the file: an attribute has no name")
        attributes[one["name"]] = _json_value(one)
    return TraceNode(whole(said.get("id", 0), "its number"), str(said.get("name", "")), kind, needs,
                     whole(said.get("duration_micros", 0), "its duration"), "us", values,
                     attributes)


def _json_value(attribute: Mapping[str, Any]) -> Any:
    """Of an attribute in protobuf's form, such as {"name": "comm_size", "int64Val": "8"}."""
    for key, value in attribute.items():
        if not re.fullmatch(r"\w+(Val|_val|List|_list)", key):
            continue
        if isinstance(value, dict):
            value = value.get("values", [])
        if (isinstance(value, str) and re.match(r"[us]?int|s?fixed", key)
                and re.fullmatch(r"-?\d{1,20}", value)):
            return int(value)
        return value
    return None
