/// The statistics as text. docs/statistics.md explains each column to users.
#pragma once

#include <string>

#include "shoal/actor/internal/statistics.hpp"
#include "shoal/base/statistics_form.hpp"

namespace shoal::internal {

/// For people: numbers are rounded, and what is zero everywhere may be left out.
std::string statistics_as_table(const job_statistics& all);

/// One record each for the job, its PEs and its streams; `has_names`: after a line with the names of the columns.
std::string statistics_as_csv(const job_statistics& all, bool has_names);

/// One object, on one line. Its members have the names of the CSV form's columns.
std::string statistics_as_json(const job_statistics& all);

/// Any of the above. Empty for statistics_form::none.
std::string statistics_as(statistics_form form, const job_statistics& all, bool has_names);

}  // namespace shoal::internal
