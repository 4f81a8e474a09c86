# The Fortran module, compiled by flang 19 where it is: others read no .mod file of it and compile lbhm/lbhm.f90.
find_program(LBHM_FLANG NAMES flang-new-19 flang-19 DOC "flang 19, for apps/bt, apps/bwaves and the Fortran module")
if(NOT LBHM_FLANG)
  message(STATUS "the Fortran module is installed as source alone: flang 19 is missing (apt-get install flang-19)")
  return()
endif()
set(folder ${made}/flang-19)
file(MAKE_DIRECTORY ${folder})
# flang puts the source's path into the object file, for what its run-time library says of errors: one without folders.
file(READ ${PROJECT_SOURCE_DIR}/include/lbhm/lbhm.f90 text)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/lbhm/lbhm.f90)
file(CONFIGURE OUTPUT ${folder}/lbhm.F90 CONTENT "#line 1 \"/lbhm.f90\"\n\${text}")
add_custom_command(OUTPUT ${folder}/lbhm.mod ${folder}/liblbhm-flang-19.a
  COMMAND ${LBHM_FLANG} -c -O2 -fPIC -module-dir ${folder} -o ${folder}/lbhm.o ${folder}/lbhm.F90
  COMMAND ${CMAKE_COMMAND} -E rm -f ${folder}/liblbhm-flang-19.a
  COMMAND ${CMAKE_AR} rcsD ${folder}/liblbhm-flang-19.a ${folder}/lbhm.o
  DEPENDS ${folder}/lbhm.F90 VERBATIM)
add_custom_target(fortran-module ALL DEPENDS ${folder}/lbhm.mod)
add_dependencies(installed fortran-module)
install(FILES ${folder}/lbhm.mod DESTINATION include/lbhm/flang-19)
install(FILES ${folder}/liblbhm-flang-19.a DESTINATION ${lib})
