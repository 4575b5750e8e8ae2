#include "kernels/histogram/problem.hpp"

#include <charconv>

#include "kernels/options.hpp"
#include "shoal/base/parse.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::kernels::histogram {
namespace {

// If a part fits into the core's own cache, prefetching has no use and naming the entries only costs time.
bool parse_prefetch(std::string_view text, std::uint64_t part_bytes) {
  if (text == "on") return true;
  if (text == "off") return false;
  if (text == "auto") return part_bytes > cache_bytes(2);
  throw setup_error("--prefetch=" + std::string(text) + " is none of auto, on, off");
}

// The exponent of Zipf's law, or 0 for uniform keys.
double parse_keys(std::string_view text) {
  if (text == "uniform") return 0;
  constexpr std::string_view zipf = "zipf:";
  if (text.starts_with(zipf)) {
    const char* const end = text.data() + text.size();
    double exponent = 0;
    const auto [stop, error] = std::from_chars(text.data() + zipf.size(), end, exponent);
    if (error == std::errc{} && stop == end && exponent >= 0.01 && exponent <= 10) return exponent;
  }
  refuse_value("--keys", text, "is neither uniform nor zipf:EXPONENT with an exponent from 0.01 to 10, as in zipf:1.2");
}

}  // namespace

parameters parse(const option_list& options) {
  parameters given;
  std::string_view prefetch = "auto";
  for (const auto& [name, value] : options) {
    if (name == "updates") {
      given.n_updates = whole_number("--updates", value, 1, 1'000'000'000'000);
    } else if (name == "table") {
      given.table_size = whole_number("--table", value, 1, UINT32_MAX);
    } else if (name == "keys") {
      given.zipf_exponent = parse_keys(value);
    } else if (name == "seed") {
      given.seed = whole_number("--seed", value, 0, INT64_MAX);
    } else if (name == "prefetch") {
      prefetch = value;
    } else {
      throw setup_error("histogram has no option --" + name);
    }
  }
  given.prefetches = parse_prefetch(prefetch, given.table_size * sizeof(std::int64_t));
  return given;
}

problem make_problem(world& w, const parameters& given) {
  require_memory(w, "--updates", given.n_updates * (sizeof(update) + sizeof(std::int64_t)));
  problem p;
  p.given = given;
  p.table = w.allocate<std::int64_t>(given.table_size);
  p.counts = w.local(p.table);
  p.updates.reserve(given.n_updates);
  p.local.reserve(given.n_updates);
  update_stream updates(given, w.n_pes(), w.my_pe());
  for (std::uint64_t i = 0; i < given.n_updates; ++i) {
    p.updates.push_back(updates.next());
    p.local.push_back(p.updates.back().slot);
  }
  return p;
}

}  // namespace shoal::kernels::histogram
