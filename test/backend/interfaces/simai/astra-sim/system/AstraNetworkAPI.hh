// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What dcfabric-simai.h uses of SimAI, declared as it is there, to compile it without.
 */
#pragma once

#include <cstdint>

namespace AstraSim
{

enum time_type_e
{
    SE,
    MS,
    US,
    NS,
    FS
};

struct timespec_t
{
    time_type_e time_res;
    double time_val;
};

struct sim_comm
{
};

struct ncclFlowTag
{
    int current_flow_id{-1};
    int tag_id{-1};
};

struct sim_request
{
    ncclFlowTag flowTag;
};

class AstraMemoryAPI;

class AstraNetworkAPI
{
  public:
    explicit AstraNetworkAPI(int number)
        : rank(number)
    {
    }

    virtual ~AstraNetworkAPI() = default;
    virtual int sim_comm_size(sim_comm, int*) = 0;
    virtual int sim_finish() = 0;
    virtual double sim_time_resolution() = 0;
    virtual int sim_init(AstraMemoryAPI*) = 0;
    virtual timespec_t sim_get_time() = 0;
    virtual void sim_schedule(timespec_t, void (*)(void*), void*) = 0;
    virtual int sim_send(void*, uint64_t, int, int, int, sim_request*, void (*)(void*), void*) = 0;
    virtual int sim_recv(void*, uint64_t, int, int, int, sim_request*, void (*)(void*), void*) = 0;
    virtual double get_BW_at_dimension(int dim) = 0;

  protected:
    int rank;
};

} // namespace AstraSim
