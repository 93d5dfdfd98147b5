"""CVs of key personnel: sections by customary titles, each position or degree an entry of its own."""

from __future__ import annotations

from bidproof.adapters.rules import Adapter, Mark, Section

_MONTH = (
    r"(?:jan(?:uary|v(?:ier)?)?|feb(?:ruary)?|f[ée]v(?:r(?:ier)?)?|mar(?:ch|s)?|apr(?:il)?|avr(?:il)?|may|mai|june?|juin"
    r"|jul(?:y)?|juil(?:let)?|aug(?:ust)?|ao[ûu]t|sept?(?:ember|embre)?|oct(?:ober|obre)?|nov(?:ember|embre)?"
    r"|dec(?:ember)?|d[ée]c(?:embre)?)\.?"
)
_DATE = rf"(?:(?:\d{{1,2}}[/.])?(?:\d{{1,2}}[/.]|{_MONTH}\s+)?(?:19|20)\d\d)"
_NOW = r"(?:present|today|now|current|date|to date|ongoing|ce jour|aujourd'hui|pr[ée]sent|en cours|actuel(?:lement)?|heute|actualidad|actual)"
_TO = r"\s*(?:[-–—/]|to|until|till|[àa]|au|jusqu'[àa]|bis|hasta)\s*"
PERIOD = rf"(?:{_DATE}{_TO}(?:the\s+)?(?:{_DATE}|{_NOW})|(?:since|depuis|seit|desde|from)\s+{_DATE}|{_DATE}\s*[-–—]\s*$)"

CV = Adapter(
    name="cv",
    description="CVs of key personnel",
    file_marks=(
        Mark(says="a CV's name", points=4, pattern=(
            r"\b(?:cvs?|curriculum|vitae|resumes?|lebenslauf|hoja de vida|tech 6)\b"
        )),
        Mark(says="key personnel", points=2, pattern=(
            r"\b(?:key (?:personnel|experts?|staff)|experts? cles|personnel cle)\b"
        )),
    ),
    opening_marks=(
        Mark(says="headed curriculum vitae", points=4, pattern=(
            r"^\W*(?:form\s+\S+\s*[-–—:]?\s*)?(?:(?:europass\s+)?curriculum\s+vitae|r[ée]sum[ée]|lebenslauf|hoja de vida)\b.{0,50}$"
        )),
        Mark(says="particulars of a person", points=1, pattern=(
            r"^\W*(?:date (?:of birth|de naissance)|n[ée]e? le|nationality|nationalit[ée]|marital status|situation familiale"
            r"|name of (?:expert|staff|key personnel|candidate)|proposed position|poste propos[ée]|years with (?:firm|employer))\b"
        )),
    ),
    max_pages=60,
    titles_decide=True,
    has_cover=False,
    sections=(
        Section(content_type="profile", titles=(
            "profile", "personal profile", "professional profile", "professional summary", "career summary", "summary of qualifications",
            "key qualifications", "objective", "about me", "personal details", "personal data", "personal information", "profil",
            "profil professionnel", "qualifications principales", "etat civil", "informations personnelles", "perfil profesional",
            "datos personales", "persönliche daten", "kurzprofil",
        )),
        Section(content_type="position", titles=(
            "work experience", "professional experience", "experience", "employment", "employment history", "employment record",
            "work history", "career history", "professional background", "relevant experience", "project experience", "selected projects",
            "key projects", "employment record relevant to the assignment", "countries of work experience",
            "work undertaken that best illustrates capability to handle the tasks assigned",
            "experience professionnelle", "experiences professionnelles", "parcours professionnel", "experiences",
            "references de projets", "experiencia laboral", "experiencia profesional", "berufserfahrung", "beruflicher werdegang",
        )),
        Section(content_type="education", titles=(
            "education", "education and training", "academic background", "academic qualifications", "qualifications",
            "educational background", "training", "formation", "formations", "formation initiale", "formation continue", "etudes",
            "diplomes", "formation academique", "parcours academique", "educación", "formación", "formación académica", "ausbildung",
            "schulbildung", "studium",
        )),
        Section(content_type="certification", titles=(
            "certifications", "certificates", "certifications and training", "professional certifications", "licences", "licenses",
            "memberships", "professional memberships", "membership of professional bodies", "membership in professional associations",
            "habilitations", "certificats", "affiliations professionnelles", "zertifikate", "certificaciones",
        )),
        Section(content_type="skills", titles=(
            "skills", "key skills", "core competencies", "competencies", "technical skills", "computer skills", "it skills", "expertise",
            "competences", "competences cles", "competences techniques", "competences informatiques", "savoir-faire", "habilidades",
            "competencias", "kenntnisse", "fähigkeiten",
        )),
        Section(content_type="languages", titles=(
            "languages", "language skills", "languages spoken", "langues", "langues parlees", "competences linguistiques", "idiomas",
            "sprachen", "sprachkenntnisse",
        )),
        Section(content_type="publications", titles=(
            "publications", "papers", "papers and publications", "publicaciones", "veröffentlichungen",
        )),
        Section(content_type="referees", titles=("references", "referees", "referenzen", "referencias")),
        Section(content_type="other", titles=(
            "interests", "hobbies", "hobbies and interests", "other information", "additional information", "certification by the expert",
            "centres d'interet", "loisirs", "divers", "sonstiges", "intereses",
        )),
    ),
    entry=PERIOD,
    # An entry is one thought: it is cut only where it is longer than a chunk can be.
    target_tokens=240,
    least_words=4,
    annotations=(
        Mark(says="period", needles=("19", "20"), pattern=PERIOD),
        Mark(says="current", needles=("19", "20"), pattern=rf"{_TO}(?:the\s+)?{_NOW}\b|\b(?:since|depuis|seit|desde)\s+{_DATE}"),
        Mark(says="degree", pattern=(
            r"\b(?:ph\.?\s?d|doctorate|doctorat|master(?:'s)?|m\.?sc|mba|b\.?sc|bachelor(?:'s)?|b\.?eng|m\.?eng|licence|dipl[ôo]me|diploma"
            r"|ing[ée]nieur d'[ée]tat|bts|dut|degree)\b"
        )),
    ),
)  # fmt: skip
