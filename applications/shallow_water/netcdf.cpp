#include "applications/shallow_water/netcdf.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "applications/shallow_water/netcdf_dataset.hpp"

namespace shoal::swe {
namespace {

constexpr double metres_per_degree = 111'000;

// Coordinates of lines, in metres.
std::vector<double> lines_of(const dataset& from, const char* name, double scale) {
  const int variable = from.variable(name);
  const std::vector<std::size_t> shape = from.shape_of(variable);
  if (shape.size() != 1 || shape[0] == 0) from.refuse(std::string(name) + " must be a list of coordinates");
  std::vector<double> lines(shape[0]);
  from.require(from.calls().get_var_double(from.id(), variable, lines.data()), std::string("cannot read ") + name);
  for (double& line : lines) line *= scale;
  return lines;
}

// Turns a grid around whose coordinates descend, as those of rows often do.
void make_ascending(height_grid& of) {
  const std::size_t n = of.x.size();
  if (of.x.front() > of.x.back()) {
    std::ranges::reverse(of.x);
    for (auto row = of.heights.begin(); row != of.heights.end(); row += static_cast<std::ptrdiff_t>(n)) {
      std::reverse(row, row + static_cast<std::ptrdiff_t>(n));
    }
  }
  if (of.y.front() > of.y.back()) {
    const std::size_t n_rows = of.y.size();
    std::ranges::reverse(of.y);
    for (std::size_t j = 0; j < n_rows / 2; ++j) {
      std::swap_ranges(&of.heights[j * n], &of.heights[j * n] + n, &of.heights[(n_rows - 1 - j) * n]);
    }
  }
}

}  // namespace

bool has_netcdf() { return find_netcdf() != nullptr; }

height_grid read_bed(const std::string& path) {
  const auto alone = lock_netcdf();
  const dataset from = dataset::opened(path, NC_NOWRITE);
  const bool is_in_degrees = from.has("elevation");
  const double scale = is_in_degrees ? metres_per_degree : 1;
  height_grid read;
  read.x = lines_of(from, is_in_degrees ? "lon" : "x", scale);
  read.y = lines_of(from, is_in_degrees ? "lat" : "y", scale);
  const int heights = from.variable(is_in_degrees ? "elevation" : "z");
  if (from.shape_of(heights) != std::vector{read.y.size(), read.x.size()}) {
    from.refuse("heights must have rows and columns as there are coordinates");
  }
  read.heights.resize(read.x.size() * read.y.size());
  from.require(from.calls().get_var_float(from.id(), heights, read.heights.data()), "cannot read heights");
  make_ascending(read);
  const auto ascends = [](const std::vector<double>& lines) {
    return std::ranges::adjacent_find(lines, [](double a, double b) { return !(a < b); }) == lines.end();
  };
  if (read.x.size() < 2 || read.y.size() < 2) from.refuse("a grid has two rows and columns at least");
  if (!ascends(read.x) || !ascends(read.y)) from.refuse("coordinates must ascend or descend");
  for (const char* packing : {"scale_factor", "add_offset"}) {
    if (from.has_attribute(heights, packing)) {
      from.refuse(std::string("heights are packed by ") + packing + "; give them in metres");
    }
  }
  if (!std::ranges::all_of(read.heights, [](float h) { return std::abs(h) < 12'000; })) {
    from.refuse("a height is no number of metres on earth; fill in missing values");
  }
  return read;
}

}  // namespace shoal::swe
