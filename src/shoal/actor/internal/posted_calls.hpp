/// Calls that other threads of the program leave for the PE's own thread: world.post.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "shoal/actor/internal/deferred_calls.hpp"
#include "shoal/conveyor/internal/spare_work.hpp"

namespace shoal::internal {

class exchange;
class team_worlds;

class posted_calls final : public spare_work {
public:
  /// All outlive this object.
  posted_calls(world& home, exchange& through, const team_worlds& teams);
  ~posted_calls();
  posted_calls(const posted_calls&) = delete;
  posted_calls& operator=(const posted_calls&) = delete;

  /// For any thread.
  void post(std::unique_ptr<deferred_call> call);

  // --- For the PE's own thread, in its main program

  /// Leaves what was posted for later, as if the main program did so: in a finish, if that can still take it.
  bool run() override;
  bool settle() override { return false; }
  /// The job ends. It ends with a report if something was posted and not called.
  void require_none();

private:
  exchange& exchange_;
  const team_worlds& teams_;
  deferred_calls later_;
  std::atomic<bool> has_any_{false};
  std::mutex posting_;
  std::vector<std::unique_ptr<deferred_call>> posted_;  // under posting_
};

}  // namespace shoal::internal
