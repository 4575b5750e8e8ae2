#include "shoal/dataflow/internal/channel_end.hpp"

#include <bit>
#include <exception>
#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/dataflow/internal/actor_request.hpp"
#include "shoal/dataflow/internal/graph_part.hpp"
#include "shoal/dataflow/internal/moved_actor.hpp"

namespace shoal::internal {

channel_end::channel_end(actor_node& node, std::string name, bool is_required)
    : node_(node), name_(std::move(name)), is_required_(is_required) {}

std::string channel_end::describe() const { return "actor " + node_.name() + ", port " + name_; }

void channel_end::refuse(const std::string& what) const { end_job(status_usage, describe() + ": " + what); }

void channel_end::refuse_outside_act(const char* call) const {
  refuse(std::string(call) +
         " outside the act and start of its actor, where "
         "alone its ports are used");
}

// An exception may destroy a graph that runs.
void channel_end::end_life() const noexcept {
  if (!is_connected() || node_.part() == nullptr || !node_.part()->is_running() || std::uncaught_exceptions() > 0)
    return;
  refuse("destroyed while the graph runs; a port lives as long as its actor");
}

void channel_end::refuse_bytes(std::size_t n) const {
  refuse("a token of " + std::to_string(n) +
         " bytes is not what its type reads; let its serialize name the same "
         "members in the same order when it writes "
         "and when it reads");
}

void channel_end::note_other(const end_place& now) noexcept {
  if (is_other_far() && now.n_moves < other_moves_) return;
  other_moves_ = now.n_moves;
  other_.store(static_cast<std::uint64_t>(now.pe) << 32 | now.number, std::memory_order_seq_cst);
}

void channel_end::forget_channel() noexcept {
  number_ = none;
  capacity_ = 0;
  is_connected_.store(false, std::memory_order_relaxed);
  is_closing_.store(false, std::memory_order_relaxed);
  other_.store(nowhere, std::memory_order_relaxed);
}

void channel_end::pack(moved_end& into) const {
  into = {name_,
          other_actor_,
          other_port_,
          number_,
          node_.identity().n_moves,
          is_connected(),
          is_closing(),
          capacity_,
          {other().pe, other().number, other_moves_}};
}

void channel_end::unpack(const moved_end& from, std::uint32_t number) {
  number_ = number;
  capacity_ = from.capacity;
  other_actor_ = from.other_actor;
  other_port_ = from.other_port;
  if (from.other.pe >= 0) note_other(from.other);
  is_connected_.store(from.is_connected, std::memory_order_relaxed);
  is_closing_.store(from.is_closing, std::memory_order_relaxed);
}

// --- The reader's end

input_end::input_end(actor_node& node, std::string name, bool is_required)
    : channel_end(node, std::move(name), is_required) {
  node.enter(*this);
}
input_end::~input_end() {
  end_life();
  node().leave(*this);
}

void input_end::open(const channel_request& asked, std::uint32_t number) {
  number_ = number;
  capacity_ = asked.capacity;
  length_ = asked.length;
  other_actor_ = asked.from;
  other_port_ = asked.out;
  n_in_all_.store(unknown, std::memory_order_relaxed);
  make_room(": " + asked.describe());
}

void input_end::make_room(const std::string& asked) {
  try {
    make_places(std::bit_ceil(capacity_), length_);
  } catch (const std::exception&) {
    refuse("no memory for " + std::to_string(capacity_) + " tokens of length " + std::to_string(length_) + asked);
  }
}

void input_end::connect(output_end& writer) noexcept {
  writer_ = &writer;
  is_writer_known_ = true;
  if (is_closing()) return writer.note_end_of_reader();
  is_connected_.store(true, std::memory_order_release);
  node().note_change();
}

// Tokens may have come and been read before this. Then the next act tells so, or else this call. The actor may close the port
// meanwhile: of the two, at least one sees what the other has stored, and tells the writer.
void input_end::connect(const end_place& writer) {
  is_writer_known_ = true;
  note_other(writer);
  is_connected_.store(true, std::memory_order_seq_cst);
  if (is_closing_.load(std::memory_order_seq_cst)) {
    is_connected_.store(false, std::memory_order_release);
    return tell_end();
  }
  if (!node().part()->is_shared()) static_cast<void>(pay_writer());
  node().note_change();
}

void input_end::tell_end() const {
  const far_place to = other();
  if (to.pe >= 0) node().part()->channels().tell_end_of_reader(to.pe, to.number);
}

void input_end::note_read() {
  const std::uint32_t n = read_.load(std::memory_order_relaxed) + 1;
  read_.store(n, std::memory_order_release);
  node().note_move(writer_ == nullptr);
  if (writer_ != nullptr) return writer_->node().note_change();
  // Half of the channel is free for tokens that are under way meanwhile.
  if (2 * (n - told_) >= capacity_) static_cast<void>(pay_writer());
}

void input_end::note_arrival_in_disorder(std::uint32_t number) {
  early_.push_back(number);
  std::uint32_t next = arrived_.load(std::memory_order_relaxed);
  while (std::erase(early_, next) != 0) ++next;
  if (next == arrived_.load(std::memory_order_relaxed)) return;
  arrived_.store(next, std::memory_order_release);
  node().note_change();
}

bool input_end::pay_writer() {
  const std::uint32_t n = read_.load(std::memory_order_relaxed);
  if (writer_ != nullptr || n == told_ || n_in_all_.load(std::memory_order_relaxed) != unknown) return true;
  const far_place to = other();
  if (to.pe < 0) return !has_channel();
  told_ = n;
  node().part()->channels().tell_read(to.pe, to.number, n);
  return true;
}

void input_end::note_end_of_writer(std::uint32_t n) noexcept {
  n_in_all_.store(n, std::memory_order_release);
  node().note_end();
}

void input_end::close() {
  if (!has_channel() || is_closing()) return;
  is_closing_.store(true, std::memory_order_seq_cst);
  is_connected_.store(false, std::memory_order_seq_cst);
  if (n_in_all_.load(std::memory_order_acquire) != unknown) return;  // the writer has gone
  if (writer_ != nullptr) return writer_->note_end_of_reader();
  tell_end();
}

void input_end::detach() noexcept {
  if (writer_ != nullptr && writer_->reader_ == this) writer_->reader_ = nullptr;
  writer_ = nullptr;
  n_in_all_.store(unknown, std::memory_order_relaxed);
  forget_channel();
  drop_places();
  early_.clear();
  is_writer_known_ = false;
  arrived_.store(0, std::memory_order_relaxed);
  read_.store(0, std::memory_order_relaxed);
  told_ = 0;
}

void input_end::part_from_writer() noexcept {
  output_end& writer = *std::exchange(writer_, nullptr);
  told_ = read_.load(std::memory_order_relaxed);
  writer.reader_ = nullptr;
  writer.read_.store(told_, std::memory_order_relaxed);
  const pe_id here = node().part()->home().my_pe();
  note_other({here, writer.number(), writer.node().identity().n_moves});
  writer.note_other({here, number_, node().identity().n_moves});
}

bool input_end::meet_writer(output_end& writer) noexcept {
  if (writer.written_ != arrived_.load(std::memory_order_relaxed) || !early_.empty()) return false;
  const pe_id here = node().part()->home().my_pe();
  note_other({here, writer.number(), writer.node().identity().n_moves});
  writer.note_other({here, number_, node().identity().n_moves});
  writer_ = &writer;
  writer.reader_ = this;
  writer.node().note_change();  // it may not have been told what was read
  return true;
}

void input_end::pack(moved_input& into) const {
  channel_end::pack(into.its);
  into.length = length_;
  into.is_writer_known = is_writer_known_;
  into.n_read = read_.load(std::memory_order_relaxed);
  into.n_told = told_;
  into.n_arrived = arrived_.load(std::memory_order_relaxed);
  into.n_in_all = n_in_all_.load(std::memory_order_relaxed);
  if (is_closing()) return;
  for (std::uint32_t i = into.n_read; i != into.n_arrived; ++i) into.tokens.push_back({i, bytes_of_token(i)});
  for (const std::uint32_t i : early_) into.tokens.push_back({i, bytes_of_token(i)});
}

void input_end::unpack(const moved_input& from, std::uint32_t number) {
  channel_end::unpack(from.its, number);
  length_ = from.length;
  is_writer_known_ = from.is_writer_known;
  read_.store(from.n_read, std::memory_order_relaxed);
  told_ = from.n_told;
  arrived_.store(from.n_arrived, std::memory_order_relaxed);
  n_in_all_.store(from.n_in_all, std::memory_order_relaxed);
  make_room(", which have come with it");
  for (const moved_token& each : from.tokens) {
    restore_token(each.number, each.bytes);
    if (each.number - from.n_read >= from.n_arrived - from.n_read) early_.push_back(each.number);
  }
  if (told_ != from.n_read) node().note_move(true);
}

void input_end::refuse_empty(const char* call) const {
  refuse(std::string(call) + (is_connected() ? ": no token is there; ask available() before"
                                             : ": the port has no channel; ask is_connected() before"));
}

// --- The writer's end

output_end::output_end(actor_node& node, std::string name, bool is_required)
    : channel_end(node, std::move(name), is_required) {
  node.enter(*this);
}
output_end::~output_end() {
  end_life();
  node().leave(*this);
}

void output_end::connect(const channel_request& asked, input_end& reader, std::uint32_t number) {
  reader_ = &reader;
  connect(asked, number);
}

void output_end::connect(const channel_request& asked, std::uint32_t number) {
  number_ = number;
  other_actor_ = asked.to;
  other_port_ = asked.in;
  if (reader_ == nullptr) note_other(asked.reader);
  capacity_ = asked.capacity;
  weight_ = asked.weight;
  written_ = 0;
  counted_ = 0;
  read_.store(0, std::memory_order_relaxed);
  has_reader_finished_.store(false, std::memory_order_relaxed);
  is_connected_.store(true, std::memory_order_release);
}

void output_end::note_read(std::uint32_t n) noexcept {
  const std::uint32_t n_more = n - read_.load(std::memory_order_relaxed);
  if (n_more > capacity_) return;  // overtaken by a later count: numbers wrap
  read_.store(n, std::memory_order_release);
  node().note_change();
}

void output_end::note_end_of_reader() noexcept {
  has_reader_finished_.store(true, std::memory_order_release);
  node().note_end();
}

void output_end::close() {
  if (!has_channel() || is_closing()) return;
  const bool is_reader_there = !has_reader_finished();
  is_closing_.store(true, std::memory_order_release);
  is_connected_.store(false, std::memory_order_release);
  if (!is_reader_there) return;
  if (reader_ != nullptr) return reader_->note_end_of_writer(written_);
  const far_place to = other();
  node().part()->channels().tell_end_of_writer(to.pe, to.number, written_);
}

void output_end::detach() noexcept {
  if (reader_ != nullptr && reader_->writer_ == this) reader_->writer_ = nullptr;
  reader_ = nullptr;
  forget_channel();
}

void output_end::pack(moved_output& into) const {
  channel_end::pack(into.its);
  into.n_written = written_;
  into.n_read = read_.load(std::memory_order_relaxed);
  into.has_reader_finished = has_reader_finished_.load(std::memory_order_relaxed);
  into.weight = weight_;
}

void output_end::unpack(const moved_output& from, std::uint32_t number) {
  channel_end::unpack(from.its, number);
  written_ = from.n_written;
  counted_ = written_;
  weight_ = from.weight;
  read_.store(from.n_read, std::memory_order_relaxed);
  has_reader_finished_.store(from.has_reader_finished, std::memory_order_relaxed);
}

void output_end::refuse_full() const {
  if (!is_connected()) refuse("write: the port has no channel; ask is_connected() before");
  refuse("write: the channel to " + other_actor_ + "." + other_port_ + " is full, with " + std::to_string(capacity_) +
         (capacity_ == 1 ? " token" : " tokens") + "; ask free_capacity() before");
}

}  // namespace shoal::internal
