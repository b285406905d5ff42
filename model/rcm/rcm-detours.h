// SPDX-License-Identifier: GPL-2.0-only
#ifndef RCM_DETOURS_H
#define RCM_DETOURS_H

#include "rcm-notification.h"
#include "rcm-parameters.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Switch-level adaptive routing: flows that do no harm leave outputs in a congested region
 * (SAR, [RCM] section 3.4).
 *
 * A harmful flow stays where it is. Another one, if its output calls for it, moves to the available
 * port of its group with the least regional degree, of equal ones that with the fewest bytes, then
 * the lowest; but only if that degree is less than its own port's. It then stays there until it has
 * paused for longer than DetourTimeout: a choice anew for each packet would reorder it at each
 * sample. The paper has no table of detours.
 */
class RcmDetours
{
  public:
    /// What is known of an output that flows could leave.
    struct Signs
    {
        bool isCongested{false};   //!< its local flag is set
        uint32_t notifications{0}; //!< of the neighbor since its remote flag was set
        double remoteDegree{0};    //!< congestion degree that the neighbor tells, 0 to 1
        uint64_t reservedBytes{0}; //!< what waits for it in the fullest input queue
    };

    /// A port of the group.
    struct Path
    {
        uint16_t port;  //!< its number
        bool isUp;      //!< available
        double degree;  //!< regional congestion degree (RcmRegion::Mix())
        uint64_t bytes; //!< what waits for it
    };

    /// @param parameters outlive this object
    explicit RcmDetours(const RcmParameters& parameters)
        : m_parameters(&parameters)
    {
    }

    /// @param signs of an output @return true if flows are to leave it
    bool IsNeeded(const Signs& signs) const;

    /**
     * @param flow any
     * @param routed port that routing gives it, which is up
     * @param nowPs time in ps
     * @return the port it is on: that of its detour, if there is one, or @p routed
     */
    uint16_t FindPort(const RcmFlow& flow, uint16_t routed, int64_t nowPs) const;

    /**
     * @brief Choose a port; changes nothing, because paths are also asked for without a packet.
     * @param flow any
     * @param routed port that routing gives it
     * @param mayMove it is not harmful, and the port that it is on calls for detours
     * @param group the equal-cost ports, routed among them
     * @param nowPs time in ps
     * @return the port to take
     */
    uint16_t Choose(const RcmFlow& flow,
                    uint16_t routed,
                    bool mayMove,
                    const std::vector<Path>& group,
                    int64_t nowPs) const;

    /**
     * @brief A packet goes where Choose() said.
     * @param flow its flow
     * @param routed port that routing gave it
     * @param port that it takes
     * @param nowPs time in ps, not before that of any earlier call
     */
    void OnTaken(const RcmFlow& flow, uint16_t routed, uint16_t port, int64_t nowPs);

    /// @return flows in the table
    std::size_t GetNEntries() const
    {
        return m_flows.size();
    }

    /// @return detours that were begun
    uint64_t GetNDetours() const
    {
        return m_detours;
    }

  private:
    /// Where a flow was moved.
    struct Detour
    {
        uint16_t port;  //!< it goes there
        int64_t lastPs; //!< its last packet
    };

    /// @brief Remove flows that have paused for longer than the timeout. @param nowPs time
    void RemoveOld(int64_t nowPs);

    const RcmParameters* m_parameters;            //!< attributes
    std::unordered_map<uint64_t, Detour> m_flows; //!< by RcmFlow::GetKey()
    std::size_t m_removeAt{1024};                 //!< size at which to remove old entries
    uint64_t m_detours{0};                        //!< begun
};

} // namespace ns3

#endif /* RCM_DETOURS_H */
