"""Named things: standards with their edition, performance classes, and forms of the tender.

Reads identifiers only. Whether a certificate is in force or an edition is superseded is judged elsewhere.
"""

from __future__ import annotations

import re

from bidproof.facts.protocols import find_protocols, later_at
from bidproof.facts.terms import word_set
from bidproof.facts.view import View
from bidproof.records import Comparator, Fact

_NUMBER = r"[0-9]{2,6}(?:[.][0-9]{1,3})?(?:-(?!(?:19|20)[0-9]{2}(?![0-9]))[0-9]{1,3}(?![0-9]))*"
_EDITION = r"(?:[ ]?:[ ]?(?P<edition>(?:19|20)[0-9]{2})(?![0-9])|-(?P<hyphen>(?:19|20)[0-9]{2})(?![0-9]))?"
_BODY = (
    r"(?:(?:NF|BS|DIN|UNE|ONORM|CEI|NBN|KS|NM)[ ])?(?:EN[ ])?(?:(?i:ISO)(?:[ ]?/[ ]?(?:IEC|CEI|ASTM|TS|TR|"
    r"IEEE))*|(?:IEC|CEI)(?:[ ]?/[ ]?(?:TS|TR|IEEE))?|IEEE|EN)"
    r"|NF[ ](?:C|P|S|X|E)|BS|DIN|ANSI(?:[ ]C)?|ASTM[ ]?[A-G]?|ITU-T[ ][A-Z]\.?|ETSI(?:[ ](?:EN|TS|TR|ES))?|"
    r"3GPP(?:[ ](?:TS|TR))?|IS|UL|SANS|GB/T|OHSAS|"
    r"FIPS(?:[ ]PUB)?|NIST(?:[ ]SP)?|TIA(?:/EIA)?|OIML[ ][A-Z]|SA|AS/NZS|JIS[ ][A-Z]|MIL-STD|KEBS[ ]?KS|NM"
)
_STANDARD = re.compile(
    rf"(?<![A-Za-z0-9/-])(?P<body>{_BODY})(?:[ \n]|[ ]?-[ ]?)?(?P<number>{_NUMBER})(?![0-9A-Za-z]){_EDITION}"
)
_NAMED = re.compile(
    r"(?<![A-Za-z0-9])(?:(?P<soc>SOC)[ -]?(?P<level>[123])(?![0-9])|(?P<csf>NIST[ ](?:CSF|Cybersecurity[ "
    r"]Framework))(?:[ ]v?(?P<csf_edition>[0-9]\.[0-9]))?"
    r"|(?P<pci>PCI[ -]DSS)(?:[ ]v?(?P<pci_edition>[0-9]\.[0-9](?:\.[0-9])?))?|(?P<cmmi>CMMI)(?![A-Za-z])|"
    r"(?P<named>OWASP[ ](?:ASVS|MASVS)|COBIT|HIPAA|ISAE[ ][0-9]{4}|SSAE[ ]?[0-9]{2}))"
)
_CONTINUED = re.compile(
    rf"(?:[ ]?/[ ]?|[ \n]*(?:,|;|and|or|&|et|ou)[ \n]+(?:and[ \n]+|or[ \n]+|et[ \n]+|ou[ "
    rf"\n]+)?)(?P<number>[0-9]{{4,6}}(?:-[0-9]{{1,3}}(?![0-9]))*)(?![0-9A-Za-z%,"
    rf".-]*[A-Za-z0-9%]){_EDITION}"
)
_LATER = re.compile(
    rf"(?<![0-9A-Za-z/.,-])(?P<number>[0-9]{{4,6}}(?:-[0-9]{{1,3}}(?![0-9]))+)(?![0-9A-Za-z-]){_EDITION}"
)
# "certificate for 27001:2013": a number with an edition needs no body where everybody knows it.
_BODILESS = re.compile(
    r"(?<![0-9A-Za-z/.,-])(?P<number>9001|14001|27001|27017|27018|27701|45001|50001|22301|20000-1|37001|13485|17020|17025|22000)"
    r"[ ]?:[ ]?(?P<edition>(?:19|20)[0-9]{2})(?![0-9])"
)
_PART = re.compile(r"[ ]?/[ ]?-?(?P<part>[0-9]{1,3})(?![0-9A-Za-z])")
_SMALL_BODIES = frozenset({"IS", "BS", "SA", "AS", "UL", "EN", "NM", "DIN"})
_EDITION_AFTER = re.compile(
    r"[ \n]*\(?(?:edition|ed\.?|version|v\.?|rev\.?)[ ]?(?P<edition>(?:19|20)[0-9]{2})\)?|[ "
    r"]\((?P<bare>(?:19|20)[0-9]{2})\)"
)


