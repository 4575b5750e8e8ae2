#include "shoal/substrate/internal/common_settings.hpp"

#include <bit>
#include <optional>
#include <string_view>

#include "shoal/base/internal/digest.hpp"
#include "shoal/base/statistics_form.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::internal {
namespace {

constexpr std::int64_t never = INT64_MIN;

struct common_setting {
  std::string_view variable;
  std::int64_t none;  // the number that means that it is not set, or `never`
  bool has_name;  // its values are names, or files; reports leave the number out
  std::int64_t (*value)(const settings& chosen);
};

std::int64_t signed_number(std::size_t size) { return static_cast<std::int64_t>(size); }

template <class T>
std::int64_t number_of(const setting<std::optional<T>>& choice) {
  return choice.value ? 1 + static_cast<std::int64_t>(*choice.value) : 0;
}

// What choices of all PEs follow from. Only whether it is the same counts, so any number will do.
std::int64_t digest_of(const std::optional<network_figures>& known, bool probes_network) {
  if (!known) return probes_network ? 1 : 0;
  digest of_all;
  for (const std::optional<link_figures>& links : {known->node, known->network}) {
    const link_figures each = links.value_or(link_figures{0, 0, 0, 0});
    for (const std::uint64_t ns : {each.latency_ns, each.overhead_ns, each.gap_ns}) of_all.add_word(ns);
    of_all.add_word(std::bit_cast<std::uint64_t>(each.gap_per_byte_ns));
    of_all.add_word(std::bit_cast<std::uint64_t>(each.overhead_per_byte_ns));
  }
  return static_cast<std::int64_t>(of_all.value() >> 1) + 2;
}

// Those from which others may follow come first.
constexpr std::array<common_setting, common_settings::n> all = {{
    {"SHOAL_SUBSTRATE", 0, true, [](const settings& s) { return number_of(s.substrate); }},
    {"SHOAL_NODE_SIZE", 0, false, [](const settings& s) { return s.node_size.value; }},
    {"SHOAL_MEMORY", 0, false, [](const settings& s) { return signed_number(s.memory_bytes.value); }},
    {"SHOAL_HEAP", 0, false, [](const settings& s) { return signed_number(s.heap_bytes.value); }},
    // Hops that follow the traffic are another choice than the number with which they begin.
    {"SHOAL_HOPS", 0, false, [](const settings& s) { return s.adapts_hops ? 0 : s.n_hops.value; }},
    {"SHOAL_SLOT_BYTES", 0, false, [](const settings& s) { return signed_number(s.slot_bytes.value); }},
    {"SHOAL_SLOTS", 0, false, [](const settings& s) { return signed_number(s.n_slots.value); }},
    {"SHOAL_SHARED_SLOTS", -1, false, [](const settings& s) { return s.n_shared_slots.value; }},
    {"SHOAL_CODEC", 0, true, [](const settings& s) { return number_of(s.codec); }},
    {"SHOAL_NETWORK", 0, true, [](const settings& s) { return digest_of(s.network.value, s.probes_network); }},
    // All PEs collect them or none does; PE 0 chooses the form.
    {"SHOAL_STATS", never, false,
     [](const settings& s) { return std::int64_t{s.stats.value != statistics_form::none}; }},
}};

std::string shown(const common_setting& which, std::int64_t value) {
  return value == which.none ? "none" : std::to_string(value);
}

}  // namespace

common_settings::common_settings(const settings& chosen) noexcept {
  for (std::size_t i = 0; i < n; ++i) values[i] = all[i].value(chosen);
}

std::uint64_t common_settings::digest() const noexcept {
  internal::digest of_all;
  for (const std::int64_t value : values) of_all.add_word(static_cast<std::uint64_t>(value));
  return of_all.value();
}

std::string difference(pe_id pe_a, const common_settings& a, pe_id pe_b, const common_settings& b) {
  std::size_t i = 0;
  while (a.values[i] == b.values[i]) ++i;
  std::string text =
      "PE " + std::to_string(pe_a) + " and PE " + std::to_string(pe_b) + " differ in " + std::string(all[i].variable);
  if (!all[i].has_name) text += " (" + shown(all[i], a.values[i]) + " and " + shown(all[i], b.values[i]) + ")";
  return text + "; start all PEs with the same SHOAL_ variables (mpirun -x NAME passes one on)";
}

}  // namespace shoal::internal
