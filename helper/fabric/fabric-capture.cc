// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-capture.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-headers.h"
#include "ns3/fabric-nic.h"
#include "ns3/frame-bytes.h"
#include "ns3/wire-format.h"

#include <string>

namespace ns3
{

namespace
{

/// @return what to do where frames have other sizes than real ones
std::vector<FabricRemedy>
UseRealSizes()
{
    return {FabricRemedy::Use(FabricTerm::Class("ns3::RoceV2WireFormat"))};
}

} // namespace

FabricCapture::FabricCapture(const FabricNetDevice* device, bool promiscuous)
    : m_device(device),
      m_promiscuous(promiscuous)
{
}

FabricCapture::~FabricCapture() = default;

void
FabricCapture::Connect(Ptr<FabricCapture> capture, Ptr<FabricNetDevice> device)
{
    device->TraceConnectWithoutContext("Transmit",
                                       MakeCallback(&FabricCapture::OnTransmit, capture));
    device->TraceConnectWithoutContext("Receive", MakeCallback(&FabricCapture::OnReceive, capture));
}

void
FabricCapture::Disconnect(Ptr<FabricCapture> capture, Ptr<FabricNetDevice> device)
{
    device->TraceDisconnectWithoutContext("Transmit",
                                          MakeCallback(&FabricCapture::OnTransmit, capture));
    device->TraceDisconnectWithoutContext("Receive",
                                          MakeCallback(&FabricCapture::OnReceive, capture));
}

void
FabricCapture::OnTransmit(Ptr<const FabricPacketItem> item)
{
    TakeItem(*item);
}

void
FabricCapture::OnReceive(Ptr<const FabricPacketItem> item)
{
    if (m_promiscuous || item->IsLinkFrame() || item->dst == m_device->GetActor()->GetAddress())
    {
        TakeItem(*item);
    }
}

void
FabricCapture::TakeItem(const FabricPacketItem& item)
{
    if ((item.flags & FabricPacketItem::FLAG_ORDERED_SET) != 0)
    {
        return; // no frame
    }
    const Ptr<Packet> frame = FabricHeaders::SerializeWithoutFcs(item);
    const uint32_t size = frame->GetSize() + FrameBytes::CRC_BYTES;
    if (size != item.size)
    {
        throw FabricError("the capture of node " +
                              std::to_string(m_device->GetActor()->GetAddress()) + ", port " +
                              std::to_string(m_device->GetPort()),
                          ", cannot hold a frame of " + std::to_string(size) +
                              " bytes that takes " + std::to_string(item.size) + " on the wire",
                          UseRealSizes());
    }
    Take(m_device->GetNowPs(), frame);
}

void
FabricCapture::CheckWireFormat(const FabricNetDevice& device)
{
    const auto* nic = dynamic_cast<const FabricNic*>(device.GetActor());
    if (nic && !dynamic_cast<const RoceV2WireFormat*>(PeekPointer(nic->wire)))
    {
        throw FabricError("sizes of " + FabricTerm::Class(nic->wire->GetInstanceTypeId()),
                          " are not those of real frames",
                          UseRealSizes());
    }
}

} // namespace ns3
