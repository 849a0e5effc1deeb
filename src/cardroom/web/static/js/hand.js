// A hand that the player arranges: cards move between two places by tap, key, or drag, and make a decision.
(() => {
  "use strict";
  const { live, el, all, table, showRefusal } = window.cardroom;
  const PAUSE = 250; // milliseconds: a second tap on the previous button must not decide the next question

  let picked = new Set(), shownQuestion = "", enabledQuestion = "";
  const cards = () => all(".own-cards .card-button").sort((a, b) => (a.id < b.id ? -1 : 1));
  const codes = (some) => some.map((card) => card.dataset.card).join(" ");
  const groups = (decision, verb) => decision.slice(verb.length).split("|").map((group) => group.trim().split(" ").sort().join(" "));

  // The decision that a button makes with the selected cards: one of those that are offered, else the same in words, so
  // that the server explains what is wrong with it. Undefined with too few cards, or too many.
  function decisionOf(button) {
    const { verb, picks } = button.dataset;
    const decisions = JSON.parse(button.dataset.decisions);
    if (!Number(picks)) return decisions[0];
    const [selected, rest] = [true, false].map((isPicked) => codes(cards().filter((card) => picked.has(card.id) === isPicked)));
    const sorted = selected.split(" ").sort().join(" ");
    if (!decisions.some((decision) => groups(decision, verb)[0].length === sorted.length)) return undefined;
    return decisions.find((decision) => groups(decision, verb)[0] === sorted) || `${verb} ${selected}${decisions[0].includes("|") ? ` | ${rest}` : ""}`;
  }

  // Put each card where the player wants it, and enable the buttons that the selection allows.
  function arrange() {
    const { round, question } = table(), current = `${round}/${question}`;
    if (shownQuestion !== current) {
      [shownQuestion, picked] = [current, new Set()];
      setTimeout(() => { enabledQuestion = current; arrange(); }, PAUSE);
    }
    const rows = Object.fromEntries(all("[data-place]").map((place) => [place.dataset.place, place.querySelector(".row")]));
    const focused = document.activeElement;
    for (const card of cards()) {
      const isPicked = picked.has(card.id), row = rows[isPicked ? "selected" : "rest"];
      card.setAttribute("aria-pressed", String(isPicked));
      if (row) row.append(card);
    }
    if (focused && focused.matches(".card-button") && focused !== document.activeElement) focused.focus();
    for (const button of all(".choice")) button.disabled = enabledQuestion !== shownQuestion || decisionOf(button) === undefined;
  }

  function put(card, place) {
    if (place === "selected") picked.add(card.id);
    else picked.delete(card.id);
    showRefusal("");
    arrange();
  }
  const toggle = (card) => put(card, picked.has(card.id) ? "rest" : "selected");

  // A card can be dragged from one place to the other, by mouse, pen, or finger.
  let drag = null, dragged = false;
  live.addEventListener("pointerdown", (down) => {
    const card = down.button === 0 && down.target.closest(".card-button");
    if (card) drag = { card, x: down.clientX, y: down.clientY, ghost: null };
    dragged = false;
  });
  const placeUnder = (at) => { const element = document.elementFromPoint(at.clientX, at.clientY); return element && element.closest("[data-place]"); };
  addEventListener("pointermove", (at) => {
    if (!drag || (!drag.ghost && Math.hypot(at.clientX - drag.x, at.clientY - drag.y) < 8)) return;
    if (!drag.ghost) {
      drag.ghost = drag.card.querySelector("svg").cloneNode(true);
      drag.ghost.classList.add("ghost");
      drag.ghost.style.width = `${drag.card.offsetWidth}px`;
      live.append(drag.ghost);
      drag.card.classList.add("dragged");
    }
    drag.ghost.style.translate = `${at.clientX - drag.card.offsetWidth / 2}px ${at.clientY - drag.card.offsetHeight / 2}px`;
    for (const place of all("[data-place]")) place.classList.toggle("over", place === placeUnder(at));
  });
  function drop(at) {
    if (!drag) return;
    const { card, ghost } = drag, place = at.type === "pointerup" && placeUnder(at);
    drag = null;
    if (!ghost) return;
    dragged = true; // the click that follows is not a tap
    ghost.remove();
    card.classList.remove("dragged");
    for (const target of all(".over")) target.classList.remove("over");
    if (place) put(el(card.id) || card, place.dataset.place);
  }
  addEventListener("pointerup", drop);
  addEventListener("pointercancel", drop);
  live.addEventListener("dragstart", (start) => start.preventDefault());

  function houseWay() {
    const way = table().houseWay, left = way.slice(way.indexOf(" ")).split("|")[0].trim().split(" ");
    picked = new Set();
    for (const card of cards()) {
      const at = left.indexOf(card.dataset.card);
      if (at >= 0) { left.splice(at, 1); picked.add(card.id); }
    }
    arrange();
  }

  live.addEventListener("click", (click) => {
    const card = click.target.closest(".card-button");
    if (card && !dragged) toggle(card);
  });
  window.cardroom.hand = { cards, decisionOf, toggle, arrange, houseWay };
})();
