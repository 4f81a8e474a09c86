"""What is printed and written: streams, files at one stroke, tables."""
