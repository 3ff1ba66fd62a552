"""Tables and figures of a snapshot, each as PDF, SVG and CSV, drawn from the tables alone."""
