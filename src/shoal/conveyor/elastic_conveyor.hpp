/// Elastic conveyors: items of any size, including empty ones and ones larger than a buffer.
///
/// The contract is a conveyor's (conveyor.hpp), but items may differ in size. An item that does not fit into a buffer
/// (a *monster* in bale) travels in fragments and is reassembled where it arrives; only memory limits its size. Its
/// sender keeps a copy until the last fragment has been written, and sends one monster at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "shoal/conveyor/conveyor.hpp"
#include "shoal/conveyor/internal/monster.hpp"
#include "shoal/conveyor/internal/record.hpp"
#include "shoal/conveyor/internal/record_reader.hpp"

namespace shoal {

struct elastic_options {
  bool steady = false;  // as in conveyor_options
  int n_hops = 0;
  /// Alignment of pulled items: a power of two up to 64.
  std::uint32_t align = 8;
  std::uint32_t max_latency_us = 0;  // as in conveyor_options
};

class elastic_conveyor final : public conveyor_base {
public:
  /// A pulled item. Readable until the next pull, reset, or advance that completes.
  struct item {
    std::span<const std::byte> bytes;
    pe_id from;
  };

  /// Collective, as for conveyor<T>. Ends the job if not even one aligned byte fits into a buffer.
  explicit elastic_conveyor(internal::exchange& through, const elastic_options& options = {});

  /// Offers an item of any size to `target`. Local, nonblocking; legal while working. False: no room now, or an earlier
  /// monster is still being sent; call `advance` and offer it again. The item is copied.
  [[nodiscard]] bool push(std::span<const std::byte> bytes, pe_id target);

  /// The next item that has arrived; null if there is none now. Local, nonblocking; legal unless dormant.
  [[nodiscard]] const item* pull();

  /// Puts the last pulled item back, once, as conveyor<T>::unpull does.
  bool unpull();

  /// Number of items reassembled from fragments here since construction.
  std::uint64_t n_monsters_pulled() const noexcept { return n_monsters_pulled_; }

private:
  struct outgoing {
    internal::monster_block whole;
    pe_id target = -1;
    std::size_t n_sent = 0;
    bool has_begun = false;
  };

  bool send_record(internal::record_kind kind, std::span<const std::byte> head, std::span<const std::byte> body,
                   pe_id target);
  bool send_rest() final;
  void keep_last_item() final;
  bool take(const internal::record& r, pe_id from);
  void note_memory() noexcept {
    stream_.note_monsters(arriving_.bytes() + (leaving_ == nullptr ? 0 : leaving_->whole.size()));
  }

  std::uint32_t align_;
  std::size_t whole_bytes_max_;  // larger items are monsters
  std::unique_ptr<outgoing> leaving_;
  internal::monster_assembly arriving_;
  internal::record_reader records_;
  std::uint32_t n_read_ = 0;  // records read from the front buffer
  item last_{};
  internal::monster_block last_memory_;  // holds the last item if its buffer does not
  std::uint64_t n_monsters_pulled_ = 0;
};

}  // namespace shoal
