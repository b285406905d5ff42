// SPDX-License-Identifier: GPL-2.0-only
#ifndef RECEIVER_CONTROL_H
#define RECEIVER_CONTROL_H

#include "ns3/grant-packet.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{

class LogComponent;

/**
 * @ingroup dcfabric
 * @brief What a receiver is told of a data packet.
 */
struct ReceiverArrival
{
    int64_t nowPs{0};       //!< time of arrival
    uint32_t flow{0};       //!< number of the PDC at the receiver; never used again
    uint32_t frameBytes{0}; //!< frame, as it arrived
    uint32_t demand{0};     //!< credit that its sender wants in all (FabricPacketItem::demand)
    bool marked{false};     //!< with congestion experienced
    bool trimmed{false};    //!< without its payload
    bool lastHop{false};    //!< with #trimmed: the port to this host had no room
    bool gone{false};       //!< it was the last one for now: the PDC is gone
    bool asks{false};       //!< it has no payload: the sender has no credit and no news
};

/**
 * @ingroup dcfabric
 * @brief What a ReceiverControl knows of its host.
 */
struct ReceiverInfo
{
    int64_t baseRttPs{0};    //!< T: base RTT between the hosts that are farthest apart
    uint32_t packetBytes{0}; //!< frame of a full packet that tells a demand
    bool lossless{false};    //!< flow control stops classes, so that packets keep theirs
};

/**
 * @ingroup dcfabric
 * @brief Decides in a receiving host when it lets whom send how much: one object for a NIC, made
 * because a congestion control needs it (CongestionControlNeeds::receiver).
 *
 * It is told of every data packet, with what its sender wants in all and whether it was trimmed,
 * and of demands without payload. The base class keeps the totals of each flow, and grants: after
 * each arrival, and when the pace permits, it asks NextGrant() for the next one until there is
 * none. A demand of a sender that has been granted all it wants is answered with the total, as the
 * last grant may have been lost.
 *
 * A subclass says whom to grant what next (NextGrant()), how fast (GetRate()), and keeps whatever
 * order it needs (OnArrival(), OnGone()).
 */
class ReceiverControl : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    ReceiverControl();
    ~ReceiverControl() override;

    /// Services of the NIC.
    class Host
    {
      public:
        virtual ~Host() = default;

        /**
         * @brief Send a grant.
         * @param flow which
         * @param total granted since it began, in CreditUnits, modulo 2^32
         * @param priority class of the packets to come, or GrantFields::OWN_PRIORITY
         */
        virtual void SendGrant(uint32_t flow, uint32_t total, uint8_t priority) = 0;

        /**
         * @brief Call TellTimer() at a time; replaces the pending call.
         * @param atPs when, in ps
         */
        virtual void SetTimer(int64_t atPs) = 0;

        /// @return bit/s of full packets that all links to the network bring, gaps taken off
        virtual double GetLineRate() const = 0;

        /// @return how full the memory is in which data waits for the host, 0 to 1
        virtual double GetHostFill() const
        {
            return 0;
        }
    };

    /**
     * @brief Begin.
     * @param info of the host
     * @param host services of the NIC, outlives this object
     */
    void Start(const ReceiverInfo& info, Host* host);

    /**
     * @brief Fix random streams.
     * @param stream first one
     * @return how many are used, at most 1
     */
    virtual int64_t AssignStreams(int64_t stream);

    /**
     * @brief A data packet has arrived.
     * @param arrival what it tells
     */
    void TellArrival(const ReceiverArrival& arrival);

    /**
     * @brief A PDC goes, as it has been idle; it may come back.
     * @param flow its number
     */
    void TellGone(uint32_t flow);

    /**
     * @brief The time of Host::SetTimer() has come.
     * @param nowPs time in ps
     */
    void TellTimer(int64_t nowPs);

    /// @return grants sent
    uint64_t GetNGrants() const
    {
        return m_grants;
    }

    /**
     * @param flow number of a PDC
     * @return granted to it, in CreditUnits
     */
    uint64_t GetGranted(uint32_t flow) const
    {
        return flow < m_flows.size() ? m_flows[flow].granted : 0;
    }

  protected:
    /// What is known of a flow. All in CreditUnits since it began.
    struct Flow
    {
        uint64_t granted{0};       //!< told to the sender
        uint64_t target{0};        //!< wanted by the sender
        uint64_t receivedBytes{0}; //!< frames that arrived, whole or trimmed

        /// @return wanted beyond what is granted
        uint64_t GetWanted() const
        {
            return target > granted ? target - granted : 0;
        }
    };

    /// What to grant.
    struct Grant
    {
        uint32_t flow{0};                            //!< to whom
        uint64_t units{0};                           //!< how much, at least 1
        uint8_t priority{GrantFields::OWN_PRIORITY}; //!< class of the packets to come
    };

    /// Begin; GetInfo() is valid.
    virtual void DoStart();

    /**
     * @brief A packet has arrived and is entered in its flow.
     * @param arrival what it tells
     */
    virtual void OnArrival(const ReceiverArrival& arrival) = 0;

    /**
     * @brief A PDC goes.
     * @param flow its number
     */
    virtual void OnGone(uint32_t flow);

    /**
     * @brief Choose the next grant; it will be made.
     * @param nowPs time in ps
     * @return it, nothing if there is none to be made now
     */
    virtual std::optional<Grant> NextGrant(int64_t nowPs) = 0;

    /**
     * @brief How fast to grant: after each grant none is made for as long as its bytes take.
     * @param nowPs time in ps
     * @return bit/s of frames; 0: at once
     */
    virtual double GetRate(int64_t nowPs) = 0;

    /**
     * @param flow number of a PDC that has been heard of
     * @return what is known of it
     */
    Flow& GetFlow(uint32_t flow)
    {
        return m_flows[flow];
    }

    /// @return of the host
    const ReceiverInfo& GetInfo() const
    {
        return m_info;
    }

    /// @return units of a full packet
    uint64_t GetPacketUnits() const
    {
        return CreditUnits::RoundUp(m_info.packetBytes);
    }

    /// @return services of the NIC
    Host* GetHost() const
    {
        return m_host;
    }

    void DoDispose() override;

  private:
    static LogComponent g_log; //!< of this class

    /// Grant what may be granted now.
    void Serve(int64_t nowPs);
    /// Send a grant with the total of a flow.
    void Send(uint32_t flow, uint8_t priority);

    ReceiverInfo m_info;       //!< of the host
    Host* m_host{nullptr};     //!< the NIC
    std::vector<Flow> m_flows; //!< by number of the PDC
    int64_t m_nextPs{0};       //!< when the pace permits the next grant
    double m_lagPs{0};         //!< part of a picosecond that m_nextPs is too early
    uint64_t m_grants{0};      //!< sent
};

} // namespace ns3

#endif /* RECEIVER_CONTROL_H */
