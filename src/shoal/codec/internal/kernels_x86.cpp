// The kernels with AVX2, PEXT and PDEP, and the test which of them this machine supports.
#include "shoal/codec/internal/kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace shoal::internal {

#if defined(__x86_64__)

namespace {

[[gnu::target("avx2")]] inline __m256i load_lanes(const void* from) noexcept {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}
[[gnu::target("avx2")]] inline void store_lanes(void* to, __m256i lanes) noexcept {
  _mm256_storeu_si256(static_cast<__m256i*>(to), lanes);
}
[[gnu::target("avx2")]] inline __m256i shifted_up(__m256i lanes, unsigned by) noexcept {
  return _mm256_sll_epi64(lanes, _mm_cvtsi32_si128(static_cast<int>(by)));
}
// Here a shift by 64 gives 0.
[[gnu::target("avx2")]] inline __m256i shifted_down(__m256i lanes, unsigned by) noexcept {
  return _mm256_srl_epi64(lanes, _mm_cvtsi32_si128(static_cast<int>(by)));
}

[[gnu::target("avx2")]] void scan(const std::byte* first, std::size_t stride, std::size_t n, std::byte* all_and,
                                  std::byte* all_or) noexcept {
  // Two accumulators of each, so that an operation need not wait for the one before.
  __m256i and_even = load_lanes(all_and);
  __m256i and_odd = and_even;
  __m256i or_even = load_lanes(all_or);
  __m256i or_odd = or_even;
  std::size_t i = 0;
  for (; i + 2 <= n; i += 2) {
    const __m256i even = load_lanes(first + i * stride);
    const __m256i odd = load_lanes(first + (i + 1) * stride);
    and_even = _mm256_and_si256(and_even, even);
    and_odd = _mm256_and_si256(and_odd, odd);
    or_even = _mm256_or_si256(or_even, even);
    or_odd = _mm256_or_si256(or_odd, odd);
  }
  if (i < n) {
    const __m256i last = load_lanes(first + i * stride);
    and_even = _mm256_and_si256(and_even, last);
    or_even = _mm256_or_si256(or_even, last);
  }
  store_lanes(all_and, _mm256_and_si256(and_even, and_odd));
  store_lanes(all_or, _mm256_or_si256(or_even, or_odd));
}

[[gnu::target("avx2")]] void pack(const std::uint64_t* values, unsigned width, std::byte* out) noexcept {
  __m256i words = _mm256_setzero_si256();
  unsigned n_filled = 0;
  for (std::size_t row = 0; row < n_rows; ++row, values += n_lanes) {
    const __m256i lanes = load_lanes(values);
    words = _mm256_or_si256(words, shifted_up(lanes, n_filled));
    n_filled += width;
    if (n_filled < 64) continue;
    store_lanes(out, words);
    out += lanes_bytes;
    n_filled -= 64;
    words = shifted_down(lanes, width - n_filled);
  }
}

[[gnu::target("avx2")]] void unpack(const std::byte* in, unsigned width, std::uint64_t* values) noexcept {
  const __m256i mask = _mm256_set1_epi64x(static_cast<long long>(low_bits(width)));
  __m256i words = _mm256_setzero_si256();
  unsigned n_used = 64;
  for (std::size_t row = 0; row < n_rows; ++row, values += n_lanes) {
    __m256i lanes = shifted_down(words, n_used);
    n_used += width;
    if (n_used > 64) {
      words = load_lanes(in);
      in += lanes_bytes;
      n_used -= 64;
      lanes = _mm256_or_si256(lanes, shifted_up(words, width - n_used));
    }
    store_lanes(values, _mm256_and_si256(lanes, mask));
  }
}

[[gnu::target("bmi2")]] void extract_by_pext(const std::byte* first, std::size_t stride, std::size_t n,
                                             std::uint64_t mask, std::uint64_t* values) noexcept {
  for (std::size_t i = 0; i < n; ++i, first += stride) values[i] = _pext_u64(load_word(first), mask);
}

[[gnu::target("bmi2")]] void deposit_by_pdep(const std::uint64_t* values, std::size_t n, std::uint64_t mask,
                                             std::uint64_t constant, std::byte* first, std::size_t stride) noexcept {
  for (std::size_t i = 0; i < n; ++i, first += stride) store_word(first, constant | _pdep_u64(values[i], mask));
}

// Whether a mask is one contiguous stretch, as for indices; then four adjacent words are handled at a time.
bool is_stretch(std::uint64_t mask) noexcept {
  const std::uint64_t low = mask == 0 ? 0 : mask >> std::countr_zero(mask);
  return (low & (low + 1)) == 0;
}

[[gnu::target("avx2")]] void extract_stretch(const std::byte* first, std::size_t n, std::uint64_t mask,
                                             std::uint64_t* values) noexcept {
  const auto shift = static_cast<unsigned>(std::countr_zero(mask));
  const __m256i masks = _mm256_set1_epi64x(static_cast<long long>(mask));
  std::size_t i = 0;
  for (; i + n_lanes <= n; i += n_lanes) {
    const __m256i words = load_lanes(first + i * sizeof(std::uint64_t));
    store_lanes(values + i, shifted_down(_mm256_and_si256(words, masks), shift));
  }
  extract_portably(first + i * sizeof(std::uint64_t), sizeof(std::uint64_t), n - i, mask, values + i);
}

[[gnu::target("avx2")]] void deposit_stretch(const std::uint64_t* values, std::size_t n, std::uint64_t mask,
                                             std::uint64_t constant, std::byte* first) noexcept {
  const auto shift = static_cast<unsigned>(std::countr_zero(mask));
  const __m256i constants = _mm256_set1_epi64x(static_cast<long long>(constant));
  std::size_t i = 0;
  for (; i + n_lanes <= n; i += n_lanes) {
    const __m256i words = shifted_up(load_lanes(values + i), shift);
    store_lanes(first + i * sizeof(std::uint64_t), _mm256_or_si256(words, constants));
  }
  deposit_portably(values + i, n - i, mask, constant, first + i * sizeof(std::uint64_t), sizeof(std::uint64_t));
}

template <bool HasPext>
void extract(const std::byte* first, std::size_t stride, std::size_t n, std::uint64_t mask,
             std::uint64_t* values) noexcept {
  if (stride == sizeof(std::uint64_t) && is_stretch(mask)) return extract_stretch(first, n, mask, values);
  if constexpr (HasPext) return extract_by_pext(first, stride, n, mask, values);
  extract_portably(first, stride, n, mask, values);
}

template <bool HasPdep>
void deposit(const std::uint64_t* values, std::size_t n, std::uint64_t mask, std::uint64_t constant, std::byte* first,
             std::size_t stride) noexcept {
  if (stride == sizeof(std::uint64_t) && is_stretch(mask)) {
    return deposit_stretch(values, n, mask, constant, first);
  }
  if constexpr (HasPdep) return deposit_by_pdep(values, n, mask, constant, first, stride);
  deposit_portably(values, n, mask, constant, first, stride);
}

constexpr kernels with_pext = {scan, extract<true>, deposit<true>, pack, unpack};
constexpr kernels without_pext = {scan, extract<false>, deposit<false>, pack, unpack};

}  // namespace

const kernels* avx2_kernels(bool with_bmi2) noexcept { return with_bmi2 ? &with_pext : &without_pext; }

bool is_supported(instruction_set set) noexcept {
  if (set == instruction_set::portable) return true;
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2")) return false;
  return set == instruction_set::avx2 || __builtin_cpu_supports("bmi2");
}

instruction_set best_instruction_set() noexcept {
  if (!is_supported(instruction_set::avx2)) return instruction_set::portable;
  const bool has_slow_pext = __builtin_cpu_is("znver1") || __builtin_cpu_is("znver2") || __builtin_cpu_is("bdver4");
  return has_slow_pext || !is_supported(instruction_set::avx2_bmi2) ? instruction_set::avx2
                                                                    : instruction_set::avx2_bmi2;
}

#else

const kernels* avx2_kernels(bool) noexcept { return nullptr; }
bool is_supported(instruction_set set) noexcept { return set == instruction_set::portable; }
instruction_set best_instruction_set() noexcept { return instruction_set::portable; }

#endif

}  // namespace shoal::internal
