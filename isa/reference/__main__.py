"""``python -m nnc.isa.reference``: the page docs/isa.md."""

import sys

from nnc.isa.reference.pages import isa_reference

if __name__ == "__main__":
    sys.stdout.write(isa_reference())
