// SPDX-License-Identifier: GPL-2.0-only
#ifndef PLAIN_BYTES_H
#define PLAIN_BYTES_H

#include "ns3/fabric-error.h"

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ns3
{

/// Refuse bytes that end before they should. @throws FabricError always
[[noreturn]] inline void
ThrowCutShort()
{
    throw FabricError("a message between ranks is cut short; run the same program on each");
}

/**
 * @ingroup dcfabric
 * @brief Append a value as it lies in memory, for a process of the same program.
 * @param bytes takes it
 * @param value the value
 */
template <typename T>
void
WritePlain(std::string& bytes, const T& value)
{
    static_assert(std::is_trivially_copyable_v<T>, "has parts elsewhere");
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

/**
 * @ingroup dcfabric
 * @brief Read a value that WritePlain() has written.
 * @param bytes where it is
 * @param at where it begins; then where it ends
 * @param value takes it
 * @throws FabricError if the bytes end before
 */
template <typename T>
void
ReadPlain(std::string_view bytes, std::size_t& at, T& value)
{
    static_assert(std::is_trivially_copyable_v<T>, "has parts elsewhere");
    if (bytes.size() - at < sizeof(T))
    {
        ThrowCutShort();
    }
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    at += sizeof(T);
}

/**
 * @ingroup dcfabric
 * @brief As ReadPlain(), as a value.
 * @param bytes as there
 * @param at as there
 * @return the value
 */
template <typename T>
T
TakePlain(std::string_view bytes, std::size_t& at)
{
    T value;
    ReadPlain(bytes, at, value);
    return value;
}

/**
 * @ingroup dcfabric
 * @brief Append values of one type.
 * @param bytes takes them
 * @param values the values
 */
template <typename T>
void
WritePlainAll(std::string& bytes, const std::vector<T>& values)
{
    WritePlain(bytes, values.size());
    for (const T& value : values)
    {
        WritePlain(bytes, value);
    }
}

/**
 * @ingroup dcfabric
 * @brief Read values that WritePlainAll() has written.
 * @param bytes as of ReadPlain()
 * @param at likewise
 * @return the values
 * @throws FabricError if the bytes end before
 */
template <typename T>
std::vector<T>
TakePlainAll(std::string_view bytes, std::size_t& at)
{
    std::vector<T> values;
    for (auto left = TakePlain<std::size_t>(bytes, at); left > 0; --left)
    {
        values.push_back(TakePlain<T>(bytes, at));
    }
    return values;
}

/**
 * @ingroup dcfabric
 * @brief Append a text.
 * @param bytes takes it
 * @param text the text
 */
inline void
WritePlainText(std::string& bytes, const std::string& text)
{
    WritePlain(bytes, text.size());
    bytes += text;
}

/**
 * @ingroup dcfabric
 * @brief Read a text that WritePlainText() has written.
 * @param bytes as of ReadPlain()
 * @param at likewise
 * @return the text
 * @throws FabricError if the bytes end before
 */
inline std::string
TakePlainText(std::string_view bytes, std::size_t& at)
{
    const auto size = TakePlain<std::size_t>(bytes, at);
    if (bytes.size() - at < size)
    {
        ThrowCutShort();
    }
    at += size;
    return std::string(bytes.substr(at - size, size));
}

} // namespace ns3

#endif /* PLAIN_BYTES_H */
