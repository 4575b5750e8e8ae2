#include "shoal/compat/internal/process_world.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shoal/actor/internal/settings_table.hpp"
#include "shoal/actor/job.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/environment.hpp"
#include "shoal/base/parse.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/base/statistics_form.hpp"
#include "shoal/compat/internal/far_calls.hpp"
#include "shoal/compat/internal/mpi_of_program.hpp"
#include "shoal/compat/internal/reach.hpp"
#include "shoal/compat/internal/static_data.hpp"
#include "shoal/substrate/internal/run.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::internal::compat {

constinit place_in_job own_place;

namespace {

// The state that a process has once. Lives until the process ends, so nothing destroys it.
struct process {
  std::optional<settings> chosen;  // at the first opening; a library below may change the environment after that
  std::optional<job> now;
  std::optional<block_allocator> blocks;
  std::vector<std::byte*> direct;  // as symmetric_memory::direct, with a null for each PE where that is empty
  std::size_t scratch = 0;
  std::vector<end_with_job*> objects;  // oldest first
  bool has_handlers = false;
  bool has_exited = false;
  int n_users = 0;  // calls of enter without their leave
};

process& this_process() {
  static process& one = *new process;
  return one;
}

// As programs of OpenSHMEM set it.
constexpr const char* heap_variables[] = {"SHMEM_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_HEAP_SIZE", "SMA_SYMMETRIC_SIZE",
                                          "XT_SYMMETRIC_HEAP_SIZE"};

constexpr std::size_t registered_heap_bytes = std::size_t{256} << 20;

// OpenSHMEM allows fractions, and 0, which is as if the variable were unset.
std::size_t parse_heap(std::string_view text, const char* name) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) return parse_bytes(text, name);
  std::size_t end = dot + 1;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
  const double number = parse_real(text.substr(0, end), name, 0, 1e15);
  const std::size_t unit = end == text.size() ? 1 : parse_bytes("1" + std::string(text.substr(end)), name);
  return static_cast<std::size_t>(number * static_cast<double>(unit));
}

settings chosen_settings(std::size_t n_own_bytes) {
  settings chosen = settings_from_environment();
  for (const char* const name : heap_variables) {
    const char* const text = environment_text(name);
    if (chosen.heap_bytes.value != 0 || text == nullptr) continue;
    if (const std::size_t bytes = parse_heap(text, name); bytes != 0) chosen.heap_bytes = {bytes, name};
  }
  // Libraries with one-sided access register the whole heap, so there Shoal's default is smaller than programs of OpenSHMEM expect.
  const std::optional<substrate_kind> on = chosen.substrate.value;
  if (chosen.heap_bytes.value == 0 && (on == substrate_kind::mpi_rma || on == substrate_kind::shmem)) {
    chosen.heap_bytes = {registered_heap_bytes, "programs of OpenSHMEM"};
  }
  // What the user asks for is for shmem_malloc.
  if (chosen.heap_bytes.value != 0) chosen.heap_bytes.value += n_own_bytes;
  return chosen;
}

std::uintptr_t page_bytes() { return static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE)); }

// Room for whole pages, whatever their size.
std::size_t in_pages(std::size_t bytes) { return (bytes + 65535) / 65536 * 65536; }

// Maps the program's segment to the heap from `offset` on. Returns why not.
std::string share_statics(world& w, const static_segment& segment, std::size_t offset) {
  std::byte* const shared = here.heap + offset;
  if (are_statics_mapped(segment, shared)) return {};
  if (!can_map_statics()) return "this build has a sanitizer";
  // A library's heap may have been used before. Only pages that are not zero are copied.
  if (w.backend().kind() == substrate_kind::shmem) std::memset(shared, 0, segment.bytes);
  return map_statics(segment, shared);
}

// Over MPI, between nodes: the target of an atomic carries it out, and without windows that of a get or put, too.
bool must_serve(substrate& backend) {
  const bool is_mpi = backend.kind() == substrate_kind::mpi || backend.kind() == substrate_kind::mpi_rma;
  const std::vector<std::byte*>& direct = backend.heap().direct();
  return is_mpi && (direct.empty() || std::ranges::find(direct, nullptr) != direct.end());
}

void note_exit() {
  process& one = this_process();
  one.has_exited = true;
  one.n_users = 0;
  here = {};
}

