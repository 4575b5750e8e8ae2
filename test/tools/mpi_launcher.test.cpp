// Which program starts the PEs of MPI and OpenSHMEM, and with which words; and starting a program.
#include "tools/cli/mpi_launcher.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "shoal/base/setup_error.hpp"

namespace {

using namespace shoal::cli;
using shoal::library_kind;
using shoal::substrate_kind;
using words = std::vector<std::string>;

// A machine on which these programs are in PATH, and plain mpirun belongs to `plain`.
launcher_search machine_with(const words& programs, std::optional<library_kind> plain = {}) {
  return {.path_of =
              [programs](const std::string& name) {
                return std::ranges::find(programs, name) == programs.end() ? "" : "/usr/bin/" + name;
              },
          .library_of =
              [plain](const std::string& path) {
                EXPECT_EQ(path, "/usr/bin/mpirun");
                return plain;
              }};
}

std::string found(substrate_kind substrate, std::optional<library_kind> library, const launcher_search& where) {
  try {
    const mpi_launcher launcher = find_launcher(substrate, library, where);
    return launcher.program + " of " + std::string(entry_of(launcher.library).name);
  } catch (const shoal::setup_error& e) {
    return e.what();
  }
}

TEST(mpi_launcher, open_mpi_comes_first_unless_the_user_says_so) {
  const launcher_search both =
      machine_with({"mpirun.openmpi", "mpirun.mpich", "mpirun", "oshrun"}, library_kind::mpich);
  EXPECT_EQ(found(substrate_kind::mpi, {}, both), "mpirun.openmpi of openmpi");
  EXPECT_EQ(found(substrate_kind::mpi_rma, library_kind::mpich, both), "mpirun.mpich of mpich");
  EXPECT_EQ(found(substrate_kind::shmem, {}, both), "mpirun.openmpi of openmpi");
  EXPECT_EQ(found(substrate_kind::shmem, library_kind::open_mpi, machine_with({"oshrun", "mpirun.mpich"})),
            "oshrun of openmpi");
  EXPECT_EQ(found(substrate_kind::mpi, {}, machine_with({"mpirun.mpich"})), "mpirun.mpich of mpich");
}

TEST(mpi_launcher, plain_mpirun_may_be_of_either_library) {
  EXPECT_EQ(found(substrate_kind::mpi, {}, machine_with({"mpirun"}, library_kind::mpich)), "mpirun of mpich");
  EXPECT_EQ(found(substrate_kind::mpi, {}, machine_with({"mpirun"}, library_kind::open_mpi)), "mpirun of openmpi");
  EXPECT_EQ(found(substrate_kind::shmem, {}, machine_with({"mpirun"}, library_kind::open_mpi)), "mpirun of openmpi");
  EXPECT_EQ(found(substrate_kind::mpi, library_kind::mpich, machine_with({"mpirun"}, library_kind::open_mpi)),
            "substrate mpi is started by mpirun.mpich, or mpirun of MPICH, and none of them is in PATH; install mpich "
            "(Debian's name), or choose --substrate local");
  EXPECT_EQ(found(substrate_kind::shmem, {}, machine_with({"mpirun"}, library_kind::mpich)),
            "substrate shmem is started by mpirun.openmpi, oshrun, or mpirun of Open MPI, and none of them is in PATH; "
            "install openmpi-bin (Debian's name), or choose --substrate local");
}

TEST(mpi_launcher, what_is_missing_is_named) {
  EXPECT_EQ(found(substrate_kind::mpi, {}, machine_with({})),
            "substrate mpi is started by mpirun.openmpi, mpirun.mpich, or mpirun, and none of them is in PATH; install "
            "openmpi-bin (Debian's name), or choose --substrate local");
  EXPECT_TRUE(found(substrate_kind::shmem, library_kind::mpich, machine_with({"mpirun.mpich"}))
                  .starts_with("substrate shmem is Open MPI's"));
}

TEST(mpi_launcher, command_lines_are_those_of_the_library) {
  const words program = {"/bin/shoal", "run", "histogram"};
  EXPECT_EQ(launcher_command({"mpirun.mpich", library_kind::mpich}, 3, program),
            (words{"mpirun.mpich", "-n", "3", "/bin/shoal", "run", "histogram"}));
  EXPECT_EQ(launcher_command({"oshrun", library_kind::open_mpi}, 16, program),
            (words{"oshrun", "-n", "16", "--oversubscribe", "--bind-to", "none", "-x", "SHOAL_SUBSTRATE", "-x",
                   "SHOAL_MPI", "/bin/shoal", "run", "histogram"}));
}

TEST(mpi_launcher, a_command_has_the_variables_nothing_to_read_and_a_status) {
  ASSERT_EQ(::setenv("SHOAL_MPI", "before", 1), 0);
  const std::string asks = "test \"$SHOAL_MPI\" = mpich && test -z \"$(cat)\" && test -n \"$PATH\" && exit 5";
  EXPECT_EQ(run_command({"sh", "-c", asks}, {"SHOAL_MPI=mpich"}), 5);
  ASSERT_EQ(::unsetenv("SHOAL_MPI"), 0);
  EXPECT_EQ(run_command({"sh", "-c", "kill -9 $$"}, {}), 128 + 9);
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_command({"no-such-program"}, {}), 2);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "shoal: cannot start no-such-program (No such file or directory)\n");
}

}  // namespace
