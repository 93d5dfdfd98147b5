"""What service clauses ask in the indicative: "The Contractor provides a staffed desk", "Un cahier est tenu sur chaque site".

Technical clauses and statements of work oblige in the plain present and future, by any verb. Knows under which headings
they stand, and how a sentence that describes what is there ("Le parc compte 280 postes") differs. Whose duty the other
sentences state is decided in `subjects`.
"""

from __future__ import annotations

import re

from bidproof.catalog.mining.clause_parties import Context, agent_of, first_party
from bidproof.catalog.mining.duty_words import JUDGING, OUT
from bidproof.catalog.mining.parties import PARTY, Party

_ADMINISTRATIVE = re.compile(
    r"paiement|payment|prix(?! et)|penalit|penalt|resiliation|terminat|litiges?|dispute|reglement|facturation|invoic|clauses administratives|"
    r"pieces contractuelles|contractual|commercial terms|conditions of contract|type de marche|forme du marche|duree|remedies|"
    r"sous-traitance|derogation|objet|evaluation|existing|l'existant|current"
)
_TRADE = re.compile(
    r" > (?:[^>]*(?:specifications?|requirements|statement of work|exigences|prescriptions|caracteristiques|description des prestations)[^>]*) > "
)
"""A heading around that says that duties follow: "Payments" below it is a trade, no settlement."""
_SETTLING = re.compile(
    r"penalit|penalt|resiliation|terminat|litiges?|dispute|invoic|facturation|conditions|terms|clauses|evaluation|existing|l'existant|current|objet"
)


def settles(headings: str, innermost: str) -> bool:
    """The section tells how the contract is settled, administered or evaluated, or what there is today."""
    if JUDGING.search(innermost) or OUT.search(innermost):
        return True
    return bool((_SETTLING if _TRADE.search(f" > {headings}") else _ADMINISTRATIVE).search(innermost))


