// SPDX-License-Identifier: GPL-2.0-only
#ifndef DECIDER_SOCKET_H
#define DECIDER_SOCKET_H

#include "scenario-options.h"

#include "ns3/external-congestion-control.h"

#include <cstddef>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Lets another process decide for ExternalCongestionControl, as the Python package does.
 *
 * For each call it sends a record and, on an ACK, its INT records, and waits for an answer; see
 * decider-socket.cc, and python/dcfabric/bindings.py for the other end.
 */
class DeciderSocket
{
  public:
    /// @param descriptor of a socket to the other process, which stays open
    explicit DeciderSocket(int descriptor);

    /**
     * @brief Ask.
     * @param call what is to be decided, gets the answer
     * @throws FabricError if the other process is gone
     */
    void operator()(ExternalCongestionCall& call);

  private:
    /// Send or receive so many bytes.
    template <typename F>
    void Transfer(F function, char* data, std::size_t size, int flags);

    int m_descriptor;           //!< of the socket
    std::vector<char> m_buffer; //!< a question
};

/**
 * @ingroup dcfabric
 * @brief Let the process that started this one decide for a scenario with `cc=external`, unless
 * there is a function that does: the environment variable DCFABRIC_DECIDER names the descriptor of
 * a socket to it. The Python package sets it.
 * @param options of the scenario; nothing is done for another congestion control
 * @throws FabricError if nobody can decide
 */
void ConnectScenarioDecider(const ScenarioOptions& options);

} // namespace ns3

#endif /* DECIDER_SOCKET_H */
