// A seat: chips on spots, answers, the coach. The room decides everything; this only says what the player wants.
(() => {
  "use strict";
  const { live, el, all, room, post, refused, sitDown, hand } = window.cardroom;
  const { table } = live.dataset, api = `/api/v1/tables/${table}`, kept = `cardroom.${table}`;
  const skew = Date.now() - Number(live.dataset.now); // the room's clock decides
  const money = (cents) => {
    const digits = cents % 100 ? 2 : 0;
    return `$${(cents / 100).toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
  };
  const $ = (selector) => live.querySelector(selector);

  // ---- Wagers that lie before the player, not yet said to the room.
  let wagers = {}, taken = {}, before = [], chip = 500, busy = false, shownRound = "", lesson = null;
  const spots = () => all(".spot");
  const betting = () => $("#tray") !== null;

  function recall() {
    const known = JSON.parse(sessionStorage.getItem(kept) || "null");
    if (known) ({ chip, wagers } = known);
    for (const spot of Object.keys(wagers)) if (!el(`spot-${spot}`)) delete wagers[spot];
    taken = wagers;
  }

  const stakes = (spot) => Number(el(`spot-${spot}`).dataset.stakes);
  const total = () => Object.entries(wagers).reduce((sum, [spot, cents]) => sum + cents * stakes(spot), 0);

  // The chips that a dealer would stack for an amount, with its sum.
  function stacked(cents) {
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
    for (const one of spots()) {
      const cents = wagers[one.dataset.spot];
      one.querySelector(".spot-chips").replaceChildren(...(cents ? [stacked(cents)] : []));
    }
    const sum = total();
    $("#total").textContent = sum ? money(sum) : "";
    $('[data-do="deal"]').disabled = !sum || busy;
    $('[data-do="undo"]').disabled = !before.length;
    $('[data-do="clear"]').disabled = $('[data-do="double"]').disabled = !sum;
    for (const one of all("[data-chip]")) {
      const chosen = Number(one.dataset.chip) === chip;
      one.setAttribute("aria-checked", String(chosen));
      one.tabIndex = chosen ? 0 : -1;
    }
    sessionStorage.setItem(kept, JSON.stringify({ chip, wagers }));
  }

  // Put down what is wanted if the room would take it; else say why, and put back what it would take. Wagers are checked one
  // after the other, so that chips laid in quick succession go back no further than to the last that it would take.
  let checking = Promise.resolve();
  function want(next, told = "") {
    refused(told);
    if (JSON.stringify(next) === JSON.stringify(wagers)) return;
    before.push(wagers);
    wagers = next;
    paint();
    checking = checking.then(() => check(next));
  }

  async function check(next) {
    try {
      const { error } = Object.keys(next).length ? await post(`/tables/${table}/check`, { wagers: next }) : { error: null };
      const isNow = wagers === next;
      if (!error) { if (isNow || before.includes(next)) taken = next; }
      else if (isNow) { wagers = taken; before.pop(); paint(); refused(error); }
      else before = before.filter((one) => one !== next);
    } catch (fault) {
      refused(fault.message);
    }
  }

  // A chip more or less on a spot. Amounts that the spot does not take cannot be laid: the nearest is, and that is said.
  function addTo(spot, less = false) {
    const { name } = spot.dataset, [min, max, step] = ["min", "max", "step"].map((one) => Number(spot.dataset[one]));
    const here = wagers[spot.dataset.spot] || 0, meant = here + (less ? -chip : chip);
    const steps = (cents) => min + Math.floor((cents - min) / step) * step;
    let cents = meant < min ? (less ? 0 : min) : steps(meant);
    if (cents === here && !less) cents = here + step;
    const takes = min === max ? money(min) : `${money(min)} to ${money(max)}${step > 100 ? ` in steps of ${money(step)}` : ""}`;
    if (cents > max) return refused(`${name} takes ${takes}.`);
    const next = { ...wagers, [spot.dataset.spot]: cents };
    if (!cents) delete next[spot.dataset.spot];
    want(next, cents && cents !== meant ? `${name} takes ${takes}: ${money(cents)} lie there now.` : "");
  }

  function doubled() {
    const next = {}, full = [];
    for (const [spot, cents] of Object.entries(wagers)) {
      const { max, name } = el(`spot-${spot}`).dataset;
      next[spot] = Math.min(cents * 2, Number(max));
      if (next[spot] < cents * 2) full.push(`${name} takes ${money(Number(max))} at most.`);
    }
    want(next, full.join(" "));
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
    house: hand.houseWay,
    undo: () => { wagers = taken = before.pop() || {}; refused(""); paint(); },
    clear: () => want({}),
    repeat: () => want(JSON.parse(room().repeat)),
    double: doubled,
    deal: () => act(async () => {
      const words = el("words").value.trim();
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

  // ---- Answers.
  function answerWith(button) {
    const answer = hand.meant(button);
    if (answer === undefined) return;
    const { round, question } = room(), [best] = advised(), mine = advised().find((one) => one.answer === answer);
    lesson = mine && { round, said: answer, best: best.answer, tried: Boolean(best.standard_error), cost: Math.round(best.value_cents * 100 - mine.value_cents * 100) / 100 };
    act(() => post(`${api}/decisions`, { id: id(), answer, round, question }));
  }

  // ---- The coach.
  let advice = null, advising = "";
  const coaching = () => el("coach") && el("coach").checked;
  // What the coach said to the question that is asked now.
  function advised() {
    const { round, question } = room();
    return coaching() && advice && advice.round === round && advice.question === question ? advice.options : [];
  }

  async function advise() {
    const { round, question } = room();
    if (!coaching() || !question || advising === `${round}/${question}`) return showAdvice();
    advising = `${round}/${question}`;
    try {
      const told = await (await fetch(`${api}/advice`)).json();
      if (told.options) { advice = told; showAdvice(); }
    } catch { advising = ""; }
  }

  function showAdvice() {
    const now = advised();
    for (const button of all(".choice")) {
      const answers = new Set(JSON.parse(button.dataset.answers));
      const best = now.find((one) => answers.has(one.answer));
      const worth = button.querySelector(".worth");
      button.classList.toggle("best", Boolean(best) && best === now[0]);
      worth.hidden = !best;
      if (!best) continue;
      const cards = Number(button.dataset.picks) ? `${best.answer.slice(button.dataset.verb.length)} ` : "";
      const dollars = (cents) => Math.abs(cents / 100).toFixed(2), error = best.standard_error ? ` ± ${dollars(best.standard_error)}` : "";
      worth.textContent = `${best === now[0] ? "best: " : ""}${cards}${best.value_cents < 0 ? "−" : "+"}$${dollars(best.value_cents)}${error}`;
    }
  }

  function teach() {
    const place = el("lesson");
    if (!place) return;
    place.textContent = !lesson || lesson.round !== place.dataset.round ? "" : lesson.cost > 0
      ? `Coach: “${lesson.said}” cost ${(lesson.cost / 100).toFixed(2)} dollars on average; “${lesson.best}” ${lesson.tried ? "did better in the rounds that were tried" : "was best"}.`
      : `Coach: “${lesson.said}” ${lesson.tried ? "did best in the rounds that were tried" : "was the best answer"}.`;
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

  // Chips that lay there go to the dealer, or come to the player.
  let lay = [];
  live.addEventListener("room:before", () => {
    lay = room().phase === "playing" ? spots().map((one) => [one.id, one.querySelector(".spot-chips").cloneNode(true)]) : [];
  });
  function chipsGo() {
    for (const [id, chips] of room().phase === "playing" ? [] : lay) {
      const net = $(`#${id} .spot-net`);
      if (!net) continue;
      chips.id = "";
      chips.className = `going ${net.matches(".win") ? "won" : "lost"}`;
      chips.ariaHidden = "true";
      chips.onanimationend = chips.remove;
      el(id).append(chips);
    }
    lay = [];
  }

  function drawn() {
    const { round, phase } = room();
    if (round !== shownRound) {
      shownRound = round;
      before = [];
      if (betting() && !Object.keys(wagers).length) {
        const last = JSON.parse(room().repeat);
        wagers = taken = Object.keys(last).length ? last : JSON.parse(room().start);
      }
    }
    if (phase === "playing") advise();
    hand.weigh();
    newCards();
    chipsGo();
    paint();
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
    const spot = on(".spot"), deed = on("[data-do]"), choice = on(".choice"), tray = on("[data-chip]");
    if (spot && betting()) addTo(spot, click.shiftKey);
    else if (deed && !deed.disabled) deeds[deed.dataset.do](deed);
    else if (choice && !choice.disabled) answerWith(choice);
    else if (tray) { chip = Number(tray.dataset.chip); paint(); }
  });
  live.addEventListener("contextmenu", (click) => {
    const spot = betting() && click.target.closest(".spot");
    if (spot) { click.preventDefault(); addTo(spot, true); }
  });
  live.addEventListener("change", (change) => {
    if (change.target.id === "coach") { localStorage.setItem("cardroom.coach", String(change.target.checked)); advising = ""; advise(); }
    if (change.target.id === "deck") choose(change.target.checked);
  });
  // A key presses the button that shows it; a number takes a card where cards are to be laid out.
  document.addEventListener("keydown", (key) => {
    if (key.ctrlKey || key.metaKey || key.altKey || key.repeat || key.target.matches("input:not([type=checkbox]), textarea, select")) return;
    const name = key.code.startsWith("Digit") ? key.code.slice(5) : key.key.toLowerCase();
    const step = key.target.matches("[data-chip]") && { arrowleft: -1, arrowright: 1 }[name];
    if (step) {
      const chips = all("[data-chip]"), next = chips.at((chips.indexOf(key.target) + step) % chips.length);
      next.click();
      return next.focus();
    }
    const card = hand.cards()[Number(name) - 1], shows = all("kbd").find((one) => one.textContent === name);
    const button = shows && shows.closest("button, label");
    if (card) hand.turn(card);
    else if (button && button.matches(".spot")) addTo(button, key.shiftKey);
    else if (button) button.click();
  });

  function choose(four) {
    localStorage.setItem("cardroom.deck", four ? "four" : "");
    document.documentElement.dataset.deck = four ? "four" : "two";
  }

  recall();
  live.addEventListener("room:drawn", drawn);
  document.addEventListener("DOMContentLoaded", () => {
    const coach = el("coach"), deck = el("deck");
    if (coach) coach.checked = localStorage.getItem("cardroom.coach") === "true";
    if (deck) deck.checked = localStorage.getItem("cardroom.deck") === "four";
    if (deck && deck.checked) choose(true);
    drawn();
  });
  setInterval(tick, 250);
})();
