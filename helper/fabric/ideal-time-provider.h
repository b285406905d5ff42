// SPDX-License-Identifier: GPL-2.0-only
#ifndef IDEAL_TIME_PROVIDER_H
#define IDEAL_TIME_PROVIDER_H

#include <cstdint>
#include <memory>

namespace ns3
{

class FabricGraph;
class RoutingBuilder;

/**
 * @ingroup dcfabric
 * @brief The least time that a message can take from host to host of an empty network, where the
 * module is built with what knows it (IdealTime).
 */
class IdealTimeProvider
{
  public:
    /// What takes 26 days or more takes this time: ps for which there is hardly a number.
    static constexpr int64_t BEYOND_PS = INT64_MAX / 4;

    virtual ~IdealTimeProvider();

    /**
     * @brief The time of a message that keeps to one path.
     * @param src host
     * @param dst another host
     * @param bytes length, at least 1
     * @return ps, exact for rates with whole ps per byte, at most BEYOND_PS
     */
    virtual int64_t GetOnePathPs(uint32_t src, uint32_t dst, uint64_t bytes) const = 0;

    /**
     * @brief The time of a message whose packets may take different paths.
     * @param src host
     * @param dst another host
     * @param bytes length, at least 1
     * @return ps, as above if there is only one path
     */
    virtual int64_t GetAllPathsPs(uint32_t src, uint32_t dst, uint64_t bytes) const = 0;

    /**
     * @brief Makes the one of a network.
     * @param graph the network
     * @param routing its routes; both outlive what is made
     * @param payloadBytes of a full packet
     * @param frameBytes what a packet takes on the wire beyond its payload, gap included
     */
    using Maker = std::unique_ptr<IdealTimeProvider> (*)(const FabricGraph& graph,
                                                         const RoutingBuilder& routing,
                                                         uint32_t payloadBytes,
                                                         uint32_t frameBytes);

    /**
     * @param graph,routing,payloadBytes,frameBytes as of Maker
     * @return that of a network; null: this build has none
     */
    static std::unique_ptr<IdealTimeProvider> Make(const FabricGraph& graph,
                                                   const RoutingBuilder& routing,
                                                   uint32_t payloadBytes,
                                                   uint32_t frameBytes);

    /**
     * @brief Have networks get theirs from somebody, from when static objects are made.
     * @param make makes it
     * @return true
     */
    static bool SetMaker(Maker make);
};

} // namespace ns3

#endif /* IDEAL_TIME_PROVIDER_H */
