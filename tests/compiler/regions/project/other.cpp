// A second file of the program that uses the same template.
#include "part.h"

double other_largest(const std::vector<double>& values) { return largest(values); }
