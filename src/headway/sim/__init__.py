"""The clock: one step, scenarios and their rules, recording and replay."""
