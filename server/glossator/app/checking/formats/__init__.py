"""What a check found, as text for people and programs: values in, text out."""
