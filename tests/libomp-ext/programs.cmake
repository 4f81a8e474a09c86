# Tests that run a program three times and compare (same_output.py).
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(same_output ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/same_output.py $<TARGET_FILE:lbhm-allocators-test>)

list(GET OpenMP_CXX_LIBRARIES 0 libomp)
cmake_path(GET libomp PARENT_PATH libomp_directory)

# lbhm_same_output(NAME PLAIN [LINKED] [NAME=VALUE...])
function(lbhm_same_output name plain)
  add_test(NAME allocators.${name} COMMAND ${same_output} ${plain} ${ARGN})
  # libomp leaks a little at exit.
  set_tests_properties(allocators.${name} PROPERTIES LABELS system TIMEOUT 300 ENVIRONMENT
                       "ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1")
endfunction()

function(lbhm_allocator_program source)
  cmake_path(GET source STEM stem)
  foreach(way plain linked)
    set(program allocators-${stem}-${way})
    add_executable(${program} programs/${source})
    target_compile_options(${program} PRIVATE -O1)
    if(way STREQUAL linked)
      target_link_libraries(${program} PRIVATE lbhm-allocators-test)
    endif()
    target_link_libraries(${program} PRIVATE lbhm_flags)
    if(source MATCHES "\\.c$")
      target_link_libraries(${program} PRIVATE OpenMP::OpenMP_C)
    else()
      target_link_libraries(${program} PRIVATE OpenMP::OpenMP_CXX)
    endif()
  endforeach()
  lbhm_same_output(${stem} $<TARGET_FILE:allocators-${stem}-plain> $<TARGET_FILE:allocators-${stem}-linked>)
endfunction()

foreach(source standard_traits.c standard_traits_cpp.cpp reallocation.c reallocation_cpp.cpp default_allocator.c
               default_allocator_cpp.cpp clause.c clause_cpp.cpp directive.c early_and_late.cpp our_traits.c
               our_traits_cpp.cpp environment_default.c)
  lbhm_allocator_program(${source})
endforeach()

set(environment_default $<TARGET_FILE:allocators-environment_default-plain>
                        $<TARGET_FILE:allocators-environment_default-linked>)
lbhm_same_output(environment_predefined ${environment_default} OMP_ALLOCATOR=omp_thread_mem_alloc)
lbhm_same_output(environment_space ${environment_default}
                 "OMP_ALLOCATOR=omp_default_mem_space:pool_size=1000,fallback=null_fb")

# Objects of gcc, linked with libomp. Without sanitizers: gcc's and clang's do not mix.
find_program(GCC NAMES gcc)
if(GCC AND NOT LBHM_SANITIZE)
  foreach(stem standard_traits reallocation default_allocator clause our_traits)
    set(source ${CMAKE_CURRENT_SOURCE_DIR}/programs/${stem}.c)
    set(program ${CMAKE_CURRENT_BINARY_DIR}/allocators-${stem}-gcc)
    add_custom_command(
      OUTPUT ${program}
      COMMAND ${GCC} -std=gnu11 -O1 -Wall -Wextra -Wpedantic -Werror -fopenmp -I${PROJECT_SOURCE_DIR}/include
              -c ${source} -o ${program}.o
      COMMAND ${CMAKE_C_COMPILER} ${program}.o ${OpenMP_C_LIBRARIES} -Wl,-rpath,${libomp_directory} -o ${program}
      DEPENDS ${source} ${CMAKE_CURRENT_SOURCE_DIR}/programs/output.h ${PROJECT_SOURCE_DIR}/include/lbhm/omp_traits.h)
    add_custom_target(allocators-${stem}-gcc-program ALL DEPENDS ${program})
    lbhm_same_output(${stem}_gcc ${program})
  endforeach()
endif()

# omp_traits.h in every language version that it promises.
foreach(compiler ${CMAKE_CXX_COMPILER} g++)
  foreach(standard c++11 c++14 c++17 c++20)
    cmake_path(GET compiler FILENAME compiler_name)
    add_test(NAME allocators.header_${compiler_name}_${standard}
             COMMAND ${compiler} -std=${standard} -fopenmp -Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only
                     -I${PROJECT_SOURCE_DIR}/include ${CMAKE_CURRENT_SOURCE_DIR}/programs/our_traits_cpp.cpp)
  endforeach()
endforeach()
foreach(compiler ${CMAKE_C_COMPILER} gcc)
  cmake_path(GET compiler FILENAME compiler_name)
  add_test(NAME allocators.header_${compiler_name}_c11
           COMMAND ${compiler} -std=c11 -fopenmp -Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only
                   -I${PROJECT_SOURCE_DIR}/include ${CMAKE_CURRENT_SOURCE_DIR}/programs/our_traits.c)
endforeach()

add_test(NAME allocators.exports COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/exports_test.py
                                         $<TARGET_FILE:lbhm-allocators-test> ${libomp})
