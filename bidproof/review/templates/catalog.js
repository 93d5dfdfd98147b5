"use strict";
// Filters the rules, moves between them by keys, and keeps a reviewer's marks in this browser until they are saved to a
// file for `bidproof catalog mark`. Reads the page, writes only attributes and plain text.
(() => {
  const rules = Array.from(document.querySelectorAll(".rule")), pairs = Array.from(document.querySelectorAll(".pair"));
  const left = Array.from(document.querySelectorAll("#left-out tbody tr"));
  const byId = (name) => document.getElementById(name);
  const find = byId("find"), show = byId("show"), area = byId("area"), shown = byId("shown"), tools = byId("tools");
  const fold = (text) => text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "").replace(/\s+/g, " ");
  const texts = rules.map((rule) => fold(rule.textContent + " " + rule.closest(".pair").querySelector(".source").textContent));
  const leftTexts = left.map((row) => fold(row.textContent));
  tools.hidden = false;
  tools.addEventListener("submit", (event) => event.preventDefault());

  const filter = () => {
    const words = fold(find.value).split(" ").filter(Boolean), kind = show.value;
    const holds = (text) => words.every((word) => text.includes(word));
    let count = 0;
    rules.forEach((rule, index) => {
      const kinds = rule.dataset.kinds.split(" ");
      const fits = (!kind || kinds.includes(kind) || (kind === "unseen" && !marks[rule.dataset.id]))
        && (!area.value || rule.dataset.area === area.value) && holds(texts[index]);
      rule.hidden = !fits;
      count += fits ? 1 : 0;
    });
    for (const group of [...pairs, ...document.querySelectorAll(".area")]) group.hidden = !group.querySelector(".rule:not([hidden])");
    left.forEach((row, index) => { row.hidden = !holds(leftTexts[index]); });
    shown.textContent = count === rules.length ? "" : count + " of " + rules.length + " rules";
  };

  // Marks: seen, drop (no rule), duty (mandatory and not are exchanged); by rule id.
  const key = "bidproof catalog " + document.body.dataset.version;
  let marks = {};
  try { marks = JSON.parse(localStorage.getItem(key)) || {}; } catch { marks = {}; }
  const paint = () => {
    let seen = 0, changed = 0;
    for (const rule of rules) {
      const mark = marks[rule.dataset.id] || "";
      for (const name of ["seen", "drop", "duty"]) rule.classList.toggle(name, mark === name);
      seen += mark ? 1 : 0;
      changed += mark && mark !== "seen" ? 1 : 0;
    }
    byId("seen").textContent = seen ? "seen " + seen + " of " + rules.length : "";
    byId("save").hidden = !changed;
    byId("save").textContent = "Save " + changed + (changed === 1 ? " mark" : " marks");
  };
  const mark = (rule, name) => {
    if (!rule) return;
    if (marks[rule.dataset.id] === name) delete marks[rule.dataset.id]; else marks[rule.dataset.id] = name;
    try { localStorage.setItem(key, JSON.stringify(marks)); } catch { /* kept while the page is open */ }
    paint();
  };
  byId("save").addEventListener("click", () => {
    const lines = ["id,mark"];
    for (const rule of rules) {
      const name = marks[rule.dataset.id], must = rule.dataset.kinds.split(" ").includes("mandatory");
      const said = name === "drop" ? "drop" : name === "duty" ? (must ? "optional" : "mandatory") : "";
      if (said) lines.push('"' + rule.dataset.id.replace(/"/g, '""') + '",' + said);
    }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([lines.join("\n") + "\n"], { type: "text/csv" }));
    link.download = "marks.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  });

  const at = () => document.activeElement && document.activeElement.closest(".rule");
  const move = (step, kind) => {
    const seen = rules.filter((rule) => !rule.hidden);
    const now = seen.indexOf(at());
    let next = now < 0 ? (step > 0 ? 0 : seen.length - 1) : now + step;
    while (kind && seen[next] && !seen[next].dataset.kinds.split(" ").includes(kind)) next += step;
    const rule = kind ? seen[next] : seen[Math.min(seen.length - 1, Math.max(0, next))];
    if (!rule) return;
    rule.focus({ preventScroll: true });
    rule.scrollIntoView({ block: "nearest" });
    shown.textContent = "rule " + (rules.indexOf(rule) + 1) + " of " + rules.length;
  };
  const keys = {
    j: () => move(1), k: () => move(-1), n: () => move(1, "look"),
    s: () => { const rule = at(); if (rule && marks[rule.dataset.id] !== "seen") mark(rule, "seen"); move(1); },
    x: () => mark(at(), "drop"), m: () => mark(at(), "duty"),
  };
  find.addEventListener("input", filter);
  show.addEventListener("change", filter);
  area.addEventListener("change", filter);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target instanceof Element && event.target.closest("input, select, textarea");
    if (event.key === "Escape" && typing) { find.value = ""; filter(); event.target.blur(); }
    if (typing) return;
    if (event.key === "/") { event.preventDefault(); find.focus(); }
    else if (Object.hasOwn(keys, event.key)) keys[event.key]();
  });
  document.addEventListener("click", (event) => {
    const rule = event.target instanceof Element && !event.target.closest("a, summary, button") && event.target.closest(".rule");
    if (rule && !String(getSelection())) rule.focus({ preventScroll: true });
  });
  paint();
})();
