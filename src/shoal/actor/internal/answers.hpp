/// Answers that are still to come on a PE: what futures, promises and coroutines have in common.
///
/// An answer has a place from the question on (pending_answer.hpp). A question carries the number of that place, and
/// its reply brings the number back. docs/design/answers.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "shoal/actor/internal/frames.hpp"
#include "shoal/actor/internal/pending_answer.hpp"
#include "shoal/actor/internal/questions_under_way.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/owner.hpp"
#include "shoal/base/internal/pe_worker.hpp"
#include "shoal/base/types.hpp"

namespace shoal {
class world;
template <class T>
class future;
}  // namespace shoal

namespace shoal::internal {

class exchange;
class main_program;
class spin_lock;
class superstep_part;
class team_worlds;

template <class T>
inline constexpr bool is_future = false;
template <class T>
inline constexpr bool is_future<future<T>> = true;

template <class T>
struct value_of_future {
  using type = T;
};
template <class T>
struct value_of_future<future<T>> {
  using type = T;
};

/// Those of a PE. The places live on the asker alone, so nothing here is collective.
class answers {
public:
  answers(exchange& through, team_worlds& worlds, main_program& caller, std::size_t budget_bytes, pe_id n_pes);
  answers(const answers&) = delete;
  answers& operator=(const answers&) = delete;

  /// The world ends: drops whatever waits. Futures and promises may outlive it; the last one then frees `all`.
  static void end(answers* all) noexcept;

  /// Those of the PE that this thread runs. Ends the job if there is none.
  static answers& current();

  // --- Places. A question opens one; whoever takes the value closes it.

  /// `asked` is a PE of a world with this number_for_answers.
  pending_answer& open(pe_id asked, const std::source_location& where, std::uint16_t asked_world = 0) {
    pending_answer* found = free_;
    if (found == nullptr) [[unlikely]] {
      found = &take_place();
    } else {
      free_ = found->next_free;
      __builtin_prefetch(free_, 1);
    }
    pending_answer& a = *found;
    a.waiting = nullptr;
    a.where = where;
    a.asked = static_cast<std::int32_t>(asked);
    a.asked_world = asked_world;
    a.is_open = a.is_wanted = true;
    a.is_abandoned = a.has_maker = a.follows_end = false;
    a.is_ready = false;
    return a;
  }
  void close(pending_answer& a) noexcept {
    if (keeps_no_free_) [[unlikely]]
      return give_place_back(a);
    a.is_open = false;
    a.next_free = free_;
    free_ = &a;
  }
  pending_answer* address_of(std::uint32_t number) const noexcept {
    return chunks_[number / n_per_chunk].get() + number % n_per_chunk;
  }
  pending_answer& at(std::uint32_t number) noexcept {
    pending_answer& a = *address_of(number);
    SHOAL_ASSERT(a.is_open && a.number == number);
    return a;
  }
  static answers& of(const pending_answer& a) noexcept {
    // A chunk is aligned to its size, and begins with the address of its owner.
    const auto chunk = reinterpret_cast<std::uintptr_t>(&a) & ~(std::uintptr_t{chunk_bytes} - 1);
    return **reinterpret_cast<answers* const*>(chunk);
  }

  questions_under_way& questions() noexcept { return questions_; }

  // --- Values

  /// The answer is made. What waits for it runs at the next run_ready.
  template <class T>
  static void give(pending_answer& a, T&& value) {
    if (is_waited_for(a, std::move(value))) of(a).let_run(a);
  }
  /// The same in a reply, as its last act: what waits runs now.
  template <class T>
  void give_and_run(pending_answer& a, T&& value) {
    if (is_waited_for(a, std::move(value))) run_from(*std::exchange(a.waiting, nullptr));
  }
  /// Takes the value of an answer that is ready.
  template <class T>
  static T take(pending_answer& a) {
    T value = std::move(answer_value<T>::of(a));
    answer_value<T>::destroy(a);
    of(a).close(a);
    return value;
  }
  /// Nothing will make the answer. Ends the job if something waits for it.
  static void abandon(pending_answer& a) noexcept;
  /// Nobody will take the answer, which is not ready. The first on the PE's own thread. With the second, on other workers, it may
  /// come meanwhile, and then `destroy` destroys its value.
  static void forgo(pending_answer& a) noexcept {
    SHOAL_ASSERT(other_worker() == nullptr);
    a.is_wanted = false;
    if (!a.has_maker && !a.is_abandoned) return;
    if (a.has_maker) a.maker().to = nullptr;
    of(a).close(a);
  }
  static void forgo(pending_answer& a, void (*destroy)(pending_answer&));

