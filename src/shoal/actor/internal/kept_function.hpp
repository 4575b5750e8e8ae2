/// Functions that answer later, when the memory they lie in may be another's.
#pragma once

#include <type_traits>
#include <utility>

#include "shoal/actor/internal/answers.hpp"

namespace shoal::internal {

/// Whether a function with captures returns a future: then it may be a coroutine, which uses its captures after its
/// call has returned.
template <class F, class Result>
inline constexpr bool answers_later = is_future<std::remove_cvref_t<Result>> && !std::is_empty_v<F>;

/// A function, until it has answered.
template <class F>
class kept_function {
public:
  explicit kept_function(const F& f) : f_(&answers::current().make<F>(f)) {}
  explicit kept_function(F&& f) : f_(&answers::current().make<F>(std::move(f))) {}
  kept_function(kept_function&& from) noexcept : f_(std::exchange(from.f_, nullptr)) {}
  kept_function& operator=(kept_function&&) = delete;
  ~kept_function() {
    if (f_ != nullptr) answers::current().destroy(*f_);
  }

  F& operator*() const noexcept { return *f_; }

private:
  F* f_;
};

/// Calls `call` with a copy of `f` that lasts until the answer is there.
template <class F, class Call>
auto call_kept(F&& f, const Call& call) {
  kept_function<std::remove_cvref_t<F>> kept(std::forward<F>(f));
  auto answer = call(*kept);
  if (answer.is_ready()) return answer;
  pending_answer& to = answers::current().open(pending_answer::of_here, answer.where());
  answer.forward(to, std::move(kept));
  return decltype(answer)(to);
}

}  // namespace shoal::internal
