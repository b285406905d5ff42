// SPDX-License-Identifier: GPL-2.0-only
#ifndef RECOVERY_GROWTH_H
#define RECOVERY_GROWTH_H

#include "ns3/object.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief By how much RttEcnRecoveryModifier raises window and rate after an epoch without
 * congestion ([Patent] (191): slow start, or a variant of it).
 *
 * One instance may serve many PDCs: it has no state.
 */
class RecoveryGrowth : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param present window in bytes, or rate in bit/s, above 0
     * @param packet a full packet: its payload in bytes, or the rate of one per base RTT in bit/s
     * @return what it becomes, at least @p present
     */
    virtual double Raise(double present, double packet) const = 0;
};

/**
 * @ingroup dcfabric
 * @brief Multiplies by Factor: with 2 as slow start.
 */
class FactorGrowth : public RecoveryGrowth
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    double Raise(double present, double packet) const override;

  private:
    double m_factor; //!< by which window and rate grow after an epoch
};

/**
 * @ingroup dcfabric
 * @brief Adds Packets: with 1 as additive increase, more carefully where many connections may find
 * the same path idle.
 */
class PacketGrowth : public RecoveryGrowth
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    double Raise(double present, double packet) const override;

  private:
    /// Packets by which the window grows after an epoch; the rate by as many per base RTT
    double m_packets;
};

} // namespace ns3

#endif /* RECOVERY_GROWTH_H */
