// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_PCAP_FILE_H
#define FABRIC_PCAP_FILE_H

#include "ns3/fabric-net-device.h"
#include "ns3/pcap-file.h"
#include "ns3/simple-ref-count.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a port sends and receives, as a capture file with nanosecond times.
 *
 * Frames are those of FabricHeaders, PFC and credit frames included, from the Ethernet header to
 * the last byte before the FCS, which captures usually lack. They are written whole: a payload that
 * exists only as a size is zeros. A packet that is sent has the time at which its first bit goes on
 * the wire, one that is received the time at which its last bit has arrived; fractions of a
 * nanosecond are cut off.
 */
class FabricPcapFile : public SimpleRefCount<FabricPcapFile>
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
    ~FabricPcapFile();

    /**
     * @brief Be told of packets until the port is destroyed.
     * @param file of the port
     * @param device the port
     */
    static void Connect(Ptr<FabricPcapFile> file, Ptr<FabricNetDevice> device);
    /**
     * @brief Be told no longer.
     * @param file of the port
     * @param device the port
     */
    static void Disconnect(Ptr<FabricPcapFile> file, Ptr<FabricNetDevice> device);

    /**
     * @brief Write a packet that is sent.
     * @param item the packet
     */
    void OnTransmit(Ptr<const FabricPacketItem> item);
    /**
     * @brief Write a packet that is received.
     * @param item the packet
     */
    void OnReceive(Ptr<const FabricPacketItem> item);

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

    /**
     * @brief Refuse what cannot be captured.
     * @param device a port
     * @throws FabricError if the sizes on the wire are not those of real frames
     */
    static void CheckWireFormat(const FabricNetDevice& device);

  private:
    /// @brief Say that the file cannot be written. @throws ResultFileError always
    [[noreturn]] void Refuse() const;
    /// Write a packet now.
    void Write(const FabricPacketItem& item);

    const FabricNetDevice* m_device; //!< the port
    std::string m_path;              //!< of the file
    bool m_promiscuous;              //!< write all that arrives
    uint64_t m_packets{0};           //!< written
    PcapFile m_file;                 //!< ns-3's writer
};

} // namespace ns3

#endif /* FABRIC_PCAP_FILE_H */
