// SPDX-License-Identifier: GPL-2.0-only
#include "link-flow-control.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LinkFlowControl);

TypeId
LinkFlowControl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::LinkFlowControl").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

void
LinkFlowControl::Attach(FabricNetDevice* device)
{
    m_device = device;
}

uint64_t
LinkFlowControl::GetHeadroomBytes(uint32_t /* maxFrameBytes */) const
{
    return 0;
}

void
LinkFlowControl::SetCongested(uint8_t /* priority */, bool /* congested */)
{
}

void
LinkFlowControl::SetMaxFrameBytes(uint32_t /* maxFrameBytes */)
{
}

void
LinkFlowControl::LearnPeer(const LinkFlowControl& /* peer */)
{
}

void
LinkFlowControl::Start()
{
}

void
LinkFlowControl::OnReceive(const FabricPacketItem& /* item */)
{
}

bool
LinkFlowControl::CanStorm() const
{
    return false;
}

void
LinkFlowControl::SetStorm(uint8_t /* classes */)
{
}

bool
LinkFlowControl::WantsPackets() const
{
    return false;
}

void
LinkFlowControl::OnBufferReleased(const FabricPacketItem& /* item */, uint32_t /* bytes */)
{
}

void
LinkFlowControl::OnTransmit(const FabricPacketItem& /* item */)
{
}

PeerRoom*
LinkFlowControl::GetPeerRoom()
{
    return nullptr;
}

void
LinkFlowControl::HandleTimer(int64_t /* nowPs */)
{
}

void
LinkFlowControl::OnLinkUp()
{
}

void
LinkFlowControl::OnRateChange()
{
}

void
LinkFlowControl::CheckPeerRate(uint64_t /* rateBps */) const
{
}

bool
LinkFlowControl::IsHoldingBack(uint8_t /* priority */, uint16_t /* output */) const
{
    return false;
}

uint64_t
LinkFlowControl::GetNPauseFrames() const
{
    return 0;
}

void
LinkFlowControl::DoDispose()
{
    m_device = nullptr;
    Object::DoDispose();
}

} // namespace ns3
