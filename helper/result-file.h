// SPDX-License-Identifier: GPL-2.0-only
#ifndef RESULT_FILE_H
#define RESULT_FILE_H

#include "ns3/fabric-error.h"

#include <cstdint>
#include <cstdio>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Append a time as nanoseconds with up to three decimals, exactly.
 * @param text where to
 * @param timePs time in ps, of either sign
 */
void AppendNanoseconds(std::string& text, int64_t timePs);

/**
 * @ingroup dcfabric
 * @brief A result file that cannot be written: the disk is full, or the folder does not take it.
 */
class ResultFileError : public FabricError
{
  public:
    using FabricError::FabricError;
};

/**
 * @ingroup dcfabric
 * @brief A result file that exists whole or not at all.
 *
 * Text is collected in memory and written in large pieces to `PATH.tmp`, which Commit() renames. A
 * file that was not committed is removed.
 */
class ResultFile
{
  public:
    /**
     * @brief Create the temporary file.
     * @param path final name
     * @throws ResultFileError if it cannot be created
     */
    explicit ResultFile(const std::string& path);
    ~ResultFile();
    ResultFile(const ResultFile&) = delete;
    ResultFile& operator=(const ResultFile&) = delete;

    /// @return text to be appended to; call EndLine() from time to time
    std::string& Text()
    {
        return m_text;
    }

    /**
     * @brief End a line, and write what has been collected if it is much.
     * @throws ResultFileError if it cannot be written
     */
    void EndLine()
    {
        m_text += '\n';
        if (m_text.size() >= BUFFER_BYTES)
        {
            Flush();
        }
    }

    /**
     * @brief Write the rest and give the file its final name.
     * @throws ResultFileError if that fails
     */
    void Commit();

  private:
    static constexpr std::size_t BUFFER_BYTES = 1 << 20; //!< written in one go

    /// Write what has been collected.
    void Flush();
    /// Refuse what could not be done.
    [[noreturn]] void Fail(const char* what) const;

    std::string m_path;         //!< final name
    std::string m_temporary;    //!< name until then
    std::string m_text;         //!< not yet written
    std::FILE* m_file{nullptr}; //!< null when closed
};

} // namespace ns3

#endif /* RESULT_FILE_H */
