/// Closures as messages: any lambda with trivially copyable captures, run on the PE it is sent to.
///
/// Only a closure's captures travel. Its type is named once per run of equal closures, by a number in a table that is
/// the same in every process of one binary (checked at start). It is never named by an address, so position-independent
/// executables and address randomisation do no harm.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <typeinfo>

#include "shoal/actor/mailbox.hpp"
#include "shoal/conveyor/internal/run.hpp"

namespace shoal {

namespace internal {

/// Runs closures [first, now.end()) of one type; returns where it stopped.
using run_closures_function = const std::byte* (*)(void* context, delivery& now, const std::byte* first, pe_id from);

/// A type of closures. Construction adds it to the table of this binary and numbers it. That happens while static
/// variables are initialised, in an order that the binary fixes.
struct closure_type : item_kind {
  closure_type(run_closures_function run, const item_kind& size_and_alignment, bool asks_sender, const char* name);
};

/// What the receiver of a run needs to know of its type.
struct closure_table_entry {
  run_closures_function run = nullptr;
  std::uint32_t bytes = 0;
  bool asks_sender = false;  // the closure takes the sender
  const char* name = nullptr;
  const item_kind* kind = nullptr;
};
static_assert(sizeof(closure_table_entry) == 32);

/// The table, by number.
std::span<const closure_table_entry> closure_table() noexcept;

/// The kind of a number in the table; a kind_lookup for relays.
const item_kind* kind_of_closures(std::uint32_t number) noexcept;

/// A digest of the whole table. PEs with different digests run different binaries.
std::uint64_t closure_table_digest() noexcept;

/// In `checked` builds: ends the job if a word of a closure is an address inside the program image, which means nothing
/// on another PE.
void check_captures(const void* closure, std::size_t bytes, pe_id target, const char* name);

template <class F, class Context>
inline void run_closure(const F& shared, Context& context, pe_id from) {
  // A mutable closure changes its captures. The buffer must not change, so the closure runs on a copy.
  constexpr bool is_const = std::is_invocable_v<const F&, Context&, pe_id> || std::is_invocable_v<const F&, Context&> ||
                            std::is_invocable_v<const F&>;
  std::conditional_t<is_const, const F&, F> f = shared;
  if constexpr (std::is_invocable_v<decltype((f)), Context&, pe_id>) {
    f(context, from);
  } else if constexpr (std::is_invocable_v<decltype((f)), Context&>) {
    f(context);
  } else {
    f();
  }
}

template <class F, class Context>
const std::byte* run_closures(void* context, delivery& now, const std::byte* p, pe_id from) {
  Context& c = *static_cast<Context*>(context);
  for (; p < now.end(); p += sizeof(F)) run_closure(*reinterpret_cast<const F*>(p), c, from);
  return p;
}

template <class F, class Context>
struct type_of_closure {
  static constexpr bool is_const = std::is_invocable_v<const F&, Context&, pe_id> ||
                                   std::is_invocable_v<const F&, Context&> || std::is_invocable_v<const F&>;
  using called = std::conditional_t<is_const, const F&, F&>;
  static inline const closure_type value{&run_closures<F, Context>,
                                         {.bytes = sizeof(F), .align = alignof(F)},
                                         std::is_invocable_v<called, Context&, pe_id>,
                                         typeid(F).name()};
};

}  // namespace internal

/// A closure that may be sent to a mailbox with context `Context`.
template <class F, class Context>
concept closure = message<F> && (std::is_invocable_v<F&, Context&, pe_id> || std::is_invocable_v<F&, Context&> ||
                                 std::is_invocable_v<F&>);

/// A mailbox of closures. Each is called as f(), f(context) or f(context, sender) with the receiving PE's context.
/// Closures of different types share the mailbox and keep their order.
class closure_mailbox_base : public mailbox {
protected:
  closure_mailbox_base(world& home, std::string actor_name, void* context);
  /// A derived class calls end_life in its destructor, when it is still whole.
  ~closure_mailbox_base() = default;

