"""Tables of rules by class: what is done for each kind of instruction or layer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

KeyT = TypeVar("KeyT")
RuleT = TypeVar("RuleT")


class RuleTable(dict[type[KeyT], RuleT]):
    """The rule of each class; filled by the decorator `rule`."""

    def rule(self, *classes: type[KeyT]) -> Callable[[RuleT], RuleT]:
        """Decorator: enter a function for classes."""

        def register(function: RuleT) -> RuleT:
            for cls in classes:
                self[cls] = function
            return function

        return register
