#include "tools/conveyor_bench/pairs.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace shoal::cli {
namespace {

std::string text_of(pe_id sender, pe_id target, const pair_sum& expected, const pair_sum& got) {
  std::ostringstream text;
  text << "PE " << sender << " to PE " << target << ": expected " << expected.n_items << " items, sum " << std::hex
       << expected.sum << std::dec << "; got " << got.n_items << ", sum " << std::hex << got.sum;
  return text.str();
}

// What one PE tells others in one round; small enough for a round's payload.
using pair_block = std::array<pair_sum, 48>;

}  // namespace

pair_sums::pair_sums(world& w)
    : world_(w), pushed_(static_cast<std::size_t>(w.n_pes())), expected_(pushed_.size()), got_(pushed_.size()) {}

void pair_sums::clear() {
  std::ranges::fill(pushed_, pair_sum{});
  std::ranges::fill(got_, pair_sum{});
}

// In rounds, because not every substrate has one-sided access, and the conveyors' slots may be the only ones.
std::string pair_sums::compare() {
  const auto me = static_cast<std::size_t>(world_.my_pe());
  for (std::size_t first = 0; first < pushed_.size(); first += pair_block{}.size()) {
    const std::size_t n = std::min(pair_block{}.size(), pushed_.size() - first);
    pair_block mine{};
    std::copy_n(pushed_.begin() + static_cast<std::ptrdiff_t>(first), n, mine.begin());
    const std::vector<pair_block> of_all = world_.gather(mine);
    if (me < first || me >= first + n) continue;
    for (std::size_t sender = 0; sender < of_all.size(); ++sender) expected_[sender] = of_all[sender][me - first];
  }
  const auto [e, g] = std::ranges::mismatch(expected_, got_);
  if (e == expected_.end()) return {};
  return text_of(e - expected_.begin(), world_.my_pe(), *e, *g);
}

std::string pair_sums::describe() {
  std::ostringstream text;
  std::size_t n_hidden = 0;
  std::size_t n_listed = 0;
  for (pe_id target = 0; target < world_.n_pes(); ++target) {
    std::vector<pair_sum> expected = expected_;
    std::vector<pair_sum> got = got_;
    world_.broadcast(std::span<pair_sum>(expected), target);
    world_.broadcast(std::span<pair_sum>(got), target);
    if (world_.my_pe() != 0) continue;
    for (std::size_t sender = 0; sender < got.size(); ++sender) {
      const bool is_right = expected[sender] == got[sender];
      if (is_right && n_listed == n_listed_max) {
        ++n_hidden;
        continue;
      }
      n_listed += is_right;
      text << text_of(static_cast<pe_id>(sender), target, expected[sender], got[sender])
           << (is_right ? "\n" : "  WRONG\n");
    }
  }
  if (n_hidden != 0) text << "and " << n_hidden << " more pairs, all right\n";
  return text.str();
}

}  // namespace shoal::cli
