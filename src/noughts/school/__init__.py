"""Work of the classroom: the check of a student's file."""
