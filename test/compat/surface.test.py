#!/usr/bin/env python3
# Goal: every name that programs of OpenSHMEM use is there: functions as symbols that a plain C program can link, constants as
# constant expressions. Headers compile alone, twice, in any order, inside `extern "C"` and outside, in every language that
# Makefiles ask for; and in C++ they define no macro but those of the standard.
# programs: shoalrun shoal_compat_archive
# labels: optimized
import concurrent.futures
import itertools
import os
import re
import shutil
import subprocess
import tempfile

from compat import STRICT, TREE, end, failed, some

RMA = ("float double longdouble char schar short int long longlong uchar ushort uint ulong ulonglong int8 int16 int32 int64 "
       "uint8 uint16 uint32 uint64 size ptrdiff").split()
AMO = "int long longlong uint ulong ulonglong int32 int64 uint32 uint64 size ptrdiff".split()
BITS = "uint ulong ulonglong int32 int64 uint32 uint64".split()
TEAM_BITS = "uchar ushort uint ulong ulonglong int8 int16 int32 int64 uint8 uint16 uint32 uint64 size".split()
SIGNED = "short int long longlong".split()
FLOATING = "float double longdouble".split()
COMPLEX = "complexf complexd".split()
SIZES = "8 16 32 64 128".split()


def cross(pattern, *lists):
    """All names of a pattern, whose braces are filled from the lists in turn."""
    names = [pattern]
    for words in lists:
        names = [name.replace("{}", word, 1) for name in names for word in words]
    return names


FUNCTIONS = [
    *("shmem_init shmem_init_thread shmem_query_thread shmem_finalize shmem_global_exit shmem_my_pe shmem_n_pes start_pes "
      "_my_pe _num_pes shmem_info_get_version shmem_info_get_name shmem_pe_accessible shmem_addr_accessible shmem_ptr "
      "shmem_malloc shmem_calloc shmem_align shmem_realloc shmem_free shmem_malloc_with_hints shmalloc shfree shmemalign "
      "shrealloc shmem_quiet shmem_fence shmem_barrier_all shmem_sync_all shmem_barrier shmem_sync shmem_team_sync "
      "shmem_wait shmem_wait_until shmem_swap shmem_set_lock shmem_clear_lock shmem_test_lock "
      "shmem_team_my_pe shmem_team_n_pes shmem_team_translate_pe shmem_team_split_strided shmem_team_split_2d "
      "shmem_team_destroy shmem_team_get_config shmem_ctx_create shmem_ctx_destroy shmem_ctx_quiet shmem_ctx_fence "
      "shmem_ctx_get_team shmem_clear_cache_inv shmem_set_cache_inv shmem_clear_cache_line_inv shmem_set_cache_line_inv "
      "shmem_udcflush shmem_udcflush_line shmem_pcontrol shmem_alltoallsmem").split(),
    *cross("shmem_{}_{}", RMA, "p g put get put_nbi get_nbi iput iget".split()),
    *cross("shmem_ctx_{}_{}", RMA, "p g put get put_nbi get_nbi iput iget".split()),
    *cross("shmem_{}{}{}", ["put", "get", "ctx_put", "ctx_get"], [*SIZES, "mem"], ["", "_nbi"]),
    *cross("shmem_{}{}", ["iput", "iget", "ctx_iput", "ctx_iget"], SIZES),
    *cross("shmem_{}_{}", [*AMO, "float", "double"],
           "atomic_fetch atomic_set atomic_swap atomic_fetch_nbi atomic_swap_nbi fetch set swap".split()),
    *cross("shmem_ctx_{}_atomic_{}", [*AMO, "float", "double"], "fetch set swap fetch_nbi swap_nbi".split()),
    *cross("shmem_{}_{}", AMO,
           "atomic_compare_swap atomic_fetch_add atomic_fetch_inc atomic_add atomic_inc atomic_compare_swap_nbi "
           "atomic_fetch_add_nbi atomic_fetch_inc_nbi cswap fadd finc add inc".split()),
    *cross("shmem_ctx_{}_atomic_{}", AMO, "compare_swap fetch_add fetch_inc add inc compare_swap_nbi fetch_add_nbi "
                                           "fetch_inc_nbi".split()),
    *cross("shmem_{}_atomic_{}", BITS, "and or xor fetch_and fetch_or fetch_xor fetch_and_nbi fetch_or_nbi fetch_xor_nbi".split()),
    *cross("shmem_ctx_{}_atomic_{}", BITS, "and or xor fetch_and fetch_or fetch_xor fetch_and_nbi fetch_or_nbi "
                                           "fetch_xor_nbi".split()),
    *cross("shmem_{}_{}", [*AMO, "short", "ushort"],
           "wait_until test wait_until_all wait_until_any wait_until_some test_all test_any test_some".split()),
    *cross("shmem_{}_wait", SIGNED),
    *cross("shmem_{}_{}_to_all", [*SIGNED, *FLOATING], "sum prod min max".split()),
    *cross("shmem_{}_{}_to_all", COMPLEX, ["sum", "prod"]),
    *cross("shmem_{}_{}_to_all", SIGNED, ["and", "or", "xor"]),
    *cross("shmem_{}_{}_reduce", RMA, "sum prod min max".split()),
    *cross("shmem_{}_{}_reduce", COMPLEX, ["sum", "prod"]),
    *cross("shmem_{}_{}_reduce", TEAM_BITS, ["and", "or", "xor"]),
    *cross("shmem_{}{}", "broadcast collect fcollect alltoall alltoalls".split(), ["32", "64", "mem"]),
    *cross("shmem_{}_{}", RMA, "broadcast collect fcollect alltoall alltoalls".split()),
]

