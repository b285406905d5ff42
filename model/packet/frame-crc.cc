// SPDX-License-Identifier: GPL-2.0-only
#include "frame-crc.h"

#include <array>

namespace ns3
{

namespace
{

constexpr std::size_t CRC_WORD = 8;   //!< bytes that are taken at a time
constexpr std::size_t CRC_BLOCK = 8;  //!< words that are looked at together
constexpr std::size_t CRC_LEAST = 64; //!< bytes of zeros that are worth to be taken at once
constexpr std::size_t CRC_POWERS =
    8; //!< of two: words of zeros that are taken at once, up to 1 KiB

/// What each value of a byte does to the remainder, by the number of bytes that follow.
using CrcTable = std::array<std::array<uint32_t, 256>, CRC_WORD>;

/// What a run of zeros does to the remainder: to each value of each four bits of it.
using CrcZeros = std::array<std::array<uint32_t, 16>, 8>;

/// @return the table
constexpr CrcTable
MakeCrcTable()
{
    constexpr uint32_t POLYNOMIAL = 0xedb88320; // of IEEE 802.3, lowest power first
    CrcTable table{};
    for (uint32_t byte = 0; byte < 256; ++byte)
    {
        uint32_t state = byte;
        for (int bit = 0; bit < 8; ++bit)
        {
            state = (state >> 1) ^ ((state & 1) != 0 ? POLYNOMIAL : 0);
        }
        table[0][byte] = state;
    }
    for (std::size_t behind = 1; behind < CRC_WORD; ++behind)
    {
        for (uint32_t byte = 0; byte < 256; ++byte)
        {
            const uint32_t state = table[behind - 1][byte];
            table[behind][byte] = (state >> 8) ^ table[0][state & 0xff];
        }
    }
    return table;
}

constexpr CrcTable CRC_TABLE = MakeCrcTable();

/// @return remainder after a run of zeros
constexpr uint32_t
SkipZeros(const CrcZeros& zeros, uint32_t state)
{
    uint32_t skipped = 0;
    for (std::size_t place = 0; place < zeros.size(); ++place)
    {
        skipped ^= zeros[place][(state >> (4 * place)) & 0xf];
    }
    return skipped;
}

/// @return what 1, 2, 4, ... words of zeros do
constexpr std::array<CrcZeros, CRC_POWERS>
MakeCrcZeros()
{
    std::array<CrcZeros, CRC_POWERS> powers{};
    for (std::size_t power = 0; power < CRC_POWERS; ++power)
    {
        for (std::size_t place = 0; place < powers[power].size(); ++place)
        {
            for (uint32_t value = 0; value < 16; ++value)
            {
                uint32_t state = value << (4 * place);
                if (power > 0)
                {
                    state = SkipZeros(powers[power - 1], SkipZeros(powers[power - 1], state));
                }
                else
                {
                    for (std::size_t byte = 0; byte < CRC_WORD; ++byte)
                    {
                        state = (state >> 8) ^ CRC_TABLE[0][state & 0xff];
                    }
                }
                powers[power][place][value] = state;
            }
        }
    }
    return powers;
}

constexpr std::array<CrcZeros, CRC_POWERS> CRC_ZEROS = MakeCrcZeros();

/// @return eight bytes, the first one lowest
[[gnu::always_inline]] inline uint64_t
ReadCrcWord(const uint8_t* bytes)
{
    // without a loop: a compiler knows this for a single load
    return uint64_t{bytes[0]} | uint64_t{bytes[1]} << 8 | uint64_t{bytes[2]} << 16 |
           uint64_t{bytes[3]} << 24 | uint64_t{bytes[4]} << 32 | uint64_t{bytes[5]} << 40 |
           uint64_t{bytes[6]} << 48 | uint64_t{bytes[7]} << 56;
}

/// @return words of zeros that begin there
std::size_t
CountZeroWords(const uint8_t* bytes, std::size_t count)
{
    std::size_t words = 0;
    const auto areZero = [bytes](std::size_t first) {
        uint64_t any = 0;
        for (std::size_t word = first; word < first + CRC_BLOCK; ++word)
        {
            any |= ReadCrcWord(bytes + word * CRC_WORD);
        }
        return any == 0;
    };
    while ((words + CRC_BLOCK) * CRC_WORD <= count && areZero(words))
    {
        words += CRC_BLOCK;
    }
    while ((words + 1) * CRC_WORD <= count && ReadCrcWord(bytes + words * CRC_WORD) == 0)
    {
        ++words;
    }
    return words;
}

} // namespace

void
FrameCrc::Add(const uint8_t* bytes, std::size_t count)
{
    uint32_t state = m_state;
    while (count >= CRC_WORD)
    {
        const uint64_t word = ReadCrcWord(bytes);
        if (word == 0 && count >= CRC_LEAST)
        {
            std::size_t words = CountZeroWords(bytes, count);
            if (words * CRC_WORD >= CRC_LEAST)
            {
                bytes += words * CRC_WORD;
                count -= words * CRC_WORD;
                constexpr std::size_t LARGEST = std::size_t{1} << (CRC_POWERS - 1);
                for (; words >= LARGEST; words -= LARGEST)
                {
                    state = SkipZeros(CRC_ZEROS[CRC_POWERS - 1], state);
                }
                for (; words != 0; words &= words - 1)
                {
                    state = SkipZeros(CRC_ZEROS[__builtin_ctzll(words)], state);
                }
                continue;
            }
        }
        const uint64_t mixed = word ^ state;
        state = CRC_TABLE[7][mixed & 0xff] ^ CRC_TABLE[6][(mixed >> 8) & 0xff] ^
                CRC_TABLE[5][(mixed >> 16) & 0xff] ^ CRC_TABLE[4][(mixed >> 24) & 0xff] ^
                CRC_TABLE[3][(mixed >> 32) & 0xff] ^ CRC_TABLE[2][(mixed >> 40) & 0xff] ^
                CRC_TABLE[1][(mixed >> 48) & 0xff] ^ CRC_TABLE[0][mixed >> 56];
        bytes += CRC_WORD;
        count -= CRC_WORD;
    }
    for (; count > 0; --count)
    {
        state = (state >> 8) ^ CRC_TABLE[0][(state ^ *bytes++) & 0xff];
    }
    m_state = state;
}

} // namespace ns3
