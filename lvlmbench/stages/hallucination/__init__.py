"""What free answers make up and what they leave out, as one table a suite."""
