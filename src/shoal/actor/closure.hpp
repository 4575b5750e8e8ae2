/// Closures as messages: any lambda with trivially copyable captures, run on the PE it is sent to.
///
/// Only a closure's captures travel. Its type is named once per run of equal closures, by a number that is the same in
/// every process with the same program, shared library or plugin. It is never named by an address, so
/// position-independent executables and address randomisation do no harm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <type_traits>
#include <typeinfo>

#include "shoal/actor/internal/ask.hpp"
#include "shoal/actor/internal/call.hpp"
#include "shoal/actor/internal/closure_runner.hpp"
#include "shoal/actor/internal/closure_types.hpp"
#include "shoal/actor/mailbox.hpp"
#include "shoal/base/internal/holds_address.hpp"
#include "shoal/conveyor/internal/monster.hpp"
#include "shoal/conveyor/internal/record_sender.hpp"
#include "shoal/conveyor/internal/run.hpp"

namespace shoal {

/// A closure that may be sent to a mailbox with context `Context`.
template <class F, class Context>
concept closure = message<F> && (std::is_invocable_v<F&, Context&, pe_id> || std::is_invocable_v<F&, Context&> ||
                                 std::is_invocable_v<F&>);

/// A mailbox of closures. Each is called as f(), f(context) or f(context, sender) with the receiving PE's context.
/// Closures of different types share the mailbox and keep their order. Of a closure that is an object with a function
/// `const void* prefetch(const Context&) const` (or without the parameter), the receiver fetches what it names, some
/// messages before it runs.
class closure_mailbox_base : public mailbox {
protected:
  closure_mailbox_base(world& home, std::string actor_name, void* context);
  /// A derived class calls end_life in its destructor, when it is still whole.
  ~closure_mailbox_base() = default;

  template <class Context, class F>
  void send_closure(pe_id target, const F& f, const std::source_location& where) {
    if (!messages().is_direct(target)) [[unlikely]]
      return send_indirectly<Context, F>(target, f, where);
    send_directly<Context>(target, f, where);
  }

  template <class F, class Context>
  static constexpr void require_closure() {
    static_assert(item<F> || internal::holds_address<F>,
                  "a closure travels as bytes: capture only trivially copyable values, no "
                  "pointers or references to things that live on one PE; give strings and containers as arguments, "
                  "send(pe, function, arguments…)");
    static_assert(internal::holds_no_address<F>());  // a function, or an object with an operator(); not of a lambda
    static_assert(!item<F> || closure<F, Context>, "a closure is called as f(), f(context) or f(context, sender)");
    static_assert(!internal::has_prefetch<F> || internal::fetching_closure<F, Context>,
                  "the prefetch of a closure is const, takes the context or nothing, and returns an address");
  }

  // To a target for which is_direct holds.
  template <class Context, class F>
  void send_directly(pe_id target, const F& f, const std::source_location& where) {
    require_closure<F, Context>();
#if SHOAL_CHECKED
    look_at<F, Context>(f, where);
#endif
    // Compares addresses, which are constants: comparing type numbers would cost a load per closure.
    internal::link_end& link = messages().link_to(target);
    if (link.cursor == link.limit || link.kind != &internal::type_of_closure<F, Context>::value) [[unlikely]] {
      // A closure of two words passes to a function in registers, and the sending loop keeps its own. A larger one
      // would pass in memory and be loaded before its stores complete, so this code is repeated at every send.
      if constexpr (sizeof(F) <= 16) return write_elsewhere<F, Context>(link, f, where);
      if (write_as_run<F, Context>(link, f)) return;
      look_at<F, Context>(f, where);
      make_room(link, internal::type_of_closure<F, Context>::value);
    }
    messages().links().write(link, f);
  }

  // To any target, as in typed_mailbox, and hidden like write_elsewhere.
  template <class Context, class F>
  [[gnu::noinline, gnu::visibility("hidden")]] void send_indirectly(pe_id target,
                                                                    std::conditional_t<sizeof(F) <= 16, F, const F&> f,
                                                                    const std::source_location where) {
#if SHOAL_CHECKED
    look_at<F, Context>(f, where);
#endif
    const internal::item_kind& kind = internal::type_of_closure<F, Context>::value;
    const internal::stream::way to = find_way(target);
    if (to.link().cursor == to.link().limit || to.link().kind != &kind) {
      look_at<F, Context>(f, where);
      make_room(to, kind);
    }
    to.write(f);
  }

