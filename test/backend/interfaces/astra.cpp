// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Compiles dcfabric-astra.h, and sends a message by it. Status 0 if all is as it should be.
 */
#include "dcfabric-astra.h"

#include <cstdio>
#include <cstring>
#include <string>

namespace
{

dcfabric::AstraNetwork* g_ranks[2]; //!< both
std::string g_calls;                //!< so far
long double g_times[3];             //!< of them, ns

void
OnTime(void* /* argument */)
{
    g_times[g_calls.size()] = g_ranks[0]->sim_get_time().time_val;
    g_calls += 't';
    g_ranks[0]->sim_notify_finished();
}

void
OnSent(void* /* argument */)
{
    g_times[g_calls.size()] = g_ranks[0]->sim_get_time().time_val;
    g_calls += 's';
    // in other units: 2 ns
    g_ranks[0]->sim_schedule({AstraSim::US, 0.002L}, OnTime, nullptr);
}

void
OnReceived(void* argument)
{
    g_times[g_calls.size()] = g_ranks[1]->sim_get_time().time_val;
    g_calls += static_cast<const char*>(argument);
    g_ranks[1]->sim_notify_finished();
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
    dcfabric::AstraNetwork first(0, backend);
    dcfabric::AstraNetwork second(1, backend);
    g_ranks[0] = &first;
    g_ranks[1] = &second;
    char name[] = "r";
    second.sim_recv(nullptr, 1000, 0, 0, -7, nullptr, OnReceived, name);
    first.sim_send(nullptr, 1000, 0, 1, -7, nullptr, OnSent, nullptr);
    bool isRefused = false;
    try
    {
        first.sim_send(nullptr, 1000, 0, 99, 0, nullptr, OnSent, nullptr);
    }
    catch (const std::runtime_error& refusal)
    {
        isRefused = std::strstr(refusal.what(), "no rank 99") != nullptr;
    }
    const int status = dcf_run(backend);
    const bool good = status == DCF_DONE && isRefused && g_calls == "rst" && g_times[0] > 2000 &&
                      g_times[1] > g_times[0] && g_times[2] == g_times[1] + 2 &&
                      first.get_BW_at_dimension(0) > 0 && first.get_BW_at_dimension(1) == -1;
    if (!good)
    {
        std::fprintf(stderr,
                     "status %d, calls %s: %s\n",
                     status,
                     g_calls.c_str(),
                     dcf_error(backend));
    }
    dcf_close(backend);
    return good ? 0 : 1;
}