FUNCTIONS += cross("convey_{}", ("new new_elastic new_simple new_twohop new_tensor new_etensor begin push pull unpull epush "
                                 "epull apull advance reset free set_codec item_size features statistic error_string").split())
FUNCTIONS += cross("biconvey_{}", "new new_simple new_tensor begin push pull advance reset free".split())
FUNCTIONS += cross("lgp_{}", ("init finalize reduce_add_l reduce_min_l reduce_max_l reduce_add_d reduce_min_d reduce_max_d "
                              "partial_add_l prior_add_l min_avg_max_l min_avg_max_d atomic_add atomic_add_async fetch_and_inc "
                              "fetch_and_add cmp_and_swap rand_seed rand_double rand_int64 shmem_write_upc_array_int64 "
                              "shmem_write_upc_array_double shmem_read_upc_array_int64 shmem_read_upc_array_double").split())
FUNCTIONS += ["wall_seconds", "global_index_to_pe_and_offset", "pe_and_offset_to_global_index"]
FUNCTIONS += cross("exstack_{}", ("init proceed push exchange pop pull unpop unpull pop_thread unpop_thread headroom min_headroom "
                                  "reset clear").split())
FUNCTIONS += cross("exstack2_{}", "init proceed push pop pull unpop unpull send reset clear".split())
FUNCTIONS += cross("hclib_{}", ("promise_create promise_init promise_free promise_create_n promise_free_n get_future_for_promise promise_put "
                                "future_get future_wait future_is_satisfied launch async async_nb async_future get_curr_task_info "
                                "yield start_finish end_finish end_finish_nonblocking end_finish_nonblocking_helper forasync "
                                "forasync_future register_dist_func get_current_worker get_num_workers get_num_locales "
                                "get_all_locales get_closest_locale get_master_place get_thread_private_locales "
                                "get_all_locales_of_type allocate_at reallocate_at free_at memset_at async_copy current_time_ns "
                                "current_time_ms set_idle_callback print_runtime_stats atomic_create atomic_init atomic_update "
                                "atomic_gather").split())
