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
 * that average it ([Patent] (100), (111)).
 *
 * One instance may serve many PDCs: it has no state.
 */
class CongestionSignal : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param ack covers at least one packet
     * @param path the connection
     * @return the signal, 0 to 1
     */
    virtual double Get(const AckInfo& ack, const PathInfo& path) const = 0;
};

/**
 * @return what tells a gate of the congestion of a connection, whatever its congestion control goes
 * by: MarkOrDelaySignal where PathInfo::marksTell, otherwise QueueDelaySignal
 * @param path the connection
 */
Ptr<CongestionSignal> MakeDefaultSignal(const PathInfo& path);

/**
 * @ingroup dcfabric
 * @brief Exponential average of a signal over packets, 0 at the start. An ACK that covers n packets
 * moves it n times by the mean of their signals.
 */
class SignalAverage
{
  public:
    /**
     * @brief Take an ACK into account.
     * @param ack covers at least one packet
     * @param path the connection
     * @param signal what is averaged
     * @param gain weight of a packet, 0 to 1
     */
    void Enter(const AckInfo& ack,
               const PathInfo& path,
               const CongestionSignal& signal,
               double gain);

    /**
     * @brief Take packets into account that a queue has notified of: they met congestion.
     * @param packets how many
     * @param gain weight of a packet, 0 to 1
     */
    void EnterNotified(double packets, double gain);

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
    /// Excess over the base RTT of the pair of hosts, in such RTTs, that counts as 1
    double m_fullExcess;
};

/**
 * @ingroup dcfabric
 * @brief MarkSignal, or by how much the RTT exceeds the base RTT of the pair of hosts, over
 * FullDelay times that, whichever is more, at most 1.
 *
 * Marks are drawn with a small probability while a queue grows; the RTT tells of each packet.
 */
class MarkOrDelaySignal : public CongestionSignal
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    double Get(const AckInfo& ack, const PathInfo& path) const override;

  private:
    double m_fullDelay; //!< excess over the base RTT that counts as 1, in delays of marks
};

/**
 * @ingroup dcfabric
 * @brief How long a packet waited in queues, over FullDelay times the base RTT of the pair of
 * hosts, at most 1.
 *
 * If the ACK has INT records, it is the time that the queue of one link takes to drain, where that
 * is longest: INT on ACKs (FNCC) is newer than the packet's own delay. Otherwise it is what the RTT
 * exceeds the base RTT by.
 */
class QueueDelaySignal : public CongestionSignal
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    double Get(const AckInfo& ack, const PathInfo& path) const override;

  private:
    double m_fullDelay; //!< delay in queues, in base RTTs, that counts as 1
};

} // namespace ns3

#endif /* CONGESTION_SIGNAL_H */
