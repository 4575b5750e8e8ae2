#include "shoal/substrate/mpi/rma_wire.hpp"

#include <atomic>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "shoal/substrate/mpi/window.hpp"
#include "shoal/substrate/one_sided/landing.hpp"

namespace shoal::mpi {

namespace {

std::string in_mib(std::size_t bytes) { return std::to_string((bytes >> 20) + 1) + " MiB"; }

// Buffers and the heap are one-sided; exchanges and claims are few and small, and stay messages.
//
// MPI orders no put behind another, and has no notification. So what is put is flushed, which completes it at its
// target, and only then the words are sent that tell of it. A flush costs a way to the target and back: it comes once
// for all that was sent between two looks at what has arrived (docs/design/one-sided-wires.md).
class rma_wire final : public mpi_wire, private one_sided::remote_memory {
public:
  explicit rma_wire(const session& of) : mpi_wire(of) {}

  std::string open(const network::wire_sizes& sizes) override;

  bool try_send(buffer& full, int target) override { return ends_->try_send(full, target); }
  buffer* take_sent() override { return ends_->take_sent(); }
  buffer* poll() override;
  void release(buffer& landed) override { ends_->release(landed); }
  std::size_t n_lendable(int) const noexcept override { return 0; }

  bool is_one_sided() const noexcept override { return true; }
  std::byte* heap() const noexcept override { return heap_.start(); }
  void get(void* target, std::size_t offset, std::size_t bytes, int rank) override {
    heap_.get(target, offset, bytes, rank);
    heap_.wait_for(rank);
  }
  void start_get(void* target, std::size_t offset, std::size_t bytes, int rank) override {
    heap_.get(target, offset, bytes, rank);
  }
  void put(std::size_t offset, const void* source, std::size_t bytes, int rank) override {
    heap_.put(rank, offset, source, bytes);
    heap_.wait_for(rank);
  }
  std::uint64_t atomic(atomic_op op, std::size_t offset, std::uint64_t operand, std::uint64_t expected,
                       int rank) override {
    return heap_.fetch(op, rank, offset, operand, expected);
  }
  void start_add(std::size_t offset, std::uint64_t operand, int rank) override {
    heap_.add_to_word(rank, offset, operand);
  }
  void quiet() override {
    if (heap_.is_busy()) heap_.wait_for_all();
  }

private:
  void end_transfers() override;

  // The landing's memory.
  void put(int rank, std::size_t offset, const void* source, std::size_t bytes, std::size_t word,
           std::uint64_t value) override;
  void complete() override;
  void put_word(int rank, std::size_t word, std::uint64_t value) override;
  std::uint64_t word(std::size_t offset) const override;
  std::byte* at(std::size_t offset) const override { return landing_.start() + offset; }

  // What a rank is to be told once the puts before it are complete; a later value covers the earlier ones.
  struct news {
    std::size_t word = 0;
    std::uint64_t value = 0;
    bool is_due = false;
  };

  window landing_;
  window heap_;
  std::optional<one_sided::landing> ends_;
  std::vector<news> news_;      // by rank
  std::vector<int> news_for_;   // ranks whose news are due
};

std::string rma_wire::open(const network::wire_sizes& sizes) {
  prepare_exchanges(sizes);
  const one_sided::landing_layout layout(n_ranks_, sizes);
  const auto allocate = [&](window& made, std::size_t bytes, const std::string& what) -> std::string {
    const int failed = first_that_failed(made.allocate(bytes, data_communicator()));
    if (failed < 0) return {};
    return "MPI gives rank " + std::to_string(failed) + " no window of unified memory, here " + in_mib(bytes) +
           " for " + what;
  };
  if (std::string wrong = allocate(landing_, layout.bytes(), "buffers that arrive"); !wrong.empty()) return wrong;
  if (sizes.heap_bytes > 0) {
    if (std::string wrong = allocate(heap_, sizes.heap_bytes, "the symmetric heap"); !wrong.empty()) return wrong;
    heap_.open_to_all();
  }
  std::memset(landing_.start(), 0, layout.words_bytes());
  landing_.open_to_all();
  news_.resize(static_cast<std::size_t>(n_ranks_));
  ends_.emplace(static_cast<one_sided::remote_memory&>(*this), layout, rank_, sizes);
  MPI_Barrier(data_communicator());  // nobody stores anything before all words are zero
  ends_->start();
  return {};
}

void rma_wire::end_transfers() {
  heap_.free();
  landing_.free();
}

buffer* rma_wire::poll() {
  buffer* const landed = ends_->poll();
  if (landed != nullptr) return landed;
  // Words are not left to themselves: MPI promises to deliver them only to who asks for their completion.
  if (landing_.is_busy()) landing_.wait_for_all();
  // Where the library carries out puts of others in software, it does so within calls of ours.
  int is_there = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, 0, data_communicator(), &is_there, MPI_STATUS_IGNORE);
  landing_.synchronize();
  answer_claims();
  return nullptr;
}

void rma_wire::put(int rank, std::size_t offset, const void* source, std::size_t bytes, std::size_t word,
                   std::uint64_t value) {
  landing_.put(rank, offset, source, bytes);
  news& due = news_[static_cast<std::size_t>(rank)];
  if (!due.is_due) news_for_.push_back(rank);
  due = {word, value, true};
}

void rma_wire::complete() {
  landing_.wait_for_all();
  for (const int rank : news_for_) {
    news& due = news_[static_cast<std::size_t>(rank)];
    landing_.store_word(rank, due.word, due.value);
    due.is_due = false;
  }
  news_for_.clear();
}

void rma_wire::put_word(int rank, std::size_t word, std::uint64_t value) {
  if (landing_.is_busy()) landing_.wait_for(rank);  // puts to one word have no order either
  landing_.store_word(rank, word, value);
}

// The other side of the flush between a buffer and its word: what was complete before the word is read after it.
std::uint64_t rma_wire::word(std::size_t offset) const {
  return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(at(offset))).load(std::memory_order_acquire);
}

}  // namespace

network::wire* make_rma_wire(const session& of) { return new rma_wire(of); }

}  // namespace shoal::mpi
