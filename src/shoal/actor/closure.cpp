#include "shoal/actor/closure.hpp"

#include <link.h>

#include <cstring>
#include <vector>

#include "shoal/actor/type_name.hpp"
#include "shoal/base/ambient.hpp"

namespace shoal {
namespace detail {
namespace {

// Filled before main and constant from then on, like a table of virtual functions. A function-local
// static, because other static variables' initialisers use it.
std::vector<closure_type>& table() {
  static std::vector<closure_type> types(1);  // number 0 means padding
  return types;
}

}  // namespace

std::uint32_t add_closure_type(const closure_type& type) {
  table().push_back(type);
  return static_cast<std::uint32_t>(table().size() - 1);
}

std::span<const closure_type> closure_types() noexcept { return table(); }

std::uint64_t closure_table_digest() noexcept {
  std::uint64_t digest = 0xcbf29ce484222325;  // FNV-1a
  const auto add = [&](const void* data, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
      digest = (digest ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001b3;
    }
  };
  for (std::size_t i = 1; i < table().size(); ++i) {
    const closure_type& type = table()[i];
    add(type.name, std::strlen(type.name));
    add(&type.bytes, sizeof type.bytes);
  }
  return digest;
}

void check_captures(const void* closure, std::size_t bytes, pe_id target, const char* name) {
  struct search {
    std::uintptr_t word;
    bool is_inside;
  };
  for (std::size_t offset = 0; offset + sizeof(std::uintptr_t) <= bytes; offset += alignof(void*)) {
    search s{0, false};
    std::memcpy(&s.word, static_cast<const std::byte*>(closure) + offset, sizeof s.word);
    ::dl_iterate_phdr(
        [](dl_phdr_info* image, std::size_t, void* data) {
          auto& looking = *static_cast<search*>(data);
          for (int i = 0; i < image->dlpi_phnum; ++i) {
            const auto& part = image->dlpi_phdr[i];
            const std::uintptr_t begin = image->dlpi_addr + part.p_vaddr;
            if (part.p_type == PT_LOAD && looking.word >= begin && looking.word - begin < part.p_memsz) {
              looking.is_inside = true;
            }
          }
          return looking.is_inside ? 1 : 0;
        },
        &s);
    if (s.is_inside) {
      end_job(status_usage, "a closure sent to PE " + std::to_string(target) + " captures (at byte " +
                                std::to_string(offset) +
                                ") an address inside the program image, which means nothing there; capture "
                                "a value or a per_pe handle instead (closure type " +
                                name + ")");
    }
  }
}

}  // namespace detail

closure_mailbox_base::closure_mailbox_base(world& home, std::string actor_name, void* context)
    : mailbox(home, std::move(actor_name), "closure", 0), context_(context) {}

std::string closure_mailbox_base::describe_message() const {
  return running_ == nullptr ? "closure" : "closure " + readable_type_name(running_);
}

void closure_mailbox_base::handle(const buffer& b, position& from, std::uint64_t& n_items) {
  const std::span types = detail::closure_types();
  exchange& ex = through();
  const std::byte* const payload = b.payload();
  while (from.offset < b.header.bytes) {
    constexpr std::size_t header_bytes = sizeof(run_header);
    const std::size_t at = (from.offset + header_bytes - 1) & ~(header_bytes - 1);
    run_header run;
    std::memcpy(&run, payload + at, header_bytes);
    if (run.type == padding_run) {
      from = {static_cast<std::uint32_t>(at + header_bytes + run.n_items), 0};
      continue;
    }
    const detail::closure_type* type = &types[run.type];
    if (run.type >= types.size()) [[unlikely]] {
      end_job(status_failure, "a buffer from PE " + std::to_string(b.header.source) +
                                  " names a closure type that this program has not; do all PEs run the "
                                  "same binary?");
    }
    const std::byte* const begin = payload + at + header_bytes;
    ex.delivery_end = begin + std::size_t{run.n_items} * type->bytes;
    running_ = type->name;
    const std::byte* const stop =
        type->run(context_, ex, begin + std::size_t{from.n_in_run} * type->bytes, b.header.source);
    if (ex.delivery_end != nullptr) [[likely]] {  // the run is used up; no division where types alternate
      n_items += run.n_items - from.n_in_run;
      from = {static_cast<std::uint32_t>(stop - payload), 0};
      continue;
    }
    const auto n_read = static_cast<std::uint32_t>(static_cast<std::size_t>(stop - begin) / type->bytes);
    n_items += n_read - from.n_in_run;
    from = n_read == run.n_items ? position{static_cast<std::uint32_t>(stop - payload), 0}
                                 : position{from.offset, n_read};
    return;
  }
}

}  // namespace shoal
