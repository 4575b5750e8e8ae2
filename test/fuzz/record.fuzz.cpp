// A reader of records must survive any input from the wire: stay inside the buffer, end, and return records that follow
// each other.
//
// Built and run for some seconds by record.test.sh.
#include <cstdlib>
#include <memory>
#include <new>

#include "shoal/conveyor/internal/record.hpp"
#include "shoal/conveyor/internal/record_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace shoal;
  using namespace shoal::internal;
  // A copy that ends where the input ends, aligned like a payload, so that one byte too far is detected.
  struct free_aligned {
    void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t{64}); }
  };
  const std::unique_ptr<std::byte, free_aligned> payload(
      static_cast<std::byte*>(::operator new(size, std::align_val_t{64})));
  std::memcpy(payload.get(), data, size);
  const std::byte* const end = payload.get() + size;
  record_reader records(payload.get(), end);
  const std::byte* last_end = payload.get();
  record r;
  while (!records.is_at_end() && records.read(r)) {
    if (r.bytes.data() < last_end + sizeof(run_header) || r.bytes.data() + r.bytes.size() > end) std::abort();
    if (!is_record(static_cast<std::uint32_t>(r.kind))) std::abort();
    last_end = r.bytes.data() + r.bytes.size();
    volatile std::byte sink{};
    for (const std::byte b : r.bytes) sink = b;
  }
  return 0;
}
