// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_OPTIONS_H
#define SIM_OPTIONS_H

#include "ns3/scenario-options.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @brief The command line of dcfabric-sim: options of a scenario, and what the program is to do
 * with it.
 */
class SimOptions
{
  public:
    /// @param scenario gets the options that are its own
    explicit SimOptions(ScenarioOptions& scenario);

    /**
     * @brief Read the command line; attributes take hold as defaults of their classes.
     *
     * ns3::CommandLine sees nothing but --help and other enquiries, for which it ends the program.
     * @param argc,argv as given to main()
     * @throws FabricError for an option, attribute or preset that does not exist or is given twice,
     * and for a value that it does not take
     */
    void Parse(int argc, char** argv);

    /**
     * @param name of an option that is an action, such as `plan`
     * @return its value; empty: it is not wanted
     */
    std::string GetAction(const std::string& name) const
    {
        const auto found = m_actions.find(name);
        return found == m_actions.end() ? "" : found->second;
    }

    /**
     * @param name of an option that is an action, such as `force`
     * @return true if the user wants it
     */
    bool IsWanted(const std::string& name) const
    {
        return !GetAction(name).empty();
    }

  private:
    /**
     * @brief Find out what the user wrote.
     * @return words that ask ns-3 something, such as `--help`
     */
    std::vector<std::string> Read(int argc, char** argv);

    /// Have ns-3 answer what the user asks (Read()), which ends the program.
    void Answer(const std::string& program, std::vector<std::string> enquiries);

    ScenarioOptions& m_scenario;                  //!< what is to be run
    std::map<std::string, std::string> m_actions; //!< values of actions that are wanted
};

} // namespace ns3

#endif /* SIM_OPTIONS_H */
