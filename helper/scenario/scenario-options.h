// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_OPTIONS_H
#define SCENARIO_OPTIONS_H

#include "ns3/fabric-text.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

struct ScenarioPreset;
struct ScenarioSettings;

/**
 * @ingroup dcfabric
 * @brief What a user says of a run: every option as text, with presets applied.
 *
 * What was set wins over a configuration file (option `config`), which wins over the preset, which
 * wins over the defaults, in whatever order they are set. The same holds for attributes
 * (`ns3::Class::Attribute`).
 *
 * Attributes take hold as defaults of their classes, which are those of the process: between two
 * scenarios of one process Config::Reset() takes them back.
 */
class ScenarioOptions
{
  public:
    /// Names and values, in the order in which results list them.
    using Values = std::vector<std::pair<std::string, std::string>>;

    /// All options of GetScenarioSchema() have their defaults.
    ScenarioOptions();

    /**
     * @brief Set an option, an attribute or a global value of ns-3; the last word counts. The
     * option `library`, also written as a `load` that is a path, loads policies at once: attributes
     * of these are set behind it.
     * @param name `cc`, `ns3::Class::Attribute`, `RngRun`
     * @param value its text
     * @throws FabricError if there is no such thing, if it does not take the value, and after
     * Apply()
     */
    void Set(const std::string& name, const std::string& value);

    /**
     * @brief Read what stands below what was set: the preset or the configuration file.
     * @throws FabricError for a preset that does not exist and a file that makes no sense
     */
    void ReadDefaults();

    /**
     * @brief Let what was set take hold, over ReadDefaults(), which is called unless it was.
     * Nothing can be set afterwards; a second call does nothing.
     * @throws FabricError for an option without a value
     */
    void Apply();

    /**
     * @param name its name
     * @return the text of an option
     */
    const std::string& Get(const std::string& name) const
    {
        return m_values.at(name);
    }

    /**
     * @param name its name
     * @return an option and its text for a message, as in `cc=hpcc`
     */
    FabricText Say(const std::string& name) const
    {
        return FabricTerm::Option(name, Get(name));
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
     * @return true if the user set an option
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
     * @throws FabricError if its text is none
     */
    int64_t GetTimePs(const std::string& name) const;

    /**
     * @param name of the option
     * @return a whole number in its range
     * @throws FabricError if its text is none, or it is out of range
     */
    uint64_t GetUint(const std::string& name) const;

    /// @return names and values of the attributes and globals that the user set
    const std::map<std::string, std::string>& GetGivenAttributes() const
    {
        return m_attributes;
    }

    /// @return the preset, null for none
    const ScenarioPreset* GetPreset() const
    {
        return m_preset;
    }

    /// @return all options and the attributes that the user or a configuration file set, as they
    /// are now
    Values GetResolved() const;

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
    /// Take what a configuration file says.
    void Take(const ScenarioSettings& file);

    /// Take what a preset says.
    void Take(const ScenarioPreset& preset);

    std::map<std::string, std::string> m_values;         //!< by option
    std::map<std::string, std::string> m_given;          //!< options that the user set
    std::map<std::string, std::string> m_fileAttributes; //!< of a configuration file
    std::set<std::string> m_fileOptions;                 //!< set by a configuration file
    std::map<std::string, std::string> m_attributes; //!< attributes and globals that the user set
    std::vector<std::string> m_written;              //!< names of these, as written
    const ScenarioPreset* m_preset{nullptr};         //!< chosen preset
    bool m_hasRead{false};                           //!< see ReadDefaults()
    bool m_isApplied{false};                         //!< see Apply()
};

} // namespace ns3

#endif /* SCENARIO_OPTIONS_H */