_ASIDE = r"(?: (?:du (?:present )?(?:marche|lot|contrat)|de l'accord-cadre|retenue?s?|attributaires?|en poste))?(?:, [^,]{1,90},)?"
_CLITICS = r"(?:ne |n'|se |s'|en |y |le |la |les |l'|lui |leur |lui-meme )*"
_ACTORS = (
    r"(?:titulaires?|prestataires?|attributaires?|fournisseurs?|entrepreneurs?|candidats?|soumissionnaires?|entreprises?|groupements?|"
    r"mandataires?|agents?|personnels?|equipes?|intervenants?|ils?|elles?|chefs? (?:d'equipe|de (?:projet|chantier))|conducteurs?|gardiens?|"
    r"referents?|encadrants?|interlocuteurs?|[a-z]{3,}(?:iciens?|iciennes?|ateurs?|atrices?)(?: [a-z]+e?s? d'etat)?)"
)
# A present or future form by its ending; no participle, no auxiliary, no little word.
_FRENCH_ACT = re.compile(
    rf"(?<![a-z]){_ACTORS}{_ASIDE} {_CLITICS}(?P<verb>(?!(?:est|sont|a|ont|et|dont|peut|peuvent|doit|etait|percoi(?:t|"
    rf"vent)|recoi(?:t|vent)|avait|fait partie|soit|"
    r"sera|seront|aura|auront|pourra|pourront|devra|devront|repond(?:ant|u)|comme|contre|entre|outre|avec|ainsi que|de|ce|le|une|cette|"
    r"titulaire|affectes?|techniques?|reste(?:nt)? seul|compte|emploie|exploite(?:nt)? (?:un|le|la) (?:reseau|parc)|prestataire|"
    r"administratives?|comptables?|municipaux|represente|dispose(?:nt)? d)(?![a-z]))"
    r"[a-z]{2,}(?:e|es?nt|[ai]t|[eu]t|ert|nd|nt|ra|ront)(?<!ant)(?<!ment)) (?!qui |dont )",
)
_BIDDERS = (
    r"(?:titulaires?|prestataires?|attributaires?|fournisseurs?|entrepreneurs?|"
    r"candidats?|soumissionnaires?|concurrents?|contractors?|suppliers?|vendors?|(?:service )?providers?|consultants?|bidders?|tenderers?|"
    r"offerors?|"
    r"respondents?|operators?|sellers?|lessors?|carriers?|transporteurs?|exploitants?|operateurs?|concessionnaires?|delegataires?|loueurs?|"
    r"editeurs?|vendeurs?)"
)
_OBLIGED_ACT = re.compile(
    rf"(?:^|[,;:] |^(?:at|on|in|within|upon|during|before|after|for|from|until|throughout|prior|every|each)(?![a-z])[^,;.]{{3,70}}"
    rf"(?<! of)(?<! by)(?<! to)(?<! with)(?<! from)(?<! for) )\W*(?:le |la |les |l'|the |each |every |chaque |"
    rf"tout )?{_BIDDERS}{_ASIDE} {_CLITICS}(?:also |then |only |[a-z]+ly )?"
    r"(?P<verb>(?:is|are|remains?) (?:solely |fully )?(?:responsible|accountable) for|"
    r"(?!(?:est|sont|a|ont|et|dont|peut|peuvent|is|are|was|were|has|have|had|does|reserves?|"
    r"sera|seront|aura|auront|pourra|pourront|doit|doivent|devra|devront|comme|entre|ainsi|reste|demeure|dispose|whose|"
    r"recoit|recoivent|percoit|here|receives|accepts|acknowledges|understands|as|its|this)(?![a-z]))"
    r"(?:[a-z]{2,}(?:e|[ai]t|[eu]t|ert|nd|nt|ra|ront)(?<!ant)(?<!ment)|[a-z]{3,}s)) (?!qui |dont |who |which )"
)
"""The bidder by its name, as the subject, with any verb of doing."""
_DESCRIBED = (
    r"compose|constitue|situe|relie|installe|reparti|implante|ouvert|dote|desserv|occupe|migre|divise|classe|appele|decrit|defini|"
    r"precise|prevu|indique|annexe|joint[es]* en annexe|joint[es]* au (?:dce|dossier de consultation|present)|repute|rappele|entendu|conclu|"
    r"passe|lance|regi|destine|interesse|concerne|autorise|admis|facture|"
    r"paye|regle|verse|applique|revise|notifie|egal|susceptible|fonde|propriete|equipe d|heberge par|gere par|exploite par|"
    r"considere|sanctionne|resilie|reconduit|traite a prix|execute aux frais|estime|alloti|celui|celle|enumer|abord|"
    r"negoci|possible|necessaire|important|admis|applicable|fait application|faite? |le |la |l'|un |une |a |au |en |de "
)
_FRENCH_DONE = re.compile(
    rf"(?<![a-z'])(?:est|sont|ser(?:a|ont)) (?:ni |[a-z]+ment |alors |egalement |aussi |toujours )?(?!(?:{_DESCRIBED}))"
    r"[a-z']*(?:e|ee|es|ees|i|is|ie|ies|ise|ises|it|its|ite|ites|u|us|ue|ues|ert|erte|erts|ertes|int|ints|inte|intes)(?![a-z'])"
)
FUTURE = re.compile(
    r"(?<![a-z'])(?!(?:ser|aur|pourr|devr|faudr|interviendr|appartiendr|deviendr|rester)(?:a|ont))[a-z]{3,}(?:er|ir|ur|dr|tr|vr)(?:a|ont)(?![a-z])"
)
_FRENCH_STATE = re.compile(
    r"(?<![a-z])(?:repond(?:ent)? aux? |benefici(?:e|ent) d|n'exced(?:e|ent)|ne depass(?:e|ent)|ne (?:descend|tombe|compren)\w*|"
    r"s'effectu(?:e|ent)|s'entend(?:ent)?|se (?:fait|font|deroule(?:nt)?)|inclu(?:t|ent)|respect(?:e|ent) |satisf(?:ait|ont)|garanti(?:t|ssent)|"
    r"port(?:e|ent) (?!sur)|fait l'objet d|font l'objet d|sont conformes|est conforme|permet(?:tent)? d|"
    r"(?:est|sont) (?:presente?s? (?:sur|du|de|dans|au)|disponibles? (?:du|de|sous|24|au)|joignables?|ouverte?s? (?:du|de)|de type|de classe|"
    r"inferieure?s? a|superieure?s? a|d'une? (?:epaisseur|largeur|puissance|hauteur))|"
    r"aucune? (?:[a-z'-]+ ){1,5}n(?:e |')(?!est |a )[a-z]+|"
    r"n(?:e |')(?!est|sont|a|ont|fait|compt|comport|dispos|possed|constitu|conce)[a-z]+(?:e|ent|t) (?:pas|aucun|jamais|ni)(?![a-z]))"
)
_WORKERS = (
    r"(?:contractor|supplier|vendor|provider|consultant|bidder|tenderer|offeror|service desk|help ?desk|team|staff|personnel|"
    r"technicians?|analysts?|agents?|solution|system|platform|(?:volume|part|envelope|tab) (?:[ivx]+|[0-9]|[a-d])|it)"
)
_ENGLISH_ACT = re.compile(
    rf"(?<![a-z]){_WORKERS} (?:also |then |only |[a-z]+ly )?"
    r"(?:is|are|remains?) (?:solely |fully )?(?:responsible|accountable|liable) for|"
    rf"(?<![a-z]){_WORKERS} (?:also |then |only |[a-z]+ly )?"
    r"(?!(?:is|was|has|does|services?|members?|as|its|this|manages|uses|runs|operates|consists|includes|serves|"
    r"employs|details|references|responses|submissions|proposals|costs?|hours|requirements|documents|users|names)(?![a-z]))[a-z]{3,}s(?![a-z])"
)
_TOLD = (
    r"located|situated|composed|based|called|named|estimated|expected|intended|designed|used|considered|deemed|attached|described|listed|defined|"
    r"specified|mentioned|indicated|published|invited|required|allowed|permitted|entitled|owned|operated|divided|planned|concerned|affected|"
    r"interested|advised|reminded|awarded|invoiced|charged|concluded|governed|moderated|weighted|scored|ranked|evaluated|outsourced|shared|"
    r"connected|limited|related|involved|included|excluded|summari[sz]ed|detailed|presented|explained|needed|supposed|distributed|financed|funded"
)
_ENGLISH_DONE = re.compile(
    r"(?<![a-z])(?:is|are) (?:also |then |only |always |never |[a-z]+ly )?"
    rf"(?:(?!(?:{_TOLD})(?![a-z]))[a-z]{{3,}}ed|delivered|provided|performed|carried out|sent|held|made(?! good with)|put|built|run|laid|"
    r"drawn(?! to)|cut|swept|dug|bound|met|borne|written|taken|driven|sold|bought|fed|hung|lit|sewn|"
    r"kept|logged|recorded|reviewed|replaced|returned|"
    rf"encrypted|retained|stored|backed up|tested|"
    r"inspected|serviced|insured|fitted|equipped|washed|monitored|secured|locked|collected|removed|calibrated|"
    r"installed|labelled|reported|updated|trained|cleaned|maintained|repaired|supplied|staffed|completed|documented|"
    r"escorted|worn|signed|submitted|issued to)(?![a-z])"
)
_ENGLISH_STATE = re.compile(
    r"(?<![a-z])(?:conform to|conforms to|comply with|complies with|meets? (?:the )?(?:requirements|standard|level)|"
    r"never (?!been)[a-z]+s(?![a-z])|(?:is|are) (?:present|available(?! (?:from|to|upon|at the))|open (?:from|between|on|at|\d)|on duty|on call|"
    r"reachable|on site|staffed)(?![a-z])|"
    r"^\W*(?:each|every) (?:[\w-]+ ){1,3}?[a-z]{3,}s (?:an?|the|its|at least|no|one|two|three|four|\d+) |takes? place (?:between|outside|within|"
    r"on|at|no|only|during)|"
    r"(?:remains?|stays?|holds?|is|are) (?:fixed|firm|good|binding|(?<=remains )valid|(?<=remain )valid)|"
    r"(?:is|are) (?:at least|at most|less than|more than|no (?:more|less|older|later|fewer|lower|higher) than|not (?:less|more|older) than)|"
    r"^\W*(?:all |each |every |any )?(?:[\w-]+ ){0,2}[a-z]+s (?:carry|hold|wear|keep|use|follow|speak|bear|attend|undergo|display|have) (?!been)|"
    r"^\W*(?:all |the )?(?:[\w-]+ )?(?:staff|personnel|drivers|operatives|guards|cleaners|technicians|nurses|trainers|workers|employees|crews|"
    r"teams) "
    r"(?!who|that|of|in|are|is|and|or|members|under|to|for|will|can|may|with|at|on)[a-z]{3,} (?:an?|the|their|at|in|on|with|only|no|every|each|"
    r"all|to) |"
    r"sign in (?:through|with|via)|(?:recovery|response|resolution|availability)[a-z ]{0,60} (?:is|are) \d)"
)
GIVEN = re.compile(
    r"(?<![a-z])met(?:tra|tent|tront)? (?:gratuitement )?a (?:la )?dispositions? (?:du|des|de l') ?(?:titulaire|"
    r"prestataire|attributaire|agent|entrepreneur)|"
    r"(?<![a-z])(?:provides?|supplies|issues?|grants?) the (?:contractor|supplier|vendor|successful bidder)s? with"
)
"""Somebody gives the bidder the use of something."""
_RECEIVED = re.compile(
    r"(?:est|sont|ser(?:a|ont)) [^.;]{0,60}?(?<![a-z])(?:au|aux) (?:titulaire|prestataire|candidat|concurrent|soumissionnaire|agent)s?(?![a-z])|"
    r"(?:is|are|will be) [^.;]{0,60}?(?<![a-z])to (?:the |all )?(?:contractor|supplier|bidder|tenderer|vendor|offeror)s?(?![a-z])|"
    r"(?:est|sont|ser(?:a|ont)) [^.;]{0,60}?(?<![a-z])par (?:le|la|l'|les) ?(?:services?|direction|representant|ville|mairie|region|departement|"
    r"bureau de controle|coordonnateur|conseil|college|lycee|ecole|hopital|etablissement|rectorat|prefecture|syndicat|autorite|organisme|comite|"
    r"site|musee|fondation|association|office|etat|chambre|universite|centre|caisse|gestionnaire|exploitant)(?! du titulaire)(?![a-z])|"
    r"ser(?:a|ont) (?:egalement )?mise?s? a (?:la )?disposition (?:des agents|du titulaire|du prestataire)|"
    r"(?:is|are) \w+ by (?:a |the )?(?:panel|officers?|board|trust|school|hospital|department|office|ministry)"
)
"""Given to the bidder, or done by somebody else."""
_SUBORDINATE = re.compile(
    r"(?<![a-z])(?:if|where|when|that|which|who|whose|unless|until|while|so|because|qui|que|qu'|dont|auquel|auxquels?|laquelle|si|s'il|"
    r"lorsque|lorsqu'|tant que|parce que)(?![a-z])"
)
"""The verb that follows stands in a clause that asks nothing by itself."""
_NARRATED = re.compile(
    r"(?<![a-z])(?:was|were|has been|have been|(?:has|have) (?:fallen|risen|grown|increased|decreased|doubled|declined|changed|moved|become|begun)|"
    r"currently|at present|actuellement|a ete|ont (?:deja )?ete|etai(?:t|ent)|represente(?:nt)?|"
    r"(?:re)?compte(?:nt)? (?:\d|environ)|ne fait pas partie|n'entre(?:nt)? pas dans|is composed|is located|owned by|propriete|"
    r"donne(?:nt|ra|ront)? lieu a|entrain(?:e|era|ent|eront)|(?:is|are) payable|(?:prix|tarifs|prices|rates|fees) (?:evoluent|are indexed|"
    r"vary)|se (?:fera|fait|feront) aux frais|pour objectif|pour but|"
    r"facture(?:e|s|es)?|facturation|il ser\w+|remunere(?:e|s|es)?)(?![a-z])"
)
"""What is there or was, and what follows from a breach: nothing that is asked."""


