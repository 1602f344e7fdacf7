"""What agents remember of the obstacles they avoid, so that they do not dither before them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headway.errors import InputError


@dataclass(frozen=True, slots=True)
class AvoidMemory:
    """The side each agent has chosen to pass on, and for how long its way has been clear.

    Parameters
    ----------
    side : (N, 3) ndarray
        Unit vectors, world frame; zero where no side is chosen.
    clear : (N,) ndarray
        s.
    """

    side: NDArray[np.float64]
    clear: NDArray[np.float64]

    @classmethod
    def start(cls, count: int) -> AvoidMemory:
        """The memory of agents that have not met anything.

        Parameters
        ----------
        count : int
            How many agents.

        Examples
        --------
        >>> AvoidMemory.start(2).side.tolist()
        [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
        """
        return cls(np.zeros((count, 3)), np.zeros(count))

    def copied(self, count: int) -> AvoidMemory:
        """The same memory in arrays that may be written to.

        Parameters
        ----------
        count : int
            How many agents there must be.
        """
        if self.side.shape != (count, 3) or self.clear.shape != (count,):
            raise InputError(
                f"memory is of {len(self.clear)} agents, not {count}: begin with "
                f"AvoidMemory.start({count}), or None."
            )
        return AvoidMemory(self.side.copy(), self.clear.copy())
