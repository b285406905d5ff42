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
 * At a root the harmful flows are among those that fill the memory of samples (FlowSampleMemory)
 * anew once the output queue is congested: those that were harmful before are not those of a burst.
 * They are those that stand out. These stay the same until the output queue is free or Recognize()
 * is called: a flow that is held back would soon be sampled too seldom to be held. If none stands
 * out then, they are let go, but others are no more harmful for it: once the memory is new again
 * those that were let go stand out again or have no more than the mean. Where none
 * stands out all in the memory are harmful, as the paper has it; they are named upstream but not
 * held here, and whenever the memory has filled anew they are looked at again. But if the lines by
 * which they come are together no faster than the output, these flows cannot congest it: what waits
 * was left by others, and nobody is harmful. At an edge they are all that were named within
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

    /**
     * @param parameters outlive this object
     * @param rates of the lines of all ports in bit/s, by port; may change, outlive this object;
     * null: unknown, so that any flows can congest the output
     * @param port the output
     */
    explicit RcmRegion(const RcmParameters& parameters,
                       const std::vector<uint64_t>* rates = nullptr,
                       uint16_t port = 0)
        : m_parameters(&parameters),
          m_rates(rates),
          m_port(port),
          m_neighbor(parameters.remoteTimeout),
          m_cam(parameters)
    {
    }

    /**
     * @brief A packet of a flow enters the output queue.
     * @param flow its flow
     * @param bytes its size
     * @param draw random number from 0 to 1
     * @param input where it came in
     * @return true if it was sampled
     */
    bool OnPacket(const FlowKey& flow, uint32_t bytes, double draw, uint16_t input = 0)
    {
        const bool isSampled = m_cam.OnPacket(bytes, draw);
        if (isSampled && m_queues[0] > 0) // samples of the time before are not to be seen
        {
            Store(flow, input);
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
        return GetRemoteDegree() > 0 ? m_neighbor.Names(flow) : IsRecognized(flow);
    }

    /// @return true if flows were recognized here that stand out from the others
    bool StandsOut() const
    {
        return m_standsOut;
    }

    /// @return true if it is known which flows do harm, so that others do none: those that stand
    /// out, or that the neighbor has named within RemoteTimeout, or none at all. While flows share
    /// evenly, those that were not sampled are no better than those that were
    bool KnowsHarmful() const
    {
        return m_neighbor.KnowsFlows() || m_standsOut || m_isDoubtful || IsLeftover();
    }

    /// @return flows that share the output, as far as they were sampled; of some that stand out,
    /// these
    std::size_t GetNSharing() const
    {
        return m_recognized.size();
    }

    /**
     * @param flow any
     * @return true if it is known to do no harm
     */
    bool IsHarmless(const FlowKey& flow) const
    {
        return m_neighbor.KnowsFlows() ? !m_neighbor.Names(flow)
                                       : KnowsHarmful() && !IsRecognized(flow);
    }

    /// @return the harmful flows
    std::vector<FlowKey> CollectHarmful() const;

    /// @return those of them that are to be held here: of flows that share evenly none, as they
    /// would hold up one another and nobody would gain by it
    std::vector<FlowKey> CollectHeld() const
    {
        return GetRemoteDegree() > 0 || m_standsOut ? CollectHarmful() : std::vector<FlowKey>();
    }

    /**
     * @brief The harmful flows that come by an input, to be named to the neighbor there.
     * @param input which
     * @return at most MaxFlows; if there are more, others the next time
     */
    std::vector<FlowKey> TakeHarmful(uint16_t input);

  private:
    /**
     * @param flow any
     * @return true if it was recognized here
     */
    bool IsRecognized(const FlowKey& flow) const
    {
        return !m_isLeftover &&
               std::any_of(m_recognized.begin(), m_recognized.end(), [&flow](const auto& sample) {
                   return sample.flow == flow;
               });
    }

    /// @return true if nobody congests the output, here or at the neighbor: others left what waits
    bool IsLeftover() const
    {
        return m_isLeftover && GetRemoteDegree() == 0;
    }

    /**
     * @brief None stands out now. Those that did may have been held.
     * @return true if they are to stay the harmful ones until it is clear what they do when they
     * are not held: as long as they have more samples than the mean
     */
    bool AsksAgain();

    /// @return true if the lines by which the samples came are together faster than the output
    bool CanCongest() const;

    /**
     * @brief Keep a sample.
     * @param flow of which it is
     * @param input where it came in
     */
    void Store(const FlowKey& flow, uint16_t input);

    const RcmParameters* m_parameters;                  //!< attributes
    const std::vector<uint64_t>* m_rates;               //!< of the ports, bit/s; null: unknown
    uint16_t m_port;                                    //!< the output
    double m_local{0};                                  //!< the largest degree of the own queues
    std::vector<double> m_queues{0.0};                  //!< degree by queue
    std::vector<FlowSampleMemory::Sample> m_recognized; //!< harmful since the local flag was set
    bool m_standsOut{false};                            //!< they do
    bool m_isDoubtful{false};                           //!< they did, and may do so again
    bool m_isLeftover{false};                           //!< they share, and cannot congest
    uint32_t m_since{0};                                //!< samples since they were recognized
    uint32_t m_taken{0};                                //!< flows that were named so far
    NeighborCongestion m_neighbor;                      //!< what it has told
    FlowSampleMemory m_cam;                             //!< samples of the output queue
};

} // namespace ns3

#endif /* RCM_REGION_H */
