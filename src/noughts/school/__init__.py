"""Checks for the classroom: of students' files, and of answers in a notebook."""
