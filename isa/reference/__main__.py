"""``python -m nnc.isa.reference``: the pages of docs/isa.md and docs/errors.md."""

import sys

from nnc.isa.reference.pages import main

if __name__ == "__main__":
    main(sys.argv[1:])
