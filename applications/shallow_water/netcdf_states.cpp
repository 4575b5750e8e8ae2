// States of patches in NetCDF files, and of all patches in one.
#include <optional>
#include <vector>

#include "applications/shallow_water/netcdf.hpp"
#include "applications/shallow_water/netcdf_dataset.hpp"

namespace shoal::swe {
namespace {

constexpr const char* quantities[] = {"h", "hu", "hv"};

int type_of(float) { return NC_FLOAT; }
int type_of(double) { return NC_DOUBLE; }

void put(const dataset& to, int variable, const std::size_t* start, const std::size_t* count, const float* from) {
  to.require(to.calls().put_vara_float(to.id(), variable, start, count, from), "cannot be written");
}
void put(const dataset& to, int variable, const std::size_t* start, const std::size_t* count, const double* from) {
  to.require(to.calls().put_vara_double(to.id(), variable, start, count, from), "cannot be written");
}

// Defines all that a file of states has, and writes where the cells are. The file will be written in pieces of the size of `piece`.
void define_states(const dataset& in, const domain& whole, const block& part, const block& piece, int type) {
  int time = 0, y = 0, x = 0;
  in.require(in.calls().def_dim(in.id(), "time", NC_UNLIMITED, &time), "time");
  in.require(in.calls().def_dim(in.id(), "y", part.n_y, &y), "y");
  in.require(in.calls().def_dim(in.id(), "x", part.n_x, &x), "x");
  in.describe(NC_GLOBAL, "Conventions", "CF-1.5");
  in.describe(NC_GLOBAL, "title", "Shallow water simulation");
  // The conventions want a date; the simulation begins then.
  in.describe(in.define("time", NC_DOUBLE, {time}, "time", "seconds since 1970-01-01 00:00:00"), "standard_name",
              "time");
  const int to_x = in.define("x", NC_DOUBLE, {x}, "centres of cells", "m");
  in.describe(to_x, "standard_name", "projection_x_coordinate");
  const int to_y = in.define("y", NC_DOUBLE, {y}, "centres of cells", "m");
  in.describe(to_y, "standard_name", "projection_y_coordinate");
  const std::size_t chunk[] = {1, piece.n_y, piece.n_x};
  for (const int each : {in.define("h", type, {time, y, x}, "depth of water", "m"),
                         in.define("hu", type, {time, y, x}, "depth times velocity along x", "m2 s-1"),
                         in.define("hv", type, {time, y, x}, "depth times velocity along y", "m2 s-1")}) {
    in.require(in.calls().def_var_chunking(in.id(), each, NC_CHUNKED, chunk), "chunks");
  }
  in.define("b", type, {y, x}, "height of the bed", "m");
  in.require(in.calls().enddef(in.id()), "definitions");
  std::vector<double> places;
  for (std::size_t i = 0; i < part.n_x; ++i) places.push_back(whole.x_of(part.first_x + i));
  in.require(in.calls().put_var_double(in.id(), to_x, places.data()), "x");
  places.clear();
  for (std::size_t j = 0; j < part.n_y; ++j) places.push_back(whole.y_of(part.first_y + j));
  in.require(in.calls().put_var_double(in.id(), to_y, places.data()), "y");
}

void put_time(const dataset& to, std::size_t number, double time) {
  to.require(to.calls().put_var1_double(to.id(), to.variable("time"), &number, &time), "time");
}

// The numbers of one part, as they are moved to the file of all.
class part_copier {
public:
  part_copier(const dataset& to, const netcdf_part& of)
      : to_(to), from_(dataset::opened(of.path, NC_NOWRITE)), part_(of.part), numbers_(of.part.n_cells()) {}

