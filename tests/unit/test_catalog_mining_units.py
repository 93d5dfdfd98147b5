"""Units of an RFP: whose duty each sentence and item states, and the atomic rules in it, in English and French."""

from __future__ import annotations

import pytest
from rfp_builder import block, prose, rules_of, subjects_of, units_of

from bidproof.catalog import Context, LeftOut, mine, subject_of
from bidproof.params import CatalogParams
from bidproof.tables import BLOCKS, DOCUMENTS

ITT, GCC = "Section I Instructions to Tenderers", "Part 3 > General Conditions of Contract"
RC, CCP = (
    "Règlement de la consultation",
    "Cahier des clauses particulières > Article 5 Exécution des prestations",
)


@pytest.mark.parametrize(
    ("subject", "heading", "sentence"),
    [
        ("bidder", ITT, "A tenderer shall not have a conflict of interest."),
        ("bidder", ITT, "The tender shall remain valid for 120 days after the deadline."),
        ("bidder", ITT, "Any tender without an enforceable tender security shall be rejected as non-responsive."),
        ("bidder", ITT, "Alternative tenders shall not be considered."),
        ("bidder", ITT, "No bid may be withdrawn after the deadline."),
        ("bidder", ITT, "Prices quoted by the tenderer shall be fixed."),
        ("bidder", ITT, "A firm that has been debarred is not eligible to tender."),
        ("bidder", ITT, "All fields of the form must be completed by the vendor."),
        ("bidder", ITT, "Tenders to be delivered in duplicate to the reception desk."),
        ("bidder", ITT, "Bidders should describe their approach to knowledge transfer."),
        ("bidder", GCC, "The Contractor shall keep a competent superintendent on the site."),
        ("bidder", "Technical Specifications", "Reinforcement bars must be free from rust."),
        ("bidder", "Technical requirements", "The system shall support a workflow for disputes and terminations."),
        ("bidder", "6 Insurance", "Insurance: General Liability EUR 5 million per event."),
        ("buyer", ITT, "The Procuring Entity reserves the right to reject any tender."),
        ("buyer", ITT, "Tenders shall be opened one at a time."),
        ("buyer", ITT, "The tender security may be forfeited when a tenderer withdraws."),
        ("buyer", GCC, "The Project Manager shall certify the amount to be paid to the Contractor."),
        ("bidder", "5 Staff", "The Project Manager shall have ten years of experience."),
        ("contract", GCC, "The Contractor shall pay liquidated damages for each day of delay."),
        ("contract", GCC, "The Contract shall be governed by the laws of the land."),
        ("contract", GCC, "Disputes shall be referred to arbitration."),
        ("third_party", GCC, "The Adjudicator shall give a decision within 28 days."),
        ("none", ITT, "The tenderer may visit the site at its own risk."),
        ("none", ITT, "The works are described in Section VI."),
        ("bidder", RC, "Les candidats doivent produire une attestation d'assurance."),
        ("bidder", RC, "Les offres sont rédigées en langue française."),
        ("bidder", RC, "Les plis sont transmis par voie électronique, à peine d'irrecevabilité."),
        ("bidder", RC, "Toute offre remise hors délai sera éliminée."),
        ("bidder", RC, "Les variantes ne sont pas autorisées."),
        ("bidder", RC, "Le candidat ne peut présenter qu'une seule offre."),
        ("bidder", CCP, "Le prestataire s'engage à remplacer tout agent absent dans l'heure."),
        ("bidder", CCP, "Les agents sont titulaires d'une carte professionnelle."),
        ("bidder", CCP, "Il est interdit aux agents de quitter leur poste."),
        ("buyer", RC, "Les offres sont classées par ordre décroissant."),
        ("buyer", RC, "Le pouvoir adjudicateur se réserve le droit de négocier."),
        ("buyer", CCP, "La collectivité met un local à la disposition du titulaire."),
        ("contract", "Article 9 Pénalités", "En cas de retard, le titulaire encourt une pénalité de 100 euros."),
        ("contract", "Article 7 Prix", "Les prix sont révisés chaque année selon la formule."),
        ("bidder", ITT, "If a tenderer wishes to contact the Employer, it shall do so in writing."),
        ("bidder", ITT, "The Procuring Entity requires compliance with the Competition Act."),
        ("bidder", ITT, "In the case of a joint venture, all members shall be jointly and severally liable."),
        ("none", ITT, "The maximum number of members shall be specified in the TDS."),
        ("none", ITT, "“Deviation” is a departure from the requirements."),
        ("buyer", ITT, "In case of several lots, insert “one or more lots may be tendered for”."),
        ("buyer", "35 Evaluation of Tenders", "A margin of preference shall not be allowed."),
        ("buyer", "35 Evaluation of Tenders", "TheProcuring Entity shall use the criteria of Section III."),
        ("buyer", "Bills of Quantities > Preamble", "Quantities should be computed net from the drawings."),
        ("bidder", "Preambles > Plant", "Provide, erect and maintain all necessary scaffolding."),
        ("buyer", "4 Earthworks", "The Engineer will inspect each layer before the next is placed."),
        ("bidder", "4 Earthworks", "Compaction tests will be carried out by the Contractor."),
        ("contract", GCC, "The Employer may terminate the Contract if the Contractor becomes bankrupt."),
        ("contract", GCC, "Each item of plant shall become the property of the Employer."),
        ("bidder", CCP, "L'effectif minimal est de deux agents par poste."),
        ("bidder", CCP, "Tout remplacement est soumis à l'accord préalable du client."),
        ("bidder", CCP, "La formation du personnel sera assurée par le titulaire."),
        ("bidder", RC, "Seules les offres ayant obtenu une note de 70 points seront ouvertes."),
        ("none", RC, "Le marché n'est pas alloti."),
        ("none", CCP, "Le présent cahier fixe les conditions d'exécution."),
    ],
)  # fmt: skip
def test_the_subject_of_a_sentence_is_whose_duty_it_states(subject: str, heading: str, sentence: str) -> None:
    assert subject_of(sentence, Context(heading)) == subject


