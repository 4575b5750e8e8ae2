// Loops over one-sided access of OpenSHMEM, as one writes them first.
#include <shmem.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define FOR_EACH(i, n) for (std::int64_t i = 0; i < (n); ++i)

namespace {

constexpr std::int64_t n_entries = 40;  // of each PE

std::uint64_t random_bits(std::uint64_t x) {
  x = (x ^ (x >> 31)) * 0x7fb5d329728ea185;
  x = (x ^ (x >> 27)) * 0x81dadef4bc2dd44d;
  return x ^ (x >> 33);
}

std::int64_t* symmetric(std::int64_t n) {
  return static_cast<std::int64_t*>(shmem_malloc(static_cast<std::size_t>(n) * sizeof(std::int64_t)));
}

std::vector<std::int64_t> wanted_of(int me, int n_pes, std::int64_t n) {
  std::vector<std::int64_t> wanted;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint64_t bits = random_bits(static_cast<std::uint64_t>(i * n_pes + me + 1));
    wanted.push_back(static_cast<std::int64_t>(bits % static_cast<std::uint64_t>(n_entries * n_pes)));
  }
  return wanted;
}

std::int64_t checksum(const std::int64_t* of, std::int64_t n) {
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < n; ++i)
    sum += random_bits(static_cast<std::uint64_t>(of[i]) + static_cast<std::uint64_t>(i) * 77);
  return static_cast<std::int64_t>(sum >> 8);
}

void print(const char* what, std::int64_t number) {
  static std::int64_t mine;
  static std::int64_t all;
  static long work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
  static long sync[SHMEM_REDUCE_SYNC_SIZE];
  mine = number;
  shmem_barrier_all();
  shmem_long_sum_to_all(&all, &mine, 1, 0, 0, shmem_n_pes(), work, sync);
  if (shmem_my_pe() == 0) std::printf("%s %lld\n", what, static_cast<long long>(all));
  shmem_barrier_all();
}

// Updates without a result become one-way messages.
// [histogram]
void histogram(const std::vector<std::int64_t>& wanted) {
  const int n_pes = shmem_n_pes();
  std::int64_t* const counts = symmetric(n_entries);
  for (std::int64_t i = 0; i < n_entries; ++i) counts[i] = 0;
  shmem_barrier_all();
  // Each update goes to the owner.
  for (const std::int64_t g : wanted) {
    const std::int64_t slot = g / n_pes;
    shmem_int64_atomic_inc(&counts[slot], static_cast<int>(g % n_pes));
  }
  shmem_barrier_all();
  print("histogram", checksum(counts, n_entries));
  shmem_free(counts);
}
// [/histogram]

// A read becomes a query with a reply.
void index_gather(const std::vector<std::int64_t>& wanted) {
  const int me = shmem_my_pe();
  const int n_pes = shmem_n_pes();
  std::int64_t* const table = symmetric(n_entries);
  for (std::int64_t i = 0; i < n_entries; ++i) table[i] = 3 * (i * n_pes + me);
  std::vector<std::int64_t> target(wanted.size());
  shmem_barrier_all();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::int64_t g = wanted[i];
    target[i] = shmem_int64_g(table + g / n_pes, static_cast<int>(g % n_pes));  // the owner knows it
  }
  shmem_barrier_all();
  print("index gather", checksum(target.data(), static_cast<std::int64_t>(target.size())));
  shmem_free(table);
}

// A permutation's inverse by puts, then what it permutes by gets.
void permute() {
  const int me = shmem_my_pe();
  const int n_pes = shmem_n_pes();
  std::int64_t* const perm = symmetric(n_entries);
  std::int64_t* const inverse = symmetric(n_entries);
  for (std::int64_t i = 0; i < n_entries; ++i) perm[i] = (7 * (i * n_pes + me) + 3) % (n_entries * n_pes);
  shmem_barrier_all();
  for (std::int64_t i = 0; i < n_entries; ++i)
    shmem_int64_p(&inverse[perm[i] / n_pes], i * n_pes + me, static_cast<int>(perm[i] % n_pes));
  shmem_barrier_all();
  std::int64_t n_right = 0;
  for (std::int64_t i = 0; i < n_entries; ++i) {
    const std::int64_t back = shmem_int64_g(&perm[inverse[i] / n_pes], static_cast<int>(inverse[i] % n_pes));
    if (back == i * n_pes + me) ++n_right;
  }
  shmem_barrier_all();
  print("permute", n_right);
  shmem_free(inverse);
  shmem_free(perm);
}

