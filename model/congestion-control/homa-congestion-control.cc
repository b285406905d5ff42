// SPDX-License-Identifier: GPL-2.0-only
#include "credit-congestion-control.h"

#include "ns3/double.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/grant-packet.h"
#include "ns3/uinteger.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Sender's half of Homa (Montazeri et al., SIGCOMM 2018): of each message a bandwidth-delay
 * product is sent unscheduled, the rest as the receiver grants (HomaReceiverControl).
 *
 * Unscheduled packets of messages up to Cutoff take UnscheduledClass, those of longer ones the
 * class below; what is granted, or sent again once there was a grant, takes the class that the
 * receiver names. The paper has as many unscheduled classes as the sizes of messages ask for, and
 * finds the cutoffs by what has come; here there are two, and a fixed one.
 */
class HomaCongestionControl : public CreditCongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    CongestionControlNeeds GetNeeds() const override;
    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const override;
    uint8_t ChooseClass(const FabricPacketItem& item) const override;

  protected:
    Terms MakeTerms() const override;

  private:
    double m_unscheduled;       //!< in BDPs
    uint8_t m_unscheduledClass; //!< of short messages
    uint64_t m_cutoff;          //!< bytes
};

NS_OBJECT_ENSURE_REGISTERED(HomaCongestionControl);
DCFABRIC_OBJECT_CLONABLE(HomaCongestionControl);

TypeId
HomaCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HomaCongestionControl")
            .SetParent<CreditCongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<HomaCongestionControl>()
            .AddAttribute("Unscheduled",
                          "RTTbytes: sent of each message without a grant, in bandwidth-delay "
                          "products.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&HomaCongestionControl::m_unscheduled),
                          MakeDoubleChecker<double>(0, 1000))
            .AddAttribute("UnscheduledClass",
                          "Class of unscheduled packets of short messages, 1 to 7; those of longer "
                          "ones take the one below.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&HomaCongestionControl::m_unscheduledClass),
                          MakeUintegerChecker<uint8_t>(1, 7))
            .AddAttribute("Cutoff",
                          "Longest message that is short, in bytes.",
                          UintegerValue(10000),
                          MakeUintegerAccessor(&HomaCongestionControl::m_cutoff),
                          MakeUintegerChecker<uint64_t>(0, uint64_t{1} << 50));
    return tid;
}

CongestionControlNeeds
HomaCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.sends = true;
    needs.receiver = "ns3::HomaReceiverControl";
    needs.classes = static_cast<uint8_t>((2U << m_unscheduledClass) - 1); // granted ones are below
    return needs;
}

std::vector<PolicyDefault>
HomaCongestionControl::ListDefaults(const PolicyNetwork& /* network */) const
{
    // Packets of a flow in a lower class wait until those of others are through, and later ones of
    // that flow may get a higher class: only Homa's time-out tells that one is lost.
    auto defaults = PolicyDefault::WherePacketsOvertake();
    defaults.push_back({"ns3::FabricNic", "LeastTimeoutRtts", "200", PolicyDefault::Clash::LARGER});
    defaults.push_back({"ns3::RackRepeat", "LeastWindow", "200", PolicyDefault::Clash::LARGER});
    return defaults;
}

CreditCongestionControl::Terms
HomaCongestionControl::MakeTerms() const
{
    Terms terms;
    terms.messageBytes =
        static_cast<uint64_t>(m_unscheduled * static_cast<double>(GetPath().bdpBytes));
    return terms;
}

uint8_t
HomaCongestionControl::ChooseClass(const FabricPacketItem& item) const
{
    if (GetPath().lossless)
    {
        return item.GetPriority();
    }
    const double unscheduled = m_unscheduled * static_cast<double>(GetPath().bdpBytes);
    const bool again = (item.flags & FabricPacketItem::FLAG_RETRANSMISSION) != 0;
    const bool granted = GetGrantedClass() != GrantFields::OWN_PRIORITY;
    if (granted && (again || static_cast<double>(item.data.offset) >= unscheduled))
    {
        return GetGrantedClass();
    }
    return item.data.messageBytes <= m_cutoff ? m_unscheduledClass : m_unscheduledClass - 1;
}

} // namespace ns3
