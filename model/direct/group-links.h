// SPDX-License-Identifier: GPL-2.0-only
#ifndef GROUP_LINKS_H
#define GROUP_LINKS_H

#include "told-links.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief ToldLinks of a network of groups: the switches of a group tell one another of their links
 * to other groups.
 */
class GroupLinks : public ToldLinks
{
  public:
    /**
     * @brief Set groups and links.
     * @param groupOf by fabric address
     * @param globals links to other groups, by address of a switch
     */
    GroupLinks(std::vector<uint32_t> groupOf, std::vector<std::vector<Link>> globals)
        : ToldLinks(std::move(globals)),
          m_groupOf(std::move(groupOf))
    {
    }

    // from ToldLinks
    bool Tell(uint32_t a, uint32_t b) const override
    {
        return m_groupOf[a] == m_groupOf[b];
    }

    bool LeadsTo(uint32_t /* node */, const Link& link, uint32_t address) const override
    {
        return m_groupOf[link.far] == m_groupOf[address];
    }

  private:
    std::vector<uint32_t> m_groupOf; //!< by fabric address
};

} // namespace ns3

#endif /* GROUP_LINKS_H */
