// The layer below actors: the program itself pushes, pulls and advances.
#include "shoal/conveyor/conveyor.hpp"

#include "kernels/transpose/problem.hpp"

namespace shoal::kernels::transposition {
namespace {

// `for_each` offers messages, `take` handles one.
template <class Message, class ForEach, class Take>
void exchange(world& w, ForEach for_each, Take take) {
  conveyor<Message> messages{w};
  const auto take_all = [&] {
    while (const Message* m = messages.pull()) take(*m);
  };
  messages.begin();
  for_each([&](pe_id owner, Message m) {
    while (!messages.push(m, owner)) {
      messages.advance(false);
      take_all();
    }
  });
  while (messages.advance(true) != progress::complete) take_all();
  messages.reset();
}

}  // namespace

void run_conveyor(world& w, problem& p) {
  exchange<std::uint32_t>(
      w, [&](const auto& send) { for_each_row(p, send); }, [&](std::uint32_t row) { count(p, row); });
  allocate_rows(p);
  exchange<moved_entry>(w, [&](const auto& send) { for_each_entry(p, send); }, [&](moved_entry e) { append(p, e); });
}

}  // namespace shoal::kernels::transposition