// The rest of an iteration goes on where its answer is, if it needs nothing of the PE that began it.
void transpose(const std::vector<std::int64_t>& columns) {
  const int me = shmem_my_pe();
  const int n_pes = shmem_n_pes();
  std::int64_t* const next = symmetric(n_entries);
  std::int64_t* const rows = symmetric(n_entries * 64 * n_pes);
  for (std::int64_t i = 0; i < n_entries; ++i) next[i] = i * 64 * n_pes;
  for (std::int64_t i = 0; i < n_entries * 64 * n_pes; ++i) rows[i] = 0;
  // [transpose]
  shmem_barrier_all();
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(columns.size()); ++k) {
    const std::int64_t row = k / 5 * n_pes + me;
    const int owner = static_cast<int>(columns[static_cast<std::size_t>(k)] % n_pes);
    const std::int64_t at = shmem_int64_atomic_fetch_inc(&next[columns[static_cast<std::size_t>(k)] / n_pes], owner);
    shmem_int64_p(&rows[at], row + 1, owner);
  }
  shmem_barrier_all();
  // [/transpose]
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < n_entries * 64 * n_pes; ++i) {
    if (rows[i] != 0)
      sum += random_bits(static_cast<std::uint64_t>(rows[i])) * static_cast<std::uint64_t>(i / (64 * n_pes) + 1);
  }
  print("transpose", static_cast<std::int64_t>(sum >> 8));
  shmem_free(rows);
  shmem_free(next);
}

// A chain of dependent reads, in a loop that the first of them bounds.
void triangles(const std::vector<std::int64_t>& columns) {
  const int me = shmem_my_pe();
  const int n_pes = shmem_n_pes();
  std::int64_t* const offsets = symmetric(n_entries + 1);
  std::int64_t* const neighbours = symmetric(static_cast<std::int64_t>(columns.size()) + 1);
  const std::int64_t degree = static_cast<std::int64_t>(columns.size()) / n_entries;
  for (std::int64_t i = 0; i <= n_entries; ++i) offsets[i] = i * degree;
  for (std::int64_t i = 0; i < n_entries * degree; ++i) neighbours[i] = columns[static_cast<std::size_t>(i)];
  shmem_barrier_all();
  std::int64_t n_found = 0;
  for (std::int64_t r = 0; r < n_entries; ++r) {
    for (std::int64_t k = offsets[r]; k < offsets[r + 1]; ++k) {
      const std::int64_t c = neighbours[k];
      const int owner = static_cast<int>(c % n_pes);
      const std::int64_t begin = shmem_int64_g(&offsets[c / n_pes], owner);
      const std::int64_t end = shmem_int64_g(&offsets[c / n_pes + 1], owner);
      for (std::int64_t j = begin; j < end; ++j) {
        const std::int64_t d = shmem_int64_g(&neighbours[j], owner);
        for (std::int64_t l = offsets[r]; l < offsets[r + 1]; ++l) {
          if (neighbours[l] == d) ++n_found;
        }
      }
    }
  }
  shmem_barrier_all();
  print("triangles", n_found + me - me);
  shmem_free(neighbours);
  shmem_free(offsets);
}

// Updates of all kinds, of an array that is symmetric because it is static. Their old values are used by nobody.
std::int64_t cells[n_entries];
std::int64_t bits;

void updates() {
  const int me = shmem_my_pe();
  const int n_pes = shmem_n_pes();
  FOR_EACH(i, n_entries) cells[i] = 0;
  bits = 0;
  shmem_barrier_all();
  FOR_EACH(i, n_entries) {
    const int next = static_cast<int>((me + i) % n_pes);
    if (i % 3 == 0) continue;
    shmem_int64_atomic_add(&cells[i], i - 5, next);
    if (i % 2 == 0) {
      shmem_int64_atomic_fetch_add(&cells[i], 2, next);
    } else {
      shmem_int64_atomic_inc(cells, me);
    }
    shmem_int64_atomic_or(&bits, std::int64_t{1} << i % 7, next);
  }
  shmem_barrier_all();
  print("updates", checksum(cells, n_entries) + bits);
}

