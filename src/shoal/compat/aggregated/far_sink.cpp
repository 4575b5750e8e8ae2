#include "shoal/compat/internal/far_sink.hpp"

#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/compat/internal/far_message.hpp"
#include "shoal/conveyor/internal/relay.hpp"

namespace shoal::internal::compat {

void far_sink::refuse(pe_id from) const {
  end_job(status_usage, describe() + ": PE " + std::to_string(from) +
                            " sent what this PE does not know; link all PEs' program with the same Shoal");
}

pe_id far_sink::sender_of(const buffer& b, std::uint32_t i) const noexcept {
  if (stream_.current_route() == nullptr) return b.header.source;
  return stream_.origins_by(b.header.source)(stream_.tag_of(b, i));
}

// Items [first, end), of which the first is item `i` of the buffer. On a route, neighbours may have different senders.
const std::byte* far_sink::take_run(const buffer& b, const item_kind& kind, const std::byte* first,
                                    const std::byte* end, std::uint32_t i) {
  const bool are_words = &kind == &word_kind;
  if (stream_.current_route() == nullptr) {
    return are_words ? take_words(first, end, b.header.source) : take_questions(first, end, b.header.source);
  }
  while (first != end && !must_stop()) {
    const pe_id from = sender_of(b, i++);
    const std::byte* const next = first + kind.bytes;
    first = are_words ? take_words(first, next, from) : take_questions(first, next, from);
  }
  return first;
}

void far_sink::take(const buffer& b, const record& arrived, pe_id from) {
  if (arrived.kind == record_kind::item) return take_record(arrived.bytes, from);
  monster_block whole;
  switch (arriving_.take(arrived, from, whole)) {
    case monster_assembly::outcome::incomplete: stream_.note_monsters(arriving_.bytes()); return;
    case monster_assembly::outcome::complete: return take_record(whole.bytes(), from);
    case monster_assembly::outcome::contradiction: damaged(b);
    case monster_assembly::outcome::no_memory: break;
  }
  end_job(status_failure, describe() + ": no memory for " + std::to_string(arriving_.bytes_wanted()) +
                              " bytes from PE " + std::to_string(from));
}

bool far_sink::consume(const buffer& b, position& from, std::uint64_t& n_items) {
  if (b.header.item_bytes() == 0) return from.offset == b.header.item_bytes();
  const std::byte* const end = b.payload() + b.header.item_bytes();
  const std::byte* begin = after_run_header(b.payload() + from.offset);
  std::uint32_t n_before = from.n_before;  // items before the run that begins here
  const std::uint32_t n_at_first = n_before + from.n_in_run;
  while (begin <= end) {
    const run_header run = read_run_header(begin);
    const std::byte* next = nullptr;
    std::uint32_t n_run = 0;
    std::uint32_t n_read = 0;
    if (run.type == padding_run) {
      next = begin + run.n_items;
    } else if (is_record(run.type)) {
      next = begin + run.n_items;
      n_run = n_read = 1;
      stream_.now().proceed_to(next);
      take(b, {static_cast<record_kind>(run.type), {begin, run.n_items}}, sender_of(b, n_before));
    } else {
      const item_kind* const kind = far_kind(run.type);
      if (kind == nullptr) refuse(b.header.source);
      next = begin + std::size_t{run.n_items} * kind->bytes;
      n_run = run.n_items;
      stream_.now().proceed_to(next);
      const std::byte* const stop =
          take_run(b, *kind, begin + std::size_t{from.n_in_run} * kind->bytes, next, n_before + from.n_in_run);
      n_read = static_cast<std::uint32_t>(static_cast<std::size_t>(stop - begin) / kind->bytes);
    }
    from.n_in_run = 0;
    if (n_run != 0 && must_stop()) {
      const bool is_used_up = n_read == n_run;
      n_items = n_before + n_read - n_at_first;
      from.offset = static_cast<std::uint32_t>((is_used_up ? next : begin - sizeof run) - b.payload());
      from.n_in_run = is_used_up ? 0 : n_read;
      from.n_before = n_before + (is_used_up ? n_run : 0);
      return from.offset == b.header.item_bytes();
    }
    n_before += n_run;
    begin = after_run_header(next);
  }
  n_items = n_before - n_at_first;
  from.offset = b.header.item_bytes();
  return true;
}

}  // namespace shoal::internal::compat
