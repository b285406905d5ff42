// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_SPEAKER_H
#define SCENARIO_SPEAKER_H

#include "scenario-options.h"

#include "ns3/fabric-text.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Texts in the words of a command line: names options where the library names classes and
 * attributes of C++.
 *
 * A class that an option chooses becomes that option, with the value that the user gave if there is
 * one: `ns3::PriorityFlowControl` becomes `--flow-control=pfc`. An attribute becomes the option
 * that sets it, with dashes.
 */
class ScenarioSpeaker : public FabricSpeaker
{
  public:
    /**
     * @param options of the run, which outlive the speaker
     * @param others names of options that a program has beside those of GetScenarioSchema()
     */
    explicit ScenarioSpeaker(const ScenarioOptions& options, std::vector<std::string> others = {});

    std::string Name(const FabricTerm& term) const override;

  private:
    /// @return the options that choose a class; empty if none does
    std::string NameClass(const std::string& type) const;

    const ScenarioOptions& m_options;  //!< of the run
    std::vector<std::string> m_others; //!< further options
};

} // namespace ns3

#endif /* SCENARIO_SPEAKER_H */
