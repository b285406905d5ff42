// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONGESTION_MODIFIER_H
#define CONGESTION_MODIFIER_H

#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

struct AckInfo;
struct PathInfo;

/**
 * @ingroup dcfabric
 * @brief Why a congestion control proposes a new window or rate.
 */
enum class CongestionCause : uint8_t
{
    SIGNAL,   //!< a mark, a measurement, a notification
    RECOVERY, //!< the algorithm's own increase
    LOSS,     //!< packets were lost
    TIMEOUT,  //!< the retransmission timer expired
};

/**
 * @ingroup dcfabric
 * @brief A change of window and rate on its way from the algorithm to the PDC.
 */
struct CongestionProposal
{
    int64_t nowPs;         //!< time in ps
    CongestionCause cause; //!< why
    uint64_t window;       //!< proposed window in bytes
    double rate;           //!< proposed rate in bit/s
    uint64_t oldWindow;    //!< window in force
    double oldRate;        //!< rate in force
};

/**
 * @ingroup dcfabric
 * @brief Changes what any congestion control proposes, before it takes hold.
 *
 * The seam for ratio-based cuts, gates and recovery ([000]): gates and cuts act on reductions,
 * recovery on increases. A modifier sees every ACK before the algorithm does. One instance serves
 * one PDC.
 */
class CongestionModifier : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @brief The connection starts. @param path the connection
    virtual void Start(const PathInfo& path);

    /// @brief An acknowledgement arrived; called before the algorithm sees it. @param ack what it
    /// tells
    virtual void OnAck(const AckInfo& ack);

    /**
     * @brief Change a proposal in place.
     *
     * Must leave a reduction whose cause is LOSS or TIMEOUT as it is.
     * @param proposal what the algorithm, or the modifier before, wants
     */
    virtual void Modify(CongestionProposal& proposal) = 0;
};

} // namespace ns3

#endif /* CONGESTION_MODIFIER_H */
