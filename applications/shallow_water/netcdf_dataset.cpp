#include "applications/shallow_water/netcdf_dataset.hpp"

#include <dlfcn.h>

#include <optional>
#include <stdexcept>
#include <utility>

namespace shoal::swe {
namespace {

template <class Function>
bool take(void* library, const char* name, Function& to) {
  to = reinterpret_cast<Function>(::dlsym(library, name));
  return to != nullptr;
}

std::optional<netcdf_functions> loaded() {
  const std::string found = SHOAL_NETCDF_LIBRARY;  // by the build; elsewhere the library may lie in another folder
  void* library = nullptr;
  for (const std::string& name : {found, found.substr(found.rfind('/') + 1), std::string("libnetcdf.so")}) {
    if (library == nullptr) library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  netcdf_functions all;
  const bool has_all =
      library != nullptr && take(library, "nc_strerror", all.strerror) && take(library, "nc_open", all.open) &&
      take(library, "nc_create", all.create) && take(library, "nc_close", all.close) &&
      take(library, "nc_enddef", all.enddef) && take(library, "nc_sync", all.sync) &&
      take(library, "nc_def_dim", all.def_dim) && take(library, "nc_def_var", all.def_var) &&
      take(library, "nc_put_att_text", all.put_att_text) && take(library, "nc_inq_varid", all.inq_varid) &&
      take(library, "nc_inq_attid", all.inq_attid) && take(library, "nc_def_var_chunking", all.def_var_chunking) &&
      take(library, "nc_inq_vartype", all.inq_vartype) && take(library, "nc_inq_varndims", all.inq_varndims) &&
      take(library, "nc_inq_vardimid", all.inq_vardimid) && take(library, "nc_inq_dimlen", all.inq_dimlen) &&
      take(library, "nc_get_var_double", all.get_var_double) && take(library, "nc_get_var_float", all.get_var_float) &&
      take(library, "nc_get_vara_double", all.get_vara_double) &&
      take(library, "nc_put_var_double", all.put_var_double) &&
      take(library, "nc_put_var1_double", all.put_var1_double) &&
      take(library, "nc_put_vara_float", all.put_vara_float) &&
      take(library, "nc_put_vara_double", all.put_vara_double);
  return has_all ? std::optional(all) : std::nullopt;
}

}  // namespace

const netcdf_functions* find_netcdf() {
  static const std::optional<netcdf_functions> all = loaded();
  return all ? &*all : nullptr;
}

const netcdf_functions& netcdf_for(const std::string& path) {
  const netcdf_functions* const all = find_netcdf();
  if (all != nullptr) return *all;
  throw std::runtime_error("cannot use " + path + ": the library " + SHOAL_NETCDF_LIBRARY +
                           " cannot be loaded; install it (Debian: libnetcdf19) or name its folder in LD_LIBRARY_PATH");
}

std::unique_lock<std::mutex> lock_netcdf() {
  static std::mutex one_at_a_time;
  return std::unique_lock(one_at_a_time);
}

dataset::dataset(const netcdf_functions& calls, std::string path, int id)
    : calls_(calls), path_(std::move(path)), id_(id) {}

dataset dataset::opened(const std::string& path, int how) {
  const netcdf_functions& calls = netcdf_for(path);
  int id = 0;
  if (const int status = calls.open(path.c_str(), how, &id); status != NC_NOERR) {
    throw std::runtime_error(path + ": cannot be opened: " + calls.strerror(status));
  }
  return {calls, path, id};
}

dataset dataset::created(const std::string& path) {
  const netcdf_functions& calls = netcdf_for(path);
  int id = 0;
  if (const int status = calls.create(path.c_str(), NC_NETCDF4 | NC_CLOBBER, &id); status != NC_NOERR) {
    throw std::runtime_error(path + ": cannot be created: " + calls.strerror(status));
  }
  return {calls, path, id};
}

dataset::~dataset() { calls_.close(id_); }

void dataset::require(int status, const std::string& what) const {
  if (status != NC_NOERR) refuse(what + ": " + calls_.strerror(status));
}

void dataset::refuse(const std::string& why) const { throw std::runtime_error(path_ + ": " + why); }

bool dataset::has(const char* name) const {
  int found = 0;
  return calls_.inq_varid(id_, name, &found) == NC_NOERR;
}

bool dataset::has_attribute(int variable, const char* name) const {
  int found = 0;
  return calls_.inq_attid(id_, variable, name, &found) == NC_NOERR;
}

int dataset::variable(const char* name) const {
  int found = 0;
  require(calls_.inq_varid(id_, name, &found), std::string("no variable ") + name);
  return found;
}

std::vector<std::size_t> dataset::shape_of(int variable) const {
  int n = 0;
  require(calls_.inq_varndims(id_, variable, &n), "no dimensions");
  std::vector<int> dimensions(static_cast<std::size_t>(n));
  require(calls_.inq_vardimid(id_, variable, dimensions.data()), "no dimensions");
  std::vector<std::size_t> shape;
  for (const int dimension : dimensions) {
    require(calls_.inq_dimlen(id_, dimension, &shape.emplace_back()), "no length of a dimension");
  }
  return shape;
}

int dataset::define(const char* name, int type, const std::vector<int>& dimensions, const char* long_name,
                    const char* units) const {
  int made = 0;
  require(calls_.def_var(id_, name, type, static_cast<int>(dimensions.size()), dimensions.data(), &made), name);
  describe(made, "long_name", long_name);
  describe(made, "units", units);
  return made;
}

void dataset::describe(int variable, const char* attribute, const std::string& text) const {
  require(calls_.put_att_text(id_, variable, attribute, text.size(), text.data()), attribute);
}

}  // namespace shoal::swe
