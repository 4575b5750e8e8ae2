/// A mailbox whose messages may differ in size: lists, texts, and types that archives write.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "shoal/actor/internal/encoding.hpp"
#include "shoal/actor/mailbox.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/conveyor/internal/monster.hpp"
#include "shoal/conveyor/internal/record_sender.hpp"

namespace shoal {

/// The part that does not depend on the type.
///
/// A message that fits into a buffer is written there and handled there, without another copy. A larger one travels in
/// fragments and takes memory of its own where it arrives, until its handler returns. Its sender keeps it only if a
/// handler sends it; then its fragments wait for room in memory that counts apart from SHOAL_MEMORY.
class record_mailbox_base : public mailbox {
protected:
  /// Collective, as for mailbox. `align`: of the messages. Ends the job if not even one aligned byte fits into a buffer.
  record_mailbox_base(world& home, std::string actor_name, const char* message_type, std::uint32_t align);
  ~record_mailbox_base() = default;

  internal::record_sender& sender() noexcept { return sender_; }

  /// Takes the record at `p`, which is number `i` of `b`, whatever it is; returns where the next one begins.
  const std::byte* take(const internal::buffer& b, const std::byte* p, std::uint32_t i);
  virtual void handle_whole(std::span<const std::byte> bytes, pe_id from) = 0;
  [[noreturn, gnu::cold]] void cannot_read(std::size_t n_bytes, pe_id from) const;

private:
  internal::record_sender sender_;
  internal::monster_assembly arriving_;
};

/// A mailbox of messages of type `M`, handled by `H`. As typed_mailbox, with these differences: `M` is a list, a
/// std::string_view, or any type that archives write (serialize.hpp). A view that a handler gets is valid until it
/// returns. A handler takes one message, never a batch.
template <class M, class H>
class record_mailbox : public record_mailbox_base {
  using encoding = internal::encoding<M>;
  using sent = internal::sent_as_t<M>;
  // A view passes in registers, so that send need not store it for the calls of the long way.
  using passed = std::conditional_t<std::is_trivially_copyable_v<sent> && sizeof(sent) <= 16, sent, const sent&>;

public:
  record_mailbox(world& home, std::string actor_name, H on_message)
      : record_mailbox_base(home, std::move(actor_name), typeid(typename internal::named_as<M>::type).name(),
                            encoding::align),
        handle_(std::move(on_message)) {}
  ~record_mailbox() { end_life(); }

  /// As typed_mailbox::send. In the main program a message that is larger than a buffer may wait several times.
  void send(pe_id target, const sent& m) {
    const std::size_t bytes = encoding::size(m);
    if (messages().is_direct(target)) [[likely]] {
      if (std::byte* const place = begin_directly(target, bytes)) [[likely]]
        return encoding::write(place, bytes, m);
    }
    send_elsewhere(target, m, bytes);
  }

  /// As typed_mailbox::try_send. A message larger than a buffer begins only if there is room for its first part. Then it
  /// is sent whole; what finds no room waits in memory that counts apart.
  [[nodiscard]] bool try_send(pe_id target, const sent& m) {
    const std::size_t bytes = encoding::size(m);
    if (!messages().is_direct(target) || !may_try()) [[unlikely]]
      return try_send_elsewhere(target, m, bytes);
    if (std::byte* const place = begin_directly(target, bytes)) [[likely]] {
      ++n_tried_;
      encoding::write(place, bytes, m);
      return true;
    }
    return try_send_elsewhere(target, m, bytes);
  }

  /// As typed_mailbox::limit_unsent. A message counts once for each buffer that it takes.
  using mailbox::limit_unsent;

private:
  std::byte* begin_directly(pe_id target, std::size_t bytes) noexcept {
    if constexpr (encoding::align > 8) return nullptr;
    return messages().links().template begin_record<encoding::is_padded>(messages().link_to(target), bytes);
  }

  [[gnu::noinline]] void send_elsewhere(pe_id target, passed m, std::size_t bytes) {
    const internal::stream::way to = find_way(target);
    if (bytes <= sender().whole_bytes_max()) {
      encoding::write(sender().begin(to, bytes), bytes, m);
      return to.write_tag();
    }
    in_pieces(m, bytes, [&](auto head, auto body) { sender().send(to, head, body); });
  }

