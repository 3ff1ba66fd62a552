"""The sample browser: scenes with their pictures in every scenario, questions and answers."""

from lvlmbench.stages.report.browser.build import build
from lvlmbench.stages.report.browser.data import About, Browser
from lvlmbench.stages.report.browser.pages import page_name, pages

__all__ = ["About", "Browser", "build", "page_name", "pages"]