  template <class Context, class F>
  void send_closure(pe_id target, const F& f) {
    static_assert(item<F>,
                  "a closure travels as bytes: capture only trivially copyable values, no "
                  "pointers or references to things that live on one PE");
    static_assert(!item<F> || closure<F, Context>, "a closure is called as f(), f(context) or f(context, sender)");
#if SHOAL_CHECKED
    // Padding holds what was on the stack, often return addresses; only captures count.
#if defined(__GNUC__) && !defined(__clang__)
    F seen = f;
    __builtin_clear_padding(&seen);
    internal::check_captures(&seen, sizeof seen, target, typeid(F).name());
#else
    if constexpr (std::has_unique_object_representations_v<F>) {
      internal::check_captures(&f, sizeof f, target, typeid(F).name());
    }
#endif
#endif
    if (!messages().is_direct(target)) [[unlikely]]
      return send_indirectly<F, Context>(target, f);
    // Compares addresses, which are constants: comparing type numbers would cost a load per closure.
    internal::link_end& link = messages().link_to(target);
    if (link.cursor == link.limit || link.kind != &internal::type_of_closure<F, Context>::value) [[unlikely]] {
      // A closure of two words passes to a function in registers, and the sending loop keeps its own. A larger one
      // would pass in memory and be loaded before its stores complete, so this code is repeated at every send.
      if constexpr (sizeof(F) <= 16) return write_elsewhere<F, Context>(link, f);
      const internal::item_kind& kind = internal::type_of_closure<F, Context>::value;
      if (link.run_begin == nullptr && messages().links().write_run(link, kind, f)) return;
      make_room(link, kind);
    }
    messages().links().write(link, f);
  }

private:
  // Sends a closure that does not continue the open run.
  template <class F, class Context>
  [[gnu::noinline]] void write_elsewhere(internal::link_end& link, F f) {
    const internal::item_kind& kind = internal::type_of_closure<F, Context>::value;
    if (link.run_begin == nullptr && messages().links().write_run(link, kind, f)) return;
    make_room(link, kind);
    messages().links().write(link, f);
  }

  // As in typed_mailbox.
  template <class F, class Context>
  [[gnu::noinline]] void send_indirectly(pe_id target, std::conditional_t<sizeof(F) <= 16, F, const F&> f) {
    const internal::item_kind& kind = internal::type_of_closure<F, Context>::value;
    const internal::stream::way to = find_way(target);
    if (to.link().cursor == to.link().limit || to.link().kind != &kind) make_room(to, kind);
    to.write(f);
  }

  void handle(const internal::buffer& b, internal::position& from, std::uint64_t& n_items) final;
  [[noreturn]] static void names_no_type(pe_id sender);
  const std::byte* run_by_sender(const internal::buffer& b, const internal::closure_table_entry& type,
                                 const std::byte* p, std::uint32_t i);

  std::string describe_message() const final;

  void* context_;
  const internal::closure_table_entry* running_ = nullptr;  // type of the closures that ran last
};

/// A closure mailbox over an object of each PE: `lambda_actor update{world, counts};`, then `update.send(pe,
/// [slot](auto& counts) { ++counts[slot]; });`. The object must outlive the actor.
template <class Context>
class lambda_actor final : private closure_mailbox_base {
public:
  lambda_actor(world& home, Context& context, std::string name = "lambda_actor")
      : closure_mailbox_base(home, std::move(name), std::addressof(context)) {}
  ~lambda_actor() { this->end_life(); }

  /// As typed_mailbox::send.
  template <class F>
  void send(pe_id target, const F& f) {
    this->template send_closure<Context>(target, f);
  }

  using mailbox::close;
  using mailbox::counts;
  using mailbox::done;
  using mailbox::limit_latency;
};

}  // namespace shoal