  /// `c` waits for `a`, which is not ready. Runs on the PE's own thread, whichever worker this is called on.
  void attach(pending_answer& a, continuation& c, std::source_location where);
  void attach_late(pending_answer& a, continuation& c, std::source_location where);  // the answer may have come since
  /// The main program waits for `a`. Ends the job in a handler.
  void wait(pending_answer& a, const std::source_location& where);
  [[noreturn, gnu::cold]] static void refuse_second_use(const char* what);
  [[noreturn, gnu::cold]] static void refuse_size(std::size_t n_places);
  [[noreturn, gnu::cold]] static void refuse_second_answer(const std::source_location& where);

  // --- Running what waits

  /// Runs what is ready, and what that makes ready, one after the other. In a handler of this mailbox, as its last act;
  /// or outside finish.
  void run_ready() {
    if (first_ready_ != nullptr && !is_running_) [[unlikely]]
      run_from(take_ready());
  }
  /// Whether something is ready that has not run: then it runs, or a message to this PE is under way in which it will.
  bool is_any_ready() const noexcept { return first_ready_ != nullptr; }
  /// Whether what waited runs now.
  bool are_running() const noexcept { return is_running_; }
  /// The program has made an answer, perhaps in the middle of a handler. Then what waits for it has to wait for the end
  /// of that handler: in a message to this PE, which this asks for. Outside finish it runs at once.
  bool wants_message() {
    if (first_ready_ == nullptr || is_running_) return false;
    return is_message_possible();
  }

  // --- Memory of continuations

  void* allocate(std::size_t bytes) { return frames_.allocate(bytes); }
  void deallocate(void* memory, std::size_t bytes) noexcept { frames_.deallocate(memory, bytes); }
  template <class C, class... Arguments>
  C& make(Arguments&&... arguments) {
    static_assert(alignof(C) <= alignof(std::max_align_t), "what is kept for an answer is aligned to 16 bytes at most");
    return *::new (allocate(sizeof(C))) C(std::forward<Arguments>(arguments)...);
  }
  template <class C>
  void destroy(C& its) noexcept {
    its.~C();
    deallocate(&its, sizeof(C));
  }

  /// For reports: what waits here, and for whom. Empty if nothing does.
  [[gnu::cold]] std::string describe() const;

private:
  static constexpr std::size_t chunk_bytes = std::size_t{64} << 10;
  static constexpr std::size_t n_chunks_most = 65'536;  // where several workers open places
  static constexpr std::size_t n_per_chunk = chunk_bytes / sizeof(pending_answer);
  struct free_chunk {
    void operator()(pending_answer* chunk) const noexcept;
  };

  ~answers();
  // Puts a value into its place; or closes the place, if nobody wants the value.
  template <class T>
  static bool is_waited_for(pending_answer& a, T&& value) {
    static_assert(!std::is_lvalue_reference_v<T>);
    if (!a.is_wanted) {
      of(a).close(a);
      return false;
    }
    answer_value<T>::put(a, std::move(value));
    // From then on a task on another worker may take the value and close the place, if nothing waits.
    const bool is_waited = a.waiting != nullptr;
    a.is_ready = true;
    return is_waited;
  }
  [[gnu::cold]] pending_answer& take_place();
  [[gnu::cold]] void give_place_back(pending_answer& a) noexcept;
  void let_run(pending_answer& a) noexcept;
  continuation& take_ready() noexcept {
    continuation& first = *first_ready_;
    first_ready_ = first.next;
    return first;
  }
  void run_from(continuation& first);
  void run_several(continuation& first);
  [[gnu::cold]] bool is_message_possible();
  template <class F>
  void for_each_open(F f) const;

  exchange& exchange_;
  team_worlds& worlds_;
  main_program& caller_;
  questions_under_way questions_;
  pending_answer* free_ =
      nullptr;  // null, too, where several workers open and close places; they take them under lock_
  pending_answer* shared_free_ = nullptr;
  const owner<spin_lock> lock_;
  const bool is_shared_;
  bool keeps_no_free_;  // is_shared_, or is_orphan_
  std::vector<owner<pending_answer, free_chunk>> chunks_;  // place 0 of each holds the address of this object
  pending_answer* awaited_ = nullptr;  // the main program waits for it in get; otherwise null
  continuation* first_ready_ = nullptr;  // first in, first out
  continuation* last_ready_ = nullptr;
  bool is_running_ = false;  // run_from
  bool is_orphan_ = false;  // the world has ended
  std::size_t n_held_ = 0;  // places of an orphan that a future or a promise holds
  frames frames_;
};

struct end_answers {
  void operator()(answers* all) const noexcept { answers::end(all); }
};

// In world.hpp.
inline answers& answers_of(world& home) noexcept;
/// Tells the worlds of a PE apart in the places of answers.
inline std::uint16_t number_for_answers(const world& home) noexcept;
inline world& current_world();

}  // namespace shoal::internal
