/// Actors whose messages are merged on their way: of those that wait for the same PE, two with the same key become one.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "shoal/actor/handler.hpp"
#include "shoal/actor/mailbox.hpp"
#include "shoal/actor/selector.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/conveyor/internal/combining_window.hpp"
#include "shoal/conveyor/internal/link_end.hpp"

namespace shoal {

/// Where messages are combined. `where_it_pays`: by PEs that send or pass on to other nodes, as long as enough of them
/// meet, which each PE counts. `everywhere`: always, and within a node, too. That is for handlers that cost far more than
/// a look for a key, some 10 ns.
enum class combining : bool { where_it_pays, everywhere };

namespace internal {

/// What a key may be: its values are equal or not, and have a hash.
template <class K>
concept combining_key = std::equality_comparable<K> && requires(const K& k) {
  { std::hash<K>{}(k) } -> std::convertible_to<std::size_t>;
};

template <class K>
std::uint64_t hash_of_key(const K& key) {
  return static_cast<std::uint64_t>(std::hash<K>{}(key));
}

/// Finds messages by key and merges them.
template <class M, class Key, class Combine>
class combiner_of : public item_combiner {
public:
  combiner_of(Key key, Combine combine) : key_(std::move(key)), combine_(std::move(combine)) {}

  /// As combine_passing, for a part that is looked at. A link without tags leads to one PE.
  template <bool HasTags>
  combining_window::note merge(combining_window& window, const combining_window::part& part, const link_end& link,
                               std::uint32_t tag, const M& m) {
    const auto key = key_(m);
    constexpr std::uint64_t apart = 0x94d049bb133111eb;  // an odd number, for one key to several PEs
    const std::uint64_t target = HasTags ? window.target_of(tag) * apart : 0;
    const combining_window::note its = window.note_of(hash_of_key(key) + target, part);
    if (!combining_window::has_item(its, part, link)) return its;
    M& into = *reinterpret_cast<M*>(combining_window::item_at(its, part));
    if (!(key_(std::as_const(into)) == key)) return its;
    const auto index = static_cast<std::uint32_t>(combining_window::offset_at(its) / sizeof(M));
    if (HasTags && !window.has_target(tag, part, index)) return its;
    combine_(into, m);
    SHOAL_ASSERT(combining_window::has_item(its, part, link) && key_(std::as_const(into)) == key);
    return {nullptr, 0};
  }

  combining_window::note combine_passing(combining_window& window, std::size_t link_index, const link_end& link,
                                         std::uint32_t tag, const std::byte* bytes) final {
    combining_window::part& part = window.part_of(link_index);
    if (!part.is_looked_at) return window.no_note();
    const combining_window::note its = merge<true>(window, part, link, tag, *reinterpret_cast<const M*>(bytes));
    if (its.hint == nullptr) window.count_merged(part);
    return its;
  }

private:
  [[no_unique_address]] Key key_;
  [[no_unique_address]] Combine combine_;
};

}  // namespace internal

/// As typed_mailbox, but messages with the same key to the same PE may arrive as one: while the first of them waits in
/// an open buffer, here or on a PE that passes it on, `combine(first, other)` merges the other into it. The handler gets
/// what results. Messages with different keys are never merged; those with equal ones only if they meet.
///
/// A merged message counts as `n_combined` where it was merged, and is not handled: over all PEs, what was handled and
/// what was combined is what the program sent. It leaves no later than the one that it was merged into, so latency limits
/// and `finish` hold as before. It may overtake others from this PE. `key(message)` and `combine` run in every send, and on
/// other PEs of the route: they read and write nothing but their arguments, and send nothing.
template <class M, class H, class P, class Key, class Combine>
class combining_mailbox : private internal::combiner_of<M, Key, Combine>, public typed_mailbox<M, H, P> {
  using combiner = internal::combiner_of<M, Key, Combine>;
  using note = internal::combining_window::note;

public:
  combining_mailbox(world& home, std::string actor_name, H on_message, P prefetch, Key key, Combine combine,
                    combining where = combining::where_it_pays)
      : combiner(std::move(key), std::move(combine)),
        typed_mailbox<M, H, P>(home, std::move(actor_name), std::move(on_message), std::move(prefetch)) {
    require_functions();
    this->messages().combine_by(*this, where == combining::everywhere);
  }

