// A cluster of stars, and how it moves on.
#pragma once

#include <cstdint>

#include "apps/nbody/octree.h"

namespace nbody {

constexpr int substeps = 4;  ///< of slow bodies' time step, which are steps of fast bodies

/// Bodies of equal mass in Plummer's model (S. J. Aarseth, M. Henon, R. Wielen, Astron. Astrophys. 37, 1974), with all
/// records of where they have been.
class Cluster {
 public:
  Cluster(int bodies, std::uint64_t seed);
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  ~Cluster();

  /// A step of the slow bodies: kicks and drifts, so that all of them are at one time at its end.
  void step(double length);
  double energy() const;
  /// Of the accelerations of every `stride`-th body against direct sums, as a part of these, in the mean square.
  double error_of_forces(int stride) const;
  /// Of where bodies are and were, whichever order they are looked at.
  std::uint64_t checksum() const;
  bool all_orbits_have(std::size_t records) const;

  std::size_t size() const { return bodies_.size(); }
  std::size_t made() const { return made_; }  ///< objects by new: bodies, cells and records
  double terms() const { return terms_; }     ///< of all sums of forces
  bool lost() const { return lost_; }         ///< a tree had not all bodies

 private:
  void choose_slow();
  void attract(bool slow);
  void kick(double fast, double slow);
  void drift(double length);

  Bodies bodies_;
  double time_ = 0;
  std::size_t made_ = 0;
  double terms_ = 0;
  bool lost_ = false;
};

}  // namespace nbody
