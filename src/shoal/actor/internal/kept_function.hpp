/// Functions that lie in a buffer and answer later.
#pragma once

#include <source_location>
#include <type_traits>
#include <utility>

#include "shoal/actor/future.hpp"
#include "shoal/actor/internal/answers.hpp"

namespace shoal::internal {

/// A copy of a function, until it has answered.
template <class F>
class kept_function {
public:
  explicit kept_function(const F& f) : f_(&answers::current().make<F>(f)) {}
  kept_function(kept_function&& from) noexcept : f_(std::exchange(from.f_, nullptr)) {}
  kept_function& operator=(kept_function&&) = delete;
  ~kept_function() {
    if (f_ != nullptr) answers::current().destroy(*f_);
  }

  F& operator*() const noexcept { return *f_; }

private:
  F* f_;
};

/// Whether a function with captures returns a future: then it may be a coroutine, which uses its captures after its
/// call has returned.
template <class F, class Result>
inline constexpr bool answers_later = is_future<std::remove_cvref_t<Result>> && !std::is_empty_v<F>;

/// Calls `call` with a copy of `f` that lasts until the answer is there.
template <class F, class Call>
auto call_kept(F& f, const Call& call) {
  kept_function<std::remove_const_t<F>> kept(f);
  auto answer = call(*kept);
  if (answer.is_ready()) return answer;
  pending_answer& to = answers::current().open(-1, answer.where());
  answer.forward(to, std::move(kept));
  return decltype(answer)(to);
}

}  // namespace shoal::internal
