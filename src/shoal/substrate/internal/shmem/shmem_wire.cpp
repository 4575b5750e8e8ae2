#include "shoal/substrate/internal/shmem/shmem_wire.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "shoal/substrate/internal/one_sided/landing.hpp"
#include "shoal/substrate/internal/shmem/control_cells.hpp"
#include "shoal/substrate/internal/shmem/library.hpp"

namespace shoal::internal::shmem {

namespace {

constexpr std::size_t room_bytes = std::size_t{64} << 20;  // of the symmetric heap, left for the program
constexpr std::size_t piece_bytes = 256;  // that all_gather takes of each PE at a time

constexpr std::size_t in_lines(std::size_t bytes) {
  return (bytes + cache_line_bytes - 1) / cache_line_bytes * cache_line_bytes;
}

// Open MPI 4 leaves out the atomics on uint64_t.
static_assert(sizeof(unsigned long) == sizeof(std::uint64_t));

std::uint64_t* word_at(std::byte* place) { return reinterpret_cast<std::uint64_t*>(place); }

std::uint64_t load(std::byte* place) { return std::atomic_ref(*word_at(place)).load(std::memory_order_acquire); }

// What the word of the nth exchange holds. Numbers of exchanges through one area differ in their lower 32 bits.
std::uint64_t exchange_word(std::uint64_t nth, std::size_t bytes) { return (nth << 32) | bytes; }

// All that it needs of the symmetric heap are two blocks, one for the start and claims, one made by open. So the
// program's own allocations stay as symmetric as they were.
class shmem_wire final : public network::wire, private one_sided::remote_memory {
public:
  explicit shmem_wire(bool is_ours);

  std::string library() const override { return name_and_version(); }
  bool is_ours() const noexcept override { return is_ours_; }
  bool hangs_in_forked_child() const noexcept override { return is_open_mpi; }
  bool is_over() const noexcept override { return shmem::is_over(); }
  void all_gather(const void* mine, void* all, std::size_t bytes) override;
  std::string open(const network::wire_sizes& sizes) override;
  void close(const std::function<void()>& meet) override;

  bool try_send(buffer& full, int target) override { return ends_->try_send(full, target); }
  buffer* take_sent() override { return ends_->take_sent(); }
  buffer* poll() override;
  void release(buffer& landed) override { ends_->release(landed); }
  std::size_t n_lendable(int) const noexcept override { return 0; }

  bool try_send_control(std::span<const std::byte> bytes, int target) override {
    return controls_.try_send(bytes, target);
  }
  bool poll_control(control_message& into) override;

  void start_exchange(int step, int parity, std::span<const std::byte> data, int to, std::byte* into,
                      int from) override;
  bool is_exchange_done(std::size_t& n_received) override;

  bool is_one_sided() const noexcept override { return true; }
  bool makes_heap() const noexcept override { return true; }
  std::byte* heap() const noexcept override { return heap_; }
  std::byte* peer_heap(int rank) const noexcept override {
    return rank == rank_ ? heap_ : static_cast<std::byte*>(shmem_ptr(heap_, rank));
  }
  void get(void* target, std::size_t offset, std::size_t bytes, int rank) override {
    shmem_getmem(target, heap_ + offset, bytes, rank);
  }
  void put(std::size_t offset, const void* source, std::size_t bytes, int rank) override {
    shmem_putmem(heap_ + offset, source, bytes, rank);
  }
  void start_get(void* target, std::size_t offset, std::size_t bytes, int rank) override {
    shmem_getmem_nbi(target, heap_ + offset, bytes, rank);
  }
  void start_put(std::size_t offset, const void* source, std::size_t bytes, int rank) override {
    shmem_putmem_nbi(heap_ + offset, source, bytes, rank);
  }
  std::uint64_t atomic(const atomic_call& call, std::size_t offset, int rank) override;
  void start_atomic(const atomic_call& call, std::size_t offset, int rank) override;
  void quiet() override { shmem_quiet(); }
  void fence() override { shmem_fence(); }

  bool claim_report() override;
  [[noreturn]] void abort(int status) override;

private:
  // The landing's memory.
  void put(int rank, std::size_t offset, buffer& full, std::size_t word, std::uint64_t nth) override {
    put_and_tell(block_ + offset, &full, sizeof full + full.header.bytes, word_at(block_ + word), nth, rank);
  }
  bool has_arrived(const buffer&, std::size_t word, std::uint64_t nth) const override {
    return load(block_ + word) >= nth;
  }
  std::size_t n_taken_over(std::size_t n) override { return n; }  // put_and_tell has copied them
  void put_word(int rank, std::size_t word, const std::uint64_t& value) override {
    shmem_fence();
    shmem_uint64_p(word_at(block_ + word), value, rank);
  }
  std::uint64_t word(std::size_t offset) const override { return load(block_ + offset); }
  std::byte* at(std::size_t offset) const override { return block_ + offset; }

