#include "shoal/dataflow/internal/channel_end.hpp"

#include <bit>
#include <exception>
#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/dataflow/internal/channel_request.hpp"
#include "shoal/dataflow/internal/graph_part.hpp"

namespace shoal::internal {

channel_end::channel_end(actor_node& node, std::string name, bool is_required)
    : node_(node), name_(std::move(name)), is_required_(is_required) {}

std::string channel_end::describe() const { return "actor " + node_.name() + ", port " + name_; }

void channel_end::refuse(const std::string& what) const { end_job(status_usage, describe() + ": " + what); }

void channel_end::refuse_outside_act(const char* call) const {
  refuse(std::string(call) + " outside the act and start of its actor, where alone its ports are used");
}

// An exception may destroy a graph that runs.
void channel_end::end_life() const noexcept {
  if (!is_connected() || node_.part() == nullptr || !node_.part()->is_running() || std::uncaught_exceptions() > 0)
    return;
  refuse("destroyed while the graph runs; a port lives as long as its actor");
}

void channel_end::refuse_bytes(std::size_t n) const {
  refuse("a token of " + std::to_string(n) +
         " bytes is not what its type reads; let its serialize name the same members in the same order when it writes "
         "and when it reads");
}

input_end::input_end(actor_node& node, std::string name, bool is_required)
    : channel_end(node, std::move(name), is_required) {
  node.enter(*this);
}
input_end::~input_end() {
  end_life();
  node().leave(*this);
}

void input_end::open(const channel_request& asked) {
  if (capacity_ != 0) {
    refuse("has a channel already, from " + other_actor_ + "." + other_port_ + "; a port has one: " + asked.describe());
  }
  capacity_ = asked.capacity;
  other_actor_ = asked.from;
  other_port_ = asked.out;
  try {
    make_places(std::bit_ceil(capacity_), asked.length);
  } catch (const std::exception&) {
    refuse("no memory for " + std::to_string(capacity_) + " tokens of length " + std::to_string(asked.length) + ": " +
           asked.describe());
  }
}

void input_end::connect(output_end& writer) noexcept {
  writer_ = &writer;
  is_connected_.store(true, std::memory_order_release);
}

// Tokens may have come and been read before this. Then the next act tells so, or else this call.
void input_end::connect(pe_id pe, std::uint32_t number) {
  other_pe_ = pe;
  other_number_ = number;
  is_connected_.store(true, std::memory_order_release);
  if (!node().part()->is_shared()) static_cast<void>(pay_writer());
  node().note_change();
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
  if (writer_ != nullptr || n == told_) return true;
  if (!is_connected()) return false;
  told_ = n;
  node().part()->tell_read(other_pe_, other_number_, n);
  return true;
}

void input_end::close() {
  if (!is_connected()) return;
  if (writer_ != nullptr) return writer_->note_end_of_reader();
  node().part()->tell_end_of_reader(other_pe_, other_number_);
}

void input_end::refuse_empty(const char* call) const {
  refuse(std::string(call) + (is_connected() ? ": no token is there; ask available() before"
                                             : ": the port has no channel; ask is_connected() before"));
}

output_end::output_end(actor_node& node, std::string name, bool is_required)
    : channel_end(node, std::move(name), is_required) {
  node.enter(*this);
}
output_end::~output_end() {
  end_life();
  node().leave(*this);
}

void output_end::connect(const channel_request& asked, input_end& reader) {
  reader_ = &reader;
  connect(asked);
}

void output_end::connect(const channel_request& asked) {
  if (is_connected()) {
    refuse("has a channel already, to " + other_actor_ + "." + other_port_ + "; a port has one: " + asked.describe());
  }
  other_actor_ = asked.to;
  other_port_ = asked.in;
  other_pe_ = asked.reader_pe;
  other_number_ = asked.reader_number;
  capacity_ = asked.capacity;
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
  node().note_change();
}

void output_end::refuse_full() const {
  if (!is_connected()) refuse("write: the port has no channel; ask is_connected() before");
  refuse("write: the channel to " + other_actor_ + "." + other_port_ + " is full, with " + std::to_string(capacity_) +
         (capacity_ == 1 ? " token" : " tokens") + "; ask free_capacity() before");
}

}  // namespace shoal::internal
