// A random program, for messages.test.py and faults.test.py:
//
//   hostile.messages SEED [FAULT PE AFTER]
//
// PE 0 prints "ok", the number of messages that it received, and the number of objects for which no buffer was left. A
// broken promise ends the job with status 3 and one line.
#include "test/hostile/random_program.hpp"

int main(int argc, char** argv) {
  if (argc != 2 && argc != 5) {
    std::fprintf(stderr, "hostile.messages SEED [FAULT PE AFTER]\n");
    return 2;
  }
  const std::uint64_t seed = std::strtoull(argv[1], nullptr, 10);
  shoal::test::fault planned;
  if (argc == 5) planned = {argv[2], std::atoi(argv[3]), std::strtoull(argv[4], nullptr, 10)};
  return shoal::run(argc, argv, [&](shoal::world& w) {
    shoal::test::random_program program(w, seed, planned);
    program.run();
    const std::uint64_t n_received = w.sum(program.n_received());
    if (w.my_pe() == 0) {
      std::printf("ok: %llu messages, %d objects refused\n", static_cast<unsigned long long>(n_received),
                  program.n_refused());
    }
    return 0;
  });
}
