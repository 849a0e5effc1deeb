// Sitting down: a guest comes in if need be, takes the first free seat of a table or opens one of their own, and goes there.
(() => {
  "use strict";
  const { refused, sitDown } = window.cardroom;

  document.addEventListener("click", async (click) => {
    const button = click.target.closest("[data-sit], [data-practice]");
    if (!button || button.disabled) return;
    button.disabled = true;
    refused("");
    try {
      location.href = `/tables/${await sitDown(button.dataset.sit, button.dataset.practice)}`;
    } catch (fault) {
      button.disabled = false;
      refused(fault.message);
    }
  });
})();
