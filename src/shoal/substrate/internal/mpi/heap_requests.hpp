/// Access to another rank's heap by asking its processor: for gets and puts without one-sided MPI, and for all atomics.
///
/// A request is one small message to a posted receive. The rank that is asked serves it whenever it calls the wire, and
/// answers with the data, the old word, or nothing. Long data of a put follow the request, straight into the heap; the
/// answer comes when they are there. docs/design/one-sided-access.md.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "shoal/substrate/internal/atomic_call.hpp"

namespace shoal::internal::mpi {

class heap_requests {
public:
  /// The most requests of this rank that are under way: not answered yet, or not sent yet with all their data.
  static constexpr std::size_t n_tickets = 64;

  /// Tags that it uses: one for requests, and two for each ticket.
  static constexpr int n_tags = 1 + 2 * static_cast<int>(n_tickets);

  heap_requests() noexcept;
  heap_requests(const heap_requests&) = delete;
  heap_requests& operator=(const heap_requests&) = delete;

  /// Posts the receives. Uses n_tags tags of `communicator` from `first_tag` on. Others access `heap`. `pass_time` is
  /// called while a call below waits, with the number of its calls since something happened. All ranks must call open; it
  /// waits for none.
  void open(MPI_Comm communicator, int first_tag, std::byte* heap, std::function<void(unsigned&)> pass_time);

  // --- Calls of the rank that asks. Each may wait for a free ticket, and serves others' requests while it waits.

  /// As in wire.hpp.
  void get(void* target, std::size_t offset, std::size_t bytes, int rank);
  void put(std::size_t offset, const void* source, std::size_t bytes, int rank);
  std::uint64_t atomic(const atomic_call& call, std::size_t offset, int rank);
  void start_get(void* target, std::size_t offset, std::size_t bytes, int rank);
  void start_put(std::size_t offset, const void* source, std::size_t bytes, int rank);
  void start_atomic(const atomic_call& call, std::size_t offset, int rank);
  void quiet();

  /// Waits for puts whose data follow their requests. The target carries out all others in the order of their requests.
  void fence();

  /// Waits until all of these are done, which may be requests of any kind.
  void wait_for(std::span<MPI_Request> all);

  // --- Calls of the rank that is asked. Local, nonblocking.

  /// The receive that the next request matches, for a test that looks at others too. When that finds it complete, serve.
  MPI_Request oldest() const noexcept { return receives_[oldest_]; }
  void serve(int source);

  /// Serves what has come, but no more than n_per_look requests, so that others do not keep this rank from its own work.
  /// False if there was nothing.
  bool serve_some();
  static constexpr unsigned n_per_look = 16;

  /// Goes on with answers and data that are under way.
  void progress() {
    if (!incoming_.empty()) take_incoming();
    if (!answers_.empty()) drop_sent_answers();
  }

  /// Requests that this rank has served.
  std::uint64_t n_served() const noexcept { return n_served_; }

  /// Collective. Completes what this rank has asked for, serves the others until all have got that far, and cancels the
  /// receives. Waits.
  void close();

private:
  enum class kind : std::uint8_t { get, put, put_follows, atomic };
  static constexpr std::size_t inline_bytes = 208;

  // As it travels. Only the data that there are.
  struct request {
    kind what = kind::get;
    std::uint32_t ticket = 0;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    atomic_call call = {};
    std::byte data[inline_bytes];
  };
  // What the asking rank keeps of a request under way. It is free when all three are null.
  struct ticket {
    MPI_Request sent[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};  // answer, request, data
    request asked;
    std::uint64_t old_word = 0;
  };
  // What the rank that is asked has sent, until it has left.
  struct answer {
    std::uint64_t old_word = 0;
    MPI_Request sent = MPI_REQUEST_NULL;
  };
  // Data of a put that follow.
  struct incoming {
    MPI_Request received = MPI_REQUEST_NULL;
    int source = 0;
    std::uint32_t ticket = 0;
  };

  int answer_tag(std::uint32_t number) const noexcept { return first_tag_ + 1 + 2 * static_cast<int>(number); }
  int data_tag(std::uint32_t number) const noexcept { return answer_tag(number) + 1; }
  ticket& take_ticket(kind what, std::size_t offset, std::size_t bytes);
  void send(ticket& with, void* answer_at, int answer_bytes, int rank);
  ticket& last_ticket() noexcept { return tickets_[(next_ + n_tickets - 1) % n_tickets]; }
  void send_answer(const void* data, int n_bytes, int target, std::uint32_t number);
  void take_incoming();
  void drop_sent_answers();
  void post(std::size_t i);

  MPI_Comm communicator_ = MPI_COMM_NULL;
  int first_tag_ = 0;
  std::byte* heap_ = nullptr;
  std::function<void(unsigned&)> pass_time_;

  std::vector<ticket> tickets_;
  std::uint32_t next_ = 0;  // ticket; they are taken in turn
  bool is_quiet_ = true;  // no request since all were answered

  // In a circle, posted in this order from oldest_ on; requests match them in this order.
  static constexpr std::size_t n_posted = 16;
  std::array<MPI_Request, n_posted> receives_;
  std::vector<request> received_;
  std::size_t oldest_ = 0;

  std::deque<answer> answers_;  // a deque, since what is in it must not move
  std::vector<incoming> incoming_;
  std::uint64_t n_served_ = 0;
};

}  // namespace shoal::internal::mpi
