# The manual, in mdoc. The list of pages is in models/local.mk.

dist_man_MANS = $(man_pages)
