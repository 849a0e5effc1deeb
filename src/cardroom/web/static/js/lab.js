// The lab: every change is priced at once, and the address contains what was changed. One request is under way at a time.
(() => {
  "use strict";
  const { el } = window.cardroom;
  const progress = el("progress");
  const progressText = el("progress-text");
  const NO_RESPONSE = "No response from the server. Try again.";
  const PAUSE = 120; // milliseconds without a key before a request is sent

  const address = (form, values) => `${form.getAttribute("action")}?${new URLSearchParams(values)}`;

  // Returns a function that requests a part of the page. While a request is under way, only the newest one waits.
  function requester(getAddress, onResponse, onFailure) {
    let busy = false, again = false, timer = 0;
    async function request() {
      if (busy) { again = true; return; }
      busy = true;
      const where = getAddress();
      const slow = setTimeout(() => { progress.hidden = false; }, 250);
      const polling = progressText && setInterval(async () => {
        progressText.textContent = await (await fetch(where.replace("part=figures", "part=progress"))).text();
      }, 1000);
      try {
        const response = await fetch(where);
        await onResponse(response, await response.text());
      } catch {
        onFailure();
      } finally {
        clearTimeout(slow);
        clearInterval(polling);
        progress.hidden = true;
        if (progressText) progressText.textContent = "";
        busy = false;
        if (again) { again = false; request(); }
      }
    }
    return () => { clearTimeout(timer); timer = setTimeout(request, PAUSE); };
  }

  const paytable = el("paytable-form");
  if (paytable) {
    const figures = document.querySelector(paytable.dataset.figures);
    const refusal = el("lab-refusal");
    const query = () => {
      const values = new URLSearchParams(new FormData(paytable));
      for (const field of paytable.elements) {
        if (field.name && (field.value === "" || field.value === field.dataset.printed)) values.delete(field.name);
      }
      return values;
    };
    const markChanges = () => paytable.querySelectorAll("[data-printed]").forEach((field) => {
      field.classList.toggle("changed", field.value.trim() !== field.dataset.printed);
    });
    const request = requester(
      () => { const values = query(); values.set("part", "figures"); return address(paytable, values); },
      async (response, html) => {
        refusal.textContent = response.ok ? "" : html.trim();
        figures.classList.toggle("old", !response.ok);
        if (!response.ok) return;
        // The first prices also show which settings there are: load the page again, with all its fields.
        if (figures.hasAttribute("data-missing")) { location.replace(response.headers.get("Lab-Address")); return; }
        await window.htmx.swap({ target: figures, text: html, swap: "innerMorph" });
        history.replaceState(null, "", response.headers.get("Lab-Address"));
      },
      () => { refusal.textContent = NO_RESPONSE; },
    );
    markChanges();
    if (figures.hasAttribute("data-missing")) request();
    paytable.addEventListener("input", (input) => {
      if (input.target.hasAttribute("data-reload")) { return (location.href = address(paytable, { table: input.target.value })); }
      markChanges();
      request();
    });
    paytable.addEventListener("submit", (submit) => { submit.preventDefault(); request(); });
    paytable.addEventListener("reset", (reset) => {
      reset.preventDefault();
      paytable.querySelectorAll("[data-printed]").forEach((field) => { field.value = field.dataset.printed; });
      markChanges();
      request();
    });
  }

  const hand = el("hand");
  if (hand) {
    const cards = el("cards");
    const decisions = el("decisions");
    const enteredCards = () => cards.value.trim().split(/\s+/).filter(Boolean);
    const request = requester(
      () => address(hand, [...new FormData(hand), ["part", "answers"]]),
      async (response, html) => {
        await window.htmx.swap({ target: decisions, text: html, swap: "innerMorph" });
        history.replaceState(null, "", address(hand, new FormData(hand)));
      },
      () => { decisions.textContent = NO_RESPONSE; },
    );
    hand.addEventListener("click", (click) => {
      const tapped = click.target.closest("[data-card]");
      if (tapped) cards.value = [...enteredCards(), tapped.dataset.card].join(" ");
      else if (click.target.closest("[data-clear]")) cards.value = "";
      else return;
      request();
    });
    hand.addEventListener("input", (input) => {
      if (input.target.hasAttribute("data-reload")) location.href = address(hand, { wager: input.target.value, cards: cards.value });
      else request();
    });
    hand.addEventListener("submit", (submit) => { submit.preventDefault(); request(); });
  }
})();
