// SPDX-License-Identifier: GPL-2.0-only
#include "core-communicator.h"

#include "ns3/abort.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/next-event.h"
#include "ns3/plain-bytes.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <fstream>
#include <utility>

namespace ns3
{

namespace
{

/// @return the same text for everybody
std::vector<const std::string*>
ForAll(uint32_t size, const std::string& bytes)
{
    return std::vector<const std::string*>(size, &bytes);
}

} // namespace

CoreCommunicator::CoreCommunicator(uint32_t size)
    : m_size(size),
      m_board(size),
      m_team(size, m_board),
      m_parcels(size),
      m_firstDuePs(FabricTime::NEVER)
{
}

CoreCommunicator::~CoreCommunicator() = default;

uint32_t
CoreCommunicator::GetRank() const
{
    return m_rank;
}

uint32_t
CoreCommunicator::GetSize() const
{
    return m_size;
}

void
CoreCommunicator::Divide()
{
    if (!m_isDivided)
    {
        m_isDivided = true;
        m_rank = m_team.Divide();
        m_board.Begin(m_rank, [this] { m_team.Look(); });
    }
}

void
CoreCommunicator::MaxOfEach(std::vector<int64_t>& values)
{
    if (!m_isDivided)
    {
        return;
    }
    if (values.size() <= SharedBoard::N_VALUES)
    {
        SharedBoard::Values own{};
        std::copy(values.begin(), values.end(), own.begin());
        for (const SharedBoard::Values& others : m_board.Exchange(own, {}).values)
        {
            for (std::size_t i = 0; i < values.size(); ++i)
            {
                values[i] = std::max(values[i], others[i]);
            }
        }
        return;
    }
    std::string bytes;
    WritePlainAll(bytes, values);
    for (const std::string_view others : m_board.Exchange({}, ForAll(m_size, bytes)).bytes)
    {
        std::size_t at = sizeof(std::size_t); // as many as here
        for (int64_t& value : values)
        {
            value = std::max(value, TakePlain<int64_t>(others, at));
        }
    }
}

uint64_t
CoreCommunicator::Sum(uint64_t value)
{
    if (!m_isDivided)
    {
        return value;
    }
    uint64_t sum = 0;
    for (const SharedBoard::Values& each :
         m_board.Exchange({static_cast<int64_t>(value)}, {}).values)
    {
        sum += static_cast<uint64_t>(each[0]);
    }
    return sum;
}

std::vector<std::string>
CoreCommunicator::Gather(const std::string& bytes)
{
    if (!m_isDivided)
    {
        return {};
    }
    std::vector<const std::string*> parcels(m_size, nullptr);
    parcels[0] = m_rank > 0 ? &bytes : nullptr;
    const std::vector<std::string_view>& all = m_board.Exchange({}, parcels).bytes;
    return m_rank > 0 ? std::vector<std::string>()
                      : std::vector<std::string>(all.begin() + 1, all.end());
}

std::vector<std::string>
CoreCommunicator::GatherAll(const std::string& bytes)
{
    if (!m_isDivided)
    {
        return {bytes};
    }
    const std::vector<std::string_view>& all = m_board.Exchange({}, ForAll(m_size, bytes)).bytes;
    return std::vector<std::string>(all.begin(), all.end());
}

void
CoreCommunicator::Listen(Ptr<NetDevice> /* device */, const Listener& listener)
{
    m_listener = listener;
}

void
CoreCommunicator::Send(uint32_t rank,
                       const NetDevice& /* device */,
                       int64_t timePs,
                       std::string& bytes)
{
    m_firstDuePs = std::min(m_firstDuePs, timePs);
    NS_ABORT_MSG_UNLESS(m_parcels[rank].empty(), "one message to a rank in each window");
    m_parcels[rank].swap(bytes);
}

std::size_t
CoreCommunicator::GetMaxMessageBytes() const
{
    return SIZE_MAX;
}

bool
CoreCommunicator::AsksForMessages() const
{
    return true;
}

void
CoreCommunicator::Run(int64_t lookAheadPs, const std::function<void()>& flush)
{
    std::vector<const std::string*> parcels;
    for (const std::string& parcel : m_parcels)
    {
        parcels.push_back(&parcel);
    }
    bool stopped = false;
    while (true)
    {
        flush();
        // who has stopped holds nobody back, but what it has sent does
        const int64_t ownPs = stopped ? FabricTime::NEVER : NextEvent::GetPs();
        const SharedBoard::Result& told =
            m_board.Exchange({std::min(ownPs, m_firstDuePs)}, parcels);
        m_firstDuePs = FabricTime::NEVER;
        int64_t nextPs = FabricTime::NEVER;
        for (uint32_t rank = 0; rank < m_size; ++rank)
        {
            nextPs = std::min(nextPs, told.values[rank][0]);
            if (!told.bytes[rank].empty())
            {
                m_listener(told.bytes[rank]);
            }
            m_parcels[rank].clear();
        }
        if (nextPs == FabricTime::NEVER)
        {
            return;
        }
        if (!stopped)
        {
            stopped = RunTo(nextPs + std::min(lookAheadPs, FabricTime::NEVER - 1 - nextPs));
        }
    }
}

bool
CoreCommunicator::RunTo(int64_t limitPs)
{
    m_cameToEnd = false;
    const EventId end = Simulator::Schedule(FabricTime::FromPs(limitPs) - Simulator::Now(),
                                            &CoreCommunicator::EndWindow,
                                            this);
    Simulator::Run();
    if (!m_cameToEnd)
    {
        Simulator::Remove(end);
    }
    return !m_cameToEnd;
}

void
CoreCommunicator::EndWindow()
{
    ++m_nEvents;
    m_cameToEnd = true;
    Simulator::Stop();
}

uint64_t
CoreCommunicator::GetNEvents() const
{
    return m_nEvents;
}

uint64_t
CoreCommunicator::GetSharedBytes() const
{
    if (m_rank == 0)
    {
        return 0;
    }
    std::ifstream file("/proc/self/smaps_rollup");
    uint64_t kilobytes = 0;
    for (std::string name; file >> name;)
    {
        uint64_t number = 0;
        if ((name == "Shared_Clean:" || name == "Shared_Dirty:") && file >> number)
        {
            kilobytes += number;
        }
    }
    return kilobytes * 1024;
}

bool
CoreCommunicator::IsHelper() const
{
    return m_rank > 0;
}

void
CoreCommunicator::Finish()
{
    if (m_rank > 0)
    {
        m_team.Leave();
    }
    m_isOver = true;
    m_team.Await();
}

void
CoreCommunicator::Fail(const std::exception_ptr& why)
{
    if (m_rank > 0)
    {
        m_team.Leave(why);
    }
    m_isOver = true;
    m_team.End();
}

bool
CoreCommunicator::IsOver() const
{
    return m_isOver;
}

void
CoreCommunicator::Abort(int /* status */)
{
    m_team.End();
}

const char*
CoreCommunicator::GetNoun() const
{
    return "cores";
}

FabricText
CoreCommunicator::GetRemedy() const
{
    return "run it on one core, with " + FabricTerm::Option("cores", "1");
}

} // namespace ns3