  /// As typed_mailbox::send.
  void send(pe_id target, const M& m) {
    if (!this->messages().is_direct(target)) [[unlikely]]
      return send_indirectly(target, m);
    internal::link_end& link = this->messages().link_to(target);
    internal::combining_window& window = combiner::first_window();
    internal::combining_window::part& part = window.part_of(static_cast<std::size_t>(target));
    if (!part.is_looked_at) {  // as typed_mailbox::send
      if (link.cursor == link.limit) [[unlikely]] {
        this->make_room(link, this->messages().links().only_kind);
        window.review(part);
      }
      this->messages().links().write(link, m);
      return;
    }
    const note its = find<false>(this->messages().links(), window, part, link, 0, m);
    if (its.hint == nullptr) return after_merge(part, link, this->now().policy_now());
    if (link.cursor == link.limit) [[unlikely]] {
      this->make_room(link, this->messages().links().only_kind);
      window.review(part);
    }
    write(its, part, link, m);
  }

  /// As typed_mailbox::try_send, but a message that is merged is not unsent: no limit stops it. Refuses once in a while
  /// all the same.
  [[nodiscard]] bool try_send(pe_id target, const M& m) {
    const internal::stream::way to = this->find_way(target);
    if (to.links.of_workers != nullptr) [[unlikely]]
      return write_plainly(to, m, internal::when_full::give_up);
    internal::combining_window& window = combiner::first_window();
    internal::combining_window::part& part = window.part_of(to.link_index);
    // A program that calls progress when this refuses gets there, too, if all its messages are merged.
    if (part.is_looked_at && window.is_turn()) return false;
    const note its = find<true>(to.links, window, part, to.link(), to.tag, m);
    if (its.hint == nullptr) {
      after_merge(part, to.link(), internal::when_full::give_up);
      return true;
    }
    if (!this->may_try()) return false;
    if (to.link().cursor == to.link().limit) {
      const internal::item_kind& kind = this->messages().links().only_kind;
      if (!this->messages().make_room(to, kind, internal::when_full::give_up)) return false;
      window.review(part);
    }
    write(its, part, to.link(), m);
    to.write_tag();
    ++this->n_tried_;
    return true;
  }

private:
  // Not in the class, since the class of a selector is not complete there.
  static constexpr void require_functions() {
    static_assert(std::is_invocable_v<Key&, const M&>, "the key of a message is found by key(message)");
    static_assert(std::is_invocable_v<Combine&, M&, const M&>,
                  "two messages are merged by combine(into, message), where `into` is a message&");
    static_assert(internal::combining_key<std::remove_cvref_t<std::invoke_result_t<Key&, const M&>>>,
                  "the key of a message has == and a std::hash");
    static_assert(!internal::asks_sender<H, M>,
                  "a message that several PEs may have sent has no sender: let the handler take the message alone");
    static_assert(!internal::runs_in_parallel<H>, "messages that are combined have no parallel handler");
  }

  // Merges a message into one that lies there. Otherwise it is to be written, with the note.
  template <bool HasTags>
  note find(internal::open_links& links, internal::combining_window& window, internal::combining_window::part& part,
            const internal::link_end& link, std::uint32_t tag, const M& m) {
    if (!part.is_looked_at) return window.no_note();
    // Its bytes may be held back: a sender that knows this as a typed_mailbox has written it.
    if constexpr (sizeof(M) == alignof(M)) links.store_held_items();
    return combiner::template merge<HasTags>(window, part, link, tag, m);
  }

  // With a latency limit, each send looks at the clock. `policy`: what the caller may do meanwhile.
  void after_merge(internal::combining_window::part& part, const internal::link_end& link, internal::when_full policy) {
    const bool polls = combiner::first_window().count_merged(part);
    if (polls || (link.cursor == link.limit && this->n_runs_to_look_at_ == mailbox::n_runs_with_limit)) [[unlikely]]
      this->serve_others(polls ? policy : internal::when_full::give_up);
  }

  // Stored at once: it may change in the next call (open_links::write).
  static void write(const note& its, internal::combining_window::part& part, internal::link_end& link, const M& m) {
    internal::combining_window::note_written(its, part, link);
    internal::store_item(link.cursor, m);
    link.cursor += sizeof(M);
  }

