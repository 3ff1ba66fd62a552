"""The offline HTML report and its figures: what was generated, asked, and answered how well."""
