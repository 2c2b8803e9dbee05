"""Instructions as turns use them: found in the workspace, judged, and given."""
