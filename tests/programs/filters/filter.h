// What a filter that is loaded at run time offers: a function `make_filter`.
#pragma once

#include "image.h"

class Filter {
 public:
  virtual ~Filter() = default;
  virtual const char* name() const = 0;
  virtual Image apply(const Image& image) const = 0;
  /// The same for one pixel, to check by.
  virtual int pixel(const Image& image, std::ptrdiff_t x, std::ptrdiff_t y) const = 0;
};

using MakeFilter = Filter*();
