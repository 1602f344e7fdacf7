"""What a circuit file says, checked before anything is built from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from os import PathLike

import numpy as np

from headway.errors import FileError

FARTHEST = 1e7
CLOSEST = 1e-6
WIDEST = 1e3
JUMP = 1e3
GAP = 3.0
LONGEST_NAME = 200


@dataclass(frozen=True)
class Outline:
    """The content of a circuit file."""

    points: np.ndarray
    """(M, 2) or (M, 3) float64, m, world frame, in driving order."""
    widths: np.ndarray | None = None
    """(M, 2) float64, m, from the line to the left and the right edge; None if not given."""
    closed: bool | None = None
    """Whether the ends are joined; None if the file does not say."""
    smooth: bool = True
    name: str | None = None
    wall_distance: float = np.inf
    sectors: tuple[float, ...] | None = None
    """Where new sectors begin, as fractions of the length; None if the file does not say."""
    line_of: Callable[[int], int] | None = None
    """Gives the line of a point in the file; None where lines mean nothing."""

    def checked(self, path: str | PathLike[str], closed: bool | None = None) -> Outline:
        """Return the outline without a repeated closing point, and with ``closed`` decided.

        Parameters
        ----------
        path : str or path-like
            Names the file in errors.
        closed : bool, optional
            What the caller says; the file's own statement counts if this is None. Where neither
            says, the ends are joined if they are no farther apart than three times the largest
            spacing of the points; ends farther apart are an error, since a road joined by force
            and a truncated circuit are both worse than a question.

        Raises
        ------
        FileError
            If no track can be built from the points and widths.
        """
        if self.name is not None and not (
            self.name.isprintable() and len(self.name) <= LONGEST_NAME
        ):
            raise FileError(path, f"the name must be at most {LONGEST_NAME} printable characters")
        closed = self.closed if closed is None else closed
        self._check_numbers(path)
        outline = self if closed is False else self._without_closing_point()
        if closed is None:
            closed = outline._ends_meet(path)
        if len(outline.points) < (3 if closed else 2):
            needed = "a closed circuit needs at least three" if closed else "a road needs two"
            raise FileError(path, f"holds {_count(len(outline.points), 'point')}; {needed}")
        outline._check_spacing(path, closed)
        return replace(outline, closed=closed)

    def _without_closing_point(self) -> Outline:
        if len(self.points) < 3:
            return self
        gap = np.abs(self.points[0] - self.points[-1]).max()
        usual = np.median(np.linalg.norm(np.diff(self.points[:, :2], axis=0), axis=1))
        if gap > 1e-3 * usual:
            return self
        widths = None if self.widths is None else self.widths[:-1]
        return replace(self, points=self.points[:-1], widths=widths)

    def _check_numbers(self, path: str | PathLike[str]) -> None:
        far = (np.abs(self.points) > FARTHEST).any(axis=1)
        if far.any():
            problem = f"lies beyond {FARTHEST:.0e} m from the origin; check the number or its unit"
            raise self._fault(path, int(far.argmax()), problem)
        if self.widths is None:
            return
        bad = (self.widths <= 0) | (self.widths > WIDEST)
        if bad.any():
            row, side = (int(index) for index in np.argwhere(bad)[0])
            problem = f"has a {('left', 'right')[side]} width of {self.widths[row, side]:.6g} m"
            raise self._fault(path, row, f"{problem}; widths lie above 0 and up to {WIDEST:g} m")

    def _ends_meet(self, path: str | PathLike[str]) -> bool:
        steps = np.linalg.norm(np.diff(self.points, axis=0), axis=1)
        gap = np.linalg.norm(self.points[0] - self.points[-1])
        if len(steps) == 0 or gap <= GAP * steps.max():
            return True
        problem = f"ends {gap:.4g} m from its start though its points lie {steps.max():.4g} m apart"
        remedy = "say closed=False for an open road or closed=True to join the ends"
        note = "" if self.line_of is None else ", or add a line '# closed: no' (or yes) at the top"
        raise FileError(path, f"{problem}; {remedy}{note}")

    def _check_spacing(self, path: str | PathLike[str], closed: bool) -> None:
        ring = np.concatenate([self.points, self.points[:1]]) if closed else self.points
        steps = np.linalg.norm(np.diff(ring[:, :2], axis=0), axis=1)
        if (steps <= CLOSEST).any():
            here = int((steps <= CLOSEST).argmax())
            other = self._place((here + 1) % len(self.points))
            problem = f"lies at the same place as {other}; remove one of the two"
            raise self._fault(path, here, problem)
        long = steps > JUMP * np.median(steps)
        if long.any():
            here = int(long.argmax())
            other = self._place((here + 1) % len(self.points))
            problem = (
                f"lies {steps[here]:.4g} m from {other}, over {JUMP:,.0f} times the usual step"
            )
            raise self._fault(path, here, f"{problem}; check the two")

    def _place(self, row: int) -> str:
        line = "" if self.line_of is None else f" (line {self.line_of(row)})"
        return f"point {row + 1}{line}"

    def _fault(self, path: str | PathLike[str], row: int, problem: str) -> FileError:
        line = None if self.line_of is None else self.line_of(row)
        return FileError(path, f"point {row + 1} {problem}", line)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
