// SPDX-License-Identifier: GPL-2.0-only
#ifndef CCM_CLAIMS_H
#define CCM_CLAIMS_H

#include "ccm-flow.h"

#include "ns3/fabric-time.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The flows for which a switch has asked for congestion control (type 1) and that it has to
 * release (type 2).
 *
 * A claim has a reason: an output that is congested, or that there is no path (NO_PATH). It is told
 * at once and again each refresh time while the reason lasts, because a message may be lost and the
 * source forgets a claim that is not renewed. It is released when the reason has been over for
 * a while, or when no packet of the flow has come for long.
 */
class CcmClaims
{
  public:
    /// Reason that is no output.
    static constexpr uint16_t NO_PATH = FabricPacketItem::NO_PORT;

    /// Bounds.
    struct Limits
    {
        int64_t refreshPs{0}; //!< time from type 1 to type 1
        int64_t releasePs{0}; //!< time that a reason has to be over
        int64_t timeoutPs{0}; //!< time without a packet of the flow
        std::size_t room{0};  //!< flows
    };

    /// What is to be told.
    struct Message
    {
        uint8_t kind; //!< CcmKind: REQUIRED or RELEASED
        CcmFlow flow; //!< of which
    };

    /// @param limits bounds
    explicit CcmClaims(const Limits& limits)
        : m_limits(limits)
    {
    }

    /**
     * @brief There is a reason to claim a flow, one of whose packets has come.
     * @param flow the flow
     * @param reason output, or NO_PATH; a claim goes on with the latest
     * @param nowPs time in ps, not before that of any earlier call
     * @return true if its source is to be told now: the claim is new
     */
    bool Claim(const CcmFlow& flow, uint16_t reason, int64_t nowPs);

    /**
     * @brief A packet of a flow has come.
     * @param flow its number
     * @param nowPs time in ps
     * @return the reason of its claim; null: it has none
     */
    const uint16_t* See(uint64_t flow, int64_t nowPs);

    /**
     * @brief The reason of a flow's claim is over, or has come back.
     * @param flow its number
     * @param over true: over
     * @param nowPs time in ps
     * @return true if that is new
     */
    bool SetOver(uint64_t flow, bool over, int64_t nowPs);

    /**
     * @brief Likewise, for all claims because of an output.
     * @param output the reason
     * @param over true: over
     * @param nowPs time in ps
     */
    void SetOutputOver(uint16_t output, bool over, int64_t nowPs);

    /**
     * @brief Refresh what lasts and release what is over.
     * @param nowPs time in ps
     * @return what is to be told, by flow
     */
    std::vector<Message> Review(int64_t nowPs);

    /// @return when the next Review() is due; FabricTime::NEVER: there is no claim
    int64_t GetNextPs() const;

    /// @return claims
    std::size_t GetSize() const
    {
        return m_claims.size();
    }

  private:
    /// A claim.
    struct Entry
    {
        CcmFlow flow;                      //!< whose
        uint16_t reason{NO_PATH};          //!< output, or NO_PATH
        int64_t seenPs{0};                 //!< last packet
        int64_t toldPs{0};                 //!< last type 1
        int64_t overPs{FabricTime::NEVER}; //!< end of the reason; NEVER: it lasts
    };

    /// @return when something is due for a claim
    int64_t GetDuePs(const Entry& claim) const;
    /// The reason of a claim is over or has come back. @return true if that is new
    static bool SetOver(Entry& claim, bool over, int64_t nowPs);

    Limits m_limits;                    //!< bounds
    std::map<uint64_t, Entry> m_claims; //!< by flow, in an order that no library chooses
};

} // namespace ns3

#endif /* CCM_CLAIMS_H */
