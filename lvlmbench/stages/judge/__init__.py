"""The stage ``judge``: what free answers say, and what of it is true."""
