#include "shoal/compat/internal/lambda_kinds.hpp"

#include <cstddef>
#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/conveyor/internal/record.hpp"

// The linker's: where the program begins in memory, and where its initialised variables begin and end.
extern "C" {
[[gnu::visibility("hidden")]] extern const char __ehdr_start[];
[[gnu::visibility("hidden")]] extern const char __data_start[];
[[gnu::visibility("hidden")]] extern const char _edata[];
}

namespace shoal::internal::compat {
namespace {

constexpr std::size_t step = alignof(shoal_lambda_kind);

// A description is read as the kind that it begins with.
static_assert(offsetof(shoal_lambda_kind, number) == offsetof(item_kind, number) &&
              offsetof(shoal_lambda_kind, bytes) == offsetof(item_kind, bytes) &&
              offsetof(shoal_lambda_kind, align) == offsetof(item_kind, align) &&
              sizeof(item_kind) <= offsetof(shoal_lambda_kind, run));

std::uintptr_t begin_of_program() noexcept { return reinterpret_cast<std::uintptr_t>(__ehdr_start); }

bool is_in_program(std::uintptr_t at) noexcept {
  return at >= reinterpret_cast<std::uintptr_t>(__data_start) &&
         at + sizeof(shoal_lambda_kind) <= reinterpret_cast<std::uintptr_t>(_edata);
}

}  // namespace

void number_lambda(shoal_lambda_kind& kind) {
  const auto at = reinterpret_cast<std::uintptr_t>(&kind);
  if (!is_in_program(at)) {
    end_job(status_usage,
            "a lambda of a shared library was sent; only those of the program itself have a name on all PEs");
  }
  kind.number = static_cast<std::uint32_t>((at - begin_of_program()) / step);
}

shoal_lambda_kind* lambda_with(std::uint32_t number) noexcept {
  const std::uintptr_t at = begin_of_program() + std::uintptr_t{number} * step;
  if (!is_in_program(at)) return nullptr;
  auto* const kind = reinterpret_cast<shoal_lambda_kind*>(at);
  if (kind->mark != shoal_lambda_mark) return nullptr;
  kind->number = number;
  return kind;
}

const item_kind& kind_of(const shoal_lambda_kind& lambda) noexcept {
  return reinterpret_cast<const item_kind&>(lambda);
}

const shoal_lambda_kind& lambda_of(const item_kind& kind) noexcept {
  return reinterpret_cast<const shoal_lambda_kind&>(kind);
}

const item_kind* kind_of_lambdas(std::uint32_t number) noexcept {
  const shoal_lambda_kind* const lambda = lambda_with(number);
  return lambda == nullptr ? nullptr : &kind_of(*lambda);
}

}  // namespace shoal::internal::compat
