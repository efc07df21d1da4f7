"""``python -m nnc``: the nnc command."""

from nnc.cli.main import main

if __name__ == "__main__":  # processes that a sweep starts look at it, too
    main()
