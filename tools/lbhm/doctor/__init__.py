"""lbhm doctor: what works here."""
