// The lab: what is typed is counted at once, and the address says what was changed. One question is under way at a time.
(() => {
  "use strict";
  const { el } = window.cardroom;
  const counting = el("counting");
  const so_far = el("so-far");
  const SILENT = "The card room does not answer: type again.";
  const PAUSE = 120; // milliseconds without a key after which the room is asked

  const address = (form, said) => `${form.getAttribute("action")}?${new URLSearchParams(said)}`;

  // Ask for a part of the page as often as wanted; while an answer is under way only the newest question waits.
  function asker(where_to, arrived, unheard) {
    let busy = false, again = false, timer = 0;
    async function ask() {
      if (busy) { again = true; return; }
      busy = true;
      const where = where_to();
      const slow = setTimeout(() => { counting.hidden = false; }, 250);
      const watching = so_far && setInterval(async () => {
        so_far.textContent = await (await fetch(where.replace("part=figures", "part=progress"))).text();
      }, 1000);
      try {
        const answer = await fetch(where);
        await arrived(answer, await answer.text());
      } catch {
        unheard();
      } finally {
        clearTimeout(slow);
        clearInterval(watching);
        counting.hidden = true;
        if (so_far) so_far.textContent = "";
        busy = false;
        if (again) { again = false; ask(); }
      }
    }
    return () => { clearTimeout(timer); timer = setTimeout(ask, PAUSE); };
  }

  const paytable = el("asking");
  if (paytable) {
    const figures = document.querySelector(paytable.dataset.figures);
    const refusal = el("lab-refusal");
    const query = () => {
      const said = new URLSearchParams(new FormData(paytable));
      for (const field of paytable.elements) {
        if (field.name && (field.value === "" || field.value === field.dataset.printed)) said.delete(field.name);
      }
      return said;
    };
    const mark = () => paytable.querySelectorAll("[data-printed]").forEach((field) => {
      field.classList.toggle("changed", field.value.trim() !== field.dataset.printed);
    });
    const ask = asker(
      () => { const said = query(); said.set("part", "figures"); return address(paytable, said); },
      async (answer, html) => {
        refusal.textContent = answer.ok ? "" : html.trim();
        figures.classList.toggle("old", !answer.ok);
        if (!answer.ok) return;
        // The first count also tells what can be chosen: the page comes anew, with all of its fields.
        if (figures.hasAttribute("data-missing")) { location.replace(answer.headers.get("Lab-Address")); return; }
        await window.htmx.swap({ target: figures, text: html, swap: "innerMorph" });
        history.replaceState(null, "", answer.headers.get("Lab-Address"));
      },
      () => { refusal.textContent = SILENT; },
    );
    mark();
    if (figures.hasAttribute("data-missing")) ask();
    paytable.addEventListener("input", (typed) => {
      if (typed.target.hasAttribute("data-anew")) { return (location.href = address(paytable, { table: typed.target.value })); }
      mark();
      ask();
    });
    paytable.addEventListener("submit", (sent) => { sent.preventDefault(); ask(); });
    paytable.addEventListener("reset", (asked) => {
      asked.preventDefault();
      paytable.querySelectorAll("[data-printed]").forEach((field) => { field.value = field.dataset.printed; });
      mark();
      ask();
    });
  }

  const hand = el("hand");
  if (hand) {
    const cards = el("cards");
    const answers = el("answers");
    const held = () => cards.value.trim().split(/\s+/).filter(Boolean);
    const ask = asker(
      () => address(hand, [...new FormData(hand), ["part", "answers"]]),
      async (answer, html) => {
        await window.htmx.swap({ target: answers, text: html, swap: "innerMorph" });
        history.replaceState(null, "", address(hand, new FormData(hand)));
      },
      () => { answers.textContent = SILENT; },
    );
    hand.addEventListener("click", (click) => {
      const tapped = click.target.closest("[data-card]");
      if (tapped) cards.value = [...held(), tapped.dataset.card].join(" ");
      else if (click.target.closest("[data-clear]")) cards.value = "";
      else return;
      ask();
    });
    hand.addEventListener("input", (typed) => {
      if (typed.target.hasAttribute("data-anew")) location.href = address(hand, { wager: typed.target.value, cards: cards.value });
      else ask();
    });
    hand.addEventListener("submit", (sent) => { sent.preventDefault(); ask(); });
  }
})();
