// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-pcap-file.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-headers.h"
#include "ns3/fabric-nic.h"
#include "ns3/fabric-time.h"
#include "ns3/frame-bytes.h"
#include "ns3/result-file.h"
#include "ns3/wire-format.h"

#include <cerrno>
#include <cstring>

namespace ns3
{

namespace
{

constexpr uint32_t ETHERNET_LINK = 1; // LINKTYPE_ETHERNET

/// Why frames of other sizes cannot be captured.
constexpr const char* WRONG_SIZES = "; a capture needs those of ns3::RoceV2WireFormat";

} // namespace

FabricPcapFile::FabricPcapFile(const FabricNetDevice* device,
                               const std::string& path,
                               bool promiscuous)
    : m_device(device),
      m_path(path),
      m_promiscuous(promiscuous)
{
    m_file.Open(path, std::ios::out);
    if (m_file.Fail())
    {
        throw ResultFileError("cannot create the capture file '" + path +
                              "': " + std::strerror(errno));
    }
    m_file.Init(ETHERNET_LINK, PcapFile::SNAPLEN_DEFAULT, 0, false, true);
}

FabricPcapFile::~FabricPcapFile() = default;

void
FabricPcapFile::Connect(Ptr<FabricPcapFile> file, Ptr<FabricNetDevice> device)
{
    device->TraceConnectWithoutContext("Transmit", MakeCallback(&FabricPcapFile::OnTransmit, file));
    device->TraceConnectWithoutContext("Receive", MakeCallback(&FabricPcapFile::OnReceive, file));
}

void
FabricPcapFile::Disconnect(Ptr<FabricPcapFile> file, Ptr<FabricNetDevice> device)
{
    device->TraceDisconnectWithoutContext("Transmit",
                                          MakeCallback(&FabricPcapFile::OnTransmit, file));
    device->TraceDisconnectWithoutContext("Receive",
                                          MakeCallback(&FabricPcapFile::OnReceive, file));
}

void
FabricPcapFile::OnTransmit(Ptr<const FabricPacketItem> item)
{
    Write(*item);
}

void
FabricPcapFile::OnReceive(Ptr<const FabricPacketItem> item)
{
    if (m_promiscuous || item->IsLinkFrame() || item->dst == m_device->GetActor()->GetAddress())
    {
        Write(*item);
    }
}

void
FabricPcapFile::Write(const FabricPacketItem& item)
{
    const Ptr<Packet> frame = FabricHeaders::Serialize(item);
    if (frame->GetSize() != item.size)
    {
        throw FabricError("the capture '" + m_path + "' cannot hold a frame of " +
                          std::to_string(frame->GetSize()) + " bytes that takes " +
                          std::to_string(item.size) + " on the wire" + WRONG_SIZES);
    }
    frame->RemoveAtEnd(FrameBytes::CRC_BYTES);
    if (m_file.Fail()) // as on a full disk, which ns-3's writer takes for an error of the program
    {
        Refuse();
    }
    const int64_t nowPs = m_device->GetNowPs();
    m_file.Write(static_cast<uint32_t>(nowPs / FabricTime::PS_PER_SECOND),
                 static_cast<uint32_t>(nowPs % FabricTime::PS_PER_SECOND / FabricTime::PS_PER_NS),
                 frame);
    ++m_packets;
}

void
FabricPcapFile::Close()
{
    m_file.Close();
    if (m_file.Fail())
    {
        Refuse();
    }
}

void
FabricPcapFile::Refuse() const
{
    throw ResultFileError("cannot write the capture file '" + m_path +
                          "': " + std::strerror(errno));
}

void
FabricPcapFile::CheckWireFormat(const FabricNetDevice& device)
{
    const auto* nic = dynamic_cast<const FabricNic*>(device.GetActor());
    if (nic && !dynamic_cast<const RoceV2WireFormat*>(PeekPointer(nic->wire)))
    {
        throw FabricError("sizes of " + nic->wire->GetInstanceTypeId().GetName() +
                          " are not those of real frames" + WRONG_SIZES);
    }
}

} // namespace ns3
