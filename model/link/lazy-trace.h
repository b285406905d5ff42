// SPDX-License-Identifier: GPL-2.0-only
#ifndef LAZY_TRACE_H
#define LAZY_TRACE_H

#include "ns3/callback.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A trace source that takes eight bytes until somebody connects to it.
 *
 * A TracedCallback takes 24, of which the cache lines that each packet needs of a port have no
 * room for two.
 * @tparam Ts arguments of the sinks
 */
template <typename... Ts>
class LazyTrace
{
  public:
    /**
     * @brief As TracedCallback has it.
     * @param callback the sink
     */
    void ConnectWithoutContext(const CallbackBase& callback)
    {
        Sinks().ConnectWithoutContext(callback);
    }

    /**
     * @brief As TracedCallback has it.
     * @param callback the sink
     * @param path context
     */
    void Connect(const CallbackBase& callback, std::string path)
    {
        Sinks().Connect(callback, path);
    }

    /**
     * @brief As TracedCallback has it.
     * @param callback the sink
     */
    void DisconnectWithoutContext(const CallbackBase& callback)
    {
        Sinks().DisconnectWithoutContext(callback);
    }

    /**
     * @brief As TracedCallback has it.
     * @param callback the sink
     * @param path context
     */
    void Disconnect(const CallbackBase& callback, std::string path)
    {
        Sinks().Disconnect(callback, path);
    }

    /// @return true if there is a sink, or has been one
    bool IsUsed() const
    {
        return m_sinks != nullptr;
    }

    /**
     * @brief Call all sinks.
     * @tparam Us arguments that convert to those of the sinks, only if there are sinks
     * @param args arguments
     */
    template <typename... Us>
    void operator()(const Us&... args) const
    {
        if (m_sinks)
        {
            (*m_sinks)(args...);
        }
    }

  private:
    /// @return the sinks
    TracedCallback<Ts...>& Sinks()
    {
        if (!m_sinks)
        {
            m_sinks = std::make_unique<TracedCallback<Ts...>>();
        }
        return *m_sinks;
    }

    std::unique_ptr<TracedCallback<Ts...>> m_sinks; //!< null: never connected
};

} // namespace ns3

#endif /* LAZY_TRACE_H */
