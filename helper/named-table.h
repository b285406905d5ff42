// SPDX-License-Identifier: GPL-2.0-only
#ifndef NAMED_TABLE_H
#define NAMED_TABLE_H

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A table of what users can name, to which other files add: wings, which a build may leave
 * out, and modules of users.
 *
 * Each addition says behind which entry it stands, so that users read the table in one order,
 * whichever file is loaded first.
 *
 * @code
 * const bool g_isAdded = GetFabricTopologyTable().Add("file", {{"topo", "ns3::HtsimTopology"}});
 * @endcode
 * @tparam T an entry
 */
template <typename T>
class NamedTable
{
  public:
    /// Lists the first entries. @return them, in order
    using Lister = std::vector<T> (*)();
    /// Names an entry. @param entry it @return its name, which no other has
    using Namer = std::string (*)(const T& entry);

    /**
     * @param list lists the first entries, when the table is read
     * @param name names an entry, by default by its member `name`
     */
    explicit NamedTable(
        Lister list,
        Namer name = [](const T& entry) { return std::string(entry.name); })
        : m_list(list),
          m_name(name)
    {
    }

    /**
     * @brief Add entries, as a static object does when it is made; before others keep references to
     * entries.
     * @param after name of the entry before them; empty: they are the first ones. They are the last
     * ones if there is no such entry
     * @param entries in order
     * @return true
     */
    bool Add(const std::string& after, std::vector<T> entries)
    {
        m_additions.push_back({after, std::move(entries)});
        return true;
    }

    /// Changes an entry. @param entry it
    using Changer = void (*)(T& entry);

    /**
     * @brief Change an entry of another file, as a static object does when it is made: what a wing
     * adds to the help of an option, for example.
     * @param name of the entry; without such an entry nothing is changed
     * @param change does it, when the table is read
     * @return true
     */
    bool Change(const std::string& name, Changer change)
    {
        m_changes.emplace_back(name, change);
        return true;
    }

    /// @return all entries, in order
    const std::vector<T>& Get()
    {
        if (m_entries.empty())
        {
            m_entries = m_list();
        }
        Weave();
        for (const auto& [name, change] : m_changes)
        {
            if (const auto place = FindPlace(name); place && !name.empty())
            {
                change(m_entries[*place - 1]);
            }
        }
        m_changes.clear();
        return m_entries;
    }

  private:
    /// Entries, and what they stand behind.
    struct Addition
    {
        std::string after;      //!< name of an entry; empty: they are the first ones
        std::vector<T> entries; //!< in order
    };

    /// @return where entries behind one of that name begin; none if there is no such entry
    std::optional<std::size_t> FindPlace(const std::string& after) const
    {
        if (after.empty())
        {
            return 0;
        }
        for (std::size_t i = 0; i < m_entries.size(); ++i)
        {
            if (m_name(m_entries[i]) == after)
            {
                return i + 1;
            }
        }
        return std::nullopt;
    }

    /// Put the additions in their places: of those at one place in the order of names.
    void Weave()
    {
        std::sort(m_additions.begin(), m_additions.end(), [this](const auto& a, const auto& b) {
            return m_name(a.entries.front()) > m_name(b.entries.front());
        });
        while (!m_additions.empty())
        {
            // one may stand behind another
            auto next = std::find_if(m_additions.begin(), m_additions.end(), [this](const auto& a) {
                return FindPlace(a.after).has_value();
            });
            next = next == m_additions.end() ? next - 1 : next;
            const std::size_t place = FindPlace(next->after).value_or(m_entries.size());
            m_entries.insert(m_entries.begin() + static_cast<std::ptrdiff_t>(place),
                             next->entries.begin(),
                             next->entries.end());
            m_additions.erase(next);
        }
    }

    Lister m_list;                     //!< lists the first entries
    Namer m_name;                      //!< names an entry
    std::vector<T> m_entries;          //!< see Get()
    std::vector<Addition> m_additions; //!< that are not in m_entries

    /// See Change(): names and what changes these; none of entries that have been changed.
    std::vector<std::pair<std::string, Changer>> m_changes;
};

} // namespace ns3

#endif /* NAMED_TABLE_H */
