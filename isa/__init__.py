"""The contract between compiler and runtime: instructions, programs, chips and what things cost."""
