// SPDX-License-Identifier: GPL-2.0-only
#ifndef PDC_TRACES_H
#define PDC_TRACES_H

#include "ns3/data-rate.h"
#include "ns3/lazy-trace.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

class SendingPdc;

/**
 * @ingroup dcfabric
 * @brief Where a sending PDC stands in the schedule of its NIC.
 */
enum class PdcState : uint8_t
{
    BLOCKED, //!< nothing to send, or the window is full
    READY,   //!< in the queue of those that may send now
    PACED,   //!< waits for its time by the pacing rate
    PAUSED,  //!< its class may not be sent
    PARKED,  //!< its packet waits for credits
};

/**
 * @ingroup dcfabric
 * @brief Trace sources of the sending PDCs of a NIC: CongestionWindow, Rate, RTT and State.
 *
 * A PDC lives as long as its messages and is no Object: its NIC has the trace sources, so that one
 * connection covers PDCs to come, and a sink is told which PDC it is.
 *
 *     Config::Connect("/NodeList/0/$ns3::FabricNic/CongestionWindow", MakeCallback(&OnWindow));
 *
 * A sink is called when a value has changed, once for what one ACK, notification or timer does,
 * with the value before and the new one. The first call of a PDC has 0, or BLOCKED, as the value
 * before. A sink may read the PDC; it must not change it.
 */
struct PdcTraces
{
    /**
     * @brief Signature of the CongestionWindow trace source.
     * @param pdc which PDC
     * @param oldBytes window before in payload bytes; 0: none
     * @param newBytes window in payload bytes; 0: none
     */
    typedef void (*WindowTracedCallback)(const SendingPdc& pdc,
                                         uint64_t oldBytes,
                                         uint64_t newBytes);

    /**
     * @brief Signature of the Rate trace source.
     * @param pdc which PDC
     * @param oldRate pacing rate before, of frame bytes
     * @param newRate pacing rate
     */
    typedef void (*RateTracedCallback)(const SendingPdc& pdc, DataRate oldRate, DataRate newRate);

    /**
     * @brief Signature of the RTT trace source.
     * @param pdc which PDC
     * @param oldRtt round-trip time of the ACK before
     * @param newRtt round-trip time of the packet that the last ACK answers
     */
    typedef void (*RttTracedCallback)(const SendingPdc& pdc, Time oldRtt, Time newRtt);

    /**
     * @brief Signature of the State trace source.
     * @param pdc which PDC
     * @param oldState where it stood
     * @param newState where it stands
     */
    typedef void (*StateTracedCallback)(const SendingPdc& pdc,
                                        PdcState oldState,
                                        PdcState newState);

    /// @return true if a source of window, rate or RTT has ever had a sink
    bool AreValuesTraced() const
    {
        return windowTrace.IsUsed() || rateTrace.IsUsed() || rttTrace.IsUsed();
    }

    LazyTrace<const SendingPdc&, uint64_t, uint64_t> windowTrace; //!< CongestionWindow
    LazyTrace<const SendingPdc&, DataRate, DataRate> rateTrace;   //!< Rate
    LazyTrace<const SendingPdc&, Time, Time> rttTrace;            //!< RTT
    LazyTrace<const SendingPdc&, PdcState, PdcState> stateTrace;  //!< State
};

} // namespace ns3

#endif /* PDC_TRACES_H */
