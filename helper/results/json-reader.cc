// SPDX-License-Identifier: GPL-2.0-only
#include "json-reader.h"

#include "ns3/fabric-error.h"

#include <cctype>
#include <cstdint>
#include <cstring>
#include <utility>

namespace ns3
{

namespace
{

constexpr unsigned MAX_DEPTH = 100;

/// Append a character as UTF-8.
void
AppendUtf8(std::string& text, uint32_t code)
{
    if (code < 0x80)
    {
        text += static_cast<char>(code);
        return;
    }
    const unsigned following = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr unsigned LEADS[] = {0, 0xc0, 0xe0, 0xf0};
    text += static_cast<char>(LEADS[following] | (code >> (6 * following)));
    for (unsigned i = following; i-- > 0;)
    {
        text += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3f));
    }
}

/// Goes through the text once.
class Reader
{
  public:
    /// @param text to be read
    explicit Reader(const std::string& text)
        : m_text(text)
    {
    }

    /// @return values by path
    std::map<std::string, std::string> Read()
    {
        if (Peek() != '{')
        {
            Fail();
        }
        ReadValue("", true);
        if (Peek() != '\0' || m_at != m_text.size())
        {
            Fail();
        }
        return std::move(m_values);
    }

  private:
    /// Say where it is wrong.
    [[noreturn]] void Fail() const
    {
        throw FabricError("no JSON object (at byte " + std::to_string(m_at) + ")");
    }

    /// @return the next character that is no space, null at the end
    char Peek()
    {
        while (m_at < m_text.size() && std::strchr(" \t\r\n", m_text[m_at]) && m_text[m_at] != '\0')
        {
            ++m_at;
        }
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }

    /// Skip a character, which has to be the next.
    void Expect(char c)
    {
        if (Peek() != c || c == '\0')
        {
            Fail();
        }
        ++m_at;
    }

    /// @return whether another member follows; skips what separates them
    bool Continue(char end)
    {
        if (Peek() == end)
        {
            ++m_at;
            return false;
        }
        Expect(',');
        return true;
    }

    /// @return the number after \u
    uint32_t ReadHex()
    {
        uint32_t code = 0;
        for (int i = 0; i < 4; ++i, ++m_at)
        {
            if (m_at >= m_text.size() || !std::isxdigit(static_cast<unsigned char>(m_text[m_at])))
            {
                Fail();
            }
            code =
                code * 16 + static_cast<uint32_t>(std::stoul(m_text.substr(m_at, 1), nullptr, 16));
        }
        return code;
    }

    /// Read what follows a backslash.
    void ReadEscape(std::string& text)
    {
        constexpr const char* NAMES = "\"\\/bfnrt";
        constexpr const char* VALUES = "\"\\/\b\f\n\r\t";
        const char name = m_at < m_text.size() ? m_text[m_at++] : '\0';
        if (name == 'u')
        {
            uint32_t code = ReadHex();
            if (code >= 0xd800 && code < 0xdc00 && m_text.compare(m_at, 2, "\\u") == 0)
            {
                m_at += 2;
                code = 0x10000 + ((code - 0xd800) << 10) + ((ReadHex() - 0xdc00) & 0x3ff);
            }
            AppendUtf8(text, code);
            return;
        }
        const char* found = name == '\0' ? nullptr : std::strchr(NAMES, name);
        if (!found)
        {
            Fail();
        }
        text += VALUES[found - NAMES];
    }

    /// @return a string
    std::string ReadString()
    {
        Expect('"');
        std::string text;
        while (m_at < m_text.size() && m_text[m_at] != '"')
        {
            const char c = m_text[m_at++];
            if (c == '\\')
            {
                ReadEscape(text);
            }
            else
            {
                text += c;
            }
        }
        if (m_at >= m_text.size())
        {
            Fail();
        }
        ++m_at;
        return text;
    }

    /// @return a number, true, false or null
    std::string ReadWord()
    {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() &&
               (std::isalnum(static_cast<unsigned char>(m_text[m_at])) ||
                std::strchr("+-.", m_text[m_at])) &&
               m_text[m_at] != '\0')
        {
            ++m_at;
        }
        if (m_at == begin)
        {
            Fail();
        }
        std::string word = m_text.substr(begin, m_at - begin);
        const char first = word.front();
        if (first != '-' && !std::isdigit(static_cast<unsigned char>(first)) && word != "true" &&
            word != "false" && word != "null")
        {
            m_at = begin;
            Fail();
        }
        return word;
    }

    /// Read the members of an object or an array.
    void ReadMembers(const std::string& path, bool keep)
    {
        const bool object = m_text[m_at++] == '{';
        const char end = object ? '}' : ']';
        if (++m_depth > MAX_DEPTH)
        {
            Fail();
        }
        if (Peek() == end)
        {
            ++m_at;
            --m_depth;
            return;
        }
        do
        {
            std::string name;
            if (object)
            {
                Peek();
                name = (path.empty() ? "" : path + "/") + ReadString();
                Expect(':');
            }
            ReadValue(name, keep && object);
        } while (Continue(end));
        --m_depth;
    }

    /// Read a value, and keep it if wanted.
    void ReadValue(const std::string& path, bool keep)
    {
        const char c = Peek();
        if (c == '{' || c == '[')
        {
            ReadMembers(path, keep && c == '{');
            return;
        }
        std::string value = c == '"' ? ReadString() : ReadWord();
        if (keep)
        {
            m_values[path] = std::move(value);
        }
    }

    const std::string& m_text;                   //!< to be read
    std::size_t m_at{0};                         //!< place in it
    unsigned m_depth{0};                         //!< open brackets
    std::map<std::string, std::string> m_values; //!< found so far
};

} // namespace

std::map<std::string, std::string>
ReadJsonObject(const std::string& text)
{
    return Reader(text).Read();
}

} // namespace ns3