def test_a_buyer_that_speaks_under_its_own_name_is_the_buyer() -> None:
    frame = prose(
        "Norrland Rail reserves the right to cancel.",
        "Norrland Rail shall answer all questions within a week.",
    )
    assert subjects_of(frame) == ["buyer", "buyer"]
    assert rules_of(frame) == []


def test_a_note_to_whoever_fills_in_the_model_is_no_rule() -> None:
    frame = prose(
        "Specific details should be furnished in the spaces indicated.",
        heading="Preface > How to use this document",
    )
    assert subjects_of(frame) == ["buyer"]


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("The bidder shall sign the bid and shall initial each page.", ["The bidder shall sign the bid", "The bidder shall initial each page."]),
        ("The platform must log every access, with no personal data in the logs.", ["The platform must log every access", "The platform: no personal data in the logs."]),
        ("Data must be kept for 7 years and deleted by the vendor after that.", ["Data must be kept for 7 years", "Data must be deleted by the vendor after that."]),
        ("The tender shall contain the form of tender, a power of attorney and the price schedule.", ["The tender shall contain the form of tender", "The tender shall contain a power of attorney", "The tender shall contain the price schedule."]),
        ("The bidder shall submit either a bank guarantee or an insurance bond, and its receipt.", ["The bidder shall submit either a bank guarantee or an insurance bond, and its receipt."]),
        ("If a tenderer does not provide its answer by the date set, its tender may be rejected.", ["If a tenderer does not provide its answer by the date set, its tender may be rejected."]),
        ("All plant shall comply with all safety regulations.", ["All plant shall comply with all safety regulations."]),
        ("The Contractor shall remove and clear away all rubbish.", ["The Contractor shall remove and clear away all rubbish."]),
        ("Meters must be tested and sealed in the factory.", ["Meters must be tested and sealed in the factory."]),
        ("Proposals must be submitted via the portal by 10 April 2026.", ["Proposals must be submitted via the portal", "Proposals: by 10 April 2026."]),
        ("Le pli doit être fermé et porter de façon apparente l'objet du marché.", ["Le pli doit être fermé", "Le pli doit porter de façon apparente l'objet du marché."]),
        ("Le candidat doit fournir un extrait du registre, une attestation fiscale et un bilan.", ["Le candidat doit fournir un extrait du registre", "Le candidat doit fournir une attestation fiscale et un bilan."]),
    ],
)  # fmt: skip
def test_separately_checkable_things_are_rules_of_their_own(sentence: str, parts: list[str]) -> None:
    assert rules_of(prose(sentence)) == parts


def test_an_item_takes_its_lead_in_and_a_nested_list_its_case() -> None:
    frame = prose(
        "The bid shall include:",
        "a) the signed form of tender;",
        "b) for joint ventures:",
        "- the joint venture agreement;",
        "- a letter of each partner;",
        "c) the bid security.",
    )
    assert rules_of(frame) == [
        "The bid shall include: the signed form of tender",
        "The bid shall include: for joint ventures: the joint venture agreement",
        "The bid shall include: for joint ventures: a letter of each partner",
        "The bid shall include: the bid security.",
    ]


def test_a_list_inside_a_sentence_parts_at_its_letters() -> None:
    frame = prose(
        "The bid shall contain: (a) the price schedule; (b) a tax certificate; and (c) two references."
    )
    assert [text.partition(": ")[2].rstrip(" .") for text in rules_of(frame)] == [
        "the price schedule",
        "a tax certificate",
        "two references",
    ]


