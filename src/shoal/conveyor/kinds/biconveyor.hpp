/// Biconveyors: queries to other PEs, and their replies in the order in which the queries were pushed.
///
/// The contract is that of bale's biconveyors (biconvey.h), which Maley and DeVinney propose in "Conveyors
/// for streaming many-to-many communication", 2019, section 6.1. A session is `begin` with the function that
/// answers on the owner, a loop of `advance`, `push` and `pull`, then `reset`:
///
///     shoal::biconveyor<long, double> b{world.buffers()};
///     b.begin([&](long slot) { return table[slot]; });
///     std::size_t i = 0, k = 0;
///     while (b.advance(i == n) != shoal::progress::complete) {
///       for (; i < n && b.push(index[i], owner[i]); ++i) {}
///       while (const double* value = b.pull()) target[k++] = *value;
///     }
///     b.reset();
///
/// Every query is answered exactly once; those from one PE to another in push order. Replies are pulled
/// strictly in push order. Always steady. Misuse ends the job with one line.
///
/// Below are two steady conveyors, as in figure 4 there. A query carries the place of its reply in a ring of its sender, the reply
/// carries it back. A reply always finds its place free, so a PE takes in replies whatever else it waits for;
/// then an answer always finds room in the end, and so do queries: no deadlock, whatever the buffers.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "shoal/conveyor/conveyor.hpp"

namespace shoal {

struct biconveyor_options {
  /// Queries that this PE may have pushed without having pulled their replies, at least 1; each takes memory
  /// for a reply. More keep buffers fuller, fewer keep the ring in the cache. May differ between PEs.
  std::uint32_t window = 1 << 14;
};

/// Counts of one biconveyor since it was constructed.
struct biconveyor_counts {
  std::uint64_t n_sessions = 0;
  std::uint64_t n_pushed = 0;
  std::uint64_t n_pulled = 0;
  std::uint64_t n_answered = 0;  // queries of other PEs and our own
  std::uint64_t n_kept = 0;  // answers that had to wait for room; queries waited meanwhile
  std::uint64_t n_window_full = 0;  // pushes refused because the window was full
  std::uint64_t n_advances = 0;
  conveyor_counts queries;
  conveyor_counts replies;
};

/// What answers the queries of a biconveyor: called with a query, or with a query and the PE that asks.
template <class Answer, class Query, class Reply>
concept answer_function =
    std::copy_constructible<Answer> &&
    (std::is_invocable_r_v<Reply, Answer&, const Query&> || std::is_invocable_r_v<Reply, Answer&, const Query&, pe_id>);

/// The part that does not depend on types: states, and the window.
class biconveyor_base {
public:
  biconveyor_base(const biconveyor_base&) = delete;
  biconveyor_base& operator=(const biconveyor_base&) = delete;

  /// Moves queries and replies along, and answers queries that came; the only call that does. `is_done`
  /// promises that this PE pushes no more in this session, and stays promised. `cleanup`: replies are left to
  /// pull, and nobody needs this PE any more. Local, nonblocking (a PE with nothing to do yields its core for
  /// a moment). Illegal while dormant, and in an answer of this biconveyor.
  progress advance(bool is_done);

  /// complete -> dormant; dormant stays so. Lets go of the answer function. Local, does not wait.
  void reset();

  conveyor_state state() const noexcept { return state_; }
  std::uint32_t window() const noexcept { return window_; }
  biconveyor_counts counts() const noexcept;

protected:
  biconveyor_base(exchange& through, const biconveyor_options& options);
  ~biconveyor_base() = default;

  /// The constructor's second half, when the conveyors are there.
  void attach(conveyor_base& queries, conveyor_base& replies) noexcept {
    queries_ = &queries;
    replies_ = &replies;
  }

  void begin_session(std::function<void()> answer_arrived);

  // Types come in here, once per advance.
  virtual void take_replies() = 0;

  // PEs that may be pushed to: all while working, else none, so that the range check answers both.
  std::uint64_t n_pushable_ = 0;

  // The ring has a place more than the window, so that the reply pulled last stays readable until the next
  // pull. Of its places, those of the n_in_flight_ queries from pulled_ on are taken: pushed, not pulled.
  std::uint32_t window_;
  std::uint32_t n_in_flight_ = 0;
  std::uint32_t pushed_ = 0;  // the place of the next query's reply
  std::uint32_t pulled_ = 0;  // the place of the next reply to pull
  bool has_kept_ = false;  // an answer that there was no room for
  biconveyor_counts counts_;

  std::uint32_t after(std::uint32_t place) const noexcept { return place == window_ ? 0 : place + 1; }

  // Whether the reply for a place is here.
  bool is_present(std::uint32_t place) const noexcept { return (present_[place / 64] >> place % 64 & 1) != 0; }
  void set_present(std::uint32_t place) noexcept { present_[place / 64] |= std::uint64_t{1} << place % 64; }
  void set_absent(std::uint32_t place) noexcept { present_[place / 64] &= ~(std::uint64_t{1} << place % 64); }

