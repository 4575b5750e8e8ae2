// The asynchronous form of exstack.cpp: a buffer leaves when it is full, and nobody waits for all PEs.
#include "shoal/conveyor/kinds/exstack2.hpp"

#include "kernels/transpose/problem.hpp"

namespace shoal::kernels::transposition {
namespace {

template <class Message, class ForEach, class Take>
void exchange(world& w, ForEach for_each, Take take) {
  exstack2<Message> messages{w, exstack_capacity};
  const auto take_all = [&] {
    while (const Message* m = messages.pull()) take(*m);
  };
  for_each([&](pe_id owner, Message m) {
    while (messages.push(m, owner) == 0) {
      messages.proceed(false);
      take_all();
    }
  });
  while (messages.proceed(true)) take_all();
  messages.reset();
}

}  // namespace

void run_exstack2(world& w, problem& p) {
  exchange<std::uint32_t>(
      w, [&](const auto& send) { for_each_row(p, send); }, [&](std::uint32_t row) { count(p, row); });
  allocate_rows(p);
  exchange<moved_entry>(w, [&](const auto& send) { for_each_entry(p, send); }, [&](moved_entry e) { append(p, e); });
}

}  // namespace shoal::kernels::transposition
