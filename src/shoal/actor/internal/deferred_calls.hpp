/// The calls that world.defer leaves for later.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>

#include "shoal/actor/internal/deferred_call.hpp"
#include "shoal/actor/internal/deferred_work.hpp"

namespace shoal::internal {

class deferred_calls final : private work_queue {
public:
  explicit deferred_calls(world& home) : work_queue(home, "world.defer") {}
  ~deferred_calls() { end_life(); }

  void leave(std::unique_ptr<deferred_call> call);

private:
  struct entry {
    std::unique_ptr<deferred_call> call;
    superstep_part* whose;
  };

  bool run(std::size_t n_most) override;
  bool is_empty() const noexcept override { return calls_.empty(); }
  void drop() noexcept override { calls_.clear(); }

  std::deque<entry> calls_;
};

}  // namespace shoal::internal
