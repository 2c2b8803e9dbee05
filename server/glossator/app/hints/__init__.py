"""What a file of knowledge, a skill or instructions says about itself where one points at it."""
