// SPDX-License-Identifier: GPL-2.0-only
#include "credit-congestion-control.h"

#include "ns3/boolean.h"
#include "ns3/double.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Sender's half of the receiver credit congestion control of Ultra Ethernet
 * (RcccReceiverControl).
 *
 * A PDC begins with a window of speculative credit, which ends with the first answer, and wants at
 * most a window at a time, which all PDCs of a host that have something to send share. Before that
 * answer it wants a packet at least if anything waits.
 */
class RcccCongestionControl : public CreditCongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    CongestionControlNeeds GetNeeds() const override;

  protected:
    Terms MakeTerms() const override;

  private:
    double m_window;         //!< in BDPs
    bool m_fabricCongestion; //!< receivers go by marks and trims, too
};

NS_OBJECT_ENSURE_REGISTERED(RcccCongestionControl);
DCFABRIC_OBJECT_CLONABLE(RcccCongestionControl);

TypeId
RcccCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RcccCongestionControl")
            .SetParent<CreditCongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<RcccCongestionControl>()
            .AddAttribute("Window",
                          "Credit to begin with, and most that is wanted at a time, in "
                          "bandwidth-delay products.",
                          DoubleValue(1.5),
                          MakeDoubleAccessor(&RcccCongestionControl::m_window),
                          MakeDoubleChecker<double>(0, 1000))
            .AddAttribute("FabricCongestion",
                          "Receivers grant less while packets are marked, or trimmed before the "
                          "last hop (RcccFabricReceiverControl).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RcccCongestionControl::m_fabricCongestion),
                          MakeBooleanChecker());
    return tid;
}

CongestionControlNeeds
RcccCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.sends = true;
    needs.receiver =
        m_fabricCongestion ? "ns3::RcccFabricReceiverControl" : "ns3::RcccReceiverControl";
    needs.ecn = m_fabricCongestion;
    return needs;
}

CreditCongestionControl::Terms
RcccCongestionControl::MakeTerms() const
{
    Terms terms;
    terms.firstBytes = static_cast<uint64_t>(m_window * static_cast<double>(GetPath().bdpBytes));
    terms.firstEnds = true;
    terms.mostBytes = terms.firstBytes;
    return terms;
}

} // namespace ns3
