# SPDX-License-Identifier: GPL-2.0-only
"""Traces as the generator github.com/astra-sim/symbolic_tensor_graph writes them, in each of its
forms: a step of training with tensor, data and pipeline parallelism. Numbers of nodes go on from
rank to rank, computations have num_ops and tensor_size and no duration, and messages between stages
have tags of their own. (symbolic_tensor_graph/graph/convert_chakra.py, chakra/backends/ there.)"""
import itertools
import json
from pathlib import Path

from dcfabric.traces.chakra_schema import (COLLECTIVES, FIRST_COLLECTIVES, FIRST_NODE_TYPES,
                                           NODE_TYPES, messages)

GEMM = {"num_ops": 2 * 10**9, "tensor_size": 6 * 10**6}
SUM = {"num_ops": 10**6, "tensor_size": 4 * 10**6}
ACTIVATION = 10**6
GRADIENT = 3 * 10**6


def step(tensor, data, stages):
    """Nodes of each rank, and process groups by number. Each stage goes forward and back once: a
    product of matrices, a reduction among tensor-parallel ranks and a sum each; then the gradients
    are reduced among the data-parallel ones."""
    wide = tensor * data
    groups, of = {}, {}
    for stage in range(stages):
        for kind, count, members in (
                ("tensor", data, lambda i, base: [base + i * tensor + t for t in range(tensor)]),
                ("data", tensor, lambda i, base: [base + d * tensor + i for d in range(data)])):
            for index in range(count):
                number = len(groups) + 1
                groups[number] = members(index, stage * wide)
                of.update({(kind, rank): number for rank in groups[number]})
    numbers = itertools.count(1)
    ranks = [[] for _ in range(wide * stages)]

    def add(rank, name, kind, needs, **attributes):
        number = next(numbers)
        ranks[rank].append({"id": number, "name": name, "kind": kind, "needs": needs,
                            "attributes": attributes})
        return [number]

    def through(rank, name, before):
        at = add(rank, f"{name}_COMP", "COMP_NODE", before, **GEMM, op_type="M")
        at = add(rank, f"{name}_X1COMM", "COMM_COLL_NODE", at, comm_size=ACTIVATION,
                 comm_type="ALL_REDUCE", comm_group=of["tensor", rank])
        return add(rank, f"{name}_ADD_COMP", "COMP_NODE", at, **SUM, op_type="A")

    tag = 724511
    for place in range(wide):
        at = {}
        for way, order in (("fwd", range(stages)), ("bwd", range(stages)[::-1])):
            last = None
            for stage in order:
                rank = stage * wide + place
                before = at.get(stage, [])
                if last is not None:
                    tag += 1
                    add(last * wide + place, f"{way}{last}_Y_SEND", "COMM_SEND_NODE", at[last],
                        comm_size=ACTIVATION, comm_tag=tag, comm_dst=rank)
                    before = before + add(rank, f"{way}{stage}_Y_RECV", "COMM_RECV_NODE", [],
                                          comm_size=ACTIVATION, comm_tag=tag,
                                          comm_src=last * wide + place)
                at[stage] = through(rank, f"{way}{stage}", before)
                last = stage
        for stage in range(stages):
            rank = stage * wide + place
            add(rank, f"grad{stage}_X2_COMM", "COMM_COLL_NODE", at[stage], comm_size=GRADIENT,
                comm_type="ALL_REDUCE", comm_group=of["data", rank])
    return ranks, groups


def _delimited(found):
    from google.protobuf.internal.encoder import _VarintBytes
    return b"".join(_VarintBytes(len(data)) + data
                    for data in (one.SerializeToString() for one in found))


def _node(one, inputs=True):
    """Of the schema with attributes."""
    made = messages()["Node"](id=one["id"], name=one["name"],
                              type=NODE_TYPES.index(one["kind"]), data_deps=one["needs"])
    for name in ("inputs", "outputs") if inputs else ():
        made.attr.add(name=name).string_list.values.extend([f"{one['name']}(B,S,D)", "4000"])
    for name, value in one["attributes"].items():
        if name == "comm_group":
            made.attr.add(name="pg_name", string_val=str(value))
        elif name == "comm_type":
            made.attr.add(name=name, int64_val=COLLECTIVES.index(value))
        elif name == "op_type":
            made.attr.add(name=name, string_val=value)
        elif name in ("comm_tag", "comm_src", "comm_dst"):
            made.attr.add(name=name, int32_val=value)
        else:
            made.attr.add(name=name, int64_val=value)
    if one["kind"] != "COMP_NODE":
        made.attr.add(name="is_cpu_op", int32_val=0)
    return made


def _metadata():
    """As schema 0.0.4 had it first: field 1 are attributes."""
    inner = messages()["AttributeProto"](name="schema", string_val="symbolic_tensor_network")
    data = inner.SerializeToString()
    return messages()["Anything"].FromString(bytes([10, len(data)]) + data)


def to_present(nodes):
    """Schema 0.0.4."""
    return "et", _delimited([_metadata(), *map(_node, nodes)])


def to_first(nodes):
    """Schema 0.0.1."""
    found = []
    for one in nodes:
        made = messages()["FirstNode"](id=one["id"], name=one["name"], parent=one["needs"],
                                       node_type=FIRST_NODE_TYPES.index(one["kind"]))
        for name, value in one["attributes"].items():
            if name == "comm_group":
                made.communicator_id = value
            elif name == "comm_type":
                made.comm_type = FIRST_COLLECTIVES.index(value)
                made.involved_dim.extend([True] * 3)
            elif name != "op_type":
                setattr(made, name, value)
        found.append(made)
    return "eg", _delimited(found)


def to_json(nodes):
    """The generator's JSON."""
    kinds = {"COMM_COLL_NODE": "coll_comm_node"}
    return "json", json.dumps({"nodes": [
        {"id": one["id"], "name": one["name"],
         "node_type": kinds.get(one["kind"], one["kind"].lower()), "data_deps": one["needs"],
         "ctrl_deps": [], **one["attributes"]} for one in nodes]}).encode()


def to_graph(nodes):
    """The JSON that Chakra's feeder reads."""
    found = []
    for one in nodes:
        attributes = dict(one["attributes"])
        if "comm_type" in attributes:
            attributes["comm_type"] = COLLECTIVES.index(attributes["comm_type"])
        found.append({"Id": one["id"], "Name": one["name"],
                      "NodeType": NODE_TYPES.index(one["kind"]), "is_cpu_op": False, "runtime": 0,
                      "data_deps": one["needs"], **attributes})
    return "json", json.dumps({"workload_graph": found}).encode()


def to_messages(nodes):
    """What protobuf makes of the messages as JSON, one behind the other."""
    from google.protobuf.json_format import MessageToJson
    return "json", "".join(MessageToJson(one) for one in (
        messages()["GlobalMetadata"](version="0.0.4"), *map(_node, nodes))).encode()


FORMS = (to_present, to_first, to_json, to_graph, to_messages)


def write(prefix, form, ranks, groups):
    """The files of all ranks, and GROUPS.json beside them."""
    for rank, nodes in enumerate(ranks):
        suffix, content = form(nodes)
        Path(f"{prefix}.{rank}.{suffix}").write_bytes(content)
    Path(f"{prefix}.json").write_text(json.dumps(groups))
