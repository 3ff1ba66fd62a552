"""OCR engines: a file each."""
