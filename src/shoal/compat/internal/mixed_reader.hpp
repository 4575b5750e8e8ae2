/// Reads mixed buffers: runs of items of several kinds, and between them records of what is larger than a buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/types.hpp"
#include "shoal/conveyor/internal/delivery.hpp"
#include "shoal/conveyor/internal/item_kind.hpp"
#include "shoal/conveyor/internal/monster.hpp"
#include "shoal/conveyor/internal/record.hpp"
#include "shoal/conveyor/internal/relay.hpp"
#include "shoal/conveyor/internal/run.hpp"
#include "shoal/conveyor/internal/sink.hpp"
#include "shoal/conveyor/internal/stream.hpp"

namespace shoal::internal::compat {

/// The PE that sent item `i` of an arrived buffer.
inline pe_id sender_of(const stream& through, const buffer& b, std::uint32_t i) noexcept {
  if (through.current_route() == nullptr) return b.header.source;
  return through.origins_by(b.header.source)(through.tag_of(b, i));
}

/// For a sink of a stream of several kinds, `Taker`, which says what is done with what arrives:
///
///     const item_kind& kind_with(std::uint32_t number, pe_id from);  // ends the job if there is none
///     // Items [first, end), of which the first is item `i` of the buffer. Returns the end of the last one taken, which
///     // is before `end` only if the delivery says so.
///     const std::byte* take_run(const buffer&, const item_kind&, const std::byte* first, const std::byte* end,
///                               std::uint32_t i);
///     void take_whole(std::span<const std::byte> bytes, pe_id from);  // what came as a record, or in several
template <class Taker>
class mixed_reader {
public:
  mixed_reader(stream& of, Taker& its) noexcept : stream_(of), its_(its) {}

  /// As sink::consume.
  bool consume(const buffer& b, position& from, std::uint64_t& n_items);

private:
  void take(const buffer& b, const record& arrived, pe_id from);

  stream& stream_;
  Taker& its_;
  monster_assembly arriving_;
};

template <class Taker>
bool mixed_reader<Taker>::consume(const buffer& b, position& from, std::uint64_t& n_items) {
  if (b.header.item_bytes() == 0) return true;
  const std::byte* const end = b.payload() + b.header.item_bytes();
  const std::byte* begin = after_run_header(b.payload() + from.offset);
  std::uint32_t n_before = from.n_before;  // items before the run that begins here
  const std::uint32_t n_at_first = n_before + from.n_in_run;
  delivery& now = stream_.now();
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
      now.proceed_to(next);
      take(b, {static_cast<record_kind>(run.type), {begin, run.n_items}}, sender_of(stream_, b, n_before));
    } else {
      const item_kind& kind = its_.kind_with(run.type, b.header.source);
      next = begin + std::size_t{run.n_items} * kind.bytes;
      n_run = run.n_items;
      now.proceed_to(next);
      const std::byte* const stop =
          its_.take_run(b, kind, begin + std::size_t{from.n_in_run} * kind.bytes, next, n_before + from.n_in_run);
      n_read = static_cast<std::uint32_t>(static_cast<std::size_t>(stop - begin) / kind.bytes);
    }
    from.n_in_run = 0;
    if (n_run != 0 && now.must_stop()) {
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

template <class Taker>
void mixed_reader<Taker>::take(const buffer& b, const record& arrived, pe_id from) {
  if (arrived.kind == record_kind::item) return its_.take_whole(arrived.bytes, from);
  monster_block whole;
  switch (arriving_.take(arrived, from, whole)) {
    case monster_assembly::outcome::incomplete: stream_.note_monsters(arriving_.bytes()); return;
    case monster_assembly::outcome::complete: return its_.take_whole(whole.bytes(), from);
    case monster_assembly::outcome::contradiction: damaged(b);
    case monster_assembly::outcome::no_memory: break;
  }
  end_job(status_failure, its_.describe() + ": no memory for " + std::to_string(arriving_.bytes_wanted()) +
                              " bytes from PE " + std::to_string(from));
}

}  // namespace shoal::internal::compat
