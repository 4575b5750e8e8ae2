/// One start of a program: it measures point after point, checks what arrives, and prints a line for each.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/network_bench/library/support/json_line.hpp"
#include "tools/network_bench/library/support/options.hpp"
#include "tools/network_bench/library/support/process_pair.hpp"

namespace network_bench {

/// What a line says besides the result.
struct point {
  std::string measure;
  std::string mode;
  std::size_t bytes = 0;
  /// The name of the result in the line.
  std::string unit = "ns";
  /// Threads of each process; 0: not said.
  int n_threads = 0;
  /// Whether messages are on their way at the same time. Then a block lasts several round trips, or its first and last
  /// message would count for too much.
  bool is_pipelined = false;
};

/// Thrown in both processes when one of them received something wrong.
struct wrong_data : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Performs so many repeats and returns the result of them all together, such as the nanoseconds that one took. Both
/// processes call it, and only the first one's result counts.
using block_run = std::function<double(std::int64_t n_repeats)>;

class session {
public:
  /// Collective.
  session(process_pair& processes, const options& given);

  /// Collective. First one block of a few repeats, after which `is_right` says in each process whether the memory holds
  /// what the other one sent. Then blocks of as many repeats as fill `least_seconds` together.
  void measure(const point& of, const block_run& run, const std::function<bool()>& is_right);

  /// Fills a message with what this process sends in `measure`.
  void fill(std::span<std::byte> message, const std::string& measure) const;
  /// Whether a message holds what the other process sends.
  bool has_arrived(std::span<const std::byte> message) const;
  bool spoils(const std::string& measure) const { return given_.spoil == measure; }

  bool is_first() const { return processes_.is_first(); }
  process_pair& processes() { return processes_; }
  const options& given() const { return given_; }

  /// Prints the line in the first process only.
  void print(const json_line& line) const {
    if (is_first()) line.print();
  }

private:
  struct blocks {
    /// Of each block.
    std::int64_t n_repeats = 0;
    std::vector<double> results = {};
  };

  blocks measured(const block_run& run, std::int64_t n_least, double block_ns);
  /// The nanoseconds of one block.
  double time_of(const block_run& run, std::int64_t n, double& result);

  process_pair& processes_;
  const options& given_;
  /// The time of a meeting: half of a round trip or more.
  double meeting_ns_ = 0;
};

/// A measure that --only can name.
struct measure_group {
  std::string name;
  std::function<void(session&)> measure;
};

/// Collective. Measures all that the options want. Returns the exit status: 1 after wrong data, with one line.
int measure_all(session& all, const std::vector<measure_group>& groups);

}  // namespace network_bench
