#include "applications/shallow_water/netcdf.hpp"

#include <netcdf.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace shoal::swe {
namespace {

constexpr double metres_per_degree = 111'000;

void check(int status, const std::string& path, const std::string& what) {
  if (status != NC_NOERR) throw std::runtime_error(path + ": " + what + ": " + nc_strerror(status));
}

// An open file. Its calls throw with its name and with what they were for.
class dataset {
public:
  dataset(std::string path, int id) : path_(std::move(path)), id_(id) {}
  ~dataset() { nc_close(id_); }
  dataset(const dataset&) = delete;
  dataset& operator=(const dataset&) = delete;

  int id() const { return id_; }

  void require(int status, const std::string& what) const { check(status, path_, what); }

  bool has(const char* name) const {
    int variable = 0;
    return nc_inq_varid(id_, name, &variable) == NC_NOERR;
  }

  int variable(const char* name) const {
    int found = 0;
    require(nc_inq_varid(id_, name, &found), std::string("no variable ") + name);
    return found;
  }

  [[noreturn]] void refuse(const std::string& why) const { throw std::runtime_error(path_ + ": " + why); }

private:
  std::string path_;
  int id_;
};

dataset opened(const std::string& path, int how) {
  int id = 0;
  check(nc_open(path.c_str(), how, &id), path, "cannot be opened");
  return {path, id};
}

std::vector<std::size_t> shape_of(const dataset& from, int variable) {
  int n = 0;
  from.require(nc_inq_varndims(from.id(), variable, &n), "no dimensions");
  std::vector<int> dimensions(static_cast<std::size_t>(n));
  from.require(nc_inq_vardimid(from.id(), variable, dimensions.data()), "no dimensions");
  std::vector<std::size_t> shape;
  for (const int dimension : dimensions) {
    from.require(nc_inq_dimlen(from.id(), dimension, &shape.emplace_back()), "no length of a dimension");
  }
  return shape;
}

// Coordinates of lines, in metres.
std::vector<double> lines_of(const dataset& from, const char* name, double scale) {
  const int variable = from.variable(name);
  const std::vector<std::size_t> shape = shape_of(from, variable);
  if (shape.size() != 1 || shape[0] == 0) from.refuse(std::string(name) + " must be a list of coordinates");
  std::vector<double> lines(shape[0]);
  from.require(nc_get_var_double(from.id(), variable, lines.data()), std::string("cannot read ") + name);
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

int type_of(float) { return NC_FLOAT; }
int type_of(double) { return NC_DOUBLE; }

int put(int file, int variable, const std::size_t* start, const std::size_t* count, const float* from) {
  return nc_put_vara_float(file, variable, start, count, from);
}
int put(int file, int variable, const std::size_t* start, const std::size_t* count, const double* from) {
  return nc_put_vara_double(file, variable, start, count, from);
}

void describe(const dataset& of, int variable, const char* attribute, const std::string& text) {
  of.require(nc_put_att_text(of.id(), variable, attribute, text.size(), text.data()), attribute);
}

int defined(const dataset& in, const char* name, int type, const std::vector<int>& dimensions, const char* long_name,
            const char* units) {
  int variable = 0;
  in.require(nc_def_var(in.id(), name, type, static_cast<int>(dimensions.size()), dimensions.data(), &variable), name);
  describe(in, variable, "long_name", long_name);
  describe(in, variable, "units", units);
  return variable;
}

}  // namespace

bool has_netcdf() { return true; }

height_grid read_bed(const std::string& path) {
  const dataset from = opened(path, NC_NOWRITE);
  const bool is_in_degrees = from.has("elevation");
  const double scale = is_in_degrees ? metres_per_degree : 1;
  height_grid read;
  read.x = lines_of(from, is_in_degrees ? "lon" : "x", scale);
  read.y = lines_of(from, is_in_degrees ? "lat" : "y", scale);
  const int heights = from.variable(is_in_degrees ? "elevation" : "z");
  if (shape_of(from, heights) != std::vector{read.y.size(), read.x.size()}) {
    from.refuse("heights must have rows and columns as there are coordinates");
  }
  read.heights.resize(read.x.size() * read.y.size());
  from.require(nc_get_var_float(from.id(), heights, read.heights.data()), "cannot read heights");
  make_ascending(read);
  const auto ascends = [](const std::vector<double>& lines) {
    return std::ranges::adjacent_find(lines, [](double a, double b) { return !(a < b); }) == lines.end();
  };
  if (!ascends(read.x) || !ascends(read.y)) from.refuse("coordinates must ascend or descend");
  return read;
}

template <class Real>
struct netcdf_file<Real>::open_file {
  dataset data;
  std::size_t n_times = 0;

