// SPDX-License-Identifier: GPL-2.0-only
#ifndef PAUSE_RECORDER_H
#define PAUSE_RECORDER_H

#include "fabric-sampler.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief pfc.csv: every pause and resume, at the port that receives it,
 * `time_ns,node,port,class,event`.
 *
 * Repeated pauses of a class that is already paused have rows as well.
 */
class PauseRecorder : public FabricSampler
{
  public:
    /**
     * @param fabric the network
     * @param path file to write
     */
    PauseRecorder(Ptr<Fabric> fabric, const std::string& path);
    ~PauseRecorder() override;
    /**
     * @brief Nothing: rows are written when things happen.
     * @param nowPs the present in ps
     */
    void Sample(int64_t nowPs) override;
    /**
     * @brief Complete the file.
     * @param endPs end of the run in ps
     */
    void Finish(int64_t endPs) override;

  private:
    /// A frame has arrived: a pause, or a resume.
    void OnPause(Ptr<const FabricNetDevice> device, uint8_t priority, bool pause);

    TraceFile m_file;                          //!< file
    Ptr<Fabric> m_fabric;                      //!< network
    std::vector<Ptr<FabricNetDevice>> m_ports; //!< all; they may outlive the simulation
};

} // namespace ns3

#endif /* PAUSE_RECORDER_H */
