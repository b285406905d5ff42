// SPDX-License-Identifier: GPL-2.0-only
#ifndef LINK_WALK_H
#define LINK_WALK_H

#include "route-walk.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The walk where packets keep their class: all classes are alike, and a channel is an input.
 *
 * Ways depend on nothing but the destination, so that all that come to a switch go on together:
 * ports are bits of words.
 */
class LinkWalk : public RouteWalk
{
  public:
    /**
     * @brief Walk.
     * @param fabric installed, outlives this object
     */
    LinkWalk(const Fabric& fabric, const RoutingBuilder& routing);

    SuccessorLists ListChannels() const override;
    SuccessorLists ListQueues() override;
    Channel GetChannel(uint32_t number) const override;

  private:
    void DoWalk(uint32_t destinationClass, uint32_t address, uint32_t tree) override;
    /// Find the ports to a destination.
    void FindOutputs(uint32_t node, uint32_t address, uint32_t tree);
    /// Note what a walk has met.
    void NoteQueues();

    /// @return the ports of a switch by which the walk has come to it: bits, m_words of them
    uint64_t* Inputs(uint32_t node)
    {
        return &m_inputs[std::size_t{node} * m_words];
    }

    /// @return the ports of a switch by which the walk goes on, likewise
    uint64_t* Outputs(uint32_t node)
    {
        return &m_outputs[std::size_t{node} * m_words];
    }

    std::size_t m_words;             //!< 64 bits each, for the ports of any switch
    std::vector<uint64_t> m_rows;    //!< by input: outputs of its switch to which packets go
    std::vector<uint64_t> m_inputs;  //!< of the present walk, by node
    std::vector<uint64_t> m_outputs; //!< of the present walk, by node
    std::vector<uint32_t> m_met;     //!< switches of the present walk
    std::vector<bool> m_isMet;       //!< by node
    std::vector<const uint16_t*> m_lastPorts; //!< of which m_outputs is, by node
    SuccessorLists* m_queues{nullptr};        //!< takes what ListQueues() returns
};

} // namespace ns3

#endif /* LINK_WALK_H */
