// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Texts of the library in the words of the command line.
 */
#ifndef SIM_SPEAKER_H
#define SIM_SPEAKER_H

#include "ns3/fabric-text.h"
#include "ns3/scenario-options.h"

#include <string>

namespace ns3
{

/**
 * @brief Names options where the library names classes and attributes of C++.
 *
 * A class that an option chooses becomes that option, with the value that the user gave if there is
 * one: `ns3::PriorityFlowControl` becomes `--flow-control=pfc`. An attribute becomes the option
 * that sets it, with dashes.
 */
class SimSpeaker : public FabricSpeaker
{
  public:
    /// @param options of the program, which outlive the speaker
    explicit SimSpeaker(const ScenarioOptions& options);

    std::string Name(const FabricTerm& term) const override;

  private:
    /// @return the options that choose a class; empty if none does
    std::string NameClass(const std::string& type) const;

    const ScenarioOptions& m_options; //!< of the program
};

} // namespace ns3

#endif /* SIM_SPEAKER_H */
