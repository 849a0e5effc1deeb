// A hand that has to be laid out: cards go from one place to the other by tap, key or drag, and make an answer.
(() => {
  "use strict";
  const { live, el, all, room, refused } = window.cardroom;
  const PAUSE = 250; // a second tap on what was there before answers no question that has just been asked

  let picked = new Set(), asked = "", awake = "";
  const hand = () => all(".my-cards .card-button").sort((one, other) => (one.id < other.id ? -1 : 1));
  const codes = (cards) => cards.map((one) => one.dataset.card).join(" ");
  const sets = (answer, verb) => answer.slice(verb.length).split("|").map((group) => group.trim().split(" ").sort().join(" "));

  // The answer that the cards make of a choice: one that is offered, else the same in words, so that the room says what is
  // wrong with it; nothing with too few cards, or too many.
  function meant(button) {
    const { verb, picks } = button.dataset;
    const answers = JSON.parse(button.dataset.answers);
    if (!Number(picks)) return answers[0];
    const [mine, rest] = [true, false].map((is) => codes(hand().filter((one) => picked.has(one.id) === is)));
    const said = mine.split(" ").sort().join(" ");
    if (!answers.some((one) => sets(one, verb)[0].length === said.length)) return undefined;
    return answers.find((one) => sets(one, verb)[0] === said) || `${verb} ${mine}${answers[0].includes("|") ? ` | ${rest}` : ""}`;
  }

  // Each card lies where it was put.
  function weigh() {
    const { round, question } = room(), now = `${round}/${question}`;
    if (asked !== now) {
      [asked, picked] = [now, new Set()];
      setTimeout(() => { awake = now; weigh(); }, PAUSE);
    }
    const rows = Object.fromEntries(all("[data-place]").map((one) => [one.dataset.place, one.querySelector(".row")]));
    const focused = document.activeElement;
    for (const one of hand()) {
      const is = picked.has(one.id), row = rows[is ? "taken" : "rest"];
      one.setAttribute("aria-pressed", String(is));
      if (row) row.append(one);
    }
    if (focused && focused.matches(".card-button") && focused !== document.activeElement) focused.focus();
    for (const one of all(".choice")) one.disabled = awake !== asked || meant(one) === undefined;
  }

  function put(card, place) {
    if (place === "taken") picked.add(card.id);
    else picked.delete(card.id);
    refused("");
    weigh();
  }
  const turn = (card) => put(card, picked.has(card.id) ? "rest" : "taken");

  // A card can be dragged from one place to the other, by mouse, pen or finger.
  let drag = null, dragged = false;
  live.addEventListener("pointerdown", (down) => {
    const card = down.button === 0 && down.target.closest(".card-button");
    if (card) drag = { card, x: down.clientX, y: down.clientY, ghost: null };
    dragged = false;
  });
  const over = (at) => { const found = document.elementFromPoint(at.clientX, at.clientY); return found && found.closest("[data-place]"); };
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
    for (const one of all("[data-place]")) one.classList.toggle("over", one === over(at));
  });
  function drop(at) {
    if (!drag) return;
    const { card, ghost } = drag, place = at.type === "pointerup" && over(at);
    drag = null;
    if (!ghost) return;
    dragged = true; // the click that follows is no tap
    ghost.remove();
    card.classList.remove("dragged");
    for (const one of all(".over")) one.classList.remove("over");
    if (place) put(el(card.id) || card, place.dataset.place);
  }
  addEventListener("pointerup", drop);
  addEventListener("pointercancel", drop);
  live.addEventListener("dragstart", (start) => start.preventDefault());

  function houseWay() {
    const way = room().houseWay, left = way.slice(way.indexOf(" ")).split("|")[0].trim().split(" ");
    picked = new Set();
    for (const one of hand()) {
      const at = left.indexOf(one.dataset.card);
      if (at >= 0) { left.splice(at, 1); picked.add(one.id); }
    }
    weigh();
  }

  live.addEventListener("click", (click) => {
    const card = click.target.closest(".card-button");
    if (card && !dragged) turn(card);
  });
  window.cardroom.hand = { cards: hand, meant, turn, weigh, houseWay };
})();
