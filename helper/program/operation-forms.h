// SPDX-License-Identifier: GPL-2.0-only
#ifndef OPERATION_FORMS_H
#define OPERATION_FORMS_H

namespace ns3
{

class FabricTextReader;
class RankProgram;

/**
 * @ingroup dcfabric
 * @brief Append what a line of a program says.
 * @param program what is appended to
 * @param reader at the line; doc/programs.rst has the forms
 * @throws FabricError if the line is malformed, with the form that it should have
 */
void AppendOperation(RankProgram& program, const FabricTextReader& reader);

} // namespace ns3

#endif /* OPERATION_FORMS_H */
