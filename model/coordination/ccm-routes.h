// SPDX-License-Identifier: GPL-2.0-only
#ifndef CCM_ROUTES_H
#define CCM_ROUTES_H

#include "aged-table.h"

#include "ns3/fabric-packet-item.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The flows that coordinated congestion management has moved at a switch: which port they
 * have, since when, and which ports a switch behind has reported for them (type 3).
 *
 * A reported port does not count as light for its flow until the report is old. So the flow leaves
 * it with its next packet, does not come back at once, and when all ports are reported the switch
 * has nothing left to offer and says so: it no longer names itself in the flow's tags. A flow that
 * has moved stays for a while: packets that were on the way meet the old congestion, and say so to
 * no effect. Only what the neighbor at its new port says is sure to be about that one, and moves it
 * at once: there may be no way at all.
 */
class CcmRoutes
{
  public:
    /// Ports that are remembered as reported for a flow; of more the oldest is forgotten.
    static constexpr std::size_t MAX_REPORTED = 16;

    /// Bounds.
    struct Limits
    {
        int64_t timeoutPs{0}; //!< pause of a flow after which it is forgotten
        int64_t holdPs{0};    //!< least time between two moves of a flow
        int64_t reportPs{0};  //!< how long a report holds
        std::size_t room{0};  //!< flows
    };

    /// Of which port of a flow a report tells.
    enum class Source : uint8_t
    {
        PRESENT, //!< the one it has: it comes from the neighbor there
        FORMER,  //!< another one, which it has left: from the neighbor there
        UNKNOWN  //!< it comes from further on
    };

    /// A port that was reported.
    struct Report
    {
        uint16_t port{FabricPacketItem::NO_PORT}; //!< which
        int64_t untilPs{0};                       //!< how long it holds
    };

    /// What is known of a flow.
    struct Route
    {
        uint16_t port{FabricPacketItem::NO_PORT};   //!< that it has
        bool hasMoved{false};                       //!< movedPs is valid
        int64_t movedPs{0};                         //!< time of the last move
        std::array<Report, MAX_REPORTED> reports{}; //!< of its ports
    };

    /// @param limits bounds
    explicit CcmRoutes(const Limits& limits)
        : m_limits(limits),
          m_routes(limits.timeoutPs, limits.room)
    {
    }

    /**
     * @param flow number of a flow
     * @param nowPs time in ps, not before that of any earlier call
     * @return what is known of it; null: nothing, it goes where all packets go
     */
    const Route* Find(uint64_t flow, int64_t nowPs) const
    {
        return m_routes.Find(flow, nowPs);
    }

    /**
     * @param route of a flow, or null
     * @param port one of its ports
     * @param nowPs time in ps
     * @return true if a report about it holds
     */
    static bool IsReported(const Route* route, uint16_t port, int64_t nowPs);

    /**
     * @param route of a flow, or null
     * @param nowPs time in ps
     * @return true if it may move, as far as its own moves are concerned
     */
    bool MayMove(const Route* route, int64_t nowPs) const
    {
        return !route || !route->hasMoved || nowPs - route->movedPs >= m_limits.holdPs;
    }

    /**
     * @brief A packet of a flow takes the port that it has.
     * @param flow number of the flow, which is known
     * @param nowPs time in ps
     */
    void Keep(uint64_t flow, int64_t nowPs)
    {
        m_routes.Touch(flow, nowPs);
    }

    /**
     * @brief A flow gets another port.
     * @param flow number of the flow
     * @param port the port
     * @param nowPs time in ps
     * @return false if there is no room to remember it
     */
    bool Move(uint64_t flow, uint16_t port, int64_t nowPs);

    /**
     * @brief A switch behind reports the port that a flow has.
     * @param flow number of the flow
     * @param port that it has
     * @param source of which port it tells
     * @param nowPs time in ps
     * @return false if nothing comes of it: it is about a port that the flow has left, may be
     * because it has just moved, or there is no room
     */
    bool Take(uint64_t flow, uint16_t port, Source source, int64_t nowPs);

    /**
     * @brief Forget a flow, whose port is no more.
     * @param flow number of the flow
     */
    void Erase(uint64_t flow)
    {
        m_routes.Erase(flow);
    }

    /**
     * @param nowPs time in ps
     * @return true if another flow could be remembered
     */
    bool HasRoom(int64_t nowPs)
    {
        return m_routes.HasRoom(nowPs);
    }

    /// @return flows in the table
    std::size_t GetSize() const
    {
        return m_routes.GetSize();
    }

  private:
    Limits m_limits;           //!< bounds
    AgedTable<Route> m_routes; //!< by flow
};

} // namespace ns3

#endif /* CCM_ROUTES_H */
