/// Biconveyors: queries to other PEs, and replies in the order in which the queries were pushed.
///
/// The contract is that of bale's biconveyors (biconvey.h), proposed by Maley and DeVinney in "Conveyors for streaming
/// many-to-many communication", 2019, section 6.1. A session is `begin` with the function that answers on the owner, a
/// loop of `advance`, `push` and `pull`, then `reset`:
///
///     shoal::biconveyor<long, double> b{world};
///     b.begin([&](long slot) { return table[slot]; });
///     std::size_t i = 0, k = 0;
///     while (b.advance(i == n) != shoal::progress::complete) {
///       for (; i < n && b.push(index[i], owner[i]); ++i) {}
///       while (const double* value = b.pull()) target[k++] = *value;
///     }
///     b.reset();
///
/// Every query is answered exactly once; queries from one PE to another are answered in push order. Replies are pulled
/// strictly in push order. Always steady. Misuse ends the job with one line.
///
/// It consists of two steady conveyors, as in figure 4 of that paper. A query carries the place of its reply in a ring
/// of its sender, and the reply carries it back. A reply always finds its place free, so a PE accepts replies whatever
/// else it waits for. Hence an answer finally finds room, and so does a query: no deadlock, however small the buffers.
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

#include "shoal/base/internal/holds_address.hpp"
#include "shoal/conveyor/conveyor.hpp"

namespace shoal {

struct biconveyor_options {
  /// The most queries whose replies this PE has not pulled, at least 1; each takes memory for a reply. A larger window
  /// keeps buffers fuller, a smaller one keeps the ring in the cache. May differ between PEs.
  std::uint32_t window = 1 << 14;
};

/// Counts of one biconveyor since its construction.
struct biconveyor_counts {
  std::uint64_t n_sessions = 0;
  std::uint64_t n_pushed = 0;
  std::uint64_t n_pulled = 0;
  std::uint64_t n_answered = 0;  // queries from other PEs and from this one
  std::uint64_t n_kept = 0;  // answers that had to wait for room, and queries with them
  std::uint64_t n_window_full = 0;  // pushes refused because the window was full
  std::uint64_t n_advances = 0;
  conveyor_counts queries;
  conveyor_counts replies;
};

/// A function that answers the queries of a biconveyor: takes a query, or a query and the asking PE.
template <class Answer, class Query, class Reply>
concept answer_function =
    std::copy_constructible<Answer> &&
    (std::is_invocable_r_v<Reply, Answer&, const Query&> || std::is_invocable_r_v<Reply, Answer&, const Query&, pe_id>);

/// The part that does not depend on types: states and the window.
class biconveyor_base {
public:
  biconveyor_base(const biconveyor_base&) = delete;
  biconveyor_base& operator=(const biconveyor_base&) = delete;

  /// Moves queries and replies along, and answers the queries that arrived; no other call does. `is_done` promises that
  /// this PE pushes no more in this session; the promise cannot be taken back. `cleanup`: replies are left to pull, and
  /// no other PE needs this one. Local, nonblocking (a PE with nothing to do briefly yields its core). Illegal while
  /// dormant, and in an answer of this biconveyor.
  progress advance(bool is_done);

  /// complete -> dormant, or stays dormant. Destroys the answer function. Local, does not wait.
  void reset();

  conveyor_state state() const noexcept { return state_; }
  std::uint32_t window() const noexcept { return window_; }
  biconveyor_counts counts() const noexcept;

protected:
  biconveyor_base(internal::exchange& through, const biconveyor_options& options);
  ~biconveyor_base() = default;
  /// For the destructor of a derived class, before the conveyors' own.
  void check_end() const noexcept;

  /// Second half of the constructor, once the conveyors exist.
  void attach(conveyor_base& queries, conveyor_base& replies) noexcept {
    queries_ = &queries;
    replies_ = &replies;
  }

  void begin_session(std::function<void()> answer_arrived);

  // Virtual once per advance, because types come in here.
  virtual void take_replies() = 0;

  // PEs that may be pushed to: all while working, otherwise none, so one range check covers both.
  std::uint64_t n_pushable_ = 0;

  // The ring has one place more than the window, so the reply pulled last stays readable until the next pull. The
  // places of n_in_flight_ queries, from pulled_ on, are taken: pushed but not pulled.
  std::uint32_t window_;
  std::uint32_t n_in_flight_ = 0;
  std::uint32_t pushed_ = 0;  // place of the next query's reply
  std::uint32_t pulled_ = 0;  // place of the next reply to pull
  bool has_kept_ = false;  // an answer waits for room
  biconveyor_counts counts_;

  std::uint32_t after(std::uint32_t place) const noexcept { return place == window_ ? 0 : place + 1; }

  // Whether the reply for a place has arrived.
  bool is_present(std::uint32_t place) const noexcept { return (present_[place / 64] >> place % 64 & 1) != 0; }
  void set_present(std::uint32_t place) noexcept { present_[place / 64] |= std::uint64_t{1} << place % 64; }
  void set_absent(std::uint32_t place) noexcept { present_[place / 64] &= ~(std::uint64_t{1} << place % 64); }

  [[noreturn, gnu::cold]] void refuse_push(pe_id target) const;
  void require(bool is_legal, std::string_view call) const {
    if (!is_legal) [[unlikely]]
      refuse(call);
  }

private:
  [[noreturn, gnu::cold]] void refuse(std::string_view call) const;
  void answer_queries();

  internal::exchange& exchange_;
  conveyor_base* queries_ = nullptr;
  conveyor_base* replies_ = nullptr;
  std::vector<std::uint64_t> present_;
  std::function<void()> answer_arrived_;
  conveyor_state state_ = conveyor_state::dormant;
  bool is_answering_ = false;
};

template <item Query, item Reply>
class biconveyor : public biconveyor_base {
  static_assert(internal::holds_no_address<Query>() && internal::holds_no_address<Reply>());

public:
  /// Collective: all PEs construct the same conveyors in the same order. Does not wait. Throws setup_error if there are
  /// not two buffer slots left to reserve. May be destroyed only while dormant or complete.
  explicit biconveyor(internal::exchange& through, const biconveyor_options& options = {})
      : biconveyor_base(through, options),
        queries_(through, {.steady = true}),
        replies_(through, {.steady = true}),
        ring_(std::make_unique_for_overwrite<cell[]>(std::size_t{window_} + 1)) {
    attach(queries_, replies_);
  }
  ~biconveyor() { check_end(); }

  /// dormant -> working. `answer(query)` or `answer(query, asking_pe)` makes the reply. It is called once for each
  /// query that arrives, in this PE's advance, and a copy of it is kept until reset. It may push to this biconveyor or
  /// others. All PEs call it; does not wait.
  template <answer_function<Query, Reply> Answer>
  void begin(Answer answer) {
    begin_session([this, answer = std::move(answer)]() mutable { answer_arrived(answer); });
  }

  /// Offers one query to `target`. Local, nonblocking; legal while working. False: no room now, in the window or in a
  /// buffer; pull, advance and offer it again. The query is copied.
  [[nodiscard]] bool push(const Query& query, pe_id target) {
    if (static_cast<std::uint64_t>(target) >= n_pushable_) [[unlikely]]
      refuse_push(target);
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

  /// The reply to the oldest query whose reply was not pulled, in place; null if it has not arrived (only `advance`
  /// tells whether more will come). Readable until the next pull that succeeds, or reset. Local, nonblocking; legal
  /// unless dormant.
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

  // Answers arrived queries until an answer finds no room. That answer is kept, and no query is taken before it has
  // gone: the others wait in their buffers, which credits bound.
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
