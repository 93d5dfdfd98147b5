"""Sentences in the indicative that ask nothing of a bidder wherever they stand.

What the buyer's people and others do, how bids are scored, what becomes of the contract, what a word means. Who is named as a
bidder before the verb, or does something for one, is left to `indicative`.
"""

from __future__ import annotations

import re

from bidproof.catalog.mining.clause_parties import Verdict

_OFFICE = (
    r"(?:(?!(?:an?|each|every|one|two|three|their|its|his|her|our|contract|project|account|service|site|team|delivery|bid|support|operations|fleet|shift|quality|named|dedicated|supplier's|"
    r"contractor's)(?![a-z]))[a-z'-]+ ){0,3}?"
    r"(?:managers?|officers?|directors?|directorates?|heads?(?: of [a-z]+)?|librarians?|curators?|registrars?|inspectors?|inspectorate|commission"
    r"(?:ers?)?|secretar(?:y|iat)|boards?|panels?|departments?(?: heads)?|branch(?:es)?(?: managers)?|trusts?|trustees|school|college|hospital|"
    r"museum|library|consortium|association|regulator|landlord|principal|headteachers?|pharmacists?|surveyors?|residents|passengers|pupils|"
    r"patients|tenants|visitors|users|members|steering (?:group|committee))"
)
_BUREAU = (
    r"(?:directeurs?|directrices?|directions?|regisseurs?|conservateurs?|pharmaciens?|delegues?|delegants?|autorite delegante|proviseurs?|"
    r"principal|maires?|adjoints?|intendants?|economes?|inspecteurs?|prefets?|prefecture|musees?|hopita(?:l|ux)|laboratoires?|lycees?|colleges?|"
    r"ecoles?|etablissements?|amenageurs?|bailleurs?|syndicats?|office|conseil|region|"
    r"services? (?:(?!de |des |du |d'|assur)[a-z]+(?: de [a-z']+)?|(?:de la|des|du) [a-z]+)|"
    r"regies?|usagers?|habitants?|riverains?|eleves?|parents?|patients?|locataires?|residents?|visiteurs?|chambre|federation|fondation)"
)
_OVERSEES = (
    r"(?:audits?|verif(?:y|ies)|checks?|approves?|inspects?|oversees?|supervises?|reviews?|decides?|assigns?|pays?|reimburses?|"
    r"provides?|suppl(?:y|ies)|makes? available|grants?|evaluates?|scores?|samples?|tells?|initiates?|retains?|keeps? the right|"
    r"takes? part|attends?|carr(?:y|ies) out|signs? off|chooses?|selects?|names?|lends?|opens?|reads?|reports?|receives?|gets?)"
)
_SURVEILLE = (
    r"(?:verifi|control|approuv|valid|decid|design|pay|regl|vers|rembours|accord|fourni|me(?:t|ttent) a (?:la )?disposition|met a|mett|assur|"
    r"pren(?:d|nent) (?:a sa charge|en charge|a leur charge)|evalu|not|choisi|attribu|signal|recoi|effectu|examin|transme|communiqu|conserv|"
    r"gere|veill|garanti|delivr|dispos|convoqu|organis|remet)[a-z]*"
)
_OTHERS_ACT = re.compile(
    rf"^\W*(?:the |any |all |[a-z]+'s )?{_OFFICE} (?:also |then |only |[a-z]+ly )?{_OVERSEES}(?![a-z])|"
    rf"^\W*(?:le |la |les |l'|un |une |tout |chaque ){_BUREAU}(?: (?:du|de la|des|de l')[a-z' ]{{3,30}}?)? (?:ne |en |y |se |s'|lui |leur )?"
    rf"{_SURVEILLE}(?![a-z])"
)
"""Somebody of the buyer's, or who uses what is bought, looks after something, gives or gets it."""
_OF_THE_BIDDER = re.compile(
    r"(?:du|de la|des|de l') ?(?:titulaire|prestataire|candidat|soumissionnaire|entreprise|exploitant|fournisseur|groupement)|"
    r"of the (?:contractor|supplier|bidder|tenderer|vendor|provider)|(?:contractor|supplier|bidder|tenderer|vendor|provider|company)(?:'s|s')"
)
_BY_THE_BIDDER = re.compile(
    r"(?<![a-z])(?:by|par|of|from) (?:the |le |la |l')?(?:contractor|supplier|bidder|tenderer|vendor|provider|titulaire|prestataire|candidat|"
    r"soumissionnaire|entreprise|exploitant|fournisseur|groupement)(?![a-z])"
)
"""The bidder does what the others use."""
_SCORED = re.compile(
    r"^\W*(?:the |la |le |les |a |each |chaque |une? )?(?:total |final |technical |financial |price |maximum )?(?:points?|scores?|marks?|notes?|"
    r"weightings?|ponderations?|rankings?|classement)"
    r"(?: (?:for|of|on|de|du|des|technique|financiere|attribuee?s?|globale|finale)[^.;:]{0,60}?)? (?:is|are|will be|est|sont|ser(?:a|ont)) "
    r"(?:[a-z]+ly )?(?:calculated|computed|awarded|given|obtained|equal|based|weighted|allotted|added|rounded|the|calculee?s?|egale?s?|obtenue?s?|"
    r"attribuee?s?|etablie?s?|ponderee?s?|arrondie?s?|la somme)|"
    r"(?<![a-z])(?:counts?|compte(?:nt|ra|ront)?|weighs?|entre(?:nt|ra)?|intervien(?:t|nent|dra)) (?:for|pour) \d[\d.,]* ?%|"
    r"(?<![a-z])(?:carr(?:y|ies)|is weighted|are weighted|est ponderee?|sont ponderees?) (?:at |a |a hauteur de )?\d[\d.,]* ?%|"
    r"^\W*(?:the |le |l'|la )?(?:choix|attribution|selection|choice|award|opening|ouverture)(?: (?:of|des?|du|de la) [^.;]{3,40}?)? (?:se fait|"
    r"a lieu|takes? place|is made|is based)(?! (?:par|by) (?:the |le )?(?:contractor|supplier|titulaire|prestataire))|"
    r"^\W*(?:the |les? |la )?(?:unsuccessful|shortlisted|short-listed|highest[- ]ranked|best[- ]ranked)(?![a-z])|"
    r"^\W*(?:les |l'|le )?(?:candidats?|soumissionnaires?|concurrents?|offres?|candidatures?) (?:non[- ]retenue?s?|evincee?s?|retenue?s? a l'issue|"
    r"preselectionnee?s?|la mieux classee|les mieux classees)|(?:economically|economiquement)[^.;]{0,20}(?:advantageous|avantageuse)"
)
"""How bids are weighed, and what becomes of bidders after it."""
_OF_THE_CONTRACT = re.compile(
    r"(?<![a-z])(?:il est mis fin|risk (?:in [^.;]{3,40} )?passes|late [a-z]+ costs|"
    r"(?:title|ownership) (?:to|in|of) [^.;]{3,60}? (?:passes|stays|remains|vests|transfers)|"
    r"prend(?:ra)? (?:effet|fin)|entre(?:ra)? en vigueur|(?:comes?|enters?) into (?:force|effect)|takes? effect|"
    r"(?:is|are|shall be) governed by|est regi(?:e|s)? par|"
    r"(?:est|sont|ser(?:a|ont)) (?:revisee?s?|indexee?s?|actualisee?s?|ajustee?s?|plafonnee?s?)(?! par le titulaire)|"
    r"(?:is|are) (?:indexed|adjusted|capped|withheld|deducted|taken off)|(?:apply|applies|accrues?) for (?:each|every) (?:day|week|hour)|"
    r"(?:costs?|earns?) the (?:contractor|supplier|vendor|seller|bidder|provider)|"
    r"(?:titulaire|fournisseur|prestataire|entrepreneur|contractor|supplier|vendor|seller)s? (?:en defaut|defaillante?s?|in default)|"
    r"(?:credits?|deductions?|penalt(?:y|ies)|penalites?|retenues?) of \d|(?:is|are) (?:paid|reimbursed) (?:an?|the|for|at|within)|"
    r"donne(?:nt|ra|ront)? (?:lieu|droit) a (?:une? )?(?:penalite|retenue|refaction|avance|acompte))(?![a-z])"
)
_CONTRACTUAL = re.compile(
    r"(?<![a-z])(?:risk|late|title|ownership|contrats?|marches?|accord-cadre|agreements?|contracts?|prix|prices?|rates?|tarifs?|redevances?|penalites?|penalt\w+|montants?|"
    r"retards?|delays?|retentions?|fees?|remuneration|credits?|deductions?|default|defaut|defaillant\w*|formule|index|indice|laws?|lois?)(?![a-z])"
)
_NOTHING = re.compile(
    r"^\W*(?:on entend par|par [«\"]|au sens d[eu])|(?:is|are|shall) (?:in no way |not )(?:be )?(?:bound|obliged|obligated|required|committed) to "
    r"(?:accept|award|select|purchase|order|buy)|"
    r"(?<![a-z])(?:falls?|lies?|remains?|stays?|are|is) outside (?:the |this )?(?:scope|contract|remit)|(?:sont|est|reste(?:nt)?) hors (?:du )?"
    r"(?:marche|perimetre|contrat|lot)|ne releve(?:nt)? pas d(?:u|e)|"
    r"(?<![a-z])(?:is|are) (?:usual|common|typical|frequent|not unusual)\W*$|(?:est|sont) (?:usuel|courant|frequent|habituel)[a-z]*\W*$|"
    r"^\W*(?:l'arrete|le decret|la loi|le code|la directive|the (?:act|law|regulations?|directive|order))(?: [a-z'-]+){0,4} (?:fixe|prevoi|"
    r"defini|impos|sets?|defines?|provides?|lays? down)"
)


def told_by_others(body: str) -> Verdict | None:
    """Whose the levelled sentence without its opening is, by such words; None where none of them tells."""
    if _NOTHING.search(body):
        return Verdict("none", "nothing is asked of a bidder")
    if found := _SCORED.search(body):
        return Verdict("buyer", found.group().strip())
    if (found := _OF_THE_CONTRACT.search(body)) and _CONTRACTUAL.search(body):
        return Verdict("contract", found.group().strip())
    found = _OTHERS_ACT.match(body)
    if found and not _OF_THE_BIDDER.search(body[: found.end()]) and not _BY_THE_BIDDER.search(body):
        return Verdict("buyer", "somebody else acts")
    return None
