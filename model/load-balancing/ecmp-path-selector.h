// SPDX-License-Identifier: GPL-2.0-only
#ifndef ECMP_PATH_SELECTOR_H
#define ECMP_PATH_SELECTOR_H

#include "path-selector.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Per-flow ECMP: each switch hashes source, destination and entropy in their order with a
 * salt of its own.
 */
class EcmpPathSelector : public PathSelector
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    void Attach(uint32_t address, uint8_t tier) override;
    uint16_t Select(const PortGroup& group, const FabricPacketItem& item) override;
    uint16_t Foresee(const PortGroup& group, const FabricPacketItem& item) const override;

  private:
    uint32_t m_seed{0}; //!< attribute
    uint32_t m_salt{0}; //!< of this switch
};

/**
 * @ingroup dcfabric
 * @brief Per-flow ECMP with which data and ACK share every link ([001] section 3.1, observation 2,
 * first method).
 *
 * The hash does not depend on the direction, all switches of a tier use the same salt, and the
 * equal-cost neighbors are in the same order everywhere; so both directions choose the same switch
 * in the middle. The choice among parallel links to one neighbor is a second step whose salt is the
 * same at both ends.
 */
class SymmetricEcmpPathSelector : public PathSelector
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    void Attach(uint32_t address, uint8_t tier) override;
    uint16_t Select(const PortGroup& group, const FabricPacketItem& item) override;
    uint16_t Foresee(const PortGroup& group, const FabricPacketItem& item) const override;
    bool IsSymmetric() const override;

  private:
    uint32_t m_seed{0}; //!< attribute
    uint32_t m_salt{0}; //!< of this tier
};

} // namespace ns3

#endif /* ECMP_PATH_SELECTOR_H */