def test_a_lead_in_of_the_buyer_makes_no_rules_of_its_items() -> None:
    frame = prose(
        "Le dossier d'appel d'offres comprend :",
        "- Le modèle de l'acte d'engagement ;",
        "- Le présent règlement.",
    )
    assert set(subjects_of(frame)) == {"buyer"}


def test_documents_asked_for_under_a_heading_need_no_verb() -> None:
    frame = prose(
        "- Une attestation fiscale de moins d'un an ;",
        "- Les statuts de la société.",
        heading="Dossier administratif : pièces à fournir",
    )
    assert [(u.subject, len(u.rules)) for u in units_of(frame)] == [("bidder", 1), ("bidder", 1)]


def test_alternatives_of_a_list_are_one_rule() -> None:
    frame = prose(
        "Les plis sont, au choix des concurrents :",
        "- soit déposés au bureau d'ordre ;",
        "- soit envoyés par courrier recommandé.",
    )
    assert [len(u.rules) for u in units_of(frame)] == [1]


def test_a_paragraph_that_a_page_break_cuts_is_one_statement_of_the_first_page() -> None:
    frame = BLOCKS.frame(
        [
            block(0, "Questions shall be sent by the bidder no later than seven days before"),
            block(0, "the opening of the bids.", page=2),
        ]
    )
    (unit,) = units_of(frame)
    assert (unit.page, unit.text[-24:]) == (1, "the opening of the bids.")


@pytest.mark.parametrize(
    ("text", "strength", "words"),
    [
        ("The bidder shall sign the bid.", (True, False), "shall"),
        ("A bid without a signature will be rejected.", (True, False), "will be rejected"),
        ("Bidders should state their delivery time.", (False, False), "should"),
        ("Le candidat doit signer, à peine d'irrecevabilité.", (True, False), "à peine d'irrecevabilité"),
        ("Le candidat peut présenter une note méthodologique.", (False, False), "peut"),
        ("The bidder shall describe its method (20 points).", (False, True), "20 points"),
    ],
)
def test_the_words_that_say_how_strongly_are_kept(text: str, strength: tuple[bool, bool], words: str) -> None:
    (rule,) = units_of(prose(text))[0].rules
    assert ((rule.mandatory, rule.scored), rule.obligation) == (strength, words)


def test_everything_that_obliges_is_a_rule_or_left_out_with_its_reason() -> None:
    frame = prose(
        "The bidder shall sign the bid.", "The Employer shall pay in 30 days.", "The Contract shall enter into force on signature.",
        "The Guarantor shall pay on first demand.", "Bids are compared. Work means all that must be done.",
    )  # fmt: skip
    left = mine(frame, DOCUMENTS.empty(), CatalogParams()).left_out
    assert [(one.subject, one.why) for one in left] == [
        ("buyer", "a duty of the buyer"),
        ("contract", "a consequence of the contract to come, not of the bid"),
        ("third_party", "a duty of a third party"),
        ("buyer", "a duty of the buyer"),
        ("none", "a definition"),
    ]


def test_figures_of_a_lead_in_with_a_duty_of_its_own_do_not_reach_its_items() -> None:
    frame = prose(
        "Le pli contient trois enveloppes comprenant :",
        "- le dossier administratif signé ;",
        "- l'offre financière signée.",
        heading=RC,
    )
    found = rules_of(frame)
    assert found[0] == "Le pli contient trois enveloppes"
    assert all("trois" not in text for text in found[1:])


def conflict_lines(left: tuple[LeftOut, ...]) -> list[str]:
    return [one.text for one in left if one.why.startswith("conflict")]


def test_the_same_duty_at_two_places_is_one_rule_in_the_fuller_wording() -> None:
    frame = BLOCKS.frame([
        block(0, "The bidder shall provide the bid security with the bid for 120 days."),
        block(0, "The bidder shall provide the signed bid security with the bid for 120 days.", page=4, heading_path="7 Checklist"),
    ])  # fmt: skip
    (rule,) = mine(frame, DOCUMENTS.empty(), CatalogParams()).rules
    assert rule.text == "The bidder shall provide the signed bid security with the bid for 120 days."
    assert [source.page for source in rule.sources] == [1, 4]
    assert (rule.source_page, rule.source_quote) == (
        1,
        "The bidder shall provide the bid security with the bid for 120 days.",
    )


