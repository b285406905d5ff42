// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_BTS_H
#define FABRIC_TEST_BTS_H

#include "fabric-test-transport.h"

#include "ns3/bts-congestion-control.h"
#include "ns3/bts-packet.h"
#include "ns3/config.h"
#include "ns3/fabric-helper.h"
#include "ns3/string.h"
#include "ns3/wreb-feature.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @brief What the suites of back-to-sender notification in networks share.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @brief The congestion control that notifications drive, writing down what it hears and when it
 * first cuts; without obeys it sends at the line rate for ever.
 */
class WatchedBts : public BtsCongestionControl
{
  public:
    /// A notification, or the echo of marks.
    struct Record
    {
        const WatchedBts* flow; //!< who heard it
        int64_t nowPs;          //!< when
        bool isBts;             //!< a notification
        bool dropped;           //!< of a drop
        bool repeated;          //!< the second one of its packet
        uint32_t psn;           //!< of the packet
        BtsFields bts;          //!< of a notification
        uint8_t intCount;       //!< INT records with it
        uint64_t intRecord;     //!< the first of them
        uint32_t size;          //!< frame
    };

    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::WatchedBts")
                                .SetParent<BtsCongestionControl>()
                                .SetGroupName("Dcfabric")
                                .AddConstructor<WatchedBts>();
        return tid;
    }

    void OnBts(const BtsNotice& notice) override
    {
        const FabricPacketItem& item = *notice.item;
        records.push_back({this,
                           notice.nowPs,
                           true,
                           notice.dropped,
                           notice.repeated,
                           item.psn,
                           item.As<BtsFields>(),
                           item.intCount,
                           item.intCount > 0 ? item.intRecords[0] : 0,
                           item.size});
        if (obeys)
        {
            BtsCongestionControl::OnBts(notice);
            NoteCut(notice.nowPs);
        }
    }

    void OnAck(const AckInfo& ack) override
    {
        if (ack.markedPackets > 0)
        {
            records.push_back({this, ack.nowPs, false, false, false, 0, {}, 0, 0, 0});
        }
        if (obeys)
        {
            BtsCongestionControl::OnAck(ack);
            NoteCut(ack.nowPs);
        }
    }

    /// Forget everything.
    static void Reset()
    {
        records.clear();
        firstCutPs.clear();
        obeys = true;
    }

    static inline std::vector<Record> records;                     //!< of all flows
    static inline std::map<const WatchedBts*, int64_t> firstCutPs; //!< by flow
    static inline bool obeys{true};                                //!< react

  private:
    /**
     * @brief Note the first cut.
     * @param nowPs time in ps
     */
    void NoteCut(int64_t nowPs)
    {
        if (GetRate() < static_cast<double>(GetPath().lineRateBps))
        {
            firstCutPs.emplace(this, nowPs);
        }
    }
};

/**
 * @param profile points of the piecewise profile; empty for the default ones
 * @return a helper with that congestion control and notifications
 */
inline FabricHelper
MakeBtsHelper(const std::string& profile = "")
{
    WatchedBts::Reset();
    FabricHelper helper;
    helper.SetCongestionControl(WatchedBts::GetTypeId().GetName());
    helper.AddSwitchFeature("ns3::WrebFeature");
    if (!profile.empty())
    {
        Config::SetDefault("ns3::PiecewiseMarkingProfile::Points", StringValue(profile));
    }
    return helper;
}

} // namespace ns3::tests

#endif /* FABRIC_TEST_BTS_H */
