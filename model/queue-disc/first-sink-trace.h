// SPDX-License-Identifier: GPL-2.0-only
#ifndef FIRST_SINK_TRACE_H
#define FIRST_SINK_TRACE_H

#include "ns3/callback.h"
#include "ns3/hot-lines.h"
#include "ns3/traced-callback.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A trace source that keeps its first sink in place and only further ones in a list.
 *
 * Every packet of every queue passes the sink that QueueDisc::AddInternalQueue() connects.
 * TracedCallback would keep it behind a list node, one more line of memory to wait for at each of
 * the two traces of a packet. The interface is that of TracedCallback, so that
 * MakeTraceSourceAccessor() takes it.
 *
 * @tparam Ts types of the arguments
 */
template <typename... Ts>
class FirstSinkTrace
{
  public:
    /**
     * @brief Append a sink.
     * @param callback the sink
     */
    void ConnectWithoutContext(const CallbackBase& callback)
    {
        if (m_first.IsNull())
        {
            m_first.Assign(callback);
            m_memory = PeekPointer(m_first.GetImpl());
            return;
        }
        m_more.ConnectWithoutContext(callback);
        m_hasMore = true;
    }

    /**
     * @brief Append a sink with context.
     * @param callback the sink
     * @param path context
     */
    void Connect(const CallbackBase& callback, std::string path)
    {
        m_more.Connect(callback, path);
        m_hasMore = true;
    }

    /**
     * @brief Remove a sink.
     * @param callback the sink
     */
    void DisconnectWithoutContext(const CallbackBase& callback)
    {
        if (m_first.IsEqual(callback))
        {
            m_first.Nullify();
        }
        m_more.DisconnectWithoutContext(callback);
    }

    /**
     * @brief Remove a sink with context.
     * @param callback the sink
     * @param path context
     */
    void Disconnect(const CallbackBase& callback, std::string path)
    {
        m_more.Disconnect(callback, path);
    }

    /**
     * @brief Call all sinks.
     * @param args what to pass
     */
    void operator()(Ts... args) const
    {
        if (!m_first.IsNull())
        {
            m_first(args...);
        }
        if (m_hasMore)
        {
            m_more(args...);
        }
    }

    /**
     * @brief Call all sinks but the first one.
     * @param args what to pass
     */
    void CallOthers(Ts... args) const
    {
        m_more(args...);
    }

    /// @return true if there may be sinks beside the first one
    bool HasOthers() const
    {
        return m_hasMore;
    }

    /**
     * @brief Name what calling the first sink will read.
     * @param lines takes it
     */
    void NameHotLines(const HotLines& lines) const
    {
        lines.Add<2>(m_memory);
    }

  private:
    const void* m_memory{nullptr}; //!< where the first sink is kept
    Callback<void, Ts...> m_first; //!< first sink, or null
    bool m_hasMore{false};         //!< m_more has had sinks
    TracedCallback<Ts...> m_more;  //!< further sinks
};

} // namespace ns3

#endif /* FIRST_SINK_TRACE_H */
