// Goal: a bed is read as it was written, in both layouts and any direction, and a patch's file has all its states, also
// after it was closed and continued. Without NetCDF, all of it is refused.
#include "applications/shallow_water/netcdf.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "applications/shallow_water/serial_run.hpp"

#ifdef SHOAL_HAVE_NETCDF
#include <netcdf.h>
#endif

namespace {

using namespace shoal::swe;

// A folder for the files of one test.
class netcdf_folder {
public:
  netcdf_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "shallow_water.XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~netcdf_folder() { std::filesystem::remove_all(path_); }

  std::string file(const std::string& name) const { return (path_ / name).string(); }

private:
  std::filesystem::path path_;
};

// Runs `call`, which must throw, and returns what it says.
template <class Call>
std::string refusal_of(Call call) {
  try {
    call();
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "nothing thrown";
}

constexpr block netcdf_block = {.first_x = 2, .first_y = 1, .n_x = 3, .n_y = 2};
constexpr domain netcdf_domain = {.x_end = 6, .y_end = 4, .n_x = 6, .n_y = 4};

template <class Real>
patch<Real> patch_with(Real first) {
  patch<Real> made(netcdf_domain, netcdf_block, {}, solver_kind::hlle);
  for (std::size_t j = 0; j < netcdf_block.n_y; ++j) {
    for (std::size_t i = 0; i < netcdf_block.n_x; ++i) {
      const auto n = static_cast<Real>(10 * j + i) + first;
      made.set_cell(i, j, {n, n + 100, n + 200, n + 300});
    }
  }
  return made;
}

TEST(shallow_water_netcdf, names_tell_patches_apart) {
  EXPECT_EQ(netcdf_name("out/pool", {.first_x = 250, .first_y = 500, .n_x = 250, .n_y = 100}),
            "out/pool.(250-499:500-599).nc");
}

TEST(shallow_water_netcdf, missing_files_are_refused_by_name) {
  const netcdf_folder folder;
  EXPECT_NE(refusal_of([&] { read_bed(folder.file("none.nc")); }).find("none.nc"), std::string::npos);
  EXPECT_NE(refusal_of([&] {
              netcdf_file<float>(folder.file("none.nc"), patch_with<float>(1),
                                 netcdf_file<float>::mode::continue_existing);
            }).find("none.nc"),
            std::string::npos);
}

#ifdef SHOAL_HAVE_NETCDF
void write_bed(const std::string& path, const char* x_name, const char* y_name, const char* height_name,
               const std::vector<double>& x, const std::vector<double>& y, const std::vector<short>& heights) {
  int file = 0, dimensions[2] = {}, to_x = 0, to_y = 0, to_heights = 0;
  ASSERT_EQ(nc_create(path.c_str(), NC_NETCDF4, &file), NC_NOERR);
  ASSERT_EQ(nc_def_dim(file, y_name, y.size(), &dimensions[0]), NC_NOERR);
  ASSERT_EQ(nc_def_dim(file, x_name, x.size(), &dimensions[1]), NC_NOERR);
  ASSERT_EQ(nc_def_var(file, y_name, NC_DOUBLE, 1, &dimensions[0], &to_y), NC_NOERR);
  ASSERT_EQ(nc_def_var(file, x_name, NC_DOUBLE, 1, &dimensions[1], &to_x), NC_NOERR);
  ASSERT_EQ(nc_def_var(file, height_name, NC_SHORT, 2, dimensions, &to_heights), NC_NOERR);
  ASSERT_EQ(nc_enddef(file), NC_NOERR);
  ASSERT_EQ(nc_put_var_double(file, to_x, x.data()), NC_NOERR);
  ASSERT_EQ(nc_put_var_double(file, to_y, y.data()), NC_NOERR);
  ASSERT_EQ(nc_put_var_short(file, to_heights, heights.data()), NC_NOERR);
  ASSERT_EQ(nc_close(file), NC_NOERR);
}

TEST(shallow_water_netcdf, reads_beds_of_gebco_in_degrees) {
  const netcdf_folder folder;
  write_bed(folder.file("bed.nc"), "lon", "lat", "elevation", {1, 2, 3}, {10, 11}, {-25, -15, -5, 5, 15, 25});
  const height_grid bed = read_bed(folder.file("bed.nc"));
  EXPECT_EQ(bed.x, (std::vector<double>{111'000, 222'000, 333'000}));
  EXPECT_EQ(bed.y, (std::vector<double>{1'110'000, 1'221'000}));
  EXPECT_EQ(bed.at(222'000, 1'110'000), -15);
  EXPECT_EQ(bed.at(333'000, 1'221'000), 25);
}

TEST(shallow_water_netcdf, reads_beds_in_metres_and_in_any_direction) {
  const netcdf_folder folder;
  write_bed(folder.file("bed.nc"), "x", "y", "z", {30, 20, 10}, {2, 1}, {25, 15, 5, -5, -15, -25});
  const height_grid bed = read_bed(folder.file("bed.nc"));
  EXPECT_EQ(bed.x, (std::vector<double>{10, 20, 30}));
  EXPECT_EQ(bed.y, (std::vector<double>{1, 2}));
  EXPECT_EQ(bed.heights, (std::vector<float>{-25, -15, -5, 5, 15, 25}));
}

TEST(shallow_water_netcdf, refuses_beds_that_are_none) {
  const netcdf_folder folder;
  write_bed(folder.file("no_x.nc"), "east", "y", "z", {1, 2, 3}, {1, 2}, {0, 0, 0, 0, 0, 0});
  EXPECT_NE(refusal_of([&] { read_bed(folder.file("no_x.nc")); }).find("no variable x"), std::string::npos);
  write_bed(folder.file("twice.nc"), "x", "y", "z", {1, 1, 3}, {1, 2}, {0, 0, 0, 0, 0, 0});
  EXPECT_NE(refusal_of([&] { read_bed(folder.file("twice.nc")); }).find("ascend"), std::string::npos);
  write_bed(folder.file("line.nc"), "x", "y", "z", {1, 2, 3}, {1}, {0, 0, 0});
  EXPECT_NE(refusal_of([&] { read_bed(folder.file("line.nc")); }).find("two rows and columns"), std::string::npos);
  write_bed(folder.file("high.nc"), "x", "y", "z", {1, 2}, {1, 2}, {0, 32000, 0, 0});
  EXPECT_NE(refusal_of([&] { read_bed(folder.file("high.nc")); }).find("no number of metres"), std::string::npos);
  std::ofstream(folder.file("text.nc")) << "no bed";
  EXPECT_NE(refusal_of([&] { read_bed(folder.file("text.nc")); }).find("cannot be opened"), std::string::npos);
}

std::vector<double> numbers_in(const std::string& path, const char* name, std::size_t n) {
  int file = 0, variable = 0;
  std::vector<double> numbers(n);
  EXPECT_EQ(nc_open(path.c_str(), NC_NOWRITE, &file), NC_NOERR);
  EXPECT_EQ(nc_inq_varid(file, name, &variable), NC_NOERR);
  EXPECT_EQ(nc_get_var_double(file, variable, numbers.data()), NC_NOERR);
  nc_close(file);
  return numbers;
}

template <class Real>
void expect_file_of_patches() {
  const netcdf_folder folder;
  const std::string path = folder.file("patch.nc");
  {
    netcdf_file<Real> file(path, patch_with<Real>(1), netcdf_file<Real>::mode::create);
    file.append(0, patch_with<Real>(1));
    file.append(0.5, patch_with<Real>(2));
  }
  netcdf_file<Real> continued(path, patch_with<Real>(1), netcdf_file<Real>::mode::continue_existing);
  continued.append(1, patch_with<Real>(3));
  netcdf_file<Real> moved = std::move(continued);
  moved.append(1.5, patch_with<Real>(4));
  netcdf_file<Real>(std::move(moved));  // closes

  EXPECT_EQ(numbers_in(path, "time", 4), (std::vector<double>{0, 0.5, 1, 1.5}));
  EXPECT_EQ(numbers_in(path, "x", 3), (std::vector<double>{2.5, 3.5, 4.5}));
  EXPECT_EQ(numbers_in(path, "y", 2), (std::vector<double>{1.5, 2.5}));
  EXPECT_EQ(numbers_in(path, "b", 6), (std::vector<double>{301, 302, 303, 311, 312, 313}));
  std::vector<double> depths;
  for (int time = 1; time <= 4; ++time) {
    for (const int n : {0, 1, 2, 10, 11, 12}) depths.push_back(time + n);
  }
  EXPECT_EQ(numbers_in(path, "h", 24), depths);
  for (double& depth : depths) depth += 100;
  EXPECT_EQ(numbers_in(path, "hu", 24), depths);
  for (double& depth : depths) depth += 100;
  EXPECT_EQ(numbers_in(path, "hv", 24), depths);
}

TEST(shallow_water_netcdf, files_have_all_states_of_a_patch) {
  expect_file_of_patches<float>();
  expect_file_of_patches<double>();
}
TEST(shallow_water_netcdf, files_of_patches_are_joined) {
  const netcdf_folder folder;
  constexpr domain whole = {.x_end = 3, .y_end = 2, .n_x = 3, .n_y = 2};
  const std::vector<netcdf_part> parts = {{folder.file("left.nc"), {.n_x = 2, .n_y = 2}},
                                          {folder.file("right.nc"), {.first_x = 2, .n_x = 1, .n_y = 2}}};
  for (const netcdf_part& each : parts) {
    patch<float> of(whole, each.part, {}, solver_kind::hlle);
    netcdf_file<float> file(each.path, of, netcdf_file<float>::mode::create);
    for (const float time : {0.0F, 0.5F}) {
      for (std::size_t j = 0; j < each.part.n_y; ++j) {
        for (std::size_t i = 0; i < each.part.n_x; ++i) {
          of.set_cell(i, j, {.h = static_cast<float>(10 * j + each.part.first_x + i) + time});
        }
      }
      file.append(static_cast<double>(time), of);
    }
  }
  const std::string joined = folder.file("whole.nc");
  join_netcdf(joined, whole, parts);
  EXPECT_EQ(numbers_in(joined, "time", 2), (std::vector<double>{0, 0.5}));
  EXPECT_EQ(numbers_in(joined, "x", 3), (std::vector<double>{0.5, 1.5, 2.5}));
  EXPECT_EQ(numbers_in(joined, "h", 12), (std::vector<double>{0, 1, 2, 10, 11, 12, 0.5, 1.5, 2.5, 10.5, 11.5, 12.5}));

  netcdf_file<float>(parts[1].path, patch<float>(whole, parts[1].part, {}, solver_kind::hlle),
                     netcdf_file<float>::mode::create);
  EXPECT_NE(refusal_of([&] { join_netcdf(joined, whole, parts); }).find("right.nc: it has other times"),
            std::string::npos);
}
#else
TEST(shallow_water_netcdf, a_build_without_the_library_says_so) {
  EXPECT_FALSE(has_netcdf());
  EXPECT_NE(refusal_of([&] { read_bed("bed.nc"); }).find("libnetcdf-dev"), std::string::npos);
}
#endif

}  // namespace
