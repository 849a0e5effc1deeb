// The dealer's console: sends forms in place, opens sheets over the page, and fills fields from taps on cards and chips.
(() => {
  "use strict";
  const { live, el } = window.cardroom, sheet = el("sheet"), body = el("sheet-body");

  // A tap belongs to the step that was under the finger when it went down. If the table has moved on before the finger
  // comes up, the tap takes no step, and the console says so.
  const LATE = "The table moved on before your tap. Check the step, then tap again.";
  const refuse = (form, sentence) => {
    const place = form.querySelector(".refusal[role=alert]"); // missing if the page was redrawn meanwhile
    if (place) place.textContent = sentence || "";
  };
  let pressedForm = "";
  const isLate = () => pressedForm && !el(pressedForm);
  addEventListener("keydown", () => { pressedForm = ""; }, true);
  addEventListener("pointerdown", (event) => {
    const form = event.target.closest("[data-do]");
    pressedForm = form && live.contains(form) ? form.getAttribute("id") : "";
  }, true);
  addEventListener("pointerup", () => {
    const form = isLate() && live.querySelector(".now [data-do]");
    if (form) refuse(form, LATE);
  }, true);

  function showSheet(html) {
    body.innerHTML = html;
    if (!sheet.open) sheet.showModal();
    const first = body.querySelector("[data-kind]");
    if (!first) return;
    first.focus();
    selectField(first);
  }

  // Returns a sheet, or the sentence of a refusal, or neither if the command is done.
  async function send(address, request) {
    try {
      const response = await fetch(address, request), text = await response.text();
      if (/html/.test(response.headers.get("content-type"))) return { html: text, done: response.ok };
      return { refusal: text && JSON.parse(text).error };
    } catch {
      return { refusal: "The server does not respond. Try again. A repeated tap is never counted twice." };
    }
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("[data-do]");
    if (!form) return;
    event.preventDefault();
    const late = live.contains(form) && isLate();
    pressedForm = "";
    if (late) {
      refuse(form, LATE);
      return;
    }
    if (form.classList.contains("sent")) return;
    form.classList.add("sent");
    const fields = new URLSearchParams(new FormData(form));
    fields.set("form", document.body.dataset.form);
    const onSheet = sheet.contains(form);
    const { html, refusal, done } = await send(form.getAttribute("action"), { method: "POST", body: fields });
    form.classList.remove("sent");
    if (onSheet && done && !(sheet.open && form.isConnected)) return; // done, and the dealer has already closed the sheet
    if (html) showSheet(html);
    else if (!refusal && sheet.contains(form)) sheet.close();
    else refuse(form, refusal);
  });

  document.addEventListener("click", async (event) => {
    const hit = (selector) => event.target.closest(selector);
    const opener = hit("[data-sheet]");
    if (opener) {
      const { html, refusal } = await send(opener.dataset.sheet);
      showSheet(html || el("no-sheet").innerHTML);
      if (refusal) body.querySelector(".refusal").textContent = refusal;
    }
    else if (hit("[data-close]")) sheet.close();
    else if (hit("[data-card]")) tapCard(hit("[data-card]").dataset.card);
    else if (hit("[data-chip]")) setDollars(dollars() + Number(hit("[data-chip]").dataset.chip));
    else if (hit("[data-kind]")) selectField(hit("[data-kind]"));
    else if (hit("[data-clear]")) { field().value = ""; markCards(); }
  });

  // The field that taps fill.
  const field = () => body.querySelector(".active-field");
  function selectField(input) {
    body.querySelectorAll(".active-field").forEach((old) => old.classList.remove("active-field"));
    input.classList.add("active-field");
    body.querySelectorAll("[data-tray]").forEach((tray) => { tray.hidden = tray.dataset.tray !== input.dataset.kind; });
    input.scrollIntoView({ block: "nearest" });
    markCards();
  }
  body.addEventListener("focusin", (event) => { if (event.target.dataset.kind) selectField(event.target); });
  body.addEventListener("input", markCards);

  const cards = (text) => text.split(/\s+/).filter(Boolean);
  function tapCard(card) {
    const codes = cards(field().value), at = codes.indexOf(card);
    if (at >= 0 && Number(field().form.dataset.copies) === 1) codes.splice(at, 1);
    else codes.push(card);
    field().value = codes.join(" ");
    markCards();
  }
  const dollars = () => Math.round(Number(field().value.replace(/[$,]/g, "") || 0) * 100);
  function setDollars(cents) {
    field().value = "$" + (cents % 100 ? (cents / 100).toFixed(2) : cents / 100);
  }

  // Cards of this field are pressed. With one deck, cards of other fields and seats are disabled.
  function markCards() {
    if (!field() || !body.querySelector(".picker")) return;
    const form = field().form, own = cards(field().value);
    const others = [...form.querySelectorAll("[data-kind=cards]")].filter((input) => input !== field());
    const used = cards([form.dataset.otherCards, ...others.map((input) => input.value)].join(" "));
    for (const button of body.querySelectorAll("[data-card]")) {
      button.setAttribute("aria-pressed", String(own.includes(button.dataset.card)));
      button.disabled = Number(form.dataset.copies) === 1 && used.includes(button.dataset.card);
    }
  }
})();
