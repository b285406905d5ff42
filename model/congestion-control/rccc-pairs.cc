// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Congestion controls of senders that have RCCC at their side.
 */
#include "composed-congestion-control.h"

#include "ns3/boolean.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Swift and RCCC.
 */
class SwiftRcccCongestionControl : public ComposedCongestionControl
{
  public:
    SwiftRcccCongestionControl()
        : ComposedCongestionControl("ns3::SwiftCongestionControl", "ns3::RcccCongestionControl")
    {
    }

    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::SwiftRcccCongestionControl")
                                .SetParent<ComposedCongestionControl>()
                                .SetGroupName("Dcfabric")
                                .AddConstructor<SwiftRcccCongestionControl>();
        return tid;
    }
};

/**
 * @ingroup dcfabric
 * @brief NSCC and RCCC, as Ultra Ethernet has both on: a packet that is trimmed at the last hop
 * lowers no window, for credit answers that (NsccCongestionControl::SparesLastHop).
 */
class NsccRcccCongestionControl : public ComposedCongestionControl
{
  public:
    NsccRcccCongestionControl()
        : ComposedCongestionControl("ns3::NsccCongestionControl", "ns3::RcccCongestionControl")
    {
        GetSenderControl()->SetAttribute("SparesLastHop", BooleanValue(true));
    }

    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::NsccRcccCongestionControl")
                                .SetParent<ComposedCongestionControl>()
                                .SetGroupName("Dcfabric")
                                .AddConstructor<NsccRcccCongestionControl>();
        return tid;
    }
};

NS_OBJECT_ENSURE_REGISTERED(SwiftRcccCongestionControl);
NS_OBJECT_ENSURE_REGISTERED(NsccRcccCongestionControl);

} // namespace ns3
