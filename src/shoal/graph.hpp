/// Distributed sparse matrices and graphs: building, generating, reading and writing them.
#pragma once

#include "shoal/graph/edge_list.hpp"
#include "shoal/graph/generators.hpp"
#include "shoal/graph/matrix_builder.hpp"
#include "shoal/graph/matrix_directory.hpp"
#include "shoal/graph/matrix_form.hpp"
#include "shoal/graph/matrix_market.hpp"
#include "shoal/graph/memory.hpp"
#include "shoal/graph/names.hpp"
#include "shoal/graph/permutation.hpp"
#include "shoal/graph/sparse_matrix.hpp"
