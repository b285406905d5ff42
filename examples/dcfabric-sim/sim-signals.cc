// SPDX-License-Identifier: GPL-2.0-only
#include "sim-signals.h"

#include "sim-run.h"

#include "ns3/inherited-descriptor.h"

#include <csignal>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ns3
{

namespace
{

constexpr const char* PARENT_VARIABLE = "DCFABRIC_PARENT";
constexpr int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t g_signal = 0;
volatile std::sig_atomic_t g_runs = 0; //!< there is something to save

extern "C" void
NoteSignal(int number)
{
    if (g_runs == 0)
    {
        _exit(SIM_SIGNALLED + number);
    }
    if (g_signal == 0)
    {
        g_signal = number;
    }
}

/// @return descriptor of the pipe from the parent; -1 if there is none
int
FindParentPipe()
{
    struct stat status = {};
    const int descriptor = FindInheritedDescriptor(PARENT_VARIABLE, status);
    return descriptor >= 0 && S_ISFIFO(status.st_mode) ? descriptor : -1;
}

/// @return true if there was a parent that wanted us to end with it, and it has gone
bool
HasParentGone()
{
    static const int descriptor = FindParentPipe();
    pollfd pipe = {descriptor, 0, 0};
    return descriptor >= 0 && poll(&pipe, 1, 0) > 0 && (pipe.revents & POLLHUP) != 0;
}

} // namespace

void
SimSignals::Catch()
{
    for (const int number : SIGNALS)
    {
        struct sigaction action = {};
        struct sigaction before = {};
        action.sa_handler = &NoteSignal;
        action.sa_flags = SA_RESETHAND;
        sigemptyset(&action.sa_mask);
        sigaction(number, nullptr, &before);
        // nohup ignores SIGHUP; a shell that ignores SIGINT for what it puts into the background
        // does not mean it so
        if (number != SIGHUP || before.sa_handler != SIG_IGN)
        {
            sigaction(number, &action, nullptr);
        }
    }
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

void
SimSignals::BeginRun()
{
    g_runs = 1;
}

int
SimSignals::Get()
{
    if (g_signal == 0 && HasParentGone())
    {
        NoteSignal(SIGHUP);
    }
    return g_signal;
}

} // namespace ns3
