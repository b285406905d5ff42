// SPDX-License-Identifier: GPL-2.0-only
#include "decider-socket.h"

#include "scenario-policies.h"

#include "ns3/fabric-error.h"
#include "ns3/inherited-descriptor.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <string>
#include <sys/socket.h>

namespace ns3
{

namespace
{

/// What is asked, followed by INT records (IntSample) as many as hops says. Both ends run on one
/// machine: its byte order.
struct Question
{
    uint32_t kind;       //!< ExternalCongestionCall::Kind
    uint32_t connection; //!< number
    int64_t nowPs;       //!< ps
    uint64_t window;     //!< bytes
    double rate;         //!< bit/s
    uint64_t numbers[5]; //!< by kind, see MakeQuestion()
    uint32_t counts[4];  //!< by kind
    uint32_t hops;       //!< INT records that follow
    uint32_t timer;      //!< TIMER: which; MODIFIED: ExternalCongestionCall::effect
};

static_assert(sizeof(Question) == 96, "no padding: the other end reads these bytes");
static_assert(sizeof(IntSample) == 32, "no padding: the other end reads these bytes");

/// What is answered.
struct Answer
{
    uint64_t window;                               //!< bytes
    double rate;                                   //!< bit/s
    int64_t timersPs[CongestionControl::N_TIMERS]; //!< as ExternalCongestionCall::timersPs
};

static_assert(sizeof(Answer) == 48, "no padding: the other end writes these bytes");

/// @return what is asked
Question
MakeQuestion(const ExternalCongestionCall& call)
{
    Question question{};
    question.kind = call.kind;
    question.connection = call.connection;
    question.nowPs = call.nowPs;
    question.window = call.window;
    question.rate = call.rate;
    question.hops = static_cast<uint32_t>(call.hops.size());
    question.timer = call.kind == ExternalCongestionCall::MODIFIED ? call.effect : call.timer;
    if (call.kind == ExternalCongestionCall::START)
    {
        question.numbers[0] = call.path->lineRateBps;
        question.numbers[1] = static_cast<uint64_t>(call.path->baseRttPs);
        question.numbers[2] = call.path->bdpBytes;
        question.counts[0] = call.path->payloadBytes;
        question.counts[1] = call.path->packetBytes;
    }
    else if (call.ack)
    {
        question.numbers[0] = static_cast<uint64_t>(call.ack->rttPs);
        question.numbers[1] = call.ack->ackedPayload;
        question.numbers[2] = call.ack->cumulativeBytes;
        question.numbers[3] = call.ack->sentBytes;
        question.numbers[4] = call.ack->inFlightBytes;
        question.counts[0] = call.ack->coveredPackets;
        question.counts[1] = call.ack->markedPackets;
        question.counts[2] = call.ack->activeFlows;
        question.counts[3] = call.ack->triggerMarked;
    }
    else
    {
        question.numbers[0] = call.lostBytes;
    }
    return question;
}

} // namespace

DeciderSocket::DeciderSocket(int descriptor)
    : m_descriptor(descriptor)
{
}

void
DeciderSocket::operator()(ExternalCongestionCall& call)
{
    const Question question = MakeQuestion(call);
    m_buffer.resize(sizeof(question) + call.hops.size() * sizeof(IntSample));
    std::memcpy(m_buffer.data(), &question, sizeof(question));
    if (!call.hops.empty())
    {
        std::memcpy(&m_buffer[sizeof(question)],
                    call.hops.data(),
                    call.hops.size() * sizeof(IntSample));
    }
    Transfer(&::send, m_buffer.data(), m_buffer.size(), MSG_NOSIGNAL);
    Answer answer;
    Transfer(&::recv, reinterpret_cast<char*>(&answer), sizeof(answer), MSG_WAITALL);
    call.window = answer.window;
    call.rate = answer.rate;
    std::copy(std::begin(answer.timersPs), std::end(answer.timersPs), call.timersPs.begin());
}

template <typename F>
void
DeciderSocket::Transfer(F function, char* data, std::size_t size, int flags)
{
    while (size > 0)
    {
        const ssize_t done = function(m_descriptor, data, size, flags);
        if (done <= 0 && !(done < 0 && errno == EINTR))
        {
            throw FabricError(FabricTerm::Option("cc", "external") +
                              ": lost the connection to the process that makes the decisions");
        }
        if (done > 0)
        {
            data += done;
            size -= static_cast<std::size_t>(done);
        }
    }
}

void
ConnectScenarioDecider(const ScenarioOptions& options)
{
    constexpr const char* VARIABLE = "DCFABRIC_DECIDER";
    const std::string type = FindScenarioPolicy("cc", options.Get("cc")).typeId;
    if (type != "ns3::ExternalCongestionControl" || ExternalCongestionControl::HasDecider())
    {
        return;
    }
    struct stat status = {};
    const int descriptor = FindInheritedDescriptor(VARIABLE, status);
    if (descriptor < 0 || !S_ISSOCK(status.st_mode))
    {
        throw FabricError(options.Say("cc") + ": another process has to decide, and " + VARIABLE +
                          " does not name the descriptor of a socket to it; use a Scenario of the "
                          "Python package (examples/dcfabric)");
    }
    ExternalCongestionControl::SetDecider(DeciderSocket(descriptor));
}

} // namespace ns3
