"""Skills: how to do things here, chosen by trigger. Pure."""