void open(process& process_now) {
  const static_segment segment = can_map_statics() ? find_static_segment() : static_segment{};
  const std::size_t n_own_bytes = in_pages(segment.bytes) + 2 * scratch_half_bytes;
  // Runs after it.
  if (!process_now.has_handlers) std::atexit(note_exit);
  if (!process_now.chosen) process_now.chosen = chosen_settings(n_own_bytes);
  process_now.now.emplace(*process_now.chosen, exit_policy::close);
  // Runs before the handler that ends the job, which leaves C++'s streams alone.
  if (!std::exchange(process_now.has_handlers, true)) {
    std::atexit([] { std::cout.flush(); });
    if (close_job_before_mpi_ends != nullptr) close_job_before_mpi_ends();
  }
  world& w = process_now.now->world();
  symmetric_memory& memory = w.backend().heap();
  const std::size_t begin = w.take_heap();
  if (memory.bytes() < begin + n_own_bytes) {
    w.end_job(status_usage, "the symmetric heap of " + std::to_string(memory.bytes()) +
                                " bytes has no room for the program's static variables and for collective calls, " +
                                std::to_string(n_own_bytes) + " bytes; raise SHOAL_HEAP (shoalrun --heap)");
  }
  here = {};
  here.heap = memory.mine();
  here.heap_bytes = memory.bytes();
  here.memory = &memory;
  here.must_serve = must_serve(w.backend());
  if (!here.must_serve) process_now.direct = memory.direct();
  process_now.direct.resize(static_cast<std::size_t>(w.n_pes()));
  here.direct = process_now.direct.data();
  const std::string problem = share_statics(w, segment, begin);
  // All or none: an address in it means the same variable on each PE.
  const bool all_share = w.min(std::int64_t{problem.empty()}) != 0;
  if (all_share) {
    here.statics = segment.begin;
    here.static_bytes = segment.bytes;
    here.static_offset = begin;
  } else if (w.my_pe() == 0 && tells_statistics()) {
    std::fprintf(stderr, "shoal: static variables are not symmetric: %s\n",
                 problem.empty() ? "another PE could not map them" : problem.c_str());
  }
  process_now.scratch = begin + in_pages(segment.bytes);
  const auto address = reinterpret_cast<std::uintptr_t>(here.heap);
  const bool is_at_one_address = w.min(address) == w.max(address);
  process_now.blocks.emplace(begin + n_own_bytes, memory.bytes(), is_at_one_address ? address : address % page_bytes());
  own_place = {w.my_pe(), w.n_pes()};
  here.n_pes = static_cast<std::uint64_t>(w.n_pes());
  if (start_far_calls != nullptr) here.far = start_far_calls(w);
}

}  // namespace

void enter() noexcept {
  process& one = this_process();
  if (one.n_users++ != 0) return;
  try {
    open(one);
  } catch (const setup_error& e) {
    if (pe_of_this_process() != nullptr) end_job(status_usage, e.what());
    report_fault(e.what());
    std::_Exit(status_usage);
  }
}

void leave_all() noexcept {
  process& one = this_process();
  if (one.n_users != 0) one.n_users = 1;
  leave();
}

void leave() noexcept {
  process& one = this_process();
  if (one.n_users == 0 || --one.n_users > 0) return;
  complete_calls("shmem_finalize");
  while (!one.objects.empty()) {
    end_with_job& last = *one.objects.back();
    one.objects.pop_back();
    last();
  }
  if (here.far != nullptr) here.far->end();
  here = {};
  one.now.reset();
  if (end_mpi_of_program != nullptr) end_mpi_of_program();
}

end_with_job::end_with_job(void (*end)(void* object) noexcept, void* object) : end_(end), object_(object) {
  this_process().objects.push_back(this);
}
end_with_job::~end_with_job() { std::erase(this_process().objects, this); }

bool has_exited() noexcept { return this_process().has_exited; }

bool is_open() noexcept { return this_process().n_users != 0; }

world& world_for(const char* call) noexcept {
  process& one = this_process();
  if (!one.now) refuse_place(nullptr, 0, 0, call);
  return one.now->world();
}

std::size_t scratch_offset() noexcept { return this_process().scratch; }
block_allocator& blocks() noexcept { return *this_process().blocks; }

bool tells_statistics() noexcept {
  const process& one = this_process();
  return one.now && one.now->world().chosen_settings().stats.value != statistics_form::none;
}

}  // namespace shoal::internal::compat
