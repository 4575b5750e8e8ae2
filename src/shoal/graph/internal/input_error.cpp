#include "shoal/graph/internal/input_error.hpp"

#include <limits>
#include <span>

#include "shoal/base/internal/quoting.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::internal {
namespace {

struct ballot {
  std::int64_t line = std::numeric_limits<std::int64_t>::max();
  pe_id pe = 0;
};

struct first_line {
  ballot operator()(const ballot& a, const ballot& b) const { return b.line < a.line ? b : a; }
};

}  // namespace

void agree(world& w, std::string_view file, const std::optional<input_error>& mine) {
  ballot vote{.pe = w.my_pe()};
  if (mine) vote.line = mine->line();
  const ballot first = w.all_reduce(vote, first_line{});
  if (first.line == ballot{}.line) return;

  std::string text;
  if (mine && w.my_pe() == first.pe) {
    text = std::string(file);
    if (first.line > 0) text += ":" + std::to_string(first.line);
    text += std::string(": ") + mine->what();
  }
  text.resize(w.broadcast(text.size(), first.pe));
  w.broadcast(std::span<char>(text), first.pe);
  throw setup_error(text);
}

std::string quoted(std::string_view text) {
  constexpr std::size_t n_shown_max = 40;
  return "'" + printable(text.substr(0, n_shown_max)) + (text.size() > n_shown_max ? "…'" : "'");
}

}  // namespace shoal::internal
