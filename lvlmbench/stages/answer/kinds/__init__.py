"""The engines that answer, a module each."""