def find_standards(view: View) -> list[Fact]:
    """Numbered and named standards in order: code and edition apart.

    A bare number after a standard goes on with its body: "IEC 62053-21 Class 1 and 62053-22 Class 0.5S" holds
    IEC 62053-22, "IEC 62053-21/22" as well.
    """
    facts: list[Fact] = []
    for match in _STANDARD.finditer(view.plain):
        body = _canonical_body(match["body"])
        if body in _SMALL_BODIES and len(re.sub(r"[^0-9].*", "", match["number"])) < 3:
            continue
        edition = match["edition"] or match["hyphen"] or ""
        first = _standard(view, match.start(), match.end(), f"{body} {match['number']}", edition)
        facts += [first, *_continuations(view, first, body, match["number"])]
    for match in _NAMED.finditer(view.plain):
        facts.append(_named(view, match))
    facts += [
        _standard(view, m.start(), m.end(), f"ISO {m['number']}", m["edition"])
        for m in _BODILESS.finditer(view.plain)
    ]
    return _disjoint([*facts, *find_protocols(view)])


def _canonical_body(text: str) -> str:
    body = re.sub(r"[ ]?/[ ]?", "/", " ".join(text.split())).replace("CEI", "IEC")
    body = re.sub(r"(?i)\biso\b", "ISO", body)
    return "FIPS" if body == "FIPS PUB" else body


def _standard(view: View, start: int, end: int, code: str, edition: str) -> Fact:
    if not edition and (match := _EDITION_AFTER.match(view.low, end)):
        edition, end = match["edition"] or match["bare"], match.end()
    comparator, end = later_at(view, start, end) if edition else ("", end)
    return Fact(
        kind="standard", start=start, end=end, text=view.raw[start:end], code=code, edition=edition,
        comparator=comparator,
    )  # fmt: skip


def _named(view: View, match: re.Match[str]) -> Fact:
    edition = ""
    if match["soc"]:
        code = f"SOC {match['level']}"
    elif match["csf"]:
        code, edition = "NIST CSF", match["csf_edition"] or ""
    elif match["pci"]:
        code, edition = "PCI DSS", match["pci_edition"] or ""
    else:
        code = match["cmmi"] or match["named"]
    return Fact(
        kind="standard",
        start=match.start(),
        end=match.end(),
        text=view.raw[match.start() : match.end()],
        code=code,
        edition=edition,
    )


def _continuations(view: View, first: Fact, body: str, number: str) -> list[Fact]:
    """Standards that share the body of `first`: parts behind a slash, numbers behind a comma, later parts."""
    found: list[Fact] = []
    base, position = number.split("-")[0], first.end
    while "-" in number and (match := _PART.match(view.plain, position)):
        found.append(_standard(view, match.start("part"), match.end(), f"{body} {base}-{match['part']}", ""))
        position = match.end()
    while True:
        behind_class = (
            _CLASS.match(view.plain, position + 1) if view.plain[position : position + 1] in " ," else None
        )
        match = _CONTINUED.match(view.plain, behind_class.end() if behind_class else position)
        if not match or _a_year(match["number"]):
            break
        found.append(_of_body(view, body, match, match.start("number")))
        position = found[-1].end
    sentence = _SENTENCE_END.search(view.plain, position, position + 120)
    limit = sentence.start() if sentence else min(len(view.plain), position + 120)
    later = _LATER.finditer(view.plain, position, limit)
    return found + [_of_body(view, body, match, match.start()) for match in later]


_SENTENCE_END = re.compile(r"[.;](?=[ \n])|\n[ ]*\n")


