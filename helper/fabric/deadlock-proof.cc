// SPDX-License-Identifier: GPL-2.0-only
#include "deadlock-proof.h"

namespace ns3
{

namespace
{

const DeadlockProof* g_deadlockProof = nullptr; //!< see DeadlockProof::Get()

} // namespace

DeadlockProof::~DeadlockProof() = default;

const DeadlockProof*
DeadlockProof::Get()
{
    return g_deadlockProof;
}

bool
DeadlockProof::Set(const DeadlockProof& proof)
{
    g_deadlockProof = &proof;
    return true;
}

} // namespace ns3
