"""The operating system here: /proc, /sys and calls, as tests can make them up; nodes of memory."""
