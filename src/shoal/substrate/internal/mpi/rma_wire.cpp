#include "shoal/substrate/internal/mpi/rma_wire.hpp"

#include <atomic>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "shoal/substrate/internal/mpi/window.hpp"
#include "shoal/substrate/internal/one_sided/fingerprint.hpp"
#include "shoal/substrate/internal/one_sided/landing.hpp"

namespace shoal::internal::mpi {

namespace {

std::string in_mib(std::size_t bytes) { return std::to_string((bytes >> 20) + 1) + " MiB"; }

// Buffers, gets and puts are one-sided; exchanges and claims are few and small, and stay messages. Atomics are requests
// (mpi_wire.hpp): MPI promises atomicity among accumulates of one operation only, and none with the processors of the
// target's node.
//
// MPI orders no put after another and has no notification. Each call that completes a put at its target may wait until
// the target calls the library. So a buffer is one put that shows by itself whether it is whole, and nothing is flushed
// (docs/design/one-sided-wires.md).
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
  void get(void* target, std::size_t offset, std::size_t bytes, int rank) override {
    heap_.get_with_requests(target, offset, bytes, rank, awaited_);
    wait_for_awaited();
  }
  void put(std::size_t offset, const void* source, std::size_t bytes, int rank) override {
    heap_.put(rank, offset, source, bytes);
    awaited_.push_back(heap_.ask(rank));
    wait_for_awaited();
    heap_.complete(rank);
  }
  void start_get(void* target, std::size_t offset, std::size_t bytes, int rank) override {
    heap_.get(target, offset, bytes, rank);
  }
  void start_put(std::size_t offset, const void* source, std::size_t bytes, int rank) override {
    heap_.put(rank, offset, source, bytes);
  }
  void quiet() override {
    if (!heap_.touched().empty()) complete_all();
    requests().quiet();
  }

private:
  // Serves others meanwhile.
  void wait_for_awaited() {
    requests().wait_for(awaited_);
    awaited_.clear();
  }
  void complete_all() {
    for (const int rank : heap_.touched()) awaited_.push_back(heap_.ask(rank));
    wait_for_awaited();
    heap_.complete_all();
  }

  void end_transfers() override;

  // The landing's memory.
  void put(int rank, std::size_t offset, buffer& full, std::size_t word, std::uint64_t nth) override;
  bool has_arrived(const buffer& place, std::size_t, std::uint64_t nth) const override {
    return one_sided::is_whole(place, nth, payload_bytes_);
  }
  std::size_t n_taken_over(std::size_t n) override;
  void put_word(int rank, std::size_t word, const std::uint64_t& value) override {
    landing_.put_word(rank, word, value);
  }
  std::uint64_t word(std::size_t offset) const override;
  std::byte* at(std::size_t offset) const override { return landing_.start() + offset; }

  window landing_;
  window heap_;
  std::optional<one_sided::landing> ends_;
  std::size_t payload_bytes_ = 0;
  std::vector<MPI_Request> awaited_;  // of the call that runs; a member to keep its memory

  std::deque<std::vector<MPI_Request>> puts_;  // of each put under way, oldest first
};

std::string rma_wire::open(const network::wire_sizes& sizes) {
  open_small(sizes);
  const one_sided::landing_layout layout(n_ranks_, sizes);
  const auto fault = [&](bool is_made, std::size_t bytes, const std::string& what) -> std::string {
    const int failed = first_that_failed(is_made);
    if (failed < 0) return {};
    return "MPI gives rank " + std::to_string(failed) + " no window of unified memory, here " + in_mib(bytes) +
           " for " + what;
  };
  const bool has_landing = landing_.allocate(layout.bytes(), data_communicator());
  if (std::string wrong = fault(has_landing, layout.bytes(), "buffers that arrive"); !wrong.empty()) return wrong;
  if (sizes.heap_bytes > 0) {
    const bool has_heap = heap_.create(sizes.heap, sizes.heap_bytes, data_communicator());
    if (std::string wrong = fault(has_heap, sizes.heap_bytes, "the symmetric heap"); !wrong.empty()) return wrong;
    heap_.open_to_all();
  }
  std::memset(landing_.start(), 0, layout.words_bytes());
  landing_.open_to_all();
  payload_bytes_ = sizes.payload_bytes;
  ends_.emplace(static_cast<one_sided::remote_memory&>(*this), layout, rank_, sizes);
  MPI_Barrier(data_communicator());  // nobody stores anything before all words are zero
  ends_->start();
  return {};
}

void rma_wire::end_transfers() {
  for (std::vector<MPI_Request>& of_one : puts_) {
    MPI_Waitall(static_cast<int>(of_one.size()), of_one.data(), MPI_STATUSES_IGNORE);
  }
  puts_.clear();
  heap_.free();
  landing_.free();
}

buffer* rma_wire::poll() {
  buffer* const landed = ends_->poll();
  if (landed != nullptr) {
    serve_beside_buffers();
    return landed;
  }
  landing_.send_off();
  // Where the library carries out puts of others in software, it does so within calls of ours, such as this one.
  requests().serve_some();
  landing_.synchronize();
  answer_claims();
  return nullptr;
}

void rma_wire::put(int rank, std::size_t offset, buffer& full, std::size_t, std::uint64_t nth) {
  one_sided::sign(full, nth);
  const std::byte* const begin = reinterpret_cast<const std::byte*>(&full) + one_sided::put_begin;
  const std::size_t bytes = sizeof(buffer) - one_sided::put_begin + full.header.bytes;
  landing_.put_with_requests(rank, offset + one_sided::put_begin, begin, bytes, puts_.emplace_back());
}

std::size_t rma_wire::n_taken_over(std::size_t) {
  std::size_t n = 0;
  for (int is_done = 1; !puts_.empty(); puts_.pop_front(), ++n) {
    std::vector<MPI_Request>& oldest = puts_.front();
    MPI_Testall(static_cast<int>(oldest.size()), oldest.data(), &is_done, MPI_STATUSES_IGNORE);
    if (is_done == 0) break;
  }
  return n;
}

std::uint64_t rma_wire::word(std::size_t offset) const {
  return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(at(offset))).load(std::memory_order_acquire);
}

}  // namespace

network::wire* make_rma_wire(const session& of) { return new rma_wire(of); }

}  // namespace shoal::internal::mpi
