"""What to want: drivers, state machines, games and race craft."""
