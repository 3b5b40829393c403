"""The type variables of the contract: the types that differ from game to game.

A generic type without type arguments, as the service writes it, stands for that of any game.
"""

from typing import Any, TypeAlias

from typing_extensions import TypeVar

from pokersvc.core.common_events import Started

StartT = TypeVar("StartT", bound=Started, default=Any)
"""The event that starts a game, the first of its log."""
ViewT = TypeVar("ViewT", default=Any)
"""What a viewer may know of a game: an immutable dataclass."""
LegalT = TypeVar("LegalT", default=Any)
"""The legal choices of a seat: the game's ``LegalActions``."""
AnyView: TypeAlias = Any
"""A view of some game: its class belongs to the game, and the caller knows which game it is."""
ViewT_contra = TypeVar("ViewT_contra", contravariant=True, default=Any)
LegalT_contra = TypeVar("LegalT_contra", contravariant=True, default=Any)
