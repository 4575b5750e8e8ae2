#include "shoal/compat/internal/aggregation.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <source_location>
#include <utility>

#include "shoal/actor/internal/main_program.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/stream_hop.hpp"

namespace shoal::internal::compat {
namespace {

template <class T>
std::span<const std::byte> bytes_of(const T& value) noexcept {
  return std::as_bytes(std::span(&value, 1));
}

template <class T>
T read_as(const std::byte* from) noexcept {
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), from, sizeof(T));
  return std::bit_cast<T>(bytes);
}

// Elements that a program may wait for become visible at once, after those before them.
void store_element(std::byte* at, std::uint64_t value, std::size_t bytes) noexcept {
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(at) % bytes == 0;
  if (bytes == sizeof value && is_aligned) [[likely]] {
    std::atomic_ref(*reinterpret_cast<std::uint64_t*>(at)).store(value, std::memory_order_release);
  } else if (bytes == sizeof(std::uint32_t) && is_aligned) {
    std::atomic_ref(*reinterpret_cast<std::uint32_t*>(at))
        .store(static_cast<std::uint32_t>(value), std::memory_order_release);
  } else {
    std::atomic_thread_fence(std::memory_order_release);
    std::memcpy(at, &value, bytes);
  }
}

// A look for what has arrived may give the core away for long. So looks take a small part of the time.
constexpr std::uint64_t ns_between_looks = 50'000;
constexpr std::uint64_t look_share = 16;

// Most have 8 bytes, which is one move.
std::uint64_t load_element(const void* at, std::size_t bytes) noexcept {
  std::uint64_t value = 0;
  if (bytes == sizeof value) {
    std::memcpy(&value, at, sizeof value);
  } else {
    std::memcpy(&value, at, bytes);
  }
  return value;
}

}  // namespace

far_calls* start_far_calls(world& in) {
  return in.message_exchange().nodes().n_nodes() == 1 ? nullptr : new aggregation(in);
}

aggregation::aggregation(world& in)
    : in_(in),
      has_own_atomics_(!here.memory->direct().empty()),
      serving_(*this),
      taking_(*this),
      calls_(in.message_exchange(), {.kind = {}, .kinds = far_kind, .consumer = &serving_}),
      answers_(in.message_exchange(), {.kind = {}, .kinds = far_kind, .consumer = &taking_}),
      large_calls_(calls_, in.message_exchange().payload_bytes(), alignof(far_head)),
      large_answers_(answers_, in.message_exchange().payload_bytes(), alignof(far_head)) {
  const exchange& through = in.message_exchange();
  const node_layout& nodes = through.nodes();
  const std::vector<std::byte*>& direct = here.memory->direct();
  peers_.resize(static_cast<std::size_t>(in.n_pes()));
  for (pe_id pe = 0; pe < in.n_pes(); ++pe) {
    peer& its = peers_[static_cast<std::size_t>(pe)];
    its.is_far = nodes.node_of(pe) != nodes.node_of(in.my_pe());
    if (!its.is_far && has_own_atomics_) its.near_part = direct[static_cast<std::size_t>(pe)];
  }
  for (stream* const each : {&calls_, &answers_}) {
    each->begin_session({});
    each->let_send(true);
  }
}

void aggregation::end() noexcept {
  in_.barrier();  // others may have something to complete
  if (!calls_.is_orphan()) {
    calls_.record("calls of shmem.h");
    answers_.record("answers to calls of shmem.h");
  }
  delete this;
}

// --- Sending

// A call counts as used once it is sent.
void aggregation::note_used(int pe) {
  peer& its = peers_[static_cast<std::size_t>(pe)];
  its.is_used = true;
  if (!std::exchange(its.is_listed, true)) used_.push_back(pe);
}

template <class Item>
void aggregation::send_item(stream& through, const stream::way& to, const item_kind& kind, const Item& item) {
  link_end& link = to.link();
  const bool has_room = link.cursor != link.limit && link.kind == &kind;
  if (!has_room) through.make_room(to, kind, through.now().policy_now());
  write(to, item);
}

void aggregation::send_late(int pe, const far_word& call) {
  const stream::way to = calls_.way_to(pe);
  if (to.link().cursor == to.link().limit) serve();
  send_item(calls_, to, word_kind, call);
  note_used(pe);
}

