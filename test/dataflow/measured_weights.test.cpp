// Goal: measured weights survive a file, whatever the names of actors, and files that are something else are refused.
#include "shoal/dataflow/internal/measured_weights.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "shoal/base/setup_error.hpp"

namespace shoal::internal {
namespace {

class weights_file : public testing::Test {
protected:
  ~weights_file() override { std::filesystem::remove(path); }

  std::string refusal_of(const std::string& text) const {
    std::ofstream(path) << text;
    try {
      static_cast<void>(measured_weights::read(path));
    } catch (const setup_error& e) {
      return e.what();
    }
    return "none";
  }

  const std::string path =
      (std::filesystem::temp_directory_path() / ("measured-weights-" + std::to_string(::getpid()))).string();
};

TEST_F(weights_file, has_what_was_measured) {
  const std::string odd = "a \t\\t\n\\n \\";
  measured_weights measured;
  measured.add({{odd, 600}, {"b", 200}}, {{odd, "out\t", 30}});
  measured.add({{"b", 100}, {"idle", 0}}, {{"b", "out", 10}});  // b has lived on two PEs
  measured.write(path);
  const measured_weights its = measured_weights::read(path);
  EXPECT_EQ(its.of_actor(odd, 7), 600);
  EXPECT_EQ(its.of_actor("b", 7), 300);
  EXPECT_EQ(its.of_actor("idle", 7), 1) << "a weight is above 0";
  EXPECT_EQ(its.of_actor("new", 2), 2 * 300);
  EXPECT_EQ(its.of_channel(odd, "out\t", 8), 240);
  EXPECT_EQ(its.of_channel("new", "out", 8), 160);
}

TEST_F(weights_file, may_be_empty_of_actors) {
  measured_weights().write(path);
  EXPECT_EQ(measured_weights::read(path).of_actor("new", 2), 2);
}

TEST_F(weights_file, that_is_something_else_is_refused_by_line) {
  const std::string begin = "Shoal: measured weights of a graph, 1\n";
  const std::string end = ": not a line of measured weights; give a file that record_weights has written";
  EXPECT_EQ(refusal_of("hello\n"), path + ":1" + end);
  EXPECT_EQ(refusal_of(begin + "actor\t1\ta\nactor\t-1\tb\n"), path + ":3" + end);
  EXPECT_EQ(refusal_of(begin + "channel\t1\ta\n"), path + ":2" + end);
  EXPECT_EQ(refusal_of(begin + "actor\t1\ta\tb\n"), path + ":2" + end);
  EXPECT_EQ(refusal_of(begin + "actor\n"), path + ":2" + end);
  EXPECT_EQ(refusal_of(begin + "port\t1\ta\n"), path + ":2" + end);
  EXPECT_EQ(refusal_of(begin), "none");
  EXPECT_EQ(refusal_of(""), path + ": empty; give a file that record_weights has written");
}

}  // namespace
}  // namespace shoal::internal
