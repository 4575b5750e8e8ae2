#include "shoal/substrate/internal/mpi/heap_requests.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "shoal/substrate/internal/mpi/chunks.hpp"
#include "shoal/substrate/internal/mpi/mpi_wire.hpp"

namespace shoal::internal::mpi {

heap_requests::heap_requests() noexcept { receives_.fill(MPI_REQUEST_NULL); }

void heap_requests::open(MPI_Comm communicator, int first_tag, std::byte* heap,
                         std::function<void(unsigned&)> pass_time) {
  communicator_ = communicator;
  first_tag_ = first_tag;
  heap_ = heap;
  pass_time_ = std::move(pass_time);
  tickets_ = std::vector<ticket>(n_tickets);
  received_ = std::vector<request>(n_posted);
  for (std::size_t i = 0; i < n_posted; ++i) post(i);
}

void heap_requests::post(std::size_t i) {
  MPI_Irecv(&received_[i], sizeof(request), MPI_BYTE, MPI_ANY_SOURCE, first_tag_, communicator_, &receives_[i]);
}

// --- Asking

void heap_requests::wait_for(std::span<MPI_Request> all) {
  if (std::ranges::all_of(all, [](MPI_Request each) { return each == MPI_REQUEST_NULL; })) return;
  const auto n = static_cast<int>(all.size());
  unsigned patience = 0;
  for (int are_done = 0; MPI_Testall(n, all.data(), &are_done, MPI_STATUSES_IGNORE), are_done == 0;) {
    if (serve_some()) {
      patience = 0;
    } else {
      pass_time_(patience);
    }
  }
}

heap_requests::ticket& heap_requests::take_ticket(kind what, std::size_t offset, std::size_t bytes) {
  ticket& mine = tickets_[next_];
  wait_for(mine.sent);
  is_quiet_ = false;
  mine.asked.what = what;
  mine.asked.ticket = next_;
  mine.asked.offset = offset;
  mine.asked.bytes = bytes;
  next_ = static_cast<std::uint32_t>((next_ + 1) % n_tickets);
  return mine;
}

// The receive for the answer comes first, so that the answer never waits in the library for it.
void heap_requests::send(ticket& with, void* answer_at, int answer_bytes, int rank) {
  const request& asked = with.asked;
  MPI_Irecv(answer_at, answer_bytes, MPI_BYTE, rank, answer_tag(asked.ticket), communicator_, &with.sent[0]);
  const std::size_t bytes = offsetof(request, data) + (asked.what == kind::put ? asked.bytes : 0);
  MPI_Isend(&asked, static_cast<int>(bytes), MPI_BYTE, rank, first_tag_, communicator_, &with.sent[1]);
}

void heap_requests::start_get(void* target, std::size_t offset, std::size_t bytes, int rank) {
  in_chunks(bytes, [&](std::size_t done, int n) {
    send(take_ticket(kind::get, offset + done, static_cast<std::size_t>(n)), static_cast<std::byte*>(target) + done, n,
         rank);
  });
}

void heap_requests::start_put(std::size_t offset, const void* source, std::size_t bytes, int rank) {
  in_chunks(bytes, [&](std::size_t done, int n) {
    const auto n_bytes = static_cast<std::size_t>(n);
    const std::byte* const from = static_cast<const std::byte*>(source) + done;
    ticket& mine = take_ticket(n_bytes <= inline_bytes ? kind::put : kind::put_follows, offset + done, n_bytes);
    if (mine.asked.what == kind::put) std::memcpy(mine.asked.data, from, n_bytes);
    send(mine, nullptr, 0, rank);
    if (mine.asked.what == kind::put) return;
    MPI_Isend(from, n, MPI_BYTE, rank, data_tag(mine.asked.ticket), communicator_, &mine.sent[2]);
  });
}

void heap_requests::start_atomic(const atomic_call& call, std::size_t offset, int rank) {
  ticket& mine = take_ticket(kind::atomic, offset, call.bytes);
  mine.asked.call = call;
  send(mine, &mine.old_word, sizeof mine.old_word, rank);
}

void heap_requests::get(void* target, std::size_t offset, std::size_t bytes, int rank) {
  start_get(target, offset, bytes, rank);
  if (bytes > chunk_bytes) return quiet();
  if (bytes != 0) wait_for(last_ticket().sent);
}

void heap_requests::put(std::size_t offset, const void* source, std::size_t bytes, int rank) {
  start_put(offset, source, bytes, rank);
  if (bytes > chunk_bytes) return quiet();
  if (bytes > inline_bytes) wait_for({&last_ticket().sent[2], 1});
}

std::uint64_t heap_requests::atomic(const atomic_call& call, std::size_t offset, int rank) {
  start_atomic(call, offset, rank);
  wait_for(last_ticket().sent);
  return last_ticket().old_word;
}

void heap_requests::fence() {
  if (is_quiet_) return;
  for (ticket& each : tickets_) {
    if (each.asked.what == kind::put_follows) wait_for(each.sent);
  }
}

void heap_requests::quiet() {
  if (is_quiet_) return;
  for (ticket& each : tickets_) wait_for(each.sent);
  is_quiet_ = true;
}

// --- Serving

bool heap_requests::serve_some() {
  progress();
  for (unsigned n = 0; n < n_per_look; ++n) {
    int is_here = 0;
    MPI_Status status;
    MPI_Test(&receives_[oldest_], &is_here, &status);
    if (is_here == 0) return n > 0;
    serve(status.MPI_SOURCE);
  }
  return true;
}

void heap_requests::serve(int source) {
  const request& asked = received_[oldest_];
  std::byte* const place = heap_ + asked.offset;
  const auto n_bytes = static_cast<int>(asked.bytes);
  switch (asked.what) {
    case kind::get: send_answer(place, n_bytes, source, asked.ticket); break;
    case kind::put:
      std::memcpy(place, asked.data, asked.bytes);
      send_answer(nullptr, 0, source, asked.ticket);
      break;
    case kind::put_follows:
      incoming_.push_back({.source = source, .ticket = asked.ticket});
      MPI_Irecv(place, n_bytes, MPI_BYTE, source, data_tag(asked.ticket), communicator_, &incoming_.back().received);
      break;
    case kind::atomic: {
      const std::uint64_t old_word = apply_atomic(asked.call, place);
      send_answer(&old_word, sizeof old_word, source, asked.ticket);
      break;
    }
  }
  post(oldest_);
  oldest_ = (oldest_ + 1) % n_posted;
  ++n_served_;
}

// A word is copied; longer data leave from the heap itself.
void heap_requests::send_answer(const void* data, int n_bytes, int target, std::uint32_t number) {
  answer& next = answers_.emplace_back();
  if (n_bytes > 0 && n_bytes <= static_cast<int>(sizeof next.old_word)) {
    std::memcpy(&next.old_word, data, static_cast<std::size_t>(n_bytes));
    data = &next.old_word;
  }
  MPI_Isend(data, n_bytes, MPI_BYTE, target, answer_tag(number), communicator_, &next.sent);
}

void heap_requests::take_incoming() {
  for (std::size_t i = 0; i < incoming_.size();) {
    int is_here = 0;
    MPI_Test(&incoming_[i].received, &is_here, MPI_STATUS_IGNORE);
    if (is_here == 0) {
      ++i;
      continue;
    }
    const incoming done = incoming_[i];
    incoming_[i] = incoming_.back();
    incoming_.pop_back();
    send_answer(nullptr, 0, done.source, done.ticket);
  }
}

void heap_requests::drop_sent_answers() {
  for (int has_left = 0; !answers_.empty(); answers_.pop_front()) {
    MPI_Test(&answers_.front().sent, &has_left, MPI_STATUS_IGNORE);
    if (has_left == 0) return;
  }
}

// As control_messages::close: when every rank has entered the barrier with all its requests answered, nobody asks any
// more, and every answer has been received.
void heap_requests::close() {
  if (communicator_ == MPI_COMM_NULL) return;
  quiet();
  MPI_Request barrier = MPI_REQUEST_NULL;
  MPI_Ibarrier(communicator_, &barrier);
  wait_for({&barrier, 1});
  for (MPI_Request& each : receives_) cancel(each);
  for (answer& each : answers_) MPI_Wait(&each.sent, MPI_STATUS_IGNORE);
  answers_.clear();
  communicator_ = MPI_COMM_NULL;
}

}  // namespace shoal::internal::mpi
