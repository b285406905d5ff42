// SPDX-License-Identifier: GPL-2.0-only
#ifndef IDEAL_TIME_H
#define IDEAL_TIME_H

#include "allowed-paths.h"

#include "ns3/ideal-time-provider.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The least time that a message can take from host to host of an empty network, store and
 * forward.
 *
 * A message that keeps to one path takes the time of the path that is fastest for its length. One
 * whose packets may take different paths leaves its host one packet after the other, at the rate of
 * its fastest port, and is not faster than any of
 * - the last packet, which leaves when all others have left;
 * - links that all packets share, or of which each path has one and which are alike: they take
 *   packets as these come from the host, one by one;
 * - all links together: by any time t a link can have passed on so many packets that still arrive
 *   by t, and the largest flow with these capacities has to be all of the message.
 *
 * This is a lower bound, which a spraying that is always lucky reaches; of paths that are alike,
 * and do not narrow, any spraying does.
 */
class IdealTime : public IdealTimeProvider
{
  public:
    /**
     * @param graph the network
     * @param routing its routes; both outlive this object
     * @param payloadBytes of a full packet
     * @param frameBytes what a packet takes on the wire beyond its payload, gap included
     */
    IdealTime(const FabricGraph& graph,
              const RoutingBuilder& routing,
              uint32_t payloadBytes,
              uint32_t frameBytes);

    int64_t GetOnePathPs(uint32_t src, uint32_t dst, uint64_t bytes) const override;
    int64_t GetAllPathsPs(uint32_t src, uint32_t dst, uint64_t bytes) const override;

  private:
    /// The packets of a message.
    struct Packets
    {
        uint64_t number;    //!< of them
        uint64_t fullBytes; //!< of all but the last, on the wire
        uint64_t lastBytes; //!< of the last one, on the wire
    };

    /// A link, and what a packet needs before and behind it. Those of the last packet are shorter.
    struct Passage
    {
        AllowedPaths::Link link; //!< the link
        int64_t fullPs;          //!< a full packet on it, without the delay
        int64_t lastPs;          //!< the last packet on it
        int64_t beforeFullPs;    //!< from the source to its begin
        int64_t beforeLastPs;    //!< likewise
        int64_t afterFullPs;     //!< from its begin, delay included, to the destination
        int64_t afterLastPs;     //!< likewise
        uint32_t alike;          //!< links of which each path has one, all like this one; 1: all
                                 //!< paths have this link, 0: such links differ
    };

    /// @return the packets of a message
    Packets Split(uint64_t bytes) const;
    /// @return time on a path
    static int64_t GetShapePs(const PathShape& shape, const Packets& packets);
    /// @return all links
    std::vector<Passage> ListPassages(uint32_t src, uint32_t dst, const Packets& packets) const;
    /// Find links that are alike among all.
    void CountAlike(std::vector<Passage>& passages, uint32_t src, uint32_t dst) const;
    /// @return a time before which a message of at least two packets, which leave the source at a
    /// pace, cannot have arrived, by the last packet and by shared links
    static int64_t GetSharedBoundPs(const std::vector<Passage>& passages,
                                    uint32_t src,
                                    const Packets& packets,
                                    uint64_t paceBps);
    /// @return true if as many full packets can have arrived by a time
    bool CanCarry(const std::vector<Passage>& passages,
                  uint32_t src,
                  uint32_t dst,
                  const Packets& packets,
                  uint64_t number,
                  int64_t byPs) const;

    AllowedPaths m_paths;    //!< its paths
    uint32_t m_payloadBytes; //!< of a full packet
    uint32_t m_frameBytes;   //!< beyond the payload
};

} // namespace ns3

#endif /* IDEAL_TIME_H */
