// SPDX-License-Identifier: GPL-2.0-only
#include "rank-communicator.h"

namespace ns3
{

RankCommunicator::~RankCommunicator() = default;

void
RankCommunicator::Divide()
{
}

uint64_t
RankCommunicator::GetNEvents() const
{
    return 0;
}

uint64_t
RankCommunicator::GetSharedBytes() const
{
    return 0;
}

bool
RankCommunicator::IsHelper() const
{
    return false;
}

void
RankCommunicator::Finish()
{
}

void
RankCommunicator::Fail(const std::exception_ptr& /* why */)
{
}

bool
RankCommunicator::IsOver() const
{
    return false;
}

void
RankCommunicator::Abort(int /* status */)
{
}

} // namespace ns3
