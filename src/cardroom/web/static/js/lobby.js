// The lobby: a click takes the first free seat of a table, or opens a practice table, and goes there.
(() => {
  "use strict";
  const { showRefusal, sitDown } = window.cardroom;

  document.addEventListener("click", async (click) => {
    const button = click.target.closest("[data-sit], [data-practice]");
    if (!button || button.disabled) return;
    button.disabled = true;
    showRefusal("");
    try {
      location.href = `/tables/${await sitDown(button.dataset.sit, button.dataset.practice)}`;
    } catch (fault) {
      button.disabled = false;
      showRefusal(fault);
    }
  });
})();
