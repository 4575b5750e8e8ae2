#include "shoal/compat/internal/mailbox_flow.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "shoal/actor/internal/handler_failure.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/compat/internal/handlers_allowed.hpp"
#include "shoal/compat/internal/lambda_kinds.hpp"
#include "shoal/compat/internal/mixed_reader.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/stream_hop.hpp"

namespace shoal::internal::compat {
namespace {

// The header repeats the form of these.
static_assert(sizeof(shoal_mailbox_link) == sizeof(link_end) &&
              offsetof(shoal_mailbox_link, limit) == offsetof(link_end, limit) &&
              offsetof(shoal_mailbox_link, kind) == offsetof(link_end, kind));
static_assert(sizeof(shoal_held_word) == sizeof(held_item<8>) &&
              offsetof(shoal_held_word, nowhere) == offsetof(held_item<8>, nowhere) &&
              offsetof(shoal_held_word, at) == offsetof(held_item<8>, at));

const char* as_chars(const std::byte* bytes) { return reinterpret_cast<const char*>(bytes); }

// --- Packets of one size

class packet_flow final : public mailbox_flow {
public:
  packet_flow(world& in, const mailbox_form& form, std::string name)
      : mailbox_flow(in,
                     {.bytes = static_cast<std::uint32_t>(form.bytes), .align = static_cast<std::uint32_t>(form.align)},
                     std::move(name)),
        form_(form) {}

  bool send(const void* packet, const shoal_lambda_kind*, pe_id target, bool is_early) override {
    const handlers_allowed during(in_.message_exchange().arriving(), !is_early);
    const stream::way to = stream_.way_to(target);
    link_end& link = to.link();
    if (link.cursor == link.limit && !stream_.make_room(to, stream_.links().only_kind, policy(is_early))) return false;
    std::memcpy(link.cursor, packet, form_.bytes);
    link.cursor += form_.bytes;
    to.write_tag();
    return true;
  }

private:
  void handle(const buffer& b, position& from, std::uint64_t& n_items) override {
    if (b.header.item_bytes() != std::uint64_t{b.header.n_items} * form_.bytes) {
      end_job(status_usage, describe() + ": packets from PE " + std::to_string(b.header.source) + " are not " +
                                std::to_string(form_.bytes) +
                                " bytes long, as this PE's are; start the same selectors in the same order on all PEs");
    }
    const std::byte* const end = b.payload() + b.header.item_bytes();
    const std::byte* const begin = b.payload() + from.offset;
    const std::byte* at = begin;
    now().proceed_to(end);
    if (!is_routed()) {
      at = run(at, b.header.source);
    } else {
      while (at != end && !now().must_stop()) at = run_of_one_sender(b, at, end);
    }
    n_items = static_cast<std::uint64_t>(at - begin) / form_.bytes;
    from.offset = static_cast<std::uint32_t>(at - b.payload());
  }

  const std::byte* run(const std::byte* first, pe_id from) {
    const auto* const end = reinterpret_cast<const char* const*>(now().end_place());
    return reinterpret_cast<const std::byte*>(form_.run(form_.mailbox, as_chars(first), end, static_cast<int>(from)));
  }

  const std::byte* run_of_one_sender(const buffer& b, const std::byte* at, const std::byte* end) {
    auto i = static_cast<std::uint32_t>(static_cast<std::size_t>(at - b.payload()) / form_.bytes);
    const pe_id sender = sender_of(stream_, b, i);
    const std::byte* end_of_same = at;
    do {
      end_of_same += form_.bytes;
      ++i;
    } while (end_of_same != end && sender_of(stream_, b, i) == sender);
    now().proceed_to(end_of_same);
    return run(at, sender);
  }

  const mailbox_form form_;
};

// --- Lambdas, and packets that are larger than a buffer: runs of lambdas of one type, and between them records of what is large.

// Before a large lambda: its type. So that the lambda is aligned as its type may want.
constexpr std::size_t large_head_bytes = cache_line_bytes;

class mixed_flow final : public mailbox_flow {
public:
  mixed_flow(world& in, const mailbox_form& form, std::string name)
      : mailbox_flow(in, {}, std::move(name)),
        form_(form),
        payload_bytes_(in.message_exchange().payload_bytes()),
        large_(stream_, payload_bytes_, cache_line_bytes),
        reader_(stream_, *this) {}

  bool send(const void* packet, const shoal_lambda_kind* lambda, pe_id target, bool is_early) override {
    const handlers_allowed during(in_.message_exchange().arriving(), !is_early);
    const stream::way to = stream_.way_to(target);
    if (lambda == nullptr) return send_large({}, {static_cast<const std::byte*>(packet), form_.bytes}, to, is_early);
    const item_kind& kind = kind_of(*lambda);
    const std::span bytes(static_cast<const std::byte*>(packet), kind.bytes);
    if (!fits(kind)) {
      std::array<std::byte, large_head_bytes> head{};
      std::memcpy(head.data(), &kind.number, sizeof kind.number);
      return send_large(head, bytes, to, is_early);
    }
    link_end& link = to.link();
    const bool has_room = link.cursor != link.limit && link.kind == &kind;
    if (!has_room && !stream_.make_room(to, kind, policy(is_early))) return false;
    std::memcpy(link.cursor, bytes.data(), bytes.size());
    link.cursor += bytes.size();
    to.write_tag();
    return true;
  }

private:
  // A lambda in a run has a header before it and perhaps a tag behind it.
  bool fits(const item_kind& kind) const noexcept {
    constexpr std::size_t tag_bytes_most = 4;
    return std::max<std::size_t>(sizeof(run_header), kind.align) + kind.bytes + tag_bytes_most <= payload_bytes_;
  }

