#include "shoal/substrate/internal/link_probe.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "shoal/base/internal/contract.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {
namespace {

// What near asks of far: to send `n` buffers back, one for each; or to take `n` and send one back; or to end.
struct request {
  enum class kind : std::uint8_t { echo, take, end };
  kind what = kind::end;
  std::uint64_t n = 0;
};

constexpr std::size_t n_first_guess = 8;  // operations, from which the number for a block is computed
constexpr std::size_t n_most = 1 << 20;

class pair_end {
public:
  pair_end(substrate& machine, pe_id other) : machine_(machine), other_(other) {}

  void send(std::size_t bytes, const request& content = {}) {
    unsigned patience = 0;
    buffer* open = timed_acquire();
    for (; open == nullptr; open = timed_acquire()) {
      if (early_ == nullptr) early_ = machine_.poll();  // slots may come back only in poll
      machine_.wait(patience);
    }
    const std::size_t used = std::max(bytes, sizeof content);
    // Written and read as by programs, so that within a node lines go from core to core.
    std::memset(open->payload(), 1, used);
    std::memcpy(open->payload(), &content, sizeof content);
    const std::uint64_t begin_ns = machine_.stopwatch_ns();
    open->header.bytes = static_cast<std::uint32_t>(used);
    open->header.source = static_cast<std::int32_t>(machine_.my_pe());
    machine_.post(*open, other_);
    busy_ns_ += machine_.stopwatch_ns() - begin_ns;
    ++n_calls_;
  }

  struct received {
    request content;
    std::size_t bytes;
  };
  received receive() {
    unsigned patience = 0;
    for (;;) {
      const std::uint64_t begin_ns = machine_.stopwatch_ns();
      buffer* const arrived = early_ != nullptr ? std::exchange(early_, nullptr) : machine_.poll();
      if (arrived == nullptr) {
        machine_.wait(patience);
        continue;
      }
      busy_ns_ += machine_.stopwatch_ns() - begin_ns;
      received found{{}, arrived->header.bytes};
      std::memcpy(&found.content, arrived->payload(), sizeof found.content);
      for (std::size_t i = 0; i < found.bytes; i += cache_line_bytes)
        sum_ = sum_ + std::to_integer<unsigned>(arrived->payload()[i]);
      const std::uint64_t release_ns = machine_.stopwatch_ns();
      machine_.release(*arrived);
      busy_ns_ += machine_.stopwatch_ns() - release_ns;
      ++n_calls_;
      return found;
    }
  }

  // Far: serves until near has enough.
  void serve() {
    for (;;) {
      const request asked = receive().content;
      if (asked.what == request::kind::end) return;
      std::size_t bytes = 0;
      for (std::uint64_t i = 0; i < asked.n; ++i) {
        bytes = receive().bytes;
        if (asked.what == request::kind::echo) send(bytes);
      }
      if (asked.what == request::kind::take) send(0);
    }
  }

  // Near: half of the round trip of a buffer, and what the calls for it take of a PE.
  struct echoed {
    double one_way_ns, overhead_ns;
  };
  echoed echo(std::size_t bytes, std::uint64_t n) {
    send(0, {request::kind::echo, n});
    busy_ns_ = n_calls_ = 0;
    const std::uint64_t begin_ns = machine_.stopwatch_ns();
    for (std::uint64_t i = 0; i < n; ++i) {
      send(bytes);
      receive();
    }
    const auto took_ns = static_cast<double>(machine_.stopwatch_ns() - begin_ns);
    return {took_ns / 2 / static_cast<double>(n), static_cast<double>(busy_ns_) / static_cast<double>(n_calls_)};
  }

  // Near: the time of a buffer among many. The way of the last one, and of the answer, are taken off.
  double stream(std::size_t bytes, std::uint64_t n, double one_way_ns, double answer_ns) {
    send(0, {request::kind::take, n});
    const std::uint64_t begin_ns = machine_.stopwatch_ns();
    for (std::uint64_t i = 0; i < n; ++i) send(bytes);
    receive();
    const auto took_ns = static_cast<double>(machine_.stopwatch_ns() - begin_ns);
    return std::max(took_ns / 8, took_ns - one_way_ns - answer_ns) / static_cast<double>(n);
  }

  void end() { send(0, {request::kind::end, 0}); }

private:
  buffer* timed_acquire() {
    const std::uint64_t begin_ns = machine_.stopwatch_ns();
    buffer* const open = machine_.try_acquire();
    if (open != nullptr) busy_ns_ += machine_.stopwatch_ns() - begin_ns;
    return open;
  }

