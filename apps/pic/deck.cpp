#include "apps/pic/deck.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>
#include <sstream>
#include <string>

#include "apps/common/line_reader.h"
#include "apps/common/mini_app.h"

namespace pic {
namespace {

/// What may stand behind a key, and where it goes.
struct Key {
  std::string_view name;
  std::size_t least_count;
  std::size_t most_count;
  bool whole;
  double least;
  double most;
  void (*set)(Deck&, std::span<const double>);
};

unsigned whole(double number) { return static_cast<unsigned>(number); }

template <auto Member>
void set_member(Deck& deck, std::span<const double> values) {
  auto& target = deck.*Member;
  if constexpr (requires { target.assign(values.begin(), values.end()); }) {
    target.assign(values.begin(), values.end());
  } else if constexpr (requires { target.size(); }) {
    std::ranges::transform(values, target.begin(), whole);
  } else {
    target = static_cast<std::remove_reference_t<decltype(target)>>(values[0]);
  }
}

constexpr std::size_t any = deck_max_plasmas;
constexpr Key keys[] = {
    {"n_cell", 2, 2, true, 8, deck_max_cells, set_member<&Deck::n_cell>},
    {"max_grid_size", 1, 1, true, 4, deck_max_cells, set_member<&Deck::max_grid_size>},
    {"cell_size", 1, 1, false, 1e-3, 1e3, set_member<&Deck::cell_size>},
    {"cfl", 1, 1, false, 1e-3, 0.999, set_member<&Deck::cfl>},
    {"steps", 1, 1, true, 1, 1e6, set_member<&Deck::steps>},
    {"sort_interval", 1, 1, true, 0, 1e6, set_member<&Deck::sort_interval>},
    {"plasma.ppc", 1, 1, true, 1, 1e4, set_member<&Deck::plasma_ppc>},
    {"plasma.u_th", 1, 1, false, 0, 100, set_member<&Deck::plasma_u_th>},
    {"beam.particles", 1, 1, true, 0, 4e9, set_member<&Deck::beam_particles>},
    {"beam.density", 1, 1, false, 0, 1e4, set_member<&Deck::beam_density>},
    {"beam.rms", 1, 1, false, 1e-3, 1e6, set_member<&Deck::beam_rms>},
    {"beam.ux", 1, 1, false, -1e5, 1e5, set_member<&Deck::beam_ux>},
    {"beam.u_th", 1, 1, false, 0, 100, set_member<&Deck::beam_u_th>},
    {"scan.ppc", 1, any, false, 0.01, 100, set_member<&Deck::scan_ppc>},
    {"scan.refine", 1, any, false, 0.25, 8, set_member<&Deck::scan_refine>},
    {"scan.beam_x", 1, any, false, 0, 1, set_member<&Deck::scan_beam_x>},
};

std::string text_of(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", number);
  return text;
}

double parse_value(const apps::LineReader& lines, const Key& key, std::string_view word) {
  const auto value = apps::parse_number<double>(lines, word, "the value");
  const bool right_kind = !key.whole || value == std::floor(value);
  if (!right_kind || !(value >= key.least && value <= key.most)) {  // also refuses NaN
    lines.fail(std::string(key.name) + " = " + apps::quote(word) + " must be " + (key.whole ? "a whole" : "a") +
               " number from " + text_of(key.least) + " to " + text_of(key.most) + ".");
  }
  return value;
}

const Key& find_key(const apps::LineReader& lines, std::string_view name) {
  const auto* const found = std::ranges::find(keys, name, &Key::name);
  if (found != std::end(keys)) return *found;
  std::string known;
  for (const Key& key : keys) known += (known.empty() ? "" : ", ") + std::string(key.name);
  lines.fail("there is no key " + apps::quote(name) + ". Keys are " + known + ".");
}

void read_line(const apps::LineReader& lines, std::span<const std::string_view> words, std::set<std::string>& seen,
               Deck& deck) {
  if (words.size() < 3 || words[1] != "=") lines.fail("a line must read 'key = value', with blanks around the '='.");
  const Key& key = find_key(lines, words[0]);
  if (!seen.emplace(key.name).second)
    lines.fail(std::string(key.name) + " stands here twice: remove one of the lines.");
  const std::size_t count = words.size() - 2;
  if (count < key.least_count || count > key.most_count) {
    lines.fail(std::string(key.name) + " takes " + std::to_string(key.least_count) +
               (key.most_count > key.least_count ? " to " + std::to_string(key.most_count) : "") +
               " value(s), and found " + std::to_string(count) + ".");
  }
  std::vector<double> values;
  for (const std::string_view word : words.subspan(2)) values.push_back(parse_value(lines, key, word));
  key.set(deck, values);
}

/// A list that does not occur has one value for all plasmas.
void match_lists(const apps::LineReader& lines, Deck& deck) {
  const std::size_t longest = std::max({deck.scan_ppc.size(), deck.scan_refine.size(), deck.scan_beam_x.size()});
  for (std::vector<double>* list : {&deck.scan_ppc, &deck.scan_refine, &deck.scan_beam_x}) {
    if (list->size() == 1) list->resize(longest, list->front());
    if (list->size() != longest) {
      lines.fail("scan.ppc, scan.refine and scan.beam_x must have equally many values, or one for all plasmas.");
    }
  }
}

/// A box must be wider than its guard cells for every plasma.
void check_boxes(const apps::LineReader& lines, const Deck& deck) {
  for (std::size_t i = 0; i < deck.plasmas(); ++i) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      if (deck.cells(i, axis) / deck.boxes(axis) >= deck_least_box) continue;
      lines.fail("boxes of plasma " + std::to_string(i + 1) + " would have fewer than " +
                 std::to_string(deck_least_box) + " cells in a direction: raise max_grid_size, n_cell or scan.refine.");
    }
  }
}

