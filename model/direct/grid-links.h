// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRID_LINKS_H
#define GRID_LINKS_H

#include "grid-channels.h"
#include "told-links.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief ToldLinks of a grid whose dimensions are full meshes, under dimension order. A packet that
 * comes over a link of one dimension goes on over one of a higher one: a switch tells of links of
 * all dimensions but the first, and only neighbors of all dimensions but the last.
 */
class GridLinks : public ToldLinks
{
  public:
    /**
     * @brief Set places and links.
     * @param places of all switches
     * @param links of all dimensions but the first, by address of a switch
     */
    GridLinks(std::shared_ptr<const GridPlaces> places, std::vector<std::vector<Link>> links)
        : ToldLinks(std::move(links)),
          m_places(std::move(places))
    {
    }

    // from ToldLinks
    bool Tell(uint32_t a, uint32_t b) const override
    {
        return m_places->FindDifference(a, b) + 1 < m_places->GetNDimensions();
    }

    bool LeadsTo(uint32_t node, const Link& link, uint32_t address) const override
    {
        const uint32_t d = m_places->FindDifference(node, address);
        return d < m_places->GetNDimensions() && m_places->FindDifference(node, link.far) == d &&
               m_places->Get(link.far, d) == m_places->Get(address, d);
    }

  private:
    std::shared_ptr<const GridPlaces> m_places; //!< of all switches
};

} // namespace ns3

#endif /* GRID_LINKS_H */
