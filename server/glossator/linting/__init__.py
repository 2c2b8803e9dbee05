"""What is wrong with files of knowledge, skills and instructions: text in, findings out."""
