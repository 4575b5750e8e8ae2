// The class: one mailbox counts, the other one appends.
#include "kernels/transpose/problem.hpp"

namespace shoal::kernels::transposition {
namespace {

struct transposer : selector<transposer, std::uint32_t, moved_entry> {
  transposer(world& w, problem& of) : selector(w, "transpose"), p(of) {}

  void process(std::uint32_t row) { count(p, row); }
  void process(moved_entry e) { append(p, e); }

  problem& p;
};

}  // namespace

void run_actor(world& w, problem& p) {
  transposer rows{w, p};
  const auto send = [&](pe_id owner, auto message) { rows.send(owner, message); };
  w.finish([&] { for_each_row(p, send); });
  allocate_rows(p);
  w.finish([&] { for_each_entry(p, send); });
}

}  // namespace shoal::kernels::transposition
