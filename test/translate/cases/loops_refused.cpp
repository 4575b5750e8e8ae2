// Loops over one-sided access that stay as they are.
#include <shmem.h>

#include <cstdint>
#include <cstdio>
#include <vector>

#define COUNT(g) shmem_int64_atomic_inc(&counts[(g) % n], owner_of(g))

namespace {

constexpr std::int64_t n = 8;
std::int64_t table[n];
std::int64_t counts[n];
double weights[n];

int owner_of(std::int64_t g) { return static_cast<int>(g % shmem_n_pes()); }
std::int64_t unknown(std::int64_t g);

void nobody_waits(const std::vector<std::int64_t>& wanted) {
  for (const std::int64_t g : wanted) shmem_int64_atomic_inc(&counts[g % n], owner_of(g));
}

bool leaves(const std::vector<std::int64_t>& wanted) {
  for (const std::int64_t g : wanted) {
    if (shmem_int64_g(&table[g % n], owner_of(g)) == 3) return true;
  }
  shmem_barrier_all();
  return false;
}

std::int64_t breaks(const std::vector<std::int64_t>& wanted) {
  std::int64_t n_seen = 0;
  for (const std::int64_t g : wanted) {
    const std::int64_t value = shmem_int64_g(&table[g % n], owner_of(g));
    if (value == 3) break;
    ++n_seen;
  }
  shmem_barrier_all();
  return n_seen;
}

std::int64_t may_be_left_out(const std::vector<std::int64_t>& wanted) {
  std::int64_t n_seen = 0;
  for (const std::int64_t g : wanted) {
    if (g > 2 && shmem_int64_g(&table[g % n], owner_of(g)) == 3) ++n_seen;
  }
  shmem_barrier_all();
  return n_seen;
}

std::int64_t last_one(const std::vector<std::int64_t>& wanted) {
  std::int64_t last = 0;
  for (const std::int64_t g : wanted) last = shmem_int64_g(&table[g % n], owner_of(g));
  shmem_barrier_all();
  return last;
}

double real_sum(const std::vector<std::int64_t>& wanted) {
  double sum = 0;
  for (const std::int64_t g : wanted) sum += shmem_double_g(&weights[g % n], owner_of(g));
  shmem_barrier_all();
  return sum;
}

std::int64_t is_needed_at_once(const std::vector<std::int64_t>& wanted) {
  std::int64_t n_seen = 0;
  for (const std::int64_t g : wanted) {
    std::int64_t value = 1;
    if (g > 2) {
      value = shmem_int64_g(&table[g % n], owner_of(g));
    }
    n_seen += value;
  }
  shmem_barrier_all();
  return n_seen;
}

// A random permutation's darts: whether the next one is thrown depends on where this one sticks.
void darts(std::int64_t n_darts) {
  const int n_pes = shmem_n_pes();
  std::uint64_t random = 7;
  for (std::int64_t i = 0; i < n_darts; ++i) {
    for (bool sticks = false; !sticks;) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      const auto at = static_cast<std::int64_t>((random >> 33) % static_cast<std::uint64_t>(n * n_pes));
      const std::int64_t before =
          shmem_int64_atomic_compare_swap(&table[at / n_pes], -1, i, static_cast<int>(at % n_pes));
      sticks = before == -1;
    }
  }
  shmem_barrier_all();
}

// A topological order: rows that are taken away from others are those that it reads.
void take_away(const std::vector<std::int64_t>& taken) {
  const int n_pes = shmem_n_pes();
  for (const std::int64_t r : taken) {
    const std::int64_t column = counts[r];
    const std::int64_t other = shmem_int64_g(&table[column / n_pes], static_cast<int>(column % n_pes));
    shmem_int64_atomic_add(&counts[other / n_pes], -column, static_cast<int>(other % n_pes));
  }
  shmem_barrier_all();
}

// Pointers that may be one.
void gather(std::int64_t* target, const std::int64_t* wanted, std::int64_t size) {
  for (std::int64_t i = 0; i < size; ++i) target[i] = shmem_int64_g(&table[wanted[i] % n], owner_of(wanted[i]));
  shmem_barrier_all();
}

// Nothing says that the subscripts differ.
void scatter(std::vector<std::int64_t>& target, const std::vector<std::int64_t>& at) {
  for (std::size_t i = 0; i < at.size(); ++i)
    target[static_cast<std::size_t>(at[i])] = shmem_int64_g(&table[at[i] % n], 0);
  shmem_barrier_all();
}

void both_ways(const std::vector<std::int64_t>& wanted) {
  for (const std::int64_t g : wanted) {
    if (shmem_int64_g(&table[g % n], owner_of(g)) == 0) shmem_int64_p(&table[g % n], 1, owner_of(g));
  }
  shmem_barrier_all();
}

void unknown_function(const std::vector<std::int64_t>& wanted) {
  for (const std::int64_t g : wanted) shmem_int64_atomic_add(&counts[g % n], unknown(g), owner_of(g));
  shmem_barrier_all();
}

