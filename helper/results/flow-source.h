// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_SOURCE_H
#define FLOW_SOURCE_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Makes flows during a run, as what has happened so far asks for (see
 * FlowStarter::SetSource()).
 */
class FlowSource
{
  public:
    virtual ~FlowSource() = default;

    /// The run begins.
    virtual void Start() = 0;

    /**
     * @brief The last byte of a flow has reached its receiver.
     * @param flow its index
     */
    virtual void OnArrived(uint32_t flow) = 0;

    /**
     * @brief The sender of a flow has the last ACK.
     * @param flow its index
     */
    virtual void OnAcknowledged(uint32_t flow) = 0;

    /**
     * @brief Another process (rank) of the simulation has begun a flow that ends at a host of this
     * one.
     * @param flow its index here
     * @param note what the source there has given with it
     */
    virtual void OnBegunElsewhere(uint32_t flow, const std::string& note) = 0;

    /// @return true if no flow will follow
    virtual bool IsFinished() const = 0;

    /// @return true if something of it is under way that is no flow
    virtual bool IsBusy() const
    {
        return false;
    }

    /// @return when it acts next without being told of a flow, in ps; FabricTime::NEVER: not at all
    virtual int64_t GetNextPs() const = 0;

    /// @return when it acted last, in ps; 0: it has not
    virtual int64_t GetLastPs() const = 0;

    /// @return a time in ps before which it does not finish; 0: that is not known
    virtual int64_t GetLeastEndPs() const = 0;

    /// @return heading of DescribeWaiting(), such as `ranks that wait`
    virtual std::string GetWaitingTitle() const = 0;

    /// @return what it waits for, a line each; empty if it is finished
    virtual std::vector<std::string> DescribeWaiting() const = 0;
};

} // namespace ns3

#endif /* FLOW_SOURCE_H */
