"""From what sensors see to what the world holds: depth frames, meshes, scans, occupancy."""
