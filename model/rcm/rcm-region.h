// SPDX-License-Identifier: GPL-2.0-only
#ifndef RCM_REGION_H
#define RCM_REGION_H

#include "rcm-parameters.h"

#include "ns3/flow-sample-memory.h"
#include "ns3/neighbor-congestion.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Where one output of a switch stands in the congested region: flags, role, congestion
 * degree ([RCM] section 3.2).
 *
 * The local flag is set while a queue of the output, be it the output queue or that of an input, is
 * congested. The remote flag is set while congestion of which the neighbor has told holds
 * (NeighborCongestion).
 *
 * At a root the harmful flows are those that fill the memory of samples (FlowSampleMemory) anew
 * once the output queue is congested: those that were harmful before are not those of a burst. They
 * stay the same until it no longer is, or Recognize() is called: a flow that is held back would
 * soon be sampled too seldom to be held. At an edge they are all that were named within
 * RemoteTimeout.
 */
class RcmRegion
{
  public:
    /// The place of an output in the region, by its flags.
    enum Role : uint8_t
    {
        OUTSIDE, //!< none
        ROOT,    //!< local only: root congestion point
        EDGE,    //!< remote only: edge of the region
        INNER,   //!< both: inner congestion point
    };

    /// @param parameters outlive this object
    explicit RcmRegion(const RcmParameters& parameters)
        : m_parameters(&parameters),
          m_neighbor(parameters.remoteTimeout),
          m_cam(parameters)
    {
    }

    /**
     * @brief A packet of a flow enters the output queue.
     * @param flow its flow
     * @param bytes its size
     * @param draw random number from 0 to 1
     * @return true if it was sampled
     */
    bool OnPacket(const FlowKey& flow, uint32_t bytes, double draw)
    {
        const bool isSampled = m_cam.OnPacket(bytes, draw);
        if (isSampled && m_queues[0] > 0) // samples of the time before are not to be seen
        {
            Store(flow);
        }
        return isSampled;
    }

    /// @brief Recognize anew: the harmful flows are those of the samples that there are now.
    void Recognize();

    /**
     * @brief A queue of the output was sampled.
     * @param queue 0: the output queue, others: input queues, any order
     * @param degree its congestion degree, 0 to 1
     */
    void SetLocal(uint16_t queue, double degree);

    /// @return what the neighbor has told, to be added to; Expire() it before the region is asked
    NeighborCongestion& GetNeighbor()
    {
        return m_neighbor;
    }

    /// @return the largest degree of the own queues; above 0: the local flag is set
    double GetLocalDegree() const
    {
        return m_local;
    }

    /// @return Fbr, the largest degree that the neighbor has told; above 0: the remote flag is set
    double GetRemoteDegree() const
    {
        return m_neighbor.GetDegree();
    }

    /**
     * @brief Are flows that do no harm to leave the output? They are if it is congested, if the
     * neighbor has told of congestion more than once, or if a queue has filled most of the reserve.
     * @param reservedBytes what waits for the output in the fullest input queue
     * @return true if they are
     */
    bool CallsForDetours(uint64_t reservedBytes) const;

    /// @return the place in the region
    Role GetRole() const
    {
        const bool isRemote = GetRemoteDegree() > 0;
        return m_local > 0 ? (isRemote ? INNER : ROOT) : (isRemote ? EDGE : OUTSIDE);
    }

    /**
     * @brief Equation 2: what an input queue tells upstream of itself, and with GetLocalDegree()
     * the regional degree of the port.
     * @param local Fb, 0 to 1
     * @return Fb': (1 - w) Fb + w Fbr with the remote flag, else Fb
     */
    double Mix(double local) const
    {
        const double w = m_parameters->remoteWeight;
        return GetRemoteDegree() > 0 ? (1 - w) * local + w * GetRemoteDegree() : local;
    }

    /**
     * @param flow any
     * @return true if it is harmful: named by the neighbor, if the remote flag is set, else
     * recognized here
     */
    bool IsHarmful(const FlowKey& flow) const
    {
        return GetRemoteDegree() > 0 ? m_neighbor.Names(flow)
                                     : std::find(m_recognized.begin(), m_recognized.end(), flow) !=
                                           m_recognized.end();
    }

    /// @return the harmful flows, to be named upstream: at most MaxFlows
    std::vector<FlowKey> CollectHarmful() const;

  private:
    /**
     * @brief Keep a sample.
     * @param flow of which it is
     */
    void Store(const FlowKey& flow);

    const RcmParameters* m_parameters; //!< attributes
    double m_local{0};                 //!< the largest degree of the own queues
    std::vector<double> m_queues{0.0}; //!< degree by queue
    std::vector<FlowKey> m_recognized; //!< harmful since the local flag was set
    NeighborCongestion m_neighbor;     //!< what it has told
    FlowSampleMemory m_cam;            //!< samples of the output queue
};

} // namespace ns3

#endif /* RCM_REGION_H */
