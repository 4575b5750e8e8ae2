/// Sends records of any size: whole if they fit into a buffer, otherwise in fragments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "shoal/base/internal/watched.hpp"
#include "shoal/conveyor/internal/stream.hpp"

namespace shoal::internal {

class record_sender {
public:
  /// Sends on `through`, which outlives it. `align`: of all its records, from 8 to 64.
  record_sender(stream& through, std::size_t payload_bytes, std::uint32_t align) noexcept;

  std::uint32_t align() const noexcept { return align_; }
  /// Larger records travel in fragments. A multiple of 8, so that fragments of a record keep what open_links::begin_record
  /// relies on: if its size is a multiple of 8, theirs are.
  std::size_t whole_bytes_max() const noexcept { return whole_bytes_max_; }

  /// Begins a record of up to whole_bytes_max and returns where its bytes go, aligned. They are written, and then the
  /// way's tag (way::write_tag), before anything else happens on this PE. The main program may wait, a handler spills.
  /// Null, only under `give_up`: not now.
  std::byte* begin(const stream::way& to, std::size_t bytes, when_full policy) {
    return begin(to, item, bytes, policy);
  }
  std::byte* begin(const stream::way& to, std::size_t bytes) {
    return begin(to, item, bytes, to.policy(stream_.now()));
  }

  /// Sends the bytes of `head` and then those of `body` as one record of any size. In the main program, a large one may
  /// wait between its fragments, and handlers run; a handler spills them, and their memory counts apart from the budget.
  void send(const stream::way& to, std::span<const std::byte> head, std::span<const std::byte> body);

  /// The same, but never waits. A record that has begun is sent whole: the fragments for which there is no room now take
  /// memory apart from the budget. False: not now, and nothing was sent. While older items to this PE wait for room, only
  /// what fits beside the last of them is sent.
  bool try_send(const stream::way& to, std::span<const std::byte> head, std::span<const std::byte> body);

  /// Records that this sent or began, fragments counted one by one.
  std::uint64_t n_records() const noexcept { return n_records_; }

private:
  static constexpr record_kind item = record_kind::item;

  std::byte* begin(const stream::way& to, record_kind kind, std::size_t bytes, when_full policy);
  bool send(const stream::way& to, std::span<const std::byte> head, std::span<const std::byte> body,
            when_full policy_of_first, when_full policy_of_rest);

  stream& stream_;
  std::uint32_t align_;
  std::size_t whole_bytes_max_;
  void post_whole(const stream::way& to, std::span<const std::byte> head, std::span<const std::byte> body);

  watched<std::uint64_t> n_records_ = 0;  // exact only if one worker sends
};

}  // namespace shoal::internal
