/// The two processes of a job, as the code that both programs share sees them.
#pragma once

#include <cstdint>

namespace network_bench {

class process_pair {
public:
  virtual ~process_pair() = default;

  /// The first process measures and prints; the second answers.
  virtual bool is_first() const = 0;

  // All of these are collective, and none is part of a measured time.
  virtual void meet() = 0;
  virtual std::int64_t from_first(std::int64_t value) = 0;
  virtual std::int64_t sum(std::int64_t mine) = 0;
};

}  // namespace network_bench