  // As typed_mailbox::try_send. Whoever may give up is not in a hurry: only one path.
  template <class Context, class F>
  [[gnu::visibility("hidden")]] bool try_send_closure(pe_id target, const F& f, const std::source_location& where) {
    const internal::item_kind& kind = internal::type_of_closure<F, Context>::value;
    const internal::stream::way to = find_way(target);
    if (!may_try()) return false;
    if (to.link().cursor == to.link().limit || to.link().kind != &kind) {
      look_at<F, Context>(f, where);
      if (!messages().make_room(to, kind, internal::when_full::give_up)) return false;
    }
    to.write(f);
    ++n_tried_;
    return true;
  }

  // Sends a call of any size, in order with closures.
  template <class Context, class Shape, class F, class... Sent>
  [[gnu::visibility("hidden")]] void send_call(pe_id target, const F& f, const std::source_location& where,
                                               const Sent&... arguments) {
    const internal::closure_type& type = internal::type_of_call<F, Context, Shape>::value;
    look_at_call(f, type, where);
    size_archive size(internal::bytes_before_arguments<F>);
    size(arguments...);
    const auto write = [&, bytes = size.size()](std::byte* to) { write_call({to, bytes}, type, f, arguments...); };
    if (messages().is_direct(target)) [[likely]] {
      internal::link_end& link = messages().link_to(target);
      if (link.run_begin == nullptr && n_runs_to_look_at_ != n_runs_with_limit) [[likely]] {
        if (std::byte* const place = messages().links().write_record(link, size.size())) [[likely]]
          return write(place);
      }
    }
    const internal::stream::way to = find_way(target);
    if (size.size() <= calls_.whole_bytes_max()) {
      write(calls_.begin(to, size.size()));
      return to.write_tag();
    }
    const internal::monster_block whole(size.size());
    write(whole.data());
    calls_.send(to, {}, whole.bytes());
  }

  // The same as record_mailbox::try_send.
  template <class Context, class Shape, class F, class... Sent>
  [[gnu::visibility("hidden")]] bool try_send_call(pe_id target, const F& f, const std::source_location& where,
                                                   const Sent&... arguments) {
    const internal::closure_type& type = internal::type_of_call<F, Context, Shape>::value;
    const internal::stream::way to = find_way(target);
    if (!may_try()) return false;
    look_at_call(f, type, where);
    size_archive size(internal::bytes_before_arguments<F>);
    size(arguments...);
    if (size.size() <= calls_.whole_bytes_max()) {
      std::byte* const place = calls_.begin(to, size.size(), internal::when_full::give_up);
      if (place == nullptr) return false;
      write_call({place, size.size()}, type, f, arguments...);
      to.write_tag();
      ++n_tried_;
      return true;
    }
    const internal::monster_block whole(size.size());
    write_call({whole.data(), size.size()}, type, f, arguments...);
    const std::uint64_t n_before = calls_.n_records();
    const bool is_sent = calls_.try_send(to, {}, whole.bytes());
    n_tried_ += calls_.n_records() - n_before;
    return is_sent;
  }

private:
  // Sends a closure that does not continue the open run. Hidden, since it must name the type as its caller does.
  template <class F, class Context>
  [[gnu::noinline, gnu::visibility("hidden")]] void write_elsewhere(internal::link_end& link, F f,
                                                                    const std::source_location where) {
    if (write_as_run<F, Context>(link, f)) return;
    look_at<F, Context>(f, where);
    make_room(link, internal::type_of_closure<F, Context>::value);
    messages().links().write(link, f);
  }

  // False: find room first. So it is for the first runs of a superstep, that their captures are looked at.
  template <class F, class Context>
  bool write_as_run(internal::link_end& link, const F& f) {
    const internal::item_kind& kind = internal::type_of_closure<F, Context>::value;
    return link.run_begin == nullptr && n_runs_to_look_at_ == 0 && messages().links().write_run(link, kind, f);
  }