  substrate& machine_;
  pe_id other_;
  buffer* early_ = nullptr;  // arrived while this PE waited for a slot
  std::uint64_t busy_ns_ = 0;  // inside calls that sent or received a buffer
  std::uint64_t n_calls_ = 0;
  volatile unsigned sum_ = 0;  // of what was read
};

// How many operations fill a block, if one takes so long.
std::uint64_t n_in_block(double one_ns, std::uint64_t block_ns) {
  const double n = static_cast<double>(block_ns) / std::max(1.0, one_ns);
  return static_cast<std::uint64_t>(std::clamp(n, static_cast<double>(n_first_guess), static_cast<double>(n_most)));
}

// What was measured of one size, by block.
struct size_samples {
  std::size_t bytes = 0;
  std::uint64_t n_echoes = 0;  // in a block
  std::uint64_t n_streamed = 0;
  std::vector<double> one_way_ns;
  std::vector<double> stream_ns;
};

std::vector<size_samples> sizes_of(const substrate& machine, const link_probe_options& options) {
  std::vector<std::size_t> sizes = options.payloads;
  if (sizes.empty()) sizes = {sizeof(request), machine.payload_bytes() / 2, machine.payload_bytes()};
  for (std::size_t& bytes : sizes) bytes = std::clamp(bytes, sizeof(request), machine.payload_bytes());
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  std::vector<size_samples> samples;
  for (const std::size_t bytes : sizes) samples.push_back({.bytes = bytes, .one_way_ns = {}, .stream_ns = {}});
  return samples;
}

// Finds out how many operations fill a block, which also warms up. A stream must outlast round trips many times, so that it is
// its pace that counts.
void choose_numbers(pair_end& mine, size_samples& of, std::uint64_t block_ns) {
  mine.echo(of.bytes, n_first_guess);
  const double one_way_ns = mine.echo(of.bytes, n_first_guess).one_way_ns;
  of.n_echoes = n_in_block(2 * one_way_ns, block_ns);
  const double wanted_ns = std::max(static_cast<double>(block_ns), 20 * one_way_ns);
  of.n_streamed = n_first_guess;
  double all_ns = 0;
  for (;;) {
    all_ns = mine.stream(of.bytes, of.n_streamed, one_way_ns, one_way_ns) * static_cast<double>(of.n_streamed);
    if (all_ns >= wanted_ns / 4 || of.n_streamed >= n_most / 4) break;
    of.n_streamed *= 4;
  }
  const double n = static_cast<double>(of.n_streamed) * wanted_ns / std::max(1.0, all_ns);
  of.n_streamed =
      static_cast<std::uint64_t>(std::clamp(n, static_cast<double>(n_first_guess), static_cast<double>(n_most)));
}

link_measurement measure_from_near(substrate& machine, const link_probe_options& options) {
  std::vector<size_samples> sizes = sizes_of(machine, options);
  pair_end mine(machine, options.far);
  for (size_samples& each : sizes) choose_numbers(mine, each, options.block_ns);

  std::vector<double> latency;
  std::vector<double> overhead;
  std::vector<double> gap;
  std::vector<double> per_byte;
  std::vector<double> overhead_per_byte;
  const size_samples& least = sizes.front();
  const size_samples& most = sizes.back();
  const size_samples& half = sizes[sizes.size() < 2 ? 0 : sizes.size() - 2];
  for (int block = 0; block < options.n_blocks; ++block) {
    double most_busy_ns = 0;  // with the largest buffers
    for (size_samples& each : sizes) {
      const auto [one_way_ns, busy_ns] = mine.echo(each.bytes, each.n_echoes);
      most_busy_ns = std::min(busy_ns, one_way_ns / 2);
      each.one_way_ns.push_back(one_way_ns);
      each.stream_ns.push_back(mine.stream(each.bytes, each.n_streamed, one_way_ns, least.one_way_ns.back()));
      // Calls may take all of the time of a way, but no more.
      if (&each == &least) overhead.push_back(most_busy_ns);
    }
    latency.push_back(least.one_way_ns.back() - 2 * overhead.back());
    // Of two large sizes, since small ones may keep pace with the PEs instead of the link.
    const auto more = static_cast<double>(most.bytes - half.bytes);
    per_byte.push_back(more == 0 ? 0 : std::max(0.0, (most.stream_ns.back() - half.stream_ns.back()) / more));
    const double of_all_bytes = std::max(0.0, most_busy_ns - overhead.back());
    overhead_per_byte.push_back(
        most.bytes == least.bytes ? 0 : of_all_bytes / static_cast<double>(most.bytes - least.bytes));
    gap.push_back(std::max(0.0, least.stream_ns.back() - per_byte.back() * static_cast<double>(least.bytes)));
  }
  mine.end();

  link_measurement result{median_of(latency),  median_of(overhead),          median_of(gap),
                          median_of(per_byte), median_of(overhead_per_byte), {}};
  for (const size_samples& each : sizes) {
    result.points.push_back({each.bytes, median_of(each.one_way_ns), median_of(each.stream_ns)});
  }
  return result;
}

}  // namespace

// The median lies with 90 % between the order statistics n/2 -+ 1.645 sqrt(n)/2.
measured_value median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  const double below = static_cast<double>(n) / 2 - 1.645 * std::sqrt(static_cast<double>(n)) / 2;
  const auto low = static_cast<std::size_t>(std::max(0.0, std::floor(below)));
  const double median = (values[(n - 1) / 2] + values[n / 2]) / 2;
  return {median, (values[n - 1 - low] - values[low]) / 2};
}

link_figures link_measurement::figures() const noexcept {
  const auto whole = [](const measured_value& of) { return static_cast<std::uint64_t>(std::llround(of.median)); };
  return {whole(latency_ns), whole(overhead_ns), whole(gap_ns), ns_per_byte.median, overhead_ns_per_byte.median};
}

link_measurement measure_link(substrate& machine, const link_probe_options& options) {
  SHOAL_REQUIRE(options.near != options.far && options.n_blocks > 0);
  SHOAL_REQUIRE(machine.payload_bytes() >= sizeof(request));
  link_measurement result;
  if (machine.my_pe() == options.near) {
    result = measure_from_near(machine, options);
  } else if (machine.my_pe() == options.far) {
    pair_end(machine, options.near).serve();
  }
  machine.arrive({}, nullptr);
  for (unsigned patience = 0; !machine.is_round_complete();) machine.wait(patience);
  return result;
}

}  // namespace shoal::internal
