// SPDX-License-Identifier: GPL-2.0-only
#ifndef DCFABRIC_ASTRA_H
#define DCFABRIC_ASTRA_H

/**
 * @file
 * @brief dcfabric as a network of ASTRA-sim 2.x: its network interface, on the interface in C.
 * To be compiled in a front end of ASTRA-sim (doc/backend.rst).
 */

#include "dcfabric-backend.h"

#include <astra-sim/common/AstraNetworkAPI.hh>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace dcfabric
{

/// The network of one rank. All ranks share a dcf_backend, which outlives them.
class AstraNetwork : public AstraSim::AstraNetworkAPI
{
  public:
    /**
     * @param rank number of the rank
     * @param backend what dcf_open() has given
     */
    AstraNetwork(int rank, dcf_backend* backend)
        : AstraNetworkAPI(rank),
          m_backend(backend)
    {
    }

    int sim_send(void* /* buffer */,
                 uint64_t count,
                 int /* type */,
                 int dst,
                 int tag,
                 AstraSim::sim_request* /* request */,
                 void (*msg_handler)(void* fun_arg),
                 void* fun_arg) override
    {
        return Check(dcf_send(m_backend,
                              static_cast<uint32_t>(rank),
                              static_cast<uint32_t>(dst),
                              count,
                              static_cast<uint32_t>(tag),
                              msg_handler,
                              fun_arg));
    }

    int sim_recv(void* /* buffer */,
                 uint64_t count,
                 int /* type */,
                 int src,
                 int tag,
                 AstraSim::sim_request* /* request */,
                 void (*msg_handler)(void* fun_arg),
                 void* fun_arg) override
    {
        return Check(dcf_recv(m_backend,
                              static_cast<uint32_t>(rank),
                              static_cast<uint32_t>(src),
                              count,
                              static_cast<uint32_t>(tag),
                              msg_handler,
                              fun_arg));
    }

    /// The delta is added to the present exactly: ASTRA-sim looks for what it has scheduled by
    /// the whole ns of the time at which it is called.
    void sim_schedule(AstraSim::timespec_t delta,
                      void (*fun_ptr)(void* fun_arg),
                      void* fun_arg) override
    {
        const long double ps = static_cast<long double>(delta.time_val) * GetPs(delta.time_res);
        Check(dcf_schedule(m_backend, static_cast<uint64_t>(std::llround(ps)), fun_ptr, fun_arg));
    }

    AstraSim::timespec_t sim_get_time() override
    {
        AstraSim::timespec_t now;
        now.time_res = AstraSim::NS;
        now.time_val = static_cast<long double>(dcf_now_ps(m_backend)) / GetPs(now.time_res);
        return now;
    }

    double get_BW_at_dimension(int dim) override
    {
        return dcf_bandwidth(m_backend, dim);
    }

    void sim_notify_finished() override
    {
        dcf_finish(m_backend, static_cast<uint32_t>(rank));
    }

  private:
    /// @return ps in a unit of time
    static long double GetPs(AstraSim::time_type_e unit)
    {
        switch (unit)
        {
        case AstraSim::SE:
            return 1e12L;
        case AstraSim::MS:
            return 1e9L;
        case AstraSim::US:
            return 1e6L;
        case AstraSim::FS:
            return 1e-3L;
        default:
            return 1e3L;
        }
    }

    /**
     * @brief ASTRA-sim does not look at statuses.
     * @throws std::runtime_error, which ends dcf_run() with an error
     */
    int Check(int status) const
    {
        if (status < 0)
        {
            throw std::runtime_error(dcf_error(m_backend));
        }
        return status;
    }

    dcf_backend* m_backend; //!< of all ranks
};

} // namespace dcfabric

#endif /* DCFABRIC_ASTRA_H */
