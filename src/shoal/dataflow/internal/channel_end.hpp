/// The two ends of a channel, apart from the type of its tokens. docs/design/actor-graphs.md
///
/// Tokens of a channel are numbered from 0. The reader's end has a ring of as many places as the channel has capacity,
/// and counts what has arrived and what was read. The writer's end counts what it has written. While both ends are on
/// one PE, the writer looks at the reader's counts and stores into its ring. Otherwise a token travels as a message
/// with its number, and the reader tells from time to time how many it has read.
///
/// Ends are opened, connected, detached and moved by the PE's own thread, while neither actor acts on another worker.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/dataflow/internal/actor_node.hpp"
#include "shoal/dataflow/internal/end_table.hpp"

namespace shoal::internal {

struct channel_request;
struct moved_end;
struct moved_input;
struct moved_output;

/// What both ends have.
class channel_end {
public:
  channel_end(const channel_end&) = delete;
  channel_end& operator=(const channel_end&) = delete;

  const std::string& port_name() const noexcept { return name_; }
  actor_node& node() const noexcept { return node_; }
  bool is_required() const noexcept { return is_required_; }
  bool is_connected() const noexcept { return is_connected_.load(std::memory_order_acquire); }
  std::uint32_t capacity() const noexcept { return capacity_; }
  const std::string& other_actor() const noexcept { return other_actor_; }
  const std::string& other_port() const noexcept { return other_port_; }
  /// Of the end on its PE, while it has a channel; else none.
  std::uint32_t number() const noexcept { return number_; }
  bool has_channel() const noexcept { return number_ != none; }
  /// The actor uses the channel no more.
  bool is_closing() const noexcept { return is_closing_.load(std::memory_order_acquire); }
  virtual const std::type_info& token_type() const noexcept = 0;

  /// "actor stove, port orders".
  [[gnu::cold]] std::string describe() const;

  static constexpr std::uint32_t none = UINT32_MAX;

  /// Where the other end is, if its messages come from another PE. PE -1: it is near, or not known.
  struct far_place {
    pe_id pe;
    std::uint32_t number;
  };
  far_place other() const noexcept {
    const std::uint64_t both = other_.load(std::memory_order_seq_cst);
    return {static_cast<std::int32_t>(both >> 32), static_cast<std::uint32_t>(both)};
  }
  bool is_other_far() const noexcept { return other().pe >= 0; }
  /// News of where the other end is. Older news than what is known changes nothing.
  void note_other(const end_place& now) noexcept;

protected:
  channel_end(actor_node& node, std::string name, bool is_required);
  ~channel_end() = default;

  [[noreturn, gnu::cold]] void refuse(const std::string& what) const;
  /// Ends the job unless the actor acts.
  void require_act(const char* call) const {
    if (!node_.is_acting()) [[unlikely]]
      refuse_outside_act(call);
  }
  /// For destructors: ends the job if the channel is in use.
  void end_life() const noexcept;
  [[noreturn, gnu::cold]] void refuse_bytes(std::size_t n) const;

  /// The channel is gone, and so are its marks.
  void forget_channel() noexcept;
  void pack(moved_end& into) const;
  void unpack(const moved_end& from, std::uint32_t number);

  std::uint32_t number_ = none;
  std::uint32_t capacity_ = 0;
  std::atomic<bool> is_connected_{false};
  std::atomic<bool> is_closing_{false};
  std::string other_actor_;
  std::string other_port_;

private:
  [[noreturn, gnu::cold]] void refuse_outside_act(const char* call) const;

  static constexpr std::uint64_t nowhere = UINT64_MAX;  // of PE -1

  actor_node& node_;
  const std::string name_;
  const bool is_required_;
  // Where the other end is, if that is another PE, or was when this one heard of it last: PE, and number there. In one
  // word, since the actor may act meanwhile.
  std::atomic<std::uint64_t> other_{nowhere};
  std::uint32_t other_moves_ = 0;
};

/// The reader's end.
class input_end : public channel_end {
public:
  std::uint32_t available() const noexcept {
    if (is_closing()) [[unlikely]]
      return 0;
    return arrived_.load(std::memory_order_acquire) - read_.load(std::memory_order_relaxed);
  }
  std::uint32_t n_read() const noexcept { return read_.load(std::memory_order_acquire); }
  /// The writer writes no more, and all that it has written lies here or was read.
  bool has_writer_finished() const noexcept {
    return is_connected() && n_in_all_.load(std::memory_order_acquire) == arrived_.load(std::memory_order_acquire);
  }
  output_end* near_writer() const noexcept { return writer_; }
  /// The actor uses the channel no more, and its writer, if it still writes, has been told.
  bool may_detach() const noexcept { return is_closing() && is_writer_known_; }

  /// Makes room for the tokens of a channel, which ends here with number `number`.
  void open(const channel_request& asked, std::uint32_t number);
  /// The writer's end is known: on this PE, or elsewhere.
  void connect(output_end& writer) noexcept;
  void connect(const end_place& writer);
  /// Token `number` has come from another PE.
  virtual void arrive(std::uint32_t number, std::span<const std::byte> bytes) = 0;
  /// The writer writes no more; it has written `n` tokens in all.
  void note_end_of_writer(std::uint32_t n) noexcept;
  /// Reads no more: drops what lies here, and lets the writer know. In an act, or when the actor has finished.
  void close();
  /// Tells the writer on another PE what was read, if it does not know. False: it cannot, as it does not know the
  /// writer yet.
  bool pay_writer();

