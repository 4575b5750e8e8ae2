"""Generates programs for shoal-translate from a number: `generate.py KIND NUMBER [N_PROGRAMS]` prints a source.

Each program is a function in a namespace of its own, that prints what its messages left, whatever their order was. What
closures do with a state commutes, or is refused by the tool.
"""
import random
import sys

import generated_hclib
import generated_kept
import generated_native
from generated_values import PRELUDE

NATIVE = """#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

#include <shoal/shoal.hpp>
""" + PRELUDE.replace("CONSTEXPR", "constexpr") + generated_kept.SHARED + """
// What closures read.
struct tables {
  std::array<std::uint64_t, 8> t0{};
  std::vector<std::uint64_t> t1 = std::vector<std::uint64_t>(8);
  std::uint64_t kept[8] = {};
  void fill(shoal::pe_id pe) {
    for (std::size_t i = 0; i < 8; ++i) {
      t0[i] = number(pe) * 31 + i * 17;
      t1[i] = i * i + number(pe);
    }
  }
};

// What a field holds, in one number that tells its places apart.
std::uint64_t number_of(std::uint64_t x) { return x; }
template <class Array>
std::uint64_t number_of(const Array& a) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < 8; ++i) sum = sum * 1000003u + a[i];
  return sum;
}

void tell(shoal::world& world, const char* what, std::uint64_t value) {
  value = world.sum((value + 1) * (2 * static_cast<std::uint64_t>(world.my_pe()) + 3));
  if (world.my_pe() == 0) std::printf("%s: %llu\\n", what, static_cast<unsigned long long>(value));
}
"""


def native(number, n_programs, any_order=False):
    """A source of programs that send closures; with `any_order`, for the option of that name."""
    draw = random.Random(number)
    programs = [generated_native.Program(draw, f"p{i}", any_order) for i in range(n_programs)]
    texts = "\n".join(p.text() for p in programs)
    calls = "\n".join(f"    {p.name}::run(world);" for p in programs)
    return (f"// Generated: native {number}\n{NATIVE}\n{texts}\nint main(int argc, char** argv) {{\n"
            f"  return shoal::run(argc, argv, [](shoal::world& world) {{\n{calls}\n    return 0;\n  }});\n}}\n")


def hclib(number, n_programs):
    """A source of programs of HClib's lambdas."""
    draw = random.Random(number)
    programs = [generated_hclib.Program(draw, f"p{i}") for i in range(n_programs)]
    texts = "\n".join(p.text() for p in programs)
    calls = "\n".join(f"    {p.name}::run();" for p in programs)
    return (f"// Generated: hclib {number}\n{generated_hclib.BEGIN}\n{texts}\nint main() {{\n"
            '  const char* deps[] = {"system", "bale_actor"};\n'
            f"  hclib::launch(deps, 2, [] {{\n{calls}\n  }});\n  return 0;\n}}\n")


KINDS = {"native": native, "any-order": lambda number, n_programs: native(number, n_programs, any_order=True), "hclib": hclib}

if __name__ == "__main__":
    print(KINDS[sys.argv[1]](int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 25), end="")
