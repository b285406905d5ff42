// SPDX-License-Identifier: GPL-2.0-only
#ifndef GLOBAL_LINKS_H
#define GLOBAL_LINKS_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A link between two groups of a dragonfly.
 *
 * The global ports of a group are counted over its switches: port t of switch r is number
 * r h + t with h global ports at each switch.
 */
struct GlobalLink
{
    uint32_t groupA; //!< the lower group
    uint32_t portA;  //!< global port of that group
    uint32_t groupB; //!< the higher group
    uint32_t portB;  //!< global port of that one
};

/**
 * @ingroup dcfabric
 * @brief Join groups by as many links as their ports give every pair alike.
 *
 * The ports of a group form rounds of `groups - 1`, each of which holds one link to every other
 * group; ports that make no full round stay unused. So parallel links start at different switches
 * where there are enough. Within a round, port d of group i of g leads to
 *
 * - `absolute`: the other groups in ascending order;
 * - `relative`: group (i + d + 1) mod g;
 * - `palm-tree`: group (i - d - 1) mod g;
 * - `circulant`: groups i + 1, i - 1, i + 2, i - 2, ... mod g.
 *
 * Source: E. Hastings et al., "Comparing Global Link Arrangements for Dragonfly Networks", 2015
 * (absolute, relative, circulant); C. Camarero, E. Vallejo, R. Beivide, "Topological
 * Characterization of Hamming and Dragonfly Networks and Its Implications on Routing", 2014 (palm
 * tree). Rounds are a choice of ours.
 * @param arrangement one of GetGlobalArrangements()
 * @param groups number of groups, from 1 to ports + 1
 * @param ports global ports of each group
 * @return the links, by lower group and its port
 * @throws FabricError for an unknown arrangement, or if there are too many groups
 */
std::vector<GlobalLink> ArrangeGlobalLinks(const std::string& arrangement,
                                           uint32_t groups,
                                           uint32_t ports);

/// @ingroup dcfabric
/// @return names of all arrangements
std::vector<std::string> GetGlobalArrangements();

} // namespace ns3

#endif /* GLOBAL_LINKS_H */
