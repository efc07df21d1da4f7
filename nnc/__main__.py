"""``python -m nnc``: the nnc command."""

from nnc.cli.main import main

main()
