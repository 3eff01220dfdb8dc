"""Work of the classroom: the check of a student's file, and of answers in a notebook."""
