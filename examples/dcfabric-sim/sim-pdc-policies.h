// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Policies of single hosts and PDCs, from the file of --policies.
 */
#ifndef SIM_PDC_POLICIES_H
#define SIM_PDC_POLICIES_H

#include "sim-options.h"

#include "ns3/fabric-flow.h"
#include "ns3/fabric.h"
#include "ns3/pdc-policy.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @brief A line of the file.
 */
struct SimPdcPolicy
{
    std::string place;                 //!< file and line, for errors
    std::vector<uint32_t> senders;     //!< host numbers; empty: all
    std::vector<uint32_t> receivers;   //!< host numbers; empty: all
    uint8_t priority;                  //!< class, or PdcPolicies::ANY_CLASS
    PdcPolicy policy;                  //!< types and attributes
    std::vector<std::string> features; //!< classes that the switches need
    std::vector<TypeId> used;          //!< classes that are chosen, and those that they name
};

/**
 * @brief Read the file that --policies names.
 *
 * Each line has senders, receivers and any of `cc=`, `lb=`, `modifiers=`, `class=` and
 * `ns3::CLASS::ATTRIBUTE=`; what it does not name is as the program's options say.
 * @param options of the program
 * @return its lines, in order; none without the option
 * @throws FabricError with file and line
 */
std::vector<SimPdcPolicy> ReadSimPdcPolicies(const SimOptions& options);

/**
 * @brief Tell which lines are for no flow.
 * @param policies of ReadSimPdcPolicies()
 * @param flows all that will be sent
 */
void NoteIdleSimPdcPolicies(const std::vector<SimPdcPolicy>& policies,
                            const std::vector<FabricFlow>& flows);

/**
 * @brief Install them.
 * @param fabric the network
 * @param policies of ReadSimPdcPolicies()
 * @throws FabricError with file and line
 */
void InstallSimPdcPolicies(Ptr<Fabric> fabric, const std::vector<SimPdcPolicy>& policies);

} // namespace ns3

#endif /* SIM_PDC_POLICIES_H */
