/// Biconveyors as streams that push queries and pull replies. Here `begin` takes a function `answer(query, from,
/// reply)`, which writes the reply to the query of PE `from` and returns how many bytes it has. Replies come in the
/// order of their queries, so they do not name their sender, and they cannot be put back.
#pragma once

#include <span>
#include <vector>

#include "shoal/conveyor/kinds/biconveyor.hpp"
#include "shoal/conveyor/kinds/elastic_biconveyor.hpp"
#include "tools/conveyor_bench/elastic_streams.hpp"
#include "tools/conveyor_bench/streams.hpp"

namespace shoal::cli {

/// Queries and replies of type T.
template <item T>
class query_stream : public stream_over<T, biconveyor<T, T>> {
  using base = stream_over<T, biconveyor<T, T>>;

public:
  query_stream(world& w, const bench_options&) : base(w) {}

  template <class Answer>
  void begin(Answer answer) {
    this->conveyor_.begin([answer](const T& query, pe_id from) {
      T reply;
      answer(std::as_bytes(std::span(&query, 1)), from, reinterpret_cast<std::byte*>(&reply));
      return reply;
    });
  }
  static bool unpull() noexcept { return false; }

  [[nodiscard]] const std::byte* pull() { return base::pull(); }
  [[nodiscard]] const std::byte* pull(pe_id&) { return base::pull(); }
};

/// Queries and replies of random sizes.
class elastic_query_stream : public elastic_stream_over<elastic_biconveyor> {
public:
  elastic_query_stream(world& w, const bench_options& options) : elastic_stream_over(w, options) {}

  static constexpr std::size_t alignment() noexcept { return 1; }

  template <class Answer>
  void begin(Answer answer) {
    n_pushed_ = 0;
    conveyor_.begin([this, answer](std::span<const std::byte> query, pe_id from, std::vector<std::byte>& reply) {
      reply.resize(item_bytes());
      reply.resize(answer(query, from, reply.data()));
    });
  }
  static bool unpull() noexcept { return false; }

  [[nodiscard]] const std::byte* pull() {
    const std::vector<std::byte>* const reply = conveyor_.pull();
    if (reply == nullptr) return nullptr;
    n_pulled_bytes_ = reply->size();
    static constexpr std::byte nothing{};
    return reply->empty() ? &nothing : reply->data();
  }
  [[nodiscard]] const std::byte* pull(pe_id&) { return pull(); }
};

}  // namespace shoal::cli
