"""Whether an isolated sentence is a requirement, by its language alone.

No context, no vocabulary of a domain, no learned weights. Where headings and lead-ins are known, `subjects` decides with them.
"""

from __future__ import annotations

import re

from bidproof.catalog.sentences import level

_M = re.compile(
    r"(?<![a-z])(?:shall|must|should|(?:is|are) required to|needs? to|(?:system|software|solution|platform|"
    r"application|product|module|user)s? (?:can|will|provides?|supports?|allows?|enables?|includes?|is able to))(?![a-z])"
)


def is_requirement(sentence: str) -> bool:
    """The sentence states a requirement."""
    return bool(_M.search(level(sentence)))
