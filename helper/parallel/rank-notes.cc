// SPDX-License-Identifier: GPL-2.0-only
#include "rank-notes.h"

namespace ns3
{

RankNotes::~RankNotes() = default;

} // namespace ns3
