/// Aggregated calls: those of shmem.h on PEs of other nodes travel as messages, which their targets carry out whenever
/// they make progress.
///
/// Calls of one PE on another are carried out in the order in which they were made. One stream carries calls, another
/// one what comes back: so nobody who reads a stream waits for room in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/compat/internal/far_calls.hpp"
#include "shoal/compat/internal/far_message.hpp"
#include "shoal/compat/internal/far_sink.hpp"
#include "shoal/compat/internal/reach.hpp"
#include "shoal/conveyor/internal/record_sender.hpp"
#include "shoal/conveyor/internal/stream.hpp"

namespace shoal::internal::compat {

class aggregation final : public far_calls {
public:
  /// Collective. Does not wait. Throws setup_error if the job has no buffer slots for it.
  explicit aggregation(world& in);

  /// Of the open job, for a call of the main program. Null if the job has one node, and in a handler, whose calls go at
  /// once: it cannot wait for its own earlier ones. Those of the main program are complete by then.
  static aggregation* now() noexcept {
    auto* const its = static_cast<aggregation*>(here.far);
    return its != nullptr && !its->is_in_handler() ? its : nullptr;
  }

  // --- Where PEs are

  /// PE `pe`'s part of the heap if it is of this node, and this processor's instructions do there; otherwise null.
  std::byte* near_part(int pe) const noexcept { return peers_[static_cast<std::size_t>(pe)].near_part; }
  bool is_far(int pe) const noexcept { return peers_[static_cast<std::size_t>(pe)].is_far; }

  // --- Calls of the main program on far PEs. They may wait for room, and serve meanwhile. Sources may be used again at once. Answers are there after `complete`.

  void send(int pe, far_word call) {
    peer& its = note_call(pe);
    const stream::way to = calls_.way_to(pe);
    link_end& link = to.link();
    if (link.cursor == link.limit || link.kind != &word_kind) [[unlikely]]
      return send_late(pe, call);
    write(to, call);
    if (!its.is_used) [[unlikely]]
      note_used(pe);
  }
  void ask(int pe, far_question call);
  void compare(int pe, const far_compare& call);
  void put(int pe, std::size_t offset, const void* source, std::size_t bytes);
  /// At most `get_bytes_max` bytes.
  void get(int pe, std::size_t offset, void* dest, std::size_t bytes);
  static constexpr std::size_t get_bytes_max = 1024;

  // --- Order

  void complete(const char* call) override;
  void complete_before_handlers() override {
    if (!used_.empty() || n_to_confirm_ != 0) complete("a yield point");
  }
  void note_fence() override { note_blocking_call(); }
  /// `complete` for the calls on one PE.
  void complete(int pe, const char* call);

  /// Tells of a put or atomic on a near PE. Now and then serves others.
  void note_near_call() {
    if (++n_near_calls_ % n_near_calls_between == 0) [[unlikely]]
      serve();
  }
  /// Tells of a call with a result. A program may repeat one until another PE has changed a word. So now and then this
  /// serves others, and if nothing else was called meanwhile, it sends what is in open buffers.
  void note_blocking_call() {
    if (++n_blocking_calls_ % n_blocking_calls_between == 0) [[unlikely]]
      serve_and_send();
  }

  void end() noexcept override;

private:
  static constexpr unsigned n_near_calls_between = 256;
  static constexpr unsigned n_blocking_calls_between = 16;

  struct peer {
    std::byte* near_part = nullptr;
    bool is_far = false;
    bool is_used = false;  // since it was last asked to confirm
    bool is_listed = false;  // in used_
    std::uint32_t n_to_confirm = 0;
  };

  // Carries out what others ask for.
  class served final : public far_sink {
  public:
    explicit served(aggregation& its) noexcept : far_sink(its.calls_), its_(its) {}
    std::string describe() const override { return "calls of shmem.h"; }

  private:
    const std::byte* take_words(const std::byte* first, const std::byte* end, pe_id from) override;
    const std::byte* take_questions(const std::byte* first, const std::byte* end, pe_id from) override;
    void take_whole(std::span<const std::byte> bytes, pe_id from) override;

    aggregation& its_;
  };

  // Takes answers.
  class answered final : public far_sink {
  public:
    explicit answered(aggregation& its) noexcept : far_sink(its.answers_), its_(its) {}
    std::string describe() const override { return "answers to calls of shmem.h"; }

  private:
    const std::byte* take_words(const std::byte* first, const std::byte* end, pe_id from) override;
    const std::byte* take_questions(const std::byte* first, const std::byte* end, pe_id from) override;
    void take_whole(std::span<const std::byte> bytes, pe_id from) override;

    aggregation& its_;
  };

  peer& note_call(int pe) {
    ++n_calls_;
    return peers_[static_cast<std::size_t>(pe)];
  }
  void note_used(int pe);
  template <class Item>
  static void write(const stream::way& to, const Item& item) {
    link_end& link = to.link();
    std::memcpy(link.cursor, &item, sizeof item);
    link.cursor += sizeof item;
    to.write_tag();
  }
  template <class Item>
  void send_item(stream& through, const stream::way& to, const item_kind& kind, const Item& item);
  void send_late(int pe, const far_word& call);
  void send_record(int pe, std::span<const std::byte> head, std::span<const std::byte> body);
  void ask_to_confirm(int pe);
  void wait_for(const char* call, const std::uint32_t& n_to_confirm);
  void answer(pe_id to, const far_word& with);
  std::uint64_t change(const atomic_call& call, std::size_t offset) const;
  bool is_in_handler() const noexcept { return calls_.now().running() != nullptr; }
  void serve();
  void serve_and_send();
  void pass_on() noexcept;

  world& in_;
  const bool has_own_atomics_;  // of this processor
  std::vector<peer> peers_;
  std::vector<int> used_;  // those that were used since the last complete, and perhaps have confirmed since
  std::uint32_t n_to_confirm_ = 0;  // of all
  unsigned n_near_calls_ = 0;
  unsigned n_blocking_calls_ = 0;
  std::uint64_t next_look_ns_ = 0;  // when `serve` looks again
  std::uint64_t n_calls_ = 0;
  std::uint64_t n_calls_at_last_look_ = 0;
  served serving_;
  answered taking_;
  stream calls_;
  stream answers_;
  record_sender large_calls_;
  record_sender large_answers_;
};

}  // namespace shoal::internal::compat
