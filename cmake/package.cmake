# cpack -G DEB, in the build folder: lbhm_VERSION_amd64.deb; cpack -G TGZ: the tree as an archive.
set(CPACK_PACKAGE_NAME lbhm)
set(CPACK_PACKAGE_CONTACT "LB-HM maintainers <maintainers@lbhm.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "data placement for OpenMP on machines with several memories")
set(CPACK_PACKAGE_DESCRIPTION "LB-HM places the data of OpenMP programs on machines with a small fast and a large slow
memory so that all parallel tasks finish together. It has a runtime library, a clang plugin, an emulated machine to try
placements on, and the command lbhm.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB TGZ)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# By hand: the modules link libraries that LB-HM can do without, and what a program needs it is linked with itself.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36), libgcc-s1, libstdc++6, python3 (>= 3.11)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
  "clang-19, libomp-19-dev, python3-venv, libnuma1, libhwloc15, libpapi7.0, libmimalloc2.0")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "flang-19, libmemkind0, libdw1, environment-modules | lmod")
include(CPack)
