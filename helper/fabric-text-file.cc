// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-text-file.h"

#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace ns3
{

namespace
{

/**
 * @brief Refuse what would never end or never begin.
 *
 * A pipe that is open already, as that of a shell's `<(...)`, is as good as a file: whoever made it
 * writes to it. A FIFO by name would be waited for until somebody does.
 * @throws FabricError if it is a directory, device, socket or FIFO
 */
void
RefuseSpecialFile(const std::string& path, bool isOpen)
{
    std::error_code ignored; // opening the file says what is wrong
    const auto is = [&path](const char* what) {
        throw FabricError(ShowFabricPath(path) + ": is a " + what + ", not a file");
    };
    switch (std::filesystem::status(path, ignored).type())
    {
    case std::filesystem::file_type::directory:
        is("directory");
        break;
    case std::filesystem::file_type::block:
    case std::filesystem::file_type::character:
        is("device");
        break;
    case std::filesystem::file_type::socket:
        is("socket");
        break;
    case std::filesystem::file_type::fifo:
        if (!isOpen)
        {
            is("FIFO");
        }
        break;
    default:
        break;
    }
}

} // namespace

std::string
ShowFabricPath(const std::string& path)
{
    constexpr std::size_t END = 100; // characters shown at either end
    const std::string shown = EscapeFabricText(path);
    return shown.size() <= 2 * END + 3
               ? shown
               : shown.substr(0, END) + "..." + shown.substr(shown.size() - END);
}

std::string
ReadFabricFile(const std::string& path)
{
    const bool isOpen = path == "/dev/stdin" || path.compare(0, 8, "/dev/fd/") == 0 ||
                        path.compare(0, 14, "/proc/self/fd/") == 0;
    RefuseSpecialFile(path, isOpen);
    // some of the kernel's files are no FIFO by name, and would keep whoever reads them waiting
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | (isOpen ? 0 : O_NONBLOCK));
    if (file < 0)
    {
        throw FabricError(ShowFabricPath(path) + ": cannot be opened: " + std::strerror(errno));
    }
    std::string text;
    std::string part(std::size_t{1} << 16, '\0');
    ssize_t got = 0;
    do
    {
        text.append(part, 0, static_cast<std::size_t>(got));
        got = read(file, part.data(), part.size());
    } while (got > 0 || (got < 0 && errno == EINTR && (got = 0) == 0));
    const int error = errno;
    close(file);
    if (got < 0)
    {
        throw FabricError(ShowFabricPath(path) + ": cannot be read: " +
                          (error == EAGAIN ? "whoever reads it waits for what is to come"
                                           : std::strerror(error)));
    }
    return text;
}

FabricTextReader::FabricTextReader(const std::string& path, char comment)
    : m_path(ShowFabricPath(path)),
      m_comment(comment),
      m_text(ReadFabricFile(path))
{
    constexpr const char* UTF8_MARK = "\xef\xbb\xbf";
    for (const char* mark : {"\xff\xfe", "\xfe\xff"})
    {
        if (m_text.compare(0, 2, mark) == 0)
        {
            throw FabricError(m_path + ": is text in UTF-16; save it as UTF-8");
        }
    }
    m_position = m_text.compare(0, 3, UTF8_MARK) == 0 ? 3 : 0;
}

bool
FabricTextReader::Next()
{
    const auto isSpace = [](char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
    };
    while (m_position < m_text.size())
    {
        m_line++;
        m_fields.clear();
        size_t end = m_text.find('\n', m_position);
        end = end == std::string::npos ? m_text.size() : end;
        size_t i = m_position;
        while (i < end)
        {
            if (isSpace(m_text[i]))
            {
                i++;
                continue;
            }
            if (m_comment != '\0' && m_text[i] == m_comment)
            {
                break;
            }
            size_t j = i;
            while (j < end && !isSpace(m_text[j]))
            {
                j++;
            }
            m_fields.emplace_back(m_text, i, j - i);
            i = j;
        }
        m_position = end + 1;
        if (!m_fields.empty())
        {
            return true;
        }
    }
    m_fields.clear();
    return false;
}

std::string
FabricTextReader::GetPlace() const
{
    return m_path + ":" + std::to_string(std::max(m_line, 1U));
}

void
FabricTextReader::Refuse(const std::string& message) const
{
    throw FabricError(GetPlace() + ": " + message);
}

void
FabricTextReader::RefuseLine(uint32_t line, const std::string& message) const
{
    throw FabricError(m_path + ":" + std::to_string(std::max(line, 1U)) + ": " + message);
}

std::string
FabricTextReader::GetLower(size_t field) const
{
    std::string text = m_fields.at(field);
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return text;
}

void
FabricTextReader::ExpectFields(size_t count, const std::string& format) const
{
    if (m_fields.size() != count)
    {
        Refuse("expected '" + format + "' (" + FormatFabricCount(count, "field") + "), found " +
               std::to_string(m_fields.size()));
    }
}

std::string
FabricTextReader::Where(const char* name) const
{
    return GetPlace() + ": " + name;
}

uint64_t
FabricTextReader::GetUint(size_t field, const char* name, uint64_t min, uint64_t max) const
{
    return ParseFabricUint(m_fields.at(field), Where(name), min, max);
}

double
FabricTextReader::GetDouble(size_t field, const char* name, double min, double max) const
{
    return ParseFabricDouble(m_fields.at(field), Where(name), min, max);
}

int64_t
FabricTextReader::GetTimePs(size_t field, const char* name) const
{
    return ParseFabricTimePs(m_fields.at(field), Where(name));
}

int64_t
FabricTextReader::GetSecondsPs(size_t field, const char* name) const
{
    const std::string& text = m_fields.at(field);
    if (text.find_first_not_of("0123456789.eE+-") != std::string::npos)
    {
        Refuse(std::string(name) + ": " + QuoteFabricText(text) +
               " is not a number of seconds without unit, such as 2.000001");
    }
    return ParseFabricSecondsPs(text, Where(name));
}

uint64_t
FabricTextReader::GetRateBps(size_t field, const char* name) const
{
    return ParseFabricRateBps(m_fields.at(field), Where(name));
}

std::string
FormatFabricDecimal(uint64_t value, uint64_t unit)
{
    // the digits behind the point, with all zeros: those of unit + rest behind its first one
    std::string fraction = std::to_string(unit + value % unit).substr(1);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    return std::to_string(value / unit) + (fraction.empty() ? "" : "." + fraction);
}

void
WriteFabricTextFile(const std::string& path, const std::string& text)
{
    const std::string temporary = path + ".tmp";
    const auto fail = [&]() {
        const std::string reason = std::strerror(errno);
        std::remove(temporary.c_str());
        throw FabricError(ShowFabricPath(path) + ": cannot be written: " + reason);
    };
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out || std::rename(temporary.c_str(), path.c_str()) != 0)
    {
        fail();
    }
}

} // namespace ns3
