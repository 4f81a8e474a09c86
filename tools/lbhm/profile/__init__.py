"""lbhm profile: times of basic blocks, and what objects were used for."""
