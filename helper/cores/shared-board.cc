// SPDX-License-Identifier: GPL-2.0-only
#include "shared-board.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <sched.h>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <utility>

#ifdef __linux__
#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#endif

namespace ns3
{

namespace
{

constexpr std::size_t LINE = 64;         //!< bytes of a cache line
constexpr int SPINS = 4000;              //!< some 50 us
constexpr int YIELDS = 50;               //!< times that others get the core before this one sleeps
constexpr int64_t SLEEP_NS = 20'000'000; //!< longest sleep

static_assert(std::atomic<uint32_t>::is_always_lock_free, "works between processes");

/// @return a number of bytes, rounded up
constexpr std::size_t
RoundUp(std::size_t bytes, std::size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/// @return cores that this process may use
uint32_t
CountCores()
{
#ifdef __linux__
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof(cores), &cores) == 0)
    {
        return static_cast<uint32_t>(CPU_COUNT(&cores));
    }
#endif
    return std::thread::hardware_concurrency();
}

/// Let the processor know that this is a loop that waits.
void
Pause()
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

} // namespace

/// How far a process is.
struct alignas(LINE) SharedBoard::Head
{
    std::atomic<uint32_t> round{0}; //!< rounds that it has written for
};

/// What all processes see first.
struct SharedBoard::Layout
{
    alignas(LINE) std::atomic<uint32_t> sleepers{0}; //!< processes that sleep, or are about to
    alignas(LINE) std::atomic<uint32_t> note{0};     //!< 0: none, 1: being written, 2: there
    std::size_t length{0};                           //!< of the note
    std::array<char, NOTE_BYTES> text{};             //!< of the note
};

/// What a process tells in an exchange; the parts of its bytes by process follow.
struct SharedBoard::Place
{
    Values values;  //!< for all
    uint64_t bytes; //!< in all rounds
};

SharedBoard::SharedBoard(uint32_t size, std::size_t room)
    : m_size(size),
      m_room(RoundUp(room, LINE)),
      m_placeBytes(RoundUp(sizeof(Place) + 2 * sizeof(uint64_t) * size, LINE)),
      m_memoryBytes(sizeof(Layout) + size * sizeof(Head) + 2 * size * (m_placeBytes + m_room))
{
    m_result.values.resize(size);
    m_result.bytes.resize(size);
    m_found.resize(size);
    // nobody but these processes has it, and a page that nobody writes takes no memory
    void* memory = mmap(nullptr,
                        m_memoryBytes,
                        PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE,
                        -1,
                        0);
    if (memory == MAP_FAILED)
    {
        throw FabricError("there is no memory that " + std::to_string(size) +
                          " processes could share (" + std::to_string(m_memoryBytes >> 20) +
                          " MiB of address space): " + std::strerror(errno));
    }
    m_memory = static_cast<char*>(memory);
    m_layout = new (m_memory) Layout;
    for (uint32_t rank = 0; rank < size; ++rank)
    {
        new (m_memory + sizeof(Layout) + rank * sizeof(Head)) Head;
    }
}

SharedBoard::~SharedBoard()
{
    munmap(m_memory, m_memoryBytes);
}

void
SharedBoard::Begin(uint32_t rank, std::function<void()> look)
{
    m_rank = rank;
    m_look = std::move(look);
    // where cores are fewer than processes, the one that is waited for needs this one's
    m_spins = CountCores() >= m_size ? SPINS : 0;
}

SharedBoard::Place&
SharedBoard::At(uint32_t rank) const
{
    char* first = m_memory + sizeof(Layout) + m_size * sizeof(Head);
    return *reinterpret_cast<Place*>(first + (2 * rank + m_round % 2) * m_placeBytes);
}

uint64_t*
SharedBoard::PartOf(uint32_t rank, uint32_t to) const
{
    char* parts = reinterpret_cast<char*>(&At(rank)) + sizeof(Place);
    return reinterpret_cast<uint64_t*>(parts) + 2 * static_cast<std::size_t>(to);
}

char*
SharedBoard::BytesOf(uint32_t rank) const
{
    char* first = m_memory + sizeof(Layout) + m_size * (sizeof(Head) + 2 * m_placeBytes);
    return first + (2 * rank + m_round % 2) * m_room;
}

uint64_t
SharedBoard::PlaceParts(const std::vector<const std::string*>& bytes)
{
    uint64_t end = 0;
    for (uint32_t to = 0; to < m_size; ++to)
    {
        uint64_t* part = PartOf(m_rank, to);
        const std::string* text = bytes.empty() ? nullptr : bytes[to];
        part[0] = end;
        part[1] = text ? text->size() : 0;
        if (text && to > 0 && text == bytes[to - 1])
        {
            part[0] = PartOf(m_rank, to - 1)[0]; // written already
        }
        else
        {
            end += part[1];
        }
    }
    return end;
}

