/// Parallel handlers: several calls of a handler may run at the same time, on the workers of its PE.
///
///     shoal::actor count{world, shoal::parallel_handler{[&](std::int64_t slot) {
///       std::atomic_ref(counts[slot]).fetch_add(1, std::memory_order_relaxed);
///     }}};
///
///     struct table : shoal::selector<table, shoal::parallel<update>, query> {
///       void process(std::span<const update> batch) { … }         // in parallel
///       void process(query q, shoal::pe_id from) { … }             // one at a time, but beside updates
///     };
///
/// With SHOAL_WORKERS above 1 arrived buffers are shared out: the PE's own thread handles some, and tasks on other workers
/// handle the others. With one worker all is as if the handler were not parallel, at no cost. A parallel handler may do what
/// a handler may do on any number of workers, in no promised order: send, ask, leave tasks by async, never wait. What it
/// shares with other calls, other handlers and the main program needs atomic variables or a lock; it holds none while it sends.
/// One-sided access, work lists and conveyors are errors in it. docs/contract.md has the rules. (HClib: the computation tasks
/// of "A productive and scalable actor-based programming system for PGAS applications", Paul et al. 2022, algorithm 1.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "shoal/actor/actor.hpp"
#include "shoal/actor/answering_mailbox.hpp"
#include "shoal/actor/internal/handler_failure.hpp"
#include "shoal/actor/mailbox.hpp"
#include "shoal/actor/selector.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/task/internal/buffer_lender.hpp"

namespace shoal {

/// Declares that the handler of a selector's mailbox is parallel: `shoal::selector<table, shoal::parallel<update>>`. With a
/// tag: `shoal::tagged<struct ping, shoal::parallel<std::int64_t>>`.
template <class M>
struct parallel {};

/// The same for the handler of an actor, a function object that is not final.
template <class F>
struct parallel_handler : F {
  using F::operator();
};
template <class F>
parallel_handler(F) -> parallel_handler<F>;

namespace internal {

/// As a delivery for handle_all; nothing stops handlers before the end.
struct fixed_end {
  const std::byte* at;

  const std::byte* end() const noexcept { return at; }
  static constexpr bool must_stop() noexcept { return false; }
};

}  // namespace internal

/// The mailbox of a parallel handler: as typed_mailbox.
template <class M, class H, class P = no_prefetch>
class parallel_mailbox : public typed_mailbox<M, H, P>, private internal::buffer_lender {
  static_assert(
      !internal::message_of_any_size<M> && !std::is_same_v<M, closures>,
      "a parallel handler takes messages of one size, not lists, texts, values that archives write, or closures");

public:
  parallel_mailbox(world& home, std::string actor_name, H on_message, P prefetch = {})
      : typed_mailbox<M, H, P>(home, std::move(actor_name), std::move(on_message), std::move(prefetch)),
        buffer_lender(home, *this, &handle_lent) {}
  ~parallel_mailbox() { this->end_life(); }

private:
  void handle(const internal::buffer& b, internal::position& from, std::uint64_t& n_items) final {
    // Not in the class, since the class of a selector is not complete there.
    static_assert(!internal::answers_questions<H, M>, "a parallel handler returns no future and is no coroutine");
    const std::size_t n = (b.header.item_bytes() - from.offset) / sizeof(M);
    if (this->lend(b, from.offset, n)) {
      n_items = n;
      from.offset = b.header.item_bytes();
      return;
    }
    const std::uint64_t begin_ns = this->begin_ns();
    typed_mailbox<M, H, P>::handle(b, from, n_items);
    this->note_handled(n_items, begin_ns);
  }

  static std::size_t handle_lent(internal::buffer_lender& self, const internal::buffer& copy, std::uint32_t offset) {
    auto& its = static_cast<parallel_mailbox&>(self);
    const std::byte* const begin = copy.payload() + offset;
    internal::fixed_end until{copy.payload() + copy.header.item_bytes()};
    try {
      return static_cast<std::size_t>(its.handle_from(copy, begin, until) - begin) / sizeof(M);
    } catch (...) {
      internal::end_for_throw(its, its.messages(), its.home().message_exchange(), copy);
    }
  }
};

namespace internal {

template <class F>
inline constexpr bool runs_in_parallel<parallel_handler<F>> = true;

template <class M, class F, class P>
struct actor_base<M, parallel_handler<F>, P> {
  using type = parallel_mailbox<M, parallel_handler<F>, P>;
};

template <class M>
struct mailbox_spec<parallel<M>> : mailbox_spec<M> {};
template <class M, class H, class P>
struct mailbox_by_spec<parallel<M>, H, P> {
  static_assert(std::is_same_v<typename mailbox_spec<M>::message_type, M>,
                "shoal::parallel names a message type, not a question, combined messages or a tag");
  using type = parallel_mailbox<M, H, P>;
};

}  // namespace internal

}  // namespace shoal
