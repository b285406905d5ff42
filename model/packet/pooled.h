// SPDX-License-Identifier: GPL-2.0-only
#ifndef POOLED_H
#define POOLED_H

#include <cstddef>
#include <new>
#include <vector>

// a sanitizer has to see each object come and go
#if defined(__SANITIZE_ADDRESS__)
#define DCFABRIC_POOL 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define DCFABRIC_POOL 0
#endif
#endif
#ifndef DCFABRIC_POOL
#define DCFABRIC_POOL 1
#endif

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Base of a class whose objects come and go all the time, as PDCs of short flows: what one
 * leaves the next one takes. Memory is never given back.
 * @tparam T the class; what is derived from it with more members is taken from the heap
 */
template <typename T>
class Pooled
{
  public:
    /// @param bytes of an object @return memory for it
    static void* operator new(std::size_t bytes)
    {
        std::vector<void*>& unused = GetFree();
        if (!DCFABRIC_POOL || bytes != sizeof(T) || unused.empty())
        {
            return ::operator new(bytes);
        }
        void* block = unused.back();
        unused.pop_back();
        return block;
    }

    /// @param block what is free again @param bytes of the object
    static void operator delete(void* block, std::size_t bytes)
    {
        if (DCFABRIC_POOL && bytes == sizeof(T))
        {
            GetFree().push_back(block);
            return;
        }
        ::operator delete(block);
    }

  private:
    /// @return what is free
    static std::vector<void*>& GetFree()
    {
        static auto& unused = *new std::vector<void*>(); // objects may outlive static ones
        return unused;
    }
};

} // namespace ns3

#endif /* POOLED_H */
