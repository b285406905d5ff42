// SPDX-License-Identifier: GPL-2.0-only
#include "rate-sampler.h"

namespace ns3
{

RateSampler::RateSampler(Ptr<Fabric> fabric, const std::string& path)
    : m_file(path),
      m_fabric(fabric)
{
    m_file.Text() += "time_ns,flow,rate_bps,window_bytes";
    m_file.EndLine();
}

void
RateSampler::Sample(int64_t nowPs)
{
    std::string& text = m_file.Text();
    for (const uint32_t host : m_fabric->GetHosts())
    {
        for (const SendingPdc* pdc : m_fabric->GetNic(host)->GetSendingPdcs())
        {
            const Ptr<CongestionControl> cc = pdc->GetCongestionControl();
            const uint64_t window = cc->GetWindow();
            AppendNanoseconds(text, nowPs);
            text += ',';
            text += std::to_string(pdc->GetTag());
            text += ',';
            text += std::to_string(static_cast<uint64_t>(cc->GetRate() + 0.5));
            text += ',';
            text += std::to_string(window == CongestionControl::UNLIMITED ? 0 : window);
            m_file.EndLine();
        }
    }
}

void
RateSampler::Finish()
{
    m_file.Commit();
}

} // namespace ns3
