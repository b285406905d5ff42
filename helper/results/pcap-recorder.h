// SPDX-License-Identifier: GPL-2.0-only
#ifndef PCAP_RECORDER_H
#define PCAP_RECORDER_H

#include "fabric-sampler.h"

#include "ns3/fabric-pcap-file.h"
#include "ns3/object.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Which ports of a fabric are captured.
 */
class PcapPorts : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Find the ports.
     * @param fabric the network
     * @return ports in the order of nodes and ports, each once
     * @throws FabricError for text that names no port, or more than MaxFiles ports
     */
    std::vector<FabricNetDevice*> Find(const Fabric& fabric) const;

  private:
    std::string m_ports{"hosts"}; //!< attribute Ports
    uint32_t m_maxFiles{256};     //!< attribute MaxFiles
};

/**
 * @ingroup dcfabric
 * @brief A capture file for each port that PcapPorts selects: `PATH-NODE-PORT.pcap`.
 *
 * Of several processes (ranks) of a simulation rank 0 has the files. All have to call Sample() and
 * Finish() together.
 */
class PcapRecorder : public FabricSampler
{
  public:
    /**
     * @brief Begin the files.
     * @param fabric the network
     * @param path beginning of all file names; other ranks than 0 make none
     * @throws FabricError as PcapPorts and FabricPcapFile do
     */
    PcapRecorder(Ptr<Fabric> fabric, const std::string& path);
    ~PcapRecorder() override;
    /**
     * @brief Write what other processes (ranks) have captured: what passes at this one is written
     * then, if it has the files.
     * @param nowPs the present in ps
     */
    void Sample(int64_t nowPs) override;
    /**
     * @brief Complete the files.
     * @param endPs end of the run in ps
     */
    void Finish(int64_t endPs) override;

    /**
     * @brief Refuse what cannot be captured, before any file is touched.
     * @param fabric the network
     */
    static void Check(const Fabric& fabric);

  private:
    /// A port and its capture.
    struct Capture
    {
        Ptr<FabricNetDevice> port;  //!< the port, which may outlive the simulation
        Ptr<FabricCapture> packets; //!< of the port; null: another process simulates it
        Ptr<FabricPcapFile> file;   //!< null at other ranks than 0
        std::string path;           //!< final name of the file
    };

    /// Write what other processes have captured.
    void Join();

    Ptr<Fabric> m_fabric;            //!< network
    std::vector<Capture> m_captures; //!< of all ports
    std::string m_frames;            //!< captured here, and not yet at rank 0
};

} // namespace ns3

#endif /* PCAP_RECORDER_H */
