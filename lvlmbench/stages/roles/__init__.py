"""Models with roles: what examiners, validators and judges are asked, and how replies are read."""