  // Where the data of an exchange arrive: a line with their word, then the data.
  std::byte* exchange_area(int step, int parity) const noexcept {
    return exchanges_ + static_cast<std::size_t>(2 * step + parity) * exchange_stride_;
  }

  std::uint64_t atomic_by_swaps(const atomic_call& call, std::size_t offset, int rank);

  std::size_t largest(std::size_t mine);

  bool is_ours_;
  std::byte* start_ = nullptr;  // first line: the claim, on rank 0; then a piece for each rank

  std::byte* block_ = nullptr;  // landing, exchanges, control messages, heap
  control_cells controls_;
  std::byte* exchanges_ = nullptr;
  std::size_t exchange_stride_ = 0;
  std::byte* heap_ = nullptr;

  std::uint64_t n_exchanges_ = 0;  // that have been started; the same on all ranks that take part
  std::byte* arriving_ = nullptr;  // area of the last
  std::byte* into_ = nullptr;

  std::optional<one_sided::landing> ends_;
};

shmem_wire::shmem_wire(bool is_ours) : is_ours_(is_ours) {
  rank_ = shmem_my_pe();
  n_ranks_ = shmem_n_pes();
  const std::size_t bytes = cache_line_bytes + static_cast<std::size_t>(n_ranks_) * piece_bytes;
  start_ = static_cast<std::byte*>(shmem_align(cache_line_bytes, bytes));
  if (start_ == nullptr) {
    throw std::runtime_error("the symmetric heap of OpenSHMEM is full already; set " + std::string(heap_size_variable) +
                             "=256M, say");
  }
  std::memset(start_, 0, bytes);
  shmem_barrier_all();
}

// --- Start and end

void shmem_wire::all_gather(const void* mine, void* all, std::size_t bytes) {
  const auto piece = [&](int rank) { return start_ + cache_line_bytes + static_cast<std::size_t>(rank) * piece_bytes; };
  for (std::size_t done = 0; done < bytes; done += piece_bytes) {
    const std::size_t n = std::min(bytes - done, piece_bytes);
    for (int rank = 0; rank < n_ranks_; ++rank) {
      shmem_putmem(piece(rank_), static_cast<const std::byte*>(mine) + done, n, rank);
    }
    shmem_barrier_all();
    for (int rank = 0; rank < n_ranks_; ++rank) {
      std::memcpy(static_cast<std::byte*>(all) + static_cast<std::size_t>(rank) * bytes + done, piece(rank), n);
    }
    shmem_barrier_all();
  }
}

std::size_t shmem_wire::largest(std::size_t mine) {
  std::vector<std::size_t> all(static_cast<std::size_t>(n_ranks_));
  all_gather(&mine, all.data(), sizeof mine);
  return *std::ranges::max_element(all);
}

std::string shmem_wire::open(const network::wire_sizes& sizes) {
  const one_sided::landing_layout layout(n_ranks_, sizes);
  // The same on all ranks, so one with fewer senders does not use all of it.
  const std::size_t landing_bytes = in_lines(largest(layout.bytes()));
  exchange_stride_ = cache_line_bytes + in_lines(sizes.exchange_bytes);
  const std::size_t exchanges_bytes = 2 * static_cast<std::size_t>(sizes.n_steps) * exchange_stride_;
  const std::size_t controls_bytes = in_lines(control_cells::bytes());
  const std::size_t bytes = landing_bytes + exchanges_bytes + controls_bytes + in_lines(sizes.heap_bytes);

  block_ = static_cast<std::byte*>(shmem_align(cache_line_bytes, bytes));
  if (largest(block_ == nullptr ? 1 : 0) != 0) {
    const std::size_t mib = ((bytes + room_bytes) >> 20) + 1;
    return "the symmetric heap of OpenSHMEM has no room for " + std::to_string((bytes >> 20) + 1) + " MiB; set " +
           heap_size_variable + "=" + std::to_string(mib) + "M or lower SHOAL_HEAP";
  }
  exchanges_ = block_ + landing_bytes;
  std::memset(block_, 0, layout.words_bytes());
  std::memset(exchanges_, 0, exchanges_bytes);
  std::byte* const controls = exchanges_ + exchanges_bytes;
  controls_.open(controls, rank_);
  if (sizes.heap_bytes > 0) heap_ = controls + controls_bytes;
  ends_.emplace(static_cast<one_sided::remote_memory&>(*this), layout, rank_, sizes);
  shmem_barrier_all();  // nobody stores anything before all words are zero
  ends_->start();
  return {};
}

void shmem_wire::close(const std::function<void()>&) {
  shmem_barrier_all();
  if (block_ != nullptr) shmem_free(block_);
  shmem_free(start_);
  if (is_ours_) shmem_finalize();
}

// --- Buffers, control messages and rounds

buffer* shmem_wire::poll() {
  buffer* const landed = ends_->poll();
  if (landed == nullptr) make_progress(word_at(start_));
  return landed;
}

bool shmem_wire::poll_control(control_message& into) {
  if (controls_.poll(into)) return true;
  make_progress(word_at(start_));
  return false;
}

// The word is the exchange's number, which tells it from the last one in this area, and how many bytes there are.
// Nobody but the sender writes it: a library may store a word twice, so one that the receiver set back can come again.
// Before anybody sends to this area once more, all ranks have been through a round, so this one has taken the data.
void shmem_wire::start_exchange(int step, int parity, std::span<const std::byte> data, int to, std::byte* into,
                                int /*from*/) {
  std::byte* const area = exchange_area(step, parity);
  put_and_tell(area + cache_line_bytes, data.data(), data.size(), word_at(area),
               exchange_word(++n_exchanges_, data.size()), to);
  arriving_ = area;
  into_ = into;
}

bool shmem_wire::is_exchange_done(std::size_t& n_received) {
  const std::uint64_t n_bytes = load(arriving_) - exchange_word(n_exchanges_, 0);
  if (n_bytes > UINT32_MAX) {  // the word of an older exchange
    make_progress(word_at(start_));
    return false;
  }
  n_received = n_bytes;
  std::memcpy(into_, arriving_ + cache_line_bytes, n_received);
  return true;
}

// --- One-sided access and failure

// The standard promises atomicity among atomics on one type, so all are on 8 bytes.
std::uint64_t shmem_wire::atomic(const atomic_call& call, std::size_t offset, int rank) {
  std::uint64_t* const word = word_at(heap_ + offset);
  if (call.bytes == sizeof *word) {
    switch (call.op) {
      case atomic_op::add: return shmem_ulong_atomic_fetch_add(word, call.operand, rank);
      case atomic_op::exchange: return shmem_ulong_atomic_swap(word, call.operand, rank);
      case atomic_op::compare_exchange: return shmem_ulong_atomic_compare_swap(word, call.expected, call.operand, rank);
      default: break;
    }
  }
  return atomic_by_swaps(call, offset, rank);
}

// A word of 4 bytes changes with the 8 bytes that it lies in. Open MPI 4.1 has the rest, but overruns its stack in a
// compare-and-swap of 4 bytes (open-mpi/ompi issue 11257), and its and, or, xor on the caller's own memory do nothing.
std::uint64_t shmem_wire::atomic_by_swaps(const atomic_call& call, std::size_t offset, int rank) {
  const std::size_t place = offset % sizeof(std::uint64_t);
  std::uint64_t* const word = word_at(heap_ + (offset - place));
  std::uint64_t found = shmem_ulong_atomic_fetch(word, rank);
  for (;;) {
    const std::uint64_t expected = found;
    std::uint64_t changed = expected;
    const std::uint64_t old = apply_atomic(call, reinterpret_cast<std::byte*>(&changed) + place);
    if (changed == expected) return old;
    found = shmem_ulong_atomic_compare_swap(word, expected, changed, rank);
    if (found == expected) return old;
  }
}

void shmem_wire::start_atomic(const atomic_call& call, std::size_t offset, int rank) {
  if (call.op == atomic_op::add && call.bytes == sizeof(std::uint64_t)) {
    shmem_ulong_atomic_add(word_at(heap_ + offset), call.operand, rank);
  } else {
    atomic(call, offset, rank);
  }
}

bool shmem_wire::claim_report() { return shmem_ulong_atomic_compare_swap(word_at(start_), 0, 1, 0) == 0; }

void shmem_wire::abort(int status) {
  const int passed_on = std::clamp(status, 1, 255);
  shmem_global_exit(passed_on);
  std::_Exit(passed_on);  // the standard does not promise that shmem_global_exit stays away
}

}  // namespace

network::wire* make_shmem_wire(bool is_ours) { return new shmem_wire(is_ours); }

}  // namespace shoal::internal::shmem
