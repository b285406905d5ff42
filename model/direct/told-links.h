// SPDX-License-Identifier: GPL-2.0-only
#ifndef TOLD_LINKS_H
#define TOLD_LINKS_H

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Of which of its links each switch tells its neighbors, and which neighbors; shared by all
 * switches of a network.
 */
class ToldLinks
{
  public:
    /// A link that a switch tells of.
    struct Link
    {
        uint16_t port; //!< of the switch that has it
        uint32_t far;  //!< address of the switch at its far end
    };

    virtual ~ToldLinks() = default;

    /**
     * @param node address of a switch
     * @return the links that it tells of, in order of ports
     */
    const std::vector<Link>& Get(uint32_t node) const
    {
        return m_links[node];
    }

    /**
     * @brief Do two neighbors tell each other?
     * @param a,b addresses of switches with a link between them
     * @return true if they do
     */
    virtual bool Tell(uint32_t a, uint32_t b) const = 0;

    /**
     * @brief Does a packet go on over a link? Of several links it may take any.
     * @param node address of the switch that has the link
     * @param link one of Get()
     * @param address of a receiver, or of a switch by way of which the packet goes
     * @return true if the ways of the tables lead over it
     */
    virtual bool LeadsTo(uint32_t node, const Link& link, uint32_t address) const = 0;

  protected:
    /**
     * @brief Set the links.
     * @param links by address of a switch, in order of ports; empty for hosts
     */
    explicit ToldLinks(std::vector<std::vector<Link>> links)
        : m_links(std::move(links))
    {
    }

  private:
    std::vector<std::vector<Link>> m_links; //!< by address
};

} // namespace ns3

#endif /* TOLD_LINKS_H */
