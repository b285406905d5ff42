// SPDX-License-Identifier: GPL-2.0-only
#ifndef JSON_WRITER_H
#define JSON_WRITER_H

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Writes JSON with indentation: enough for result files, with correct escapes and numbers
 * that keep their type.
 *
 * Values of an object follow Key(); those of an array follow one another.
 */
class JsonWriter
{
  public:
    /// Begin an object.
    void BeginObject();
    /// End an object.
    void EndObject();
    /// Begin an array.
    void BeginArray();
    /// End an array.
    void EndArray();
    /**
     * @brief Name the next value.
     * @param key its name
     */
    void Key(const std::string& key);
    /**
     * @brief Write a string.
     * @param value any bytes; those that are not UTF-8 are replaced
     */
    void String(const std::string& value);
    /**
     * @brief Write a whole number.
     * @param value the number
     */
    void Uint(uint64_t value);
    /**
     * @brief Write a real number, null if it is not finite.
     * @param value the number
     */
    void Double(double value);
    /// Write null.
    void Null();

    /// @return what was written
    const std::string& GetText() const
    {
        return m_text;
    }

  private:
    /// Comma, line break and indentation before a value or key.
    void Separate();
    /// Open.
    void Begin(char bracket);
    /// Close.
    void End(char bracket);
    /// Append a string in quotes.
    void Quote(const std::string& value);

    std::string m_text;     //!< so far
    unsigned m_depth{0};    //!< open brackets
    bool m_first{true};     //!< nothing in the innermost bracket yet
    bool m_afterKey{false}; //!< a value has to follow
};

} // namespace ns3

#endif /* JSON_WRITER_H */
