// SPDX-License-Identifier: GPL-2.0-only
#ifndef JSON_READER_H
#define JSON_READER_H

#include <map>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Read JSON, such as JsonWriter writes, as a flat map.
 * @param text an object; at most 100 objects and arrays may lie in one another
 * @return values of its members by name, and of members of members by both names with a slash
 * between them. Strings are without quotes and escapes, numbers, true, false and null as written;
 * arrays are left out.
 * @throws FabricError if it is no JSON object
 */
std::map<std::string, std::string> ReadJsonObject(const std::string& text);

} // namespace ns3

#endif /* JSON_READER_H */
