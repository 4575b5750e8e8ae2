// Limits of control groups, read from a made-up file system.
#include "shoal/base/internal/cgroups.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

namespace fs = std::filesystem;

namespace {

class groups_test : public testing::Test {
protected:
  groups_test() {
    std::string name = (fs::temp_directory_path() / "shoal-cgroups-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
  }
  ~groups_test() override { fs::remove_all(root_); }

  void write(const fs::path& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  double quota() const { return shoal::internal::cpu_quota(root_); }
  std::size_t memory() const { return shoal::internal::cgroup_memory_limit(root_); }

private:
  fs::path root_;
};

using quota_test = groups_test;
using memory_test = groups_test;

const char* const mounted_v2 = "30 23 0:27 / /sys/fs/cgroup rw,relatime shared:9 - cgroup2 cgroup2 rw\n";
const char* const mounted_v1 =
    "32 31 0:29 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
    "33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
    "34 31 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";

TEST_F(quota_test, is_infinite_without_cgroups) { EXPECT_TRUE(std::isinf(quota())); }

TEST_F(quota_test, is_infinite_when_version_2_says_max) {
  write("proc/self/cgroup", "0::/\n");
  write("proc/self/mountinfo", mounted_v2);
  write("sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_TRUE(std::isinf(quota()));
}

TEST_F(quota_test, is_the_smallest_of_all_ancestors_in_version_2) {
  write("proc/self/cgroup", "0::/slice/job/step\n");
  write("proc/self/mountinfo", mounted_v2);
  write("sys/fs/cgroup/slice/cpu.max", "800000 100000\n");
  write("sys/fs/cgroup/slice/job/cpu.max", "250000 100000\n");
  write("sys/fs/cgroup/slice/job/step/cpu.max", "max 100000\n");
  EXPECT_DOUBLE_EQ(quota(), 2.5);
}

TEST_F(quota_test, is_read_in_version_1) {
  write("proc/self/cgroup", "3:cpuset:/other\n1:cpu,cpuacct:/job\n0::/\n");
  write("proc/self/mountinfo", mounted_v1);
  write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_TRUE(std::isinf(quota()));
  write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "150000\n");
  write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "50000\n");
  EXPECT_DOUBLE_EQ(quota(), 3.0);
}

// In a container without a cgroup namespace, only its own group is mounted, but its path is the whole one.
TEST_F(quota_test, is_found_where_only_the_containers_group_is_mounted) {
  write("proc/self/cgroup", "0::/docker/4711/job\n");
  write("proc/self/mountinfo", "30 23 0:27 /docker/4711 /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
  write("sys/fs/cgroup/cpu.max", "200000 100000\n");
  write("sys/fs/cgroup/job/cpu.max", "100000 100000\n");
  EXPECT_DOUBLE_EQ(quota(), 1.0);
}

TEST_F(quota_test, of_a_group_outside_the_mount_is_that_of_the_mount) {
  write("proc/self/cgroup", "0::/../elsewhere\n");
  write("proc/self/mountinfo", mounted_v2);
  write("sys/fs/cgroup/cpu.max", "400000 100000\n");
  EXPECT_DOUBLE_EQ(quota(), 4.0);
}

TEST_F(memory_test, is_unlimited_without_cgroups) { EXPECT_EQ(memory(), SIZE_MAX); }

TEST_F(memory_test, is_unlimited_when_version_2_says_max) {
  write("proc/self/cgroup", "0::/job\n");
  write("proc/self/mountinfo", mounted_v2);
  write("sys/fs/cgroup/job/memory.max", "max\n");
  EXPECT_EQ(memory(), SIZE_MAX);
}

TEST_F(memory_test, is_the_smallest_of_all_ancestors_in_version_2) {
  write("proc/self/cgroup", "0::/slice/job/step\n");
  write("proc/self/mountinfo", mounted_v2);
  write("sys/fs/cgroup/memory.max", "9000\n");
  write("sys/fs/cgroup/slice/memory.max", "8000\n");
  write("sys/fs/cgroup/slice/job/memory.max", "2500\n");
  write("sys/fs/cgroup/slice/job/step/memory.max", "max\n");
  write("sys/fs/cgroup/other/memory.max", "1\n");
  EXPECT_EQ(memory(), 2500U);
}

TEST_F(memory_test, is_the_smallest_of_all_ancestors_in_version_1) {
  write("proc/self/cgroup", "5:memory:/batch/job\n1:cpu,cpuacct:/\n0::/\n");
  write("proc/self/mountinfo", mounted_v1);
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/batch/memory.limit_in_bytes", "7000\n");
  write("sys/fs/cgroup/memory/batch/job/memory.limit_in_bytes", "3000\n");
  EXPECT_EQ(memory(), 3000U);
}

// Where both versions are mounted, a controller is in one of them.
TEST_F(memory_test, of_both_versions_is_the_smaller) {
  write("proc/self/cgroup", "5:memory:/batch\n0::/slice\n");
  write("proc/self/mountinfo", std::string(mounted_v1).append(mounted_v2));
  write("sys/fs/cgroup/memory/batch/memory.limit_in_bytes", "7000\n");
  EXPECT_EQ(memory(), 7000U);
  write("sys/fs/cgroup/slice/memory.max", "6000\n");
  EXPECT_EQ(memory(), 6000U);
}

TEST_F(memory_test, is_found_where_only_the_containers_group_is_mounted) {
  write("proc/self/cgroup", "0::/docker/4711/job\n");
  write("proc/self/mountinfo", "30 23 0:27 /docker/4711 /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
  write("sys/fs/cgroup/memory.max", "2000\n");
  write("sys/fs/cgroup/job/memory.max", "1000\n");
  EXPECT_EQ(memory(), 1000U);
}

}  // namespace
