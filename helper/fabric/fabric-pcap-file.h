// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_PCAP_FILE_H
#define FABRIC_PCAP_FILE_H

#include "fabric-capture.h"

#include "ns3/pcap-file.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a port sends and receives, as a capture file with nanosecond times; fractions of a
 * nanosecond are cut off.
 */
class FabricPcapFile : public FabricCapture
{
  public:
    /**
     * @brief Begin a file.
     * @param device port, which has to live as long as this object is told of packets
     * @param path of the file
     * @param promiscuous false: of what arrives, only packets for this node and link-level frames
     * @throws ResultFileError if the file cannot be created
     */
    FabricPcapFile(const FabricNetDevice* device, const std::string& path, bool promiscuous);
    ~FabricPcapFile() override;

    /**
     * @brief Write a frame; also one that another process (rank) of the simulation has captured.
     * @param nowPs when it passed, in ps; not before the frames that are written
     * @param frame its bytes
     * @throws ResultFileError if it cannot be written
     */
    void Write(int64_t nowPs, Ptr<const Packet> frame);

    /**
     * @brief Complete the file; nothing may follow.
     * @throws ResultFileError if it could not be written
     */
    void Close();

    /// @return packets in the file
    uint64_t GetNPackets() const
    {
        return m_packets;
    }

  private:
    void Take(int64_t nowPs, Ptr<const Packet> frame) override;
    /**
     * @brief Say that the file cannot be written.
     * @throws ResultFileError always
     */
    [[noreturn]] void Refuse() const;

    std::string m_path;    //!< of the file
    uint64_t m_packets{0}; //!< written
    PcapFile m_file;       //!< ns-3's writer
};

} // namespace ns3

#endif /* FABRIC_PCAP_FILE_H */
