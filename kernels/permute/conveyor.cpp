// The layer below actors: the program itself pushes, pulls and advances.
#include "shoal/conveyor/conveyor.hpp"

#include "kernels/permute/problem.hpp"

namespace shoal::kernels::permuting {
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

void relabel(world& w, problem& p) {
  // Steady, because replies must flow before any PE has sent all its queries.
  conveyor<query> queries{w, {.steady = true}};
  conveyor<reply> replies{w, {.steady = true}};
  queries.begin();
  replies.begin();
  const auto turn = [&](bool is_done) {
    const bool is_answered = queries.advance(is_done) == progress::complete;
    const bool is_over = replies.advance(is_answered) == progress::complete;
    pe_id from = 0;
    while (const query* q = queries.pull(from)) {
      if (replies.push({q->entry, new_column(p, q->column)}, from)) continue;
      queries.unpull();  // no room for its reply now
      break;
    }
    while (const reply* r = replies.pull()) p.permuted.columns[r->entry] = r->column;
    return is_over;
  };
  for_each_query(p, [&](pe_id owner, query q) {
    while (!queries.push(q, owner)) turn(false);
  });
  while (!turn(true)) {
  }
  queries.reset();
  replies.reset();
}

}  // namespace

void run_conveyor(world& w, problem& p) {
  exchange<row_size>(w, [&](const auto& send) { for_each_row(p, send); }, [&](row_size s) { keep(p, s); });
  allocate_rows(p);
  exchange<moved_entry>(w, [&](const auto& send) { for_each_entry(p, send); }, [&](moved_entry e) { append(p, e); });
  relabel(w, p);
}

}  // namespace shoal::kernels::permuting
