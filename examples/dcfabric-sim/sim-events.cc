// SPDX-License-Identifier: GPL-2.0-only
#include "sim-events.h"

#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"

#include <climits>
#include <fcntl.h>
#include <limits>
#include <poll.h>
#include <unistd.h>

namespace ns3
{

namespace
{

constexpr const char* EVENTS_NAME = "json";
constexpr int PATIENCE_MS = 1000; //!< for what comes once

/// Write a text as data: what is the same for everybody as strings, names as objects.
void
WriteParts(JsonWriter& json, const FabricText& text, const FabricSpeaker& speaker)
{
    json.BeginArray();
    std::string words; // up to the next name
    for (const FabricText::Piece& piece : text.GetPieces())
    {
        words += piece.words;
        for (const FabricTerm& term : piece.named)
        {
            json.String(words);
            words.clear();
            json.BeginObject();
            json.StringMember("text", speaker.Name(term));
            json.StringMemberIfAny("type", term.type);
            json.StringMemberIfAny("name", term.name);
            json.StringMemberIfAny("value", term.value);
            json.EndObject();
        }
    }
    json.String(words);
    json.EndArray();
}

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
SimEvents::TellProgress(const ScenarioProgress::State& state)
{
    JsonWriter json(JsonWriter::Layout::ONE_LINE);
    json.BeginObject();
    json.StringMember("event", "progress");
    json.DoubleMember("fraction",
                      state.fraction > 0 ? state.fraction
                                         : std::numeric_limits<double>::quiet_NaN());
    json.UintMember("flows_completed", state.completed);
    json.UintMember("flows", state.flows);
    json.DoubleMember("sim_seconds", state.simSeconds);
    json.DoubleMember("wall_seconds", state.wallSeconds);
    json.DoubleMember("eta_seconds", state.etaSeconds);
    json.EndObject();
    Write(json, 0);
}

void
SimEvents::TellEnd(const std::string& status, int exitStatus, const std::string& folder)
{
    JsonWriter json(JsonWriter::Layout::ONE_LINE);
    json.BeginObject();
    json.StringMember("event", "end");
    json.StringMember("status", status);
    json.UintMember("exit_status", exitStatus);
    json.StringMember("folder", folder);
    json.EndObject();
    Write(json, PATIENCE_MS);
}

void
SimEvents::TellError(const FabricText& reason, const FabricSpeaker& speaker, int exitStatus)
{
    JsonWriter json(JsonWriter::Layout::ONE_LINE);
    json.BeginObject();
    json.StringMember("event", "error");
    json.StringMember("text", reason.Say(speaker));
    json.Key("parts");
    WriteParts(json, reason, speaker);
    json.UintMember("exit_status", exitStatus);
    json.EndObject();
    Write(json, PATIENCE_MS);
}

void
SimEvents::Write(const JsonWriter& event, int patienceMs)
{
    const std::string line = event.GetText() + "\n";
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
