/// Contracts: what a caller must ensure (EXPECT), what we believe (ASSERT), what we promise (ENSURE).
///
/// Builds with SHOAL_CHECKED check all three (presets dev, checked and the sanitizers). That is a property of the
/// installed library, so that inlined code agrees with it. SHOAL_REQUIRE always checks, for misuse that costs nothing
/// to detect. A broken contract names the PE, the place and the expression, and ends the whole job, because a PE that
/// throws alone leaves the others waiting. A check that is off has no effect: it is never a hint to the optimiser.
#pragma once

namespace shoal::internal {

[[noreturn]] void contract_broken(const char* kind, const char* expression, const char* file, int line) noexcept;

}  // namespace shoal::internal

#define SHOAL_CONTRACT_CHECK(kind, condition)          \
  (static_cast<bool>(condition) ? static_cast<void>(0) \
                                : ::shoal::internal::contract_broken(kind, #condition, __FILE__, __LINE__))

#define SHOAL_REQUIRE(condition) SHOAL_CONTRACT_CHECK("requirement", condition)

#if SHOAL_CHECKED
#define SHOAL_EXPECT(condition) SHOAL_CONTRACT_CHECK("precondition", condition)
#define SHOAL_ASSERT(condition) SHOAL_CONTRACT_CHECK("assertion", condition)
#define SHOAL_ENSURE(condition) SHOAL_CONTRACT_CHECK("postcondition", condition)
#else
#define SHOAL_EXPECT(condition) static_cast<void>(sizeof(!(condition)))
#define SHOAL_ASSERT(condition) static_cast<void>(sizeof(!(condition)))
#define SHOAL_ENSURE(condition) static_cast<void>(sizeof(!(condition)))
#endif
