// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_INT_H
#define FABRIC_TEST_INT_H

#include "fabric-test-network.h"
#include "fabric-test-suite.h"

#include "ns3/fabric-helper.h"
#include "ns3/nstime.h"
#include "ns3/test.h"

#include <string>
#include <vector>

/**
 * @file
 * @brief What the suites of INT at switches share.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @brief Writes down what passes a port.
 */
class IntTestCase : public NamedCase
{
  public:
    using NamedCase::NamedCase;

  protected:
    /// A packet as it went on a wire.
    struct Seen
    {
        FabricPacketType type;          //!< what
        uint32_t size;                  //!< bytes
        uint32_t flags;                 //!< flags
        std::vector<IntSample> samples; //!< records
    };

    /**
     * @brief Watch a port.
     * @param fabric network
     * @param node number
     * @param port number
     */
    void Watch(Ptr<Fabric> fabric, uint32_t node, uint32_t port)
    {
        m_seen.clear();
        fabric->GetPort(node, port)
            ->TraceConnectWithoutContext("Transmit", MakeCallback(&IntTestCase::See, this));
    }

    /**
     * @param helper to be set up for HPCC, or FNCC with a table that is always current
     * @param name of it
     */
    static void Choose(FabricHelper& helper, const std::string& name)
    {
        helper.SetCongestionControl("ns3::" + name + "CongestionControl");
        if (name == "Fncc")
        {
            helper.AddSwitchFeature("ns3::FnccIntFeature", "RefreshInterval", TimeValue(Time(0)));
        }
        else
        {
            helper.AddSwitchFeature("ns3::" + name + "IntFeature");
        }
    }

    /**
     * @param sample a record
     * @param timePs,txBytes,queueBytes what it should be
     * @param what for messages
     */
    void Expect(const IntSample& sample,
                int64_t timePs,
                uint64_t txBytes,
                uint64_t queueBytes,
                const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(sample.timePs, timePs, what << ": time");
        NS_TEST_EXPECT_MSG_EQ(sample.txBytes, txBytes, what << ": bytes sent");
        NS_TEST_EXPECT_MSG_EQ(sample.queueBytes, queueBytes, what << ": queue");
    }

    std::vector<Seen> m_seen; //!< so far

  private:
    /// @param item a packet going on the wire
    void See(Ptr<const FabricPacketItem> item)
    {
        Seen seen{item->type, item->size, item->flags, {}};
        Ptr<IntFormat> packed = CreateObject<IntFormat>();
        for (uint8_t i = 0; i < item->intCount; ++i)
        {
            seen.samples.push_back(item->exactInt ? (*item->exactInt)[i]
                                                  : packed->Unpack(item->intRecords[i]));
        }
        m_seen.push_back(seen);
    }
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_INT_H */
