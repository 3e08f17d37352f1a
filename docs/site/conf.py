"""Sphinx's settings for the site."""

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
html_show_search_summary = False  # a browser cannot fetch other pages from file://
