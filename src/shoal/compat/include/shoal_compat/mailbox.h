/* Part of selector.h and selector-mb.h: a mailbox, and types of lambdas. */
#ifndef SHOAL_MAILBOX_H
#define SHOAL_MAILBOX_H

#include <string.h>

#include "selector_open.h"

extern "C++" {

#include <cstddef>
#include <functional>
#include <list>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace hclib {

struct shoal_selector_parts;

/* Calls a function of the library with the address of a copy. What is sent has no address then, so where it is built and copied by
   inlined code, it stays in registers. In memory, a wide load of what narrower stores have just written would stall. */
template <typename T, bool is_small = (sizeof(T) <= 256)>
struct shoal_by_copy {
  template <typename F>
  static bool call(const T& what, const F& function) {
    const T copy(what);
    return function(copy);
  }
};
template <typename T>
struct shoal_by_copy<T, false> {
  template <typename F>
  static bool call(const T& what, const F& function) {
    return function(what);
  }
};

/* A std::function that knows of which type the callable is that was assigned to it. So a whole buffer of packets is one call, into
   which the compiler inlines the handler. */
template <typename T>
class shoal_process : public std::function<void(T, int)> {
  typedef std::function<void(T, int)> function;

public:
  shoal_process() : run_(NULL), n_assigned_(0) {}
  shoal_process(const shoal_process&) = default;
  shoal_process& operator=(const shoal_process& other) {
    function::operator=(static_cast<const function&>(other));
    run_ = other.run_;
    ++n_assigned_;
    return *this;
  }

  shoal_process& operator=(std::nullptr_t) {
    function::operator=(nullptr);
    run_ = NULL;
    ++n_assigned_;
    return *this;
  }
  void swap(shoal_process& other) {
    function::swap(other);
    std::swap(run_, other.run_);
    ++n_assigned_;
    ++other.n_assigned_;
  }
  void swap(function& other) {
    function::swap(other);
    run_ = NULL;
    ++n_assigned_;
  }
  template <typename F, typename = typename std::enable_if<
                            !std::is_same<typename std::decay<F>::type, shoal_process>::value &&
                            std::is_assignable<std::function<void(T, int)>&, F>::value>::type>
  shoal_process& operator=(F&& callable) {
    function::operator=(std::forward<F>(callable));
    choose<typename std::decay<F>::type>(std::is_class<typename std::decay<F>::type>());
    ++n_assigned_;
    return *this;
  }

  /* Calls it for the packets from `next` on, as shoal_run_packets. It is not empty. */
  const char* run(const char* next, const char* const* end, int from) {
    return run_ == NULL ? run_by_name(*this, next, end, from) : run_(*this, next, end, from);
  }

private:
  typedef const char* (*runner)(shoal_process&, const char*, const char* const*, int);

  template <typename F>
  void choose(std::true_type) {
    run_ = &run_inlined<F>;
  }
  template <typename F>
  void choose(std::false_type) {
    run_ = NULL;
  }

  /* A handler may assign or swap another one, but not through a reference to its base. The loop calls nothing that the compiler does not see, so what the handler reads again and
     again can stay in registers. */
  template <typename F>
  static const char* run_inlined(shoal_process& its, const char* next, const char* const* end, int from) {
    F* const callable = its.template target<F>();
    const unsigned n_assigned = its.n_assigned_;
    for (; callable != NULL && n_assigned == its.n_assigned_ && next < *end; next += sizeof(T)) {
      typename std::aligned_storage<sizeof(T), alignof(T)>::type packet;
      memcpy(&packet, next, sizeof(T));
      int sender = from;
      static_cast<void>((*callable)(std::forward<T>(*reinterpret_cast<T*>(&packet)), std::forward<int>(sender)));
    }
    return run_by_name(its, next, end, from);
  }
  static const char* run_by_name(shoal_process& its, const char* next, const char* const* end, int from) {
    for (; next < *end; next += sizeof(T)) {
      typename std::aligned_storage<sizeof(T), alignof(T)>::type packet;
      memcpy(&packet, next, sizeof(T));
      its(std::forward<T>(*reinterpret_cast<T*>(&packet)), from);
    }
    return next;
  }

  runner run_; /* null: by the std::function */
  unsigned n_assigned_;
};

template <typename T>
void swap(shoal_process<T>& a, shoal_process<T>& b) {
  a.swap(b);
}

template <typename T, int SIZE>
class Mailbox {
public:
  Mailbox() : open_(), is_cyclic_(false), dep_mb_(-1) {}
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  /* Called for each packet, with the PE that sent it. */
  shoal_process<T> process;

  /* From now on, send returns false where it would wait. */
  void set_is_early_exit(bool is_early) { shoal_mailbox_set_early_exit(open_.inside, is_early); }

  /* done_extended: each of these ends after this mailbox, and after all others that name it. */
  void add_dep_mbs(std::vector<int> successors) {
    for (std::size_t i = 0; i < successors.size(); ++i) {
      shoal_mailbox_add_successor(open_.inside, successors[i], false);
    }
    dep_mbs_.insert(dep_mbs_.end(), successors.begin(), successors.end());
  }
  /* The same, which `done` follows, too. */
  void add_dep_mailboxes(std::list<int> predecessors, std::list<int> successors) {
    for (std::list<int>::const_iterator i = predecessors.begin(); i != predecessors.end(); ++i) {
      shoal_mailbox_add_predecessor(open_.inside, *i);
    }
    for (std::list<int>::const_iterator i = successors.begin(); i != successors.end(); ++i) {
      shoal_mailbox_add_successor(open_.inside, *i, true);
    }
    dep_mailboxes_.insert(dep_mailboxes_.end(), successors.begin(), successors.end());
  }

  std::vector<int> get_dep_mbs() { return dep_mbs_; }
  std::list<int> get_dep_mailboxes() { return dep_mailboxes_; }
  int get_predecessor_mbs_count() { return shoal_mailbox_n_predecessors(open_.inside); }
  int get_predecessor_count() { return shoal_mailbox_n_predecessors(open_.inside); }
  void set_dep_mb(int mb) { dep_mb_ = mb; }
  int get_dep_mb() { return dep_mb_; }
  void set_is_cyclic(bool is_cyclic) { is_cyclic_ = is_cyclic; }
  bool get_is_cyclic() { return is_cyclic_; }
  void set_done_called(bool) {}
  void inc_predecessor_mbs_count() {}
  void dec_predecessor_mbs_count() {}
  void dec_predecessor_count() {}
  bool get_done_called() { return shoal_mailbox_is_done(open_.inside); }

  bool send(T packet, int rank) {
    if (static_cast<uint64_t>(static_cast<int64_t>(rank)) < open_.n_direct) {
      shoal_mailbox_link* const link = open_.links + rank;
      if (link->cursor != link->limit) {
        write(link, packet);
        return true;
      }
    }
    return shoal_by_copy<T>::call(packet, [this, rank](const T& it) { return shoal_mailbox_send(open_.inside, &it, rank); });
  }

private:
  friend struct shoal_selector_parts;

  /* A word is held back until the next send: its store would otherwise delay the next load of a cursor. Stores have types, so that
     the compiler need not load the program's pointers again after each. */
  void write(shoal_mailbox_link* link, const T& packet) {
    if (sizeof(T) == 8 && alignof(T) == 8) {
      shoal_held_word* const held = open_.held;
      *reinterpret_cast<uint64_t*>(held->at) = held->bytes;
      held->at = link->cursor;
      uint64_t bytes = 0;
      memcpy(&bytes, &packet, sizeof bytes < sizeof(T) ? sizeof bytes : sizeof(T));
      held->bytes = bytes;
    } else {
      ::new (static_cast<void*>(link->cursor)) T(packet);
    }
    link->cursor += sizeof(T);
  }

  static const char* run(void* mailbox, const char* next, const char* const* end, int from) {
    Mailbox& its = *static_cast<Mailbox*>(mailbox);
    if (!its.process) shoal_refuse_mailbox_without_process(its.open_.inside);
    return its.process.run(next, end, from);
  }

  shoal_mailbox_open open_;
  bool is_cyclic_;
  int dep_mb_;
  std::vector<int> dep_mbs_;
  std::list<int> dep_mailboxes_;
};

/* What selectors use of their mailboxes. */
struct shoal_selector_parts {
  template <typename T, int SIZE>
  static shoal_mailbox_open& open(Mailbox<T, SIZE>& its) {
    return its.open_;
  }
  template <typename T, int SIZE>
  static void enter(shoal_selector* selector, int index, Mailbox<T, SIZE>& its, bool takes_lambdas) {
    if (takes_lambdas) {
      shoal_selector_enter(selector, index, &its.open_, &its, 0, 0, NULL);
    } else {
      shoal_selector_enter(selector, index, &its.open_, &its, sizeof(T), alignof(T), &Mailbox<T, SIZE>::run);
    }
  }
};

/* The type of a lambda that travels. */
template <typename L>
struct shoal_lambda {
  static_assert(std::is_trivially_copyable<L>::value,
                "a lambda travels as bytes: capture only trivially copyable values (no std::string, std::vector, "
                "std::function), or their addresses");
  static_assert(alignof(L) <= 64, "what a lambda captures is aligned to 64 bytes at most");

  static const char* run(void*, const char* next, const char* const* end, int) {
    for (; next < *end; next += sizeof(L)) {
      L lambda(*reinterpret_cast<const L*>(next));
      lambda();
    }
    return next;
  }
  static shoal_lambda_kind kind;

  static bool send(shoal_mailbox_open& to, int rank, const L& lambda) {
    if (static_cast<uint64_t>(static_cast<int64_t>(rank)) < to.n_direct) {
      shoal_mailbox_link* const link = to.links + rank;
      if (link->kind == &kind && link->cursor != link->limit) {
        ::new (static_cast<void*>(link->cursor)) L(lambda);
        link->cursor += sizeof(L);
        return true;
      }
    }
    return shoal_by_copy<L>::call(
        lambda, [&to, rank](const L& it) { return shoal_mailbox_send_lambda(to.inside, &kind, &it, rank); });
  }
};
template <typename L>
shoal_lambda_kind shoal_lambda<L>::kind = {0, sizeof(L), alignof(L), shoal_lambda_mark, &shoal_lambda<L>::run};

} /* namespace hclib */

} /* extern "C++" */

#endif
