"""What the buyer's people do, how bids are scored and what becomes of the contract is no duty of the bidder, even among duties."""

from __future__ import annotations

import pytest

from bidproof.catalog.mining.clause_parties import Context
from bidproof.catalog.mining.subjects import classify

PLACE = Context("Services > 4 Services and specifications")


@pytest.mark.parametrize(
    ("sentence", "subject"),
    [
        ("The Parks Manager audits a sample of sites each month.", "buyer"),
        ("Department heads tell the driver of absences each week.", "buyer"),
        ("The museum lends ten display cases for the tour.", "buyer"),
        ("Le régisseur vérifie les constats d'état à l'arrivée.", "buyer"),
        ("Le musée met à disposition un quai de déchargement.", "buyer"),
        ("L'aménageur assure la dépollution des parcelles.", "buyer"),
        ("Le service de la voirie contrôle le balisage.", "buyer"),
        ("Points are calculated as lowest price divided by price.", "buyer"),
        ("Quality counts for 60% and price for 40%.", "buyer"),
        ("Shortlisted vendors get an invitation to a demonstration.", "buyer"),
        ("La note de prix est égale au prix le plus bas divisé par le prix de l'offre.", "buyer"),
        ("Les candidats non retenus sont avisés par courrier.", "buyer"),
        ("Il est mis fin au contrat en cas de faute grave.", "contract"),
        ("La redevance est révisée chaque année selon la formule K.", "contract"),
        ("Delay costs the seller 0.5% of the price of the late goods.", "contract"),
        ("This Agreement is governed by the laws of Ireland.", "contract"),
        ("Le fournisseur défaillant supporte la différence de prix d'un achat pour son compte.", "contract"),
        ("Risk passes on acceptance.", "contract"),
        ("Late delivery costs 0.5% of the price a week.", "contract"),
        ("Opening takes place in public.", "buyer"),
        ("Le choix se fait sur le prix et la qualité.", "buyer"),
        ("La régie signale toute carte perdue.", "buyer"),
        ("Ten boat movements a day are usual.", "none"),
        ("The Trust is not bound to accept the lowest price.", "none"),
        ("Trees on private land fall outside the contract.", "none"),
        ("On entend par « caisse » tout emballage rigide.", "none"),
        ("L'arrêté préfectoral fixe les normes de rejet.", "none"),
    ],
)
def test_others_acts_scores_and_clauses_are_not_the_bidders(sentence: str, subject: str) -> None:
    assert classify(sentence, PLACE).subject == subject


@pytest.mark.parametrize(
    "sentence",
    [
        "The contract manager reviews the log each week.",
        "The supplier's safety officer inspects every ladder twice a year.",
        "A night manager checks the boilers every two hours.",
        "Le directeur d'exploitation du titulaire vérifie les relevés chaque semaine.",
        "Les usagers signalent les pannes par une application fournie par le titulaire.",
        "Le prestataire assure l'entretien des abords.",
        "Rates are firm for two years.",
        "Commission maximale : 0,2 % par transaction.",
        "The provider pays all customs duties.",
    ],
)
def test_the_bidders_own_people_and_acts_stay_the_bidders(sentence: str) -> None:
    assert classify(sentence, PLACE).subject == "bidder"
