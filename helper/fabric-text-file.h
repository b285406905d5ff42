// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEXT_FILE_H
#define FABRIC_TEXT_FILE_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Read a whole file.
 * @param path file to read
 * @return what is in it
 * @throws FabricError if it cannot be read to its end, if reading it would wait for ever, or if it
 * is no file (a directory, device, socket, FIFO); a pipe that is open already (`/dev/stdin`,
 * `/dev/fd/N`) is read to its end
 */
std::string ReadFabricFile(const std::string& path);

/**
 * @ingroup dcfabric
 * @param path a path of any length
 * @return it for messages: on one line, and of a long one the beginning and the end
 */
std::string ShowFabricPath(const std::string& path);

/**
 * @ingroup dcfabric
 * @brief Reads a text file line by line as fields separated by white space, and knows where it is.
 *
 * Blank lines are skipped; carriage returns count as white space; a UTF-8
 * byte-order mark is skipped. A format may have comments, from
 * a field that begins with a certain character to the end of the line.
 */
class FabricTextReader
{
  public:
    /**
     * @brief Read the whole file.
     * @param path file to read
     * @param comment character that begins a comment; null for a format without comments
     * @throws FabricError as ReadFabricFile(), and if it is no UTF-8 but UTF-16
     */
    explicit FabricTextReader(const std::string& path, char comment = '\0');

    /**
     * @brief Go to the next line with at least one field.
     * @return false at the end of the file
     */
    bool Next();

    /// @return true if the line begins with `First line:`, as the explanation does that ends the
    /// public simulators' files
    bool IsLegend() const
    {
        return m_fields.size() >= 2 && m_fields[0] == "First" && m_fields[1] == "line:";
    }

    /// @return fields of the current line
    const std::vector<std::string>& GetFields() const
    {
        return m_fields;
    }

    /// @return line number of the current line, from 1; after the end, that of the last line
    uint32_t GetLine() const
    {
        return m_line;
    }

    /// @return `path:line` of the current line
    std::string GetPlace() const;

    /**
     * @param message what is wrong and what would be right
     * @throws FabricError always, with the place before the message
     */
    [[noreturn]] void Refuse(const std::string& message) const;

    /**
     * @param line line number
     * @param message what is wrong with that line and what would be right
     * @throws FabricError always, with the place before the message
     */
    [[noreturn]] void RefuseLine(uint32_t line, const std::string& message) const;

    /**
     * @param field field number
     * @return the field in lower case
     */
    std::string GetLower(size_t field) const;

    /**
     * @param count number of fields that the line must have
     * @param format how the line should look
     * @throws FabricError if it has another number
     */
    void ExpectFields(size_t count, const std::string& format) const;

    /**
     * @param field field number
     * @param name what it is, for messages
     * @param min least value
     * @param max largest value
     * @return a whole number
     */
    uint64_t GetUint(size_t field, const char* name, uint64_t min, uint64_t max) const;

    /**
     * @param field field number
     * @param name what it is, for messages
     * @param min least value
     * @param max largest value
     * @return a real number
     */
    double GetDouble(size_t field, const char* name, double min, double max) const;

    /**
     * @param field field number
     * @param name what it is, for messages
     * @return a time in ps, at least 0
     */
    int64_t GetTimePs(size_t field, const char* name) const;

    /**
     * @param field field number
     * @param name what it is, for messages
     * @return a number of seconds without unit, in ps, at least 0
     */
    int64_t GetSecondsPs(size_t field, const char* name) const;

    /**
     * @param field field number
     * @param name what it is, for messages
     * @return a rate in bit/s
     */
    uint64_t GetRateBps(size_t field, const char* name) const;

  private:
    /// @return place for messages
    std::string Where(const char* name) const;

    std::string m_path;                //!< as messages show it
    char m_comment;                    //!< begins a comment; null for none
    std::string m_text;                //!< the whole file
    size_t m_position{0};              //!< start of the next line
    uint32_t m_line{0};                //!< current line
    std::vector<std::string> m_fields; //!< its fields
};

/**
 * @ingroup dcfabric
 * @param value a quantity
 * @param unit a power of ten, at least 1
 * @return value / unit in decimal, exact, without zeros behind the point
 */
std::string FormatFabricDecimal(uint64_t value, uint64_t unit);

/**
 * @ingroup dcfabric
 * @brief Write a file whole or not at all: to a temporary name beside it, then renamed.
 * @param path file to write
 * @param text its contents
 * @throws FabricError if it cannot be written
 */
void WriteFabricTextFile(const std::string& path, const std::string& text);

} // namespace ns3

#endif /* FABRIC_TEXT_FILE_H */
