#!/usr/bin/env bash
# Generated from requirements.lock by 'make envs'. Do not edit.
set -o errexit
"${CONDA_PREFIX}/bin/python" -m pip install --no-deps torchattacks==3.5.1
