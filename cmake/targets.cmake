# The few kinds of targets that the rooms are made of.

# Flags of all our own code, the plugin excepted (it is loaded into a compiler that has no sanitizer).
add_library(lbhm_flags INTERFACE)
target_include_directories(lbhm_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
# liblbhm.so is there when the program starts (preloaded or linked), so its thread-locals need no look-up at run time.
target_compile_options(lbhm_flags INTERFACE -ftls-model=initial-exec)
target_compile_options(lbhm_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wno-gnu-zero-variadic-macro-arguments)
if(LBHM_SANITIZE)
  target_compile_options(lbhm_flags INTERFACE -fsanitize=${LBHM_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(lbhm_flags INTERFACE -fsanitize=${LBHM_SANITIZE})
endif()

# lbhm_precompile(NAME HEADERS... | REUSE_FROM TARGET): what all files of the target read is read once. ccache compares what
# is precompiled by its contents.
function(lbhm_precompile name)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    return()
  endif()
  if(ARGV1 STREQUAL "REUSE_FROM")
    target_precompile_headers(${name} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${name} PRIVATE ${ARGN})
  endif()
  target_compile_options(${name} PRIVATE -Xclang -fno-pch-timestamp)
  if(CMAKE_CXX_COMPILER_LAUNCHER)
    set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
endfunction()

# lbhm_headers(NAME HEADERS...): what targets of the same flags may read once for all of them (REUSE_FROM NAME).
function(lbhm_headers name)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/no_code.cpp CONTENT "")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/no_code.cpp)
  target_link_libraries(${name} PRIVATE lbhm_flags)
  lbhm_precompile(${name} ${ARGN})
endfunction()

set(LBHM_ROOM_HEADERS <algorithm> <functional> <map> <mutex> <optional> <ranges> <set> <span> <string> <unordered_map>
                      <vector>)
lbhm_headers(lbhm_room_headers ${LBHM_ROOM_HEADERS})

# lbhm_room(NAME SOURCES... [OPENMP] [APART] [LIBRARIES ...]): the object library lbhm_NAME, a part of liblbhm.so. OPENMP:
# it sees what the compiler's omp.h and omp-tools.h declare; no code of libomp is linked in. With
# LBHM_ROOMS_AT_ONCE all of a room is compiled at once, in a quarter of the time; APART: this one never is, for its files have
# helpers of equal names.
function(lbhm_room name)
  cmake_parse_arguments(ARG "OPENMP;APART" "" "LIBRARIES" ${ARGN})
  add_library(lbhm_${name} OBJECT ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(lbhm_${name} PUBLIC lbhm_flags ${ARG_LIBRARIES})
  if(ARG_OPENMP)
    target_compile_options(lbhm_${name} PRIVATE ${OpenMP_CXX_FLAGS})
  endif()
  if(LBHM_ROOMS_AT_ONCE AND NOT ARG_APART)
    set_target_properties(lbhm_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  endif()
  if(LBHM_SANITIZE STREQUAL "thread")
    return()  # without LBHM_ROOMS_AT_ONCE, that build shows that every file includes what it uses
  endif()
  if(ARG_OPENMP)
    lbhm_precompile(lbhm_${name} ${LBHM_ROOM_HEADERS})
  else()
    lbhm_precompile(lbhm_${name} REUSE_FROM lbhm_room_headers)
  endif()
endfunction()

# lbhm_whole(NAME SOURCES... [HOST]): a library with all rooms in it, as liblbhm.so is. It has a heap of its own
# (runtime/own_memory), and libstdc++ inside, because that allocates for us. Sanitizers want to see the heap. HOST: it is
# for real machines alone, and has no function in front of a program's that only emulated ones need.
function(lbhm_whole name)
  cmake_parse_arguments(ARG "HOST" "" "" ${ARGN})
  add_library(${name} SHARED ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE $<IF:$<BOOL:${ARG_HOST}>,lbhm_real_openmp,lbhm_virtual_openmp> $<$<BOOL:${ARG_HOST}>:lbhm_no_emulation> lbhm_openmp lbhm_allocators lbhm_engine lbhm_share_folder lbhm_loop lbhm_record lbhm_knowledge lbhm_phases lbhm_objects lbhm_patterns lbhm_sampling lbhm_samplers
                                        lbhm_placement lbhm_pages lbhm_choose lbhm_migration lbhm_host lbhm_model lbhm_emulator
                                        lbhm_own_memory Threads::Threads ${CMAKE_DL_LIBS})
  if(NOT LBHM_SANITIZE)
    target_link_libraries(${name} PRIVATE lbhm_own_new)
    target_link_options(${name} PRIVATE -static-libstdc++ -Wl,--exclude-libs,ALL -Wl,--no-undefined
                                        -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map)
    set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/exports.map)
  endif()
endfunction()

# lbhm_refused_elsewhere(NAME): for what is preloaded into any program. Loaders of another libc (musl, glibc before 2.35)
# leave the library out and run the program (refused_elsewhere.py). LLVM's strip takes that for damage, GNU's does not.
find_program(LBHM_STRIP NAMES x86_64-linux-gnu-strip strip)
if(LBHM_STRIP)
  set(CMAKE_STRIP ${LBHM_STRIP})
endif()
function(lbhm_refused_elsewhere name)
  if(LBHM_SANITIZE)
    return()
  endif()
  set(mark ${PROJECT_SOURCE_DIR}/cmake/refused_elsewhere)
  target_sources(${name} PRIVATE ${mark}.c)
  # Far behind all others: next to them it would be a part of their segment.
  target_link_options(${name} PRIVATE -Wl,--section-start=.lbhm.refused_elsewhere=0x2000000)
  add_custom_command(TARGET ${name} POST_BUILD COMMAND python3 ${mark}.py $<TARGET_FILE:${name}> VERBATIM)
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${mark}.py)
endfunction()

# lbhm_instrument(NAME): the target's files are compiled with the plugin, for the emulated machine.
function(lbhm_instrument name)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_compile_options(${name} PRIVATE -O2 -fpass-plugin=$<TARGET_FILE:lbhm-plugin>)
  target_link_libraries(${name} PRIVATE OpenMP::OpenMP_CXX)
  add_dependencies(${name} lbhm-plugin)
  # ccache does not know that the plugin is an input of the compilation, and would give back what an older one made.
  set_target_properties(${name} PROPERTIES C_COMPILER_LAUNCHER "" CXX_COMPILER_LAUNCHER "")
  # The same sources may be compiled without the plugin, too: the tests that sanitizers run are to be built without it.
  if(NOT LBHM_SANITIZE)
    get_target_property(sources ${name} SOURCES)
    list(FILTER sources EXCLUDE REGEX "TARGET_OBJECTS")
    set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS ${CMAKE_BINARY_DIR}/lib/liblbhm-plugin.so)
  endif()
