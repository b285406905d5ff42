// SPDX-License-Identifier: GPL-2.0-only
#ifndef MESSAGE_RECORDER_H
#define MESSAGE_RECORDER_H

#include "fabric-sampler.h"

#include "ns3/fabric-message.h"

#include <string>

namespace ns3
{

/**
 * @brief @ingroup dcfabric
 * @param state where a message or receive stands
 * @return the name of a state in result files
 */
const char* GetMessageStateName(MessageState state);

/**
 * @ingroup dcfabric
 * @brief messages.csv: every change of state of a matched message at its sender and of its receive,
 * `time_ns,node,role,peer,msn,epoch,from,to`.
 */
class MessageRecorder : public FabricSampler
{
  public:
    /**
     * @param fabric the network
     * @param path file to write
     */
    MessageRecorder(Ptr<Fabric> fabric, const std::string& path);
    ~MessageRecorder() override;
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
    /// A state has changed.
    void OnState(std::string node, const MessageStateEvent& event);

    TraceFile m_file;     //!< file
    Ptr<Fabric> m_fabric; //!< network
};

} // namespace ns3

#endif /* MESSAGE_RECORDER_H */
