// Exstacks.
#include "shoal/conveyor/kinds/exstack.hpp"
#include "tools/conveyor_bench/streams.hpp"
#include "tools/conveyor_bench/traffic.hpp"

namespace shoal::cli {
namespace {

template <item T>
class exstack_stream : public stream_over<T, exstack<T>> {
public:
  exstack_stream(world& w, const bench_options& options) : stream_over<T, exstack<T>>(w, options.capacity_items) {}

  void begin(std::size_t) { has_pushed_ = is_over_ = false; }

  /// The exchange completes the previous turn of the loop, whose items must all have been pulled.
  progress advance(bool is_done) {
    if (is_over_) return progress::complete;
    if (has_pushed_) this->conveyor_.exchange();
    has_pushed_ = true;
    is_over_ = !this->conveyor_.proceed(is_done);
    return is_over_ ? progress::cleanup : progress::working;  // the last exchange may have brought items
  }

private:
  bool has_pushed_ = false;  // in a previous turn
  bool is_over_ = false;
};

}  // namespace

std::unique_ptr<workload> make_exstack(world& w, const bench_options& options) {
  return make_typed_traffic<exstack_stream>(w, options);
}

}  // namespace shoal::cli
