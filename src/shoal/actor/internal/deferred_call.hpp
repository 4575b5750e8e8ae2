/// A call that world.defer leaves for later.
#pragma once

#include <type_traits>
#include <utility>

#include "shoal/actor/internal/kept_function.hpp"

namespace shoal::internal {

struct deferred_call {
  virtual ~deferred_call() = default;
  virtual void operator()() = 0;
};

template <class F>
struct deferred_call_of final : deferred_call {
  explicit deferred_call_of(F f) : f_(std::move(f)) {}
  void operator()() override {
    if constexpr (answers_later<F, std::invoke_result_t<F&>>) {
      call_kept(std::move(f_), [](F& kept) { return kept(); });
    } else {
      f_();
    }
  }

private:
  F f_;
};

}  // namespace shoal::internal
