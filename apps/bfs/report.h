// What the program prints: the same text for the same input on every run. Times go to standard error.
#pragma once

#include <string>

#include "apps/bfs/graph.h"
#include "apps/bfs/options.h"
#include "apps/bfs/search.h"

namespace bfs {

void print_header(const Options& options);
void print_graph(const std::string& name, const Graph& graph);
void print_search(Vertex source, const Search& search, bool verified);

}  // namespace bfs
