# SPDX-License-Identifier: GPL-2.0-only
"""The messages of Chakra execution traces, as the protobuf library needs them to read files.

Names, numbers and types of the fields are those of schema/protobuf/et_def.proto of
github.com/mlcommons/chakra (package ChakraProtoMsg), and of its first schema, 0.0.1, those of
et_def_pb2.py of chakra_00_1_backend of github.com/astra-sim/symbolic_tensor_graph, which still
writes it. Fields that are not here are kept as unknown ones, as protobuf has it.
"""
from __future__ import annotations

import functools
from typing import Any

from ..errors import DcfabricError
from ..program import advice

NODE_TYPES = ("INVALID_NODE", "METADATA_NODE", "MEM_LOAD_NODE", "MEM_STORE_NODE", "COMP_NODE",
              "COMM_SEND_NODE", "COMM_RECV_NODE", "COMM_COLL_NODE", "STORAGE_NODE", "BATCH_NODE",
              "CHECKPOINT_NODE")
"""By their numbers."""
COLLECTIVES = ("ALL_REDUCE", "REDUCE", "ALL_GATHER", "GATHER", "SCATTER", "BROADCAST", "ALL_TO_ALL",
               "REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK", "BARRIER")
"""By their numbers."""
FIRST_NODE_TYPES = ("INVALID_NODE", "MEM_LOAD_NODE", "MEM_STORE_NODE", "COMP_NODE",
                    "COMM_SEND_NODE", "COMM_RECV_NODE", "COMM_COLL_NODE")
FIRST_COLLECTIVES = ("INVALID_COMM", "ALL_REDUCE", "ALL_TO_ALL", "ALL_GATHER", "REDUCE_SCATTER")
"""Of the first schema."""

# kinds of values of an attribute, in the order of their fields from 3 on; each is followed by a
# list of itself
_VALUES = ("double", "float", "int32", "int64", "uint32", "uint64", "sint32", "sint64", "fixed32",
           "fixed64", "sfixed32", "sfixed64", "bool", "string", "bytes")
_FIELDS = {
    "Anything": [],
    "GlobalMetadata": [("version", 1, "string", False), ("attr", 2, "AttributeProto", True)],
    "IOInfo": [("values", 1, "string", False), ("shapes", 2, "string", False),
               ("types", 3, "string", False)],
    "Node": [("id", 1, "uint64", False), ("name", 2, "string", False),
             ("type", 3, "NodeType", False), ("ctrl_deps", 4, "uint64", True),
             ("data_deps", 5, "uint64", True), ("start_time_micros", 6, "uint64", False),
             ("duration_micros", 7, "uint64", False),
             ("inputs", 8, "IOInfo", False), ("outputs", 9, "IOInfo", False),
             ("attr", 10, "AttributeProto", True)],
}
# of the first schema, which had no attributes
_FIRST_NODE = [("id", 1, "uint64", False), ("name", 2, "string", False),
               ("node_type", 3, "int32", False), ("parent", 4, "uint64", True),
               ("tensor_loc", 5, "int32", False), ("tensor_size", 6, "uint64", False),
               ("simulated_run_time", 7, "uint64", False), ("input_tensor_loc", 8, "int32", False),
               ("input_tensor_size", 9, "uint64", False),
               ("output_tensor_loc", 10, "int32", False),
               ("output_tensor_size", 11, "uint64", False), ("num_ops", 12, "uint64", False),
               ("comm_type", 13, "int32", False), ("involved_dim", 14, "bool", True),
               ("communicator_id", 15, "uint32", False), ("comm_src", 16, "uint32", False),
               ("comm_dst", 17, "uint32", False), ("comm_size", 18, "uint64", False),
               ("comm_tag", 19, "uint32", False), ("comm_priority", 20, "uint32", False)]


@functools.cache
def messages() -> dict[str, Any]:
    """Classes of protobuf messages by their names, such as ``Node``; ``FirstNode`` is that of the
    first schema, ``Anything`` has no fields. Raises DcfabricError without protobuf."""
    try:
        from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
    except ImportError as error:
        raise DcfabricError("Chakra traces need the Python package protobuf: "
                            f"{advice('protobuf', 'traces')}, or apt-get install "
                            f"python3-protobuf ({error})") from error
    file = descriptor_pb2.FileDescriptorProto(name="dcfabric/et_def.proto",
                                              package="ChakraProtoMsg", syntax="proto3")
    node_type = file.enum_type.add(name="NodeType")
    for number, name in enumerate(NODE_TYPES):
        node_type.value.add(name=name, number=number)

    def add(message: Any, name: str, number: int, kind: str, repeated: bool,
            oneof: bool = False) -> None:
        labels = descriptor_pb2.FieldDescriptorProto
        field = message.field.add(name=name, number=number,
                                  label=labels.LABEL_REPEATED if repeated
                                  else labels.LABEL_OPTIONAL)
        if kind in _VALUES:
            field.type = getattr(labels, f"TYPE_{kind.upper()}")
        else:
            field.type = labels.TYPE_ENUM if kind == "NodeType" else labels.TYPE_MESSAGE
            field.type_name = f".ChakraProtoMsg.{kind}"
        if oneof:
            field.oneof_index = 0

    attribute = file.message_type.add(name="AttributeProto")
    attribute.oneof_decl.add(name="value")
    add(attribute, "name", 1, "string", False)
    add(attribute, "doc_string", 2, "string", False)
    for index, kind in enumerate(_VALUES):
        add(file.message_type.add(name=f"{kind.title()}List"), "values", 1, kind, True)
        add(attribute, f"{kind}_val", 3 + 2 * index, kind, False, oneof=True)
        add(attribute, f"{kind}_list", 4 + 2 * index, f"{kind.title()}List", False, oneof=True)
    for name, fields in _FIELDS.items():
        message = file.message_type.add(name=name)
        for field in fields:
            add(message, *field)
    # of proto2, which tells a field that is 0 from one that is not there
    first = descriptor_pb2.FileDescriptorProto(name="dcfabric/et_def_1.proto",
                                               package="ChakraProtoMsg", syntax="proto2")
    message = first.message_type.add(name="FirstNode")
    for field in _FIRST_NODE:
        add(message, *field)
    pool = descriptor_pool.DescriptorPool()
    for one in (file, first):
        pool.Add(one) if hasattr(pool, "Add") else pool.AddSerializedFile(one.SerializeToString())
    make = (getattr(message_factory, "GetMessageClass", None)
            or message_factory.MessageFactory(pool).GetPrototype)
    return {message.name: make(pool.FindMessageTypeByName(f"ChakraProtoMsg.{message.name}"))
            for message in (*file.message_type, *first.message_type)}
