/// Start and end of MPI, and the two processes.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "tools/network_bench/library/support/process_pair.hpp"

namespace network_bench {

class job : public process_pair {
public:
  /// Initializes MPI for single, funneled, serialized or multiple.
  explicit job(const std::string& thread_level);
  ~job() override;
  job(const job&) = delete;
  job& operator=(const job&) = delete;

  bool is_first() const override { return rank_ == 0; }
  void meet() override;
  std::int64_t from_first(std::int64_t value) override;
  std::int64_t sum(std::int64_t mine) override;

  int n_processes() const { return n_processes_; }
  /// Whether the library provides the level that it was asked for, or more; and the name of what it provides.
  bool has_level() const { return provided_ >= wanted_; }
  std::string provided_level() const;

  /// Name and version of the library, such as "Open MPI 4.1.4".
  static std::string library();
  /// Collective. The hosts of all processes.
  std::vector<std::string> hosts() const;

private:
  int wanted_ = MPI_THREAD_SINGLE;
  int provided_ = MPI_THREAD_SINGLE;
  int rank_ = 0;
  int n_processes_ = 1;
};

/// The rank of the other process.
int other_rank();

}  // namespace network_bench
