/* Selectors of HClib-Actor's third generation on Shoal: mailboxes with packet types of their own. C++17. Programs take this header or
   selector.h, perhaps under that name. */
#ifndef SELECTOR_H
#define SELECTOR_H

#include "shoal_compat/selector_parts.h"

extern "C++" {

namespace hclib {

/* Mailbox I takes packets of type I of Ts. SIZE is accepted: a send waits when the job's buffers are used up. */
template <int SIZE, typename... Ts>
class Selector {
  static_assert(sizeof...(Ts) > 0, "a selector has a mailbox");
#ifndef USE_LAMBDA
  static_assert((std::is_trivially_copyable<Ts>::value && ...),
                "a packet travels as bytes: its type has to be trivially copyable");
#endif

public:
  static constexpr size_t num_mailboxes = sizeof...(Ts);

  /* Collective. `is_start`: calls start. */
  explicit Selector(bool is_start = false)
      : inside_(shoal_selector_make(static_cast<int>(num_mailboxes), this, &ended, &GLOBAL_DONE, &LOCAL_DONE)) {
    enter(std::index_sequence_for<Ts...>());
    if (shoal_traces_asked_for != 0) shoal_tell_of_traces(shoal_traces_asked_for, NULL);
    if (is_start) start();
  }
  /* Local. All mailboxes have ended, or none was started. */
  ~Selector() { shoal_selector_free(inside_); }
  Selector(const Selector&) = delete;
  Selector& operator=(const Selector&) = delete;

private:
  std::tuple<Mailbox<Ts, SIZE>...> mb_;

public:
  int* GLOBAL_DONE = nullptr; /* symmetric; -1: global_done was called */
  int* LOCAL_DONE = nullptr; /* symmetric; -1: initiate_global_done was called here */

  template <size_t I>
  auto& mailbox() {
    return std::get<I>(mb_);
  }

  /* Collective: on all PEs in the same order. Does not wait. */
  void start() { shoal_selector_start(inside_); }

#ifdef USE_LAMBDA
  /* Runs `lambda` on PE `rank`. May wait and run others meanwhile; in a handler it does neither. */
  template <size_t I, typename L>
  bool send(int rank, const L& lambda) {
    return shoal_lambda<L>::send(shoal_selector_parts::open(std::get<I>(mb_)), rank, lambda);
  }
  template <typename L>
  bool send_by_index(size_t index, int rank, const L& lambda) {
    return with(index, [&](auto& its) { return shoal_lambda<L>::send(shoal_selector_parts::open(its), rank, lambda); });
  }
#else
  /* Sends a copy to PE `rank`. May wait and run handlers meanwhile; in a handler it does neither. False only from a mailbox
     with early exit: not now. After done: the packet is dropped. */
  template <size_t I>
  bool send(std::tuple_element_t<I, std::tuple<Ts...>> pkt, int rank) {
    return std::get<I>(mb_).send(pkt, rank);
  }
  /* The packet is of the mailbox's type. */
  template <typename Pkt>
  bool send_by_index(size_t index, Pkt pkt, int rank) {
    return with(index, [&](auto& its) { return send_if_its(its, pkt, rank); });
  }
#endif

  /* No more packets come from this PE for this mailbox. When it has ended, the next one follows by itself. */
  template <size_t I>
  void done() {
    shoal_selector_done(inside_, static_cast<int>(I));
  }
  void done_by_index(int index) { shoal_selector_done(inside_, index); }
  void done() {
    static_assert(num_mailboxes == 1, "name the mailbox");
    shoal_selector_done(inside_, 0);
  }
  /* The same, but the successors that add_dep_mbs names follow. */
  void done_extended(int index) { shoal_selector_done_extended(inside_, index); }
  /* On all PEs all mailboxes are done. One PE calls it. */
  void global_done() { shoal_selector_global_done(inside_); }
  /* The last PE that calls it calls global_done. */
  void initiate_global_done() { shoal_selector_initiate_global_done(inside_); }

  /* Ready when all mailboxes have ended on this PE. */
  future_t<int>* get_future() { return end_.get_future(); }
  void print_profiling(const char* prefix = "") { shoal_selector_print_profiling(inside_, prefix); }

private:
  static void ended(void* its) { static_cast<Selector*>(its)->end_.put(1); }

  template <size_t... I>
  void enter(std::index_sequence<I...>) {
#ifdef USE_LAMBDA
    constexpr bool takes_lambdas = true;
#else
    constexpr bool takes_lambdas = false;
#endif
    (shoal_selector_parts::enter(inside_, static_cast<int>(I), std::get<I>(mb_), takes_lambdas), ...);
  }

  template <typename T, int S, typename Pkt>
  static bool send_if_its(Mailbox<T, S>& its, const Pkt& pkt, int rank) {
    if constexpr (std::is_convertible_v<Pkt, T>) {
      return its.send(static_cast<T>(pkt), rank);
    } else {
      assert(false && "send_by_index: the packet is not of the mailbox's type");
      return false;
    }
  }
  template <typename F, size_t I = 0>
  bool with(size_t index, F f) {
    if (index == I) return f(std::get<I>(mb_));
    if constexpr (I + 1 < num_mailboxes) return with<F, I + 1>(index, f);
    assert(false && "there is no such mailbox");
    return false;
  }

  shoal_selector* inside_;
  promise_t<int> end_;
};

template <typename T = int64_t>
using Actor = Selector<BUFFER_SIZE, T>;

} /* namespace hclib */

} /* extern "C++" */

#endif
