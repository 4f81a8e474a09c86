// libFuzzer target: whatever is in the file, the reader returns a deck that makes boxes, or an InputError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "apps/common/mini_app.h"
#include "apps/pic/deck.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream stream(std::string(reinterpret_cast<const char*>(data), size));
  try {
    const pic::Deck deck = pic::read_deck(stream, "fuzz.deck");
    if (deck.scan_refine.size() != deck.plasmas() || deck.scan_beam_x.size() != deck.plasmas()) std::abort();
    for (std::size_t i = 0; i < deck.plasmas(); ++i) {
      for (const std::size_t axis : {0, 1}) {
        if (deck.cells(i, axis) / deck.boxes(axis) < pic::deck_least_box) std::abort();
      }
    }
  } catch (const apps::InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to most inputs
  }
  return 0;
}
