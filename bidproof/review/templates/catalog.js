"use strict";
// Filters the rules and moves between them by keys. Reads the page, writes only attributes and plain text.
(() => {
  const rules = Array.from(document.querySelectorAll(".rule"));
  const find = document.getElementById("find"), show = document.getElementById("show");
  const shown = document.getElementById("shown"), tools = document.getElementById("tools");
  const fold = (text) => text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "").replace(/\s+/g, " ");
  const texts = rules.map((rule) => fold(rule.textContent));
  tools.hidden = false;
  tools.addEventListener("submit", (event) => event.preventDefault());

  const filter = () => {
    const words = fold(find.value).split(" ").filter(Boolean), kind = show.value;
    let count = 0;
    rules.forEach((rule, index) => {
      const fits = (!kind || rule.dataset.kinds.split(" ").includes(kind)) && words.every((word) => texts[index].includes(word));
      rule.hidden = !fits;
      count += fits ? 1 : 0;
    });
    document.querySelectorAll(".area").forEach((area) => { area.hidden = !area.querySelector(".rule:not([hidden])"); });
    shown.textContent = count === rules.length ? "" : count + " of " + rules.length + " rules";
  };
  const move = (step) => {
    const seen = rules.filter((rule) => !rule.hidden);
    if (!seen.length) return;
    const now = seen.indexOf(document.activeElement && document.activeElement.closest(".rule"));
    const next = seen[now < 0 ? (step > 0 ? 0 : seen.length - 1) : Math.min(seen.length - 1, Math.max(0, now + step))];
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  };
  find.addEventListener("input", filter);
  show.addEventListener("change", filter);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target instanceof Element && event.target.closest("input, select, textarea");
    if (event.key === "Escape" && typing) { find.value = ""; filter(); find.blur(); }
    if (typing) return;
    if (event.key === "/") { event.preventDefault(); find.focus(); }
    if (event.key === "j") move(1);
    if (event.key === "k") move(-1);
  });
})();
