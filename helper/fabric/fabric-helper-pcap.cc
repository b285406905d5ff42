// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Captures of FabricHelper.
 */
#include "fabric-helper.h"
#include "fabric-pcap-file.h"

#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcfabricHelper");

void
FabricHelper::EnablePcapInternal(std::string prefix,
                                 Ptr<NetDevice> nd,
                                 bool promiscuous,
                                 bool explicitFilename)
{
    const auto device = DynamicCast<FabricNetDevice>(nd);
    if (!device)
    {
        NS_LOG_INFO("device " << nd << " is no port of a fabric");
        return;
    }
    FabricCapture::CheckWireFormat(*device);
    const std::string path =
        explicitFilename ? prefix : PcapHelper().GetFilenameFromDevice(prefix, device);
    FabricCapture::Connect(Create<FabricPcapFile>(PeekPointer(device), path, promiscuous), device);
}

} // namespace ns3
