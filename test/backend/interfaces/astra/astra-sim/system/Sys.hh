// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What the front end uses of ASTRA-sim 2.x, declared as it is there, to compile it without:
 * a system whose workload passes 1000 bytes around the ring of the ranks once.
 */
#pragma once

#include <astra-sim/common/AstraNetworkAPI.hh>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace AstraSim
{

class AstraRemoteMemoryAPI
{
};

class Sys;

class Workload
{
  public:
    explicit Workload(Sys* owner)
        : sys(owner)
    {
    }

    void fire();

    Sys* sys;
};

class Sys
{
  public:
    Sys(int number,
        const std::string& /* workload_configuration */,
        const std::string& /* comm_group_configuration */,
        const std::string& /* system_configuration */,
        AstraRemoteMemoryAPI* /* remote_mem */,
        AstraNetworkAPI* network,
        std::vector<int> physical_dims,
        const std::vector<int>& /* queues_per_dim */,
        double /* injection_scale */,
        double /* comm_scale */,
        bool /* rendezvous_enabled */)
        : id(number),
          comm_NI(network),
          workload(new Workload(this)),
          ranks(std::accumulate(physical_dims.begin(), physical_dims.end(), 1, std::multiplies<>()))
    {
    }

    static void OnReceived(void* argument)
    {
        auto* sys = static_cast<Sys*>(argument);
        sys->comm_NI->sim_schedule({NS, 10}, OnEnd, sys); // the endpoint delay
        if (sys->id != 0)
        {
            sys->Pass();
        }
    }

    static void OnEnd(void* argument)
    {
        auto* sys = static_cast<Sys*>(argument);
        std::printf("sys[%d] finished, %.0Lf ns\n", sys->id, sys->comm_NI->sim_get_time().time_val);
        sys->comm_NI->sim_notify_finished();
    }

    void Pass()
    {
        comm_NI->sim_send(nullptr, 1000, 0, (id + 1) % ranks, 1, nullptr, nullptr, nullptr);
    }

    int id;
    AstraNetworkAPI* comm_NI;
    Workload* workload;
    int ranks;
};

inline void
Workload::fire()
{
    sys->comm_NI->sim_recv(nullptr,
                           1000,
                           0,
                           (sys->id + sys->ranks - 1) % sys->ranks,
                           1,
                           nullptr,
                           Sys::OnReceived,
                           sys);
    if (sys->id == 0)
    {
        sys->Pass();
    }
}

} // namespace AstraSim
