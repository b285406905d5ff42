// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_CONTROL_H
#define FABRIC_TEST_CONTROL_H

#include "ns3/congestion-control.h"
#include "ns3/double.h"
#include "ns3/fabric-helper.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @brief A congestion control that does what a test says.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @brief Fixed window and rate, until the test or the first ACK changes them.
 */
class FixedCongestionControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::tests::FixedCongestionControl")
                .SetParent<CongestionControl>()
                .SetGroupName("Dcfabric")
                .AddConstructor<FixedCongestionControl>()
                .AddAttribute("Window",
                              "Payload bytes.",
                              UintegerValue(UNLIMITED),
                              MakeUintegerAccessor(&FixedCongestionControl::m_initialWindow),
                              MakeUintegerChecker<uint64_t>(1))
                .AddAttribute("Rate",
                              "bit/s.",
                              DoubleValue(1e15),
                              MakeDoubleAccessor(&FixedCongestionControl::m_initialRate),
                              MakeDoubleChecker<double>(1))
                .AddAttribute("WindowAfterAck",
                              "Payload bytes from the first ACK on; 0: no change.",
                              UintegerValue(0),
                              MakeUintegerAccessor(&FixedCongestionControl::m_laterWindow),
                              MakeUintegerChecker<uint64_t>());
        return tid;
    }

    /// @return the name under which helpers find it
    static std::string Name()
    {
        return GetTypeId().GetName();
    }

    void OnAck(const AckInfo& ack) override
    {
        last = ack;
        last.item = nullptr;
        if (m_laterWindow > 0)
        {
            Propose(ack.nowPs, m_laterWindow, GetRate());
        }
    }

    /**
     * @brief Change both outside of a call from the PDC.
     * @param nowPs time
     * @param window bytes
     * @param rate bit/s
     */
    void Change(int64_t nowPs, uint64_t window, double rate)
    {
        Propose(nowPs, window, rate);
        GetHost()->RateChanged();
    }

    AckInfo last; //!< what the last ACK told

  protected:
    void DoStart() override
    {
        SetInitial(m_initialWindow, m_initialRate);
    }

  private:
    uint64_t m_initialWindow{UNLIMITED}; //!< bytes
    double m_initialRate{1e15};          //!< bit/s
    uint64_t m_laterWindow{0};           //!< bytes
};

/**
 * @ingroup dcfabric-tests
 * @param window payload bytes
 * @param rate bit/s
 * @return a helper with FixedCongestionControl
 */
inline FabricHelper
MakeFixed(uint64_t window, double rate = 1e15)
{
    FabricHelper helper;
    helper.SetCongestionControl(FixedCongestionControl::Name(),
                                "Window",
                                UintegerValue(window),
                                "Rate",
                                DoubleValue(rate));
    return helper;
}

} // namespace ns3::tests

#endif /* FABRIC_TEST_CONTROL_H */
