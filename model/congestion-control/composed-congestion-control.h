// SPDX-License-Identifier: GPL-2.0-only
#ifndef COMPOSED_CONGESTION_CONTROL_H
#define COMPOSED_CONGESTION_CONTROL_H

#include "receiver-driven-control.h"

#include <cstdint>
#include <ostream>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A congestion control of the sender and one of the receiver for the same PDC: the smaller
 * window and the lower rate of the two hold.
 *
 * Both are told everything. The sender's may use timers 0 to 2. Its window limits what is wanted of
 * the receiver. A class for each pair names the two, as needs of a congestion control are asked of
 * its class.
 */
class ComposedCongestionControl : public ReceiverDrivenControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    CongestionControlNeeds GetNeeds() const override;
    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const override;
    FabricText FindMisfit(const PathInfo& path) const override;
    void SetAsker(Asker* asker) override;
    void AddBacklog(int64_t nowPs, uint64_t payloadBytes) override;
    uint32_t TellDemand(uint64_t windowBytes = UNLIMITED) override;
    uint8_t ChooseClass(const FabricPacketItem& item) const override;
    void OnAck(const AckInfo& ack) override;
    void OnCnp(int64_t nowPs) override;
    void OnNotice(const FabricPacketItem& item, int64_t nowPs) override;
    void OnBts(const BtsNotice& notice) override;
    void OnLoss(int64_t nowPs, uint64_t lostBytes) override;
    void OnTrim(const TrimInfo& trim) override;
    void OnTimeout(int64_t nowPs) override;
    void OnSend(int64_t nowPs, uint32_t frameBytes) override;
    void OnTimer(uint8_t timer, int64_t nowPs) override;

    /// @return the sender's congestion control
    Ptr<CongestionControl> GetSenderControl() const
    {
        return m_sender;
    }

    /// @return the receiver-driven one
    Ptr<ReceiverDrivenControl> GetReceiverControl() const
    {
        return m_receiver;
    }

  protected:
    /**
     * @param sender class of the sender's congestion control
     * @param receiver class of the receiver-driven one
     */
    ComposedCongestionControl(const std::string& sender, const std::string& receiver);

    void DoStart() override;
    void DoDispose() override;

  private:
    static constexpr uint8_t RECEIVER_TIMER = N_TIMERS - 1; //!< timer 0 of the receiver-driven one

    /// What one of the two takes for the PDC.
    class Part : public CongestionControl::Host
    {
      public:
        /**
         * @param owner whose timers it uses
         * @param first of them
         * @param count how many
         */
        Part(ComposedCongestionControl& owner, uint8_t first, uint8_t count);
        void SetTimer(uint8_t timer, int64_t atPs) override;
        void CancelTimer(uint8_t timer) override;
        void RateChanged() override;
        void Print(std::ostream& os) const override;

      private:
        ComposedCongestionControl& m_owner; //!< see constructor
        uint8_t m_first;                    //!< likewise
        uint8_t m_count;                    //!< likewise
    };

    /// @return class of the sender's
    TypeId GetSenderType() const;
    /// Let window and rate of both take hold.
    void Apply(int64_t nowPs);

    Ptr<CongestionControl> m_sender;       //!< the sender's
    Ptr<ReceiverDrivenControl> m_receiver; //!< the receiver-driven one
    Part m_senderHost;                     //!< of the first
    Part m_receiverHost;                   //!< of the second
    uint64_t m_senderWindow{UNLIMITED};    //!< of the first, as it took hold
    bool m_senderSends{false};             //!< the first wants OnSend()
};

} // namespace ns3

#endif /* COMPOSED_CONGESTION_CONTROL_H */
