// labels: optimized
// Influence in the Debian dependency graph: what a program of its own found from 200,000 sets, by every variant.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "kernels/imm/problem.hpp"
#include "test/kernels/debian.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels {
namespace {

// The vertices chosen there reached 3802 others and themselves, on average of 300 cascades.
TEST_ON_PES(imm_debian, has_the_influence_that_is_known) {
  const kernel_description imm = describe_imm();
  test::expect_of_debian(world::current(), imm, {{"names", test::data_path("debian-depends.names.gz")}}, imm.variants,
                         [](const std::string& answer) {
                           const std::string influence = "\"influence\": ";
                           return answer.find(influence) == 0 &&
                                  std::abs(std::stod(answer.substr(influence.size())) - 3802) < 0.03 * 3802 &&
                                  answer.find("\"top\": [{\"vertex\": 7003, \"name\": \"forensics-full\"") !=
                                      std::string::npos;
                         });
}

}  // namespace
}  // namespace shoal::kernels
