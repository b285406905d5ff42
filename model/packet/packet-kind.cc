// SPDX-License-Identifier: GPL-2.0-only
#include "packet-kind.h"

#include "fabric-error.h"

#include "ns3/abort.h"

#include <string>

namespace ns3
{

std::array<const PacketKind*, 256> PacketKinds::g_kinds{};

const PacketKind::Opcode&
PacketKind::GetOpcode(const FabricPacketItem& item) const
{
    uint32_t said = 0; // flags that any of them says
    for (const Opcode& opcode : opcodes)
    {
        said |= opcode.flags;
    }
    for (const Opcode& opcode : opcodes)
    {
        if (opcode.flags == (item.flags & said))
        {
            return opcode;
        }
    }
    throw FabricError("packet item: type " + std::to_string(static_cast<int>(type)) +
                      " does not travel as RoCEv2");
}

void
PacketKinds::Add(const PacketKind& kind)
{
    const PacketKind*& place = g_kinds[static_cast<uint8_t>(kind.type)];
    NS_ABORT_MSG_IF(place,
                    "two kinds of packets have the type " << static_cast<int>(kind.type) << ": "
                                                          << place->name << " and " << kind.name);
    for (const PacketKind::Opcode& opcode : kind.opcodes)
    {
        const PacketKind::Opcode* taken = nullptr;
        const PacketKind* other = FindOpcode(opcode.code, taken);
        NS_ABORT_MSG_IF(
            other && kind.type != FabricPacketType::NACK && other->type != FabricPacketType::NACK,
            "two kinds of packets have the operation code " << static_cast<int>(opcode.code) << ": "
                                                            << other->name << " and " << kind.name);
    }
    place = &kind;
}

const PacketKind*
PacketKinds::FindOpcode(uint8_t code, const PacketKind::Opcode*& opcode)
{
    for (const PacketKind* kind : g_kinds) // by type: ACK before NACK, which AETH tells apart
    {
        if (!kind)
        {
            continue;
        }
        for (const PacketKind::Opcode& one : kind->opcodes)
        {
            if (one.code == code)
            {
                opcode = &one;
                return kind;
            }
        }
    }
    return nullptr;
}

const PacketKind*
PacketKinds::FindControl(uint16_t etherType, const std::vector<uint8_t>& bytes)
{
    for (const PacketKind* kind : g_kinds)
    {
        if (kind && kind->frame == PacketKind::Frame::CONTROL && kind->etherType == etherType &&
            (!kind->isFrame || kind->isFrame(bytes)))
        {
            return kind;
        }
    }
    return nullptr;
}

std::vector<const PacketKind*>
PacketKinds::List()
{
    std::vector<const PacketKind*> kinds;
    for (const PacketKind* kind : g_kinds)
    {
        if (kind)
        {
            kinds.push_back(kind);
        }
    }
    return kinds;
}

void
PacketKinds::Refuse(FabricPacketType type)
{
    throw FabricError("packet item: there is no packet type " +
                      std::to_string(static_cast<int>(type)) +
                      "; make a PacketKind of it, or use one of those that there are");
}

} // namespace ns3
