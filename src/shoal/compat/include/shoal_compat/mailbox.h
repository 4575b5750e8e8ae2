/* Part of selector.h and selector-mb.h: a mailbox, and types of lambdas. */
#ifndef SHOAL_MAILBOX_H
#define SHOAL_MAILBOX_H

#include <string.h>

#include "selector_open.h"

extern "C++" {

#include <functional>
#include <list>
#include <type_traits>
#include <vector>

namespace hclib {

struct shoal_selector_parts;

template <typename T, int SIZE>
class Mailbox {
public:
  Mailbox() : open_(), is_cyclic_(false), dep_mb_(-1) {}
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  /* Called for each packet, with the PE that sent it. */
  std::function<void(T, int)> process;

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
    return shoal_mailbox_send(open_.inside, &packet, rank);
  }

private:
  friend struct shoal_selector_parts;

  /* A word is held back until the next send: its store would otherwise delay the next load of a cursor. */
  void write(shoal_mailbox_link* link, const T& packet) {
    if (sizeof(T) == 8 && alignof(T) == 8) {
      shoal_held_word* const held = open_.held;
      memcpy(held->at, &held->bytes, 8);
      held->at = link->cursor;
      memcpy(&held->bytes, &packet, sizeof(uint64_t) < sizeof(T) ? sizeof(uint64_t) : sizeof(T));
    } else {
      memcpy(link->cursor, &packet, sizeof(T));
    }
    link->cursor += sizeof(T);
  }

  static const char* run(void* mailbox, const char* next, const char* const volatile* end, int from) {
    Mailbox& its = *static_cast<Mailbox*>(mailbox);
    if (!its.process) shoal_refuse_mailbox_without_process(its.open_.inside);
    for (; next < *end; next += sizeof(T)) {
      typename std::aligned_storage<sizeof(T), alignof(T)>::type packet;
      memcpy(&packet, next, sizeof(T));
      its.process(*reinterpret_cast<T*>(&packet), from);
    }
    return next;
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

  static const char* run(void*, const char* next, const char* const volatile* end, int) {
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
        memcpy(link->cursor, static_cast<const void*>(&lambda), sizeof(L));
        link->cursor += sizeof(L);
        return true;
      }
    }
    return shoal_mailbox_send_lambda(to.inside, &kind, &lambda, rank);
  }
};
template <typename L>
shoal_lambda_kind shoal_lambda<L>::kind = {0, sizeof(L), alignof(L), shoal_lambda_mark, &shoal_lambda<L>::run};

} /* namespace hclib */

} /* extern "C++" */

#endif