  [[noreturn, gnu::cold]] void pushed_wrongly(pe_id target) const;
  void require(bool is_legal, std::string_view call) const {
    if (!is_legal) [[unlikely]]
      refuse(call);
  }

private:
  [[noreturn, gnu::cold]] void refuse(std::string_view call) const;
  void answer_queries();

  exchange& exchange_;
  conveyor_base* queries_ = nullptr;
  conveyor_base* replies_ = nullptr;
  std::vector<std::uint64_t> present_;
  std::function<void()> answer_arrived_;
  conveyor_state state_ = conveyor_state::dormant;
  bool is_answering_ = false;
};

template <item Query, item Reply>
class biconveyor : public biconveyor_base {
public:
  /// Collective: all PEs construct the same conveyors in the same order. Does not wait. Throws setup_error
  /// when no two buffer slots are left to reserve. Destruction: dormant or complete only.
  explicit biconveyor(exchange& through, const biconveyor_options& options = {})
      : biconveyor_base(through, options),
        queries_(through, {.steady = true}),
        replies_(through, {.steady = true}),
        ring_(std::make_unique_for_overwrite<cell[]>(std::size_t{window_} + 1)) {
    attach(queries_, replies_);
  }

  /// dormant -> working. `answer(query)` or `answer(query, asking_pe)` makes the reply; it is called once for
  /// each query that comes here, in this PE's advance, and is copied here until reset. It may push to this
  /// biconveyor or others. All PEs do it; does not wait.
  template <answer_function<Query, Reply> Answer>
  void begin(Answer answer) {
    begin_session([this, answer = std::move(answer)]() mutable { answer_arrived(answer); });
  }

  /// Offers one query to `target`. Local, nonblocking; legal while working. False means no room now, in the
  /// window or in a buffer: pull, advance and offer it again. The query is copied.
  [[nodiscard]] bool push(const Query& query, pe_id target) {
    if (static_cast<std::uint64_t>(target) >= n_pushable_) [[unlikely]]
      pushed_wrongly(target);
    if (n_in_flight_ == window_) [[unlikely]] {
      ++counts_.n_window_full;
      return false;
    }
    if (!queries_.push({pushed_, query}, target)) return false;
    pushed_ = after(pushed_);
    ++n_in_flight_;
    ++counts_.n_pushed;
    return true;
  }

  /// The reply to the oldest query not yet replied to, in place, or null: it is not here yet (only advance
  /// can say whether any will come). Readable until the next pull that succeeds, or reset. Local,
  /// nonblocking; legal unless dormant.
  [[nodiscard]] const Reply* pull() {
    if (!is_present(pulled_)) {
      require(state() != conveyor_state::dormant, "pull");
      return nullptr;
    }
    const Reply* reply = reinterpret_cast<const Reply*>(ring_[pulled_].bytes);
    set_absent(pulled_);
    pulled_ = after(pulled_);
    --n_in_flight_;
    ++counts_.n_pulled;
    return reply;
  }

private:
  struct query_packet {
    std::uint32_t place;
    Query query;
  };
  struct reply_packet {
    std::uint32_t place;
    Reply reply;
  };
  struct kept_reply {
    reply_packet packet;
    pe_id target;
  };
  struct cell {
    alignas(Reply) std::byte bytes[sizeof(Reply)];
  };

  // Answers what has come, until there is no room for an answer. That one is kept, and no query is taken in
  // before it has gone: the rest wait in their buffers, where credits bound them.
  template <class Answer>
  void answer_arrived(Answer& answer) {
    if (has_kept_) {
      if (!replies_.push(kept_->packet, kept_->target)) return;
      has_kept_ = false;
    }
    pe_id from = 0;
    while (const query_packet* asked = queries_.pull(from)) {
      const reply_packet told{asked->place, call(answer, asked->query, from)};
      ++counts_.n_answered;
      if (replies_.push(told, from)) continue;
      kept_.emplace(kept_reply{told, from});
      has_kept_ = true;
      ++counts_.n_kept;
      return;
    }
  }

  template <class Answer>
  static Reply call(Answer& answer, const Query& query, pe_id from) {
    if constexpr (std::is_invocable_r_v<Reply, Answer&, const Query&>) {
      return std::invoke(answer, query);
    } else {
      return std::invoke(answer, query, from);
    }
  }

  void take_replies() override {
    while (const reply_packet* told = replies_.pull()) {
      std::memcpy(ring_[told->place].bytes, &told->reply, sizeof(Reply));
      set_present(told->place);
    }
  }

  conveyor<query_packet> queries_;
  conveyor<reply_packet> replies_;
  std::unique_ptr<cell[]> ring_;
  std::optional<kept_reply> kept_;
};

}  // namespace shoal
