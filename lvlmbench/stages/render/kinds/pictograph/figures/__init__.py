"""Full-length people, drawn as SVG."""
