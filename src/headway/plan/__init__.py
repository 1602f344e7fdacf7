"""Where to go: lines through a track, and searches over grids and graphs."""
