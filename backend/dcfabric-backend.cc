// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief The interface in C: nothing but ClientScenario, without exceptions.
 */
#include "dcfabric-backend.h"

#include "ns3/client-scenario.h"
#include "ns3/fabric-error.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

/// A network, and what is said of it.
struct dcf_backend
{
    /// @param words options
    explicit dcf_backend(const std::vector<std::string>& words)
        : scenario(words)
    {
    }

    ns3::ClientScenario scenario; //!< the run
    std::string error;            //!< see dcf_error()
};

namespace
{

constexpr int REFUSED = -1; //!< of calls that return 0 otherwise

/// Stores a text for a user of C. @param to of @p len bytes, may be null
void
CopyText(const std::string& text, char* to, std::size_t len)
{
    if (to && len > 0)
    {
        const std::size_t size = std::min(text.size(), len - 1);
        std::memcpy(to, text.data(), size);
        to[size] = '\0';
    }
}

/**
 * @brief Do something that may throw.
 * @param error gets the text of what it throws
 * @param action what to do
 * @return what it returns, or @p otherwise if it throws
 */
template <typename F>
int
Try(std::string& error, int otherwise, F action)
{
    try
    {
        return action();
    }
    catch (const std::exception& what)
    {
        error = what.what();
    }
    catch (...)
    {
        error = "a function of the client has thrown something";
    }
    return otherwise;
}

/// @return what calls a function of the client; empty without one
ns3::ClientFlowSource::Handler
Bind(dcf_fn function, void* argument)
{
    if (!function)
    {
        return {};
    }
    return [function, argument] { function(argument); };
}

/// Do something with the ranks, unless the run is over.
template <typename F>
int
Ask(dcf_backend* backend, F action)
{
    return Try(backend->error, REFUSED, [backend, &action] {
        if (backend->scenario.IsOver())
        {
            throw ns3::FabricError("the simulation is over");
        }
        try
        {
            action(backend->scenario.GetClient());
        }
        catch (const ns3::FabricError& error)
        {
            throw ns3::FabricError(backend->scenario.Say(error));
        }
        return 0;
    });
}

} // namespace

dcf_backend*
dcf_open(int argc, const char* const* argv, char* error, size_t len)
{
    std::unique_ptr<dcf_backend> backend;
    std::string text;
    Try(text, REFUSED, [&] {
        backend = std::make_unique<dcf_backend>(std::vector<std::string>(argv, argv + argc));
        return 0;
    });
    CopyText(text, error, len);
    return backend.release();
}

int
dcf_ranks(const dcf_backend* backend)
{
    return static_cast<int>(backend->scenario.GetNRanks());
}

uint64_t
dcf_now_ps(const dcf_backend* backend)
{
    return backend->scenario.GetNowPs();
}

int
dcf_schedule(dcf_backend* backend, uint64_t delta_ps, dcf_fn fn, void* arg)
{
    return Ask(backend, [&](auto& client) { client.Schedule(delta_ps, Bind(fn, arg)); });
}

int
dcf_send(dcf_backend* backend,
         uint32_t src,
         uint32_t dst,
         uint64_t bytes,
         uint64_t tag,
         dcf_fn on_sent,
         void* arg)
{
    return Ask(backend,
               [&](auto& client) { client.Send(src, dst, bytes, tag, Bind(on_sent, arg)); });
}

int
dcf_recv(dcf_backend* backend,
         uint32_t dst,
         uint32_t src,
         uint64_t bytes,
         uint64_t tag,
         dcf_fn on_received,
         void* arg)
{
    return Ask(backend,
               [&](auto& client) { client.Receive(dst, src, bytes, tag, Bind(on_received, arg)); });
}

void
dcf_finish(dcf_backend* backend, uint32_t rank)
{
    Ask(backend, [&](auto& client) { client.Finish(rank); });
}

int
dcf_run(dcf_backend* backend)
{
    return Try(backend->error, DCF_ERROR, [backend]() -> int {
        using End = ns3::ClientScenario::End;
        const End end = backend->scenario.Run();
        backend->error = backend->scenario.GetReport();
        return end == End::DONE ? DCF_DONE : end == End::STOPPED ? DCF_STOPPED : DCF_VIOLATION;
    });
}

double
dcf_bandwidth(const dcf_backend* backend, int dim)
{
    constexpr double BITS_PER_GB = 8e9;
    return dim == 0 ? static_cast<double>(backend->scenario.GetRateBps()) / BITS_PER_GB : -1;
}

const char*
dcf_error(const dcf_backend* backend)
{
    return backend->error.c_str();
}

void
dcf_close(dcf_backend* backend)
{
    if (backend && backend->scenario.IsRunning())
    {
        backend->error = "the simulation is running, so that it cannot be closed";
        return;
    }
    delete backend;
}
