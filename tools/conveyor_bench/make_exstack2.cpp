// Exstack2s, whose buffers have the size of a slot.
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/kinds/exstack2.hpp"
#include "tools/conveyor_bench/streams.hpp"
#include "tools/conveyor_bench/traffic.hpp"

namespace shoal::cli {
namespace {

template <item T>
class exstack2_stream : public stream_over<T, exstack2<T>> {
public:
  exstack2_stream(world& w, const bench_options&)
      : stream_over<T, exstack2<T>>(w, w.message_exchange().payload_bytes() / sizeof(T)) {}

  void begin(std::size_t) {}
  progress advance(bool is_done) { return this->conveyor_.proceed(is_done) ? progress::working : progress::complete; }
};

}  // namespace

std::unique_ptr<workload> make_exstack2(world& w, const bench_options& options) {
  return make_typed_traffic<exstack2_stream>(w, options);
}

}  // namespace shoal::cli
