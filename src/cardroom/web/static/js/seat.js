// A seat: chips on spots, answers, the coach. The room decides everything; this only says what the player wants.
(() => {
  "use strict";
  const { live, post, refused, sitDown } = window.cardroom;
  const table = live.dataset.table;
  const api = `/api/v1/tables/${table}`;
  const kept = `cardroom.${table}`;
  const skew = Date.now() - Number(live.dataset.now); // the room's clock decides
  const money = (cents) => {
    const [whole, rest] = [Math.floor(cents / 100).toLocaleString("en-US"), cents % 100];
    return `$${whole}${rest ? "." + String(rest).padStart(2, "0") : ""}`;
  };
  const $ = (selector) => live.querySelector(selector);
  const all = (selector) => [...live.querySelectorAll(selector)];
  const room = () => $(".room").dataset;

  // ---- Wagers that lie before the player, not yet said to the room.
  let wagers = {}, before = [], chip = 500, busy = false, shownRound = "", lesson = null;
  const spots = () => all(".spot");
  const betting = () => $("#tray") !== null;

  function remember() { sessionStorage.setItem(kept, JSON.stringify({ chip, wagers })); }
  function recall() {
    const known = JSON.parse(sessionStorage.getItem(kept) || "null");
    if (known) ({ chip, wagers } = known);
  }

  const stakes = (spot) => Number(document.getElementById(`spot-${spot}`).dataset.stakes);
  const total = () => Object.entries(wagers).reduce((sum, [spot, cents]) => sum + cents * stakes(spot), 0);

  // The chips that a dealer would stack for an amount, with its sum.
  function stacked(cents) {
    const stack = document.createElement("span"), chips = document.createElement("span"), sum = document.createElement("span");
    stack.className = "stack"; chips.className = "stack-chips"; sum.className = "stack-sum";
    chips.ariaHidden = "true";
    let left = cents;
    for (const value of [50000, 10000, 2500, 500, 100]) {
      for (let n = Math.min(Math.floor(left / value), 5); n > 0; n--) {
        const disc = document.createElement("i");
        disc.className = `disc disc-${value}`;
        chips.append(disc);
      }
      left %= value;
    }
    sum.textContent = money(cents);
    stack.append(chips, sum);
    return stack;
  }

  function paint() {
    if (!betting()) return;
    for (const one of spots()) {
      const cents = wagers[one.dataset.spot] || 0;
      const place = one.querySelector(".spot-chips");
      place.replaceChildren(...(cents ? [stacked(cents)] : []));
    }
    const sum = total();
    $("#total").textContent = sum ? money(sum) : "";
    $('[data-do="deal"]').disabled = !sum || busy;
    for (const what of ["undo", "clear", "double"]) {
      $(`[data-do="${what}"]`).disabled = what === "undo" ? !before.length : !sum;
    }
    for (const one of all("[data-chip]")) {
      const chosen = Number(one.dataset.chip) === chip;
      one.setAttribute("aria-checked", String(chosen));
      one.tabIndex = chosen ? 0 : -1;
    }
    remember();
  }

  // Put down what is wanted if the room would take it; else say why, and leave the chips where they were.
  async function want(next) {
    if (JSON.stringify(next) === JSON.stringify(wagers)) return;
    const was = wagers;
    before.push(was);
    wagers = next;
    paint();
    try {
      const { error } = Object.keys(next).length ? await post(`/tables/${table}/check`, { wagers: next }) : { error: null };
      if (error && wagers === next) { wagers = was; before.pop(); paint(); }
      refused(error || "");
    } catch (fault) {
      refused(fault.message);
    }
  }

  function addTo(spot, less = false) {
    const { min, max, step, name } = spot.dataset;
    const here = wagers[spot.dataset.spot] || 0;
    let cents = here + (less ? -chip : chip);
    if (less && cents < Number(min)) cents = 0;
    else if (cents < Number(min)) cents = Number(min);
    if (cents > Number(max)) {
      refused(`${name} takes ${Number(min) === Number(max) ? money(Number(min)) : `${money(Number(min))} to ${money(Number(max))}`}.`);
      return;
    }
    if (cents) cents -= (cents - Number(min)) % Number(step);
    const next = { ...wagers, [spot.dataset.spot]: cents };
    if (!cents) delete next[spot.dataset.spot];
    want(next);
  }

  // ---- What the room is asked to do.
  async function act(work) {
    if (busy) return;
    busy = true;
    refused("");
    try { await work(); } catch (fault) { refused(fault.message); }
    busy = false;
    paint();
  }

  const id = () => crypto.randomUUID();
  const deeds = {
    house: () => houseWay(),
    undo: () => { wagers = before.pop() || {}; refused(""); paint(); },
    clear: () => want({}),
    repeat: () => want(JSON.parse(room().repeat)),
    double: () => want(Object.fromEntries(Object.entries(wagers).map(([spot, cents]) =>
      [spot, Math.min(cents * 2, Number(document.getElementById(`spot-${spot}`).dataset.max))]))),
    deal: () => act(async () => {
      const words = document.getElementById("words").value.trim();
      await post(`${api}/wagers`, { id: id(), wagers, round: room().round, ...(words ? { words } : {}) });
      before = [];
    }),
    sit: () => act(async () => {
      await sitDown(table);
      location.reload();
    }),
    buy: (button) => act(() => post(`${api}/seat`, { id: id(), buy_in_cents: Number(button.dataset.cents) })),
    leave: () => act(async () => {
      const lying = room().phase === "playing" && spots().some((one) => Number(one.dataset.lying));
      if (lying && !confirm("Your wagers stay and are played by the answer that puts no more money down. Leave?")) return;
      await post(`${api}/seat?id=${id()}`, undefined, "DELETE");
      sessionStorage.removeItem(kept);
      location.href = "/";
    }),
  };

  // ---- Answers; those that speak of cards take the cards that were tapped.
  const hand = () => all(".my-cards .card-button");
  const tapped = () => hand().filter((one) => one.ariaPressed === "true").map((one) => one.dataset.card);
  const sets = (answer, verb) => answer.slice(verb.length).trim().split("|").map((group) => group.trim().split(" ").sort().join(" "));

  // The answer that the tapped cards make of a choice; undefined where they make none.
  function meant(button) {
    const { verb, picks } = button.dataset;
    const answers = JSON.parse(button.dataset.answers);
    if (!Number(picks)) return answers[0];
    const first = tapped().sort().join(" ");
    return answers.find((answer) => sets(answer, verb)[0] === first);
  }

  function weigh() {
    for (const one of all(".choice")) one.disabled = Number(one.dataset.picks) > 0 && meant(one) === undefined;
  }

  function answerWith(button) {
    const answer = meant(button);
    if (answer === undefined) return;
    const { round, question } = room();
    if (advice && advice.round === round && advice.question === question) {
      const best = advice.options[0], mine = advice.options.find((one) => one.answer === answer);
      lesson = mine && { said: answer, best: best.answer, cost: Math.round((best.value_cents - mine.value_cents) * 100) / 100 };
    }
    act(() => post(`${api}/decisions`, { id: id(), answer, round, question }));
  }

  function houseWay() {
    const way = room().houseWay;
    const first = way.slice(way.indexOf(" ")).split("|")[0].trim().split(" ");
    const left = [...first];
    for (const one of hand()) {
      const at = left.indexOf(one.dataset.card);
      one.setAttribute("aria-pressed", String(at >= 0));
      if (at >= 0) left.splice(at, 1);
    }
    weigh();
  }

  // ---- The coach.
  let advice = null, advising = "";
  const coaching = () => document.getElementById("coach") && document.getElementById("coach").checked;

  async function advise() {
    const { round, question } = room();
    if (!coaching() || !question || advising === `${round}/${question}`) return showAdvice();
    advising = `${round}/${question}`;
    try {
      const told = await (await fetch(`${api}/advice`, { credentials: "same-origin" })).json();
      if (told.options) { advice = told; showAdvice(); }
    } catch { advising = ""; }
  }

  function showAdvice() {
    const { round, question } = room();
    const now = coaching() && advice && advice.round === round && advice.question === question ? advice.options : [];
    for (const button of all(".choice")) {
      const answers = new Set(JSON.parse(button.dataset.answers));
      const best = now.find((one) => answers.has(one.answer));
      const worth = button.querySelector(".worth");
      button.classList.toggle("best", Boolean(best) && best === now[0]);
      worth.hidden = !best;
      if (!best) continue;
      const cards = Number(button.dataset.picks) ? `${best.answer.slice(button.dataset.verb.length)} ` : "";
      const error = best.standard_error ? ` ± ${(best.standard_error / 100).toFixed(2)}` : "";
      worth.textContent = `${best === now[0] ? "best: " : ""}${cards}${best.value_cents < 0 ? "−" : "+"}$${Math.abs(best.value_cents / 100).toFixed(2)}${error}`;
    }
  }

  function teach() {
    const place = document.getElementById("lesson");
    if (!place || !lesson) return;
    place.textContent = lesson.cost > 0
      ? `Coach: “${lesson.said}” cost ${(lesson.cost / 100).toFixed(2)} dollars on average; “${lesson.best}” was best.`
      : `Coach: “${lesson.said}” was the best answer.`;
  }

  // ---- After each drawing.
  let cards = new Map();
  function newCards() {
    const now = new Map(all(".table-cards [data-card], .my-cards [data-card]").map((one) => [one.id, one]));
    let step = 0;
    for (const [place, one] of now) {
      const was = cards.get(place);
      if (was === one.dataset.card) continue;
      one.classList.remove("comes", "turns");
      one.style.animationDelay = `${Math.min(step++ * 90, 700)}ms`;
      one.classList.add(was === "??" ? "turns" : "comes");
    }
    cards = new Map([...now].map(([place, one]) => [place, one.dataset.card]));
  }

  function drawn() {
    const { round, phase } = room();
    if (round !== shownRound) {
      shownRound = round;
      before = [];
      if (betting() && !Object.keys(wagers).length) {
        const last = JSON.parse(room().repeat);
        wagers = Object.keys(last).length ? last : JSON.parse(room().start);
      }
    }
    if (phase === "playing") advise();
    newCards();
    paint();
    weigh();
    teach();
    tick();
  }

  function tick() {
    const clock = $("#clock"), until = Number(room().deadline);
    if (!clock) return;
    const left = Math.ceil((until - Date.now() + skew) / 1000);
    clock.hidden = !until || left > 3600;
    if (until) clock.textContent = left > 0 ? `${left} s left` : "Time is up.";
  }

  live.addEventListener("click", (click) => {
    const on = (selector) => click.target.closest(selector);
    const spot = on(".spot"), deed = on("[data-do]"), choice = on(".choice"), card = on(".card-button"), tray = on("[data-chip]");
    if (spot && betting()) addTo(spot, click.shiftKey);
    else if (deed && !deed.disabled) deeds[deed.dataset.do](deed);
    else if (choice && !choice.disabled) answerWith(choice);
    else if (tray) { chip = Number(tray.dataset.chip); paint(); }
    else if (card) { card.setAttribute("aria-pressed", String(card.ariaPressed !== "true")); weigh(); }
  });
  live.addEventListener("contextmenu", (click) => {
    const spot = click.target.closest(".spot");
    if (spot && betting()) { click.preventDefault(); addTo(spot, true); }
  });
  live.addEventListener("change", (change) => {
    if (change.target.id === "coach") { localStorage.setItem("cardroom.coach", String(change.target.checked)); advising = ""; advise(); }
    if (change.target.id === "deck") choose(change.target.checked);
  });
  const KEYS = { u: "undo", c: "clear", r: "repeat", x: "double", d: "deal" };
  document.addEventListener("keydown", (key) => {
    if (key.ctrlKey || key.metaKey || key.altKey || key.target.matches("input:not([type=checkbox]), textarea, select")) return;
    const name = key.key.toLowerCase();
    if (name === "h") { const coach = document.getElementById("coach"); if (coach) coach.click(); return; }
    if (key.target.matches("[data-chip]") && ["arrowleft", "arrowright"].includes(name)) {
      const chips = all("[data-chip]"), at = chips.indexOf(key.target) + (name === "arrowright" ? 1 : -1);
      const next = chips[(at + chips.length) % chips.length];
      next.click();
      next.focus();
      return;
    }
    if (betting()) {
      const number = Number(name);
      if (KEYS[name]) { const button = $(`[data-do="${KEYS[name]}"]`); if (button && !button.disabled) button.click(); }
      else if (number >= 1 && number <= spots().length) addTo(spots()[number - 1], key.shiftKey);
      return;
    }
    const number = Number(name);
    if (number >= 1 && number <= hand().length) { hand()[number - 1].click(); return; }
    const choice = all(".choice").find((one) => one.dataset.verb[0] === name && !one.disabled);
    if (choice) choice.click();
    else if (name === "w" && $('[data-do="house"]')) houseWay();
  });

  function choose(four) {
    localStorage.setItem("cardroom.deck", four ? "four" : "");
    document.documentElement.dataset.deck = four ? "four" : "two";
  }

  recall();
  live.addEventListener("room:drawn", drawn);
  document.addEventListener("DOMContentLoaded", () => {
    const coach = document.getElementById("coach"), deck = document.getElementById("deck");
    if (coach) coach.checked = localStorage.getItem("cardroom.coach") === "true";
    if (deck) deck.checked = localStorage.getItem("cardroom.deck") === "four";
    if (deck && deck.checked) choose(true);
    drawn();
  });
  setInterval(tick, 250);
})();
