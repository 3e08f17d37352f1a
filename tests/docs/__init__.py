"""The documentation: the site, and what its pages tell people to type."""