def obliged_act(body: str, headings: str, innermost: str) -> re.Match[str] | None:
    """The bidder, named as the subject, does something; None under headings of background, evaluation and settlement."""
    if settles(headings, innermost):
        return None
    return None if _NARRATED.search(body) else _OBLIGED_ACT.search(body)


_DESCRIBING = re.compile(
    r"overview|profile|history|historique|situation|general information|informations? generales?|purpose|objectives?|objectifs?|"
    r"description of (?:the )?(?:site|buyer|authority|organi[sz]ation|building|network|fleet)|description (?:du|des) (?:site|batiment|reseau|parc)|"
    r"etat (?:des lieux|actuel)|preamble|preambule|presentation$|our organi[sz]ation|who we are|market|volumes?$|volumetrie"
)
"""Headings under which the plain present describes."""


def in_service(context: Context, headings: str, innermost: str) -> bool:
    """The section tells what is to be done: no background, no evaluation and no settlement by its heading."""
    if settles(headings, innermost):
        return False
    return (bool(headings) and not _DESCRIBING.search(innermost)) or context.previous == "bidder"


_NOMINAL = re.compile(
    r"(?<![a-z])(?:within|no later than|not later than|at least|at most|not less than|not more than|no less than|no more than|minimum|maximum|"
    r"up to|sous|"
    r"dans un delai (?:maximum |maximal )?de|au moins|au plus|avant le|before|no more than|below|above|under|minimale?|maximale?|superieure? a|"
    r"inferieure? a)(?![a-z])"
    r"(?: of| de| d'| ?:| a further| further)? ?[^.;]{0,25}?(?:\d|(?:one|two|three|four|five|six|ten|une?|deux|trois|quatre|cinq|dix)(?![a-z]))|"
    r"[<>≤≥]\s?\d|(?<![a-z])(?:iso|iec|en|nf|bs|din|astm|ieee|tls|aes|pci)(?:[ /-](?:iec|en|dss))?[ -]?\d"
)


