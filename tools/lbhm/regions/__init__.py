"""lbhm regions and lbhm patterns: what the plugin marked in a program, and regions under many placements."""
