// What a page does: theme, sorting, searching, more of a long list, opening what a link points at.
"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");

  const remembered = {
    get() { try { return localStorage.getItem("stylobate-theme"); } catch { return null; } },
    set(theme) { try { localStorage.setItem("stylobate-theme", theme); } catch { /* not allowed here */ } },
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const themeNow = () => root.dataset.theme || (dark.matches ? "dark" : "light");
  const chosen = remembered.get();
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;

  function themes() {
    const button = document.querySelector("[data-theme-button]");
    const label = () => { button.textContent = themeNow() === "dark" ? "Light" : "Dark"; };
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = themeNow() === "dark" ? "light" : "dark";
      remembered.set(root.dataset.theme);
      label();
    });
    dark.addEventListener("change", label);
    label();
  }

  // One section at a time: arrows and the page keys turn, Escape ends it.
  function slides() {
    const sections = [...document.querySelectorAll("main > section")];
    const turning = document.querySelector("[data-slides]");
    if (!turning || sections.length < 3) return;
    const [start, back, on] = turning.querySelectorAll("button");
    const place = turning.querySelector("output");
    let at = -1;
    function show(next) {
      at = next < 0 ? -1 : Math.min(next, sections.length - 1);
      root.classList.toggle("slides", at >= 0);
      for (const [k, section] of sections.entries()) section.classList.toggle("slide", k === at);
      for (const part of [back, on, place]) part.hidden = at < 0;
      place.textContent = `${at + 1} of ${sections.length}`;
      start.textContent = at < 0 ? "Slides" : "Page";
      scrollTo(0, 0);
    }
    turning.hidden = false;
    start.addEventListener("click", () => show(at < 0 ? 0 : -1));
    back.addEventListener("click", () => show(Math.max(at - 1, 0)));
    on.addEventListener("click", () => show(at + 1));
    addEventListener("keydown", (event) => {
      if (at < 0 || event.target.closest("input, select")) return;
      const turns = { ArrowRight: at + 1, PageDown: at + 1, ArrowLeft: Math.max(at - 1, 0), PageUp: Math.max(at - 1, 0), Escape: -1 };
      if (event.key in turns) { event.preventDefault(); show(turns[event.key]); }
    });
    if (location.hash === "#slides") show(0);
  }

  // Numbers before words, nothing last in either direction.
  const words = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  function key(cell) {
    const text = cell.hasAttribute("data-v") ? cell.dataset.v : cell.textContent.trim();
    if (text === "" || text === "–") return null;
    const value = Number(text);
    return Number.isNaN(value) ? text : value;
  }
  function compare(a, b, sign) {
    if (a === null || b === null) return (a === null) - (b === null);
    if (typeof a !== typeof b) return sign * (typeof a === "number" ? -1 : 1);
    return sign * (typeof a === "number" ? a - b : words.compare(a, b));
  }
  function sort(header) {
    const headers = [...header.parentElement.children];
    const column = headers.indexOf(header);
    const down = header.getAttribute("aria-sort") === "ascending";
    for (const other of headers) if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none");
    header.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = header.closest("table").tBodies[0];
    const rows = [...body.rows].map((row) => [key(row.cells[column]), row]);
    rows.sort((a, b) => compare(a[0], b[0], down ? -1 : 1));
    body.append(...rows.map((pair) => pair[1]));
    show(body);
  }

  // Of the items that match, a list shows the first few, then more when asked.
  const limits = new Map();
  function show(list) {
    let limit = limits.get(list) ?? (Number(list.dataset.limit) || Infinity);
    let matching = 0;
    for (const item of list.children) {
      if (!item.hidden) matching += 1;
      item.classList.toggle("late", !item.hidden && matching > limit);
    }
    const anchor = list.closest(".scroll") || list;
    let more = anchor.nextElementSibling;
    if (!more || !more.hasAttribute("data-more")) {
      if (matching <= limit) return matching;
      more = document.createElement("button");
      more.type = "button";
      more.className = "more";
      more.setAttribute("data-more", "");
      more.addEventListener("click", () => {
        limits.set(list, (limits.get(list) ?? Number(list.dataset.limit)) * 3);
        show(list);
      });
      anchor.after(more);
    }
    more.hidden = matching <= limit;
    more.textContent = `Show more (${Math.min(limit, matching).toLocaleString("en")} of ${matching.toLocaleString("en")})`;
    return matching;
  }

  const texts = new WeakMap();
  function text(item) {
    if (!texts.has(item)) {
      const marked = [...item.querySelectorAll("[data-text]")].map((part) => part.textContent);
      texts.set(item, marked.join("\n").toLowerCase());
    }
    return texts.get(item);
  }
  function filter(group) {
    const wanted = group.querySelector("[data-search]").value.trim().toLowerCase();
    const kinds = [...group.querySelectorAll("[data-options]:checked")].map((box) => box.value);
    let shown = 0, total = 0;
    const lists = [...group.querySelectorAll("[data-list]")].filter((list) => !list.parentElement.closest("[data-list]"));
    for (const [at, list] of lists.entries()) {
      for (const item of list.children) {
        const fits = (!wanted || text(item).includes(wanted)) && (!kinds.length || kinds.includes(item.dataset.kind));
        item.hidden = !fits;
        if (at === 0) { total += 1; shown += fits; }
      }
      show(list);
    }
    const status = group.querySelector("[data-status]");
    const all = total.toLocaleString("en");
    status.textContent = `${shown === total ? all : `${shown.toLocaleString("en")} of ${all}`} ${status.dataset.status}`;
  }

  function reveal() {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (!target) return;
    if (target.tagName === "DETAILS") target.open = true;
    if (target.hidden || target.classList.contains("late")) {
      target.hidden = false;
      target.classList.remove("late");
      target.scrollIntoView();
    }
  }

  // Thousands of cards are kept aside until they are opened.
  function draw(details) {
    const kept = details.open && details.querySelector(":scope > template");
    if (kept) kept.replaceWith(kept.content);
  }

  function openAll(button) {
    const cards = () => [...button.parentElement.nextElementSibling.children].filter((item) => item.offsetParent);
    let open = false;
    button.hidden = false;
    button.addEventListener("click", () => {
      open = !open;
      for (const details of cards()) details.open = open;
      button.textContent = open ? "Close all" : "Open all";
    });
  }

  function printing() {
    let opened = [];
    addEventListener("beforeprint", () => {
      opened = [...document.querySelectorAll("details:not([open])")].slice(0, 200);
      for (const details of opened) { details.open = true; draw(details); }
    });
    addEventListener("afterprint", () => { for (const details of opened) details.open = false; });
  }

  document.addEventListener("DOMContentLoaded", () => {
    themes();
    printing();
    slides();
    document.addEventListener("click", (event) => {
      const header = event.target.closest("th[aria-sort]");
      if (header) sort(header);
    });
    for (const list of document.querySelectorAll("[data-list]")) show(list);
    for (const group of document.querySelectorAll("[data-group]")) {
      group.querySelector(".controls").addEventListener("input", () => filter(group));
    }
    for (const choice of document.querySelectorAll("select[data-switch]")) {
      const panels = choice.closest("section").querySelectorAll("[data-panel]");
      const turn = () => { for (const panel of panels) panel.hidden = panel.dataset.panel !== choice.value; };
      choice.addEventListener("change", turn);
      turn();
    }
    document.addEventListener("toggle", (event) => draw(event.target), true);
    for (const button of document.querySelectorAll("[data-open]")) openAll(button);
    addEventListener("hashchange", reveal);
    document.addEventListener("click", (event) => { if (event.target.closest('a[href^="#"]')) setTimeout(reveal); });
    reveal();
  });
})();
