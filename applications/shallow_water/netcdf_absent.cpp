// What a build without the NetCDF library has.
#include <stdexcept>

#include "applications/shallow_water/netcdf.hpp"

namespace shoal::swe {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw std::runtime_error("cannot use " + path + ": built without NetCDF (Debian: libnetcdf-dev)");
}

}  // namespace

bool has_netcdf() { return false; }

height_grid read_bed(const std::string& path) { refuse(path); }

void join_netcdf(const std::string& path, const domain&, std::span<const netcdf_part>) { refuse(path); }

template <class Real>
struct netcdf_file<Real>::open_file {};

template <class Real>
netcdf_file<Real>::netcdf_file(const std::string& path, const patch<Real>&, mode) {
  refuse(path);
}

template <class Real>
netcdf_file<Real>::~netcdf_file() = default;
template <class Real>
netcdf_file<Real>::netcdf_file(netcdf_file&&) noexcept = default;
template <class Real>
netcdf_file<Real>& netcdf_file<Real>::operator=(netcdf_file&&) noexcept = default;

template <class Real>
void netcdf_file<Real>::append(double, const patch<Real>&) {}

template class netcdf_file<float>;
template class netcdf_file<double>;

}  // namespace shoal::swe