def _of_body(view: View, body: str, match: re.Match[str], start: int) -> Fact:
    edition = match["edition"] or match["hyphen"] or ""
    return _standard(view, start, match.end(), f"{body} {match['number']}", edition)


def _a_year(number: str) -> bool:
    return re.fullmatch(r"(?:19|20)[0-9]{2}", number) is not None


_CLASS_NAMES = {
    "class": "class", "classe": "class", "cl.": "class", "cl": "class", "level": "level",
    "niveau": "level", "type": "type", "tier": "tier",
    "grade": "grade", "category": "category", "categorie": "category", "cat.": "category",
    "severity": "severity",
    "release": "release", "rel": "release",
}  # fmt: skip
_ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7}
_CLASS = re.compile(
    r"(?<![A-Za-z0-9])(?P<name>(?i:class|classe|cl\.|level|niveau|type|tier|grade|category|categorie|cat\.|"
    r"severity|release|rel(?=[ -]?1?[0-9])))[ \n]?(?:index[ ])?-?"
    r"(?P<code>[0-9]+(?:[.,][0-9]+)?[ ]?(?:S(?![A-Za-z])|s(?![A-Za-z]))?|(?:VII|VI|IV|III|II|I|"
    r"V)(?![A-Za-z'])|[A-D](?![A-Za-z']))(?![0-9A-Za-z])(?P<plus>\+)?"
)
_INGRESS = re.compile(r"(?<![A-Za-z0-9])IP[ -]?(?P<code>[0-6][0-9](?:K|[A-D])?)(?![0-9A-Za-z.])")
_BETTER = re.compile(
    r"[ \n]*(?:,[ ]*)?(?:or|and|ou)[ \n]+(?:(?P<more>above|higher|more|plus|superieure?)|(?P<better>better|"
    r"finer|mieux|meilleure?))(?![a-z])"
)
_AT_LEAST = re.compile(
    r"(?:at least|minimum|min\.|au moins|not less than|no less than|not below|minimum of)[ \n]+(?:[a-z]+[ "
    r"\n]+)?$"
)


def find_classes(view: View) -> list[Fact]:
    """Classes, levels, types, tiers and IP degrees: `unit` names the scale, `code` the step as printed.

    "or better" means a smaller number for an accuracy class and a larger one for every other scale.
    """
    facts = [_class(view, match) for match in _CLASS.finditer(view.plain)]
    for match in _INGRESS.finditer(view.plain):
        end, comparator = _grade_comparator(view, match.start(), match.end(), "ip", plus=False)
        facts.append(Fact(
            kind="class", start=match.start(), end=end, text=view.raw[match.start() : end],
            value=float(match["code"][:2]),
            unit="ip", code=match["code"], comparator=comparator,
        ))  # fmt: skip
    return _disjoint(facts)


def _class(view: View, match: re.Match[str]) -> Fact:
    scale = _CLASS_NAMES[match["name"].lower()]
    code = match["code"].replace(" ", "").replace(",", ".").upper()
    value: float | None = float(_ROMAN[code]) if code in _ROMAN else None
    if value is None and code[0].isdigit():
        value = float(code.rstrip("S"))
    shown = match.start() + len(match.group().rstrip())
    end, comparator = _grade_comparator(view, match.start(), shown, scale, plus=match["plus"] is not None)
    return Fact(
        kind="class",
        start=match.start(),
        end=end,
        text=view.raw[match.start() : end],
        value=value,
        unit=scale,
        code=code,
        comparator=comparator,
    )


def _grade_comparator(view: View, start: int, end: int, scale: str, *, plus: bool) -> tuple[int, Comparator]:
    finer: Comparator = "<=" if scale in ("class", "severity") else ">="
    if match := _BETTER.match(view.low, end):
        return match.end(), finer if match["better"] else ">="
    if plus:
        return end, ">="
    if _AT_LEAST.search(view.low[max(0, start - 30) : start]):
        return end, finer
    return end, ""


def class_label(fact: Fact) -> str:
    """How a class stands in a predicate's terms: `class 0.5s`, `level 3`, `type ii`, `ip 54`."""
    return f"{fact.unit} {fact.code.lower()}"


