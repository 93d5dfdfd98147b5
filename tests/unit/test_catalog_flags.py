"""Flags of rules: what bids are risky by, in English and French, on sentences labelled by hand."""

from __future__ import annotations

import pytest

from bidproof.catalog.flags import flags_of

_SHORT = {
    "d": "deadline", "e": "exclusion", "i": "intellectual_property", "s": "sovereignty", "a": "insurance",
}  # fmt: skip

# Each sentence with its flags by letter: d deadline, e exclusion, i intellectual property, s sovereignty,
# a insurance. Invented; labelled before the words of the data file were mended by them.
LABELLED = """
d | Tenders must reach the registry no later than 12 March 2027 at 10:00.
d | The bidder shall deliver all meters within 90 days of signature.
d | Questions are to be sent in writing before the deadline for clarifications.
d | Bids shall be uploaded by 5 p.m. on the closing date.
d | The works shall be finished within a period of twelve (12) months from the commencement order.
de | Late bids will be rejected unopened.
d | The supplier shall hand over the site within fourteen (14) calendar days after notification of the award.
d | The performance security is due on or before the date of signature.
d | Samples shall be delivered not later than 7 working days before opening.
d | The completion date is fixed in the contract data and binds the contractor.
d | Les offres sont remises au plus tard le 3 avril 2027 à 12 h 00.
d | Le titulaire livre les compteurs dans un délai de trente (30) jours à compter de la notification.
de | Les plis arrivés hors délai sont écartés.
d | La date limite de réception des candidatures figure en première page.
d | Le candidat transmet ses questions avant le 14 mai 2027.
d | Le prestataire remet son rapport sous 15 jours ouvrés.
d | Le délai d'exécution est fixé à six mois.
d | L'entrepreneur produit les pièces dans les dix jours suivant la demande.
e | A bid without bid security shall be rejected.
e | Missing signatures are grounds for rejection.
e | The bidder must not be bankrupt or being wound up.
e | Bidders that have been debarred by any public body are not eligible.
e | Any false statement will lead to disqualification of the bidder.
e | The bidder declares that no director has been convicted of fraud or corruption.
e | This criterion is assessed on a pass/fail basis.
e | Firms on a sanctions list may not take part.
e | A bidder shall not have a conflict of interest.
e | Corrupt or fraudulent practices shall not be tolerated.
e | L'acte d'engagement est signé, à peine d'irrecevabilité.
e | Toute offre incomplète sera éliminée.
e | Le candidat atteste ne faire l'objet d'aucune interdiction de soumissionner.
e | Le candidat n'est pas en redressement judiciaire.
e | Une note inférieure à 10 est éliminatoire.
e | Le dossier comprend le mémoire technique, sous peine de rejet de l'offre.
e | L'absence de visite du site est un motif d'exclusion.
e | Les candidatures non signées ne seront pas examinées.
i | All deliverables become the property of the Buyer, with the intellectual property rights in them.
i | The supplier grants a perpetual, irrevocable licence to use the software.
i | Source code shall be deposited in escrow.
i | The bidder shall indemnify the buyer against patent infringement.
i | Copyright in the drawings vests in the Employer.
i | Modules under an open source licence shall be listed.
i | The contractor bears all royalties and licence fees for patents that it uses.
i | Ownership of the reports passes to the Client on payment.
i | Le titulaire cède à l'acheteur les droits d'exploitation sur les résultats.
i | Le code source est remis à la fin du marché.
i | Le prestataire garantit l'acheteur contre toute action en contrefaçon.
i | La propriété intellectuelle des études revient au maître d'ouvrage.
i | Le fournisseur indique les brevets qui protègent son matériel.
s | All data must be stored within the country.
s | Servers shall be located in the European Union.
s | Subscriber data shall not leave India.
s | No personal data may be transferred outside the EEA without consent.
s | The bidder must state whether it is subject to foreign legislation such as the CLOUD Act.
s | The solution is hosted in a data centre in Kenya.
s | Backups are kept in-country at two sites; backups must remain in Kenya.
s | Remote access from abroad is prohibited.
s | The bidder complies with the data localization rules of the central bank.
s | Les données sont hébergées en France.
s | Le prestataire s'engage à ne transférer aucune donnée hors de l'Union européenne.
s | L'hébergeur est qualifié SecNumCloud.
s | Les serveurs sont implantés sur le territoire national.
s | Aucun accès depuis l'étranger aux données hébergées n'est permis.
s | Le candidat précise si une législation étrangère s'applique à ses sous-traitants.
a | The contractor shall insure the works against fire.
a | Public liability cover of at least USD 2 million per occurrence is required.
a | The supplier shall hold professional indemnity insurance.
a | Proof of workmen's compensation shall be supplied.
a | The policy names the Employer as additional insured.
ad | Insurance certificates are to be handed in within 10 days of award.
a | Le titulaire justifie d'une assurance de responsabilité civile professionnelle.
a | L'attestation d'assurance décennale est jointe.
a | Les risques du chantier sont couverts par une police tous risques chantier.
a | Le candidat est assuré contre le vol auprès d'une compagnie notoire.
a | Le prestataire souscrit les assurances nécessaires.
is | The source code is deposited in escrow with an agent; all data must be stored in Germany.
- | The deadline of the project manager's leave is agreed with the team.
- | The bidder shall ensure that each meter is sealed.
- | Prices shall be exclusive of VAT.
- | Prices shall be stated excluding taxes and duties.
- | The quality assurance plan shall name the auditors.
- | Bid security shall be issued by a bank or an insurance company.
- | The bidder shall show experience in the insurance sector.
- | Prices are quoted CIP: cost, insurance and freight paid.
- | The employer shows its social insurance contributions.
- | The contractor shall correct patent and latent defects.
- | The data sheets shall be in English and cover each product sold in Kenya.
- | A sovereign guarantee is not required.
- | The kick-off workshop will be hosted in Nairobi by the bidder.
- | The bidder shall list three similar projects in Germany.
- | The meter shall have a common-mode rejection ratio of 60 dB.
- | Rejected goods shall be replaced free of charge.
- | The system shall detect fraud in real time.
- | The platform shall send reminders before each deadline.
- | The display shall remain legible for 15 years.
- | Response time shall be under 4 hours.
- | Bids remain valid for 90 days.
- | The system shall be available 99.9 % of the time.
- | The bidder shall support 500 concurrent users.
- | The contract is exclusively governed by the laws of Kenya.
- | Staff hold a driving licence of class B.
- | The supplier shall provide a trade licence.
- | Screens shall show the exclusion zone around the crane.
- | The staff shall be insulated from live parts.
- | Le candidat assure la maintenance des équipements.
- | Le plan d'assurance qualité est joint à l'offre.
- | Les prix sont indiqués hors taxes, à l'exclusion de la TVA.
- | L'agent est titulaire d'un brevet de secouriste.
- | Le chef de chantier a un brevet professionnel.
- | La marque citée ou son équivalent est admise.
- | Le service est assuré par trois agents.
- | Les offres restent valables cent vingt jours.
- | Le délai de paiement est de trente jours.
- | Le candidat fournit son attestation d'assurance maladie.
- | La salle est située en France.
- | Le titulaire présente un planning détaillé des travaux.
- | Les échantillons refusés sont repris par le fournisseur.
- | Le logiciel détecte la fraude au comptage.
- | Les candidats peuvent répondre en groupement.
"""


def _cases() -> list[tuple[str, frozenset[str]]]:
    lines = [line.split(" | ", 1) for line in LABELLED.strip().splitlines()]
    return [(text, frozenset(_SHORT[letter] for letter in flags if letter != "-")) for flags, text in lines]


@pytest.mark.parametrize(("text", "flags"), _cases())
def test_a_sentence_has_the_flags_that_a_person_gives_it(text: str, flags: frozenset[str]) -> None:
    assert set(flags_of(text)) == flags
