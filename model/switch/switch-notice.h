// SPDX-License-Identifier: GPL-2.0-only
#ifndef SWITCH_NOTICE_H
#define SWITCH_NOTICE_H

#include "ns3/fabric-packet-item.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class FabricSwitch;
class WireFormat;

/**
 * @ingroup dcfabric
 * @brief What a feature tells those of other switches: a NOTICE with a payload that has a format of
 * its own, by the first byte of which it is known.
 */
class SwitchNotice
{
  public:
    /**
     * @brief Make a packet, to be sent by FabricSwitch::Originate().
     * @param sw that sends it
     * @param dst fabric address of the switch that is told
     * @param ds class and ECN bits (FabricPacketItem::MakeDs())
     * @param wire sizes on the wire
     * @param payload what is told, at least one byte
     * @return the packet; its flow hash is that of what is set here
     */
    static Ptr<FabricPacketItem> Make(const FabricSwitch& sw,
                                      uint32_t dst,
                                      uint8_t ds,
                                      const WireFormat& wire,
                                      const std::vector<uint8_t>& payload);

    /**
     * @brief Read a packet that has come to a switch.
     * @tparam T what may be told, with Parse(bytes, T&)
     * @param item the packet
     * @param[out] told what it says; undefined if it says something else
     * @return true if it is a notice of this format
     */
    template <typename T>
    static bool Read(const FabricPacketItem& item, T& told)
    {
        return item.type == FabricPacketType::NOTICE && T::Parse(GetPayload(item), told);
    }

  private:
    /// @return the bytes of a notice
    static std::vector<uint8_t> GetPayload(const FabricPacketItem& item);
};

} // namespace ns3

#endif /* SWITCH_NOTICE_H */
