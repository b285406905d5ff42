// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief How congested an acknowledged packet says that its path is.
 */
#ifndef CONGESTION_SIGNAL_H
#define CONGESTION_SIGNAL_H

#include "congestion-info.h"

#include "ns3/object.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A number from 0 (not congested) to 1 that an ACK tells of the packets it covers; for gates
 * that average it ([000] (100), (111)).
 *
 * One instance may serve many PDCs: it has no state.
 */
class CongestionSignal : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return the signal, 0 to 1 @param ack covers at least one packet @param path the connection
    virtual double Get(const AckInfo& ack, const PathInfo& path) const = 0;
};

/**
 * @ingroup dcfabric
 * @brief Exponential average of a signal over packets, 0 at the start. An ACK that covers n packets
 * moves it n times by the mean of their signals.
 */
class SignalAverage
{
  public:
    /// @brief Take an ACK into account. @param ack covers at least one packet @param path the
    /// connection @param signal what is averaged @param gain weight of a packet, 0 to 1
    void Enter(const AckInfo& ack,
               const PathInfo& path,
               const CongestionSignal& signal,
               double gain);

    /// @return the average, 0 to 1
    double Get() const
    {
        return m_average;
    }

  private:
    double m_average{0}; //!< so far
};

/**
 * @ingroup dcfabric
 * @brief The part of the packets that were marked: for an ACK of each packet 0 or 1.
 */
class MarkSignal : public CongestionSignal
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    double Get(const AckInfo& ack, const PathInfo& path) const override;
};

/**
 * @ingroup dcfabric
 * @brief By how much the RTT exceeds the base RTT of the pair of hosts, over FullExcess times that,
 * at most 1.
 */
class RttExcessSignal : public CongestionSignal
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    double Get(const AckInfo& ack, const PathInfo& path) const override;

  private:
    double m_fullExcess; //!< attribute
};

} // namespace ns3

#endif /* CONGESTION_SIGNAL_H */