def nominal(body: str, headings: str, innermost: str, *, item: bool = False) -> bool:
    """A thing with its limit and no verb ("Delivery within 30 days"), where no background, evaluation or settlement is told.

    An item of a list needs but a count.
    """
    if settles(headings, innermost):
        return False
    return bool(
        _NOMINAL.search(body)
        or _NONE_OF.match(body)
        or (item and not _DESCRIBING.search(innermost) and _COUNT.search(body) and not CONTENTS.match(body))
    )


_NONE_OF = re.compile(
    r"\W*(?:no (?!later|more|less|fewer|longer|comment|answer|reply|response|change to the date)|aucune? |pas de |pas d')[a-z][^.;:]{8,90}[.;]?$"
)
"""What there is to be none of: "No amendment to the schedule of prices"."""
CONTENTS = re.compile(
    r"\W*(?:parts?|sections?|volumes?|chapters?|annexe?s?|appendix|lots?|articles?|partie|chapitre|figures?|tables?|"
    r"pages?) ?(?:\d|[ivx]+(?![a-z])|[a-z](?![a-z]))"
)
_COUNT = re.compile(
    r"(?<![a-z\d./-])(?:\d{1,4}(?![\d./-])|one|two|three|four|five|six|seven|eight|nine|ten|deux|trois|quatre|cinq|six|sept|huit|dix) ?(?:%|"
    r"[a-z]{2,})"
)


