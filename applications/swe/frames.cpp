#include "applications/swe/frames.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "applications/shallow_water/netcdf.hpp"
#include "applications/shallow_water/vtk_output.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::swe {
namespace {

namespace fs = std::filesystem;

constexpr double rounding = 1e-9;  // of the simulated time, in sums of steps

std::string base_in(const frame_plan& plan) { return plan.folder + "/patch"; }

std::string index_name(std::size_t frame) { return "frame." + std::to_string(frame) + ".pvts"; }

// Writes a file by `write(stream)`.
template <class Write>
void write_file(const std::string& path, Write write) {
  std::ofstream out(path);
  write(out);
  out.close();
  if (!out) throw setup_error(path + " could not be written; is the disk full?");
}

// Calls `write`, which may throw as the NetCDF files do.
template <class Write>
void write_netcdf(Write write) {
  try {
    write();
  } catch (const std::runtime_error& e) {
    throw setup_error(e.what());
  }
}

}  // namespace

template <class Real>
void patch_frames<Real>::write_if_due(double time, const patch<Real>& of) {
  if (plan_.folder.empty()) return;
  const double n_passed = (time / end_ + rounding) * static_cast<double>(plan_.n);
  if (n_passed < static_cast<double>(n_due_)) return;
  n_due_ = static_cast<std::uint64_t>(std::floor(n_passed)) + 1;
  write(time, of);
  times_.push_back(time);
}

template <class Real>
void patch_frames<Real>::write(double time, const patch<Real>& of) {
  if (plan_.format == file_format::vtk) {
    write_file(vts_name(base_in(plan_), of.part(), times_.size()), [&](std::ostream& out) { write_vts(out, of); });
    return;
  }
  // Closed after each frame, since a process may have more patches than files it may open.
  using file = netcdf_file<Real>;
  write_netcdf([&] {
    file(netcdf_name(base_in(plan_), of.part()), of,
         times_.empty() ? file::mode::create : file::mode::continue_existing)
        .append(time, of);
  });
}

void make_folder(const frame_plan& plan) {
  const std::string what = "--out=" + plan.folder;
  if (plan.format == file_format::netcdf && !has_netcdf()) {
    throw setup_error(
        "--format=netcdf: there is no NetCDF library; install it (Debian: libnetcdf-dev, then build Shoal again) "
        "or choose vtk");
  }
  std::error_code error;
  fs::create_directories(plan.folder, error);
  if (error || !fs::is_directory(plan.folder, error)) {
    throw setup_error(what + " cannot be made a folder (" + error.message() + "); give another one");
  }
  if (!fs::is_empty(plan.folder, error)) {
    throw setup_error(what + " has files in it; give a folder that is empty or not there yet");
  }
}

void join_frames(const frame_plan& plan, const patch_grid& grid, std::span<const double> times, bool is_float) {
  std::vector<block> parts;
  for (std::size_t p = 0; p < grid.n(); ++p) parts.push_back(grid.part_of(p));
  if (plan.format == file_format::netcdf) {
    std::vector<netcdf_part> files;
    for (const block& part : parts) files.push_back({netcdf_name(base_in(plan), part), part});
    write_netcdf([&] { join_netcdf(plan.folder + "/whole.nc", grid.whole(), files); });
    return;
  }
  std::vector<std::string> frames;
  for (std::size_t frame = 0; frame < times.size(); ++frame) {
    std::vector<std::string> names;
    for (const block& part : parts) names.push_back(vts_name("patch", part, frame));
    frames.push_back(index_name(frame));
    write_file(plan.folder + "/" + frames.back(),
               [&](std::ostream& out) { write_pvts(out, grid.whole(), parts, names, is_float); });
  }
  write_file(plan.folder + "/frames.pvd", [&](std::ostream& out) { write_pvd(out, times, frames); });
}

template class patch_frames<float>;
template class patch_frames<double>;

}  // namespace shoal::swe
