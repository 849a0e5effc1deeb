// Sitting down: a guest comes in if need be, takes the first free seat, and goes there.
(() => {
  "use strict";
  const { refused, sitDown } = window.cardroom;

  document.addEventListener("click", async (click) => {
    const button = click.target.closest("[data-sit]");
    if (!button || button.disabled) return;
    button.disabled = true;
    refused("");
    try {
      await sitDown(button.dataset.sit);
      location.href = `/tables/${button.dataset.sit}`;
    } catch (fault) {
      button.disabled = false;
      refused(fault.message);
    }
  });
})();