constexpr std::string_view standard =
    "# A dense relativistic electron beam crosses a plasma: a study of how many particles and cells it takes.\n"
    "n_cell = 192 144\n"
    "max_grid_size = 48         # 4 x 3 boxes\n"
    "cell_size = 0.2            # c / omega_p\n"
    "cfl = 0.95\n"
    "steps = 3\n"
    "sort_interval = 0          # never, as WarpX on processors\n"
    "plasma.ppc = 14\n"
    "plasma.u_th = 0.05         # m c\n"
    "beam.particles = 200000\n"
    "beam.density = 2           # of the background's\n"
    "beam.rms = 3               # c / omega_p\n"
    "beam.ux = 10               # m c\n"
    "beam.u_th = 0.1\n"
    "scan.ppc    = 1    2    0.5  0.5\n"
    "scan.refine = 1    1    1    1.25\n"
    "scan.beam_x = 0.25 0.4  0.55 0.8\n";

constexpr std::string_view small =
    "n_cell = 32 24\n"
    "max_grid_size = 8          # 4 x 3 boxes\n"
    "steps = 5\n"
    "sort_interval = 2\n"
    "plasma.ppc = 4\n"
    "beam.particles = 2000\n"
    "beam.rms = 0.6\n"
    "scan.ppc    = 1    2   0.5\n"
    "scan.refine = 1    1   1.5\n"
    "scan.beam_x = 0.25 0.5 0.95\n";

}  // namespace

Deck read_deck(std::istream& stream, const std::string& name) {
  apps::LineReader lines(stream, name);
  Deck deck;
  std::set<std::string> seen;
  while (lines.next()) {
    std::vector<std::string_view> words = lines.words();
    const auto comment = std::ranges::find_if(words, [](std::string_view word) { return word.front() == '#'; });
    words.erase(comment, words.end());
    if (!words.empty()) read_line(lines, words, seen, deck);
  }
  match_lists(lines, deck);
  check_boxes(lines, deck);
  return deck;
}

Deck read_deck_file(const std::string& path) {
  std::ifstream stream(path);
  if (!stream || std::filesystem::is_directory(path)) {
    throw apps::InputError(path + ": cannot be read. Give the path of an input deck (see --print-deck).");
  }
  return read_deck(stream, path);
}

// The decks that come with the program.

std::string_view built_in_deck(std::string_view name) {
  if (name == "standard") return standard;
  if (name == "small") return small;
  throw apps::InputError("--built-in: " + apps::quote(name) + " is no deck of this program: standard or small.");
}

Deck read_built_in_deck(std::string_view name) {
  std::istringstream stream{std::string(built_in_deck(name))};
  return read_deck(stream, std::string(name));
}

}  // namespace pic