_NO_FORM = word_set(
    "UTF AES SHA RJ CAT REL TS TR GPT WPA CVE EN IS BS-EN ISO IEC UL LTE USB HTTP TLS SSL RS PM AM IP OS "
    "UTC GMT JAN FEB MAR APR MAY "
    "JUN JUL AUG SEP OCT NOV DEC FY RFP RFQ LOT MIL VAL TIER QR CO PO SA GE DS NO PN FR USD EUR INR KES "
    "MAD COVID")  # fmt: skip
_NO_LETTERS = frozenset(
    {"NO", "PART", "OF", "PARTS", "ITEM", "LOT", "PAGE", "ANNEX", "IN", "TO", "AND", "THE", "CLAUSE"}
)
_FORM = re.compile(
    r"(?<![A-Za-z0-9-])(?P<word>(?i:forms?|formulaires?|imprimes?)[ \n]+(?:(?i:no\.?|n°)[ "
    r"]?)?)?(?P<letters>[A-Z]{1,6})(?P<link>[ ]?-[ \n]?|[ ]?)(?P<number>[0-9]{1,3}(?:\.[0-9]{1,"
    r"2})?[A-Z]?)(?![0-9A-Za-z%-])(?!\.[0-9])"
)
_NUMBERED = re.compile(
    r"(?<![A-Za-z0-9-])(?i:form|formulaire)[ ](?:(?i:no\.?|n°)[ ]?)?(?P<code>[0-9]{1,2}(?:\.[0-9]{1,2})?|"
    r"[A-Z](?![A-Za-z]))(?![0-9A-Za-z%])"
)


# "modèle 9", "the template in Annex 3": what is filled in is named by the number of its model or annex.
_MODEL = re.compile(
    r"(?<![A-Za-z0-9-])(?P<model>(?i:modele|cerfa|imprime|template))[ ](?:(?i:no\.?|"
    r"n[o°]\.?)[ ]?)?(?P<code>[0-9]{1,5}(?:[*.][0-9]{1,2})?|[A-Z](?![A-Za-z]))(?![0-9A-Za-z%])"
    r"|(?i:modele|template|model|specimen|canevas|format|pro[ -]?forma)(?:[ ](?i:presente|joint|fourni|"
    r"figurant|given|provided|attached|set out|shown|contained|donne|prevu))?e?"
    r"[ ](?:(?i:in|at|as|en|a l'|dans l'|de l'|of|per)[ ]?)(?P<annex>(?i:annexe?|appendix|schedule|"
    r"attachment|exhibit))[ ](?:(?i:no\.?|n[o°]\.?)[ ]?)?(?P<number>[0-9]{1,2}|"
    r"[A-Z](?:[-.]?[0-9]{1,2})?(?![A-Za-z])|[IVX]{1,4}(?![A-Za-z]))(?![0-9A-Za-z%])"
)


_MODEL_WORD = re.compile(r"modele|cerfa|imprime|template|specimen|canevas|format|pro ?-?forma|model ")


def find_forms(view: View) -> list[Fact]:
    """Forms named by code (`BS-1`, `Form PV-2`, `formulaire DC1`); the code keeps a plain hyphen."""
    facts: list[Fact] = []
    for match in _FORM.finditer(view.plain):
        bare = match["word"] is None
        letters, number = match["letters"], match["number"]
        if letters in _NO_LETTERS:
            continue
        follows = bool(facts) and _in_form_list(view.plain[facts[-1].end : match.start()])
        if (
            bare
            and (
                "-" not in match["link"]
                or not 2 <= len(letters) <= 3
                or len(number) > 2
                or letters in _NO_FORM
            )
            and not (follows and facts[-1].code.startswith(letters))
        ):
            continue
        link = "-" if "-" in match["link"] else ("" if not match["link"] else "-")
        facts.append(
            _form(
                view,
                match.start() if not bare else match.start("letters"),
                match.end(),
                f"{letters}{link}{number}",
            )
        )
    facts.extend(
        _form(view, match.start(), match.end(), f"FORM {match['code'].upper()}")
        for match in _NUMBERED.finditer(view.plain)
    )
    for match in _MODEL.finditer(view.plain) if _MODEL_WORD.search(view.low) else ():
        side = "model" if match["model"] else "annex"
        code = f"{match[side]} {match['code'] or match['number']}".upper()
        facts.append(_form(view, match.start(side), match.end(), code))
    return _disjoint(facts)


