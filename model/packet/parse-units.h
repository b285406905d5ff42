// SPDX-License-Identifier: GPL-2.0-only
#ifndef PARSE_UNITS_H
#define PARSE_UNITS_H

#include "fabric-text.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @brief Strict reading of numbers with units, exact in decimal.
 *
 * ns-3's own parsers go through double and abort on a mistake. These keep every digit (a start time
 * of 2.000000001 s is 2000000001000 ps), round once to the nearest unit, and report a mistake as
 * FabricError. `where` is put before the message: a file and line, or an option.
 */

namespace ns3
{

constexpr uint64_t BPS_PER_GBPS = 1000000000; //!< bit/s in a Gbps

/**
 * @ingroup dcfabric
 * @param text decimal digits only
 * @param where place for messages
 * @param min least value accepted
 * @param max largest value accepted
 * @return the number
 * @throws FabricError if malformed or out of range
 */
uint64_t ParseFabricUint(const std::string& text,
                         const FabricText& where,
                         uint64_t min = 0,
                         uint64_t max = UINT64_MAX);

/**
 * @ingroup dcfabric
 * @param text a finite decimal number; no NaN, infinity or hexadecimal
 * @param where place for messages
 * @param min least value accepted
 * @param max largest value accepted
 * @return the number
 * @throws FabricError if malformed or out of range
 */
double ParseFabricDouble(const std::string& text, const FabricText& where, double min, double max);

/**
 * @ingroup dcfabric
 * @param text a size; B, kB, KB, MB, GB are decimal, KiB, MiB, GiB binary, no unit is bytes
 * @param where place for messages
 * @return bytes
 * @throws FabricError if malformed, negative, or beyond 2^63 - 1
 */
uint64_t ParseFabricSize(const std::string& text, const FabricText& where);

/**
 * @ingroup dcfabric
 * @param text a time as ns-3 writes it: s, ms, us, ns, ps, fs, min, h; only zero needs no unit
 * @param where place for messages
 * @return ps
 * @throws FabricError if malformed, without unit, negative, or beyond 2^63 - 1 ps
 */
int64_t ParseFabricTimePs(const std::string& text, const FabricText& where);

/**
 * @ingroup dcfabric
 * @param text a number of seconds without unit, as some file formats have it
 * @param where place for messages
 * @return ps
 * @throws FabricError if malformed, negative, or beyond 2^63 - 1 ps
 */
int64_t ParseFabricSecondsPs(const std::string& text, const FabricText& where);

/**
 * @ingroup dcfabric
 * @param text a rate as ns-3 writes it: bps, kbps, Mbps, Gbps, Tbps, B/s, KiB/s, ...
 * @param where place for messages
 * @return bit/s
 * @throws FabricError if malformed, without unit, negative, or beyond 2^63 - 1
 */
uint64_t ParseFabricRateBps(const std::string& text, const FabricText& where);

/**
 * @ingroup dcfabric
 * @param ps a time in ps
 * @return it as a user would write it, in the largest unit in which it is whole: `1500ns`, `0s`
 */
std::string FormatFabricTimePs(int64_t ps);

/**
 * @ingroup dcfabric
 * @param count how many
 * @param one what one of them is called, such as `packet sent again`
 * @param several what none or several are called; empty: the first word of @p one with an s
 * @return both for a message: `1 flow`, `2 flows`, `0 packets sent again`
 */
std::string FormatFabricCount(uint64_t count,
                              const std::string& one,
                              const std::string& several = "");

/**
 * @ingroup dcfabric
 * @param text items separated by commas
 * @return the items, empty ones included; nothing for an empty text
 */
std::vector<std::string> SplitFabricList(const std::string& text);

/**
 * @ingroup dcfabric
 * @param text any text from a user or a file
 * @param most characters of it that are shown at most
 * @return it for a message; what nobody sees (control characters, a byte-order mark, a non-breaking
 * space) and what is no UTF-8 is escaped, as in \\x00 and \\ufeff
 */
std::string EscapeFabricText(const std::string& text, std::size_t most = SIZE_MAX);

/**
 * @ingroup dcfabric
 * @param text any text from a user or a file
 * @return it in quotes for a message, shortened and escaped (EscapeFabricText())
 */
std::string QuoteFabricText(const std::string& text);

} // namespace ns3

#endif /* PARSE_UNITS_H */
