"""The words of the command line: options that commands share, and what holds for all."""
