// Closures: a query is a closure that runs on the entry's owner and sends another closure back.
#include "kernels/index_gather/problem.hpp"

namespace shoal::kernels::index_gather {
namespace {

// What a query uses where it runs. Replies have a mailbox of their own, so that a PE full of queries still accepts them.
struct asked {
  std::span<const std::int64_t> table;
  lambda_actor<std::vector<std::int64_t>>& replies;
};

template <class Index>
void gather(world& w, problem& p) {
  lambda_actor replies{w, p.target, "replies"};
  asked mine{p.part, replies};
  lambda_actor queries{w, mine, "queries"};
  w.finish([&] {
    Index slot = 0;
    for (const auto [index, pe] : p.requests) {
      queries.send(pe, [slot, at = Index{index}](asked& there, pe_id from) {
        const std::int64_t value = there.table[at];
        there.replies.send(from, [slot, value](auto& target) { target[slot] = value; });
      });
      ++slot;
    }
  });
}

}  // namespace

void run_lambda(world& w, problem& p) {
  p.given.index_bits == 32 ? gather<std::uint32_t>(w, p) : gather<std::uint64_t>(w, p);
}

}  // namespace shoal::kernels::index_gather
