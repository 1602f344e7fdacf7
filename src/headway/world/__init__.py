"""What exists: states, routes, tracks, circuits and the files they come from."""
