/// Collective calls of any PEs at equal distances, as OpenSHMEM has them: no one else takes part, and nothing is made
/// beforehand.
///
/// All PEs together meet in the world's rounds. Others meet in a wave of the control plane that lasts for one call.
/// Long arrays pass through a scratch area in each PE's heap, half by half: its PE writes, all meet, the others read.
#pragma once

#include <complex>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>

#include "shoal/actor/internal/collectives.hpp"
#include "shoal/compat/internal/pe_range.hpp"

namespace shoal {
class world;
}

namespace shoal::internal::compat {

/// How elements are folded.
struct fold_kind {
  std::size_t element_bytes;
  fold_function elements;
  combine_function in_round;  // the same after the heads of a round
};

// The operations, by the names that they have in shmem.h.
struct op_sum {
  template <class T>
  T operator()(const T& a, const T& b) const {
    if constexpr (std::is_integral_v<T>) {
      using wraps = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<wraps>(a) + static_cast<wraps>(b));
    } else {
      return static_cast<T>(a + b);
    }
  }
};
struct op_prod {
  template <class T>
  T operator()(const T& a, const T& b) const {
    if constexpr (std::is_integral_v<T>) {
      // Of types shorter than int, unsigned ones are multiplied as int, which may overflow.
      return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    } else {
      return static_cast<T>(a * b);
    }
  }
};
struct op_min : minimum {};
struct op_max : maximum {};
struct op_and {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return static_cast<T>(a & b);
  }
};
struct op_or {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return static_cast<T>(a | b);
  }
};
struct op_xor {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return static_cast<T>(a ^ b);
  }
};

template <class T, class Op>
void combine_in_round(std::byte* into, const std::byte* from, std::size_t bytes) {
  if (!combine_heads(into, from)) return;  // then these are other calls
  fold_elements<T, Op>(into + sizeof(round_head), from + sizeof(round_head), (bytes - sizeof(round_head)) / sizeof(T));
}

template <class T, class Op>
inline constexpr fold_kind fold_of{sizeof(T), fold_elements<T, Op>, combine_in_round<T, Op>};

/// One call of the program: which PEs make it, and its name for reports. The caller is one of them.
class gathering {
public:
  /// Ends the job unless the range lies within the job and has the caller. Calls that travel as messages are complete
  /// after that.
  gathering(const pe_range& of, const char* call);

  /// Waits for all.
  void meet();

  /// Folds `n` elements of all PEs, in an order that depends on the PEs and n alone. `dest` may be `source`.
  void reduce(void* dest, const void* source, std::size_t n, const fold_kind& fold);

  /// Copies the source of PE `root`, a rank, to all; `writes_root`: to its own dest, too.
  void broadcast(void* dest, const void* source, std::size_t bytes, pe_id root, bool writes_root);

  /// Puts the sources of all PEs one after another. Their lengths may differ.
  void collect(void* dest, const void* source, std::size_t bytes);

  /// The same for equal lengths.
  void collect_equal(void* dest, const void* source, std::size_t bytes);

  /// Block r of `bytes` bytes of PE s becomes block s of PE r.
  void all_to_all(void* dest, const void* source, std::size_t bytes);

private:
  // Folds at most fold_bytes_max bytes in place.
  void fold(std::span<std::byte> values, const fold_kind& kind);
  void fold_in_wave(std::span<std::byte> values, const fold_kind& kind);

  std::byte* own_half(std::size_t half) const;
  // Copies from a half of the PE with that rank.
  void read(void* into, pe_id rank, std::size_t half, std::size_t offset, std::size_t bytes) const;

  world& world_;
  pe_range of_;
  const char* call_;
  pe_id my_rank_;
  bool is_all_;
};

}  // namespace shoal::internal::compat