  /// Separates this end from its channel.
  void detach() noexcept;
  /// From now on the writer, who is on this PE, writes as from another one.
  void part_from_writer() noexcept;
  /// The opposite, of a writer that has come here, or that was here before this end came. False: not yet, tokens are under way.
  bool meet_writer(output_end& writer) noexcept;
  void pack(moved_input& into) const;
  void unpack(const moved_input& from, std::uint32_t number);

protected:
  input_end(actor_node& node, std::string name, bool is_required);
  ~input_end();

  /// `length`: how many elements each place keeps room for.
  virtual void make_places(std::uint32_t n, std::size_t length) = 0;
  virtual void drop_places() noexcept = 0;
  virtual std::vector<std::byte> bytes_of_token(std::uint32_t number) const = 0;
  virtual void restore_token(std::uint32_t number, std::span<const std::byte> bytes) = 0;
  void require_token(std::uint32_t i, const char* call) const {
    require_act(call);
    if (i >= available()) [[unlikely]]
      refuse_empty(call);
  }
  /// The front token was taken.
  void note_read();
  void note_arrival() noexcept {
    arrived_.store(arrived_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    node().note_change();
  }
  /// The same for token `number`, which lies in its place. Acts of one writer may run on several workers of its PE, and
  /// what different workers send may overtake.
  void note_arrival_of(std::uint32_t number) {
    if (number != arrived_.load(std::memory_order_relaxed) || !early_.empty()) [[unlikely]]
      return note_arrival_in_disorder(number);
    note_arrival();
  }

  std::atomic<std::uint32_t> arrived_{0};
  std::atomic<std::uint32_t> read_{0};

private:
  [[noreturn, gnu::cold]] void refuse_empty(const char* call) const;
  void make_room(const std::string& asked);
  void tell_end() const;
  void note_arrival_in_disorder(std::uint32_t number);

  friend class output_end;  // the two ends of a channel on one PE

  static constexpr std::uint64_t unknown = UINT64_MAX;

  std::vector<std::uint32_t> early_;  // tokens that came before others of lower numbers
  output_end* writer_ = nullptr;  // on this PE
  bool is_writer_known_ = false;
  std::uint32_t told_ = 0;  // what the writer on another PE knows of read_
  std::atomic<std::uint64_t> n_in_all_{unknown};  // tokens that the writer has written, once it writes no more
  std::size_t length_ = 0;
};

/// The writer's end.
class output_end : public channel_end {
public:
  std::uint32_t free_capacity() const noexcept;
  /// The reader reads no more.
  bool has_reader_finished() const noexcept {
    return is_connected() && has_reader_finished_.load(std::memory_order_acquire);
  }

  input_end* near_reader() const noexcept { return reader_; }

  /// The reader's end: on this PE, or where the request says. This end has number `number`.
  void connect(const channel_request& asked, input_end& reader, std::uint32_t number);
  void connect(const channel_request& asked, std::uint32_t number);
  /// The reader on another PE has read `n` tokens in all, or more, if it has said so already.
  void note_read(std::uint32_t n) noexcept;
  /// The reader reads no more.
  void note_end_of_reader() noexcept;
  /// Writes no more, and lets the reader know. In an act, or when the actor has finished.
  void close();

  /// Separates this end from its channel.
  void detach() noexcept;
  void pack(moved_output& into) const;
  void unpack(const moved_output& from, std::uint32_t number);
  /// Adds what was written since the last call. For measurements, after each act.
  void count_written() noexcept {
    n_counted_.fetch_add(written_ - std::exchange(counted_, written_), std::memory_order_relaxed);
  }
  /// On any worker.
  std::uint64_t n_counted() const noexcept { return n_counted_.load(std::memory_order_relaxed); }
  double weight() const noexcept { return weight_; }  // of a token

protected:
  output_end(actor_node& node, std::string name, bool is_required);
  ~output_end();

  /// Ends the job if the channel is full, or there is none. False: nobody reads any more.
  bool begin_write() {
    require_act("write");
    if (free_capacity() == 0) [[unlikely]]
      refuse_full();
    node().note_move(false);
    return !has_reader_finished_.load(std::memory_order_acquire);
  }

  input_end* reader_ = nullptr;  // on this PE
  std::uint32_t written_ = 0;

private:
  friend class input_end;

  [[noreturn, gnu::cold]] void refuse_full() const;

  std::atomic<std::uint32_t> read_{0};  // by a reader on another PE, as it has told
  std::atomic<bool> has_reader_finished_{false};
  double weight_ = 1;
  std::atomic<std::uint64_t> n_counted_{0};  // in all channels of the port
  std::uint32_t counted_ = 0;  // of written_
};

inline std::uint32_t output_end::free_capacity() const noexcept {
  if (!is_connected()) return 0;
  if (has_reader_finished_.load(std::memory_order_acquire)) [[unlikely]]
    return capacity_;
  const std::uint32_t n_read = reader_ != nullptr ? reader_->n_read() : read_.load(std::memory_order_acquire);
  return capacity_ - (written_ - n_read);
}

}  // namespace shoal::internal
