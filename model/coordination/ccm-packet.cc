// SPDX-License-Identifier: GPL-2.0-only
#include "ccm-packet.h"

#include "ns3/fabric-error.h"
#include "ns3/packet-kind.h"

#include <string>

namespace ns3
{

namespace
{

/// Layout of a notification of coordinated congestion management, 12 bytes ([CCM] section 6.2). Who
/// says so and who is to handle it are the addresses of the packet; the flow's PDC is in BTH.
struct CcmPacket
{
    using Fields = CcmFields; //!< of the item

    /**
     * @brief Layout.
     * @tparam Wire direction
     * @tparam Item packet item
     * @param extensions where
     * @param item the notification
     */
    template <typename Wire, typename Item>
    static void Describe(Wire& /* transport */, Wire& extensions, Item& item)
    {
        auto& ccm = item.template As<Fields>();
        if constexpr (!Wire::READS)
        {
            if (ccm.kind < CcmKind::REQUIRED || ccm.kind > CcmKind::REROUTE)
            {
                throw FabricError("packet item: a CCM has type 1, 2 or 3, not " +
                                  std::to_string(ccm.kind));
            }
        }
        extensions.Field(ccm.kind, 1, "type of a CCM", CcmKind::REROUTE);
        if constexpr (Wire::READS)
        {
            if (ccm.kind < CcmKind::REQUIRED)
            {
                extensions.Refuse();
            }
        }
        extensions.Constant(0, 1);
        extensions.Field(ccm.entropy, 2);
        FrameBytes::HostAddress(extensions, ccm.flowSrc, "source of a flow");
        FrameBytes::HostAddress(extensions, ccm.flowDst, "destination of a flow");
    }

    /**
     * @brief Print.
     * @param os where
     * @param item the notification
     */
    static void Print(std::ostream& os, const FabricPacketItem& item)
    {
        const auto& ccm = item.As<Fields>();
        os << " type " << +ccm.kind << " flow " << ccm.flowSrc << "->" << ccm.flowDst << " entropy "
           << ccm.entropy;
    }
};

/// @return what there is to say of it
PacketKind
MakeCcmKind()
{
    PacketKind kind{FabricPacketType::CCM, "CCM"};
    kind.opcodes = {{0xc6, 0, 0}};
    kind.isAbout = [](const FabricPacketItem& item, uint32_t receiver) {
        const auto& ccm = item.As<CcmFields>();
        return ccm.flowSrc == item.dst && ccm.flowDst == receiver;
    };
    return kind;
}

const PacketKindOf<CcmPacket> g_ccmKind(MakeCcmKind()); //!< enters it

} // namespace

} // namespace ns3
