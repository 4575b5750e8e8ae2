/// Which instructions the codecs may use. It affects their speed, never their results.
#pragma once

#include <array>
#include <string_view>

namespace shoal::internal {

enum class instruction_set {
  portable,  // C++ only
  avx2,  // 256-bit integer vectors
  avx2_bmi2,  // those, and PEXT and PDEP
};

inline constexpr std::array all_instruction_sets = {instruction_set::portable, instruction_set::avx2,
                                                    instruction_set::avx2_bmi2};

/// "portable", "avx2", "avx2_bmi2".
std::string_view to_text(instruction_set set) noexcept;

/// Whether this machine has it.
bool is_supported(instruction_set set) noexcept;

/// The fastest one that is supported. Processors on which PEXT takes dozens of cycles (AMD before Zen 3) get `avx2`.
instruction_set best_instruction_set() noexcept;

}  // namespace shoal::internal
