"""What the exam of judges must find, checked against planted truth."""
