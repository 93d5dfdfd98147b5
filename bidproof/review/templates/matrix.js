// Behaviour of the compliance matrix: filters, keyboard, drawer, deep links. Reads the data embedded in this
// file and writes text nodes only, so nothing in a bid can become markup. Asks the network for nothing.
"use strict";
(function () {
  const SVG = "http://www.w3.org/2000/svg";
  const byId = (id) => document.getElementById(id);
  const app = byId("app"), drawer = byId("drawer"), body = byId("d-body");
  const rows = Array.from(document.querySelectorAll("tr.r"));
  const buttons = Array.from(document.querySelectorAll("button.cell"));
  let data = null, opened = -1, width = 1, haystacks = [];

  function el(tag, attributes, ...parts) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value === true ? "" : String(value));
    }
    for (const part of parts.flat()) {
      if (part !== undefined && part !== null && part !== "") node.append(part);
    }
    return node;
  }

  function icon(name) {
    const svg = document.createElementNS(SVG, "svg"), use = document.createElementNS(SVG, "use");
    svg.setAttribute("class", "icon");
    svg.setAttribute("aria-hidden", "true");
    use.setAttribute("href", "#i-" + name);
    svg.append(use);
    return svg;
  }

  const text = (tag, name, value) => (value ? el(tag, { class: name, dir: "auto" }, value) : null);
  const bdi = (value) => el("bdi", {}, value);
  const pill = (status) => el("span", { class: "pill big " + status.toLowerCase() }, icon(status.toLowerCase()), status);
  const words = (name) => String(name).replace(/_/g, " ").replace(/^./, (c) => c.toUpperCase());

  function section(title, ...parts) {
    const kept = parts.flat().filter(Boolean);
    return kept.length ? el("section", {}, el("h3", {}, title), kept) : null;
  }

  function source(cell) {
    if (!cell.file && !cell.cite) return null;
    return el("p", { class: "source" }, cell.cite ? el("b", { class: "d-cite" }, cell.cite) : "", cell.cite && cell.file ? " · " : "", cell.file ? el("bdi", { class: "file" }, cell.file) : "");
  }

  function heading(path) {
    if (!path) return null;
    const parts = [];
    path.split(" > ").forEach((step, i) => parts.push(i ? el("span", { class: "sep", "aria-hidden": "true" }, " › ") : "", bdi(step)));
    return el("p", { class: "path" }, parts);
  }

  function quoteBlock(cell) {
    if (!cell.quote) return null;
    if (!cell.context) return el("blockquote", { dir: "auto" }, el("mark", {}, cell.quote));
    const [before, quote, after] = cell.context;
    return el("blockquote", { dir: "auto" }, before, el("mark", {}, quote), after);
  }

  function checks(cell) {
    const line = (mark, word) => (check) => {
      const cut = check.indexOf(": ");
      const named = cut > 0 && cut < 40 ? [el("b", {}, check.slice(0, cut)), check.slice(cut)] : [check];
      return el("li", { class: mark, dir: "auto" }, icon(mark), el("span", {}, el("span", { class: "hidden" }, word + ": "), named));
    };
    const items = [...(cell.bad || []).map(line("fail", "failed")), ...(cell.ok || []).map(line("pass", "passed"))];
    return items.length ? el("ul", { class: "checks" }, items) : el("p", { class: "quiet" }, "No check is recorded.");
  }

  function passage(p) {
    const how = [p.why, p.rank ? "rank " + p.rank : "", p.attempt ? "attempt " + p.attempt : ""].filter(Boolean).join(", ");
    return el("li", { class: "passage" }, source(p), heading(p.heading), how && el("p", { class: "why" }, "Read because: " + how),
      text("p", "text", p.text), p.unseen && el("p", { class: "quiet" }, "Terms still unseen after all passages: " + p.unseen.join(", ")));
  }

  function tree(value) {
    if (Array.isArray(value)) return value.length ? el("ul", {}, value.map((v) => el("li", {}, tree(v)))) : "none";
    if (value && typeof value === "object") {
      return el("dl", {}, Object.entries(value).map(([name, v]) => el("div", {}, el("dt", {}, words(name)), el("dd", {}, tree(v)))));
    }
    if (value === null || value === "") return "none";
    return bdi(value === true ? "yes" : value === false ? "no" : String(value));
  }

  function where(cell) {
    if (!cell.boxes && !cell.link) return null;
    const boxes = (cell.boxes || []).map(([page, x0, y0, x1, y1]) => el("li", {}, `PDF page ${page}: ${x0}, ${y0} to ${x1}, ${y1} points from the top left`));
    return el("details", { class: "more" }, el("summary", {}, cell.boxes ? "Where on the page" : "Where in the file"), cell.link && el("p", {}, el("code", {}, cell.link)), boxes.length ? el("ul", {}, boxes) : "");
  }

  function ruleBlock(rule) {
    const origin = [rule.page ? "RFP page " + rule.page : "", rule.clause].filter(Boolean).join(", ");
    return el("section", { class: "d-rule" }, text("p", "d-text", rule.text),
      el("p", { class: "quiet" }, [rule.mandatory ? "Mandatory" : "Scored", rule.area, origin].filter(Boolean).join(" · ")),
      rule.source && rule.source !== rule.text && el("details", { class: "more" }, el("summary", {}, "As the RFP states it"), text("p", "text", rule.source)));
  }

  function verdictBlock(cell) {
    const shown = el("p", { class: "d-verdict" }, pill(cell.status), cell.review && el("span", { class: "needs-text" }, icon("flag"), "Needs review"), cell.risk && el("span", { class: "risk" }, cell.risk + " risk"));
    const notes = [cell.decided && "Decided by " + cell.decided + ".", cell.judged && !cell.decided && `The judge said ${cell.judged}; the checks lowered it to ${cell.status}.`].filter(Boolean);
    return el("section", { class: "d-head" }, shown, cell.review && text("p", "reason", cell.reason || "No reason is stored."),
      text("p", "rationale", cell.rationale), notes.map((note) => el("p", { class: "quiet" }, note)));
  }

  function proofBlock(cell) {
    if (!cell.quote) return null;
    const proven = ["exact", "typographic", "dehyphenated"].includes(cell.match);
    return el("section", { class: "d-proof" }, el("h3", {}, "Evidence"), source(cell), heading(cell.heading), quoteBlock(cell),
      el("p", { class: "match " + (proven ? "pass" : "fail") }, icon(proven ? "pass" : "warn"), data.match[cell.match] || cell.match),
      cell.passage && [el("p", { class: "quiet" }, "The quote runs beyond the passage that was read:"), text("p", "text", cell.passage)], where(cell));
  }

  function absenceBlock(cell) {
    if (cell.absence === undefined || cell.absence === null) return null;
    return el("section", { class: "absence" }, el("h3", {}, "Why it counts as missing"), el("div", { class: "certificate" }, tree(cell.absence)));
  }

  function fill(index) {
    const cell = data.cells[index], rule = data.rules[Math.floor(index / width)], bidder = data.bidders[index % width];
    byId("d-where").replaceChildren(bdi(bidder.name));
    const found = cell.found ? `${cell.found} passages of this bid were candidates for the rule.` : "No search leg found a candidate in this bid.";
    const title = el("h2", { id: "d-title" }, el("span", { class: "rid" }, bdi(rule.id)), " ", el("span", { class: "hidden" }, "for " + bidder.name));
    body.replaceChildren(...[title, ruleBlock(rule), verdictBlock(cell), proofBlock(cell), absenceBlock(cell),
      section("Further quotes", (cell.quotes || []).map((quote) => el("blockquote", { class: "small", dir: "auto" }, quote))),
      section("Checks", checks(cell)),
      section("Other passages", el("p", { class: "quiet" }, found), cell.others && el("ol", { class: "passages" }, cell.others.map(passage))),
      cell.judge && el("p", { class: "quiet" }, "Judge: " + cell.judge)].filter(Boolean));
    body.scrollTop = 0;
  }

  const linkTo = (index) => "#rule=" + encodeURIComponent(data.rules[Math.floor(index / width)].id) + "&bidder=" + encodeURIComponent(data.bidders[index % width].slug);

  function focusable(index) {
    for (const button of buttons) button.tabIndex = -1;
    buttons[index].tabIndex = 0;
  }

  function mark(index) {
    const before = document.querySelector("button.cell.open");
    if (before) before.classList.remove("open");
    if (index >= 0) buttons[index].classList.add("open");
  }

  function open(index, take) {
    if (!data || index < 0 || index >= buttons.length) return;
    fill(index);
    opened = index;
    mark(index);
    focusable(index);
    drawer.hidden = false;
    document.documentElement.classList.add("drawn");
    buttons[index].scrollIntoView({ block: "nearest", inline: "nearest" });
    if (location.hash !== linkTo(index)) history.replaceState(null, "", linkTo(index));
    if (take !== false) drawer.focus({ preventScroll: true });
  }

  function close() {
    if (drawer.hidden) return;
    drawer.hidden = true;
    document.documentElement.classList.remove("drawn");
    mark(-1);
    history.replaceState(null, "", location.pathname + location.search);
    buttons[opened].focus({ preventScroll: true });
    opened = -1;
  }

  const visible = (index) => !rows[Math.floor(index / width)].hidden;

  function step(index, down, right) {
    const column = (index % width) + right;
    if (column < 0 || column >= width) return index;
    for (let row = Math.floor(index / width) + down; row >= 0 && row < rows.length; row += down) {
      if (!rows[row].hidden) return row * width + column;
      if (!down) break;
    }
    return index;
  }

  function follow() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (!wanted.has("rule")) return;
    const rule = data.rules.findIndex((r) => r.id === wanted.get("rule"));
    const bidder = wanted.has("bidder") ? data.bidders.findIndex((b) => b.slug === wanted.get("bidder")) : 0;
    if (rule >= 0 && bidder >= 0) {
      if (!visible(rule * width)) reset();
      open(rule * width + bidder);
    }
  }

  // Filters. A rule shows when it fits the text, its kind and its area, and one of its cells fits the verdict
  // and the review mark together; cells that do not fit are dimmed.
  const find = byId("f-text"), kind = byId("f-mandatory"), area = byId("f-area"), review = byId("f-review");
  const chips = Array.from(document.querySelectorAll(".chip[data-status]"));
  const pressed = (button) => button.getAttribute("aria-pressed") === "true";

  function fits(row, wanted) {
    const rule = data.rules[row];
    if (wanted.kind && (wanted.kind === "yes") !== rule.mandatory) return false;
    if (wanted.area && wanted.area !== rule.area) return false;
    return wanted.terms.every((term) => haystacks[row].includes(term));
  }

  function filter() {
    if (!data) return;
    const wanted = { kind: kind.value, area: area.value, review: pressed(review), terms: find.value.toLowerCase().split(/\s+/).filter(Boolean), statuses: chips.filter(pressed).map((chip) => chip.dataset.status) };
    const byCell = wanted.review || wanted.statuses.length > 0;
    let shown = 0;
    rows.forEach((row, i) => {
      let any = false;
      for (let c = 0; c < width; c++) {
        const cell = data.cells[i * width + c];
        const fit = (!wanted.statuses.length || wanted.statuses.includes(cell.status)) && (!wanted.review || Boolean(cell.review));
        buttons[i * width + c].classList.toggle("dim", byCell && !fit);
        any = any || fit;
      }
      row.hidden = !(any && fits(i, wanted));
      if (!row.hidden) shown++;
    });
    for (const divider of document.querySelectorAll("tr.divider")) divider.hidden = !divider.parentNode.querySelector("tr.r:not([hidden])");
    byId("nothing").hidden = shown > 0;
    const active = byCell || wanted.kind || wanted.area || wanted.terms.length;
    byId("f-count").textContent = active ? `${shown} of ${rows.length} rules` : `${rows.length} rules`;
    byId("f-reset").hidden = !active;
    const current = buttons.findIndex((button) => button.tabIndex === 0);
    if (current < 0 || !visible(current)) {
      const first = rows.findIndex((row) => !row.hidden);
      if (first >= 0) focusable(first * width);
    }
  }

  function reset() {
    find.value = kind.value = area.value = "";
    for (const chip of [...chips, review]) chip.setAttribute("aria-pressed", "false");
    filter();
  }

  // What every cell needs and the file need not repeat: its place, and one stop for the Tab key in the whole grid.
  function furnish() {
    buttons.forEach((button, i) => {
      button.dataset.cell = i;
      button.tabIndex = -1;
      button.setAttribute("aria-haspopup", "dialog");
    });
  }

  function listen() {
    byId("filters").addEventListener("submit", (event) => event.preventDefault());
    for (const field of [find, kind, area]) field.addEventListener("input", filter);
    for (const chip of [...chips, review]) {
      chip.addEventListener("click", () => { chip.setAttribute("aria-pressed", String(!pressed(chip))); filter(); });
    }
    byId("f-reset").addEventListener("click", () => { reset(); find.focus(); });
    byId("matrix").addEventListener("click", (event) => {
      const button = event.target.closest("button.cell");
      if (button) open(Number(button.dataset.cell));
    });
    byId("matrix").addEventListener("keydown", (event) => {
      const button = event.target.closest("button.cell");
      const moves = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
      if (!button || !moves[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const next = step(Number(button.dataset.cell), ...moves[event.key]);
      focusable(next);
      buttons[next].focus();
    });
    byId("d-close").addEventListener("click", close);
    for (const [id, down, right] of [["d-up", -1, 0], ["d-down", 1, 0], ["d-left", 0, -1], ["d-right", 0, 1]]) {
      byId(id).addEventListener("click", () => open(step(opened, down, right), false));
    }
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !drawer.hidden) { event.preventDefault(); close(); return; }
      const typing = event.target instanceof Element && event.target.closest("input, select, textarea");
      if (drawer.hidden || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      const moves = { j: [1, 0], k: [-1, 0], h: [0, -1], l: [0, 1] };
      if (moves[event.key]) open(step(opened, ...moves[event.key]));
    });
    window.addEventListener("hashchange", follow);
    // The header row stands below the filters where these stay in view; on a narrow window they scroll away.
    const narrow = window.matchMedia("(max-width: 760px)");
    new ResizeObserver(() => app.style.setProperty("--bar", (narrow.matches ? 0 : byId("filters").offsetHeight) + "px")).observe(byId("filters"));
  }

  async function load() {
    const block = byId("data"), raw = block.textContent;
    if (block.dataset.encoding === "json") return JSON.parse(raw);
    const bytes = Uint8Array.from(atob(raw), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return JSON.parse(await new Response(stream).text());
  }

  function haystack(rule, row) {
    const parts = [rule.id, rule.text, rule.clause, rule.area];
    for (let c = 0; c < width; c++) {
      const cell = data.cells[row * width + c];
      parts.push(cell.quote, cell.file, cell.rationale, cell.cite, cell.reason, cell.decided);
    }
    return parts.filter(Boolean).join("\n").toLowerCase();
  }

  // Paper cannot be unfolded: everything is open while printing, and as it was afterwards.
  window.addEventListener("beforeprint", () => {
    for (const fold of document.querySelectorAll("details:not([open])")) {
      fold.dataset.folded = "yes";
      fold.open = true;
    }
  });
  window.addEventListener("afterprint", () => {
    for (const fold of document.querySelectorAll("details[data-folded]")) {
      delete fold.dataset.folded;
      fold.open = false;
    }
  });

  load().then((loaded) => {
    data = loaded;
    width = Math.max(1, data.bidders.length);
    haystacks = data.rules.map(haystack);
    furnish();
    listen();
    filter();
    document.documentElement.dataset.ready = "yes";
    follow();
  });
})();
