"""Data cleaning after answering: model consensus and vocabulary audit (Dysca, section 3.3)."""
