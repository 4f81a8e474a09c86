# cmake --install: a tree that may be moved, as docs/install.md shows it. Nothing in it names another folder than by the
# way from its own place: liblbhm.so finds share/lbhm (runtime/engine/machines/share_folder.cpp), the command the rest
# (tools/lbhm/base/build_tree.py).
set(CMAKE_INSTALL_LIBDIR lib CACHE STRING "Folder of the libraries, right below the prefix")
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
if(CMAKE_INSTALL_LIBDIR MATCHES "/" OR NOT CMAKE_INSTALL_INCLUDEDIR STREQUAL "include" OR
   NOT CMAKE_INSTALL_BINDIR STREQUAL "bin" OR NOT CMAKE_INSTALL_DATADIR STREQUAL "share")
  message(FATAL_ERROR "CMAKE_INSTALL_LIBDIR=${CMAKE_INSTALL_LIBDIR}, CMAKE_INSTALL_INCLUDEDIR, CMAKE_INSTALL_BINDIR or "
                      "CMAKE_INSTALL_DATADIR: LB-HM finds its parts in bin, include, share and one folder of libraries "
                      "right below the prefix; leave them as they are, and give a prefix of its own")
endif()
set(lib ${CMAKE_INSTALL_LIBDIR})
set(home ${lib}/lbhm)  # what belongs to the command alone
set(made ${CMAKE_BINARY_DIR}/install)
set(LBHM_PROGRAM_FLAGS "-fopenmp -fno-omit-frame-pointer")  # and headers and a plugin: compiler_wrapper.py

# All that is installed, as far as it is a target: ./quickstart builds less. What is missing is built first, so that no
# tree is left half installed.
add_custom_target(installed DEPENDS lbhm lbhm-host lbhm-heap lbhm-plugin lbhm-patterns lbhm-choose lbhm-measure
                  lbhm-measure-node memory-probe memory-probe-emu load-probe load-probe-emu stencil-probe stencil-probe-emu)
install(CODE "
  execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\" --target installed --parallel 2
                  RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(failed)
    message(FATAL_ERROR \"what is to be installed could not be built: \${said}\")
  endif()")

# What programs load, and what the compiler loads. Modules are of libraries that were there at build time.
install(TARGETS lbhm lbhm-heap lbhm-plugin lbhm-patterns LIBRARY DESTINATION ${lib})
install(TARGETS lbhm-host LIBRARY DESTINATION ${lib}/host)
install(FILES ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/host/liblbhm-heap.so DESTINATION ${lib}/host)
get_property(modules GLOBAL PROPERTY lbhm_modules)
foreach(module ${modules})
  install(TARGETS ${module} LIBRARY DESTINATION ${lib})
  add_dependencies(installed ${module})
endforeach()
if(NOT LBHM_SANITIZE)
  foreach(name liblbhm liblbhm-heap host/liblbhm)  # strip takes away a part of what lbhm_refused_elsewhere did
    set(file \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${lib}/${name}.so\")
    install(CODE "execute_process(COMMAND python3 \"${PROJECT_SOURCE_DIR}/cmake/refused_elsewhere.py\" ${file}
                                  COMMAND_ERROR_IS_FATAL ANY)")
  endforeach()
endif()
install(DIRECTORY include/lbhm DESTINATION include)
install(DIRECTORY ${LBHM_SHARE} DESTINATION share)

# The command: its Python files, compiled so that whoever may not write there starts it as quickly.
configure_file(packaging/lbhm.in ${made}/lbhm @ONLY)
install(PROGRAMS ${made}/lbhm DESTINATION bin)
# Compilers in one word; in this tree they are beside the programs.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/lbhm ${CMAKE_BINARY_DIR}/bin/lbhm SYMBOLIC)
foreach(name cc c++ fc cc-emulate c++-emulate fc-emulate)
  configure_file(packaging/lbhm-compiler ${CMAKE_BINARY_DIR}/bin/lbhm-${name} COPYONLY)
  install(PROGRAMS ${CMAKE_BINARY_DIR}/bin/lbhm-${name} DESTINATION bin)
endforeach()
install(FILES packaging/__main__.py DESTINATION ${home}/python)
install(DIRECTORY tools/lbhm DESTINATION ${home}/python USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)
install(FILES tools/requirements.txt DESTINATION share/lbhm)
if(LBHM_APPS)
  install(DIRECTORY training/lbhm_training DESTINATION ${home}/python PATTERN __pycache__ EXCLUDE)
  install(FILES tools/requirements-training.txt DESTINATION share/lbhm)
endif()
# The plugin writes into programs what their sources are called (compiler/patterns/compiled_text.cpp).
set(rootless ${CMAKE_COMMAND} -E env LBHM_PLUGIN_SOURCE_ROOT=${PROJECT_SOURCE_DIR})
set_target_properties(memory-probe-emu load-probe-emu stencil-probe-emu PROPERTIES CXX_COMPILER_LAUNCHER "${rootless}")
install(TARGETS lbhm-choose lbhm-measure lbhm-measure-node memory-probe memory-probe-emu load-probe load-probe-emu
        stencil-probe stencil-probe-emu RUNTIME DESTINATION ${home}/bin)
include(cmake/command_files.cmake)

# For the builds of others.
configure_file(packaging/lbhm.pc.in ${made}/lbhm.pc @ONLY)
configure_file(packaging/lbhm-emulate.pc.in ${made}/lbhm-emulate.pc @ONLY)
install(FILES ${made}/lbhm.pc ${made}/lbhm-emulate.pc DESTINATION ${lib}/pkgconfig)
configure_package_config_file(packaging/lbhmConfig.cmake.in ${made}/lbhmConfig.cmake
  INSTALL_DESTINATION ${lib}/cmake/lbhm NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${made}/lbhmConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${made}/lbhmConfig.cmake ${made}/lbhmConfigVersion.cmake DESTINATION ${lib}/cmake/lbhm)
include(cmake/fortran_module.cmake)

configure_file(packaging/modulefile.in ${made}/modulefile @ONLY)
install(FILES ${made}/modulefile DESTINATION share/modulefiles/lbhm RENAME ${PROJECT_VERSION})
install(FILES LICENSE CHANGELOG.md README.md CITATION.cff DESTINATION share/doc/lbhm)
install(DIRECTORY docs/ DESTINATION share/doc/lbhm/docs FILES_MATCHING PATTERN *.md PATTERN *.svg PATTERN *.png)
