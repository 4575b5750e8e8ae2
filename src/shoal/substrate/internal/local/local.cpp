#include "shoal/substrate/internal/local/local.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/life_lock.hpp"
#include "shoal/base/internal/signal_reports.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/internal/common_settings.hpp"
#include "shoal/substrate/internal/debugger.hpp"
#include "shoal/substrate/internal/link_costs.hpp"
#include "shoal/substrate/internal/local/local_substrate.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::internal::local {
namespace {

segment_layout layout_of(const settings& chosen) {
  return {chosen.n_pes.value, chosen.n_slots.value, chosen.slot_bytes.value, chosen.heap_bytes.value};
}

// The kernel will end this process when its parent dies; the launcher may have died before this call. If a script
// started this process, its parent is the script's shell, which has the same arrangement. The launcher's process id
// says nothing in another PID namespace, nor its lock on a system that does not show locks, so both must say that it is
// gone.
void die_with(pid_t launcher, int job_fd) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const bool is_gone = launcher != 0 && ::kill(launcher, 0) != 0 && !is_life_lock_held(job_fd, launcher_lock);
  if (is_gone) ::raise(SIGKILL);
}

// Maps the first page of a job's memory; null if `fd` is not such memory, with EBADF in errno if it is not open. A
// shorter file could be mapped, but reading it would end the process.
job_page* map_job_page(int fd, int protection) noexcept {
  struct stat file{};
  errno = 0;
  if (::fstat(fd, &file) != 0 || file.st_size < static_cast<off_t>(job_page_bytes)) return nullptr;
  void* page = ::mmap(nullptr, job_page_bytes, protection, MAP_SHARED, fd, 0);
  return page == MAP_FAILED ? nullptr : static_cast<job_page*>(page);
}

// The PE that comes first leaves its settings for the others. Returns a message if `mine` differ from those; else an
// empty one.
std::string compare_with_first(job_page& page, pe_id pe, const common_settings& mine) {
  std::int32_t nobody = 0;
  if (page.first.compare_exchange_strong(nobody, static_cast<std::int32_t>(pe + 1))) {
    page.of_first = mine;
    page.has_settings.store(true, std::memory_order_release);
    return {};
  }
  while (!page.has_settings.load(std::memory_order_acquire)) ::sched_yield();  // a few stores of the first
  const pe_id first = page.first - 1;
  if (page.of_first == mine) return {};
  return first < pe ? difference(first, page.of_first, pe, mine) : difference(pe, mine, first, page.of_first);
}

void check_job_page(int fd, const settings& chosen) {
  job_page* const page = map_job_page(fd, PROT_READ | PROT_WRITE);
  if (page == nullptr && errno == EBADF) {
    throw setup_error("SHOAL_JOB_FD=" + std::to_string(fd) +
                      " is not open: a program that a PE starts is no PE; unset SHOAL_JOB_FD for it, or start it with "
                      "shoalrun");
  }
  if (page == nullptr) {
    throw setup_error("SHOAL_JOB_FD=" + std::to_string(fd) +
                      " is not a descriptor of a job's memory; start the program with shoalrun");
  }
  const bool fits = page->magic == job_page_magic && page->n_pes == chosen.n_pes.value;
  const std::string differs = fits ? compare_with_first(*page, chosen.pe.value, common_settings(chosen)) : "";
  ::munmap(page, job_page_bytes);
  if (!fits) {
    throw setup_error(
        "this program and the shoalrun that started it are of different Shoal versions; "
        "use the shoalrun that was installed with the library");
  }
  if (!differs.empty()) throw setup_error(differs);
}

// The memory of a job that shoalrun started belongs to its processes for their whole lives. A PE that runs alone gets
// new memory for each world.
class pe_of_job final : public process_pe {
public:
  explicit pe_of_job(const settings& chosen)
      : memory_(layout_of(chosen), chosen.job_fd.value),
        my_pe_(chosen.pe.value),
        mine_(begin(), my_pe_, chosen.slot_bytes.value,
              chosen.n_pes.value * chosen.n_workers.value > chosen.n_cores.value, substrate_kind::local) {
    mine_.know_links(links_of(chosen));
    mine_.populate_pool();
    mine_.heap().map_symmetrically(mine_);
  }

  substrate& backend() noexcept override { return mine_; }
  bool stays() const noexcept override { return memory_.fd() >= 0; }
  void begin_next_world() override { note_world(); }
  bool ends_with_others() const noexcept override { return false; }
  bool hangs_in_forked_child() const noexcept override { return false; }
  void close() override {}

private:
  // The launcher reads both when a process is gone. The number is written first: a new stage implies it.
  pe_stage note_world() noexcept {
    memory_.job().n_worlds[my_pe_].fetch_add(1, std::memory_order_relaxed);
    return memory_.job().stage[my_pe_].exchange(pe_stage::running);
  }

  segment& begin() {
    if (note_world() != pe_stage::absent) {
      throw setup_error("PE " + std::to_string(my_pe_) +
                        " of this job has run in another process, to which its memory belongs; call shoal::run in the "
                        "process that shoalrun started");
    }
    return memory_;
  }

  segment memory_;
  pe_id my_pe_;
  local_substrate mine_;
};

}  // namespace

bool claim_report(int job_fd, pe_id pe) noexcept {
  job_page* const page = map_job_page(job_fd, PROT_READ | PROT_WRITE);
  if (page == nullptr) return true;
  std::int32_t nobody = 0;
  const bool is_first = page->magic != job_page_magic ||
                        page->reporter.compare_exchange_strong(nobody, static_cast<std::int32_t>(pe + 1));
  ::munmap(page, job_page_bytes);
  return is_first;
}

std::unique_ptr<process_pe> start_process(const settings& chosen) {
  const int fd = chosen.job_fd.value;
  if (fd >= 0) {
    die_with(static_cast<pid_t>(chosen.launcher.value), fd);
    check_job_page(fd, chosen);
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);  // it has arrived; what the PE starts is no PE
  }
  wait_for_debugger(chosen, chosen.pe.value);
  return std::make_unique<pe_of_job>(chosen);
}

int run_threads(const settings& chosen, const pe_body& body) {
  segment memory(layout_of(chosen));
  const auto n_cores = static_cast<int>(chosen.n_cores.value);
  std::atomic<int> status{0};
  std::vector<std::thread> pes;
  for (pe_id pe = 0; pe < chosen.n_pes.value; ++pe) {
    const auto run_pe = [&, pe] {
      const answering_thread answers;
      local_substrate mine(memory, pe, chosen.slot_bytes.value, chosen.n_pes.value * chosen.n_workers.value > n_cores,
                           substrate_kind::threads);
      mine.know_links(links_of(chosen));
      const int mine_status = body(mine);
      int none = 0;
      if (mine_status != 0) status.compare_exchange_strong(none, mine_status);
    };
    try {
      pes.emplace_back(run_pe);
    } catch (const std::system_error& e) {
      // The PEs that already run would wait for the others for ever.
      end_job(status_usage, "cannot start PE " + std::to_string(pe) + " of " + std::to_string(chosen.n_pes.value) +
                                " as a thread (" + e.what() + "); choose fewer PEs, or raise ulimit -u or -v");
    }
  }
  for (std::thread& pe : pes) pe.join();
  return status.load();
}

}  // namespace shoal::internal::local
