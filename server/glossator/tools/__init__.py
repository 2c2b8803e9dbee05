"""What the agent may do in the workspace, each step guarded."""
