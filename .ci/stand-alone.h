// SPDX-License-Identifier: GPL-2.0-only
//
// What most files include, for the precompiled header of .ci/stand-alone.cmake. Nothing relies on
// it.
#ifndef DCFABRIC_STAND_ALONE_H
#define DCFABRIC_STAND_ALONE_H

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/pointer.h"
#include "ns3/queue-disc.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/traced-callback.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <boost/circular_buffer.hpp>
#include <deque>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#endif /* DCFABRIC_STAND_ALONE_H */
