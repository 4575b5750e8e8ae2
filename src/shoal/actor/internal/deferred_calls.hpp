/// The calls that world.defer and world.post leave for later.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>

#include "shoal/actor/internal/deferred_call.hpp"
#include "shoal/actor/internal/deferred_work.hpp"

namespace shoal::internal {

class deferred_calls final : private work_queue {
public:
  /// `call`: by which they are left.
  deferred_calls(world& home, const char* call) : work_queue(home, call) {}
  ~deferred_calls() { end_life(); }

  /// `is_by_program`: as of work_queue::leave_one.
  void leave(std::unique_ptr<deferred_call> call, bool is_by_program = true);

private:
  struct entry {
    std::unique_ptr<deferred_call> call;
    work_owner whose;
  };

  bool run(std::size_t n_most) override;
  bool is_empty() const noexcept override { return calls_.empty(); }
  void drop() noexcept override { calls_.clear(); }

  std::deque<entry> calls_;
};

}  // namespace shoal::internal
