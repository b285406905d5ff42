// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_ENGINE_H
#define FABRIC_TEST_ENGINE_H

#include "fabric-test-wings.h"

#include "ns3/global-value.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Cases that need a certain engine of the simulator.
 */

namespace ns3::tests
{

/// The engine of ns-3. It leaks an event that throws.
inline const char* const STOCK_ENGINE = "ns3::DefaultSimulatorImpl";
/// That of the module, which leaks none; a build may leave it out.
inline const char* const OWN_ENGINE = "ns3::FabricSimulatorImpl";

/// @return an engine for events that throw: that of the module, if the build has it
inline const char*
GetThrowingEngine()
{
    return HasClass(OWN_ENGINE) ? OWN_ENGINE : STOCK_ENGINE;
}

/**
 * @ingroup dcfabric-tests
 * @brief Another engine and scheduler, until the end of the scope.
 */
class EngineChoice
{
  public:
    /**
     * @param engine TypeId name
     * @param scheduler TypeId name
     */
    explicit EngineChoice(const std::string& engine,
                          const std::string& scheduler = "ns3::MapScheduler")
    {
        Simulator::Destroy();
        GlobalValue::Bind("SimulatorImplementationType", StringValue(engine));
        Simulator::SetScheduler(ObjectFactory(scheduler));
    }

    ~EngineChoice()
    {
        Simulator::Destroy();
        GlobalValue::Bind("SimulatorImplementationType", StringValue(STOCK_ENGINE));
    }

    EngineChoice(const EngineChoice&) = delete;
    EngineChoice& operator=(const EngineChoice&) = delete;
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_ENGINE_H */
