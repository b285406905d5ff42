// SPDX-License-Identifier: GPL-2.0-only
#include "json-writer.h"

#include <cmath>
#include <cstdio>

namespace ns3
{

namespace
{

/// @return length of the UTF-8 sequence at a place, 0 if there is none
std::size_t
GetSequenceLength(const std::string& text, std::size_t at)
{
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80                    ? 1
                               : lead >= 0xc2 && lead <= 0xdf ? 2
                               : lead >= 0xe0 && lead <= 0xef ? 3
                               : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                              : 0;
    if (at + length > text.size())
    {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i)
    {
        if ((static_cast<unsigned char>(text[at + i]) & 0xc0) != 0x80)
        {
            return 0;
        }
    }
    return length;
}

} // namespace

void
JsonWriter::Separate()
{
    if (m_afterKey)
    {
        m_afterKey = false;
        return;
    }
    if (m_depth > 0)
    {
        m_text += m_first ? "" : m_layout == Layout::ONE_LINE ? ", " : ",";
        BreakLine();
    }
    m_first = false;
}

void
JsonWriter::BreakLine()
{
    if (m_layout == Layout::INDENTED)
    {
        m_text += '\n';
        m_text.append(2UL * m_depth, ' ');
    }
}

void
JsonWriter::Begin(char bracket)
{
    Separate();
    m_text += bracket;
    ++m_depth;
    m_first = true;
}

void
JsonWriter::End(char bracket)
{
    --m_depth;
    if (!m_first)
    {
        BreakLine();
    }
    m_text += bracket;
    m_first = false;
}

void
JsonWriter::BeginObject()
{
    Begin('{');
}

void
JsonWriter::EndObject()
{
    End('}');
}

void
JsonWriter::BeginArray()
{
    Begin('[');
}

void
JsonWriter::EndArray()
{
    End(']');
}

void
JsonWriter::Key(const std::string& key)
{
    Separate();
    Quote(key);
    m_text += ": ";
    m_afterKey = true;
}

void
JsonWriter::String(const std::string& value)
{
    Separate();
    Quote(value);
}

void
JsonWriter::Quote(const std::string& value)
{
    m_text += '"';
    for (std::size_t i = 0; i < value.size();)
    {
        const char c = value[i];
        const std::size_t length = GetSequenceLength(value, i);
        if (length == 0)
        {
            m_text += "\\ufffd";
        }
        else if (c == '"' || c == '\\')
        {
            m_text += '\\';
            m_text += c;
        }
        else if (static_cast<unsigned char>(c) < 0x20)
        {
            char escape[8];
            std::snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(c));
            m_text += escape;
        }
        else
        {
            m_text.append(value, i, length);
        }
        i += length == 0 ? 1 : length;
    }
    m_text += '"';
}

void
JsonWriter::Uint(uint64_t value)
{
    Separate();
    m_text += std::to_string(value);
}

void
JsonWriter::Double(double value)
{
    if (!std::isfinite(value))
    {
        Null();
        return;
    }
    Separate();
    char text[40];
    std::snprintf(text, sizeof(text), "%.10g", value);
    m_text += text;
}

void
JsonWriter::Null()
{
    Separate();
    m_text += "null";
}

void
JsonWriter::StringMember(const std::string& key, const std::string& value)
{
    Key(key);
    String(value);
}

void
JsonWriter::StringMemberIfAny(const std::string& key, const std::string& value)
{
    if (!value.empty())
    {
        StringMember(key, value);
    }
}

void
JsonWriter::UintMember(const std::string& key, uint64_t value)
{
    Key(key);
    Uint(value);
}

void
JsonWriter::DoubleMember(const std::string& key, double value)
{
    Key(key);
    Double(value);
}

void
JsonWriter::BoolMember(const std::string& key, bool value)
{
    Key(key);
    Separate();
    m_text += value ? "true" : "false";
}

} // namespace ns3
