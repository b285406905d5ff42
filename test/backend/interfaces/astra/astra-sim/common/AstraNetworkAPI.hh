// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What dcfabric-astra.h uses of ASTRA-sim 2.x, declared as it is there, to compile it
 * without.
 */
#pragma once

#include <cstdint>

namespace AstraSim
{

enum time_type_e
{
    SE = 0,
    MS,
    US,
    NS,
    FS
};

struct timespec_t
{
    time_type_e time_res;
    long double time_val;
};

struct sim_request;

class AstraNetworkAPI
{
  public:
    explicit AstraNetworkAPI(int number)
        : rank(number)
    {
    }

    virtual ~AstraNetworkAPI() = default;
    virtual int sim_send(void*, uint64_t, int, int, int, sim_request*, void (*)(void*), void*) = 0;
    virtual int sim_recv(void*, uint64_t, int, int, int, sim_request*, void (*)(void*), void*) = 0;
    virtual void sim_schedule(timespec_t, void (*)(void*), void*) = 0;
    virtual timespec_t sim_get_time() = 0;
    virtual double get_BW_at_dimension(int dim) = 0;
    virtual void sim_notify_finished() = 0;

    int rank;
};

} // namespace AstraSim
