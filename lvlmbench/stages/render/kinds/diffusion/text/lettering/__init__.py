"""Words painted onto a surface in a finished picture: where, in which ink, in what light."""