void aggregation::ask(int pe, far_question call) {
  note_call(pe);
  const stream::way to = calls_.way_to(pe);
  if (to.link().cursor == to.link().limit) [[unlikely]]
    serve();
  send_item(calls_, to, question_kind, call);
  note_used(pe);
}

void aggregation::send_record(int pe, std::span<const std::byte> head, std::span<const std::byte> body) {
  note_call(pe);
  large_calls_.send(calls_.way_to(pe), head, body);
  note_used(pe);
}

void aggregation::compare(int pe, const far_compare& call) { send_record(pe, bytes_of(call), {}); }

void aggregation::put(int pe, std::size_t offset, const void* source, std::size_t bytes) {
  if (bytes <= sizeof(std::uint64_t)) {
    return send(pe, {{far_op::put, bytes, offset}, load_element(source, bytes)});
  }
  send_record(pe, bytes_of(far_head(far_op::put, 1, offset)), {static_cast<const std::byte*>(source), bytes});
}

void aggregation::get(int pe, std::size_t offset, void* dest, std::size_t bytes) {
  const auto into = reinterpret_cast<std::uint64_t>(dest);
  if (bytes <= sizeof(std::uint64_t)) return ask(pe, {{far_op::get, bytes, offset}, 0, into});
  send_record(pe, bytes_of(far_get{{far_op::get, 1, offset}, bytes, into}), {});
}

// --- Order

void aggregation::ask_to_confirm(int pe) {
  peer& its = note_call(pe);
  its.is_used = false;
  ++its.n_to_confirm;
  ++n_to_confirm_;
  send_item(calls_, calls_.way_to(pe), word_kind, far_word{{far_op::confirm, 1, 0}, 0});
}

void aggregation::wait_for(const char* call, const std::uint32_t& n_to_confirm) {
  if (n_to_confirm == 0) return;
  calls_.flush();
  in_.require_main(call);
  exchange& through = in_.message_exchange();
  const main_program::wait note(in_.main(), through, call, std::source_location{});
  unsigned patience = 0;
  while (n_to_confirm != 0) through.progress_or_idle(patience);
}

void aggregation::complete(const char* call) {
  for (const int pe : std::exchange(used_, {})) {
    peer& its = peers_[static_cast<std::size_t>(pe)];
    its.is_listed = false;
    if (its.is_used) ask_to_confirm(pe);
  }
  wait_for(call, n_to_confirm_);
  here.memory->quiet();
  note_blocking_call();
}

void aggregation::complete(int pe, const char* call) {
  peer& its = peers_[static_cast<std::size_t>(pe)];
  if (!its.is_used && its.n_to_confirm == 0) return;
  if (its.is_used) ask_to_confirm(pe);
  wait_for(call, its.n_to_confirm);
}

void aggregation::serve() {
  if (is_in_handler()) return;
  exchange& through = in_.message_exchange();
  const std::uint64_t begin_ns = through.backend().now_ns();
  if (begin_ns < next_look_ns_) return;
  const bool has_moved = through.progress();
  pass_on();
  const std::uint64_t end_ns = through.backend().now_ns();
  next_look_ns_ =
      end_ns + (has_moved ? ns_between_looks : std::max(ns_between_looks, look_share * (end_ns - begin_ns)));
}

// Nobody else would send what waits here for its buffer to fill: in relays, and answers that had no room before.
void aggregation::pass_on() noexcept {
  for (stream* const each : {&calls_, &answers_}) {
    for (int h = each == &answers_ ? 0 : 1; h < each->n_hops(); ++h)
      each->hop(static_cast<std::size_t>(h)).out().flush();
  }
}

void aggregation::serve_and_send() {
  if (is_in_handler()) return;
  if (std::exchange(n_calls_at_last_look_, n_calls_) != n_calls_) return serve();
  in_.message_exchange().progress();
  calls_.flush();
  answers_.flush();
}

// --- What others ask for

std::uint64_t aggregation::change(const atomic_call& call, std::size_t offset) const {
  // A library that carries out all atomics does so here, too.
  return has_own_atomics_ ? apply_atomic(call, here.heap + offset) : here.memory->atomic(call, offset, in_.my_pe());
}