FUNCTIONS += ("init_matrix init_local_matrix copy_matrix clear_matrix print_matrix compare_matrix spmat_are_eq_doubles sort_nonzeros "
              "is_perm is_upper_triangular is_lower_triangular tril triu random_graph erdos_renyi_random_graph "
              "geometric_random_graph direct_undirected_graph gen_star_graph kronecker_product_of_stars "
              "kronecker_product_graph_local kronecker_product_graph_dist generate_kronecker_graph_from_spec "
              "calc_num_tri_kron_graph resolve_edge_prob_and_nz_per_row read_matrix_mm_to_dist write_matrix_mm "
              "read_sparse_matrix_agp read_sparse_matrix_exstack write_sparse_matrix_agp write_sparse_matrix_exstack "
              "open_sparse_matrix_read open_sparse_matrix_write read_sparse_matrix_metadata write_sparse_matrix_metadata "
              "read_row_info write_row_info read_nonzeros_buffer clear_spmat_dataset init_nxnz rowcount_l rowcount_S "
              "init_d_array copy_d_array replace_d_array set_d_array clear_d_array init_edge_list append_edge "
              "append_weighted_edge clear_edge_list init_triples append_triple clear_triples triples_to_sparsemat nz_comp "
              "point_comp col_val_comp edge_comp w_edge_comp bale_app_init bale_app_finish bale_app_write_int "
              "bale_app_write_double bale_app_write_time get_input_graph write_std_options write_std_graph_options").split()
FUNCTIONS += cross("{}{}", ["transpose_matrix", "permute_matrix", "rand_permp"], ["", "_agp", "_exstack", "_exstack2", "_conveyor"])
FUNCTIONS += cross("{}_{}_nxnz", ["first", "has", "incr"], ["l", "S"])
BALE_2 = "gen_erdos_renyi_graph_dist gen_local_mat_from_stars gen_star kron_prod kron_prod_dist".split()  # of C++ alone

SYNC = ("SYNC_VALUE BCAST_SYNC_SIZE REDUCE_SYNC_SIZE REDUCE_MIN_WRKDATA_SIZE BARRIER_SYNC_SIZE COLLECT_SYNC_SIZE "
        "ALLTOALL_SYNC_SIZE ALLTOALLS_SYNC_SIZE").split()
NUMBERS = [
    *cross("{}SHMEM_{}", ["", "_"], [*SYNC, "MAJOR_VERSION", "MINOR_VERSION", "MAX_NAME_LEN"]),
    *cross("{}SHMEM_CMP_{}", ["", "_"], "EQ NE GT LE LT GE".split()),
    *cross("SHMEM_THREAD_{}", "SINGLE FUNNELED SERIALIZED MULTIPLE".split()),
    *cross("SHMEM_CTX_{}", "SERIALIZED PRIVATE NOSTORE".split()), "SHMEM_TEAM_NUM_CONTEXTS",
]
NUMBERS += [*cross("convey_{}", "DONE FAIL OK NEAR ELASTIC STEADY THRIFTY BEGINS PUSHES PULLS UNPULLS ADVANCES COMMS SYNCS "
                                "BYTES CUMULATIVE".split()),
            *cross("convey_opt_{}", "RECKLESS DYNAMIC QUIET SCATTER PROGRESS ALERT COMPRESS STANDARD BLOCKING".split()),
            *"FLAT GEOMETRIC KRONECKER DIRECTED UNDIRECTED DIRECTED_WEIGHTED UNDIRECTED_WEIGHTED NOLOOPS LOOPS BLOCK CYCLIC".split(),
            *cross("{}_Model", "AGP EXSTACK EXSTACK2 CONVEYOR ALTERNATE".split()), "ALL_Models"]
# Members of structs, which programs read and write, in their order.
MEMBERS = {
    "sparsemat_t": "local numrows lnumrows numcols nnz lnnz offset loffset nonzero lnonzero value lvalue",
    "d_array_t": "num lnum entry lentry",
    "triples_t": "row col val numrows lnumrows numcols lnnz nalloc",
    "w_edge_t": "row col val",
    "edge_t": "row col",
    "edge_list_t": "edges wedges nalloc num",
    "col_val_t": "col value",
    "point_t": "x y",
    "nxnz_t": "mat row first idx stop col",
    "spmat_dataset_t": "nwriters lnumrows numrows numcols nnz values io_rank global_first_row dirname nnzfp valfp first_file nfiles "
                       "nrows_in_file nrows_read_in_file start_row_first_file first_file_offset rowcnt file_open current_file "
                       "current_row_in_file current_global_row global_first_row_to_me",
    "std_args_t": "buf_cnt cores_per_node dump_files json json_output models_mask seed",
    "std_graph_args_t": "l_numrows numrows readfile filename model edge_prob nz_per_row directed loops weighted kron_string "
                        "kron_spec kron_num kron_mode",
}
# Values of static variables.
HANDLES = {"SHMEM_TEAM_WORLD": "shmem_team_t", "SHMEM_TEAM_SHARED": "shmem_team_t", "SHMEM_TEAM_INVALID": "shmem_team_t",
           "SHMEM_CTX_DEFAULT": "shmem_ctx_t", "SHMEM_CTX_INVALID": "shmem_ctx_t", "SHMEM_VENDOR_STRING": "const char*",
           "_SHMEM_VENDOR_STRING": "const char*"}
