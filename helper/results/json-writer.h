// SPDX-License-Identifier: GPL-2.0-only
#ifndef JSON_WRITER_H
#define JSON_WRITER_H

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Writes JSON: enough for result files, with correct escapes and numbers that keep their
 * type.
 *
 * Values of an object follow Key(); those of an array follow one another.
 */
class JsonWriter
{
  public:
    /// How it looks.
    enum class Layout
    {
        INDENTED, //!< each value on a line of its own
        ONE_LINE  //!< all on one line; breaks within texts are escaped
    };

    /// @param layout of all that is written
    explicit JsonWriter(Layout layout = Layout::INDENTED)
        : m_layout(layout)
    {
    }

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

    /**
     * @brief Write a name and its string.
     * @param key the name
     * @param value see String()
     */
    void StringMember(const std::string& key, const std::string& value);
    /**
     * @brief Write a name and its string, unless that is empty.
     * @param key the name
     * @param value see String()
     */
    void StringMemberIfAny(const std::string& key, const std::string& value);
    /**
     * @brief Write a name and its whole number.
     * @param key the name
     * @param value the number
     */
    void UintMember(const std::string& key, uint64_t value);
    /**
     * @brief Write a name and its real number.
     * @param key the name
     * @param value see Double()
     */
    void DoubleMember(const std::string& key, double value);
    /**
     * @brief Write a name and true or false.
     * @param key the name
     * @param value which
     */
    void BoolMember(const std::string& key, bool value);

    /// @return what was written
    const std::string& GetText() const
    {
        return m_text;
    }

  private:
    /// Comma, line break and indentation before a value or key.
    void Separate();
    /// Begin a line, if there are several.
    void BreakLine();
    /// Open.
    void Begin(char bracket);
    /// Close.
    void End(char bracket);
    /// Append a string in quotes.
    void Quote(const std::string& value);

    Layout m_layout;        //!< how it looks
    std::string m_text;     //!< so far
    unsigned m_depth{0};    //!< open brackets
    bool m_first{true};     //!< nothing in the innermost bracket yet
    bool m_afterKey{false}; //!< a value has to follow
};

} // namespace ns3

#endif /* JSON_WRITER_H */
