// A seat: chips on spots, decisions, the coach. The server decides everything; this only sends what the player wants.
(() => {
  "use strict";
  const { live, el, all, table: tableData, post, fill, showRefusal, sitDown, hand } = window.cardroom;
  const { table } = live.dataset, api = `/api/v1/tables/${table}`, storageKey = `cardroom.${table}`;
  const texts = JSON.parse(live.dataset.texts);
  const skew = Date.now() - Number(live.dataset.now); // deadlines are on the server's clock
  const money = (cents) => {
    const digits = cents % 100 ? 2 : 0;
    return `$${(cents / 100).toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
  };
  const $ = (selector) => live.querySelector(selector);

  // ---- Wagers that the player is placing and has not sent yet. `accepted` are the last that the server would take.
  let wagers = {}, accepted = {}, before = [], chip = 500, busy = false, shownRound = "", coached = null;
  const spots = () => all(".spot");
  const betting = () => $("#tray") !== null;

  function restoreWagers() {
    const stored = JSON.parse(sessionStorage.getItem(storageKey) || "null");
    if (stored) ({ chip, wagers } = stored);
    for (const spot of Object.keys(wagers)) if (!el(`spot-${spot}`)) delete wagers[spot];
    accepted = wagers;
  }

  const stakes = (spot) => Number(el(`spot-${spot}`).dataset.stakes);
  const total = () => Object.entries(wagers).reduce((sum, [spot, cents]) => sum + cents * stakes(spot), 0);

  // The chips that a dealer would stack for an amount, with its sum.
  function chipStack(cents) {
    const make = (kind, name) => Object.assign(document.createElement(kind), { className: name });
    const stack = make("span", "stack"), chips = make("span", "stack-chips"), sum = make("span", "stack-sum");
    chips.ariaHidden = "true";
    let left = cents;
    for (const value of [50000, 10000, 2500, 500, 100]) {
      for (let n = Math.min(Math.floor(left / value), 5); n > 0; n--) chips.append(make("i", `disc disc-${value}`));
      left %= value;
    }
    sum.textContent = money(cents);
    stack.append(chips, sum);
    return stack;
  }

  function paint() {
    if (!betting()) return;
    for (const spot of spots()) {
      const cents = wagers[spot.dataset.spot];
      spot.querySelector(".spot-chips").replaceChildren(...(cents ? [chipStack(cents)] : []));
    }
    const sum = total();
    $("#total").textContent = sum ? money(sum) : "";
    $('[data-do="deal"]').disabled = !sum || busy;
    $('[data-do="undo"]').disabled = !before.length;
    $('[data-do="clear"]').disabled = $('[data-do="double"]').disabled = !sum;
    for (const button of all("[data-chip]")) {
      const chosen = Number(button.dataset.chip) === chip;
      button.setAttribute("aria-checked", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
    }
    sessionStorage.setItem(storageKey, JSON.stringify({ chip, wagers }));
  }

  // Place wagers, and take them back with the server's sentence if it would refuse them. They are checked one after the
  // other, so chips that are placed in quick succession go back no further than to the last that the server would take.
  let checking = Promise.resolve();
  function place(next, notice = "") {
    showRefusal(notice);
    if (JSON.stringify(next) === JSON.stringify(wagers)) return;
    before.push(wagers);
    wagers = next;
    paint();
    checking = checking.then(() => check(next));
  }

  async function check(next) {
    try {
      const { error } = Object.keys(next).length ? await post(`/tables/${table}/check`, { wagers: next }) : { error: null };
      const isCurrent = wagers === next;
      if (!error) { if (isCurrent || before.includes(next)) accepted = next; }
      else if (isCurrent) { wagers = accepted; before.pop(); paint(); showRefusal(error); }
      else before = before.filter((earlier) => earlier !== next);
    } catch (fault) {
      showRefusal(fault);
    }
  }

  // One chip more or less on a spot. An amount that the spot does not take becomes the nearest one, with a notice.
  function addTo(spot, less = false) {
    const { name } = spot.dataset, [min, max, step] = ["min", "max", "step"].map((key) => Number(spot.dataset[key]));
    const current = wagers[spot.dataset.spot] || 0, wanted = current + (less ? -chip : chip);
    const inSteps = (cents) => min + Math.floor((cents - min) / step) * step;
    let cents = wanted < min ? (less ? 0 : min) : inSteps(wanted);
    if (cents === current && !less) cents = current + step;
    const limits = fill(min === max ? texts.fixed : step > 100 ? texts.rangeInSteps : texts.range,
      { spot: name, minimum: money(min), maximum: money(max), step: money(step) });
    if (cents > max) return showRefusal(limits);
    const next = { ...wagers, [spot.dataset.spot]: cents };
    if (!cents) delete next[spot.dataset.spot];
    place(next, cents && cents !== wanted ? `${limits} ${fill(texts.adjusted, { amount: money(cents) })}` : "");
  }

  function double() {
    const next = {}, notices = [];
    for (const [spot, cents] of Object.entries(wagers)) {
      const { max, name } = el(`spot-${spot}`).dataset;
      next[spot] = Math.min(cents * 2, Number(max));
      if (next[spot] < cents * 2) notices.push(fill(texts.maximum, { spot: name, maximum: money(Number(max)) }));
    }
    place(next, notices.join(" "));
  }

  // ---- Calls to the server.
  async function act(work) {
    if (busy) return;
    busy = true;
    showRefusal("");
    try { await work(); } catch (fault) { showRefusal(fault); }
    busy = false;
    paint();
  }

  const id = () => crypto.randomUUID();
  const actions = {
    house: hand.houseWay,
    undo: () => { wagers = accepted = before.pop() || {}; showRefusal(""); paint(); },
    clear: () => place({}),
    repeat: () => place(JSON.parse(tableData().repeat)),
    double,
    deal: () => act(async () => {
      const words = el("player-seed").value.trim();
      await post(`${api}/wagers`, { id: id(), wagers, round: tableData().round, ...(words ? { words } : {}) });
      before = [];
    }),
    sit: () => act(async () => {
      await sitDown(table);
      location.reload();
    }),
    buy: (button) => act(() => post(`${api}/seat`, { id: id(), buy_in_cents: Number(button.dataset.cents) })),
    leave: () => act(async () => {
      const inRound = tableData().phase === "playing" && spots().some((spot) => Number(spot.dataset.wagered));
      if (inRound && !confirm(texts.leave)) return;
      await post(`${api}/seat?id=${id()}`, undefined, "DELETE");
      sessionStorage.removeItem(storageKey);
      location.href = "/";
    }),
  };

  // ---- Decisions.
  function decide(button) {
    const decision = hand.decisionOf(button);
    if (decision === undefined) return;
    const { round, question } = tableData(), [best] = advice(), own = advice().find((option) => option.answer === decision);
    coached = own && {
      round, decision: nameOf(decision), best: nameOf(best.answer), simulated: Boolean(best.standard_error),
      cost: Math.round(best.value_cents * 100 - own.value_cents * 100) / 100,
    };
    act(() => post(`${api}/decisions`, { id: id(), answer: decision, round, question }));
  }

  // A decision as its button names it, with the cards that it names.
  function nameOf(decision) {
    const button = all(".choice").find((choice) => JSON.parse(choice.dataset.decisions).includes(decision));
    if (!button) return decision;
    return [button.dataset.label, cardsOf(decision, button)].filter(Boolean).join(" ");
  }
  const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
  function cardsOf(decision, button) {
    if (!Number(button.dataset.picks)) return "";
    const cards = decision.slice(button.dataset.verb.length).trim();
    return cards.replace(/\b([2-9TJQKA])([cdhs])\b/g, (card, rank, suit) => (rank === "T" ? "10" : rank) + SUITS[suit]);
  }

  // ---- The coach.
  let latestAdvice = null, requested = "";
  const coaching = () => el("coach") && el("coach").checked;
  // The coach's advice for the decision that the player has to make now, the best option first.
  function advice() {
    const { round, question } = tableData();
    const isCurrent = coaching() && latestAdvice && latestAdvice.round === round && latestAdvice.question === question;
    return isCurrent ? latestAdvice.options : [];
  }

  async function requestAdvice() {
    const { round, question } = tableData();
    if (!coaching() || !question || requested === `${round}/${question}`) return showAdvice();
    requested = `${round}/${question}`;
    try {
      const response = await (await fetch(`${api}/advice`)).json();
      if (response.options) { latestAdvice = response; showAdvice(); }
    } catch { requested = ""; }
  }

  function showAdvice() {
    const options = advice();
    for (const button of all(".choice")) {
      const decisions = new Set(JSON.parse(button.dataset.decisions));
      const best = options.find((option) => decisions.has(option.answer));
      const value = button.querySelector(".choice-value");
      const isBest = Boolean(best) && best === options[0];
      button.classList.toggle("best", isBest);
      value.hidden = !best;
      if (!best) continue;
      const dollars = (cents) => Math.abs(cents / 100).toFixed(2), error = best.standard_error ? ` ± ${dollars(best.standard_error)}` : "";
      const amount = `${best.value_cents < 0 ? "−" : "+"}$${dollars(best.value_cents)}${error}`;
      value.textContent = [isBest ? `${texts.best}:` : "", cardsOf(best.answer, button), amount].filter(Boolean).join(" ");
    }
  }

  function showCoachNote() {
    const note = el("coach-note");
    if (!note) return;
    const cents = (amount) => (amount < 100 ? `${Number(amount.toFixed(2))}¢` : `$${(amount / 100).toFixed(2)}`);
    if (!coached || coached.round !== note.dataset.round) note.textContent = "";
    else if (coached.cost > 0) note.textContent = fill(coached.simulated ? texts.coachCostSimulated : texts.coachCost, { ...coached, amount: cents(coached.cost) });
    else note.textContent = fill(coached.simulated ? texts.coachBestSimulated : texts.coachBest, coached);
  }

  // ---- After each update.
  let shownCards = new Map();
  function animateCards() {
    const places = new Map(all(".table-cards [data-card], .own-cards [data-card]").map((card) => [card.id, card]));
    let step = 0;
    for (const [place, card] of places) {
      const previous = shownCards.get(place);
      if (previous === card.dataset.card) continue;
      card.classList.remove("dealt", "turned");
      card.style.animationDelay = `${Math.min(step++ * 90, 700)}ms`;
      card.classList.add(previous === "??" ? "turned" : "dealt");
    }
    shownCards = new Map([...places].map(([place, card]) => [place, card.dataset.card]));
  }

  // At the end of a round the chips of each spot go to the dealer or to the player.
  let chipsInRound = [], isSealOpen = false;
  live.addEventListener("page:updating", () => {
    chipsInRound = tableData().phase === "playing" ? spots().map((spot) => [spot.id, spot.querySelector(".spot-chips").cloneNode(true)]) : [];
    isSealOpen = el("seal").open;
  });
  function animateChips() {
    for (const [id, chips] of tableData().phase === "playing" ? [] : chipsInRound) {
      const net = $(`#${id} .spot-net`);
      if (!net) continue;
      chips.id = "";
      chips.className = `leaving-chips ${net.matches(".win") ? "won" : "lost"}`;
      chips.ariaHidden = "true";
      chips.onanimationend = chips.remove;
      el(id).append(chips);
    }
    chipsInRound = [];
  }

  function onUpdate() {
    const { round, phase } = tableData();
    if (round !== shownRound) {
      shownRound = round;
      before = [];
      if (betting() && !Object.keys(wagers).length) {
        const last = JSON.parse(tableData().repeat);
        wagers = accepted = Object.keys(last).length ? last : JSON.parse(tableData().start);
      }
    }
    if (phase === "playing") requestAdvice();
    hand.arrange();
    animateCards();
    animateChips();
    paint();
    showCoachNote();
    tick();
  }

  function tick() {
    const clock = $("#clock"), until = Number(tableData().deadline);
    if (!clock) return;
    const left = Math.ceil((until - Date.now() + skew) / 1000);
    clock.hidden = !until || left > 3600;
    if (until) clock.textContent = left > 0 ? fill(texts.secondsLeft, { seconds: left }) : texts.timeUp;
  }

  live.addEventListener("click", (click) => {
    const on = (selector) => click.target.closest(selector);
    const spot = on(".spot"), action = on("[data-do]"), choice = on(".choice"), tray = on("[data-chip]");
    if (spot && betting()) addTo(spot, click.shiftKey);
    else if (action && !action.disabled) actions[action.dataset.do](action);
    else if (choice && !choice.disabled) decide(choice);
    else if (tray) { chip = Number(tray.dataset.chip); paint(); }
  });
  live.addEventListener("contextmenu", (click) => {
    const spot = betting() && click.target.closest(".spot");
    if (spot) { click.preventDefault(); addTo(spot, true); }
  });
  live.addEventListener("change", (change) => {
    if (change.target.id === "coach") { localStorage.setItem("cardroom.coach", String(change.target.checked)); requested = ""; requestAdvice(); }
    if (change.target.id === "deck") setDeck(change.target.checked);
  });
  // A key presses the button that shows it; a number selects a card while cards are arranged.
  document.addEventListener("keydown", (key) => {
    if (key.ctrlKey || key.metaKey || key.altKey || key.repeat || key.target.matches("input:not([type=checkbox]), textarea, select")) return;
    const name = key.code.startsWith("Digit") ? key.code.slice(5) : key.key.toLowerCase();
    const step = key.target.matches("[data-chip]") && { arrowleft: -1, arrowright: 1 }[name];
    if (step) {
      const chips = all("[data-chip]"), next = chips.at((chips.indexOf(key.target) + step) % chips.length);
      next.click();
      return next.focus();
    }
    const card = hand.cards()[Number(name) - 1], shown = all("kbd").find((label) => label.textContent === name);
    const button = shown && shown.closest("button, label");
    if (card) hand.toggle(card);
    else if (button && button.matches(".spot")) addTo(button, key.shiftKey);
    else if (button) button.click();
  });

  function setDeck(isFourColor) {
    localStorage.setItem("cardroom.deck", isFourColor ? "four" : "");
    document.documentElement.dataset.deck = isFourColor ? "four" : "two";
  }

  restoreWagers();
  live.addEventListener("page:updated", () => {
    el("seal").open = isSealOpen;
    onUpdate();
  });
  document.addEventListener("DOMContentLoaded", () => {
    const coach = el("coach"), deck = el("deck");
    if (coach) coach.checked = localStorage.getItem("cardroom.coach") === "true";
    if (deck) deck.checked = localStorage.getItem("cardroom.deck") === "four";
    if (deck && deck.checked) setDeck(true);
    onUpdate();
  });
  setInterval(tick, 250);
})();
