// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_OPTIONS_H
#define SIM_OPTIONS_H

#include "ns3/type-id.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

struct SimConfig;
struct SimPreset;

/**
 * @brief The command line of dcfabric-sim: every option as text, with presets applied.
 *
 * What the user wrote wins over a configuration file (`--config`), which wins over the preset,
 * which wins over the defaults, in whatever order they stand on the command line. The same holds
 * for attributes (`--ns3::Class::Attribute=value`).
 */
class SimOptions
{
  public:
    /// All options at their defaults.
    SimOptions();

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
     * @param name its name
     * @return the text of an option
     */
    const std::string& Get(const std::string& name) const
    {
        return m_values.at(name);
    }

    /**
     * @brief Replace the text of an option by what it resolved to.
     * @param name its name
     * @param value text
     */
    void Resolve(const std::string& name, const std::string& value)
    {
        m_values.at(name) = value;
    }

    /**
     * @param name its name
     * @return true if there is such an option
     */
    bool Has(const std::string& name) const
    {
        return m_values.count(name) != 0;
    }

    /**
     * @param name its name
     * @return true if the user wrote an option
     */
    bool IsGiven(const std::string& name) const
    {
        return m_given.count(name) != 0;
    }

    /**
     * @param name its name
     * @return true if the user, a configuration file or the preset set an option
     */
    bool IsSet(const std::string& name) const;

    /**
     * @param name `ns3::Class::Attribute`
     * @return true if the user set an attribute
     */
    bool IsAttributeGiven(const std::string& name) const
    {
        return m_attributes.count(name) != 0;
    }

    /**
     * @param name `ns3::Class::Attribute`
     * @return true if the user or a configuration file set an attribute
     */
    bool IsAttributeSet(const std::string& name) const
    {
        return IsAttributeGiven(name) || m_fileAttributes.count(name) != 0;
    }

    /**
     * @brief Refuse what the user set of classes that the run does not use.
     * @param used classes of the run; those that attributes name are added
     * @throws FabricError if there is such a thing
     */
    void CheckAttributesUsed(std::vector<TypeId> used) const;

    /**
     * @param name of the option
     * @return a time with a unit in ps
     */
    int64_t GetTimePs(const std::string& name) const;

    /**
     * @param name of the option
     * @return a whole number in its range
     */
    uint64_t GetUint(const std::string& name) const;

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

    /// @return names and values of the attributes and globals that the user wrote
    const std::map<std::string, std::string>& GetGivenAttributes() const
    {
        return m_attributes;
    }

    /// @return the preset, null for none
    const SimPreset* GetPreset() const
    {
        return m_preset;
    }

    /// @return all options but actions, and the attributes that the user or a configuration file
    /// set, as they are now
    std::vector<std::pair<std::string, std::string>> GetResolved() const;

    /**
     * @brief Give an attribute a default that the user can override.
     * @param name `ns3::Class::Attribute`
     * @param value its value
     * @throws FabricError if there is no such attribute or the value does not fit
     */
    void SetAttributeDefault(const std::string& name, const std::string& value) const;

    /**
     * @brief Take back what a preset says of attributes, where neither the user nor a
     * configuration file set them.
     * @param names `ns3::Class::Attribute`
     */
    void YieldPreset(const std::vector<std::string>& names) const;

  private:
    /**
     * @brief Find out what the user wrote.
     * @return words that ask ns-3 something, such as `--help`
     */
    std::vector<std::string> Read(int argc, char** argv);

    /// Have ns-3 answer what the user asks (Read()), which ends the program.
    void Answer(const std::string& program, std::vector<std::string> enquiries);

    /// Take what a configuration file says, under what the user wrote.
    void Apply(const SimConfig& config);

    /// Take what a preset says, under what the user wrote.
    void Apply(const SimPreset& preset);

    std::map<std::string, std::string> m_values;         //!< by option
    std::map<std::string, std::string> m_given;          //!< options that the user wrote
    std::map<std::string, std::string> m_fileAttributes; //!< of a configuration file
    std::set<std::string> m_fileOptions;                 //!< set by a configuration file
    std::map<std::string, std::string> m_attributes; //!< attributes and globals that the user wrote
    std::vector<std::string> m_written;              //!< names of these, as written
    std::map<std::string, std::string> m_actions;    //!< values of actions that are wanted
    const SimPreset* m_preset{nullptr};              //!< chosen preset
};

} // namespace ns3

#endif /* SIM_OPTIONS_H */
