"""Words that tell whose duty a sentence states: what is done to bids, what binds after award, what asks for papers.

Patterns over levelled text, each for one question that `subjects` puts. Names of parties stand in `parties`, verbs that
oblige in `obligations`.
"""

from __future__ import annotations

import re

# What stands before the clause: "Conformément à ..., ", "NB :", "If the Employer so asks, ".
OPENING = re.compile(
    r"^\W*(?:(?:nb|n\.b\.?|notes?|nota|attention|important|key terms|a cet effet|toutefois|cependant|en outre|de plus|par ailleurs|"
    r"however|furthermore|in addition|moreover|accordingly)\s*[:,.]?\s+)?"
    r"(?:(?:conformement|en application|en vertu|in accordance|pursuant|subject|provided|under|for|pour|dans|a titre|en cas|in the event|"
    r"in ?case|should|if|where|when|whenever|unless|after|before|upon|once|lorsqu|lorsque|quand|si|s'|au cas|apres|avant|des|a defaut|"
    r"to (?:be|qualify|obtain|pass)|au (?:terme|debut|cours|moment)|des (?:le|la|l')|en (?:fin|debut|dehors|presence|outre)|sur (?:demande|simple)|"
    r"(?:at the|on (?:the|each|every|request)|by the|from the|throughout)(?=[^,;:]{2,45},)|"
    r"a l'issue|a leur|a la|lors|sauf|except|as part|with respect|with regard|during|"
    r"pendant|au cours|within|prior)\b[^,;:]{2,220},\s*)?"
)
NUMBERING = re.compile(r"^\W*(?:\d{1,2}(?:\.\d{1,3}){1,3}\.?|\d{1,2}[.)])\s+(?=\w)")
GLUED = re.compile(r"(?<=[a-z]{3})(?=[A-Z][a-z]{3})")
"""Words that a text layer has run together: "TheProcuring Entity"."""
# What is done to bids and by the buyer: no duty of the bidder although bids are the subject.
HANDLED = re.compile(
    r"^\W*(?:(?:not|also|be|etre|egalement|ensuite|then|only|alors|rester|remain|\w+ly)\s+)*"
    r"(?:opened|evaluated|examined|read(?= out)|returned(?! (?:through|via|using|by (?:e-?mail|post|courier|\d|noon)|no later|not later|"
    r"before|on or before))|considered|compared|announced|recorded|released|discharged|forfeited|notified|"
    r"given|granted|assumed|rejected|disqualified|corrected|adjusted|invited|informed|paid|awarded|deemed|entitled|interpreted|governed|published|"
    r"communicated|disclosed|made available|ranked|scored|assessed|reviewed|checked|verified|issued|appointed|debarred|"
    r"ouverte?s?|examinee?s?|rejetee?s?|restituee?s?|evaluee?s?|enregistree?s?|communiquee?s?|publiee?s?|notifiee?s?|"
    r"classee?s?|jugee?s?|converti(?:e|s|es)?|attribuee?s?|procede|analysee?s?|verifiee?s?|"
    r"informee?s?|mise?s? (?:gratuitement |, gratuitement, )?a (?:la )?disposition|remise?s? gratuitement|remise?s? aux concurrents|"
    r"(?:portee?s?|inscrite?s?|consignee?s?) (?:au|sur|dans) (?:(?:le|un|ce) )?(?:registre|proces|pv)|(?:fermes et )?(?:tenue?s?|conservee?s?|"
    r"gardee?s?) (?:en lieu|sous clef|sous cle|jusqu'a l'ouverture)|"
    r"choisie?s?|designee?s?|convoquee?s?|comparee?s?|retenue?s?|appreciee?s?|restitue)(?![a-z])"
)
NEUTRAL = re.compile(
    r"\W*(?:be|etre) (?:\w+ly |immediatement |aussitot )?(?:notified|communicated|reviewed|checked|verified|recorded|announced|informed|published|"
    r"issued|"
    r"notifiee?s?|communiquee?s?|verifiee?s?|enregistree?s?|analysee?s?)(?![a-z])"
)
"""Done to bids by the buyer, but to anything else by the bidder."""
UNMET = re.compile(
    r"(?<![a-z])(?:without|not|no|beyond|exceeding|over|unsealed|faxed|fails?|failed|failing|failure|missing|absence|incomplete|unsigned|late|"
    r"lacks?|lacking|after|unless|"
    r"non-?compl\w+|alternative|conditional|more than one|both|any|if|who|whose|which|that|submitted by|"
    r"sans|non|ne|n'|absence|manquant\w*|incomplete?s?|posterieurement|apres|hors delai|defaut|toute?s?|ayant|qui|dont|en dehors|plus d')(?![a-z])"
)
# Legal consequences after award that a bid has nothing to answer to.
LEGAL = re.compile(
    r"(?<![a-z])(?:liquidated damages|damages for delay|service credits?|penalt(?:y|ies)|penalites?|(?<!d')astreintes? (?:de \d|d'un|par|"
    r"financieres?|journalieres?)|pretentions?|"
    r"terminat(?:e|es|ed|ion)|resili(?:e|er|ee|ation)|"
    r"(?:interim|advance|final|monthly|contract|progress|foreign) payments?|payment (?:terms|certificates?|conditions)|shall be paid|"
    r"paiements?|mandatement|acomptes?|(?<!l')(?<!en )(?<!d')avances?(?! (?:sur|de) (?:la )?techn)|interets moratoires|nantissement|"
    r"price adjustment|adjustment of prices?|revision des? prix|revisables?|revises?|actualis(?:ation|able)s?|formule de revision|"
    r"(?:entraine|donne lieu a)(?:nt)? (?:une? )?(?:retenue|refaction|reduction)|(?:is|are) payable|"
    r"(?:prix|tarifs) (?:evoluent|sont indexes)|"
    r"disputes?|arbitrat(?:e|ion|or)s?|adjudicat(?:ion|or)|litiges?|differends?|contentieux|governing law|governed by|laws? of|droit applicable|"
    r"tribuna(?:l|ux)|jurisdiction|liabilit(?:y|ies) cap|(?:limitation|cap) (?:of|on) liability|"
    r"(?<!general )(?<!public )(?<!cyber )(?<!professional )(?<!product )liabilit(?:y|ies)(?! insur| (?:of|cover|limit|policy)[^.]{0,20}\d)|liable|"
    r"responsabilite (?:penale|contractuelle)|tenue?s? (?:pour )?responsables?|become the property|royalties|"
    r"late payments?|payee?s? (?:par|dans|a)|"
    r"bons? de commande|responsable des? (?:dommages|consequences)|force majeure|indemnif\w+|(?<!professional )indemnit\w+|"
    r"assign(?:ment|ed|s)?(?= (?:of|the|its|this))|cession|intellectual property|ip rights?|propriete intellectuelle|retains? (?:all|pre|owner)|"
    r"order of precedence|take precedence|prevails?|preval(?:oir|ent|ence)|prevaut|tenue? pour bon|discordance|fait foi|font foi|"
    r"retention money|retenue de garantie|variations? order|compensation events?|ordres? de service|avenants?|"
    r"completion certificate|pay (?:these|such|any|the) (?:amounts?|balance|sums?)|taking[- ]over certificate|"
    r"contract duration|contract price|entry into force|entree en vigueur|"
    r"duree du marche|reconduction|commencement date|deemed to have|(?:est|sont|ser(?:a|"
    r"ont)) repute\w*(?! (?:comprendre|inclure|tenir))|restera? la propriete|mauvaise execution|execution defectueuse|"
    r"master services? agreement|sign (?:the|a) (?:contract|agreement)|sign(?:ing)? of (?:the )?contract|"
    r"novation|waiver|severab\w+|entire agreement|notices? (?:shall|under|given)|mise en demeure|"
    r"conclu pour une duree|duree (?:du (?:present )?(?:marche|contrat)|de (?:ce|l'accord|la convention)|initiale)|prend effet|retrocession|"
    r"domicile elu|election de domicile|"
    r"derogations?|pieces contractuelles|documents contractuels)(?![a-z])"
)
CONTRACT_PARTS = re.compile(
    r"(?:general|special|particular) conditions? of (?:the )?contract|(?<![a-z])[gs]cc(?![a-z])|terms (?:&|and) conditions|"
    r"conditions of (?:the )?contract|contract (?:agreement|forms|data)|form of (?:contract|agreement)|"
    r"cahier des clauses|service credits|penalt|penalites|resiliation|litiges|reglement des (?:comptes|differends)|paiement|"
    r"revision des prix|pieces constitutives|dispositions? (?:diverses|finales)|clauses? (?:juridiques|administratives)"
)
BIDDING = re.compile(
    r"(?<![a-z])(?:bidders?|tenderers?|proponents?|applicants?|soumissionnaires?|candidats?|concurrents?|respondents?|offerors?|"
    r"bids?|tenders?|proposals?|offres?|plis?|soumissions?)(?![a-z])"
)
DRAFTING = re.compile(
    r"preface|how to use|guidance notes?|guidelines (?:for|to|on)|notes? (?:on|to|"
    r"for) (?:the )?(?:\w+ )?(?:invitation|procuring|preparation|employer|purchaser)|users? guide"
)
"""Headings of notes to whoever fills in a model document."""
OUT = re.compile(
    r"out[- ]of[- ]scope|exclusions?(?: from scope)?$|hors (?:perimetre|champ)|not in scope|glossary|definitions?$|abbreviations|"
    r"acronyms|lexique|sommaire|table of contents|background|introduction$|contexte|about (?:us|the)|"
    r"presentation (?:de|du) (?:la |l')?(?:commune|collectivite|region|patrimoine|parc|site|territoire|reseau|"
    r"etablissement|ville|batiment|operation|projet)"
)
ASKING = re.compile(
    r"requirements?|specifications?|required|requirement|scope of (?:work|services?|supply)|submission|instructions|qualifications?|"
    r"eligib|certifications?|deliverables|service levels?|sla\b|compliance|pricing|must|shall|minimum|criteria|"
    r"technical|insurance|execution|missions?|organisation|consignes|performance|"
    r"exigences?|specifications?|prestations|pieces (?:a|justifi)|dossier|offre|capacites|qualites|conditions requises|presentation|"
    r"documents (?:a|to)|attestations|fournir|moyens|personnel|equipe|modalites|obligations?|assurances?"
)
ASKING_LEAD = re.compile(
    r"^\W*(?:each|every|chaque) [a-z' -]{3,40} (?:has|carries|includes|is (?:fitted|equipped|supplied) with|comprend|comporte|"
    r"dispose de|possede|est equipee? de) ?:\W*$|"
    r"(?:^|[ '])(?:following (?:[a-z]+ ){0,3}appl(?:y|ies)(?: to [a-z ]{1,40})?|"
    r"(?<!award )(?<!evaluation )(?<!in the )(?<!by the )(?<!with the )(?:requirements?|specifications?|obligations?|"
    r"qualifications?|deliverables|exigences|prescriptions|livrables|key (?:staff|personnel)|caracteristiques(?: (?:techniques|minimales))?|"
    r"standards?|documents? (?:required|to be [a-z]+)|pieces a [a-z]+)) ?:?\W*$"
)
"""A lead-in that names what its items are: requirements."""
JUDGING = re.compile(
    r"lowest evaluated|evaluation|scoring|award criteria|comparison of|examination of|correction of|arithmetical|margin of preference|"
    r"conversion to|determination of respons|"
    r"award of contract|opening of (?:bids|tenders)|(?:bid|tender) opening|jugement|criteres d'attribution|"
    r"ouverture des plis|examen des (?:offres|candidatures)"
)
PAPERS = re.compile(
    r"contenu du dossier d'appel|content of (?:the )?(?:tender|bidding) documents?|dossier de consultation"
)
PRESENT = re.compile(
    r"(?<![a-z'])(?:presente(?:nt|ra|ront)?|fourni(?:t|ssent|ra|ront)|reme(?:t|ttent|ttra|ttront)|joi(?:nt|gnent|ndra|ndront)|"
    r"sign(?:e|ent|era|eront)|produi(?:t|sent|ra|ront)|restent?|s'engage(?:nt)?|justifi(?:e|ent|era|eront)|indiqu(?:e|ent|era|eront)|"
    r"etabli(?:t|ssent|ra|ront)|depos(?:e|ent|era|eront)|comprend(?:ra|ront)?|comprennent|contien(?:t|nent|dra|dront)|comport(?:e|ent|era|eront)|"
    r"parvien(?:t|nent|dra|dront)|arriv(?:e|ent|era|eront)|assur(?:e|ent|era|eront)|dispos(?:e|ent|era|eront)|respect(?:e|ent|era|eront)|"
    r"precis(?:e|ent|era|eront)|mentionn(?:e|ent|era|eront)|"
    r"prend(?:ra|ront)?|prennent|met(?:tra|tront)?|mettent|effectu(?:e|ent|era|eront)|realis(?:e|ent|era|eront)|garanti(?:t|ssent|ra|ront)|"
    r"design(?:e|ent|era|eront)|veill(?:e|ent|era|eront)|couvr(?:e|ent|ira|iront)|transmet(?:tra|tront)?|transmettent|supporte(?:ra|nt|"
    r"ront)?|souscri(?:t|vent|ra|ront)|"
    r"declar(?:e|ent|era|eront)|accept(?:e|ent|era|eront)|fait l'objet|font l'objet|procede(?:ra|nt|ront)?|accompagn(?:e|ent|era|eront)|"
    r"inform(?:e|ent|era|eront)|tien(?:t|nent|dra|dront)|expire(?:nt)?|demeur(?:e|ent|era|eront)|intervien(?:t|nent|"
    r"dra|dront)|utilis(?:e|ent|era|eront)|"
    r"propos(?:e|ent|era|eront)|port(?:e|ent|era|eront)|affect(?:e|ent|era|eront)|sont titulaires?|(?:sont|"
    r"est) en possession|possed(?:e|ent|era|eront)|"
    r"control(?:e|ent|era|eront)|surveill(?:e|ent|era|eront)|accompli(?:t|ssent|ra|ront)|execut(?:e|ent|era|eront)|"
    r"adress(?:e|ent|era|eront)|envoi(?:e|ent)|"
    r"signal(?:e|ent|era|eront)|consign(?:e|ent|era|eront)|rend(?:ent|ra|ront)?|maintien(?:t|nent|dra|dront)|"
    r"soumet(?:tent|tra|tront)?|nomm(?:e|ent|era|eront)|"
    r"remplac(?:e|ent|era|eront)|entretien(?:t|nent|dra|dront)|equip(?:e|ent|era|eront)|recrut(?:e|ent|era|eront)|organis(?:e|ent|era|eront)|"
    r"se (?:conformer(?:a|ont)|conforme(?:nt)?|charge(?:nt)?|chargera)|sont affiliee?s?|sont en situation|"
    r"est responsable|aur(?:a|ont) (?:a|en) charge|"
    r"(?:est|sont|sera|seront|reste|restent) (?:\w+ment )?(?:signee?s?|redigee?s?|mise?s?|placee?s?|contenue?s?|"
    r"etablie?s?|exprimee?s?|remise?s?|deposee?s?|transmise?s?|"
    r"accompagnee?s?|valables?|libellee?s?|fermee?s?|presentee?s?|adressee?s?|envoyee?s?|cachetee?s?|chiffree?s?|"
    r"paraphee?s?|datee?s?|fermes?|reputes? comprendre|"
    r"effectuee?s?|realisee?s?|assuree?s?|fournie?s?|executee?s?|equipee?s?|formee?s?|agreee?s?|composee?s?|"
    r"engagee?s?|lies?|livree?s?|conformes?|fixee?s? a|de \w+ jours))(?![a-z])"
)
WANTS = re.compile(
    r"(?:(?:required|requested|exige|requis|demande|impose)e?s? [^.;,]{0,40}(?<![a-z])(?:est|sont|is|are) (?:an?|the|le|la|les|un|une|that|de|"
    r"d') ?[a-z]|"
    r"(?:requires?|expects?|demands?|exige(?:nt)?) (?:compliance|that (?:[a-z]+ ){0,5}?(?:tenderers?|contractors?|suppliers?|bidders?|vendors?|"
    r"firms?)|(?:all |the )?(?:tenderers?|"
    r"bidders?|vendors?)|la conformite|que les (?:candidats|soumissionnaires)|des (?:candidats|soumissionnaires)))"
)
UNAFFECTED = re.compile(
    r"\W*(?:not be (?:under (?:any|an) obligation|required|obliged|bound|entitled)|have (?:the|an?) (?:option|right|choice|possibility)|"
    r"avoir (?:la faculte|la possibilite|le droit))(?![a-z])|"
    r"\W*(?:not |in no way )(?:\w+ )?(?:invalidate|affect|prejudice|relieve|constitute|bind|be (?:construed|bound|obliged))"
)
ELSEWHERE = re.compile(
    r"\W*be (?:as )?(?:specified|indicated|stated|defined|provided|set out|named|given) (?:in|"
    r"by) (?:the )?(?:tds|bds|itt|scc|gcc|tender data|bid data|data sheet|appendix|invitation|section|contract data)"
)
JOINTLY = re.compile(r"jointly and severally|solidaire(?:ment|s)?")
NOTE = re.compile(
    r"\W*(?:insert|delete|select (?:one|as)|tick|strike out|choose|specify the group|inserer|rayer|supprimer)(?![a-z])"
)
AIM = re.compile(r"(?:a|ont|aura|auront) pour (?:objectif|objet|but)|is intended to|aims? to")
SELECTED = re.compile(
    r"\W*only (?:\w+ ){0,3}(?:bid|tender|offer|proposal|submission|bidder|tenderer|offeror|application)s?(?![a-z])[^.;]{0,160} (?:will|shall|"
    r"are) be |"
    r"\W*(?:(?:nb|n\.b)\W*)?seule?s les (?:offres|candidat\w+|soumission\w+|"
    r"plis)[^.]{0,160}(?:note|points?|score|minimum|seront (?:retenue?s|admise?s|prise?s en compte|ouverte?s))"
)
CONTACT = re.compile(
    r"(?<![a-z])(?:address|telephone|tel|fax|e-?mail|siret|cedex|contact|name of|p\.?o\.? box|"
    r"adresse|courriel|version|classification|www)(?![a-z])"
)
STARTS = re.compile(r"\w")
SUBORDINATE = re.compile(
    r"\W*(?:if|where|when|whenever|unless|in|from|on|at|by|for|with|within|after|before|upon|including|such|which|who|"
    r"that|not|except|subject|provided|as|"
    r"during|under|according|pursuant|notwithstanding|not withstanding|should|once|conformement|lorsqu|lorsque|si|s'|"
    r"dans|pour|en|a|au|par|avec|sauf|dont|qui|"
    r"que|y compris|notamment|apres|avant|des)(?![a-z])"
)
NOTED = re.compile(r"(?<![a-z])insert (?:name|the |a |[\"“'])")
CHOOSING = re.compile(r"\[(?:will|shall|is|are|may|can)(?: not)? or ")
QUANTITIES = re.compile(r"bills? of quantities|preambles?(?! and)")
LIMITED = re.compile(
    r"(?:minim(?:al|um)|maxim(?:al|um))e?s?(?![a-z])[^.]{0,60}(?<![a-z])(?:is|are|est|sont|sera)(?![a-z])|"
    r"(?<![a-z])(?:(?:is|are) limited to|(?:is|are) due (?:in|at|by|on|before|no|within)|(?:est|sont) limitee?s? a|n'excede(?:nt)? pas|"
    r"n'excede(?:nt)?|ne depass(?:e|ent) pas|"
    r"(?:is|are) (?:no|not) (?:more|less|older|later|fewer|lower|higher) than|do(?:es)? not exceed)(?![a-z])|"
    r"^\W*(?:at least|at most|no more than|not more than|no fewer than|au moins|au plus) \d[^.]{0,80}(?<![a-z])(?:is|are|est|sont)(?![a-z])"
)
CONSENT = re.compile(
    r"(?:est|sont|is|are) (?:soumise?s? a|subject to) (?:l'|the |une? )?(?:accord|validation|"
    r"approbation|autorisation|agrement|(?:prior |written )*(?:approval|consent))"
)
IMPERATIVE = re.compile(
    r"^\W*(?:please |kindly )?(?:submit|provide|register|include|attach|ensure|complete|sign|upload|enclose|state|use|indicate|"
    r"describe|furnish|quote|specify|list|demonstrate|send|deliver|confirm|fill|return|address|mark|seal|propose|"
    r"offer|give|erect|remove|maintain|keep|cover up|protect|supply|install|clear|allow for|"
    r"do not|submission (?:of|via|by|through)|joindre|fournir|presenter|remettre|indiquer|completer|produire|preciser|"
    r"deposer|transmettre|respecter|assurer|prevoir)[\s,]"
)
VERB = re.compile(
    r"(?<![a-z])(?:is|are|was|were|has|have|had|will|would|can|may|est|sont|ont|a ete|aur(?:a|ont)|started|began|covers?|runs?|"
    r"(?:re)?compte(?:nt)?|emploie(?:nt)?|represente(?:nt)?|sera|seront|peut|peuvent|etait|do|does|operates|thanks|"
    r"concerne|sert|servent|permet(?:tent)?|constituent?|figure(?:nt)?|s'applique(?:nt)?|correspond(?:ent)?|s'effectue(?:nt)?|s'entend(?:ent)?|"
    r"donne(?:nt)?|fait|font|vient|viennent|va|vont|reserve|prevoit|resulte|consiste|vise|(?:requ|acqu|exp|insp|ret)ires|[a-z]+(?:ises|izes|ates|"
    r"ides|ifies|udes))(?![a-z])"
)
DOCUMENT = re.compile(
    r"^\W*(?:(?:the|an?|une?|la ou les?|l[ea]s?|l'|des|du|original|certified|notarized|valid|duly|copies|copie|copy|signed|completed|two|deux|"
    r"trois|proof|evidence|pour les? \w+(?: \w+){0,6},|en cas de \w+,|lorsque [^,]{4,80},)\s*)*"
    r"(?:original|copi|attestation|certificat|declaration|extrait|pouvoir|procuration|acte\b|note\b|notes\b|memoire|planning|bordereau|detail|cv\b|"
    r"curriculum|recepisse|cautionnement|caution|statuts|pieces?\b|documents?\b|reference|liste\b|engagement|convention|equivalent|agrement|bilan|"
    r"power of attorney|form\b|forms\b|letter|schedule|security|guarantee|bond|affidavit|receipt|licen[cs]e|registration|permit|"
    r"statement|accounts?\b|proof|evidence|plan\b|method|programme|brochure|sample|manual|list\b|cover|tax|bid\b|tender\b|price)"
)
SUBMITTING = re.compile(
    r"dossier (?:administratif|technique|additif|financier)|pieces|offre|candidature|documents? (?:to|required|comprising)|submission|"
    r"tender shall|bid shall|proposal|comprend|contien|envelope|enveloppe|justifi|fournir|concurrent|candidat|soumissionnaire|submit|enclose|attach"
)
DEADLINE = re.compile(
    r"(?<![a-z])(?:deadline|closing date|no later than|not later than|latest|last date|due date|date limite|"
    r"delai (?:de|pour la) (?:remise|reception|depot)|"
    r"au plus tard)(?![a-z])"
)
NEGATED = re.compile(
    r"aucune? (?:piece|document|justificatif)[^.]{0,20}n'est (?:exige|requis)|not required|no \w+ (?:is|are) required"
)
MEANS = re.compile(
    r"(?<![a-z])(?:(?<!its )(?<!their )(?<!by )(?<!the )(?<!of )(?<!any )(?<!all )(?<!no )means|"
    r"(?<!est )(?<!sont )(?<!etre )(?<!sera )designe(?:nt)?(?! (?:un|une|le|la|les|deux|au moins) )|signifie(?:nt)?|"
    r"(?<!should )(?<!shall )(?<!must )(?<!will )refers? to|"
    r"(?:word|term|expression|mot|terme) [\"'«(]*[\w -]{2,40}[\"'»)]* (?:shall )?(?:includes?|comprend)|shall mean|following definitions|"
    r"(?<!prix )(?<!montants )(?<!tarifs )s'entend(?:ent)?|"
    r"has the meaning)(?![a-z])|^\W{0,3}[a-z)]*\W{0,3}[\"«][^\"»]{2,40}[\"»] (?:is|are|est)(?![a-z])"
)
ACRONYM = re.compile(r"\b([A-Z]{2,6}s?)\s*$")
AGENT = re.compile(
    r"[^,;.]{0,80}?(?<![a-z])(?:by|par) (?!which|whom|lequel|laquelle)(?:the |le |la |l'|les )?"
)
PRODUCT = re.compile(
    r"(?<![a-z])(?:systems?|platforms?|solutions?|software|applications?|modules?|modul|portals?|interfaces?|tools?|databases?|engines?|layers?|"
    r"systemes?|plateformes?|logiciels?|progiciels?|outils?|applicatifs?)(?![a-z])"
)
PRONOUN = re.compile(
    r"^\W*(?:it|they|these|this|each|both|all|such|il|elle|ils|elles|celui-ci|celle-ci|ce(?:s|tte)? \w+)\b\W*(?:also\s*)?$"
)
TAKEN_UP = re.compile(r"\W*(?:it|they|this \w+|these \w+|such \w+|elles?|ils?|cet(?:te)? \w+|ces? \w+)\s")
AWARD = re.compile(
    r"(?<![a-z])(?:selected (?:vendor|bidder|tenderer)|successful (?:bidder|tenderer)|attributaire)(?![a-z])"
)
# The buyer's agent in conditions of contract, a member of the bidder's team where it must have or be something.
SUPERVISOR = re.compile(
    r"(?<![a-z])(?:project managers?|(?:resident )?engineers?|architects?|employer's representatives?|superviseurs?|ingenieur conseil)\W*$"
)
LEADING_BIDDER = re.compile(
    r"(?:^|[,;] )\W*(?:le |la |les |the |each )?(?:titulaire|prestataire|attributaire|soumissionnaire|candidat|contractor|supplier|vendor|"
    r"bidder|tenderer|seller|lessor|carrier|transporteur|exploitant|operateur|concessionnaire|delegataire|loueur|editeur|vendeur|conducteur|"
    r"agent|chauffeur)s?\W*$"
)
"""A lead-in that ends with the bidder or its people, whose verbs stand in the items."""
PLEDGE = re.compile(
    r"(?:^|, )\W*we,? (?:the under ?signed,? )?(?:further |hereby )?(?!understand|are |acknowledge)[a-z]+"
)
"""The bidder speaks in a form."""
DECLARED = re.compile(
    r"declare(?:nt)? sur l'honneur|(?<![a-z])(?:je|nous),? (?:soussigne[^:]{0,200} )?(?:declar|certifi|attest|engage|m'engage|nous engage)|"
    r"(?<![a-z])(?:i|we)(?:, the under ?signed[^,]{0,60},)? ?(?:do )?(?:further |hereby |also )*(?:certify|declare|undertake|confirm|warrant)"
)
"""A lead-in in which the bidder speaks: what follows is what it declares."""
ACKNOWLEDGED = re.compile(
    r"\W*(?:that )?(?:(?:i|we|je|nous) ?(?:have read|understand|acknowledge|are aware|reconnai|ai pris))"
)
REFUSED = re.compile(
    r"\W*(?:not |also |automatically |then )*(?:consider|accept|open|evaluate|read|reject|disqualify|exclude|eliminate) (?:any |the |a |each |"
    r"late )*"
    r"(?:tender|bid|offer|proposal|submission|application|quotation)s?(?![a-z])"
)
LACKING = re.compile(
    r"(?:tender|bid|offer|proposal|submission|application|quotation|bidder|tenderer|offeror)s? (?:that|which|who|whose|received|arriving|submitted|"
    r"without|not|failing|found|(?:has|have|is|are|does|do) (?:not|failed|late|incomplete)|fails?)(?![a-z])"
)
"""A bid or bidder that lacks something."""
"""What the buyer does to bids that lack something: asked of the bidder where the words say of which."""
AFTERMATH = re.compile(
    r"terminat|resiliat|liquidated|penalt|penalit|disputes?|litiges|differends|payment|paiement|modalites de reglement|cessation|suspension of work"
)
"""Headings of contract clauses on what follows from a breach or from the work done."""
BY_SUPERVISOR = re.compile(
    r"[^,;.]{0,60}?(?<![a-z])(?:by|par) (?:the |le |la |l')?(?:project managers?|(?:resident )?engineers?|architects?|superviseurs?)(?![a-z])"
)
QUALIFIED = re.compile(
    r"\W*(?:\w+ly )?(?:have|hold|possess|be|speak|demonstrate|avoir|etre|posseder|justifier|"
    r"disposer)(?![a-z])(?! (?:notified|informed|paid|entitled|given))"
)
PRESENTED = re.compile(
    r"\W*(?:\w+ment )?(?:presenter (?:un|une|le|la|des)|fournir|produire|joindre|comprendre|comporter|contenir|"
    r"etre (?:accompagne|remplace|propose|produit|present|fourni|adresse|transmis|envoye|depose|remis|joint)|"
    r"include|contain|provide|submit(?! (?:a )?new)|enclose|propose|be (?:accompanied|replaced|provided|submitted|sent|delivered|uploaded|lodged|"
    r"attached|enclosed|in the form))"
)
DESCRIBES = re.compile(
    r"(?<![a-z])(?:regroupe|reunit|thanks|invites|issues|seeks|wishes|souhaite|lance|will be (?:free|open|available)|operates|is an?|"
    r"was|has been|serves|est une?|a ete|comptait|dispose d|exploite|comprises|remercie)(?![a-z])"
)
SELF = re.compile(
    r"\W*(?:(?:le|la) presente?|ce|cette|this|the present|the) (?:cahier|marche|document|reglement|consultation|cctp|"
    r"ccap|ccp|section|chapter|annexe?|appendix|rfp|"
    r"appel d'offres|article|request)[^.]{0,60}? (?:fixe|definit|a pour objet|precise|decrit|concerne|describes|"
    r"sets out|contains|explains|defines|provides (?:an|infor)|expands)"
)
CHOICE = re.compile(r"au choix d|a la convenance|at the (?:bidder|tenderer)'?s? (?:choice|option)")
NEUTRAL_HEADINGS = re.compile(
    r"preface|how to use|guidance|notes? (?:to|for|on)|form of|formulaire|declaration|questionnaire|glossary|definitions?|annexe financiere|"
    r"bills? of quantities|avis d'appel|invitation (?:for|to) bids?(?! >)|table of contents|sommaire"
)
"""Headings of forms, notes and lists, where a sentence asks only by words of its own."""