def test_the_same_duty_with_another_figure_is_kept_and_called_a_conflict() -> None:
    frame = BLOCKS.frame([
        block(0, "The bid shall remain valid for 90 days after its opening."),
        block(0, "The bid shall remain valid for 120 days after its opening.", page=4, heading_path="7 Checklist"),
    ])  # fmt: skip
    mined = mine(frame, DOCUMENTS.empty(), CatalogParams())
    assert len(mined.rules) == 2
    assert conflict_lines(mined.left_out) == ["The bid shall remain valid for 120 days after its opening."]
    assert "p. 1" in mined.left_out[-1].why


def test_a_negation_or_another_object_is_another_rule() -> None:
    frame = prose(
        "The bidder shall attach the certificate of origin to the bid.", "The bidder shall not attach the certificate of origin to the bid.",
        "The bidder shall attach the certificate of tax to the bid.",
    )  # fmt: skip
    assert len(mine(frame, DOCUMENTS.empty(), CatalogParams()).rules) == 3


def test_ids_survive_unrelated_edits_and_a_second_run() -> None:
    one = prose("The bidder shall sign the bid.", "The bidder shall pay the fee.")
    other = prose(
        "A new foreword.",
        "The bidder shall sign the bid.",
        "The vendor shall train the staff.",
        "The bidder shall pay the fee.",
    )
    ids = {r.text: r.rule_id for r in mine(one, DOCUMENTS.empty(), CatalogParams()).rules}
    again = {r.text: r.rule_id for r in mine(other, DOCUMENTS.empty(), CatalogParams()).rules}
    assert ids.items() <= again.items()
    assert mine(other, DOCUMENTS.empty(), CatalogParams()) == mine(other, DOCUMENTS.empty(), CatalogParams())


@pytest.mark.parametrize(
    ("sentence", "rule", "gone"),
    [
        ("The Supplier shall deliver 20 pumps, and the insurer must be rated at least A by AM Best.",
         "The Supplier shall deliver 20 pumps", "the insurer must be rated at least A by AM Best."),
        ("The Supplier shall deliver 20 pumps; the bank must issue a guarantee of 10 % of the price.",
         "The Supplier shall deliver 20 pumps", "the bank must issue a guarantee of 10 % of the price."),
        ("Le titulaire doit livrer 20 pompes ; la banque doit émettre une garantie de 10 % du prix.",
         "Le titulaire doit livrer 20 pompes", "la banque doit émettre une garantie de 10 % du prix."),
    ],
)  # fmt: skip
def test_a_part_that_binds_somebody_else_is_no_rule_and_is_named(sentence: str, rule: str, gone: str) -> None:
    mined = mine(prose(sentence), DOCUMENTS.empty(), CatalogParams())
    assert [one.text for one in mined.rules] == [rule]
    assert [(one.text, one.why) for one in mined.left_out] == [
        (sentence, f"in part the duty of somebody else; {gone}")
    ]


def test_a_sentence_whose_parts_all_bind_the_bidder_leaves_nothing_out() -> None:
    sentence = (
        "The Supplier shall deliver 20 pumps; the Supplier must issue a guarantee of 10 % of the price."
    )
    mined = mine(prose(sentence), DOCUMENTS.empty(), CatalogParams())
    assert (len(mined.rules), mined.left_out) == (2, ())


@pytest.mark.parametrize(
    ("always", "case"),
    [
        ("The bidder shall submit a signed declaration of honesty and tax clearance issued by the revenue authority.",
         "If a consortium, the bidder shall submit a signed declaration of honesty and tax clearance issued by the revenue "
         "authority."),
        ("The bidder shall submit a signed declaration of honesty and tax clearance issued by the revenue authority.",
         "Unless exempt, the bidder shall submit a signed declaration of honesty and tax clearance issued by the revenue "
         "authority."),
        ("Le soumissionnaire doit remettre une attestation fiscale récente délivrée par la direction des impôts de son pays avant le "
         "jour du dépôt de son offre initiale.",
         "Le soumissionnaire doit remettre une attestation fiscale récente délivrée par la direction des impôts de son pays avant le "
         "jour du dépôt de son offre initiale s'il est étranger."),
        ("Le soumissionnaire doit remettre une attestation fiscale récente délivrée par la direction des impôts de son pays.",
         "Sauf dispense, le soumissionnaire doit remettre une attestation fiscale récente délivrée par la direction des impôts de "
         "son pays."),
    ],
)  # fmt: skip
def test_a_duty_of_one_case_is_not_merged_with_the_duty_of_all(always: str, case: str) -> None:
    for order in ((always, case), (case, always)):
        mined = mine(prose(*order), DOCUMENTS.empty(), CatalogParams())
        assert [rule.text for rule in mined.rules] == list(order)
    # The same case in other words is still one rule.
    assert (
        len(
            mine(
                prose(case, case.replace(" a ", " the ").replace(" une ", " l'")),
                DOCUMENTS.empty(),
                CatalogParams(),
            ).rules
        )
        == 1
    )
