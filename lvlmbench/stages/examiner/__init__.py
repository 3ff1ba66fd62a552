"""The stage ``examiner``: models that are asked over requests write questions."""
