// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOST_RANK_ERROR_H
#define LOST_RANK_ERROR_H

#include <stdexcept>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief One of the processes (ranks) of a simulation has gone.
 */
class LostRankError : public std::runtime_error
{
  public:
    /**
     * @param text which, and how it ended
     * @param status exit status for the program: 128 and the signal, or that of the process
     */
    LostRankError(const std::string& text, int status)
        : std::runtime_error(text),
          m_status(status)
    {
    }

    /// @return exit status for the program
    int GetStatus() const
    {
        return m_status;
    }

  private:
    int m_status; //!< see GetStatus()
};

} // namespace ns3

#endif /* LOST_RANK_ERROR_H */