const SharedBoard::Result&
SharedBoard::Exchange(const Values& values, const std::vector<const std::string*>& bytes)
{
    ++m_round;
    const uint64_t size = PlaceParts(bytes);
    At(m_rank).values = values;
    At(m_rank).bytes = size;
    m_joined.resize(size > m_room ? size : 0);
    char* own = m_joined.empty() ? BytesOf(m_rank) : m_joined.data();
    for (uint32_t to = 0; to < m_size && !bytes.empty(); ++to)
    {
        if (bytes[to] && (to == 0 || bytes[to] != bytes[to - 1]))
        {
            std::memcpy(own + PartOf(m_rank, to)[0], bytes[to]->data(), bytes[to]->size());
        }
    }
    std::memcpy(BytesOf(m_rank), m_joined.data(), std::min(m_room, m_joined.size()));
    Arrive();
    uint64_t most = 0;
    for (uint32_t from = 0; from < m_size; ++from)
    {
        Await(from);
        const uint64_t* part = PartOf(from, m_rank);
        most = std::max(most, At(from).bytes);
        m_result.values[from] = At(from).values;
        m_result.bytes[from] = {BytesOf(from) + part[0], part[1]};
    }
    if (most > m_room)
    {
        ReadOn(most);
    }
    return m_result;
}

void
SharedBoard::ReadOn(uint64_t most)
{
    std::vector<std::pair<uint64_t, uint64_t>> wanted; // begin and end of those for this one
    for (uint32_t from = 0; from < m_size; ++from)
    {
        const uint64_t* part = PartOf(from, m_rank);
        wanted.emplace_back(part[0], part[0] + part[1]);
        m_found[from].clear();
    }
    for (uint64_t begin = 0;;)
    {
        for (uint32_t from = 0; from < m_size; ++from)
        {
            const uint64_t first = std::max(begin, wanted[from].first);
            const uint64_t end = std::min(begin + m_room, wanted[from].second);
            if (first < end)
            {
                m_found[from].append(BytesOf(from) + (first - begin), end - first);
            }
        }
        begin += m_room;
        if (begin >= most)
        {
            break;
        }
        ++m_round;
        if (begin < m_joined.size())
        {
            std::memcpy(BytesOf(m_rank),
                        m_joined.data() + begin,
                        std::min<std::size_t>(m_room, m_joined.size() - begin));
        }
        Arrive();
        for (uint32_t from = 0; from < m_size; ++from)
        {
            Await(from);
        }
    }
    m_result.bytes.assign(m_found.begin(), m_found.end());
}

void
SharedBoard::Arrive()
{
    Head& head = reinterpret_cast<Head*>(m_memory + sizeof(Layout))[m_rank];
    // in one order with the counter: either this one sees a sleeper, or that one sees the number
    head.round.store(m_round, std::memory_order_seq_cst);
#ifdef __linux__
    if (m_layout->sleepers.load(std::memory_order_seq_cst) > 0)
    {
        syscall(SYS_futex, &head.round, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
    }
#endif
}

void
SharedBoard::Await(uint32_t rank)
{
    Head& head = reinterpret_cast<Head*>(m_memory + sizeof(Layout))[rank];
    // numbers begin anew after 2^32 rounds
    const auto isBehind = [this, &head] {
        return static_cast<int32_t>(head.round.load(std::memory_order_acquire) - m_round) < 0;
    };
    for (int i = 0; i < m_spins && isBehind(); ++i)
    {
        Pause();
    }
    for (int i = 0; i < YIELDS && isBehind(); ++i)
    {
        sched_yield();
    }
    while (isBehind())
    {
        m_look();
        m_layout->sleepers.fetch_add(1, std::memory_order_seq_cst);
        const uint32_t seen = head.round.load(std::memory_order_seq_cst);
        if (static_cast<int32_t>(seen - m_round) < 0)
        {
            Sleep(head, seen);
        }
        m_layout->sleepers.fetch_sub(1, std::memory_order_seq_cst);
    }
}

void
SharedBoard::Sleep(Head& head, uint32_t seen)
{
#ifdef __linux__
    const timespec longest{0, SLEEP_NS};
    syscall(SYS_futex, &head.round, FUTEX_WAIT, seen, &longest, nullptr, 0);
#else
    static_cast<void>(head);
    static_cast<void>(seen);
    usleep(100);
#endif
}

void
SharedBoard::LeaveNote(const std::string& text)
{
    uint32_t none = 0;
    if (m_layout->note.compare_exchange_strong(none, 1))
    {
        m_layout->length = std::min(text.size(), NOTE_BYTES);
        std::memcpy(m_layout->text.data(), text.data(), m_layout->length);
        m_layout->note.store(2);
    }
}

std::string
SharedBoard::ReadNote() const
{
    if (m_layout->note.load() != 2)
    {
        return "";
    }
    return std::string(m_layout->text.data(), m_layout->length);
}

} // namespace ns3
