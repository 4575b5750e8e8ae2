/// Control messages between PEs over OpenSHMEM: puts into ticketed cells of the target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/substrate/internal/buffer.hpp"
#include "shoal/substrate/internal/control.hpp"

namespace shoal::internal::shmem {

/// A sender draws a ticket t from a counter at the target. Cell t mod n_cells there belongs to it once the cell's word
/// says "free for t". Then the sender puts the message and sets the word to "t is here". The receiver takes what is there, in any
/// order, and sets the word to "free for t + n_cells". Several PEs write that word in turn, so they write it by atomic
/// operations only: a library may store a plain put twice, and the second would bring an old word back.
class control_cells {
public:
  /// Of each PE's symmetric memory, aligned to a cache line.
  static std::size_t bytes() noexcept;

  /// `memory` is symmetric and nobody has sent anything yet. Local; all PEs meet before the first send.
  void open(std::byte* memory, int my_rank);

  /// False while n_controls_max messages wait for their cells. Local; may wait for the network.
  bool try_send(std::span<const std::byte> bytes, int target);

  /// Copies a message that has arrived; false if there is none. Local; may wait for the network.
  bool poll(control_message& into);

  /// Puts the messages whose cells have become free. Local; may wait for the network.
  void send_waiting();

private:
  // What lies in a cell: all but the word is the sender's put.
  struct cell {
    std::uint64_t word;
    std::int32_t source;
    std::uint32_t bytes;
    alignas(cache_line_bytes) std::byte data[control_bytes_max];
  };
  static constexpr std::uint64_t n_cells = 32;  // of each PE

  // The words: free for ticket t, and ticket t is here.
  static constexpr std::uint64_t free_for(std::uint64_t ticket) noexcept { return 2 * ticket; }
  static constexpr std::uint64_t here_is(std::uint64_t ticket) noexcept { return 2 * ticket + 1; }

  struct outgoing {
    cell message;
    std::uint64_t ticket = 0;
    int target = 0;
  };

  std::uint64_t* counter() const noexcept { return reinterpret_cast<std::uint64_t*>(memory_); }
  cell& cell_of(std::uint64_t ticket) const noexcept;
  bool try_put(const outgoing& message);

  std::byte* memory_ = nullptr;  // a line with the counter of tickets, then the cells
  int my_rank_ = 0;
  std::vector<outgoing> waiting_;  // at most n_controls_max: they have a ticket, and their cells are not free yet

  std::uint64_t oldest_ = 0;  // ticket of the oldest message that has not been taken
  std::uint32_t is_taken_ = 0;  // a bit for each ticket from oldest_ on
};

}  // namespace shoal::internal::shmem
