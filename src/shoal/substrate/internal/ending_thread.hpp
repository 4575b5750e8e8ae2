/// Of the threads of a PE, the one that ends the job.
#pragma once

#include <unistd.h>

#include <atomic>

namespace shoal::internal {

class ending_thread {
public:
  /// Returns on the first thread that calls it, as often as that does. It ends the process; all others stay here until then.
  void claim() noexcept {
    int nobody = 0;
    const int self = ::gettid();
    if (id_.compare_exchange_strong(nobody, self) || nobody == self) return;
    stay();
  }
  /// Waits for the end of the process.
  [[noreturn]] static void stay() noexcept {
    for (;;) ::pause();
  }

private:
  std::atomic<int> id_{0};  // 0: none
};

}  // namespace shoal::internal
