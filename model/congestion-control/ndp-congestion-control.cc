// SPDX-License-Identifier: GPL-2.0-only
#include "credit-congestion-control.h"

#include "ns3/double.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Sender's half of NDP (Handley et al., SIGCOMM 2017): a window of packets at once, then one
 * for each that the receiver pulls (NdpReceiverControl), lost and trimmed ones before new ones.
 */
class NdpCongestionControl : public CreditCongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    CongestionControlNeeds GetNeeds() const override;

  protected:
    Terms MakeTerms() const override;

  private:
    double m_window; //!< in BDPs
};

NS_OBJECT_ENSURE_REGISTERED(NdpCongestionControl);
DCFABRIC_OBJECT_CLONABLE(NdpCongestionControl);

TypeId
NdpCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::NdpCongestionControl")
            .SetParent<CreditCongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<NdpCongestionControl>()
            .AddAttribute("InitialWindow",
                          "Sent before anything is pulled, in bandwidth-delay products.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&NdpCongestionControl::m_window),
                          MakeDoubleChecker<double>(0, 1000));
    return tid;
}

CongestionControlNeeds
NdpCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.sends = true;
    needs.receiver = "ns3::NdpReceiverControl";
    return needs;
}

CreditCongestionControl::Terms
NdpCongestionControl::MakeTerms() const
{
    Terms terms;
    terms.firstBytes = static_cast<uint64_t>(m_window * static_cast<double>(GetPath().bdpBytes));
    return terms;
}

} // namespace ns3