endfunction()

# lbhm_instrumented(NAME SOURCES...): an OpenMP program built with the plugin.
function(lbhm_instrumented name)
  add_executable(${name} ${ARGN})
  lbhm_instrument(${name})
endfunction()

# lbhm_traced(NAME SOURCES...): an OpenMP program that tells the tracer of bench/trace every address.
function(lbhm_traced name)
  lbhm_instrumented(${name} ${ARGN})
  set(traced ${CMAKE_COMMAND} -E env LBHM_PLUGIN_TRACE=1)
  set_target_properties(${name} PROPERTIES C_COMPILER_LAUNCHER "${traced}" CXX_COMPILER_LAUNCHER "${traced}"
                                           EXCLUDE_FROM_ALL TRUE)
  target_compile_options(${name} PRIVATE -g)
  target_link_libraries(${name} PRIVATE tracer)
endfunction()

# lbhm_fuzz(NAME SOURCES... [LIBRARIES ...] [SANITIZERS ...]): a libFuzzer program, with LBHM_FUZZ only. Sources are the
# parser itself and not its room: libFuzzer has to see which of its branches an input takes. scripts/fuzz runs all.
function(lbhm_fuzz name)
  if(NOT LBHM_FUZZ)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "LIBRARIES;SANITIZERS" ${ARGN})
  set(sanitizers fuzzer,address,undefined,float-cast-overflow)
  if(ARG_SANITIZERS)
    list(JOIN ARG_SANITIZERS "," sanitizers)
  endif()
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${name} PRIVATE -g -O1 -fsanitize=${sanitizers} -fno-sanitize-recover=all)
  target_link_options(${name} PRIVATE -fsanitize=${sanitizers})
  set_property(GLOBAL APPEND PROPERTY LBHM_FUZZ_TARGETS ${name})
  target_link_libraries(${name} PRIVATE lbhm_flags ${ARG_LIBRARIES})
endfunction()

find_program(LBHM_LLD ld.lld-19)

# lbhm_compile_test(NAME): how the files of a GoogleTest program are compiled. Most of what that takes is the headers of
# GoogleTest and of JSON: all programs share them, and so have the same flags, OpenMP's among them.
set(LBHM_TEST_FLAGS ${OpenMP_CXX_FLAGS} $<$<CONFIG:Release>:-O0>)  # nothing is timed here
function(lbhm_compile_test name)
  target_compile_options(${name} PRIVATE ${LBHM_TEST_FLAGS})
  if(LBHM_LLD)
    target_link_options(${name} PRIVATE -fuse-ld=lld)  # 2.5 times as fast as GNU's
  endif()
  lbhm_precompile(${name} REUSE_FROM lbhm_test_headers)
endfunction()

# lbhm_test(NAME SOURCES... [LIBRARIES ...] [LABEL label | LABELS ...]): a GoogleTest program registered with ctest. Its
# rooms come as libraries. AddressSanitizer runs what is labelled unit (the default), with ./check --full apps, too;
# ThreadSanitizer runs threads. What is labelled unit is not in `all`, as ./check builds it with the sanitizer alone.
function(lbhm_test name)
  cmake_parse_arguments(ARG "" "LABEL" "LIBRARIES;LABELS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE lbhm_flags ${ARG_LIBRARIES} GTest::gtest_main GTest::gmock)
  lbhm_compile_test(${name})
  set(labels ${ARG_LABEL} ${ARG_LABELS})
  if(NOT labels)
    set(labels unit)
  endif()
  if(unit IN_LIST labels)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  # What the sanitizers run is built on its own: tests-unit, tests-threads.
  foreach(label ${labels})
    if(NOT TARGET tests-${label})
      add_custom_target(tests-${label})
    endif()
    add_dependencies(tests-${label} ${name})
  endforeach()
  # Those of a folder of tests/ and of the folders in it, for ./check --room: room-runtime-host of tests/runtime/host.
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
  while(folder)
    string(REPLACE "/" "-" room room-${folder})
    if(NOT TARGET ${room})
      add_custom_target(${room})
    endif()
    add_dependencies(${room} ${name})
    cmake_path(GET folder PARENT_PATH folder)
  endwhile()
  # How a list gets through the discovery differs between versions of CMake. A comma does not, and ctest -L looks for its
  # words anywhere in a label.
  list(JOIN labels "," labels)
  include(GoogleTest)
  gtest_discover_tests(${name} TEST_PREFIX "${name}." PROPERTIES LABELS "${labels}" DISCOVERY_TIMEOUT 60)
endfunction()
