"""Reports: annual reports, accounts, audits, studies. Long prose, findings, figures with captions."""

from __future__ import annotations

from bidproof.adapters.rules import Adapter, Mark, Section

REPORT = Adapter(
    name="report",
    description="annual reports, accounts, audits and studies",
    file_marks=(
        Mark(says="a report's name", points=3, pattern=(
            r"\b(?:annual (?:report|accounts)|(?:audit(?:ed)?|inspection|test|survey|feasibility|sustainability|esg) (?:report|accounts|study)"
            r"|financial (?:statements?|report)|rapport (?:annuel|d activite|d audit|de gestion|financier|moral)|etats financiers|10 ?k|10 ?q"
            r"|comptes annuels|bilan|geschaftsbericht|jahresabschluss|memoria anual)\b"
        )),
        Mark(says="named a report", points=2, pattern=r"\b(?:report|rapport|study|etude|bericht|informe)\b"),
    ),
    opening_marks=(
        Mark(says="headed as a report", points=3, pattern=(
            r"^\W*(?:\S+\s+){0,5}?(?:annual report|annual report and accounts|form 10-[kq]|rapport annuel|rapport d'activit[ée]|rapport d'audit"
            r"|audit report|rapport de gestion|financial statements|[ée]tats financiers|comptes annuels|independent auditors?['’]?s? report"
            r"|feasibility study|[ée]tude de faisabilit[ée]|gesch[äa]ftsbericht|jahresabschluss|informe anual|sustainability report)\b.{0,50}$"
        )),
        Mark(says="a filing", points=3, pattern=(
            r"^\W*(?:.{0,30}annual report pursuant to section|commission file number|for the (?:fiscal|quarterly) (?:year|period) ended)"
        )),
        Mark(says="a report's parts", points=1, pattern=(
            r"^\W*(?:\d{1,2}\.?\s+)?(?:executive summary|r[ée]sum[ée] (?:ex[ée]cutif|op[ée]rationnel)|key findings|findings|recommendations"
            r"|conclusions?|recommandations|constats|synth[èe]se|methodology|m[ée]thodologie|chairman's statement|letter to shareholders)\W*$"
        )),
    ),
    sections=(
        Section(content_type="summary", titles=(
            "executive summary", "summary", "management summary", "highlights", "key figures", "key facts", "resume executif",
            "resume operationnel", "synthese", "chiffres cles", "zusammenfassung", "resumen ejecutivo",
        )),
        Section(content_type="finding", titles=(
            "findings", "key findings", "main findings", "observations", "results", "audit findings", "constats", "constatations",
            "resultats", "ergebnisse", "hallazgos", "risk factors", "principal risks", "facteurs de risque",
        )),
        Section(content_type="recommendation", titles=(
            "recommendations", "conclusions and recommendations", "recommandations", "conclusions et recommandations", "empfehlungen",
            "recomendaciones", "action plan", "plan d'action",
        )),
        Section(content_type="conclusion", titles=("conclusion", "conclusions", "schlussfolgerungen", "conclusiones")),
        Section(content_type="method", titles=(
            "methodology", "method", "scope and methodology", "methodologie", "perimetre et methodologie", "methodik", "metodología",
        )),
        Section(content_type="opinion", titles=(
            "independent auditor's report", "independent auditors' report", "report of independent registered public accounting firm",
            "opinion", "basis for opinion", "rapport des commissaires aux comptes", "rapport du commissaire aux comptes", "opinion d'audit",
        )),
        Section(content_type="accounts", titles=(
            "financial statements", "consolidated financial statements", "balance sheet", "consolidated balance sheets", "income statement",
            "statement of cash flows", "consolidated statements of cash flows", "consolidated statements of income",
            "notes to the financial statements", "notes to consolidated financial statements", "etats financiers",
            "comptes consolides", "bilan", "compte de resultat", "bilanz", "estados financieros",
        )),
    ),
    passages=(
        Mark(says="recommendation", needles=("recomm",), pattern=(
            r"\b(?:we recommend|it is recommended|recommendation \d|nous recommandons|il est recommand[ée]|recommandation n?°?\s*\d)"
        )),
        Mark(says="finding", needles=("finding", "we ", "constat", "nous "), pattern=(
            r"\b(?:finding (?:no\.? )?\d|we (?:found|observed|noted)|constat n?°?\s*\d|nous avons (?:constat|relev|observ)[ée])"
        )),
    ),
    annotations=(
        Mark(says="figure", pattern=r"(?m)^(?:figure|fig\.|chart|graph|graphique|abbildung|gr[áa]fico)\s+\d"),
        Mark(says="reporting period", needles=("ended", "as of", "as at", "exercice", "31 d"), pattern=(
            r"\b(?:(?:fiscal )?years? ended|as (?:of|at) (?:\d{1,2} )?(?:december|june|march|september)|exercice clos|au 31 d[ée]cembre)\b"
        )),
        Mark(says="going concern", needles=("going concern", "continuit"), pattern=r"\b(?:going concern|continuit[ée] d'exploitation)\b"),
    ),
)  # fmt: skip