GENERIC = ("p g put get put_nbi get_nbi iput iget atomic_fetch atomic_set atomic_swap atomic_compare_swap atomic_fetch_add "
           "atomic_fetch_inc atomic_add atomic_inc atomic_fetch_and atomic_and atomic_fetch_or atomic_or atomic_fetch_xor "
           "atomic_xor atomic_fetch_nbi atomic_swap_nbi atomic_compare_swap_nbi atomic_fetch_add_nbi atomic_fetch_inc_nbi "
           "atomic_fetch_and_nbi atomic_fetch_or_nbi atomic_fetch_xor_nbi fetch set swap cswap fadd finc add inc wait_until "
           "test wait_until_all wait_until_any wait_until_some test_all test_any test_some broadcast collect fcollect alltoall alltoalls sum_reduce "
           "prod_reduce min_reduce max_reduce and_reduce or_reduce xor_reduce").split()

CALLS = """
void calls(void);
void calls(void) {
  unsigned long u = 0;
  long v = 0;
  int16_t s = 0;
  double d = 0;
  size_t i = 0;
  const int status = 0;
  shmem_p(&d, 1.0, 0), shmem_p(SHMEM_CTX_DEFAULT, &u, 1ul, 0), d = shmem_g(&d, 0) + shmem_g(SHMEM_CTX_DEFAULT, &d, 0);
  shmem_put(&s, &s, 1, 0), shmem_get(&s, &s, 1, 0), shmem_put_nbi(&s, &s, 1, 0), shmem_get_nbi(&s, &s, 1, 0);
  shmem_put(SHMEM_CTX_DEFAULT, &s, &s, 1, 0), shmem_get(SHMEM_CTX_DEFAULT, &s, &s, 1, 0);
  shmem_put_nbi(SHMEM_CTX_DEFAULT, &s, &s, 1, 0), shmem_get_nbi(SHMEM_CTX_DEFAULT, &s, &s, 1, 0);
  shmem_iput(&s, &s, 1, 1, 1, 0), shmem_iget(&s, &s, 1, 1, 1, 0);
  shmem_iput(SHMEM_CTX_DEFAULT, &s, &s, 1, 1, 1, 0), shmem_iget(SHMEM_CTX_DEFAULT, &s, &s, 1, 1, 1, 0);
  d = shmem_atomic_fetch(&d, 0), shmem_atomic_set(&d, 1.0, 0), d = shmem_atomic_swap(&d, 1.0, 0);
  d = shmem_atomic_fetch(SHMEM_CTX_DEFAULT, &d, 0), shmem_atomic_set(SHMEM_CTX_DEFAULT, &d, 1.0, 0);
  d = shmem_atomic_swap(SHMEM_CTX_DEFAULT, &d, 1.0, 0);
  u = shmem_atomic_compare_swap(&u, 1ul, 2ul, 0) + shmem_atomic_fetch_add(&u, 1ul, 0) + shmem_atomic_fetch_inc(&u, 0);
  u = shmem_atomic_compare_swap(SHMEM_CTX_DEFAULT, &u, 1ul, 2ul, 0) + shmem_atomic_fetch_add(SHMEM_CTX_DEFAULT, &u, 1ul, 0);
  shmem_atomic_add(&u, 1ul, 0), shmem_atomic_inc(&u, 0), shmem_atomic_inc(SHMEM_CTX_DEFAULT, &u, 0);
  u = shmem_atomic_fetch_inc(SHMEM_CTX_DEFAULT, &u, 0), shmem_atomic_add(SHMEM_CTX_DEFAULT, &u, 1ul, 0);
  u = shmem_atomic_fetch_and(&u, 1ul, 0) + shmem_atomic_fetch_or(&u, 1ul, 0) + shmem_atomic_fetch_xor(&u, 1ul, 0);
  shmem_atomic_and(&u, 1ul, 0), shmem_atomic_or(&u, 1ul, 0), shmem_atomic_xor(&u, 1ul, 0), shmem_atomic_or(&v, 1l, 0);
  shmem_atomic_and(SHMEM_CTX_DEFAULT, &u, 1ul, 0), u = shmem_atomic_fetch_and(SHMEM_CTX_DEFAULT, &u, 1ul, 0);
  shmem_atomic_fetch_nbi(&d, &d, 0), shmem_atomic_swap_nbi(&d, &d, 1.0, 0), shmem_atomic_fetch_inc_nbi(&u, &u, 0);
  shmem_atomic_compare_swap_nbi(&u, &u, 1ul, 1ul, 0), shmem_atomic_fetch_add_nbi(&u, &u, 1ul, 0);
  shmem_atomic_fetch_and_nbi(&u, &u, 1ul, 0), shmem_atomic_fetch_or_nbi(&u, &u, 1ul, 0);
  shmem_atomic_fetch_xor_nbi(&u, &u, 1ul, 0);
  d = shmem_fetch(&d, 0), shmem_set(&d, 1.0, 0), d = shmem_swap(&d, 1.0, 0), u = shmem_cswap(&u, 1ul, 1ul, 0);
  v = shmem_swap(&v, 1l, 0), u = shmem_fadd(&u, 1ul, 0) + shmem_finc(&u, 0), shmem_add(&u, 1ul, 0), shmem_inc(&u, 0);
  shmem_wait_until(&s, SHMEM_CMP_EQ, s), shmem_wait_until(&v, SHMEM_CMP_EQ, v), i = (size_t)shmem_test(&u, SHMEM_CMP_EQ, u);
  shmem_wait_until_all(&u, 1, &status, SHMEM_CMP_EQ, u), i = shmem_wait_until_any(&u, 1, &status, SHMEM_CMP_EQ, u);
  i = shmem_wait_until_some(&u, 1, &i, &status, SHMEM_CMP_EQ, u);
  i = (size_t)shmem_test_all(&u, 1, &status, SHMEM_CMP_EQ, u) + shmem_test_any(&u, 1, &status, SHMEM_CMP_EQ, u);
  i = shmem_test_some(&u, 1, &i, &status, SHMEM_CMP_EQ, u), shmem_atomic_fetch_and_nbi(&v, &v, 1l, 0);
  shmem_and_reduce(SHMEM_TEAM_WORLD, &s, &s, 1), shmem_or_reduce(SHMEM_TEAM_WORLD, &v, &v, 1);
  shmem_broadcast(SHMEM_TEAM_WORLD, &d, &d, 1, 0), shmem_collect(SHMEM_TEAM_WORLD, &d, &d, 1);
  shmem_fcollect(SHMEM_TEAM_WORLD, &d, &d, 1), shmem_alltoall(SHMEM_TEAM_WORLD, &d, &d, 1);
  shmem_alltoalls(SHMEM_TEAM_WORLD, &d, &d, 1, 1, 1), shmem_sum_reduce(SHMEM_TEAM_WORLD, &d, &d, 1);
  shmem_prod_reduce(SHMEM_TEAM_WORLD, &d, &d, 1), shmem_min_reduce(SHMEM_TEAM_WORLD, &d, &d, 1);
  shmem_max_reduce(SHMEM_TEAM_WORLD, &d, &d, 1), shmem_and_reduce(SHMEM_TEAM_WORLD, &u, &u, 1);
  shmem_or_reduce(SHMEM_TEAM_WORLD, &u, &u, 1), shmem_xor_reduce(SHMEM_TEAM_WORLD, &u, &u, 1);
  (void)d, (void)u, (void)v, (void)i;
}
"""
HEADERS = ("shmem.h", "mpp/shmem.h", "convey.h", "convey_alc8r.h", "convey_codec.h", "biconvey.h",
           "libgetput.h", "exstack.h", "spmat.h", "spmat_enums.h", "std_options.h")
