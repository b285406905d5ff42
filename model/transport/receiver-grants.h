// SPDX-License-Identifier: GPL-2.0-only
#ifndef RECEIVER_GRANTS_H
#define RECEIVER_GRANTS_H

#include "ns3/fabric-packet-item.h"
#include "ns3/receiver-control.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class FabricNic;
class LogComponent;

/**
 * @ingroup dcfabric
 * @brief What lets senders send to a NIC: tells its ReceiverControl, if it has one, what arrives,
 * and sends the grants.
 */
class ReceiverGrants final : public ReceiverControl::Host
{
  public:
    static constexpr uint32_t TIMER = UINT32_MAX - 2; //!< timer of the NIC: see SetTimer()

    /// Where grants of a flow go.
    struct Address
    {
        uint32_t src{0};  //!< fabric address of the sender
        uint32_t pdc{0};  //!< number of the PDC there
        uint16_t port{0}; //!< port that its last packet came in by
    };

    /// @param nic the NIC
    explicit ReceiverGrants(FabricNic& nic);
    ~ReceiverGrants() override;

    /**
     * @brief Refuse what Use() would.
     * @param type its TypeId
     * @throws FabricError if another one decides, or the NIC matches messages
     */
    void Check(TypeId type) const;

    /**
     * @brief Have a class decide on grants; nothing changes if it does already.
     * @param type its TypeId
     * @throws FabricError as Check()
     */
    void Use(TypeId type);

    /**
     * @brief Refuse to match messages if there is a ReceiverControl.
     * @throws FabricError if so
     */
    void RefuseMatching() const;

    /**
     * @brief Fix random streams.
     * @param stream the one for the ReceiverControl
     */
    void AssignStreams(int64_t stream);

    /// @return true if there is a ReceiverControl
    bool IsUsed() const
    {
        return m_control != nullptr;
    }

    /// @return it; null if there is none
    Ptr<ReceiverControl> GetControl() const
    {
        return m_control;
    }

    /**
     * @brief A data packet has arrived.
     * @param item the packet
     * @param nowPs time
     * @return what to tell of it, but for its PDC
     */
    static ReceiverArrival Describe(const FabricPacketItem& item, int64_t nowPs);

    /**
     * @brief A PDC has dealt with a packet. Where IsUsed().
     * @param arrival what there is to tell of it
     * @param address where grants to that PDC go
     */
    void OnData(const ReceiverArrival& arrival, const Address& address);

    /**
     * @brief A PDC goes.
     * @param number its number
     */
    void OnGone(uint32_t number);

    /**
     * @brief The time of TIMER has come.
     * @param nowPs time
     */
    void OnTimer(int64_t nowPs);

    /// Remove all.
    void Clear();

  private:
    static LogComponent g_log; //!< of this class

    // from ReceiverControl::Host
    void SendGrant(uint32_t flow, uint32_t total, uint8_t priority) override;
    void SetTimer(int64_t atPs) override;
    double GetLineRate() const override;
    double GetHostFill() const override;

    /**
     * @brief Refuse to match messages.
     * @param type of the ReceiverControl
     * @throws FabricError always
     */
    [[noreturn]] void Refuse(TypeId type) const;

    FabricNic& m_nic;                 //!< the NIC
    Ptr<ReceiverControl> m_control;   //!< null: none
    std::vector<Address> m_addresses; //!< by number of the PDC
    int64_t m_timerPs;                //!< when TIMER is due
    int64_t m_stream{-1};             //!< of the ReceiverControl
    uint16_t m_entropy{0};            //!< of the last grant
    bool m_started{false};            //!< a packet has come
};

} // namespace ns3

#endif /* RECEIVER_GRANTS_H */
