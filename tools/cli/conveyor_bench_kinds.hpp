/// The other kinds of conveyors as streams: simple conveyors, exstacks and biconveyors. Their items have types.
#pragma once

#include "shoal/conveyor/biconveyor.hpp"
#include "shoal/conveyor/exstack.hpp"
#include "shoal/conveyor/exstack2.hpp"
#include "shoal/conveyor/simple_conveyor.hpp"
#include "tools/cli/conveyor_bench_streams.hpp"

namespace shoal::cli {

template <item T>
class simple_stream : public typed_items<T> {
public:
  simple_stream(world& w, const bench_request& request)
      : conveyor_(w.buffers(), {.capacity_items = request.capacity_items, .steady = request.is_steady}) {}

  void begin(std::size_t) { conveyor_.begin(); }
  progress advance(bool is_done) { return conveyor_.advance(is_done); }
  bool unpull() { return conveyor_.unpull(); }
  void reset() { conveyor_.reset(); }

  [[nodiscard]] bool push(const std::byte* item, pe_id target) {
    return conveyor_.push(this->value_at(item), target);
  }
  [[nodiscard]] const std::byte* pull() { return this->bytes_at(conveyor_.pull()); }
  [[nodiscard]] const std::byte* pull(pe_id& from) { return this->bytes_at(conveyor_.pull(from)); }

private:
  simple_conveyor<T> conveyor_;
};

template <item T>
class exstack_stream : public typed_items<T> {
public:
  exstack_stream(world& w, const bench_request& request) : stack_(w.buffers(), request.capacity_items) {}

  void begin(std::size_t) { has_pushed_ = is_over_ = false; }

  /// An exchange belongs to the turn of the loop before. All must have been pulled by then.
  progress advance(bool is_done) {
    if (is_over_) return progress::complete;
    if (has_pushed_) stack_.exchange();
    has_pushed_ = true;
    is_over_ = !stack_.proceed(is_done);
    return is_over_ ? progress::cleanup : progress::working;  // the last exchange may have brought items
  }
  bool unpull() { return stack_.unpull(); }
  void reset() { stack_.reset(); }

  [[nodiscard]] bool push(const std::byte* item, pe_id target) {
    return stack_.push(this->value_at(item), target) != 0;
  }
  [[nodiscard]] const std::byte* pull() { return this->bytes_at(stack_.pull()); }
  [[nodiscard]] const std::byte* pull(pe_id& from) { return this->bytes_at(stack_.pull(from)); }

private:
  exstack<T> stack_;
  bool has_pushed_ = false;  // in a turn before
  bool is_over_ = false;
};

template <item T>
class exstack2_stream : public typed_items<T> {
public:
  exstack2_stream(world& w, const bench_request&)
      : stack_(w.buffers(), w.buffers().payload_bytes() / sizeof(T)) {}

  void begin(std::size_t) {}
  progress advance(bool is_done) { return stack_.proceed(is_done) ? progress::working : progress::complete; }
  bool unpull() { return stack_.unpull(); }
  void reset() { stack_.reset(); }

  [[nodiscard]] bool push(const std::byte* item, pe_id target) {
    return stack_.push(this->value_at(item), target) != 0;
  }
  [[nodiscard]] const std::byte* pull() { return this->bytes_at(stack_.pull()); }
  [[nodiscard]] const std::byte* pull(pe_id& from) { return this->bytes_at(stack_.pull(from)); }

private:
  exstack2<T> stack_;
};

/// Pushes queries and pulls replies, both of type T.
template <item T>
class query_stream : public typed_items<T> {
public:
  query_stream(world& w, const bench_request&) : conveyor_(w.buffers()) {}

  template <class Answer>
  void begin(Answer answer) {
    conveyor_.begin(std::move(answer));
  }
  progress advance(bool is_done) { return conveyor_.advance(is_done); }
  static bool unpull() noexcept { return false; }  // replies cannot be put back
  void reset() { conveyor_.reset(); }

  [[nodiscard]] bool push(const std::byte* item, pe_id target) {
    return conveyor_.push(this->value_at(item), target);
  }
  [[nodiscard]] const std::byte* pull() { return this->bytes_at(conveyor_.pull()); }
  /// Replies come in the order of their queries, and do not say from where.
  [[nodiscard]] const std::byte* pull(pe_id&) { return pull(); }

private:
  biconveyor<T, T> conveyor_;
};

}  // namespace shoal::cli
