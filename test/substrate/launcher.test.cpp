// Goal: each launcher is recognised by its own variables, nothing else is mistaken for one, and the substrate follows;
// no misspelt variable of Shoal is ignored.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "shoal/actor/internal/settings_table.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/internal/launcher.hpp"
#include "shoal/substrate/internal/run.hpp"
#include "shoal/substrate/library_kind.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal {

using namespace internal;
namespace {

// An environment with exactly these variables of launchers and Shoal.
class launcher_test : public testing::Test {
protected:
  launcher_test() {
    for (const char* name : names) {
      if (const char* text = std::getenv(name)) before_[name] = text;
      ::unsetenv(name);
    }
  }
  ~launcher_test() override {
    for (const char* name : names) ::unsetenv(name);
    for (const auto& [name, text] : before_) ::setenv(name.c_str(), text.c_str(), 1);
  }

  static void set(const std::map<std::string, std::string>& variables) {
    for (const auto& [name, text] : variables) ::setenv(name.c_str(), text.c_str(), 1);
  }
  static settings chosen() {
    settings s = settings_from_environment();
    choose_substrate(s);
    return s;
  }
  static std::string refusal() {
    try {
      static_cast<void>(settings_from_environment());
    } catch (const setup_error& e) {
      return e.what();
    }
    return "none";
  }

