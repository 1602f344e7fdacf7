"""What the body can do: vehicle models, contact and walls."""
