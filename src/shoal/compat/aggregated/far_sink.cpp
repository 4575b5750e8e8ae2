#include "shoal/compat/internal/far_sink.hpp"

#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/compat/internal/far_message.hpp"

namespace shoal::internal::compat {

void far_sink::refuse(pe_id from) const {
  end_job(status_usage, describe() + ": PE " + std::to_string(from) +
                            " sent what this PE does not know; link all PEs' program with the same Shoal");
}

bool far_sink::consume(const buffer& b, position& from, std::uint64_t& n_items) {
  return reader_.consume(b, from, n_items);
}

const item_kind& far_sink::kind_with(std::uint32_t number, pe_id from) const {
  const item_kind* const kind = far_kind(number);
  if (kind == nullptr) refuse(from);
  return *kind;
}

// On a route, neighbours may have different senders.
const std::byte* far_sink::take_run(const buffer& b, const item_kind& kind, const std::byte* first,
                                    const std::byte* end, std::uint32_t i) {
  const bool are_words = &kind == &word_kind;
  if (stream_.current_route() == nullptr) {
    return are_words ? take_words(first, end, b.header.source) : take_questions(first, end, b.header.source);
  }
  while (first != end && !must_stop()) {
    const pe_id from = sender_of(stream_, b, i++);
    const std::byte* const next = first + kind.bytes;
    first = are_words ? take_words(first, next, from) : take_questions(first, next, from);
  }
  return first;
}

}  // namespace shoal::internal::compat