def _in_form_list(gap: str) -> bool:
    return re.fullmatch(r"[ \n]*(?:,|;|/|and|or|et|ou|&)?[ \n]*(?:and|et)?[ \n]*", gap) is not None


def _form(view: View, start: int, end: int, code: str) -> Fact:
    return Fact(kind="form", start=start, end=end, text=view.raw[start:end], code=code)


def _disjoint(facts: list[Fact]) -> list[Fact]:
    """Facts in order of start; of two that overlap the longer stays."""
    kept: list[Fact] = []
    for fact in sorted(facts, key=lambda f: (f.start, -f.end)):
        if not kept or fact.start >= kept[-1].end:
            kept.append(fact)
    return kept


_FAMILY_PREFIX = re.compile(r"^(?:NF|BS|DIN|UNE|ONORM|NBN|KS|NM)[ ](?=EN|ISO|IEC)")


def same_standard(code_a: str, code_b: str) -> bool:
    """Whether two codes name the same standard: national and European adoptions and joint bodies count.

    `ISO 27001` is `ISO/IEC 27001`, `NF EN ISO 9001` is `ISO 9001`, `EN 62053-21` is `IEC 62053-21`. A part
    is not its
    series: `IEC 62056` differs from `IEC 62056-5-3` (see `in_series`).
    """
    (bodies_a, number_a), (bodies_b, number_b) = _split(code_a), _split(code_b)
    if number_a != number_b:
        return False
    return bool(bodies_a & bodies_b) or (
        "EN" in bodies_a | bodies_b and bool((bodies_a | bodies_b) & {"IEC", "ISO"})
    )


def in_series(code: str, series: str) -> bool:
    """Whether `code` is `series` itself or one of its parts."""
    (_, number), (_, head) = _split(code), _split(series)
    if not number.startswith(head + "-"):
        return same_standard(code, series)
    body = code[: len(code) - len(number)]
    return same_standard(body + head, series)


def edition_before(edition: str, other: str) -> bool:
    """Whether `edition` is older than `other`; `1.10` follows `1.3`."""
    a, b = ([int(n) for n in re.findall(r"[0-9]+", e)] for e in (edition, other))
    return a < b if a and b else edition < other


def _split(code: str) -> tuple[frozenset[str], str]:
    code = _FAMILY_PREFIX.sub("", code)
    body, _, number = code.rpartition(" ")
    return frozenset(re.split(r"[ /]", body)), number


def attached_classes(facts: list[Fact], text: str) -> list[tuple[Fact, tuple[Fact, ...]]]:
    """Each standard of `facts` with the classes that belong to it.

    Both "IEC 62053-21 Class 1" and "Class 1 of IEC 62053-21" give class 1 to IEC 62053-21.
    A class belongs to the standard just before it in the same clause, or to the standard just behind it
    when only words such as "of" or "according to" stand between. `text` is the text that the facts are from.
    """
    standards = [f for f in facts if f.kind == "standard"]
    classes = [f for f in facts if f.kind == "class"]
    owned: dict[int, list[Fact]] = {s.start: [] for s in standards}
    for grade in classes:
        behind = next((s for s in standards if s.start >= grade.end), None)
        ahead = next((s for s in reversed(standards) if s.end <= grade.start), None)
        if behind and _LEADS.fullmatch(text[grade.end : behind.start]):
            owned[behind.start].append(grade)
        elif (
            ahead
            and len(text[ahead.end : grade.start]) <= 60
            and not _BREAKS.search(text[ahead.end : grade.start])
        ):
            owned[ahead.start].append(grade)
    return [(s, tuple(owned[s.start])) for s in standards]


_LEADS = re.compile(
    r"[\s,(]*(?:(?:of|to|as per|per|according to|in accordance with|under|in|de|selon|suivant|la norme|the|"
    r"standard)[\s]*)*",
    re.IGNORECASE,
)
_BREAKS = re.compile(r"[.;|\n](?:\s|$)")