  static inline const std::map<std::string, std::string> open_mpi = {{"OMPI_COMM_WORLD_SIZE", "4"},
                                                                     {"OMPI_COMM_WORLD_RANK", "3"}};
  static inline const std::map<std::string, std::string> pmi = {{"PMI_SIZE", "6"}, {"PMI_RANK", "5"}};
  static inline const std::map<std::string, std::string> step = {
      {"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_PROCID", "7"}};

private:
  static constexpr const char* names[] = {"SHOAL_SUBSTRATE",
                                          "SHOAL_JOB_FD",
                                          "SHOAL_PES",
                                          "SHOAL_PE",
                                          "SHOAL_MPI",
                                          "SHOAL_MODULES",
                                          "SHOAL_BIND",
                                          "SHOAL_SUBSTATE",
                                          "SHOAL_NODESIZE",
                                          "SHOAL_BIN",
                                          "SHOAL_HOME",
                                          "OMPI_COMM_WORLD_SIZE",
                                          "OMPI_COMM_WORLD_RANK",
                                          "PMI_SIZE",
                                          "PMI_RANK",
                                          "PMIX_RANK",
                                          "OMPI_MCA_pmix",
                                          "SLURM_STEP_ID",
                                          "SLURM_STEP_NUM_TASKS",
                                          "SLURM_PROCID",
                                          "MPI_LOCALNRANKS",
                                          "OMPI_COMM_WORLD_LOCAL_SIZE",
                                          "SLURM_STEP_NUM_NODES"};
  std::map<std::string, std::string> before_;
};

TEST_F(launcher_test, without_one_a_program_is_alone_on_local) {
  const settings s = chosen();
  EXPECT_EQ(s.launched.name, "");
  EXPECT_EQ(s.launched.n_pes, 0);
  EXPECT_EQ(s.substrate.value, substrate_kind::local);
  EXPECT_EQ(s.substrate.origin, "default");
  EXPECT_EQ(launcher_rank_from_environment(), -1);
}

TEST_F(launcher_test, shoalrun_means_local_whoever_started_it) {
  set(open_mpi);
  set({{"SHOAL_JOB_FD", "3"}, {"SHOAL_PES", "2"}, {"SHOAL_PE", "1"}});
  const settings s = chosen();
  EXPECT_EQ(s.launched.name, "shoalrun");
  EXPECT_EQ(s.launched.n_pes, 2);
  EXPECT_EQ(s.launched.pe, 1);
  EXPECT_EQ(s.launched.library, std::nullopt);
  EXPECT_EQ(s.substrate.value, substrate_kind::local);
  EXPECT_EQ(s.substrate.origin, "shoalrun");
  EXPECT_EQ(launcher_rank_from_environment(), -1);
}

TEST_F(launcher_test, open_mpi_comes_before_pmi_and_slurm) {
  set(open_mpi);
  set(pmi);
  set(step);
  const settings s = chosen();
  EXPECT_EQ(s.launched.name, "Open MPI's mpirun");
  EXPECT_EQ(s.launched.n_pes, 4);
  EXPECT_EQ(s.launched.pe, 3);
  EXPECT_EQ(s.launched.library, library_kind::open_mpi);
  EXPECT_EQ(s.substrate.value, substrate_kind::mpi);
  EXPECT_EQ(s.substrate.origin, "Open MPI's mpirun");
  EXPECT_EQ(launcher_rank_from_environment(), 3);
}

TEST_F(launcher_test, pmi_is_mpich_and_comes_before_slurm) {
  set(pmi);
  set(step);
  const settings s = chosen();
  EXPECT_EQ(s.launched.name, "MPICH's mpirun");
  EXPECT_EQ(s.launched.n_pes, 6);
  EXPECT_EQ(s.launched.pe, 5);
  EXPECT_EQ(s.launched.library, library_kind::mpich);
  EXPECT_EQ(s.substrate.value, substrate_kind::mpi);
  EXPECT_EQ(launcher_rank_from_environment(), 5);
}

TEST_F(launcher_test, a_slurm_step_is_of_the_library_that_slurm_speaks_to) {
  set(step);
  settings s = chosen();
  EXPECT_EQ(s.launched.name, "srun");
  EXPECT_EQ(s.launched.n_pes, 8);
  EXPECT_EQ(s.launched.pe, 7);
  EXPECT_EQ(s.launched.library, library_kind::mpich);
  EXPECT_EQ(s.substrate.value, substrate_kind::mpi);
  EXPECT_EQ(s.substrate.origin, "srun");
  EXPECT_EQ(launcher_rank_from_environment(), 7);
  set({{"PMIX_RANK", "7"}});
  EXPECT_EQ(chosen().launched.library, library_kind::open_mpi);
}

TEST_F(launcher_test, an_open_mpi_that_is_told_how_needs_no_pmix_of_slurm) {
  set(step);
  set({{"OMPI_MCA_pmix", "s2"}});
  EXPECT_EQ(chosen().launched.library, library_kind::open_mpi);
}

TEST_F(launcher_test, what_slurm_tells_its_tasks_in_the_name_of_pmi_is_still_slurms) {
  set(step);
  set({{"PMI_SIZE", "8"}, {"PMI_RANK", "7"}});
  const settings s = chosen();
  EXPECT_EQ(s.launched.name, "srun");
  EXPECT_TRUE(s.launched.is_slurm);
  EXPECT_EQ(s.launched.library, library_kind::mpich);
  EXPECT_EQ(launched_pes_from_environment(), 8);
  set({{"SLURM_STEP_ID", "4294967291"}});
  EXPECT_EQ(chosen().launched.name, "MPICH's mpirun");
}

TEST_F(launcher_test, the_only_task_of_a_slurm_step_is_alone_on_local) {
  set({{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_PROCID", "0"}});
  const settings s = chosen();
  EXPECT_EQ(s.substrate.value, substrate_kind::local);
  EXPECT_EQ(s.substrate.origin, "srun");
  EXPECT_EQ(launched_pes_from_environment(), 0);
  set({{"PMI_SIZE", "1"}, {"PMI_RANK", "0"}});
  EXPECT_EQ(chosen().substrate.value, substrate_kind::local);
  EXPECT_EQ(launched_pes_from_environment(), 0);
  set({{"SHOAL_SUBSTRATE", "mpi"}});
  EXPECT_EQ(chosen().substrate.value, substrate_kind::mpi);
  EXPECT_EQ(chosen().launched.library, library_kind::mpich);
}

TEST_F(launcher_test, each_launcher_tells_how_many_processes_are_here) {
  EXPECT_EQ(launched_processes_here(), 1);
  set(step);
  EXPECT_EQ(launched_processes_here(), 8);
  set({{"SLURM_STEP_NUM_NODES", "3"}});
  EXPECT_EQ(launched_processes_here(), 3);
  set({{"MPI_LOCALNRANKS", "5"}});
  EXPECT_EQ(launched_processes_here(), 5);
  set({{"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}});
  EXPECT_EQ(launched_processes_here(), 2);
}

TEST_F(launcher_test, a_slurm_batch_script_is_no_step) {
  set({{"SLURM_PROCID", "0"}});
  EXPECT_EQ(chosen().launched.name, "");
  set({{"SLURM_STEP_NUM_TASKS", "8"}});
  EXPECT_EQ(chosen().launched.name, "");
  for (const char* own : {"4294967291", "4294967290", "", "batch"}) {
    set({{"SLURM_STEP_ID", own}});
    EXPECT_EQ(chosen().launched.name, "") << own;
    EXPECT_EQ(chosen().substrate.value, substrate_kind::local) << own;
    EXPECT_EQ(launcher_rank_from_environment(), -1) << own;
  }
}

TEST_F(launcher_test, half_of_a_launchers_variables_is_none) {
  set({{"OMPI_COMM_WORLD_SIZE", "4"}, {"PMI_RANK", "0"}});
  EXPECT_EQ(chosen().launched.name, "");
}

TEST_F(launcher_test, a_launchers_nonsense_is_refused_by_name) {
  set({{"PMI_SIZE", "2"}, {"PMI_RANK", "2"}});
  EXPECT_EQ(refusal(), "PMI_RANK=2 is not a whole number from 0 to 1");
  set({{"PMI_RANK", "two"}});
  EXPECT_EQ(launcher_rank_from_environment(), -1);
}

TEST_F(launcher_test, the_user_decides_first) {
  set(open_mpi);
  set({{"SHOAL_SUBSTRATE", "shmem"}});
  EXPECT_EQ(chosen().substrate.value, substrate_kind::shmem);
  EXPECT_EQ(chosen().substrate.origin, "SHOAL_SUBSTRATE");
}

TEST_F(launcher_test, library_folder_and_binding_are_read) {
  EXPECT_TRUE(chosen().binds.value);
  set({{"SHOAL_MPI", "mpich"}, {"SHOAL_MODULES", "/opt/modules"}, {"SHOAL_BIND", "none"}});
  const settings s = chosen();
  EXPECT_EQ(s.mpi_library.value, library_kind::mpich);
  EXPECT_EQ(s.mpi_library.origin, "SHOAL_MPI");
  EXPECT_EQ(s.modules.value, "/opt/modules");
  EXPECT_FALSE(s.binds.value);
}

TEST_F(launcher_test, an_unknown_library_or_binding_is_refused_with_the_known_ones) {
  set({{"SHOAL_MPI", "lam"}});
  EXPECT_EQ(refusal(), "SHOAL_MPI=lam is unknown; choose openmpi or mpich");
  set({{"SHOAL_MPI", ""}, {"SHOAL_BIND", "socket"}});
  EXPECT_EQ(refusal(), "SHOAL_BIND=socket is unknown; choose core or none");
}

TEST_F(launcher_test, a_misspelt_setting_is_refused_with_the_one_that_is_meant) {
  set({{"SHOAL_SUBSTATE", "sim"}});
  EXPECT_EQ(refusal(),
            "SHOAL_SUBSTATE is unknown and has no effect; write SHOAL_SUBSTRATE if you mean that, or unset it");
  set({{"SHOAL_SUBSTATE", ""}, {"SHOAL_NODESIZE", "2"}});
  EXPECT_EQ(refusal(),
            "SHOAL_NODESIZE is unknown and has no effect; write SHOAL_NODE_SIZE if you mean that, or unset it");
}

TEST_F(launcher_test, a_programs_own_variables_and_those_of_shoals_tests_pass) {
  set({{"SHOAL_HOME", "/opt/shoal"}, {"SHOAL_BIN", "/opt/shoal/bin"}});
  EXPECT_EQ(refusal(), "none");
}

}  // namespace
}  // namespace shoal