void aggregation::answer(pe_id to, const far_word& with) { send_item(answers_, answers_.way_to(to), word_kind, with); }

const std::byte* aggregation::served::take_words(const std::byte* first, const std::byte* end, pe_id from) {
  for (; first != end && !must_stop(); first += sizeof(far_word)) {
    const auto call = read_as<far_word>(first);
    const far_op op = call.head.op();
    if (op == far_op::put) {
      store_element(here.heap + call.head.place(), call.value, call.head.bytes());
    } else if (op < far_op::compare_exchange) {
      its_.change({.op = static_cast<atomic_op>(op),
                   .bytes = static_cast<std::uint8_t>(call.head.bytes()),
                   .operand = call.value},
                  call.head.place());
    } else if (op == far_op::confirm) {
      its_.answer(from, {{far_op::confirm, 1, 0}, 0});
      // The PE waits, and this one may compute.
      const stream::way back = its_.answers_.way_to(from);
      its_.answers_.hop(0).out().flush(back.link_index);
    } else {
      refuse(from);
    }
  }
  return first;
}

const std::byte* aggregation::served::take_questions(const std::byte* first, const std::byte* end, pe_id from) {
  for (; first != end && !must_stop(); first += sizeof(far_question)) {
    const auto call = read_as<far_question>(first);
    const far_op op = call.head.op();
    const std::size_t bytes = call.head.bytes();
    std::uint64_t value = 0;
    if (op == far_op::get) {
      value = load_element(here.heap + call.head.place(), bytes);
    } else if (op < far_op::compare_exchange) {
      value = its_.change(
          {.op = static_cast<atomic_op>(op), .bytes = static_cast<std::uint8_t>(bytes), .operand = call.value},
          call.head.place());
    } else {
      refuse(from);
    }
    its_.answer(from, {{far_op::put, bytes, call.into}, value});
  }
  return first;
}

void aggregation::served::take_whole(std::span<const std::byte> bytes, pe_id from) {
  const auto head = read_as<far_head>(bytes.data());
  std::byte* const place = here.heap + head.place();
  if (head.op() == far_op::put) {
    std::atomic_thread_fence(std::memory_order_release);
    std::memcpy(place, bytes.data() + sizeof head, bytes.size() - sizeof head);
  } else if (head.op() == far_op::get) {
    const auto call = read_as<far_get>(bytes.data());
    const far_head back(far_op::put, 1, call.into);
    its_.large_answers_.send(its_.answers_.way_to(from), bytes_of(back), {place, call.bytes});
  } else if (head.op() == far_op::compare_exchange) {
    const auto call = read_as<far_compare>(bytes.data());
    const std::uint64_t old = its_.change({.op = atomic_op::compare_exchange,
                                           .bytes = static_cast<std::uint8_t>(head.bytes()),
                                           .operand = call.value,
                                           .expected = call.expected},
                                          head.place());
    its_.answer(from, {{far_op::put, head.bytes(), call.into}, old});
  } else {
    refuse(from);
  }
}

// --- Answers

const std::byte* aggregation::answered::take_words(const std::byte* first, const std::byte* end, pe_id from) {
  for (; first != end; first += sizeof(far_word)) {
    const auto call = read_as<far_word>(first);
    if (call.head.op() == far_op::put) {
      store_element(reinterpret_cast<std::byte*>(call.head.place()), call.value, call.head.bytes());
    } else if (call.head.op() == far_op::confirm) {
      --its_.peers_[static_cast<std::size_t>(from)].n_to_confirm;
      --its_.n_to_confirm_;
    } else {
      refuse(from);
    }
  }
  return first;
}

const std::byte* aggregation::answered::take_questions(const std::byte*, const std::byte*, pe_id from) { refuse(from); }

void aggregation::answered::take_whole(std::span<const std::byte> bytes, pe_id) {
  const auto head = read_as<far_head>(bytes.data());
  std::memcpy(reinterpret_cast<std::byte*>(head.place()), bytes.data() + sizeof head, bytes.size() - sizeof head);
}

}  // namespace shoal::internal::compat
