// SPDX-License-Identifier: GPL-2.0-only
#ifndef RCM_REGION_H
#define RCM_REGION_H

#include "rcm-flow-cam.h"
#include "rcm-notification.h"
#include "rcm-parameters.h"

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
 * congested. The remote flag is set by notifications of the neighbor, one for each of its outputs;
 * it is cleared by those that say that the congestion is over, or when none has come for
 * RemoteTimeout: a notification can be lost, and a neighbor can die.
 *
 * At a root the harmful flows are those that fill the memory of samples (RcmFlowCam) anew once the
 * local flag is set, and stay the same until it is cleared: those that were harmful before are not
 * those of a burst, and a flow that is held back would soon be sampled too seldom to be held.
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
          m_cam(parameters)
    {
    }

    /**
     * @brief A packet of a flow enters the output queue.
     * @param flow its flow
     * @param bytes its size
     * @param draw random number from 0 to 1
     */
    void OnPacket(const RcmFlow& flow, uint32_t bytes, double draw);

    /**
     * @brief A queue of the output was sampled.
     * @param queue number of the queue, from 0, any order
     * @param degree its congestion degree, 0 to 1
     */
    void SetLocal(uint16_t queue, double degree);

    /**
     * @brief The neighbor has told.
     * @param notification what
     * @param nowPs time in ps
     */
    void OnNotification(const RcmNotification& notification, int64_t nowPs);

    /**
     * @brief Forget what was told too long ago; to be called before the region is asked.
     * @param nowPs time in ps
     * @return true if the remote flag was cleared
     */
    bool Expire(int64_t nowPs);

    /// @return the largest degree of the own queues; above 0: the local flag is set
    double GetLocalDegree() const
    {
        return m_local;
    }

    /// @return Fbr, the largest degree that the neighbor has told; above 0: the remote flag is set
    double GetRemoteDegree() const
    {
        return m_remote;
    }

    /// @return notifications since the remote flag was set, of outputs that are still congested
    uint32_t GetNNotifications() const;

    /// @return the place in the region
    Role GetRole() const
    {
        return m_local > 0 ? (m_remote > 0 ? INNER : ROOT) : (m_remote > 0 ? EDGE : OUTSIDE);
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
        return m_remote > 0 ? (1 - w) * local + w * m_remote : local;
    }

    /// @param flow any @return true if it is harmful: named by the neighbor, if the remote flag is
    /// set, else recognized here
    bool IsHarmful(const RcmFlow& flow) const
    {
        const std::vector<RcmFlow>& flows = m_remote > 0 ? m_named : m_recognized;
        return std::find(flows.begin(), flows.end(), flow) != flows.end();
    }

    /// @return the harmful flows, to be named upstream: at most MaxFlows
    std::vector<RcmFlow> CollectHarmful() const;

  private:
    /// What the neighbor has told of one of its outputs.
    struct Told
    {
        RcmNotification last; //!< the latest
        int64_t lapsePs;      //!< not valid from then on
        uint32_t count;       //!< since the first
    };

    /// @brief Find m_remote and m_named.
    void Summarize();

    const RcmParameters* m_parameters; //!< attributes
    std::vector<double> m_queues;      //!< degree by queue
    double m_local{0};                 //!< the largest of them
    RcmFlowCam m_cam;                  //!< samples of the output queue
    std::vector<RcmFlow> m_recognized; //!< harmful since the local flag was set
    std::vector<Told> m_told;          //!< by outputs of the neighbor
    double m_remote{0};                //!< the largest degree of them
    std::vector<RcmFlow> m_named;      //!< all flows of them
};

} // namespace ns3

#endif /* RCM_REGION_H */
