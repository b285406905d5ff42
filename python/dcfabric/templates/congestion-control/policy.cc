/**
 * @file
 * @brief A congestion control of one's own, which dcfabric-sim loads.
 */
#include "ns3/congestion-control.h"
#include "ns3/policy-library.h"

#include <algorithm>

DCFABRIC_POLICY_LIBRARY; // once in a library: what it was compiled against

namespace ns3
{

/// A window that grows by a packet in a round trip while packets wait less than Target on their
/// way, and else shrinks with the excess, by half at most and once per round trip.
class @NAME@ : public CongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::@NAME@")
                                .SetParent<CongestionControl>()
                                .AddConstructor<@NAME@>()
                                .AddAttribute("Target",
                                              "Time in queues that is tolerated.",
                                              TimeValue(MicroSeconds(2)),
                                              MakeTimeAccessor(&@NAME@::m_target),
                                              MakeTimeChecker(Time(0)));
        return tid;
    }

    void OnAck(const AckInfo& ack) override
    {
        const double queuedPs = static_cast<double>(ack.rttPs - GetPath().pairRttPs);
        const double excessPs = queuedPs - 1e3 * static_cast<double>(m_target.GetNanoSeconds());
        double window = static_cast<double>(GetDueWindow());
        if (excessPs <= 0)
        {
            window += 1.0 * GetPath().payloadBytes * ack.ackedPayload / window;
        }
        else if (ack.cumulativeBytes >= m_nextCut)
        {
            window *= std::max(0.5, 1 - 0.8 * excessPs / queuedPs);
            m_nextCut = ack.sentBytes; // the next cut is for packets sent with this window
        }
        SendWith(ack.nowPs, window, CongestionCause::SIGNAL);
    }

    void OnTimeout(int64_t nowPs) override
    {
        SendWith(nowPs, GetPath().payloadBytes, CongestionCause::TIMEOUT);
    }

  protected:
    void DoStart() override
    {
        SetInitial(GetPath().bdpBytes, static_cast<double>(GetPath().lineRateBps));
    }

  private:
    /// Propose a window, and the rate that sends it in one base RTT.
    void SendWith(int64_t nowPs, double window, CongestionCause cause)
    {
        const double most = static_cast<double>(GetPath().bdpBytes);
        window = std::clamp(window, static_cast<double>(GetPath().payloadBytes), most);
        const double rate = window / most * static_cast<double>(GetPath().lineRateBps);
        Propose(nowPs, static_cast<uint64_t>(window), rate, cause);
    }

    Time m_target;         //!< attribute
    uint64_t m_nextCut{0}; //!< acknowledged bytes from which on the window may be cut again
};

NS_OBJECT_ENSURE_REGISTERED(@NAME@);

} // namespace ns3