SELECTOR_HEADERS = ("selector.h", "selector_shmem.h", "hclib_bale_actor.h", "mytime.h")
HCLIB_HEADERS = ("hclib.h", "hclib_atomic.h", "hclib_cpp.h")  # in C the last one is the first one
# Programs have local objects of these names.
LOCAL_OBJECTS = """
struct functor { void operator()(long*, int) const {} };
void with_objects() {
  const functor shmem_put_nbi{}, shmem_get_nbi{}, shmem_atomic_inc{}, shmem_atomic_add{};
  shmem_put_nbi(nullptr, 0), shmem_get_nbi(nullptr, 0), shmem_atomic_inc(nullptr, 0), shmem_atomic_add(nullptr, 0);
}
"""
# The words that macros of the standard begin with; everything else in C++ belongs to the program.
MACRO = re.compile(r"_?SHMEM_|SHOAL_\w+_H$|CONVEY_MAX_ALIGN$|SHARED$|THREADS$|MYTHREAD$|T0_f?printf$|BALE_VERSION$|_rtc$|"
                   r"lgp_(barrier|fence|poll|local_part|all_alloc|all_free|global_exit|memput|memget)$|"
                   r"lgp_[gp][eu]t_(int64|double)$|shmem_int64_[pg]$|[A-Z]+2?_Models?$|"
                   r"HCLIB_DEFAULT_LOOP_DIST$|FORASYNC_MODE_(FLAT|RECURSIVE)$|NO_(PROP|ARG|DATUM|FUTURE|ACCUM)$|ANY_PLACE$|HASSERT$|"
                   r"SELECTOR_(SHMEM_)?H$|HCLIB_BALE_ACTOR_H$|MYTIME_H$|DONE_MARK$|(ELASTIC_)?BUFFER_SIZE$")

