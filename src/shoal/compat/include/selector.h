/* Selectors of HClib-Actor on Shoal: several mailboxes of packets that handlers take, one at a time, at the yield points of a
   program: sends that have to wait, done, yield, waits for futures, and the end of finish. */
#ifndef SELECTOR_H
#define SELECTOR_H

#include "shoal_compat/selector_parts.h"

extern "C++" {

namespace hclib {

/* Of N mailboxes of packets of type T. SIZE is accepted: a send waits when the job's buffers are used up. */
template <int N, typename T = int64_t, int SIZE = BUFFER_SIZE>
class Selector {
  static_assert(N > 0, "a selector has a mailbox");
#ifndef USE_LAMBDA
  static_assert(std::is_trivially_copyable<T>::value, "a packet travels as bytes: its type has to be trivially copyable");
#endif

public:
  /* Collective. `is_start`: calls start. */
  explicit Selector(bool is_start = false)
      : GLOBAL_DONE(NULL), LOCAL_DONE(NULL), inside_(shoal_selector_make(N, this, &ended, &GLOBAL_DONE, &LOCAL_DONE)) {
#ifdef USE_LAMBDA
    const bool takes_lambdas = true;
#else
    const bool takes_lambdas = false;
#endif
    for (int i = 0; i < N; ++i) shoal_selector_parts::enter(inside_, i, mb[i], takes_lambdas);
    if (shoal_traces_asked_for != 0) shoal_tell_of_traces(shoal_traces_asked_for, NULL);
    if (is_start) start();
  }
  /* Local. All mailboxes have ended, or none was started. */
  ~Selector() { shoal_selector_free(inside_); }
  Selector(const Selector&) = delete;
  Selector& operator=(const Selector&) = delete;

  Mailbox<T, SIZE> mb[N];
  int* GLOBAL_DONE; /* symmetric; -1: global_done was called */
  int* LOCAL_DONE; /* symmetric; -1: initiate_global_done was called here */

  /* Collective: on all PEs in the same order. Does not wait. */
  void start() { shoal_selector_start(inside_); }

#ifdef USE_LAMBDA
  /* Runs `lambda` on PE `rank`. May wait and run others meanwhile; in a handler it does neither. */
  template <typename L>
  bool send(int mb_id, int rank, const L& lambda) {
    return shoal_lambda<L>::send(shoal_selector_parts::open(mb[mb_id]), rank, lambda);
  }
  template <typename L>
  bool send(int rank, const L& lambda) {
    static_assert(N == 1, "name the mailbox");
    return shoal_lambda<L>::send(shoal_selector_parts::open(mb[0]), rank, lambda);
  }
#else
  /* Sends a copy to PE `rank`. May wait and run handlers meanwhile; in a handler it does neither. False only from a mailbox
     with early exit: not now. After done: the packet is dropped. */
  bool send(int mb_id, T pkt, int rank) { return mb[mb_id].send(pkt, rank); }
  bool send(T pkt, int rank) {
    static_assert(N == 1, "name the mailbox");
    return mb[0].send(pkt, rank);
  }
#endif

  /* No more packets come from this PE for this mailbox. When it has ended, the next one follows by itself. */
  void done(int mb_id) { shoal_selector_done(inside_, mb_id); }
  void done() {
    static_assert(N == 1, "name the mailbox");
    shoal_selector_done(inside_, 0);
  }
  /* The same, but the successors that add_dep_mbs names follow. */
  void done_extended(int mb_id) { shoal_selector_done_extended(inside_, mb_id); }
  /* On all PEs all mailboxes are done. One PE calls it. */
  void global_done() { shoal_selector_global_done(inside_); }
  /* The last PE that calls it calls global_done. */
  void initiate_global_done() { shoal_selector_initiate_global_done(inside_); }

  /* Ready when all mailboxes have ended on this PE. */
  future_t<int>* get_future() { return end_.get_future(); }
  void check_cyclic(int) {}
  void print_profiling(const char* prefix = "") { shoal_selector_print_profiling(inside_, prefix); }

private:
  static void ended(void* its) { static_cast<Selector*>(its)->end_.put(1); }

  shoal_selector* inside_;
  promise_t<int> end_;
};

template <typename T = int64_t>
using Actor = Selector<1, T>;

} /* namespace hclib */

} /* extern "C++" */

#endif
