// SPDX-License-Identifier: GPL-2.0-only
#ifndef HERMES_FEATURE_H
#define HERMES_FEATURE_H

#include "edge-path-feature.h"
#include "hermes-path.h"

#include "ns3/flow-key.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/wire-format.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace ns3
{

class LogComponent;
struct HermesProbe;

/**
 * @ingroup dcfabric
 * @brief Hermes ([HERMES]_) at the switches of hosts: paths are good, gray, congested or failed,
 * and a flow leaves one only when it has to, or when much is gained.
 *
 * What is known of a path (HermesPath) comes from answers to the flows that take it and from
 * probes. To each other edge switch to which packets go, three probes leave each ProbeInterval: on
 * the path that was best among those probed before, and on two that are drawn.
 *
 * - A flow that begins, that has timed out or whose path has failed takes a good path; if there is
 *   none, a gray one; else any that has not failed. Among several that with the least load of this
 *   switch.
 * - A flow on a congested path stays, unless it has sent more than MoveBytes there, sends at less
 *   than MoveRate and finds a good path, or else a gray one, that is better by BetterDelay and
 *   BetterShare. With a probability of 1 - MoveChance it stays for another MovePause all the same,
 *   so that not all flows move at once.
 *
 * Data and its answers are led so, though answers do not move because of congestion.
 */
class HermesFeature : public EdgePathFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    HermesFeature();

    // from SwitchFeature
    uint32_t GetHooks() const override;
    Effects GetEffects() const override;
    Counters GetCounters() const override;
    void Attach(FabricSwitch* sw, uint32_t number) override;
    int64_t AssignStreams(int64_t stream) override;
    bool OnReceive(FabricNetDevice& ingress, FabricPacketItem& item) override;
    bool OnConsume(FabricNetDevice& ingress, FabricPacketItem& item) override;
    void OnTimer(int64_t nowPs) override;

    /**
     * @param edge another edge switch
     * @param path a path to it
     * @return what is known of it; null: nothing
     */
    const HermesPath* FindPathState(uint32_t edge, uint32_t path) const;

    /**
     * @param edge another edge switch
     * @param path a path to it
     * @return how good it is
     */
    HermesPath::State GetState(uint32_t edge, uint32_t path) const;

    /**
     * @param flow of a host here
     * @return its path; EdgePath::NONE: nothing is known of it
     */
    uint32_t GetPath(const FlowKey& flow) const;

  protected:
    void DoDispose() override;

  private:
    static LogComponent g_log; //!< of this class

    /// What is known of a flow.
    struct Flow
    {
        uint32_t path{EdgePath::NONE}; //!< its path
        int64_t sincePs{0};            //!< when it came there
        int64_t lastPs{0};             //!< last packet
        int64_t answerPs{0};           //!< last answer
        int64_t silentPs{0};           //!< last time-out
        int64_t tryPs{0};              //!< does not move because of congestion before
        uint64_t bytes{0};             //!< sent on this path
        DiscountingRate load;          //!< what it sends
    };

    /// Another edge switch to which packets go.
    struct Peer
    {
        int64_t lastPs{0};             //!< last packet
        int64_t probePs{-1};           //!< next probes; negative: none
        uint32_t best{EdgePath::NONE}; //!< path with the least delay among those probed last
        int64_t bestPs{0};             //!< that
    };

    /// @return what is known of a path, made at first use
    HermesPath& GetPathState(uint32_t edge, uint32_t path);
    /// @return number of the present period of the estimates
    int64_t GetPeriod() const;
    /// @return the path of a packet of a host here; EdgePath::NONE if none is usable
    uint32_t Lead(const FabricNetDevice& ingress, const FabricPacketItem& item, uint32_t edge);
    /// @return a path for a flow that has to take one, other than one if there is another
    uint32_t ChooseAnew(uint32_t edge, uint32_t host, uint32_t other);
    /// @return a path that is better than a congested one, or this
    uint32_t ChooseBetter(uint32_t edge, uint32_t host, uint32_t present);
    /// @return of some paths to an edge switch that with the least load
    uint32_t ChooseLeast(uint32_t edge, const std::vector<uint32_t>& paths);
    /// @return true if a flow may leave a congested path
    bool MayMove(const FabricNetDevice& ingress, Flow& flow, int64_t nowPs);
    /// An answer goes to a host here.
    void Learn(const FabricPacketItem& item);
    /// A packet goes to an edge switch: see that its paths are probed.
    void Watch(uint32_t edge, int64_t nowPs);
    /// Send the probes of a round to an edge switch.
    void Probe(uint32_t edge, Peer& peer, int64_t nowPs);
    /// Send a probe or an answer to an edge switch.
    void Send(uint32_t edge, const HermesProbe& probe);
    /// Forget flows that have paused for long.
    void Prune(int64_t nowPs);
    /// @return limits of paths
    HermesPath::Limits GetLimits() const;

    Time m_lowDelay;           //!< a good path has less
    Time m_highDelay;          //!< a congested path has more
    Time m_betterDelay;        //!< by which a path has to be better
    double m_markShare{0};     //!< marks of a congested path
    double m_betterShare{0};   //!< by which a path has to have fewer
    uint64_t m_moveBytes{0};   //!< that a flow has sent before it moves
    double m_moveRate{0};      //!< share of the line above which a flow does not move
    double m_moveChance{0};    //!< probability that a flow moves that may
    Time m_movePause;          //!< before it may again
    Time m_period;             //!< of estimates of load
    double m_decay{0};         //!< share that they lose in each
    Time m_markWindow;         //!< in which marks are counted
    Time m_age;                //!< after which what was measured is forgotten
    Time m_probeInterval;      //!< between rounds of probes; 0: none
    Time m_probeTimeout;       //!< without answer after which a path has failed
    Time m_expiry;             //!< pause after which a flow begins anew, wait that is a time-out
    Time m_lossWindow;         //!< in which losses are counted
    double m_lossShare{0};     //!< with which a path has failed
    uint32_t m_silences{0};    //!< time-outs with which a path has failed
    Time m_failedTime;         //!< for how long
    Ptr<WireFormat> m_wire;    //!< sizes
    uint8_t m_dataClass{0};    //!< of probes
    uint8_t m_controlClass{0}; //!< of their answers
    Ptr<UniformRandomVariable> m_random; //!< of this switch

    std::unordered_map<uint64_t, Flow> m_flows;       //!< by key
    std::unordered_map<uint64_t, HermesPath> m_paths; //!< by edge switch and path
    std::map<uint32_t, Peer> m_peers;                 //!< by edge switch
    std::vector<uint32_t> m_good;                     //!< scratch
    std::vector<uint32_t> m_gray;                     //!< scratch
    std::vector<uint32_t> m_rest;                     //!< scratch
    std::vector<uint32_t> m_least;                    //!< scratch
    std::size_t m_pruneAt{1024};                      //!< flows at which to look for old
    uint64_t m_nMoves{0};                             //!< because of congestion
    uint64_t m_nEscapes{0};                           //!< from paths that have failed, or time-outs
    uint64_t m_nProbes{0};                            //!< sent
};

} // namespace ns3

#endif /* HERMES_FEATURE_H */
