// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Compiles dcfabric-simai.h, and sends messages by it. Status 0 if all is as it should be.
 */
#include "dcfabric-simai.h"

#include <cstdio>
#include <string>
#include <vector>

namespace
{

dcfabric::SimAiNetwork* g_first = nullptr; //!< rank 0
std::vector<int> g_received;               //!< flows, in order
std::vector<int> g_sent;                   //!< likewise

void
OnReceived(void* argument)
{
    g_received.push_back(
        static_cast<AstraSim::RecvPacketEventHadndlerData*>(argument)->flowTag.current_flow_id);
}

void
OnSent(void* argument)
{
    const auto* data = static_cast<AstraSim::SendPacketEventHandlerData*>(argument);
    g_sent.push_back(data ? data->flowTag.current_flow_id : -2);
    if (g_sent.size() == 3)
    {
        g_first->sim_finish();
    }
}

} // namespace

int
main(int argc, char** argv)
{
    char error[500] = "";
    dcf_backend* backend = dcf_open(argc - 1, argv + 1, error, sizeof(error));
    if (!backend)
    {
        std::fprintf(stderr, "%s\n", error);
        return 2;
    }
    dcfabric::SimAiMessages messages;
    dcfabric::SimAiNetwork first(0, backend, messages);
    dcfabric::SimAiNetwork second(1, backend, messages);
    g_first = &first;
    int size = 0;
    first.sim_comm_size({}, &size);
    // one receive for the first two messages, one for the third; their tag is 5, whatever is given
    AstraSim::RecvPacketEventHadndlerData received[2];
    AstraSim::sim_request request;
    int bytes[] = {2000, 500};
    for (int i = 0; i < 2; ++i)
    {
        received[i].flowTag.tag_id = 5;
        second.sim_recv(nullptr, bytes[i], 0, 0, 77, &request, OnReceived, &received[i]);
    }
    AstraSim::SendPacketEventHandlerData sent[3]; // the last send gives no argument
    int lengths[] = {1000, 1000, 500};
    for (int i = 0; i < 3; ++i)
    {
        request.flowTag.current_flow_id = 10 + i;
        request.flowTag.tag_id = 5;
        first.sim_send(nullptr, lengths[i], 0, 1, 5, &request, OnSent, i < 2 ? &sent[i] : nullptr);
    }
    const int status = dcf_run(backend);
    const bool good = status == DCF_DONE && size == 2 && messages.sent.empty() &&
                      g_received == std::vector<int>{11, 12} &&
                      g_sent == std::vector<int>{10, 11, -2} &&
                      first.sim_get_time().time_val > 2000;
    if (!good)
    {
        std::fprintf(stderr, "status %d: %s\n", status, dcf_error(backend));
    }
    dcf_close(backend);
    return good ? 0 : 1;
}
