#include "shoal/graph/matrix_form.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "shoal/graph/internal/input_error.hpp"
#include "shoal/graph/internal/output_file.hpp"
#include "shoal/graph/internal/text_file.hpp"

namespace shoal {
namespace {

bool begins_with_banner(const std::string& path) {
  constexpr std::string_view banner = "%%matrixmarket";
  std::array<char, banner.size()> begin{};
  internal::byte_source source(path);
  return source.read(begin) == begin.size() && std::ranges::equal(begin, banner, {}, [](char c) {
           return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
         });
}

matrix_form look(const std::string& path) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none)) return matrix_form::directory;
  const bool is_named = path.ends_with(".mtx") || path.ends_with(".mtx.gz");
  return is_named || begins_with_banner(path) ? matrix_form::matrix_market : matrix_form::edge_list;
}

}  // namespace

matrix_form find_matrix_form(world& w, const std::string& path) {
  matrix_form found = matrix_form::matrix_market;
  std::optional<internal::input_error> error;
  if (w.my_pe() == 0) error = internal::error_of([&] { found = look(path); });
  internal::agree(w, path, error);
  return w.broadcast(found);
}

}  // namespace shoal