  open_file(const std::string& path, int id) : data(path, id) {}

  void define(const patch<Real>& of) {
    const int file = data.id();
    int time = 0, y = 0, x = 0;
    data.require(nc_def_dim(file, "time", NC_UNLIMITED, &time), "time");
    data.require(nc_def_dim(file, "y", of.part().n_y, &y), "y");
    data.require(nc_def_dim(file, "x", of.part().n_x, &x), "x");
    describe(data, NC_GLOBAL, "Conventions", "CF-1.5");
    describe(data, NC_GLOBAL, "title", "Shallow water simulation");
    // The conventions want a date; the simulation begins then.
    const int times = defined(data, "time", NC_DOUBLE, {time}, "time", "seconds since 1970-01-01 00:00:00");
    describe(data, times, "standard_name", "time");
    const int to_x = defined(data, "x", NC_DOUBLE, {x}, "centres of cells", "m");
    describe(data, to_x, "standard_name", "projection_x_coordinate");
    const int to_y = defined(data, "y", NC_DOUBLE, {y}, "centres of cells", "m");
    describe(data, to_y, "standard_name", "projection_y_coordinate");
    const int type = type_of(Real());
    defined(data, "h", type, {time, y, x}, "depth of water", "m");
    defined(data, "hu", type, {time, y, x}, "depth times velocity along x", "m2 s-1");
    defined(data, "hv", type, {time, y, x}, "depth times velocity along y", "m2 s-1");
    defined(data, "b", type, {y, x}, "height of the bed", "m");
    data.require(nc_enddef(file), "definitions");
    for (std::size_t i = 0; i < of.part().n_x; ++i) {
      const double at = of.x_of(i);
      data.require(nc_put_var1_double(file, to_x, &i, &at), "x");
    }
    for (std::size_t j = 0; j < of.part().n_y; ++j) {
      const double at = of.y_of(j);
      data.require(nc_put_var1_double(file, to_y, &j, &at), "y");
    }
  }

  void put_row(const char* name, std::size_t j, std::span<const Real> row, bool has_time) {
    const std::size_t start[] = {n_times, j, 0};
    const std::size_t count[] = {1, 1, row.size()};
    const int skipped = has_time ? 0 : 1;
    data.require(put(data.id(), data.variable(name), start + skipped, count + skipped, row.data()), name);
  }
};

template <class Real>
netcdf_file<Real>::netcdf_file(const std::string& path, const patch<Real>& of, mode as) {
  int id = 0;
  const bool is_new = as == mode::create;
  check(is_new ? nc_create(path.c_str(), NC_NETCDF4 | NC_CLOBBER, &id) : nc_open(path.c_str(), NC_WRITE, &id), path,
        is_new ? "cannot be created" : "cannot be opened for writing");
  file_ = std::make_unique<open_file>(path, id);
  if (!is_new) {
    file_->n_times = shape_of(file_->data, file_->data.variable("time")).at(0);
    return;
  }
  file_->define(of);
  for (std::size_t j = 0; j < of.part().n_y; ++j) file_->put_row("b", j, of.row_of_b(j), false);
}

template <class Real>
netcdf_file<Real>::~netcdf_file() = default;
template <class Real>
netcdf_file<Real>::netcdf_file(netcdf_file&&) noexcept = default;
template <class Real>
netcdf_file<Real>& netcdf_file<Real>::operator=(netcdf_file&&) noexcept = default;

template <class Real>
void netcdf_file<Real>::append(double time, const patch<Real>& of) {
  const dataset& data = file_->data;
  data.require(nc_put_var1_double(data.id(), data.variable("time"), &file_->n_times, &time), "time");
  for (std::size_t j = 0; j < of.part().n_y; ++j) {
    file_->put_row("h", j, of.row_of_h(j), true);
    file_->put_row("hu", j, of.row_of_hu(j), true);
    file_->put_row("hv", j, of.row_of_hv(j), true);
  }
  ++file_->n_times;
  data.require(nc_sync(data.id()), "cannot be written");
}

template class netcdf_file<float>;
template class netcdf_file<double>;

}  // namespace shoal::swe
