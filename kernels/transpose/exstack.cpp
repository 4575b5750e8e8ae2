// The bulk-synchronous form: a PE whose buffer is full waits for all PEs to exchange theirs.
#include "shoal/conveyor/kinds/exstack.hpp"

#include "kernels/transpose/problem.hpp"

namespace shoal::kernels::transposition {
namespace {

template <class Message, class ForEach, class Take>
void exchange_all(world& w, ForEach for_each, Take take) {
  exstack<Message> messages{w, exstack_capacity};
  const auto exchange = [&](bool is_done) {
    if (!messages.proceed(is_done)) return false;
    messages.exchange();
    while (const Message* m = messages.pull()) take(*m);
    return true;
  };
  for_each([&](pe_id owner, Message m) {
    while (messages.push(m, owner) == 0) exchange(false);
  });
  exchange(false);  // what is left in the buffers
  while (exchange(true)) {
  }
  messages.reset();
}

}  // namespace

void run_exstack(world& w, problem& p) {
  exchange_all<std::uint32_t>(
      w, [&](const auto& send) { for_each_row(p, send); }, [&](std::uint32_t row) { count(p, row); });
  allocate_rows(p);
  exchange_all<moved_entry>(
      w, [&](const auto& send) { for_each_entry(p, send); }, [&](moved_entry e) { append(p, e); });
}

}  // namespace shoal::kernels::transposition
