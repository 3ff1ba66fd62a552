"""How answers of a dialogue compare with references, as one table a suite."""
