/// MPI in programs that begin and end it themselves.
#pragma once

namespace shoal::internal::compat {

/// Ends MPI if the program has asked for that while a job was open. After each job. Null in a program that does not call
/// MPI_Init: only the object file with that function defines it.
[[gnu::weak]] void end_mpi_of_program() noexcept;

/// After the first job has opened. At exit(0) a program that has begun MPI closes its job before MPI ends. Null as above.
[[gnu::weak]] void close_job_before_mpi_ends() noexcept;

}  // namespace shoal::internal::compat
