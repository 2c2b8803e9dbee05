"""What is wrong with a file of knowledge, skills or instructions, and how to repair it."""
