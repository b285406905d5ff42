// SPDX-License-Identifier: GPL-2.0-only
#ifndef RESULT_COLUMN_H
#define RESULT_COLUMN_H

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A column of a CSV file with results, as programs that read it have to know it.
 */
struct ResultColumn
{
    /// What its fields are.
    enum class Type
    {
        KEY,   //!< whole numbers that say what the row is of, such as a port
        WHOLE, //!< other whole numbers
        REAL,  //!< numbers; a field may be empty
        TEXT,  //!< words
    };

    const char* name;  //!< in the first line of the file
    Type type;         //!< see there
    bool later{false}; //!< results of earlier versions lack it
};

/**
 * @ingroup dcfabric
 * @param type of a column
 * @return how programs call it
 */
inline const char*
GetResultColumnType(ResultColumn::Type type)
{
    switch (type)
    {
    case ResultColumn::Type::KEY:
        return "key";
    case ResultColumn::Type::WHOLE:
        return "whole";
    case ResultColumn::Type::REAL:
        return "real";
    case ResultColumn::Type::TEXT:
        break;
    }
    return "text";
}

} // namespace ns3

#endif /* RESULT_COLUMN_H */