  [[gnu::noinline]] bool try_send_elsewhere(pe_id target, passed m, std::size_t bytes) {
    const internal::stream::way to = find_way(target);
    if (!may_try()) return false;
    const std::uint64_t n_before = sender().n_records();
    bool is_sent = false;
    in_pieces(m, bytes, [&](auto head, auto body) { is_sent = sender().try_send(to, head, body); });
    n_tried_ += sender().n_records() - n_before;
    return is_sent;
  }

  template <class F>
  static void in_pieces(const sent& m, std::size_t bytes, F f) {
    if constexpr (internal::encodes_in_pieces<encoding>) {
      alignas(cache_line_bytes) std::array<std::byte, encoding::head_bytes> memory;
      f(encoding::head(m, memory.data()), encoding::body(m));
    } else {
      const internal::monster_block whole(bytes);
      encoding::write(whole.data(), bytes, m);
      f(std::span<const std::byte>{}, whole.bytes());
    }
  }

  std::string describe_message() const final { return message_name_; }
  void tell_message(internal::signal_text& into) const noexcept final { internal::tell_message(into, message_name_); }

  void handle(const internal::buffer& b, internal::position& from, std::uint64_t& n_items) final {
    using namespace internal;
    const std::byte* p = b.payload() + from.offset;
    const std::byte* const end = b.payload() + b.header.item_bytes();
    std::uint32_t i = from.n_in_run;
    // Where the next record begins depends on this one's size. A processor that had to load each size before the next
    // could not run ahead: some 8 cycles a message. Sizes repeat, so this compares a header with the last one, and the
    // processor goes on with that size while the load is under way.
    std::uint64_t last = ~std::uint64_t{0};  // what no header is
    std::size_t bytes = 0;
    for (now().proceed_to(end); p < now().end(); ++i) {
      const std::byte* const begin = encoding::is_padded ? p + sizeof(run_header) : after_run_header(p);
      std::uint64_t header = 0;
      std::memcpy(&header, begin - sizeof header, sizeof header);
      if (header != last) [[unlikely]] {
        const run_header its = read_run_header(begin);
        if (its.type != static_cast<std::uint32_t>(record_kind::item)) {
          p = take(b, p, i);
          continue;
        }
        SHOAL_ASSERT(std::ptrdiff_t{its.n_items} <= end - begin);
        last = header;
        bytes = its.n_items;
      }
      p = begin + bytes;
      const bool is_read = handle_one({begin, bytes}, asks_sender ? sender_of(b, i) : 0);
      if (!is_read) [[unlikely]]
        cannot_read(bytes, sender_of(b, i));
    }
    n_items = i - from.n_in_run;
    from = {static_cast<std::uint32_t>(p - b.payload()), i, 0};
  }

  static constexpr bool asks_sender = std::is_invocable_v<H&, M, pe_id>;

  // False: the bytes are no message. `from` counts only if the handler asks for it.
  bool handle_one(std::span<const std::byte> bytes, pe_id from) {
    static_assert(std::is_invocable_v<H&, M> || std::is_invocable_v<H&, M, pe_id>,
                  "no handler for this message type that may be called: it is called as process(message) or "
                  "process(message, sender), with one list, text or value, and it is public");
    return encoding::read(bytes, [&](M&& m) {
      if constexpr (asks_sender) {
        handle_(std::move(m), from);
      } else if constexpr (std::is_invocable_v<H&, M>) {
        handle_(std::move(m));
      }
    });
  }
  void handle_whole(std::span<const std::byte> bytes, pe_id from) final {
    if (!handle_one(bytes, from)) [[unlikely]]
      cannot_read(bytes.size(), from);
  }

  H handle_;
  const char* message_name_ = internal::lasting_type_name<typename internal::named_as<M>::type>();
};

namespace internal {

template <class M, class H, class P>
struct mailbox_for {
  using type = typed_mailbox<M, H, P>;
};
template <message_of_any_size M, class H, class P>
struct mailbox_for<M, H, P> {
  using type = record_mailbox<M, H>;
};

}  // namespace internal

/// The mailbox of messages of type `M`, with handler `H` and prefetch hook `P`, which only messages of one size may have.
template <class M, class H, class P = no_prefetch>
using mailbox_of = typename internal::mailbox_for<M, H, P>::type;

}  // namespace shoal
