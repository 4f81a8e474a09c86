// How our functions get their public names. They carry no symbol version: a version of our own would keep the loader
// from putting them in front of libomp's.
#pragma once

#define LBHM_EXPORT extern "C" __attribute__((visibility("default")))
