/// A call that world.defer leaves for later.
#pragma once

#include <utility>

namespace shoal::internal {

struct deferred_call {
  virtual ~deferred_call() = default;
  virtual void operator()() = 0;
};

template <class F>
struct deferred_call_of final : deferred_call {
  explicit deferred_call_of(F f) : f_(std::move(f)) {}
  void operator()() override { f_(); }

private:
  F f_;
};

}  // namespace shoal::internal