with tempfile.TemporaryDirectory() as folder:
    numbers = itertools.count()

    def file(name, text):
        """A file of its own for each text, since compilers run side by side."""
        base, end_of_name = os.path.splitext(name)
        path = os.path.join(folder, f"{base}{next(numbers)}{end_of_name}")
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return path

    def run(what, *command):
        job = subprocess.run(command, text=True, capture_output=True)
        if job.returncode != 0 or job.stderr:
            failed(what, job.stderr[-3000:])
        return job.stdout

    pool = concurrent.futures.ThreadPoolExecutor(2)
    compilations = []

    def check(what, compiler, standard, path, *more):
        if shutil.which(compiler):
            compilations.append(pool.submit(run, f"{what}, {compiler} {standard}", compiler, "-fsyntax-only", *STRICT,
                                            f"-std={standard}", *more, f"-I{TREE}/include", path))

    def all_includes(first, others):
        return "".join(f"#include <{name}>\n" for name in (first, *others))

    # Symbols: a program that declares them itself, as configure scripts do.
    names = sorted(set(FUNCTIONS))
    symbols = names + BALE_2 + ["std_options_argp", "std_graph_options_argp"]
    path = file("symbols.c", "".join(f"char {name}();\n" for name in symbols) + "typedef char (*f)();\nf all[] = {" +
                ", ".join(symbols) + "};\nint main(void) { return all[0] == 0; }\n")
    run("to link all functions", os.path.join(TREE, "bin", "oshcc"), "-std=c11", "-w", path, "-o", os.path.join(folder, "all"))
    print(len(names), "functions")

    header = "#include <shmem.h>\n#include <biconvey.h>\n#include <exstack.h>\n#include <std_options.h>\n"
    body = "".join(f"enum {{ number_{name} = {name} }};\nextern int array_{name}[number_{name} + 1];\n" for name in NUMBERS) + \
        "".join(f"{kind} handle_{name} = {name};\n" for name, kind in HANDLES.items())
    addresses = "typedef void (*any)(void);\nextern const any all[];\nconst any all[] = {" + \
        ", ".join(f"(any){name}" for name in names) + "};\n"
    for struct, members in MEMBERS.items():
        for before, after in zip(members.split(), members.split()[1:]):
            body += f"extern int {struct}_{after}[offsetof({struct}, {before}) < offsetof({struct}, {after}) ? 1 : -1];\n"
    constants = file("constants.c", header + "#include <hclib_atomic.h>\n" + body + addresses.replace("(any)shmem_swap,", "(any)(shmem_swap),"))
    for n, compiler in enumerate(("gcc", "clang")):
        check("constants", compiler, "c99", constants, "-Wno-deprecated-declarations")
        check("generic calls", compiler, "c11", file("generic.c", header + CALLS))
        for i, one in enumerate(HEADERS):
            for standard in some(("c99", "c11", "c17"), i + n, 1):
                for others in some((HEADERS, HEADERS[::-1]), i // 3 + n, 1):
                    check(f"{one}, then the others", compiler, standard,
                          file("headers.c", all_includes(one, others) + "int none;\n"))
    for i, (compiler, standard) in enumerate(itertools.product(("g++", "clang++"), ("c++11", "c++17", "c++20"))):
        check("generic calls", compiler, standard, file("generic.cpp", header + CALLS + LOCAL_OBJECTS))
        for one in some(HEADERS, i, 4):
            check(f"{one} in extern C", compiler, standard,
                  file("inside.cpp", f'extern "C" {{\n#include <{one}>\n}}\n{header}'))
    for compiler in ("gcc", "clang"):
        for one in HCLIB_HEADERS:
            check(f"{one}, then the others", compiler, "c99",
                  file("hclib.c", all_includes(one, (*HCLIB_HEADERS, "mytime.h", "libgetput.h", "hclib.h")) + "int none;\n"))
    # Headers of HClib-Actor, each first, and inside `extern "C"`; then those of bale and again its own, in both orders.
    for compiler, standard, selector in (("g++", "c++11", SELECTOR_HEADERS), ("clang++", "c++17", SELECTOR_HEADERS),
                                         ("g++", "c++17", ("selector-mb.h",)), ("clang++", "c++20", ("selector-mb.h",))):
        for one in (*HCLIB_HEADERS, *selector):
            all_headers = ("libgetput.h", "spmat.h", "exstack.h", *HCLIB_HEADERS, *selector)
            for others in some((all_headers, all_headers[::-1]), len(compilations), 1):
                check(f"{one}, then those of HClib", compiler, standard,
                      file("hclib.cpp", f'extern "C" {{\n{all_includes(one, others)}}}\n{all_includes(one, ())}int none;\n'))

    bale = open(os.path.join(TREE, "include", "shoal_compat", "bale_includes.h"), encoding="utf-8").read()
    path = file("macros.cpp", header + "#include <hclib_atomic.h>\n" + all_includes("selector_shmem.h", SELECTOR_HEADERS))
    before = file("nothing.cpp", "#include <stddef.h>\n#include <stdint.h>\n#include <stdbool.h>\n#include <string.h>\n"
                  "#include <complex>\n#include <cstddef>\n#include <cstring>\n#include <functional>\n#include <memory>\n"
                  "#include <utility>\n#include <vector>\n#include <argp.h>\n"
                  "#include <iostream>\n#include <list>\n#include <queue>\n#include <string>\n#include <tuple>\n"
                  "#include <pthread.h>\n" + bale)
    macros = {text: set(re.findall(r"^#define (\w+)", run("macros", "g++", "-std=c++11", "-DUSE_SHMEM=1", "-dM", "-E", f"-I{TREE}/include", text),
                                   re.MULTILINE)) for text in (path, before)}
    strangers = sorted(name for name in macros[path] - macros[before] if not MACRO.match(name))
    if strangers:
        failed("macros in C++", ", ".join(strangers))
    for each in compilations:
        each.result()
    missing = [name for name in GENERIC if not re.search(rf"\bshmem_{name}\(", CALLS)]
    if missing:
        failed("generic calls that this test leaves out", ", ".join(missing))
end()
