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

// The order statistics of n values between which the median lies with 90 %: n/2 -+ 1.645 sqrt(n)/2.
measured_value median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  const double half = 1.645 * std::sqrt(n) / 2;
  const auto low = static_cast<std::size_t>(std::max(0.0, std::floor(n / 2 - half)));
  const auto high = static_cast<std::size_t>(std::min(n - 1, std::ceil(n / 2 + half)));
  const std::size_t middle = values.size() / 2;
  const double median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return {median, (values[high] - values[low]) / 2};
}

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

link_measurement measure_from_near(substrate& machine, const link_probe_options& options) {
  std::vector<std::size_t> sizes = options.payloads;
  if (sizes.empty()) sizes = {sizeof(request), machine.payload_bytes()};
  for (std::size_t& bytes : sizes) bytes = std::clamp(bytes, sizeof(request), machine.payload_bytes());
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());

  pair_end mine(machine, options.far);
  const auto n_sizes = sizes.size();
  std::vector<std::uint64_t> n_echoes(n_sizes);
  std::vector<std::uint64_t> n_streamed(n_sizes);
  for (std::size_t i = 0; i < n_sizes; ++i) {  // also the warm-up
    mine.echo(sizes[i], n_first_guess);
    const double one_way_ns = mine.echo(sizes[i], n_first_guess).one_way_ns;
    n_echoes[i] = n_in_block(2 * one_way_ns, options.block_ns);
    // More than the pool has slots, so that it is the pace of the link that counts.
    const std::uint64_t n_flood = 4 * machine.n_slots();
    n_streamed[i] =
        std::max(n_flood, n_in_block(mine.stream(sizes[i], n_flood, one_way_ns, one_way_ns), options.block_ns));
  }

  std::vector<std::vector<double>> one_way(n_sizes);
  std::vector<std::vector<double>> streamed(n_sizes);
  std::vector<double> latency;
  std::vector<double> overhead;
  std::vector<double> gap;
  std::vector<double> per_byte;
  for (int block = 0; block < options.n_blocks; ++block) {
    double overhead_ns = 0;
    for (std::size_t i = 0; i < n_sizes; ++i) {
      const auto [one_way_ns, busy_ns] = mine.echo(sizes[i], n_echoes[i]);
      if (i == 0) overhead_ns = busy_ns;
      one_way[i].push_back(one_way_ns);
      streamed[i].push_back(mine.stream(sizes[i], n_streamed[i], one_way_ns, one_way.front().back()));
    }
    const double least_ns = streamed.front().back();
    overhead.push_back(overhead_ns);
    latency.push_back(std::max(0.0, one_way.front().back() - 2 * overhead_ns));
    if (n_sizes > 1) {
      const auto more = static_cast<double>(sizes.back() - sizes.front());
      per_byte.push_back(std::max(0.0, (streamed.back().back() - least_ns) / more));
    } else {
      per_byte.push_back(0);
    }
    gap.push_back(std::max(0.0, least_ns - per_byte.back() * static_cast<double>(sizes.front())));
  }
  mine.end();

  link_measurement result{median_of(latency), median_of(overhead), median_of(gap), median_of(per_byte), {}};
  for (std::size_t i = 0; i < n_sizes; ++i) {
    result.points.push_back({sizes[i], median_of(one_way[i]), median_of(streamed[i])});
  }
  return result;
}

}  // namespace

link_figures link_measurement::figures() const noexcept {
  const auto whole = [](const measured_value& of) { return static_cast<std::uint64_t>(std::llround(of.median)); };
  return {whole(latency_ns), whole(overhead_ns), whole(gap_ns), ns_per_byte.median};
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
