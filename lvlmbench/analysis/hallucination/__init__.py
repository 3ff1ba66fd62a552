"""What free answers make up and what they leave out: each measure of docs/valor.md."""
