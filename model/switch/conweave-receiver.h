// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONWEAVE_RECEIVER_H
#define CONWEAVE_RECEIVER_H

#include "conweave-sender.h"

#include "ns3/fabric-packet-item.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A flow at its last switch under ConWeave ([CONWEAVE]_): packets that have overtaken the
 * tail of their epoch are held until it has come, or is given up.
 */
class ConweaveReceiver
{
  public:
    static constexpr int64_t NEVER = ConweaveSender::NEVER; //!< nothing is to be released

    /// Times, in ps.
    struct Times
    {
        int64_t extraPs;  //!< by which the tail may come later than expected
        int64_t waitPs;   //!< for the tail, if nothing is known of its way
        int64_t expiryPs; //!< as for the sender
    };

    /**
     * @brief A packet with a tag arrives.
     * @param tag what it says
     * @param nowPs the present
     * @param times as above
     * @return true if it is to be held (Hold()); false: it goes on
     */
    bool OnData(const ConweaveTag& tag, int64_t nowPs, const Times& times);

    /**
     * @brief Keep a packet.
     * @param item the packet
     */
    void Hold(Ptr<FabricPacketItem> item)
    {
        m_held.push_back(std::move(item));
    }

    /// @return true if a packet with this tag begins an epoch here: what is held goes first
    bool Begins(const ConweaveTag& tag, int64_t nowPs, const Times& times) const;

    /// @return when what is held is to be released, in ps; NEVER: nothing is held
    int64_t GetReleasePs() const
    {
        return m_releasePs;
    }

    /**
     * @brief Release what is held.
     * @return it, in order
     */
    std::vector<Ptr<FabricPacketItem>> Release();

    /// @return number of packets that are held
    std::size_t GetNHeld() const
    {
        return m_held.size();
    }

    /// @return when the last packet came, in ps
    int64_t GetLastPs() const
    {
        return m_lastPs;
    }

  private:
    std::vector<Ptr<FabricPacketItem>> m_held; //!< of phase 1, in order
    int64_t m_lastPs{-1};                      //!< when the last packet came; -1: none has
    int64_t m_releasePs{NEVER};                //!< when these are to be released
    int64_t m_formerPs{-1}; //!< when the last packet of phase 0 came; -1: none of this epoch has
    uint32_t m_formerNs{0}; //!< when that passed the first switch
    uint32_t m_tailNs{0};   //!< when the tail did, as the packets that are held say
    uint8_t m_epoch{0};     //!< number of the epoch
    bool m_phase{false};    //!< the tail has come, or is given up
};

} // namespace ns3

#endif /* CONWEAVE_RECEIVER_H */
