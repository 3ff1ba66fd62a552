"""The filters, a module each."""
