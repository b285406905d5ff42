// SPDX-License-Identifier: GPL-2.0-only
#ifndef ECMP_PATH_SELECTOR_H
#define ECMP_PATH_SELECTOR_H

#include "path-selector.h"

#include <array>
#include <cstdint>

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
    uint16_t Predict(const PortGroup& group, const FabricPacketItem& item) const override;
    uint16_t SelectAgain(const PortGroup& rest, const FabricPacketItem& item) override;

  private:
    uint32_t m_seed{0}; //!< changes all choices
    uint32_t m_salt{0}; //!< of this switch
};

/**
 * @ingroup dcfabric
 * @brief Per-flow ECMP with which data and ACK share every link ([FNCC] section 3.1, observation 2,
 * first method).
 *
 * The hash does not depend on the direction, and the equal-cost neighbors are in the same order
 * everywhere. The salt is that of the lower tier of the two that a choice lies between if it leads
 * up, of the tier below the chosen one if it leads down: a switch that leads down to one of
 * several switches of tier t + 1 chooses as switches of tier t do when they lead up to them, so
 * that both directions choose the same switch. The choice among parallel links to one neighbor is a
 * second step whose salt is the same at both ends.
 *
 * Hosts with several links take one by the entropy (HostRoutes): its remainder decides on the
 * switch, what is left on the link to it. So does the choice among the last-hop switches of a host,
 * and among several links of one of them to it. Answers leave by the port that their packet came in
 * by, so that both directions meet the same links there, too.
 */
class SymmetricEcmpPathSelector : public PathSelector
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    void Attach(uint32_t address, uint8_t tier) override;
    uint16_t Predict(const PortGroup& group, const FabricPacketItem& item) const override;
    uint16_t SelectAgain(const PortGroup& rest, const FabricPacketItem& item) override;

    bool IsSymmetric() const override
    {
        return true;
    }

  private:
    static constexpr uint16_t N_SALTS = 8; //!< tiers with a salt of their own

    uint32_t m_seed{0};                          //!< changes all choices
    uint16_t m_tier{0};                          //!< of this switch
    std::array<uint32_t, N_SALTS + 1> m_salts{}; //!< by tier of the neighbors, the last for others
};

} // namespace ns3

#endif /* ECMP_PATH_SELECTOR_H */
