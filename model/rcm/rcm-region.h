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
 * output queue is congested: those that were harmful before are not those of a burst. They stay the
 * same until it no longer is, or Recognize() is called: a flow that is held back would soon be
 * sampled too seldom to be held. At an edge they are all that were named within RemoteTimeout: what
 * samples miss at one time they meet at another.
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
     * @return true if it was sampled
     */
    bool OnPacket(const RcmFlow& flow, uint32_t bytes, double draw);

    /// @brief Recognize anew: the harmful flows are those of the samples that there are now.
    void Recognize();

    /**
     * @brief A queue of the output was sampled.
     * @param queue 0: the output queue, others: input queues, any order
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
        if (m_remote == 0)
        {
            return std::find(m_recognized.begin(), m_recognized.end(), flow) != m_recognized.end();
        }
        return std::any_of(m_named.begin(), m_named.end(), [&flow](const Named& named) {
            return named.flow == flow;
        });
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

    /// A harmful flow that the neighbor has named.
    struct Named
    {
        RcmFlow flow;    //!< which
        int64_t lapsePs; //!< not valid from then on
    };

    /// @brief Find m_remote, and forget what was named if it is 0.
    void Summarize();

    const RcmParameters* m_parameters; //!< attributes
    std::vector<double> m_queues;      //!< degree by queue
    double m_local{0};                 //!< the largest of them
    RcmFlowCam m_cam;                  //!< samples of the output queue
    std::vector<RcmFlow> m_recognized; //!< harmful since the local flag was set
    std::vector<Told> m_told;          //!< by outputs of the neighbor
    double m_remote{0};                //!< the largest degree of them
    std::vector<Named> m_named;        //!< flows of them
};

} // namespace ns3

#endif /* RCM_REGION_H */
