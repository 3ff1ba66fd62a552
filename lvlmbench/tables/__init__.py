"""The tables that the stages exchange: schemas, rules, files."""
