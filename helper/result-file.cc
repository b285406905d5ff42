// SPDX-License-Identifier: GPL-2.0-only
#include "result-file.h"

#include "fabric-text-file.h"

#include <cerrno>
#include <cstring>

namespace ns3
{

void
AppendNanoseconds(std::string& text, int64_t timePs)
{
    uint64_t ps = static_cast<uint64_t>(timePs);
    if (timePs < 0)
    {
        text += '-';
        ps = 0 - ps;
    }
    text += std::to_string(ps / 1000);
    auto rest = static_cast<unsigned>(ps % 1000);
    if (rest == 0)
    {
        return;
    }
    text += '.';
    for (unsigned digit = 100; rest > 0; digit /= 10)
    {
        text += static_cast<char>('0' + rest / digit);
        rest %= digit;
    }
}

ResultFile::ResultFile(const std::string& path)
    : m_path(path),
      m_temporary(path + ".tmp")
{
    m_file = std::fopen(m_temporary.c_str(), "w");
    if (!m_file)
    {
        Fail("cannot be created");
    }
    m_text.reserve(BUFFER_BYTES + 4096);
}

ResultFile::~ResultFile()
{
    if (m_file)
    {
        std::fclose(m_file);
        std::remove(m_temporary.c_str());
    }
}

void
ResultFile::Fail(const char* what) const
{
    throw ResultFileError(ShowFabricPath(m_temporary) + ": " + what + ": " + std::strerror(errno));
}

void
ResultFile::Flush()
{
    if (std::fwrite(m_text.data(), 1, m_text.size(), m_file) != m_text.size())
    {
        Fail("cannot be written");
    }
    m_text.clear();
}

void
ResultFile::Commit()
{
    Flush();
    std::FILE* file = m_file;
    m_file = nullptr;
    if (std::fclose(file) != 0 || std::rename(m_temporary.c_str(), m_path.c_str()) != 0)
    {
        const int error = errno;
        std::remove(m_temporary.c_str());
        errno = error;
        Fail("cannot be completed");
    }
}

} // namespace ns3