  bool send_large(std::span<const std::byte> head, std::span<const std::byte> body, const stream::way& to,
                  bool is_early) {
    if (is_early) return large_.try_send(to, head, body);
    large_.send(to, head, body);
    return true;
  }

  void handle(const buffer& b, position& from, std::uint64_t& n_items) override { reader_.consume(b, from, n_items); }

  friend class mixed_reader<mixed_flow>;
  const item_kind& kind_with(std::uint32_t number, pe_id sender) const { return kind_of(lambda(number, sender)); }
  const std::byte* take_run(const buffer& b, const item_kind& kind, const std::byte* first, const std::byte* end,
                            std::uint32_t i);
  void take_whole(std::span<const std::byte> bytes, pe_id sender);
  shoal_lambda_kind& lambda(std::uint32_t number, pe_id sender) const {
    shoal_lambda_kind* const its = lambda_with(number);
    if (its != nullptr) return *its;
    end_job(status_usage, describe() + ": PE " + std::to_string(sender) +
                              " sent a lambda that this program does not have; let all PEs run the same binary");
  }

  const mailbox_form form_;
  const std::size_t payload_bytes_;
  record_sender large_;
  mixed_reader<mixed_flow> reader_;
};

// Lambdas are not told who sent them.
const std::byte* mixed_flow::take_run(const buffer& b, const item_kind& kind, const std::byte* first,
                                      const std::byte* /*end*/, std::uint32_t /*i*/) {
  const auto* const bound = reinterpret_cast<const char* const*>(now().end_place());
  return reinterpret_cast<const std::byte*>(
      lambda_of(kind).run(nullptr, as_chars(first), bound, static_cast<int>(b.header.source)));
}

void mixed_flow::take_whole(std::span<const std::byte> bytes, pe_id sender) {
  const char* const end = as_chars(bytes.data() + bytes.size());
  if (form_.bytes != 0) {
    form_.run(form_.mailbox, as_chars(bytes.data()), &end, static_cast<int>(sender));
    return;
  }
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data(), sizeof number);
  lambda(number, sender).run(nullptr, as_chars(bytes.data() + large_head_bytes), &end, static_cast<int>(sender));
}

}  // namespace

// --- What they share

std::unique_ptr<mailbox_flow> mailbox_flow::make(world& in, const mailbox_form& form, std::string name) {
  constexpr std::size_t tag_bytes_most = 4;
  const bool fits = form.bytes + tag_bytes_most <= in.message_exchange().payload_bytes();
  if (form.bytes != 0 && fits) return std::make_unique<packet_flow>(in, form, std::move(name));
  return std::make_unique<mixed_flow>(in, form, std::move(name));
}

mailbox_flow::mailbox_flow(world& in, const item_kind& kind, std::string name)
    : in_(in),
      stream_(in.message_exchange(), {.kind = kind, .kinds = kind_of_lambdas, .consumer = this}),
      name_(std::move(name)),
      row_name_(name_),
      row_number_(stream_.serial()) {
  in.message_exchange().objects().note("mailbox of ", kind.bytes == 0 ? "lambdas or large packets" : nullptr,
                                       kind.bytes);
  stream_.begin_session(kind);
  stream_.let_send(true);
}

mailbox_flow::~mailbox_flow() {
  if (!stream_.is_orphan() && in_.message_exchange().parts().keeps_records()) keep_counts();
}

void mailbox_flow::keep_counts() {
  std::uint32_t position = stream_.n_hops() == 1 ? 0 : 1;
  for (int h = 0; h < stream_.n_hops(); ++h) {
    const stream_counts counts = stream_.hop(static_cast<std::size_t>(h)).counts();
    in_.message_exchange().parts().record(counts, row_name_, row_number_, position++);
  }
}

void mailbox_flow::show(shoal_mailbox_open& to) noexcept {
  open_links& links = stream_.links();
  to.links = reinterpret_cast<shoal_mailbox_link*>(links.ends.get());
  to.held = reinterpret_cast<shoal_held_word*>(&links.held_8);
  to.n_direct = stream_.n_direct();
}

bool mailbox_flow::try_end() noexcept {
  if (!is_closed_) return false;
  const inbox& arrivals = stream_.arrivals();
  if (!stream_.try_send_last() || !arrivals.has_last_arrived() || !arrivals.has_consumed_all()) return false;
  stream_.end_session();
  return true;
}

bool mailbox_flow::consume(const buffer& b, position& from, std::uint64_t& n_items) {
  const in_finish its(scope_);
  try {
    if (b.header.item_bytes() != 0) handle(b, from, n_items);
  } catch (...) {
    end_for_throw(*this, stream_, in_.message_exchange(), b);
  }
  in_.message_exchange().backend().charge_items(item_work::handling, n_items);
  return from.offset == b.header.item_bytes();
}

}  // namespace shoal::internal::compat
