# What is made by running the command: its man page, what shells complete, its Python files compiled. That takes a
# Python with the command's packages: build/venv has them.
find_program(LBHM_BUILD_PYTHON NAMES python3 PATHS ${PROJECT_SOURCE_DIR}/build/venv/bin NO_DEFAULT_PATH
             DOC "A Python 3.11 with the packages of tools/requirements.txt")
find_program(LBHM_BUILD_PYTHON NAMES python3)
execute_process(COMMAND ${LBHM_BUILD_PYTHON} -c "import lbhm.cli" RESULT_VARIABLE packages_missing
                WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tools OUTPUT_QUIET ERROR_QUIET)
if(packages_missing)
  message(STATUS "no man page, nothing that shells complete: ${LBHM_BUILD_PYTHON} lacks packages of "
                 "tools/requirements.txt (scripts/make-venv, or LBHM_BUILD_PYTHON)")
  return()
endif()

file(GLOB command_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/lbhm/*.py)
set(command_files)
# lbhm_command_file(NAME WORDS...): the file NAME is what Python prints with these words behind it.
function(lbhm_command_file name)
  set(python ${CMAKE_COMMAND} -E env PYTHONPATH=${PROJECT_SOURCE_DIR}/tools PYTHONDONTWRITEBYTECODE=1)
  add_custom_command(OUTPUT ${made}/${name} COMMAND ${python} ${ARGN} > ${made}/${name} VERBATIM
                     DEPENDS ${command_sources} ${PROJECT_SOURCE_DIR}/CMakeLists.txt)
  set(command_files ${command_files} ${made}/${name} PARENT_SCOPE)
endfunction()
lbhm_command_file(lbhm.1 ${LBHM_BUILD_PYTHON} -m lbhm.man_page)
foreach(shell bash zsh fish)
  lbhm_command_file(complete.${shell} ${LBHM_BUILD_PYTHON} -m lbhm.completions ${shell})
endforeach()
add_custom_target(command-files ALL DEPENDS ${command_files})

install(FILES ${made}/lbhm.1 DESTINATION share/man/man1)
install(FILES ${made}/complete.bash DESTINATION share/bash-completion/completions RENAME lbhm)
install(FILES ${made}/complete.zsh DESTINATION share/zsh/site-functions RENAME _lbhm)
install(FILES ${made}/complete.fish DESTINATION share/fish/vendor_completions.d RENAME lbhm.fish)
# Checked by what they are made of, for copies have other times; -s and -p leave no place in them.
install(CODE "
  set(tree \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${home}/python\")
  execute_process(COMMAND ${LBHM_BUILD_PYTHON} -m compileall -q --invalidation-mode checked-hash
                  -s \"\${tree}\" -p lbhm \"\${tree}\")")