_HANGS = re.compile(
    r"(?:^|[ ,])(?:to|for|with|from|of|at|in|on|du|de|des|au|aux|a|pour|avec|chez|dans)(?: the| la| le| l'| les| leurs?| sa| son)? ?$"
)
_RECEIVES = re.compile(
    r"^\W*(?!(?:for|with|to|in|on|at|from|pour|avec|dans|a|au|aux) )(?:[\w'-]+,? ){1,}(?:to|for|with|from|at|aux?|pour|avec|chez)"
    r"(?: (?:the|other|all|any|each|every|registered|la|le|les|tous|chaque))* ?(?:l')?(?:[\w-]+ )?$"
)
"""Something before it is given to the party, fits it or is kept for it: no person of its own."""
_PEOPLE = re.compile(
    r"(?<![a-z])(?:staff|employees?|officers?|members?|representatives?|agents?|personnel|inspectors?|managers?|teams?|departments?|"
    r"offices?|boards?|branch(?:es)?|units?|groups?|committees?|directorates?)(?![a-z])"
)


def hanging(body: str) -> bool:
    """The party that a sentence names first only receives, owns or qualifies what the sentence speaks of."""
    named = PARTY.search(body)
    if named is None:
        return False
    before, after = body[: named.start()], body[named.end() :]
    if re.match(r"'s [a-z]+", after) and not _PEOPLE.search(after[:40]):
        return True
    if _PEOPLE.search(before):
        return False
    return bool(_RECEIVES.match(before) or (len(before.split()) >= 6 and _HANGS.search(before)))


def by_others(body: str, party: Party | None) -> bool:
    """Something is given to the bidder, or done by somebody who is neither the bidder nor its people."""
    return party != "bidder" and bool(_RECEIVED.search(body))


def acting(body: str, party: Party | None, context: Context) -> re.Match[str] | None:
    """The words by which the bidder, its people or what it offers acts in the present or the future; None where nothing is asked.

    `body` is a levelled sentence of a section `in_service`, without its opening.
    """
    if party == "contract" or _NARRATED.search(body):
        return None
    for pattern in (
        _FRENCH_ACT,
        _FRENCH_DONE,
        FUTURE,
        _FRENCH_STATE,
        _ENGLISH_ACT,
        _ENGLISH_DONE,
        _ENGLISH_STATE,
    ):
        match = pattern.search(body)
        if match and _SUBORDINATE.search(body[: match.start()].rsplit(", ", 1)[-1]):
            continue
        if match and (
            party in ("bidder", "offer", None)
            or (
                first_party(body[: match.end()], context) in ("offer", None)
                and agent_of(body[match.end() :], context) not in ("buyer", "third_party")
            )
        ):
            return match
    return None
