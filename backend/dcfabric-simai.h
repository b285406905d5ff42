// SPDX-License-Identifier: GPL-2.0-only
#ifndef DCFABRIC_SIMAI_H
#define DCFABRIC_SIMAI_H

/**
 * @file
 * @brief dcfabric as a network of SimAI: its network interface, on the interface in C. To be
 * compiled in a front end of SimAI (doc/backend.rst).
 */

#include "dcfabric-backend.h"

#include <algorithm>
#include <astra-sim/system/AstraNetworkAPI.hh>
#include <astra-sim/system/RecvPacketEventHadndlerData.hh>
#include <astra-sim/system/SendPacketEventHandlerData.hh>
#include <cmath>
#include <cstdint>
#include <deque>
#include <map>
#include <stdexcept>
#include <tuple>

namespace dcfabric
{

/// What the networks of all ranks share: flow tags of messages that were not received.
struct SimAiMessages
{
    /// A message, as far as it was not received.
    struct Part
    {
        AstraSim::ncclFlowTag tag; //!< given back to the receiver
        uint64_t bytes;            //!< left
    };

    /// In the order of sending, by receiver, sender and tag.
    std::map<std::tuple<int, int, int>, std::deque<Part>> sent;
};

/**
 * The network of one rank. All ranks share a dcf_backend and a SimAiMessages, which outlive them.
 *
 * SimAI finds the tag of a receive in the argument of its function, and expects both ends to be
 * told the flow tag of the message there; a receive that several messages fill is told that of the
 * last.
 */
class SimAiNetwork : public AstraSim::AstraNetworkAPI
{
  public:
    /**
     * @param rank number of the rank
     * @param backend what dcf_open() has given
     * @param messages of all ranks
     */
    SimAiNetwork(int rank, dcf_backend* backend, SimAiMessages& messages)
        : AstraNetworkAPI(rank),
          m_backend(backend),
          m_messages(messages)
    {
    }

    int sim_comm_size(AstraSim::sim_comm /* comm */, int* size) override
    {
        *size = dcf_ranks(m_backend);
        return 0;
    }

    /// The first rank that calls it ends the run for all, once all messages are complete.
    int sim_finish() override
    {
        for (int one = 0; one < dcf_ranks(m_backend); ++one)
        {
            dcf_finish(m_backend, static_cast<uint32_t>(one));
        }
        return 0;
    }

    double sim_time_resolution() override
    {
        return 0;
    }

    int sim_init(AstraSim::AstraMemoryAPI* /* memory */) override
    {
        return 0;
    }

    AstraSim::timespec_t sim_get_time() override
    {
        AstraSim::timespec_t now;
        now.time_res = AstraSim::NS;
        now.time_val = static_cast<double>(dcf_now_ps(m_backend) / PS_PER_NS);
        return now;
    }

    /// SimAI has ns here, whatever the unit says.
    void sim_schedule(AstraSim::timespec_t delta,
                      void (*fun_ptr)(void* fun_arg),
                      void* fun_arg) override
    {
        const double ps = delta.time_val * PS_PER_NS;
        Check(dcf_schedule(m_backend, static_cast<uint64_t>(std::llround(ps)), fun_ptr, fun_arg));
    }

    int sim_send(void* /* buffer */,
                 uint64_t count,
                 int /* type */,
                 int dst,
                 int tag,
                 AstraSim::sim_request* request,
                 void (*msg_handler)(void* fun_arg),
                 void* fun_arg) override
    {
        auto* call = new Call{this, msg_handler, fun_arg, dst, tag, count, request->flowTag};
        const int status = dcf_send(m_backend,
                                    static_cast<uint32_t>(rank),
                                    static_cast<uint32_t>(dst),
                                    count,
                                    static_cast<uint32_t>(tag),
                                    &OnSent,
                                    call);
        Keep(call, status);
        m_messages.sent[{dst, rank, tag}].push_back(
            {request->flowTag, std::max<uint64_t>(count, 1)});
        return 0;
    }

    int sim_recv(void* /* buffer */,
                 uint64_t count,
                 int /* type */,
                 int src,
                 int /* tag */,
                 AstraSim::sim_request* request,
                 void (*msg_handler)(void* fun_arg),
                 void* fun_arg) override
    {
        const int tag = static_cast<Received*>(fun_arg)->flowTag.tag_id;
        auto* call = new Call{this, msg_handler, fun_arg, src, tag, count, request->flowTag};
        const int status = dcf_recv(m_backend,
                                    static_cast<uint32_t>(rank),
                                    static_cast<uint32_t>(src),
                                    count,
                                    static_cast<uint32_t>(tag),
                                    &OnReceived,
                                    call);
        Keep(call, status);
        return 0;
    }

    double get_BW_at_dimension(int dim) override
    {
        return dcf_bandwidth(m_backend, dim);
    }

  private:
    using Received = AstraSim::RecvPacketEventHadndlerData;
    using Sent = AstraSim::SendPacketEventHandlerData;

    static constexpr uint64_t PS_PER_NS = 1000; //!< picoseconds in a nanosecond

    /// What is to be called, and what for.
    struct Call
    {
        SimAiNetwork* network;         //!< of the rank
        void (*handler)(void*);        //!< to be called
        void* argument;                //!< given to it
        int peer;                      //!< the other rank
        int tag;                       //!< of the message
        uint64_t bytes;                //!< of it
        AstraSim::ncclFlowTag flowTag; //!< of it
    };

    /// Forget a call that was refused.
    void Keep(Call* call, int status) const
    {
        if (status < 0)
        {
            delete call;
        }
        Check(status);
    }

    static void OnSent(void* argument)
    {
        const Call call = Take(argument);
        if (call.argument) // collectives without a flow model give none
        {
            static_cast<Sent*>(call.argument)->flowTag = call.flowTag;
        }
        call.handler(call.argument);
    }

    static void OnReceived(void* argument)
    {
        const Call call = Take(argument);
        static_cast<Received*>(call.argument)->flowTag = call.network->TakeTag(call);
        call.handler(call.argument);
    }

    static Call Take(void* argument)
    {
        auto* kept = static_cast<Call*>(argument);
        const Call call = *kept;
        delete kept;
        return call;
    }

    /// @return flow tag of the message that has brought the last byte
    AstraSim::ncclFlowTag TakeTag(const Call& call)
    {
        const auto place = m_messages.sent.find({rank, call.peer, call.tag});
        std::deque<SimAiMessages::Part>& parts = place->second;
        AstraSim::ncclFlowTag tag = parts.front().tag;
        uint64_t left = std::max<uint64_t>(call.bytes, 1);
        while (left > 0)
        {
            SimAiMessages::Part& part = parts.front();
            tag = part.tag;
            const uint64_t taken = std::min(left, part.bytes);
            part.bytes -= taken;
            left -= taken;
            if (part.bytes == 0)
            {
                parts.pop_front();
            }
        }
        if (parts.empty())
        {
            m_messages.sent.erase(place);
        }
        return tag;
    }

    /**
     * @brief SimAI does not look at statuses.
     * @throws std::runtime_error, which ends dcf_run() with an error
     */
    void Check(int status) const
    {
        if (status < 0)
        {
            throw std::runtime_error(dcf_error(m_backend));
        }
    }

    dcf_backend* m_backend;    //!< of all ranks
    SimAiMessages& m_messages; //!< of all ranks
};

} // namespace dcfabric

#endif /* DCFABRIC_SIMAI_H */
