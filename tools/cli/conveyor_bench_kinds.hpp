/// The other kinds of conveyors as streams: simple conveyors, exstacks and biconveyors. Their items have types.
#pragma once

#include <span>

#include "shoal/conveyor/biconveyor.hpp"
#include "shoal/conveyor/exstack.hpp"
#include "shoal/conveyor/exstack2.hpp"
#include "shoal/conveyor/simple_conveyor.hpp"
#include "tools/cli/conveyor_bench_streams.hpp"

namespace shoal::cli {

template <item T>
class simple_stream : public stream_over<T, simple_conveyor<T>> {
public:
  simple_stream(world& w, const bench_request& request)
      : stream_over<T, simple_conveyor<T>>(w, simple_conveyor_options{.capacity_items = request.capacity_items,
                                                                      .steady = request.is_steady,
                                                                      .n_hops = request.kind->n_hops}) {}
};

template <item T>
class exstack_stream : public stream_over<T, exstack<T>> {
public:
  exstack_stream(world& w, const bench_request& request) : stream_over<T, exstack<T>>(w, request.capacity_items) {}

  void begin(std::size_t) { has_pushed_ = is_over_ = false; }

  /// An exchange belongs to the turn of the loop before. All must have been pulled by then.
  progress advance(bool is_done) {
    if (is_over_) return progress::complete;
    if (has_pushed_) this->conveyor_.exchange();
    has_pushed_ = true;
    is_over_ = !this->conveyor_.proceed(is_done);
    return is_over_ ? progress::cleanup : progress::working;  // the last exchange may have brought items
  }

private:
  bool has_pushed_ = false;  // in a turn before
  bool is_over_ = false;
};

template <item T>
class exstack2_stream : public stream_over<T, exstack2<T>> {
public:
  exstack2_stream(world& w, const bench_request&)
      : stream_over<T, exstack2<T>>(w, w.buffers().payload_bytes() / sizeof(T)) {}

  void begin(std::size_t) {}
  progress advance(bool is_done) { return this->conveyor_.proceed(is_done) ? progress::working : progress::complete; }
};

/// Pushes queries and pulls replies, both of type T.
template <item T>
class query_stream : public stream_over<T, biconveyor<T, T>> {
  using base = stream_over<T, biconveyor<T, T>>;

public:
  query_stream(world& w, const bench_request&) : base(w) {}

  /// `answer` writes the reply to a query of a PE where it is told to, and returns how many bytes it has.
  template <class Answer>
  void begin(Answer answer) {
    this->conveyor_.begin([answer](const T& query, pe_id from) {
      T reply;
      answer(std::as_bytes(std::span(&query, 1)), from, reinterpret_cast<std::byte*>(&reply));
      return reply;
    });
  }
  [[nodiscard]] bool push(const std::byte* query, pe_id target) { return base::push(query, target); }
  static bool unpull() noexcept { return false; }  // replies cannot be put back

  [[nodiscard]] const std::byte* pull() { return base::pull(); }
  /// Replies come in the order of their queries, and do not say from where.
  [[nodiscard]] const std::byte* pull(pe_id&) { return base::pull(); }
};

}  // namespace shoal::cli
