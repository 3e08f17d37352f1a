"""Sphinx's settings for the site."""

from sphinx.application import Sphinx

import puntobanco

project = "puntobanco"
version = release = puntobanco.__version__
copyright = "puntobanco, MIT licence"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline"]
suppress_warnings = ["myst.header", "myst.xref_missing", "misc.highlighting_failure"]
default_role = "code"
nitpicky = False
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True

html_theme = "furo"
html_title = "puntobanco"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["filter.js"]
exclude_patterns = ["_copied"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
templates_path = ["templates"]
html_additional_pages = {"search": "search.html"}


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", without_search)


def without_search(app: Sphinx) -> None:
    """Build no index of Sphinx: the site has a search of its own (docs/site/search.py)."""
    setattr(app.builder, "search", False)  # noqa: B010 (builders for HTML alone have it)
