# liblbhm-NAME.so, which liblbhm.so opens at run time: what links a library that may not be installed where LB-HM runs.
# Built of NAME_module.cpp where HEADER and libNAME are there; `without` says what is missing otherwise.
function(lbhm_optional_module name header without)
  find_path(${name}_INCLUDE ${header})
  find_library(${name}_LIBRARY ${name})
  if(${name}_INCLUDE AND ${name}_LIBRARY)
    add_library(lbhm-${name} MODULE ${name}_module.cpp)
    target_include_directories(lbhm-${name} PRIVATE ${PROJECT_SOURCE_DIR} ${${name}_INCLUDE})
    target_link_libraries(lbhm-${name} PRIVATE lbhm_flags ${${name}_LIBRARY})
    set_property(GLOBAL APPEND PROPERTY lbhm_modules lbhm-${name})
  else()
    message(STATUS "lib${name}-dev is not installed: ${without}")
  endif()
endfunction()