  // The links of another worker have no window; the next hop may combine the message. False, only under `give_up`: no room.
  bool write_plainly(const internal::stream::way& to, const M& m, internal::when_full policy) {
    const internal::item_kind& kind = this->messages().links().only_kind;
    if (to.link().cursor == to.link().limit && !this->messages().make_room(to, kind, policy)) return false;
    to.write(m);
    return true;
  }

  // A small message passes in registers: if send had to store it for this call, each send would wait for that.
  [[gnu::noinline]] void send_indirectly(pe_id target, std::conditional_t<sizeof(M) <= 16, M, const M&> m) {
    const internal::stream::way to = this->find_way(target);
    if (to.links.of_workers != nullptr) [[unlikely]]
      return static_cast<void>(write_plainly(to, m, internal::when_full::wait));
    internal::combining_window& window = combiner::first_window();
    internal::combining_window::part& part = window.part_of(to.link_index);
    const note its = find<true>(to.links, window, part, to.link(), to.tag, m);
    if (its.hint == nullptr) return after_merge(part, to.link(), this->now().policy_now());
    if (to.link().cursor == to.link().limit) {
      this->make_room(to, this->messages().links().only_kind);
      window.review(part);
    }
    write(its, part, to.link(), m);
    to.write_tag();
  }
};

/// An actor as a callable whose messages are merged by key:
///
///     struct addition {
///       std::uint32_t slot;
///       std::uint32_t n;
///     };
///     shoal::combining_actor add{world, [&](const addition& a) { counts[a.slot] += a.n; },
///                                [](const addition& a) { return a.slot; },
///                                [](addition& into, const addition& a) { into.n += a.n; }};
///
/// Optional arguments: a name for reports, and where to combine. Construction and destruction are collective, as for
/// shoal::actor.
template <class H, class Key, class Combine, class M = message_of<H>>
class combining_actor : public combining_mailbox<M, H, no_prefetch, Key, Combine> {
  using base = combining_mailbox<M, H, no_prefetch, Key, Combine>;

public:
  combining_actor(world& home, H on_message, Key key, Combine combine, std::string name = "lambda",
                  combining where = combining::where_it_pays)
      : base(home, std::move(name), std::move(on_message), {}, std::move(key), std::move(combine), where) {}
  combining_actor(world& home, H on_message, Key key, Combine combine, combining where)
      : combining_actor(home, std::move(on_message), std::move(key), std::move(combine), "lambda", where) {}
};

template <class H, class Key, class Combine, class... More>
combining_actor(world&, H, Key, Combine, More...) -> combining_actor<H, Key, Combine, message_of<H>>;

/// A mailbox of a selector whose messages are merged: `shoal::selector<counter, shoal::combined<addition>>`. The class
/// has `key(const addition&)` and `combine(addition& into, const addition&)`, beside `process`. As combining_mailbox.
template <class M>
struct combined {};

namespace internal {

template <class M>
struct mailbox_spec<combined<M>> : mailbox_spec<M> {};

template <class Self, class M>
struct selector_key {
  Self* self;
  auto operator()(const M& m) const
    requires requires(Self& s) { s.key(m); }
  {
    return self->key(m);
  }
};
template <class Self, class M>
struct selector_combine {
  Self* self;
  void operator()(M& into, const M& m) const
    requires requires(Self& s) { s.combine(into, m); }
  {
    self->combine(into, m);
  }
};

// Its functions are members of the class whose `process` it calls.
template <class M, class H, class P, class Self>
struct selector_combining_mailbox : combining_mailbox<M, H, P, selector_key<Self, M>, selector_combine<Self, M>> {
  selector_combining_mailbox(world& home, std::string name, H on_message, P prefetch)
      : combining_mailbox<M, H, P, selector_key<Self, M>, selector_combine<Self, M>>(
            home, std::move(name), on_message, prefetch, {on_message.self}, {on_message.self}) {}
};

template <class M, class H, class P>
struct mailbox_by_spec<combined<M>, H, P> {
  using type = selector_combining_mailbox<M, H, P, std::remove_pointer_t<decltype(H::self)>>;
};

}  // namespace internal

}  // namespace shoal