  // Looks at what a closure captures: where a run begins without write_run, about once a buffer.
  template <class F, class Context>
  void look_at(const F& f, const std::source_location& where) {
    if (&internal::type_of_closure<F, Context>::value == trusted_ && n_runs_to_look_at_ == 0) return;
    look_at(&f, internal::type_of_closure<F, Context>::value, where);
  }
  void look_at(const void* closure, const internal::closure_type& type, const std::source_location& where);
  template <class F>
  void look_at_call(const F& f, const internal::closure_type& type, const std::source_location& where) {
    if constexpr (!std::is_empty_v<F>) {
      if (&type != trusted_ || n_runs_to_look_at_ != 0) [[unlikely]]
        look_at(&f, type, where);
    }
  }

  template <class F, class... Sent>
  static void write_call(std::span<std::byte> to, const internal::closure_type& type, const F& f,
                         const Sent&... arguments) {
    const std::uint64_t number = type.number;
    std::memcpy(to.data(), &number, sizeof number);
    if constexpr (!std::is_empty_v<F>) std::memcpy(to.data() + internal::bytes_before_captures, &f, sizeof(F));
    internal::write_counted(to, internal::bytes_before_arguments<F>,
                            typeid(typename internal::named_as<F>::type).name(), arguments...);
  }

  void handle(const internal::buffer& b, internal::position& from, std::uint64_t& n_items) final;
  [[noreturn, gnu::cold]] static void names_no_type(pe_id sender, std::uint32_t number);
  void run_call(std::span<const std::byte> bytes, pe_id from);
  [[noreturn, gnu::cold]] void cannot_read(pe_id from) const;
  const std::byte* run_by_sender(const internal::buffer& b, const internal::closure_table_entry& type,
                                 const std::byte* p, std::uint32_t i);

  std::string describe_message() const final;
  void tell_message(internal::signal_text& into) const noexcept final;
  std::int64_t find_address(const internal::buffer& b, std::uintptr_t address) const noexcept final;

  void* context_;
  const internal::closure_range of_program_;
  std::atomic<const internal::closure_type*> trusted_ =
      nullptr;  // the type that was looked at last, if nothing is left to see
  const internal::closure_table_entry* running_ = nullptr;  // type of the closures that ran last
  internal::record_sender calls_;
  internal::monster_assembly arriving_;
};

/// A closure mailbox over an object of each PE: `lambda_actor update{world, counts};`, then `update.send(pe,
/// [slot](auto& counts) { ++counts[slot]; });`. The object must outlive the actor.
template <class Context>
class lambda_actor final : public closure_mailbox_base {
public:
  lambda_actor(world& home, Context& context, std::string name = "lambda_actor")
      : closure_mailbox_base(home, std::move(name), std::addressof(context)) {}
  ~lambda_actor() { this->end_life(); }

  /// As typed_mailbox::send. Ends the job if the closure is seen to capture addresses (docs/contract.md).
  template <class F>
  void send(pe_id target, const F& f, const std::source_location where = std::source_location::current()) {
    this->template send_closure<Context>(target, f, where);
  }

  /// Calls `f` on PE `target` as f(arguments…), f(context, arguments…) or f(context, sender, arguments…), whichever its
  /// number of parameters says. Arguments convert to the parameters' types; these may be of any size, as messages of
  /// actors may. A view among the parameters shows what arrived, until the call returns. Otherwise as a closure.
  template <class F, class First, class... More>
    requires(!std::is_same_v<First, std::source_location>)
  void send(const internal::call_target& target, const F& f, const First& first, const More&... more) {
    call(target, f, first, more...);
  }
  /// The same for a function by name: `send<&function>(pe, arguments…)`.
  template <auto Function, class... Arguments>
  void send(const internal::call_target& target, const Arguments&... arguments) {
    call(target, internal::function_constant<Function>{}, arguments...);
  }

  /// As typed_mailbox::try_send and record_mailbox::try_send, for closures, calls and functions by name.
  template <class F>
  [[nodiscard]] bool try_send(pe_id target, const F& f,
                              const std::source_location where = std::source_location::current()) {
    require_closure<F, Context>();
    return this->template try_send_closure<Context>(target, f, where);
  }
  template <class F, class First, class... More>
    requires(!std::is_same_v<First, std::source_location>)
  [[nodiscard]] bool try_send(const internal::call_target& target, const F& f, const First& first,
                              const More&... more) {
    return try_call(target, f, first, more...);
  }
  template <auto Function, class... Arguments>
  [[nodiscard]] bool try_send(const internal::call_target& target, const Arguments&... arguments) {
    return try_call(target, internal::function_constant<Function>{}, arguments...);
  }
  using mailbox::limit_unsent;

