"""Forces of the moment: steering behaviours, groups and obstacle avoidance."""
