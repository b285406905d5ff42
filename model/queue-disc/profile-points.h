// SPDX-License-Identifier: GPL-2.0-only
#ifndef PROFILE_POINTS_H
#define PROFILE_POINTS_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Straight lines between points; level before the first and behind the last.
 *
 * Two points at one place make a step: at that place the first of them counts.
 */
class ProfilePoints
{
  public:
    /// A corner.
    struct Point
    {
        uint64_t at;  //!< where
        double value; //!< how high
    };

    /**
     * @brief Reads the value of a point.
     * @param text what stands behind the colon
     * @param where the point, for messages
     * @return the value
     * @throws FabricError if it is none
     */
    using Reader = double (*)(const std::string& text, const std::string& where);

    /**
     * @brief Replace the points.
     * @param text pairs `at:value` separated by commas, the first of each a whole number, rising
     * @param example such a text, for messages
     * @param reader of the values
     * @throws FabricError if the text makes no sense; then the points are as before
     */
    void Read(const std::string& text, const std::string& example, Reader reader);

    /// @return the points as they were read
    const std::string& GetText() const;
    /// @return the points, at least one once Read() has been called
    const std::vector<Point>& Get() const;

    /**
     * @param at where
     * @return the height of the lines there
     */
    double GetValue(uint64_t at) const;

  private:
    std::vector<Point> m_points; //!< by place
    std::string m_text;          //!< as given
};

} // namespace ns3

#endif /* PROFILE_POINTS_H */