  /// Calls `f` on PE `target`, as send does, and brings back what it returns: a value of any type that travels, or void.
  /// If `f` returns a future, as a coroutine does, the answer travels when it is there. In order with closures, as send.
  /// Legal where send is; the answer belongs to the same superstep.
  template <class F, class... Arguments>
  auto ask(const internal::call_target& target, const F& f, const Arguments&... arguments) {
    return internal::asking<Context>::ask(*this, this->home(), target, f, arguments...);
  }
  /// The same for a function by name: `ask<&function>(pe, arguments…)`.
  template <auto Function, class... Arguments>
  auto ask(const internal::call_target& target, const Arguments&... arguments) {
    return ask(target, internal::function_constant<Function>{}, arguments...);
  }

  /// Asks a question for each query: calls `f` with it on PE target_of(query). The answers come into `into`, in the order
  /// of the queries. `into` has a place for each and stays until the future is ready; `finish` waits for it. As ask, but
  /// with less memory and time for each question. At most 4,294,967,295 queries.
  template <class Queries, class TargetOf, class F>
  future<void> ask_all(const Queries& queries, std::span<internal::answer_to_query<F, Context, Queries>> into,
                       const TargetOf& target_of, const F& f,
                       const std::source_location where = std::source_location::current()) {
    return internal::asking<Context>::ask_all(*this, this->home(), queries, into, target_of, f, where);
  }

  // --- For world::send, which tests once whether a superstep is open and the target direct.

  /// `send` with arguments, or with none for a function by name.
  template <class F, class... Arguments>
  void call(const internal::call_target& target, const F& f, const Arguments&... arguments) {
    require_function<F>();
    using shape = internal::call_shape_of<F, Context, Arguments...>;
    call_with_shape(target, f, shape{}, arguments...);
  }

  /// To how many PEs send_directly may send, from PE 0 on: all or none.
  std::uint64_t n_direct() const noexcept { return this->messages().n_direct(); }
  template <class F>
  void send_directly(pe_id target, const F& f, const std::source_location& where) {
    closure_mailbox_base::template send_directly<Context>(target, f, where);
  }
  /// To any PE.
  template <class F>
  void send_indirectly(pe_id target, const F& f, const std::source_location& where) {
    closure_mailbox_base::template send_indirectly<Context, F>(target, f, where);
  }

private:
  template <class F>
  static constexpr void require_function() {
    static_assert(!std::is_function_v<F> && !std::is_pointer_v<F>,
                  "a function's address means nothing on another PE: name it, as in send<&function>(pe, arguments…)");
    static_assert(std::is_function_v<F> || item<F> || internal::holds_address<F>,
                  "what a function captures travels as bytes: capture only trivially copyable values, and give strings "
                  "and containers as arguments");
    if constexpr (!std::is_function_v<F>) static_assert(internal::holds_no_address<F>());
  }

  template <class F, class... Arguments>
  bool try_call(const internal::call_target& target, const F& f, const Arguments&... arguments) {
    require_function<F>();
    using shape = internal::call_shape_of<F, Context, Arguments...>;
    return try_call_with_shape(target, f, shape{}, arguments...);
  }
  template <class F, internal::call_form Form, class... Values, class... Arguments>
  bool try_call_with_shape(const internal::call_target& target, const F& f, internal::call_shape<Form, Values...> shape,
                           const Arguments&... arguments) {
    if constexpr (shape.is_fixed) {
      return try_send(target.pe, internal::bind_call<Context>(f, shape, arguments...), target.where);
    } else {
      return this->template try_send_call<Context, decltype(shape)>(target.pe, f, target.where,
                                                                    internal::as_sent<Values>(arguments)...);
    }
  }

  template <class F, internal::call_form Form, class... Values, class... Arguments>
  void call_with_shape(const internal::call_target& target, const F& f, internal::call_shape<Form, Values...> shape,
                       const Arguments&... arguments) {
    if constexpr (shape.is_fixed) {
      send(target.pe, internal::bind_call<Context>(f, shape, arguments...), target.where);
    } else {
      this->template send_call<Context, decltype(shape)>(target.pe, f, target.where,
                                                         internal::as_sent<Values>(arguments)...);
    }
  }
};

}  // namespace shoal
