"""The stage ``planner``: a model thinks of aspects and describes pictures of them."""
