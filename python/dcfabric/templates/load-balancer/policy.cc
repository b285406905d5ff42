/**
 * @file
 * @brief A load balancer of hosts of one's own, which dcfabric-sim loads.
 */
#include "ns3/load-balancer.h"
#include "ns3/policy-library.h"
#include "ns3/uinteger.h"

#include <vector>

DCFABRIC_POLICY_LIBRARY; // once in a library: what it was compiled against

namespace ns3
{

/// Sends the packets of a flow with a few entropies in turn, and leaves one that brings marks: it
/// becomes another one.
class @NAME@ : public LoadBalancer
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::@NAME@")
                                .SetParent<LoadBalancer>()
                                .AddConstructor<@NAME@>()
                                .AddAttribute("Paths",
                                              "Entropies of a flow.",
                                              UintegerValue(4),
                                              MakeUintegerAccessor(&@NAME@::m_paths),
                                              MakeUintegerChecker<uint16_t>(1));
        return tid;
    }

    void Start(uint16_t entropy) override
    {
        for (uint16_t i = 0; i < m_paths; ++i)
        {
            m_entropies.push_back(static_cast<uint16_t>(entropy + i));
        }
    }

    uint16_t ChooseEntropy(int64_t /* nowPs */, bool /* retransmission */) override
    {
        m_next = (m_next + 1) % m_entropies.size();
        return m_entropies[m_next];
    }

    void OnAck(int64_t /* nowPs */, uint16_t entropy, bool marked) override
    {
        for (uint16_t& one : m_entropies)
        {
            // the step is odd, so that all values come before one returns
            one = marked && one == entropy ? static_cast<uint16_t>(one + 25173U) : one;
        }
    }

    uint32_t GetMaxPaths() const override
    {
        return UINT32_MAX; // so that packets which others overtake are not taken for lost
    }

  private:
    std::vector<uint16_t> m_entropies; //!< in use
    std::size_t m_next{0};             //!< which one is used now
    uint16_t m_paths{0};               //!< attribute
};

NS_OBJECT_ENSURE_REGISTERED(@NAME@);

} // namespace ns3
