"""Small MPI and OpenSHMEM programs for the tests of the lab, compiled at the first use."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

LAB = os.path.join(os.environ["SHOAL_SOURCE"], "lab", "lab")
FOLDER = tempfile.TemporaryDirectory(prefix="shoal-lab-test-")

# Passes BYTES round the ring; everyone adds one to the first byte. Ends with STATUS.
RING = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char host[256];
  gethostname(host, sizeof host);
  const char* word = getenv("SHOAL_WORD");
  const int bytes = atoi(argv[1]);
  char* token = calloc(1, bytes);
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  const double start = MPI_Wtime();
  if (rank > 0) MPI_Recv(token, bytes, MPI_BYTE, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  ++*token;
  MPI_Send(token, bytes, MPI_BYTE, next, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(token, bytes, MPI_BYTE, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("%d of %d on %s heard %s\n", rank, size, host, word ? word : "nothing");
  if (rank == 0) printf("token %d took %f s\n", *token, MPI_Wtime() - start);
  free(token);
  MPI_Finalize();
  return atoi(argv[2]);
}
"""

# Every PE adds its number plus one at its neighbour, and reads what PE 0 got.
SHMEM = r"""
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>

static long sum;

int main(void) {
  shmem_init();
  const int pe = shmem_my_pe(), size = shmem_n_pes();
  char host[256];
  gethostname(host, sizeof host);
  shmem_long_atomic_add(&sum, pe + 1, (pe + 1) % size);
  shmem_barrier_all();
  printf("%d of %d on %s has %ld, PE 0 has %ld\n", pe, size, host, sum, shmem_long_g(&sum, 0));
  shmem_finalize();
  return 0;
}
"""


def compiled(source, compiler):
    """The program; ends the test as skipped without this compiler."""
    if shutil.which(compiler) is None:
        raise unittest.SkipTest(f"there is no {compiler}")
    program = os.path.join(FOLDER.name, compiler)
    if not os.path.exists(program):
        subprocess.run([compiler, "-x", "c", "-", "-o", program], input=source, text=True, check=True)
    return program


def lab(*arguments, timeout=30, environment=None):
    words = [LAB, *map(str, arguments)]
    return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout,
                          env={**os.environ, **(environment or {})})


def seconds_taken(printed):
    """By the token of RING."""
    return float(re.search(r"token \d+ took ([0-9.]+) s", printed)[1])


def main():
    """Runs the tests of the main module, if this machine permits hosts at all."""
    probe = lab("--hosts", 1, "host", 1, "true")
    if probe.returncode == 77:
        print(probe.stderr, end="", file=sys.stderr)
        sys.exit(77)
    unittest.main()
