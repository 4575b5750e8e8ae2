/// Files of the state while a simulation runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "applications/shallow_water/patch.hpp"
#include "applications/swe/patch_grid.hpp"

namespace shoal::swe {

enum class file_format : std::uint8_t {
  vtk,  // a file for each patch and frame; frames.pvd joins them, for ParaView
  netcdf,  // a file for each patch; whole.nc joins them, for ncview, xarray and others
};

/// Frames are the state at the start, and after the first step that ends at or beyond each `n`-th part of the time. A
/// step makes one frame at most.
struct frame_plan {
  std::string folder;  // empty: nothing is written
  file_format format = file_format::vtk;
  std::uint64_t n = 10;
};

/// Writes the frames of a patch. Which ones depends on the time steps alone, so all patches have the same.
template <class Real>
class patch_frames {
public:
  patch_frames(const frame_plan& plan, double end) : plan_(plan), end_(end) {}

  /// Throws setup_error.
  void write_if_due(double time, const patch<Real>& of);

  const std::vector<double>& times() const { return times_; }

  void serialize(auto& archive) { archive(n_due_, times_); }

private:
  void write(double time, const patch<Real>& of);

  frame_plan plan_;
  double end_;
  std::uint64_t n_due_ = 0;  // parts of the time that have no frame to come
  std::vector<double> times_;
};

/// Makes the folder. Throws setup_error if there are files in it, or if this build cannot write the format.
void make_folder(const frame_plan& plan);

/// Writes the file that joins those of all patches, after all have been written. Throws setup_error.
void join_frames(const frame_plan& plan, const patch_grid& grid, std::span<const double> times, bool is_float);

extern template class patch_frames<float>;
extern template class patch_frames<double>;

}  // namespace shoal::swe
