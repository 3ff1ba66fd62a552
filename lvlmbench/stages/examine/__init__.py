"""The stage ``examine``: how good the judges are, on answers whose truth was planted."""
