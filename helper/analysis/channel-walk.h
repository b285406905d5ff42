// SPDX-License-Identifier: GPL-2.0-only
#ifndef CHANNEL_WALK_H
#define CHANNEL_WALK_H

#include "route-walk.h"

#include "ns3/virtual-channels.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The walk where packets change their class on their way: a channel is an input and a class,
 * number 8 x input + class.
 *
 * It follows the rule of the switches (VirtualChannels) from the classes in which hosts send.
 * Where packets go by way of a switch (ViaPlan), from every place where the way to a via can end
 * they may go on to every destination.
 */
class ChannelWalk : public RouteWalk
{
  public:
    /**
     * @brief Walk.
     * @param fabric installed, outlives this object
     */
    ChannelWalk(const Fabric& fabric, const RoutingBuilder& routing);

    SuccessorLists ListChannels() const override;
    SuccessorLists ListQueues() override;
    Channel GetChannel(uint32_t number) const override;

  private:
    /// A way on.
    struct Step
    {
        uint16_t port; //!< output
        uint32_t next; //!< channel at the next switch
    };

    void DoWalk(uint32_t destinationClass, uint32_t address, uint32_t tree) override;
    /// Choose classes in which hosts send, one of those that are alike.
    void ChooseSendClasses();
    /// Enter the network at a switch.
    void Enter(uint32_t node, uint32_t address, uint32_t tree);
    /// Get a via behind the switch at which packets have entered (ViaPlan::MayChooseAgain()).
    void EnterAgain(uint32_t node);
    /// Come to a channel, for the first time in this walk or again.
    void Meet(uint32_t channel);
    /// @return how packets go on; @p ingress is NO_PORT for those that the switch makes
    std::vector<Step> ListSteps(uint32_t node,
                                uint16_t ingress,
                                uint8_t priority,
                                uint32_t address,
                                uint32_t tree) const;
    /// Go on from a channel.
    void Leave(uint32_t channel, uint32_t address, uint32_t tree);

    std::vector<Ptr<VirtualChannels>> m_rules; //!< by node; null for hosts
    std::vector<uint32_t> m_nodeOf;            //!< by input
    std::vector<uint8_t> m_sendClasses; //!< in which packets enter, of those that are alike one
    SuccessorLists m_successors;        //!< see ListChannels()
    std::vector<uint32_t> m_walkOf;     //!< by channel: walk that met it last
    uint32_t m_walk{0};                 //!< number of the present one
    std::vector<uint32_t> m_met;        //!< channels of the present walk
    std::vector<bool> m_endsVia;        //!< by channel: the way to a via ends there
    std::vector<uint32_t> m_behindVia;  //!< those
    SuccessorLists* m_queues{nullptr};  //!< takes what ListQueues() returns
};

} // namespace ns3

#endif /* CHANNEL_WALK_H */
