// SPDX-License-Identifier: GPL-2.0-only
#include "sim-events.h"

#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"

#include <climits>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace ns3
{

namespace
{

constexpr const char* EVENTS_NAME = "json";
constexpr int PATIENCE_MS = 1000; //!< for what comes once

} // namespace

SimEvents::SimEvents(const std::string& progress)
{
    const std::size_t colon = progress.find(':');
    if (progress.substr(0, colon) != EVENTS_NAME)
    {
        return;
    }
    const std::string number = colon == std::string::npos ? "" : progress.substr(colon + 1);
    const auto descriptor =
        static_cast<int>(ParseFabricUint(number, "--progress=json:FD, FD", 0, INT_MAX));
    const int flags = fcntl(descriptor, F_GETFL);
    if (flags == -1 || (flags & O_ACCMODE) == O_RDONLY)
    {
        throw FabricError("--progress=" + progress + ": the file descriptor is not open" +
                          (flags == -1 ? "" : " for writing") +
                          "; open it for the program, as a shell does with " +
                          std::to_string(descriptor) + ">FILE");
    }
    m_descriptor = descriptor;
}

SimEvents
SimEvents::Find(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i)
    {
        const std::string word = argv[i];
        for (const std::string begin : {"--progress=", "-progress="})
        {
            if (word.compare(0, begin.size(), begin) == 0)
            {
                return SimEvents(word.substr(begin.size()));
            }
        }
    }
    return SimEvents();
}

void
SimEvents::TellProgress(const JsonWriter& event)
{
    Write(event.GetText() + "\n", 0);
}

void
SimEvents::Tell(const JsonWriter& event)
{
    Write(event.GetText() + "\n", PATIENCE_MS);
}

void
SimEvents::Write(const std::string& line, int patienceMs)
{
    pollfd reader = {m_descriptor, POLLOUT, 0};
    if (m_descriptor < 0 || poll(&reader, 1, patienceMs) == 0)
    {
        return;
    }
    // a pipe with room for anything takes a short line whole
    if (reader.revents != POLLOUT ||
        write(m_descriptor, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    {
        m_descriptor = -1;
    }
}

} // namespace ns3
