"""Along the plan: progress, look-ahead, speed for what comes, and path trackers."""
