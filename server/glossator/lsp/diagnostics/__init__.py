"""Findings in the editor: when documents are checked, what is shown of it, and how it gets there.

`diagnosing` owns all of it. `queue` says when a document is checked, `judging` lets the model
judge what was saved, `shown` turns findings into diagnostics, `delivery` pushes them or lets them
be pulled, `outcomes` tells what came of each check.
"""

from glossator.lsp.diagnostics.diagnosing import Diagnostics
from glossator.lsp.diagnostics.shown import SOURCE, Published, Shown

__all__ = ["SOURCE", "Diagnostics", "Published", "Shown"]