  void copy_bed() { copy("b", std::nullopt); }
  void copy_states(std::size_t n_times) {
    if (from_.shape_of(from_.variable("time")).at(0) != n_times) from_.refuse("it has other times than its neighbours");
    for (std::size_t time = 0; time < n_times; ++time) {
      for (const char* name : quantities) copy(name, time);
    }
  }

private:
  void copy(const char* name, std::optional<std::size_t> time) {
    const std::size_t from[] = {time.value_or(0), 0, 0};
    const std::size_t to[] = {time.value_or(0), part_.first_y, part_.first_x};
    const std::size_t count[] = {1, part_.n_y, part_.n_x};
    const int skipped = time ? 0 : 1;
    // A float is kept by a double.
    from_.require(from_.calls().get_vara_double(from_.id(), from_.variable(name), from + skipped, count + skipped,
                                                numbers_.data()),
                  std::string("cannot read ") + name);
    put(to_, to_.variable(name), to + skipped, count + skipped, numbers_.data());
  }

  const dataset& to_;
  const dataset from_;
  const block part_;
  std::vector<double> numbers_;
};

}  // namespace

void join_netcdf(const std::string& path, const domain& whole, std::span<const netcdf_part> parts) {
  const auto alone = lock_netcdf();
  int type = 0;
  std::vector<double> times;
  {
    const dataset first = dataset::opened(parts[0].path, NC_NOWRITE);
    first.require(first.calls().inq_vartype(first.id(), first.variable("h"), &type), "h");
    times.resize(first.shape_of(first.variable("time")).at(0));
    first.require(first.calls().get_var_double(first.id(), first.variable("time"), times.data()), "time");
  }
  const dataset all = dataset::created(path);
  define_states(all, whole, {.n_x = whole.n_x, .n_y = whole.n_y}, parts[0].part, type);
  for (std::size_t k = 0; k < times.size(); ++k) put_time(all, k, times[k]);
  for (const netcdf_part& each : parts) {
    part_copier copier(all, each);
    copier.copy_bed();
    copier.copy_states(times.size());
  }
  all.require(all.calls().sync(all.id()), "cannot be written");
}

template <class Real>
struct netcdf_file<Real>::open_file {
  dataset data;
  std::size_t n_times = 0;

  void put_row(const char* name, std::size_t j, std::span<const Real> row, bool has_time) {
    const std::size_t start[] = {n_times, j, 0};
    const std::size_t count[] = {1, 1, row.size()};
    const int skipped = has_time ? 0 : 1;
    put(data, data.variable(name), start + skipped, count + skipped, row.data());
  }
};

template <class Real>
netcdf_file<Real>::netcdf_file(const std::string& path, const patch<Real>& of, mode as) {
  const auto alone = lock_netcdf();
  if (as == mode::continue_existing) {
    file_.reset(new open_file{dataset::opened(path, NC_WRITE)});
    file_->n_times = file_->data.shape_of(file_->data.variable("time")).at(0);
    return;
  }
  file_.reset(new open_file{dataset::created(path)});
  define_states(file_->data, of.whole(), of.part(), of.part(), type_of(Real()));
  for (std::size_t j = 0; j < of.part().n_y; ++j) file_->put_row("b", j, of.row_of_b(j), false);
}

template <class Real>
netcdf_file<Real>::~netcdf_file() {
  const auto alone = lock_netcdf();
  file_.reset();
}
template <class Real>
netcdf_file<Real>::netcdf_file(netcdf_file&&) noexcept = default;
template <class Real>
netcdf_file<Real>& netcdf_file<Real>::operator=(netcdf_file&& other) noexcept {
  const auto alone = lock_netcdf();
  file_ = std::move(other.file_);
  return *this;
}

template <class Real>
void netcdf_file<Real>::append(double time, const patch<Real>& of) {
  const auto alone = lock_netcdf();
  const dataset& data = file_->data;
  put_time(data, file_->n_times, time);
  for (std::size_t j = 0; j < of.part().n_y; ++j) {
    file_->put_row("h", j, of.row_of_h(j), true);
    file_->put_row("hu", j, of.row_of_hu(j), true);
    file_->put_row("hv", j, of.row_of_hv(j), true);
  }
  ++file_->n_times;
  data.require(data.calls().sync(data.id()), "cannot be written");
}

template class netcdf_file<float>;
template class netcdf_file<double>;

}  // namespace shoal::swe
