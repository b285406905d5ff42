// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-pcap-file.h"

#include "ns3/fabric-text-file.h"
#include "ns3/fabric-time.h"
#include "ns3/result-file.h"

#include <cerrno>
#include <cstring>

namespace ns3
{

namespace
{

constexpr uint32_t ETHERNET_LINK = 1; // LINKTYPE_ETHERNET

} // namespace

FabricPcapFile::FabricPcapFile(const FabricNetDevice* device,
                               const std::string& path,
                               bool promiscuous)
    : FabricCapture(device, promiscuous),
      m_path(path)
{
    m_file.Open(path, std::ios::out);
    if (m_file.Fail())
    {
        throw ResultFileError("cannot create the capture file '" + ShowFabricPath(path) +
                              "': " + std::strerror(errno));
    }
    m_file.Init(ETHERNET_LINK, PcapFile::SNAPLEN_DEFAULT, 0, false, true);
}

FabricPcapFile::~FabricPcapFile() = default;

void
FabricPcapFile::Take(int64_t nowPs, Ptr<const Packet> frame)
{
    Write(nowPs, frame);
}

void
FabricPcapFile::Write(int64_t nowPs, Ptr<const Packet> frame)
{
    if (m_file.Fail()) // as on a full disk, which ns-3's writer takes for an error of the program
    {
        Refuse();
    }
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
    throw ResultFileError("cannot write the capture file '" + ShowFabricPath(m_path) +
                          "': " + std::strerror(errno));
}

} // namespace ns3
