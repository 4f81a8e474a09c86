#include "apps/pic/particles.h"

#include <algorithm>
#include <utility>

namespace pic {

std::vector<apps::Array<double>> Particles::make_arrays(const std::string& name, std::size_t capacity) {
  std::vector<apps::Array<double>> arrays;
  arrays.reserve(attributes);
  for (const char* attribute : {"x", "y", "ux", "uy", "uz", "weight"}) {
    arrays.emplace_back(name + "." + attribute, capacity);
  }
  return arrays;
}

Particles::Particles(std::string name, std::size_t capacity)
    : name_(std::move(name)), arrays_(make_arrays(name_, capacity)) {}

Particle Particles::get(std::size_t i) const {
  const Particles& p = *this;
  return {p[X][i], p[Y][i], p[Ux][i], p[Uy][i], p[Uz][i], p[Weight][i]};
}

void Particles::append(const Particle& particle) {
  const Particles& p = *this;
  p[X][count_] = particle.x;
  p[Y][count_] = particle.y;
  p[Ux][count_] = particle.ux;
  p[Uy][count_] = particle.uy;
  p[Uz][count_] = particle.uz;
  p[Weight][count_] = particle.weight;
  ++count_;
}

void Particles::remove(std::size_t i) {
  --count_;
  for (const apps::Array<double>& array : arrays_) array.data()[i] = array.data()[count_];
}

void Particles::grow(std::size_t capacity) {
  if (capacity <= this->capacity()) return;
  std::vector<apps::Array<double>> larger = make_arrays(name_, capacity);
  for (std::size_t a = 0; a < attributes; ++a) std::copy_n(arrays_[a].data(), count_, larger[a].data());
  arrays_.swap(larger);
}

Outbox::Outbox(const std::string& box_name, std::size_t capacity) { memory.emplace(box_name + ".outbox", capacity); }

void Outbox::grow(std::size_t capacity) {
  const std::string name = memory->name();
  if (capacity > memory->size()) memory.emplace(name, capacity);
}

}  // namespace pic