// What one PE alone has goes back to it; a condition on an answer is a part of the rest.
void chains(const std::vector<std::int64_t>& wanted) {
  const int n_pes = shmem_n_pes();
  std::int64_t* const next = symmetric(n_entries);
  for (std::int64_t i = 0; i < n_entries; ++i) next[i] = (i * 7 + 3) % (n_entries * n_pes);
  std::vector<std::int64_t> ends(wanted.size(), -1);
  std::int64_t n_odd = 0;
  std::int64_t position = 10;  // changes while answers are on their way
  shmem_barrier_all();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    ++position;
    const std::int64_t first = shmem_int64_g(&next[wanted[i] / n_pes], static_cast<int>(wanted[i] % n_pes));
    const std::int64_t second = shmem_int64_g(&next[first / n_pes], static_cast<int>(first % n_pes)) + position;
    if (shmem_int64_g(&next[second % n_entries], static_cast<int>(second % n_pes)) % 2 == 1) {
      std::int64_t last = shmem_int64_g(&next[first / n_pes], static_cast<int>(first % n_pes));
      last = 3 * last + second;
      ends[i] = last;
    } else {
      ++n_odd;
    }
  }
  shmem_barrier_all();
  print("chains", checksum(ends.data(), static_cast<std::int64_t>(ends.size())) + n_odd + position);
  shmem_free(next);
}

// Sums of floating-point numbers depend on their order, so the program has to vouch for them.
void page_rank(const std::vector<std::int64_t>& columns) {
  const int n_pes = shmem_n_pes();
  const std::int64_t degree = static_cast<std::int64_t>(columns.size()) / n_entries;
  auto* const rank = static_cast<double*>(shmem_malloc(n_entries * sizeof(double)));
  std::vector<double> next(n_entries);
  for (std::int64_t i = 0; i < n_entries; ++i) rank[i] = 1;
  for (int round = 0; round < 3; ++round) {
    shmem_barrier_all();
    for (double& each : next) each = 0;
#pragma shoal independent
    for (std::int64_t r = 0; r < n_entries; ++r) {
      for (std::int64_t k = r * degree; k < (r + 1) * degree; ++k) {
        const std::int64_t c = columns[static_cast<std::size_t>(k)];
        next[static_cast<std::size_t>(r)] += shmem_double_g(&rank[c / n_pes], static_cast<int>(c % n_pes));
      }
    }
    shmem_barrier_all();
    for (std::int64_t i = 0; i < n_entries; ++i)
      rank[i] = 0.15 + 0.85 * next[static_cast<std::size_t>(i)] / static_cast<double>(degree);
  }
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < n_entries; ++i) sum += static_cast<std::int64_t>(rank[i] * 1000 + 0.5) * (i + 1);
  print("page rank", sum);
  shmem_free(rank);
}

// Rows of different lengths: nothing proves that their entries are different ones, so each loop needs its word.
void relabel(const std::vector<std::int64_t>& columns) {
  const int n_pes = shmem_n_pes();
  std::int64_t* const labels = symmetric(n_entries);
  std::vector<std::int64_t> begins = {0};
  for (std::int64_t i = 0; i < n_entries; ++i) {
    labels[i] = 11 * i + shmem_my_pe();
    begins.push_back(begins.back() + i % 6);
  }
  std::vector<std::int64_t> renamed(columns.size());
  shmem_barrier_all();
#pragma shoal independent
  for (std::size_t r = 0; r + 1 < begins.size(); ++r) {
#pragma shoal independent
    for (std::int64_t k = begins[r]; k < begins[r + 1]; ++k) {
      const std::int64_t c = columns[static_cast<std::size_t>(k)];
      renamed[static_cast<std::size_t>(k)] = shmem_int64_g(&labels[c / n_pes], static_cast<int>(c % n_pes));
    }
  }
  shmem_barrier_all();
  print("relabel", checksum(renamed.data(), static_cast<std::int64_t>(renamed.size())));
  shmem_free(labels);
}

