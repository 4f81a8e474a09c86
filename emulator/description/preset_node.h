// Reading a machine file key by key, with complaints that name the file, the key and what it must be.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lbhm::emulator {

using Json = nlohmann::json;

/// The arguments one after the other; numbers as a stream prints them.
template <class... Parts>
std::string text_of(const Parts&... parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return stream.str();
}

/// What is wrong with a machine file. Raised by Node only; load_machine makes a Status of it.
struct Malformed {
  std::string sentence;
};

/// An object of the file together with where it stands, so that every complaint names file and key.
class Node {
 public:
  Node(const Json& json, std::string file, std::string key)
      : json_(json), file_(std::move(file)), key_(std::move(key)) {
    if (!json.is_object()) throw Malformed{complaint(key_.empty() ? "the top level" : key_, "must be an object")};
  }

  /// A misspelt key would silently leave a default in force; so there are no others than these.
  void allow_only(std::initializer_list<std::string_view> names) const {
    for (const auto& item : json_.items()) {
      if (std::ranges::find(names, item.key()) == names.end()) {
        throw Malformed{complaint(path(item.key()), "is not a key of lbhm.machine/2; remove it or correct its name")};
      }
    }
  }

  bool has(const char* name) const { return json_.contains(name); }
  Node child(const char* name) const { return {get(name), file_, path(name)}; }

  std::string text(const char* name) const {
    const Json& value = get(name);
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
      throw Malformed{complaint(path(name), "must be a text that is not empty")};
    }
    return value.get<std::string>();
  }

  /// {"value": number, "source": text}; the number within [least, most].
  double number(const char* name, double least, double most) const {
    const Node quantity = child(name);
    quantity.allow_only({"value", "source"});
    quantity.text("source");
    const Json& value = quantity.get("value");
    const std::string where = quantity.path("value");
    if (!value.is_number()) throw Malformed{complaint(where, "must be a number")};
    const auto result = value.get<double>();
    if (!(result >= least && result <= most)) {
      throw Malformed{complaint(where, text_of("is ", result, "; it must be from ", least, " to ", most))};
    }
    return result;
  }

  std::uint64_t whole(const char* name, double least, double most) const {
    const double result = number(name, least, most);
    if (result != std::floor(result)) throw Malformed{complaint(path(name) + ".value", "must be a whole number")};
    return static_cast<std::uint64_t>(result);
  }

  /// A whole number of at most 32 bits.
  std::uint32_t small(const char* name, double least, double most) const {
    return static_cast<std::uint32_t>(whole(name, least, most));
  }

  std::vector<Node> list(const char* name, std::size_t least, std::size_t most) const {
    const Json& value = get(name);
    if (!value.is_array() || value.size() < least || value.size() > most) {
      throw Malformed{complaint(path(name), text_of("must be a list of ", least, " to ", most, " objects"))};
    }
    std::vector<Node> nodes;
    nodes.reserve(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      nodes.emplace_back(value[i], file_, text_of(path(name), "[", i, "]"));
    }
    return nodes;
  }

  std::string complaint(const std::string& key, std::string_view what) const {
    return text_of("machine file ", file_, ": ", key, " ", what);
  }
  std::string path(std::string_view name) const { return key_.empty() ? std::string(name) : text_of(key_, ".", name); }

 private:
  const Json& get(const char* name) const {
    const auto found = json_.find(name);
    if (found == json_.end()) throw Malformed{complaint(path(name), "is missing")};
    return *found;
  }

  const Json& json_;
  std::string file_;
  std::string key_;
};

}  // namespace lbhm::emulator
