// Goal: a file has the corners and the numbers of a patch, exactly, in the order of VTK.
#include "applications/shallow_water/vtk_output.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace shoal::swe;

std::vector<double> numbers_after(const std::string& text, const std::string& mark) {
  const std::size_t begin = text.find('>', text.find(mark)) + 1;
  std::istringstream in(text.substr(begin, text.find('<', begin) - begin));
  std::vector<double> numbers;
  for (double number = 0; in >> number;) numbers.push_back(number);
  return numbers;
}

TEST(shallow_water_vtk, file_has_the_patch) {
  const domain whole = {.x_begin = 10, .x_end = 14, .y_begin = 0, .y_end = 2, .n_x = 8, .n_y = 4};
  patch<double> of(whole, {.first_x = 6, .first_y = 1, .n_x = 2, .n_y = 2}, {}, solver_kind::hlle);
  for (std::size_t j = 0; j < 2; ++j) {
    for (std::size_t i = 0; i < 2; ++i) {
      const double n = static_cast<double>(2 * j + i);
      of.set_cell(i, j, {1.0 / 3 + n, 20 + n, 30 + n, 40 + n});
    }
  }
  std::ostringstream out;
  out.precision(3);
  write_vts(out, of);
  EXPECT_EQ(out.precision(), 3);
  const std::string text = out.str();
  EXPECT_NE(text.find("<Piece Extent=\"6 8 1 3 0 0\">"), std::string::npos);
  EXPECT_EQ(numbers_after(text, "NumberOfComponents=\"3\""),
            (std::vector<double>{13, 0.5, 0, 13.5, 0.5, 0,   14, 0.5,  0,   13, 1,  0,   13.5, 1,
                                 0,  14,  1, 0,    13,  1.5, 0,  13.5, 1.5, 0,  14, 1.5, 0}));
  EXPECT_EQ(numbers_after(text, "Name=\"h\""), (std::vector<double>{1.0 / 3, 1.0 / 3 + 1, 1.0 / 3 + 2, 1.0 / 3 + 3}));
  EXPECT_EQ(numbers_after(text, "Name=\"hu\""), (std::vector<double>{20, 21, 22, 23}));
  EXPECT_EQ(numbers_after(text, "Name=\"hv\""), (std::vector<double>{30, 31, 32, 33}));
  EXPECT_EQ(numbers_after(text, "Name=\"b\""), (std::vector<double>{40, 41, 42, 43}));
}

TEST(shallow_water_vtk, files_are_joined_over_the_domain_and_over_time) {
  const domain whole = {.n_x = 8, .n_y = 4};
  const std::vector<block> parts = {{.n_x = 5, .n_y = 4}, {.first_x = 5, .n_x = 3, .n_y = 4}};
  const std::vector<std::string> names = {"left", "right"};
  std::ostringstream frame;
  write_pvts(frame, whole, parts, names, true);
  for (const char* text : {"WholeExtent=\"0 8 0 4 0 0\"", "<Piece Extent=\"0 5 0 4 0 0\" Source=\"left\"/>",
                           "<Piece Extent=\"5 8 0 4 0 0\" Source=\"right\"/>", "type=\"Float32\" Name=\"hu\""}) {
    EXPECT_NE(frame.str().find(text), std::string::npos) << text;
  }
  std::ostringstream series;
  write_pvd(series, std::vector<double>{0, 0.1}, names);
  EXPECT_NE(series.str().find("<DataSet timestep=\"0.10000000000000001\" file=\"right\"/>"), std::string::npos);
}

TEST(shallow_water_vtk, names_tell_patches_and_steps_apart) {
  EXPECT_EQ(vts_name("out/pool", {.first_x = 250, .first_y = 500}, 3), "out/pool.250-500.3.vts");
}

}  // namespace
