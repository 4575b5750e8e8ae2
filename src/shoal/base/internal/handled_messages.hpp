/// What a worker of a PE handles, for reports.
#pragma once

#include <string>

#include "shoal/base/internal/signal_text.hpp"

namespace shoal::internal {

/// Messages that a task handles, which may not wait meanwhile.
class handled_messages {
public:
  /// For reports: "actor histogram, message long".
  virtual std::string describe() const = 0;
  /// The same for a signal handler, as sink::tell.
  virtual void tell(signal_text& into, const void* address) const noexcept = 0;

protected:
  ~handled_messages() = default;
};

}  // namespace shoal::internal
