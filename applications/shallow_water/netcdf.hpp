/// Beds from NetCDF files, and patches into them. Without the NetCDF library, the build has these functions all the
/// same: they throw.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "applications/shallow_water/height_grid.hpp"
#include "applications/shallow_water/patch.hpp"

namespace shoal::swe {

/// Whether this build knows the NetCDF library, and finds it now.
bool has_netcdf();

/// Reads a bed: variable `elevation` over `lat` and `lon` in degrees, as GEBCO's grids have it, with 111 km to a
/// degree; or `z` over `y` and `x` in metres. Throws std::runtime_error with the file's name and what is wrong with it.
height_grid read_bed(const std::string& path);

/// "<base>.(<first x>-<last x>:<first y>-<last y>).nc": one file for each patch.
inline std::string netcdf_name(std::string_view base, const block& part) {
  return std::string(base) + ".(" + std::to_string(part.first_x) + "-" + std::to_string(part.first_x + part.n_x - 1) +
         ":" + std::to_string(part.first_y) + "-" + std::to_string(part.first_y + part.n_y - 1) + ").nc";
}

/// The states of one patch over time, as a NetCDF-4 file by the CF conventions: dimensions time, y, x; variables h, hu,
/// hv and b. A patch that moves to another PE closes its file and continues it there. Calls on several threads wait for
/// each other, as the library is not made for them.
template <class Real>
class netcdf_file {
public:
  enum class mode { create, continue_existing };

  /// Throws std::runtime_error.
  netcdf_file(const std::string& path, const patch<Real>& of, mode as);
  ~netcdf_file();
  netcdf_file(netcdf_file&&) noexcept;
  netcdf_file& operator=(netcdf_file&&) noexcept;

  /// Adds the patch's state at this time, and makes sure that others who open the file see it. Throws
  /// std::runtime_error.
  void append(double time, const patch<Real>& of);

private:
  struct open_file;
  std::unique_ptr<open_file> file_;
};

/// The file of a patch.
struct netcdf_part {
  std::string path;
  block part;
};

/// Joins the files of all patches of a domain, which have the same times, into one. Throws std::runtime_error.
void join_netcdf(const std::string& path, const domain& whole, std::span<const netcdf_part> parts);

extern template class netcdf_file<float>;
extern template class netcdf_file<double>;

}  // namespace shoal::swe
