// SPDX-License-Identifier: GPL-2.0-only
#ifndef SHARED_BOARD_H
#define SHARED_BOARD_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Memory in which the processes of one simulation on one machine write for one another.
 *
 * It is made before they are: each process that is forked afterwards has it. In each exchange every
 * process writes numbers for all and bytes for each, waits until all others have done so, and reads
 * theirs. There are two copies of all places, which exchanges take in turn: who writes for the
 * next but one knows that everybody has read, because everybody has come to the next.
 *
 * What does not fit into the room for bytes goes in several rounds. So a process never waits for
 * another one to make room, and memory is used as far as there was something to write.
 */
class SharedBoard
{
  public:
    /// Numbers in an exchange.
    static constexpr std::size_t N_VALUES = 4;
    /// Numbers of one process.
    using Values = std::array<int64_t, N_VALUES>;

    /// Bytes that are written at a time, unless said otherwise.
    static constexpr std::size_t ROOM = 4U << 20;

    /// Most bytes of LeaveNote().
    static constexpr std::size_t NOTE_BYTES = 8192;

    /// What comes of an exchange.
    struct Result
    {
        std::vector<Values> values; //!< by process
        /// By process: those for this one, where they are until it comes to the next exchange.
        std::vector<std::string_view> bytes;
    };

    /**
     * @brief Reserve the memory.
     * @param size number of processes, at least 1
     * @param room bytes that a process writes at a time, at least 1
     * @throws FabricError if the system does not give it
     */
    explicit SharedBoard(uint32_t size, std::size_t room = ROOM);
    ~SharedBoard();
    SharedBoard(const SharedBoard&) = delete;
    SharedBoard& operator=(const SharedBoard&) = delete;

    /**
     * @brief Say which process this one is, first of all.
     * @param rank its number
     * @param look is called now and then while it waits for others; what it throws ends the waiting
     */
    void Begin(uint32_t rank, std::function<void()> look);

    /**
     * @brief Tell all processes something, and learn what they have to tell. All of them call it,
     * the same number of times.
     * @param values for all
     * @param bytes by process, that for this one as well; null: nothing. Several may be the same
     * text, which is written once
     * @return what all have told
     */
    const Result& Exchange(const Values& values, const std::vector<const std::string*>& bytes);

    /**
     * @brief Leave a message that stays, of a process that goes. The first one counts.
     * @param text what it says, cut after #NOTE_BYTES
     */
    void LeaveNote(const std::string& text);

    /// @return the message of LeaveNote(), and an empty text before
    std::string ReadNote() const;

  private:
    struct Layout;
    struct Head;
    struct Place;

    /// @return the numbers of a process in this exchange
    Place& At(uint32_t rank) const;
    /// @return the bytes of a process in this round
    char* BytesOf(uint32_t rank) const;
    /// @return where in the bytes of a process those for another begin, and how many there are
    uint64_t* PartOf(uint32_t rank, uint32_t to) const;
    /// Say where the bytes for each process will be. @return how many there are in all
    uint64_t PlaceParts(const std::vector<const std::string*>& bytes);
    /// Read what does not fit into one round. @param most bytes of a process
    void ReadOn(uint64_t most);
    /// Begin the next round: this process has written.
    void Arrive();
    /// Wait until another process has written.
    void Await(uint32_t rank);
    /// Sleep until another process may have gone on from a number.
    void Sleep(Head& head, uint32_t seen);

    uint32_t m_size;                  //!< processes
    std::size_t m_room;               //!< bytes of a process, written at a time
    std::size_t m_placeBytes;         //!< of one copy of the places of a process, without its bytes
    std::size_t m_memoryBytes;        //!< all of it
    char* m_memory;                   //!< shared
    Layout* m_layout;                 //!< its beginning
    uint32_t m_rank{0};               //!< this process
    uint32_t m_round{0};              //!< number of the present round
    int m_spins{0};                   //!< looks at a number before others get the core
    std::function<void()> m_look;     //!< see Begin()
    std::string m_joined;             //!< what this process writes in several rounds
    std::vector<std::string> m_found; //!< what it reads in several rounds, by process
    Result m_result;                  //!< see Exchange()
};

} // namespace ns3

#endif /* SHARED_BOARD_H */
