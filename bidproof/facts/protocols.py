"""Standards that go by a name instead of a body's number: protocols, ciphers, frameworks, laws, approvals.

Reads names with their version as edition, and whether a later one may do. Numbered standards (ISO, IEC, EN)
are read in `named`. A name counts by its form (letters with a version, a law with its year, a body that
certifies) wherever that is enough; short lists hold the names that carry no such mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bidproof.facts.terms import word_set
from bidproof.facts.view import View
from bidproof.records import Comparator, Fact

_VERSION = (
    r"(?:[ ]?(?:version|release|v\.?|ver\.?)[ ]?|[ ]|-|/)?"
    r"(?P<edition>[0-9]{1,2}(?:\.[0-9]{1,2}){1,2}|(?<=v)[0-9]{1,2})(?![0-9A-Za-z%])(?!\.[0-9])"
)
# Names that are standards wherever they stand, with or without a version.
_PROTOCOLS = (
    r"TLS|SSL|DTLS|SSH|SFTP|SAML|OAuth2?|OIDC|OpenID Connect|OpenID|SCIM|FIDO2?|WebAuthn|LDAPS?|Kerberos|"
    r"IPsec|SNMP|NETCONF|RESTCONF|YANG|OpenFlow|MQTT|AMQP|OPC[ -]UA|Modbus|BACnet|LoRaWAN|DOCSIS|"
    r"OpenAPI|WS-Security|HL7|FHIR|DICOM|WCAG|RGAA|BPMN|ONVIF|STIX|TAXII|PEPPOL|S/MIME|DMARC|DKIM|eIDAS|PSD2|"
    r"NIS ?2|GDPR|CCPA|RoHS|FedRAMP|TISAX|SecNumCloud|BREEAM|LEED|HQE|PEFC|FSC|EPEAT|Energy Star|Qualiopi|"
    r"Qualibat|Qualifelec|MASE|TOGAF|PRINCE2|ITIL|OCPP|RGPD"
)
_FORUMS = r"(?:TM[ ]?Forum|TMF)[ ](?:Open[ ]APIs?|Open[ ]Digital[ ]Architecture|Frameworx|SID|eTOM|TAM|ODA)"
_NAME = re.compile(
    rf"(?<![A-Za-z0-9-])(?:(?P<protocol>{_PROTOCOLS})(?:[ ](?:protocol|version)s?)?(?:{_VERSION})?"
    rf"|(?P<forum>{_FORUMS})(?:{_VERSION.replace('edition', 'forum_edition')})?"
    r"|(?P<cipher>(?:AES|RSA|SHA|HMAC-SHA|ECDSA|ECC)[ -]?(?:[0-9]-)?(?:128|192|224|256|384|512|1024|2048|3072|4096))(?:[ -]?bits?)?"
    r"|(?P<wifi>WPA[23])|(?P<release>3GPP)(?=[ ]Rel(?:ease)?[ -]?[0-9])"
    r"|(?P<gsma>GSMA)[ ](?:\u2026[ ])?(?P<doc>[A-Z]{2}\.[0-9]{2,3}))(?![A-Za-z0-9])"
)
_MORE = re.compile(
    r"(?:[ ]?/[ ]?|[ ]?,[ ]|[ ](?:and|or|et|ou|&)[ ])v?(?P<edition>[0-9]{1,2}(?:\.[0-9]{1,2}){1,2})(?![0-9A-Za-z%])(?!\.[0-9])"
)
_MORE_DOCS = re.compile(
    r"(?:[ ]?/[ ]?|[ ]?,[ ]|[ ](?:and|or|et|ou|&)[ ])(?P<doc>[A-Z]{2}\.[0-9]{2,3})(?![0-9A-Za-z])"
)
_LATER = re.compile(
    r"[ \n]?(?:\+(?![0-9])|,?[ \n](?:or|and|ou|et)[ \n](?:above|higher|later|newer|greater|better|more[ ]recent|superieure?s?|"
    r"ulterieure?s?|posterieure?s?|plus(?:[ ]recente?)?)(?![a-z])|[ \n](?:minimum|at[ ]least|au[ ]moins|au[ ]minimum)(?![a-z]))"
)
_AT_LEAST = re.compile(
    r"(?:at least|minimum(?: of)?|min\.|au moins|au minimum|a minima|>=|≥)[ \n]+(?:[a-z]+[ \n]+)?$"
)

_LAW_WORD = r"(?:Act|Regulations?|Rules|Ordinance|Code|Law)"
# The year is looked for first and the name read backwards from it: a pattern for the whole would try every start.
_LAW = re.compile(
    rf"(?<![A-Za-z]){_LAW_WORD}[ ,]{{1,2}}(?:No\.?[ ]?[0-9]{{1,4}}[ ]of[ ])?(?P<year>(?:19|20)[0-9]{{2}})(?![0-9])"
)
_LAW_NAME = re.compile(r"[A-Z][A-Za-z'-]*|\([A-Z][A-Za-z ]*\)")
_LAW_LINK = word_set("and of for on & the to")
_EU_ACT = re.compile(
    r"(?<![A-Za-z])(?:Regulation|Directive|Reglement)[ ](?:\((?:EU|UE|EC|CE)\)[ ]?(?:n[o°]\.?[ ]?)?(?P<new>(?:19|20)[0-9]{2}/[0-9]{2,4})"
    r"|(?:n[o°]\.?[ ]?)?(?P<old>(?:19|20)?[0-9]{2}/[0-9]{1,4})/(?:EU|UE|EC|CE))(?![0-9])",
    re.IGNORECASE,
)
_FRENCH_LAW = re.compile(
    r"(?<![A-Za-z])(?i:loi)[ ]n[o°]?\.?[ ]?(?P<number>[0-9]{1,4}-[0-9]{1,4}(?:-[0-9]{1,3})?)(?![0-9-])"
)
_LEADING = word_set(
    "the full all any applicable under comply compliance with per see of and for to in on by our your its latest current "
    "strict relevant indian said this that section clause article each such new"
)

# A body is a standard where its approval is asked for, whatever its name, or where it stands alone in a list.
_APPROVED = (
    r"complian(?:t|ce)|certified|certification|empanell?ed|empanell?ment|accredited|accreditation|approved|licen[cs]ed|"
    r"registered|notified|compatible|conformant|conformity"
)
_BODY_NAME = r"[A-Z][A-Za-z]*[A-Z][A-Za-z]*(?:-[A-Z][a-z]+)?"
# Words of approval are looked for first, the name beside them after: names are too many to start from.
_APPROVAL = re.compile(rf"(?<=[a-z0-9])[ -](?:{_APPROVED})(?![a-z])")
_NAME_BEFORE = re.compile(rf"(?<![A-Za-z0-9/.-])(?P<name>{_BODY_NAME})$")
_APPROVED_BY = re.compile(
    r"(?<![a-z])(?:(?:certified|approved|accredited|empanell?ed|licen[cs]ed) by (?:the )?"
    r"|(?:compliant|compliance|comply|complies|conform|conforms) (?:with|to) (?:the )?"
    r"|(?:certifiee?s?|agreee?s?|homologuee?s?|labellisee?s?|qualifiee?s?|accreditee?s?) (?:par (?:le |la |l'|les )?)?"
    r"|(?:conformes?|conformite) (?:a (?:la |l'|les )?|au |aux ))"
)
_NAME_BEHIND = re.compile(rf"(?P<name>{_BODY_NAME})(?![A-Za-z0-9-])")
_NO_BODY = word_set(
    "SLA SLAS KPI KPIS HSE RFP RFQ RFI ITT ITB IT HR QA QC TOR TORS SOW BOQ BOQS VAT GST TAX CV CVS PDF OEM OEMS ID IDS IP JV SPV "
    "CSR ESG EHS UAT FAT SAT PMO CEO CFO CTO CISO DPO PO NDA MOU MSA AMS MSP ISP API APIS UI UX PC VM OS DB ERP CRM BSS OSS OCS EPC "
    "CPS CCAP CCTP CCP RC DCE AE BPU DQE DPGF AO PV HT TTC SARL SAS SA PLC LTD LLC INC PMP LOT NA TBD FAQ GPS CCTV LED UPS HVAC "
    "NOT NON BID DC DR RTO RPO KYC AML MFA SSO SIEM HSM WAF DDoS SaaS PaaS IaaS IoT ISO IEC EN NF BS DIN IEEE PCI SOC NIST"
)
# Regulators and bodies that are named alone in a list of what has to be complied with.
_BODIES = re.compile(
    r"(?<![A-Za-z0-9-])(?P<name>TRAI|MeitY|STQC|CERT-In|RBI|SEBI|IRDAI|UIDAI|FCC|Ofcom|BNetzA|ARCEP|ANSSI|CNIL|ANRT|"
    r"DGSSI|ENISA|NCSC|FDA|EMA|HDS|C5|CSA STAR|CE|UKCA|UL|GSMA)(?=[ ]?(?:[,;|/)\n]|\.?$|\.[ ])|[ ](?:et|and|or|ou)[ ])"
)
_LISTED = re.compile(r"(?:^|[,;|/(:\n][ ]?|[ ](?:et|and|or|ou)[ ])$")


def find_protocols(view: View) -> list[Fact]:
    """Standards known by name, in no order, `edition` their version or year; overlaps are the caller's matter.

    `comparator` is `>=` where a later version may do ("TLS 1.2 or higher"). `TLS 1.2 and 1.3` are two.
    """
    facts: list[Fact] = []
    for match in _NAME.finditer(view.plain):
        facts += _named(view, match)
    for match in _LAW.finditer(view.plain):
        if law := _law(view, match):
            facts.append(law)
    for match in _EU_ACT.finditer(view.plain):
        facts.append(_fact(view, match.start(), match.end(), f"EU {match['new'] or match['old']}"))
    for match in _FRENCH_LAW.finditer(view.plain):
        facts.append(_fact(view, match.start(), match.end(), f"LOI {match['number']}"))
    for match in (*_approved(view), *_BODIES.finditer(view.plain)):
        if match.re is not _BODIES or _LISTED.search(view.plain[max(0, match.start() - 5) : match.start()]):
            facts.append(_fact(view, match.start("name"), match.end("name"), match["name"]))
    return facts


def _approved(view: View) -> Iterator[re.Match[str]]:
    """Bodies whose approval is named: "STQC-certified", "certified by STQC", "agréé par ANRT"."""
    for trigger in _APPROVAL.finditer(view.low):
        match = _NAME_BEFORE.search(view.plain, max(0, trigger.start() - 30), trigger.start())
        if match and _is_body(match["name"]):
            yield match
    for trigger in _APPROVED_BY.finditer(view.low):
        match = _NAME_BEHIND.match(view.plain, trigger.end())
        if match and _is_body(match["name"]):
            yield match


def _is_body(name: str) -> bool:
    return len(name) > 2 and name.upper() not in _NO_BODY and name not in _NO_BODY


def _named(view: View, match: re.Match[str]) -> list[Fact]:
    if match["gsma"]:
        found = [_fact(view, match.start(), match.end(), f"GSMA {match['doc']}")]
        while more := _MORE_DOCS.match(view.plain, found[-1].end):
            found.append(_fact(view, more.start("doc"), more.end(), f"GSMA {more['doc']}"))
        return found
    code = next(match[group] for group in ("protocol", "forum", "cipher", "wifi", "release") if match[group])
    edition = match["edition"] or match["forum_edition"] or ""
    code = _canonical(code)
    if code == "OAuth2":
        code, edition = "OAuth", edition or "2.0"
    comparator, end = later_at(view, match.start(), match.end()) if edition else ("", match.end())
    found = [_fact(view, match.start(), end, code, edition, comparator)]
    while edition and (more := _MORE.match(view.plain, found[-1].end)):
        comparator, end = later_at(view, more.start("edition"), more.end())
        found.append(_fact(view, more.start("edition"), end, code, more["edition"], comparator))
    return found


def later_at(view: View, start: int, end: int) -> tuple[Comparator, int]:
    """`>=` where the words around the edition that ends at `end` admit later ones, and where these words end."""
    if match := _LATER.match(view.low, end):
        return ">=", match.end()
    return (">=", end) if _AT_LEAST.search(view.low[max(0, start - 30) : start]) else ("", end)


_ALIASES = {"RGPD": "GDPR", "OpenID Connect": "OIDC", "NIS2": "NIS 2", "TMForum": "TM Forum"}


def _canonical(code: str) -> str:
    code = re.sub(r"^(?:TMF|TMForum|TM Forum)[ ]", "TM Forum ", code)
    code = (
        re.sub(r"^(AES|RSA|SHA|HMAC-SHA|ECDSA|ECC)[ -]?(?:[0-9]-)?", r"\1-", code)
        if code[-1].isdigit()
        else code
    )
    code = re.sub(r"APIs$", "API", code.replace("OPC UA", "OPC-UA"))
    return _ALIASES.get(code, code)


def _law(view: View, match: re.Match[str]) -> Fact | None:
    """A law with its year: the capitalised words that lead up to "Act" are its name."""
    before = list(re.finditer(r"[^ \n]+", view.plain[max(0, match.start() - 90) : match.start()]))
    if before and view.plain[match.start() - 1] != " ":
        return None
    offset = max(0, match.start() - 90)
    named: list[re.Match[str]] = []
    for word in reversed(before):
        capital = _LAW_NAME.fullmatch(word.group())
        if not capital and (word.group() not in _LAW_LINK or not named):
            break
        named.insert(0, word)
    while named and (named[0].group().lower() in _LEADING or not _LAW_NAME.fullmatch(named[0].group())):
        named = named[1:]
    if not named:
        return None
    start = offset + named[0].start()
    name = view.plain[start : match.end()].partition(match["year"])[0]
    return _fact(view, start, match.end(), re.sub(r"[ ,]+(?:No.*)?$", "", name), match["year"])


def _fact(
    view: View, start: int, end: int, code: str, edition: str = "", comparator: Comparator = ""
) -> Fact:
    return Fact(
        kind="standard", start=start, end=end, text=view.raw[start:end], code=code, edition=edition,
        comparator=comparator,
    )  # fmt: skip