// Several elements at once: a put becomes a message that carries them; what a get reads comes with the answer.
void blocks(const std::vector<std::int64_t>& columns) {
  const int me = shmem_my_pe();
  const int n_pes = shmem_n_pes();
  const std::int64_t n_rows = 10;
  const std::size_t width = 4;
  std::int64_t* const rows = symmetric(n_rows * n_pes * 4);
  std::int64_t* const found = symmetric(n_rows * n_pes);
  for (std::int64_t i = 0; i < n_rows * n_pes * 4; ++i) rows[i] = 0;
  for (std::int64_t i = 0; i < n_rows * n_pes; ++i) found[i] = 0;
  std::int64_t scratch[3];
  // [put_rows]
  shmem_barrier_all();
  for (std::int64_t i = 0; i < n_rows; ++i) {
    for (std::int64_t k = 0; k < 3; ++k) scratch[k] = columns[static_cast<std::size_t>(3 * i + k)];
    shmem_int64_put(&rows[(me * n_rows + i) * 4], scratch, 3, static_cast<int>(i % n_pes));
    scratch[0] = -1;  // it is sent already
  }
  shmem_barrier_all();
  // [/put_rows]
  print("put rows", checksum(rows, n_rows * n_pes * 4));
  // [get_rows]
  std::int64_t sum = 0;
  shmem_barrier_all();
  for (std::int64_t i = 0; i < n_rows; ++i) {
    std::int64_t row[4];
    shmem_get(row, &rows[(me * n_rows + i) * 4], 4, static_cast<int>(i % n_pes));
    for (const std::int64_t each : row) sum += each * (i + 1);
  }
  shmem_barrier_all();
  // [/get_rows]
  print("get rows", sum);
  // The rest needs nothing of this PE, so the elements stay where they are.
  for (std::int64_t i = 0; i < n_rows; ++i) {
    const int owner = static_cast<int>(i % n_pes);
    const std::int64_t at = me * n_rows + i;
    std::int64_t row[width];
    shmem_getmem(row, &rows[at * 4], sizeof row, owner);
    shmem_int64_p(&found[at], row[0] + row[1] + row[2] + row[3], owner);
  }
  shmem_barrier_all();
  print("row sums", checksum(found, n_rows * n_pes));
  shmem_free(found);
  shmem_free(rows);
}

// As many as a variable says, or an answer.
void parts(std::int64_t width) {
  const int me = shmem_my_pe();
  const int n_pes = shmem_n_pes();
  std::int64_t* const sizes = symmetric(n_entries);
  std::int64_t* const places = symmetric(n_entries * n_pes * width);
  const std::int64_t n_places = n_entries * n_pes * width;
  for (std::int64_t i = 0; i < n_entries; ++i) sizes[i] = (i + me) % (width + 1);
  for (std::int64_t i = 0; i < n_places; ++i) places[i] = -i;
  const std::vector<std::int64_t> source(static_cast<std::size_t>(n_entries + width), 7 + me);
  std::vector<std::int64_t> copy(static_cast<std::size_t>(n_entries * width));
  std::vector<double> steps(n_entries);
  auto* const reals = static_cast<double*>(shmem_malloc(n_entries * sizeof(double)));
  for (std::int64_t i = 0; i < n_entries; ++i) reals[i] = 0.5 * static_cast<double>(i * (me + 1));
  shmem_barrier_all();
  for (std::int64_t i = 0; i < n_entries; ++i)
    shmem_putmem(places + (me * n_entries + i) * width, source.data() + i,
                 static_cast<std::size_t>(sizes[i]) * sizeof(std::int64_t), static_cast<int>(i % n_pes));
  shmem_barrier_all();
  print("put parts", checksum(places, n_places));
  for (std::int64_t i = 0; i < n_entries; ++i)
    shmem_int64_get(&copy[static_cast<std::size_t>(i * width)], &places[(me * n_entries + i) * width],
                    static_cast<std::size_t>(width), static_cast<int>(i % n_pes));
  shmem_barrier_all();
  print("get parts", checksum(copy.data(), n_entries * width));
  for (std::int64_t i = 0; i < n_entries; i += 20)
    shmem_double_get(&steps[static_cast<std::size_t>(i)], &reals[i], 20, static_cast<int>((i / 20 + me) % n_pes));
  shmem_barrier_all();
  std::int64_t sum = 0;
  for (const double each : steps) sum += static_cast<std::int64_t>(2 * each);
  shmem_barrier_all();
  for (std::int64_t i = 0; i < n_entries; ++i) {
    const int owner = static_cast<int>(i % n_pes);
    const std::int64_t size = shmem_int64_g(&sizes[i], owner);
    std::vector<std::int64_t> part(static_cast<std::size_t>(size + 1), i);
    shmem_int64_get(part.data(), &places[(me * n_entries + i) * width], static_cast<std::size_t>(size), owner);
    for (const std::int64_t each : part) sum += each;
  }
  shmem_barrier_all();
  print("parts", sum);
  shmem_free(reals);
  shmem_free(places);
  shmem_free(sizes);
}

}  // namespace

int main() {
  shmem_init();
  const std::vector<std::int64_t> wanted = wanted_of(shmem_my_pe(), shmem_n_pes(), 5 * n_entries);
  histogram(wanted);
  index_gather(wanted);
  permute();
  transpose(wanted);
  triangles(wanted);
  page_rank(wanted);
  updates();
  chains(wanted);
  relabel(wanted);
  blocks(wanted);
  parts(3);
  parts(0);
  shmem_finalize();
}
