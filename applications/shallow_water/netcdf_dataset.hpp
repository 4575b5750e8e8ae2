/// NetCDF files as objects, for the sources of netcdf.hpp in a build that has the library.
#pragma once

#include <netcdf.h>

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace shoal::swe {

/// Functions of the library. It is loaded when the first of them is needed, since it brings forty libraries of its own:
/// a program that reads no file does not wait for them, and also starts where they are not installed.
struct netcdf_functions {
  decltype(&nc_strerror) strerror = nullptr;
  decltype(&nc_open) open = nullptr;
  decltype(&nc_create) create = nullptr;
  decltype(&nc_close) close = nullptr;
  decltype(&nc_enddef) enddef = nullptr;
  decltype(&nc_sync) sync = nullptr;
  decltype(&nc_def_dim) def_dim = nullptr;
  decltype(&nc_def_var) def_var = nullptr;
  decltype(&nc_put_att_text) put_att_text = nullptr;
  decltype(&nc_inq_varid) inq_varid = nullptr;
  decltype(&nc_inq_attid) inq_attid = nullptr;
  decltype(&nc_def_var_chunking) def_var_chunking = nullptr;
  decltype(&nc_inq_vartype) inq_vartype = nullptr;
  decltype(&nc_inq_varndims) inq_varndims = nullptr;
  decltype(&nc_inq_vardimid) inq_vardimid = nullptr;
  decltype(&nc_inq_dimlen) inq_dimlen = nullptr;
  decltype(&nc_get_var_double) get_var_double = nullptr;
  decltype(&nc_get_var_float) get_var_float = nullptr;
  decltype(&nc_get_vara_double) get_vara_double = nullptr;
  decltype(&nc_put_var_double) put_var_double = nullptr;
  decltype(&nc_put_var1_double) put_var1_double = nullptr;
  decltype(&nc_put_vara_float) put_vara_float = nullptr;
  decltype(&nc_put_vara_double) put_vara_double = nullptr;
};

/// Null if the library cannot be loaded.
const netcdf_functions* find_netcdf();

/// Loads the library if need be. Throws std::runtime_error, with `path` as what it was needed for.
const netcdf_functions& netcdf_for(const std::string& path);

/// The library is not made for several threads, which the patches of a process may have.
std::unique_lock<std::mutex> lock_netcdf();

/// An open file. Its calls throw std::runtime_error with its name and with what they were for. Only under lock_netcdf.
class dataset {
public:
  static dataset opened(const std::string& path, int how);
  static dataset created(const std::string& path);
  ~dataset();
  dataset(const dataset&) = delete;
  dataset& operator=(const dataset&) = delete;

  int id() const { return id_; }
  const netcdf_functions& calls() const { return calls_; }

  void require(int status, const std::string& what) const;
  [[noreturn]] void refuse(const std::string& why) const;

  bool has(const char* name) const;
  bool has_attribute(int variable, const char* name) const;
  int variable(const char* name) const;
  std::vector<std::size_t> shape_of(int variable) const;

  /// Defines a variable.
  int define(const char* name, int type, const std::vector<int>& dimensions, const char* long_name,
             const char* units) const;
  void describe(int variable, const char* attribute, const std::string& text) const;

private:
  dataset(const netcdf_functions& calls, std::string path, int id);

  const netcdf_functions& calls_;
  std::string path_;
  int id_;
};

}  // namespace shoal::swe
