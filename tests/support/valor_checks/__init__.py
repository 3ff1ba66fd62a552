"""What the measures of the suite valor must find, checked against planted truth."""
