#include "tools/cli/conveyor_bench_pairs.hpp"

#include <algorithm>
#include <sstream>

namespace shoal::cli {
namespace {

std::string text_of(pe_id sender, pe_id target, const pair_sum& expected, const pair_sum& got) {
  std::ostringstream text;
  text << "PE " << sender << " to PE " << target << ": expected " << expected.n_items << " items, sum " << std::hex
       << expected.sum << std::dec << "; got " << got.n_items << ", sum " << std::hex << got.sum;
  return text.str();
}

}  // namespace

pair_sums::pair_sums(world& w)
    : world_(w),
      pushed_(static_cast<std::size_t>(w.n_pes())),
      expected_(w.allocate<pair_sum>(pushed_.size())),
      got_(w.allocate<pair_sum>(pushed_.size())) {}

void pair_sums::clear() {
  std::ranges::fill(pushed_, pair_sum{});
  std::ranges::fill(world_.local(got_), pair_sum{});
}

std::string pair_sums::compare() {
  const auto me = static_cast<std::size_t>(world_.my_pe());
  for (pe_id pe = 0; pe < world_.n_pes(); ++pe) world_.put(expected_, me, pushed(pe), pe);
  world_.quiet();
  world_.barrier();
  const std::span<const pair_sum> expected = world_.local(expected_);
  const std::span<const pair_sum> got = world_.local(got_);
  const auto [e, g] = std::ranges::mismatch(expected, got);
  std::string fault;
  if (e != expected.end()) fault = text_of(e - expected.begin(), world_.my_pe(), *e, *g);
  world_.barrier();  // a fast PE's next run must not change what a slow one still reads
  return fault;
}

std::string pair_sums::describe() {
  std::ostringstream text;
  std::size_t n_hidden = 0;
  if (world_.my_pe() == 0) {
    std::size_t n_listed = 0;
    for (pe_id target = 0; target < world_.n_pes(); ++target) {
      for (pe_id sender = 0; sender < world_.n_pes(); ++sender) {
        const auto at = static_cast<std::size_t>(sender);
        const pair_sum expected = world_.get(expected_, at, target);
        const pair_sum got = world_.get(got_, at, target);
        if (expected == got && n_listed == n_listed_max) {
          ++n_hidden;
          continue;
        }
        n_listed += expected == got;
        text << text_of(sender, target, expected, got) << (expected == got ? "\n" : "  WRONG\n");
      }
    }
  }
  if (n_hidden != 0) text << "and " << n_hidden << " more pairs, all right\n";
  world_.barrier();
  return text.str();
}

}  // namespace shoal::cli
