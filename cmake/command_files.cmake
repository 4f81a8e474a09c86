# What is made by running the command: its man page, what shells complete, its Python files compiled. That takes a
# Python with the command's packages: build/venv has them.
set(LBHM_BUILD_PYTHON "" CACHE FILEPATH "A Python with the packages of tools/requirements.txt, if not build/venv's")
set(build_python python3)
foreach(python ${PROJECT_SOURCE_DIR}/build/venv/bin/python ${LBHM_BUILD_PYTHON})
  if(EXISTS ${python})
    set(build_python ${python})
  endif()
endforeach()
# Compiled Python files. They are checked by what they are made of, for copies have other times; -s and -p leave no place
# in them.
install(CODE "
  set(tree \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${home}/python\")
  execute_process(COMMAND ${build_python} -m compileall -q --invalidation-mode checked-hash
                  -s \"\${tree}\" -p lbhm \"\${tree}\")")

execute_process(COMMAND ${build_python} -c "from lbhm.cli import application; application()" RESULT_VARIABLE packages_missing
                WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tools OUTPUT_QUIET ERROR_QUIET)
if(packages_missing)
  message(STATUS "no man page, nothing that shells complete: ${build_python} lacks packages of "
                 "tools/requirements.txt (scripts/make-venv, or LBHM_BUILD_PYTHON)")
  return()
endif()

file(GLOB_RECURSE command_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/lbhm/*.py)
set(command_files)
# lbhm_command_file(NAME WORDS...): the file NAME is what Python prints with these words behind it.
function(lbhm_command_file name)
  set(python ${CMAKE_COMMAND} -E env PYTHONPATH=${PROJECT_SOURCE_DIR}/tools PYTHONDONTWRITEBYTECODE=1)
  add_custom_command(OUTPUT ${made}/${name} COMMAND ${python} ${ARGN} > ${made}/${name} VERBATIM
                     DEPENDS ${command_sources} ${PROJECT_SOURCE_DIR}/CMakeLists.txt)
  set(command_files ${command_files} ${made}/${name} PARENT_SCOPE)
endfunction()
lbhm_command_file(lbhm.1 ${build_python} -m lbhm.man_page)
foreach(shell bash zsh fish)
  lbhm_command_file(complete.${shell} ${build_python} -m lbhm.completions ${shell})
endforeach()
add_custom_target(command-files ALL DEPENDS ${command_files})
add_dependencies(installed command-files)

install(FILES ${made}/lbhm.1 DESTINATION share/man/man1)
install(FILES ${made}/complete.bash DESTINATION share/bash-completion/completions RENAME lbhm)
install(FILES ${made}/complete.zsh DESTINATION share/zsh/site-functions RENAME _lbhm)
install(FILES ${made}/complete.fish DESTINATION share/fish/vendor_completions.d RENAME lbhm.fish)
