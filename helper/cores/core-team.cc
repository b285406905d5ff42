// SPDX-License-Identifier: GPL-2.0-only
#include "core-team.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-warning.h"
#include "ns3/lost-rank-error.h"
#include "ns3/plain-bytes.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <new>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace ns3
{

namespace
{

/// What a helper has thrown.
enum class Thrown : uint8_t
{
    REFUSAL,   //!< FabricError
    NO_MEMORY, //!< std::bad_alloc
    OTHER      //!< another exception
};

/// What the shell adds to a signal.
constexpr int SIGNALLED = 128;
/// Exit status of a helper that has left a note.
constexpr int HAS_NOTE = 2;
/// Most characters of a reason that is too long.
constexpr std::size_t LONGEST = SharedBoard::NOTE_BYTES / 2;
/// Signals that the first process hears for all.
constexpr std::array<int, 3> SIGNALS = {SIGINT, SIGTERM, SIGHUP};

/// Append a text with names in it.
void
WriteText(std::string& bytes, const FabricText& text)
{
    WritePlain(bytes, text.GetPieces().size());
    for (const FabricText::Piece& piece : text.GetPieces())
    {
        WritePlainText(bytes, piece.words);
        WritePlain(bytes, piece.named.size());
        for (const FabricTerm& term : piece.named)
        {
            WritePlain(bytes, term.kind);
            WritePlainText(bytes, term.type);
            WritePlainText(bytes, term.name);
            WritePlainText(bytes, term.value);
        }
    }
}

/// @return what WriteText() has written
FabricText
ReadText(const std::string& bytes, std::size_t& at)
{
    FabricText text;
    for (auto pieces = TakePlain<std::size_t>(bytes, at); pieces > 0; --pieces)
    {
        text += FabricText(TakePlainText(bytes, at));
        for (auto terms = TakePlain<std::size_t>(bytes, at); terms > 0; --terms)
        {
            FabricTerm term{TakePlain<FabricTerm::Kind>(bytes, at), "", "", ""};
            term.type = TakePlainText(bytes, at);
            term.name = TakePlainText(bytes, at);
            term.value = TakePlainText(bytes, at);
            text += FabricText(term);
        }
    }
    return text;
}

/// @return an exception as bytes: the number of the process, what it is, and what it says
std::string
Describe(uint32_t rank, const std::exception_ptr& why)
{
    std::string bytes;
    WritePlain(bytes, rank);
    try
    {
        std::rethrow_exception(why);
    }
    catch (const FabricError& error)
    {
        WritePlain(bytes, Thrown::REFUSAL);
        const std::size_t before = bytes.size();
        WriteText(bytes, error.GetText());
        if (bytes.size() > SharedBoard::NOTE_BYTES)
        {
            bytes.resize(before);
            WriteText(bytes, error.GetText().Say().substr(0, LONGEST));
        }
    }
    catch (const std::bad_alloc&)
    {
        WritePlain(bytes, Thrown::NO_MEMORY);
    }
    catch (const std::exception& error)
    {
        WritePlain(bytes, Thrown::OTHER);
        WriteText(bytes, std::string(error.what()).substr(0, LONGEST));
    }
    catch (...)
    {
        WritePlain(bytes, Thrown::OTHER);
        WriteText(bytes, "an exception without words");
    }
    return bytes;
}

/// Write what output streams still hold, which two processes would write otherwise.
void
FlushAll()
{
    std::cout.flush();
    std::cerr.flush();
    std::clog.flush();
    std::fflush(nullptr);
}

} // namespace

CoreTeam::CoreTeam(uint32_t size, SharedBoard& board)
    : m_size(size),
      m_board(board)
{
}

CoreTeam::~CoreTeam()
{
    End();
}

uint32_t
CoreTeam::Divide()
{
    FlushAll();
    const pid_t first = getpid();
    for (uint32_t rank = 1; rank < m_size; ++rank)
    {
        const pid_t helper = fork();
        if (helper == 0)
        {
            m_rank = rank;
            BecomeHelper(first);
            return rank;
        }
        if (helper < 0)
        {
            const int error = errno;
            End();
            throw FabricError("process " + std::to_string(rank + 1) + " of " +
                              std::to_string(m_size) +
                              " cannot be started: " + std::strerror(error));
        }
        m_helpers.push_back(helper);
    }
    return 0;
}

void
CoreTeam::BecomeHelper(pid_t first)
{
    m_first = first;
    m_helpers.clear();
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != first) // which has gone before it was asked for
    {
        _exit(HAS_NOTE);
    }
    for (const int number : SIGNALS)
    {
        std::signal(number, SIG_IGN);
    }
    // what there is to say to users the first process says
    std::cout.rdbuf(nullptr);
    SetFabricWarningSink([](const FabricText& /* text */) {});
    SetFabricNoteSink([](const FabricText& /* text */) {});
}

void
CoreTeam::Look()
{
    if (m_first != 0)
    {
        if (getppid() != m_first)
        {
            _exit(HAS_NOTE);
        }
        return;
    }
    for (uint32_t i = 0; i < m_helpers.size(); ++i)
    {
        int status = 0;
        if (m_helpers[i] != 0 && waitpid(m_helpers[i], &status, WNOHANG) == m_helpers[i])
        {
            m_helpers[i] = 0;
            ThrowNote();
            ThrowLoss(i + 1, status);
        }
    }
}

void
CoreTeam::ThrowNote() const
{
    const std::string note = m_board.ReadNote();
    if (note.empty())
    {
        return;
    }
    std::size_t at = 0;
    const std::string place = "core " + std::to_string(TakePlain<uint32_t>(note, at)) + ": ";
    const auto thrown = TakePlain<Thrown>(note, at);
    if (thrown == Thrown::NO_MEMORY)
    {
        throw std::bad_alloc();
    }
    const FabricText text = ReadText(note, at);
    if (thrown == Thrown::REFUSAL)
    {
        throw FabricError(place + text);
    }
    throw std::runtime_error((place + text).Say());
}

void
CoreTeam::ThrowLoss(uint32_t number, int status) const
{
    const std::string place = "core " + std::to_string(number) + ": its process ";
    if (WIFSIGNALED(status))
    {
        const int signal = WTERMSIG(status);
        throw LostRankError(place + "was ended by signal " + std::to_string(signal) + " (" +
                                strsignal(signal) + ")",
                            SIGNALLED + signal);
    }
    throw LostRankError(place + "has ended with status " + std::to_string(WEXITSTATUS(status)),
                        std::max(1, WEXITSTATUS(status)));
}

void
CoreTeam::Leave(const std::exception_ptr& why)
{
    m_board.LeaveNote(Describe(m_rank, why));
    FlushAll();
    _exit(HAS_NOTE);
}

void
CoreTeam::Leave()
{
    FlushAll();
    _exit(0);
}

void
CoreTeam::Await()
{
    for (uint32_t i = 0; i < m_helpers.size(); ++i)
    {
        int status = 0;
        if (const pid_t helper = std::exchange(m_helpers[i], 0); helper != 0)
        {
            while (waitpid(helper, &status, 0) < 0 && errno == EINTR)
            {
            }
            if (status != 0)
            {
                ThrowNote();
                ThrowLoss(i + 1, status);
            }
        }
    }
}

void
CoreTeam::End()
{
    for (pid_t& helper : m_helpers)
    {
        if (helper != 0)
        {
            kill(helper, SIGKILL);
            while (waitpid(helper, nullptr, 0) < 0 && errno == EINTR)
            {
            }
            helper = 0;
        }
    }
}

} // namespace ns3
