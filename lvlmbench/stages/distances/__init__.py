"""Measure how far the snapshot's images are from other sets of images."""
