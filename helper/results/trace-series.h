// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRACE_SERIES_H
#define TRACE_SERIES_H

#include "fabric-sampler.h"
#include "flow-recorder.h"
#include "result-column.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a figure of a time series shows. Programs that draw read it with the series
 * (`dcfabric-sim --describe=json`).
 *
 * Of all things that the series tells of (ports, flows) it shows the few that matter most, against
 * time.
 */
struct TraceFigure
{
    /// How values are joined.
    enum class Style
    {
        LINE,  //!< by straight lines
        LIMIT, //!< the same for what limits another curve
        MEAN,  //!< means of several samples, each over the time since the sample before
        STEPS, //!< each holds until the next row; 0 stands for none
    };

    /// A line of each thing in a panel.
    struct Curve
    {
        const char* column;       //!< its values
        const char* name{""};     //!< in the legend; empty: the panel has one curve
        Style style{Style::LINE}; //!< see there
        const char* older{""};    //!< column in its place in results of earlier versions
    };

    /// Axes.
    struct Panel
    {
        const char* quantity;      //!< name of the axis
        const char* unit;          //!< of the axis; empty: it counts
        double factor;             //!< from the unit of the columns to that of the axis
        std::vector<Curve> curves; //!< drawn in this order
        double most{0};            //!< upper end of the axis; 0: as the values need it
        bool instead{false};       //!< only where the panel before has nothing but zeros, and
                                   //!< then in its place
        bool aside{false};         //!< only in timelines of the things
    };

    /// How the things that are shown are chosen: those with the largest of it.
    enum class Order
    {
        PEAK, //!< largest value
        MEAN, //!< mean over time
        SUM,  //!< sum of the rows
        ROWS, //!< number of rows
    };

    /// What takes a time: in timelines of the things, not in the figure.
    struct Spans
    {
        const char* column{""}; //!< tells of begins and ends; empty: there are none
        const char* begin{""};  //!< text of it
        const char* end{""};    //!< likewise
        const char* name{""};   //!< in timelines
    };

    const char* title{""};         //!< what it shows; empty: nothing can be drawn
    const char* nothing{""};       //!< of a thing without rows, in its timeline; empty: timelines
                                   //!< leave the series out
    std::vector<const char*> of{}; //!< columns that name a thing
    Order order{Order::ROWS};      //!< see there
    const char* by{""};            //!< column of the order; empty: ROWS needs none
    uint32_t most{1};              //!< things that are shown of a run
    bool together{false};          //!< one panel for all runs; else one for each
    std::vector<Panel> panels{};   //!< one below the other; none: only timelines show it
    Spans spans{};                 //!< see there
};

/**
 * @ingroup dcfabric
 * @brief All that there is to say of a time series: a value of the option `trace`.
 *
 * A series is one file: what takes the samples, and an entry in the table, which the option, the
 * head of the file and the figures are made from.
 * @code
 * const TraceSeries& g_hops = TraceSeriesTable::Add({
 *     "hops", "data packets that ports have received",
 *     {{"node", ResultColumn::Type::KEY}, {"port", ResultColumn::Type::KEY},
 *      {"packets", ResultColumn::Type::WHOLE}},
 *     &TraceSeries::Make<HopSampler>});
 * @endcode
 */
struct TraceSeries
{
    /// Opens the file.
    using Maker = std::unique_ptr<FabricSampler> (*)(const TraceStart& start);

    const char* name; //!< value of the option; NAME.csv is the file
    const char* help; //!< a few words in reStructuredText; may be empty

    /// Of the file, behind `time_ns`; none: the series has other files, whose names begin with its
    /// own.
    std::vector<ResultColumn> columns;

    Maker make; //!< see there

    /// Which samples have rows.
    enum class Rows
    {
        ALL,     //!< each
        CHANGES, //!< those at which a value has changed
        THINNED, //!< those that a line between others does not show (SampleThinner)
    };

    Rows rows{Rows::ALL}; //!< see there

    TraceFigure figure{}; //!< of dcfabric-plot

    /// Refuses a network of which it cannot tell anything; null: there is none.
    void (*check)(const Fabric& fabric){nullptr};

    const char* settings{""}; //!< TypeId whose attributes it reads; may be empty

    /// It tells when receives are posted, which one process alone knows where flows wait for
    /// others.
    bool tellsReceives{false};

    /**
     * @param start what it is made of
     * @return what takes the samples
     */
    template <typename T>
    static std::unique_ptr<FabricSampler> Make(const TraceStart& start)
    {
        return std::make_unique<T>(start);
    }

    /**
     * @brief Begin the series, before the run.
     * @param recorder of the flows; must outlive what is returned
     * @param folder of the results, which exists; at rank 0 only it is written
     * @return what takes the samples
     * @throws ResultFileError if a file cannot be created
     */
    std::unique_ptr<FabricSampler> Open(const FlowRecorder& recorder,
                                        const std::string& folder) const;
};

/**
 * @ingroup dcfabric
 * @brief The time series that there are.
 */
class TraceSeriesTable
{
  public:
    /**
     * @brief Enter a series, as a static object does. Aborts if there is one of that name.
     * @param series it
     * @return it, as long as the program
     */
    static const TraceSeries& Add(TraceSeries series);

    /// @return all, by name
    static const std::map<std::string, TraceSeries>& Get();

    /**
     * @param name of a series
     * @return it, null if there is none
     */
    static const TraceSeries* Find(const std::string& name);
};

} // namespace ns3

#endif /* TRACE_SERIES_H */
