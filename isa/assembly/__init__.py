"""Programs as text: assembler and disassembler."""
