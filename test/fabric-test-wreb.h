// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_WREB_H
#define FABRIC_TEST_WREB_H

#include "fabric-test-queue.h"
#include "fabric-test-units.h"

#include "ns3/back-to-sender-notice.h"
#include "ns3/back-to-sender-notifier.h"
#include "ns3/boolean.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/queue-view.h"
#include "ns3/string.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>

/**
 * @file
 * @brief What the suites of weighted random early back-to-sender notification share.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @brief A packet of a flow.
 */
class FlowItem : public TestQueueItem
{
  public:
    /**
     * @param flowId its flow
     * @param bytes its size
     * @param priority its class
     * @param ecn ECN codepoint
     * @param itemId its number
     */
    FlowItem(uint32_t flowId,
             uint32_t bytes,
             uint8_t priority = 0,
             uint8_t ecn = TestQueueItem::ECT0,
             uint32_t itemId = 0)
        : TestQueueItem(itemId, bytes, static_cast<uint8_t>(priority * 8), ecn),
          flow(flowId)
    {
    }

    uint32_t Hash(uint32_t /* perturbation */) const override
    {
        return flow;
    }

    uint32_t flow; //!< what Hash() tells
};

/**
 * @ingroup dcfabric-tests
 * @brief A context that says what the test wants.
 */
class TestContext : public QueueContext
{
  public:
    int64_t GetNowPs() const override
    {
        return nowPs;
    }

    uint64_t GetRateBps() const override
    {
        return rateBps;
    }

    uint64_t GetPortSentBytes() const override
    {
        return portSentBytes;
    }

    uint64_t GetWaitingBytes(uint8_t priority) const override
    {
        return waitingBytes.at(priority);
    }

    uint64_t GetBufferBytes() const override
    {
        return bufferBytes;
    }

    uint64_t GetGroupBytes(uint8_t classes) const override
    {
        const auto found = groupBytes.find(classes);
        return found == groupBytes.end() ? 0 : found->second;
    }

    uint64_t GetSource(const QueueDiscItem& item) const override
    {
        return item.Hash();
    }

    int64_t nowPs{0};                       //!< the present
    uint64_t rateBps{0};                    //!< of the link
    uint64_t portSentBytes{0};              //!< of the port
    std::array<uint64_t, 8> waitingBytes{}; //!< elsewhere, by class
    uint64_t bufferBytes{0};                //!< in the memory
    std::map<uint8_t, uint64_t> groupBytes; //!< by mask of classes
};

/**
 * @ingroup dcfabric-tests
 * @param profile MarkingProfile as a string
 * @param measure CongestionMeasure as a string
 * @param atDeparture when it decides
 * @return a notifier
 */
inline Ptr<BackToSenderNotifier>
MakeNotifier(const std::string& profile,
             const std::string& measure = "ns3::QueueOccupancyMeasure",
             bool atDeparture = false)
{
    const auto notifier = CreateObject<BackToSenderNotifier>();
    notifier->SetAttribute("Profile", StringValue(profile));
    notifier->SetAttribute("Measure", StringValue(measure));
    notifier->SetAttribute("AtDeparture", BooleanValue(atDeparture));
    return notifier;
}

constexpr const char* ALWAYS = "ns3::PiecewiseMarkingProfile[Points=0:1]"; //!< each packet triggers
constexpr const char* NEVER = "ns3::PiecewiseMarkingProfile[Points=0:0]";  //!< none does

/**
 * @ingroup dcfabric-tests
 * @param notifier when it notifies, null for never
 * @param child TypeId of the queue disc of each class
 * @return an initialized disc
 */
inline Ptr<CongestionAwareQueueDisc>
MakeNotifyingDisc(Ptr<BackToSenderNotifier> notifier, const std::string& child = "ns3::RingQueue")
{
    const auto disc = CreateObject<CongestionAwareQueueDisc>();
    disc->SetAttribute("ClassQueueDisc", StringValue(child));
    disc->SetBackToSender(notifier);
    disc->Initialize();
    return disc;
}

/**
 * @param notice about a TestQueueItem
 * @return number of the packet, `x` if it was dropped, `m` if it had a mark before
 */
inline std::string
Describe(const BackToSenderNotice& notice)
{
    return std::to_string(IdOf(notice.item)) + (notice.dropped ? "x" : "") +
           (notice.wasMarked ? "m" : "") + " ";
}

} // namespace ns3::tests

#endif /* FABRIC_TEST_WREB_H */
