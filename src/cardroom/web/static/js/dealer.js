// The dealer's console: forms are sent in place, sheets lie over the page, cards and chips are tapped into fields.
(() => {
  "use strict";
  const { live, el } = window.cardroom, sheet = el("sheet"), body = el("sheet-body");

  // A tap belongs to the step under the finger when it went down. If the table has moved on by the time it comes up, the
  // tap takes no step, and the console says so.
  const LATE = "The table moved on before your tap. Check the step, then tap again.";
  const refuse = (form, sentence) => {
    const place = form.querySelector(".refusal[role=alert]"); // none where the page was drawn again meanwhile
    if (place) place.textContent = sentence || "";
  };
  let meant = "";
  const isLate = () => meant && !el(meant);
  addEventListener("keydown", () => { meant = ""; }, true);
  addEventListener("pointerdown", (event) => {
    const form = event.target.closest("[data-do]");
    meant = form && live.contains(form) ? form.getAttribute("id") : "";
  }, true);
  addEventListener("pointerup", () => {
    const form = isLate() && live.querySelector(".now [data-do]");
    if (form) refuse(form, LATE);
  }, true);

  function lay(html) {
    body.innerHTML = html;
    if (!sheet.open) sheet.showModal();
    const first = body.querySelector("[data-kind]");
    if (!first) return;
    first.focus();
    choose(first);
  }

  // A sheet, or the sentence of a refusal; neither where all is done.
  async function call(address, how) {
    try {
      const answer = await fetch(address, how), text = await answer.text();
      if (/html/.test(answer.headers.get("content-type"))) return { laid: text, done: answer.ok };
      return { words: text && JSON.parse(text).error };
    } catch {
      return { words: "The card room does not answer. Try again: nothing is done twice." };
    }
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("[data-do]");
    if (!form) return;
    event.preventDefault();
    const late = live.contains(form) && isLate();
    meant = "";
    if (late) {
      refuse(form, LATE);
      return;
    }
    if (form.classList.contains("sent")) return;
    form.classList.add("sent");
    const said = new URLSearchParams(new FormData(form));
    said.set("form", document.body.dataset.form);
    const onSheet = sheet.contains(form);
    const { laid, words, done } = await call(form.getAttribute("action"), { method: "POST", body: said });
    form.classList.remove("sent");
    if (onSheet && done && !(sheet.open && form.isConnected)) return; // the dealer has left the sheet, and all is done
    if (laid) lay(laid);
    else if (!words && sheet.contains(form)) sheet.close();
    else refuse(form, words);
  });

  document.addEventListener("click", async (event) => {
    const on = (what) => event.target.closest(what);
    const opens = on("[data-sheet]");
    if (opens) {
      const { laid, words } = await call(opens.dataset.sheet);
      lay(laid || el("no-sheet").innerHTML);
      if (words) body.querySelector(".refusal").textContent = words;
    }
    else if (on("[data-close]")) sheet.close();
    else if (on("[data-card]")) tapCard(on("[data-card]").dataset.card);
    else if (on("[data-chip]")) write(dollars() + Number(on("[data-chip]").dataset.chip));
    else if (on("[data-kind]")) choose(on("[data-kind]"));
    else if (on("[data-clear]")) { field().value = ""; mark(); }
  });

  // The field that taps go into.
  const field = () => body.querySelector(".here");
  function choose(one) {
    body.querySelectorAll(".here").forEach((old) => old.classList.remove("here"));
    one.classList.add("here");
    body.querySelectorAll("[data-tray]").forEach((tray) => { tray.hidden = tray.dataset.tray !== one.dataset.kind; });
    one.scrollIntoView({ block: "nearest" });
    mark();
  }
  body.addEventListener("focusin", (event) => { if (event.target.dataset.kind) choose(event.target); });
  body.addEventListener("input", mark);

  const cards = (text) => text.split(/\s+/).filter(Boolean);
  function tapCard(card) {
    const there = cards(field().value), at = there.indexOf(card);
    if (at >= 0 && Number(field().form.dataset.copies) === 1) there.splice(at, 1);
    else there.push(card);
    field().value = there.join(" ");
    mark();
  }
  const dollars = () => Math.round(Number(field().value.replace(/[$,]/g, "") || 0) * 100);
  function write(cents) {
    field().value = "$" + (cents % 100 ? (cents / 100).toFixed(2) : cents / 100);
  }

  // Cards that lie here are pressed; with one deck, those that lie elsewhere cannot be tapped.
  function mark() {
    if (!field() || !body.querySelector(".picker")) return;
    const form = field().form, mine = cards(field().value);
    const others = [...form.querySelectorAll("[data-kind=cards]")].filter((one) => one !== field());
    const gone = cards([form.dataset.elsewhere, ...others.map((one) => one.value)].join(" "));
    for (const one of body.querySelectorAll("[data-card]")) {
      one.setAttribute("aria-pressed", String(mine.includes(one.dataset.card)));
      one.disabled = Number(form.dataset.copies) === 1 && gone.includes(one.dataset.card);
    }
  }
})();