// Several elements: with strides, completed later, or not as many as can be counted.
void strides(const std::vector<std::int64_t>& wanted) {
  for (const std::int64_t g : wanted) shmem_int64_iput(&table[0], wanted.data(), 2, 1, 2, owner_of(g));
  shmem_barrier_all();
}

void completed_later(const std::vector<std::int64_t>& wanted) {
  for (const std::int64_t g : wanted) shmem_int64_put_nbi(&table[0], wanted.data(), 2, owner_of(g));
  shmem_barrier_all();
}

void bytes(const std::vector<std::int64_t>& wanted) {
  for (const std::int64_t g : wanted) shmem_putmem(&table[0], wanted.data(), static_cast<std::size_t>(g), owner_of(g));
  shmem_barrier_all();
}

void other_types(const std::vector<std::int64_t>& wanted) {
  for (const std::int64_t g : wanted) shmem_putmem(weights, wanted.data(), sizeof(double), owner_of(g));
  shmem_barrier_all();
}

// A destination is wider than the steps between turns, or what comes after the answer is not its only reader.
void overlapping(std::vector<std::int64_t>& target) {
  for (std::int64_t i = 0; i < 3; ++i) shmem_int64_get(&target[static_cast<std::size_t>(i * 2)], table, 3, owner_of(i));
  shmem_barrier_all();
}

std::int64_t scratch(const std::vector<std::int64_t>& wanted) {
  std::int64_t pair[2];
  std::int64_t sum = 0;
#pragma shoal independent
  for (const std::int64_t g : wanted) {
    shmem_int64_get(pair, &table[g % n], 2, owner_of(g));
    sum += shmem_int64_g(&counts[pair[0] % n], owner_of(g)) * pair[1];
  }
  shmem_barrier_all();
  return sum;
}

std::int64_t read_behind(const std::vector<std::int64_t>& wanted) {
  std::int64_t sum = 0;
  for (const std::int64_t g : wanted) {
    std::int64_t pair[2] = {1, 2};
    if (g > 2) {
      shmem_int64_get(pair, &table[g % n], 2, owner_of(g));
    }
    sum += pair[0] * pair[1];
  }
  shmem_barrier_all();
  return sum;
}

std::int64_t constant_of_the_loop(const std::vector<std::int64_t>& wanted) {
  std::int64_t sum = 0;
  for (const std::int64_t g : wanted) {
    constexpr std::int64_t few = 2;
    std::int64_t pair[few];
    shmem_int64_get(pair, &table[g % n], few, owner_of(g));
    sum += pair[0] * pair[1];
  }
  shmem_barrier_all();
  return sum;
}

void from_itself() {
  for (std::int64_t i = 0; i < 3; ++i) shmem_int64_put(&table[i * 2 + 2], &table[i * 2], 2, owner_of(i));
  shmem_barrier_all();
}

std::int64_t array_of_iteration(const std::vector<std::int64_t>& wanted) {
  std::int64_t n_seen = 0;
  for (const std::int64_t g : wanted) {
    std::int64_t pair[2];
    pair[0] = shmem_int64_g(&table[g % n], owner_of(g));
    pair[1] = shmem_int64_g(&counts[g % n], owner_of(g));
    n_seen += pair[0] * pair[1];
  }
  shmem_barrier_all();
  return n_seen;
}

void in_macro(const std::vector<std::int64_t>& wanted) {
  for (const std::int64_t g : wanted) COUNT(g);
  shmem_barrier_all();
}

template <int Step>
void in_template(const std::vector<std::int64_t>& wanted) {
  for (const std::int64_t g : wanted) shmem_int64_atomic_add(&counts[g % n], Step, owner_of(g));
  shmem_barrier_all();
}

std::int64_t unknown(std::int64_t g) {
  static std::int64_t n_calls = 0;
  return g + ++n_calls;
}

}  // namespace

int main() {
  shmem_init();
  const std::vector<std::int64_t> wanted = {1, 5, 3, 2};
  std::vector<std::int64_t> target(8);
  nobody_waits(wanted);
  bool found = leaves(wanted);
  std::int64_t sum = breaks(wanted) + may_be_left_out(wanted) + last_one(wanted) + is_needed_at_once(wanted);
  found |= real_sum(wanted) > 3;
  for (std::int64_t& each : table) each = -1;
  shmem_barrier_all();
  darts(2);
  for (std::int64_t& each : table) each = 0;
  shmem_barrier_all();
  take_away({1, 2});
  gather(target.data(), wanted.data(), 4);
  scatter(target, wanted);
  both_ways(wanted);
  unknown_function(wanted);
  strides(wanted);
  completed_later(wanted);
  bytes(wanted);
  other_types(wanted);
  overlapping(target);
  from_itself();
  for (std::int64_t& each : table) each = 1;
  shmem_barrier_all();
  sum += scratch(wanted) + read_behind(wanted) + constant_of_the_loop(wanted) + array_of_iteration(wanted);
  in_macro(wanted);
  in_template<2>(wanted);
  if (shmem_my_pe() == 0) std::printf("%d %d\n", static_cast<int>(found), static_cast<int>(sum > 0));
  shmem_finalize();
}
