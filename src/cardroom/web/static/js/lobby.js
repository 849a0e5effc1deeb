// Sitting down: a guest comes in if need be, takes the first free seat, and goes there.
(() => {
  "use strict";
  const { post, refused } = window.cardroom;

  document.addEventListener("click", async (click) => {
    const button = click.target.closest("[data-sit]");
    if (!button || button.disabled) return;
    button.disabled = true;
    refused("");
    const at = `/api/v1/tables/${button.dataset.sit}/seat`;
    try {
      try {
        await post(at, { id: crypto.randomUUID() });
      } catch (fault) {
        if (fault.status !== 401) throw fault;
        await post("/api/v1/guests", { id: crypto.randomUUID() });
        await post(at, { id: crypto.randomUUID() });
      }
      location.href = `/tables/${button.dataset.sit}`;
    } catch (fault) {
      button.disabled = false;
      refused(fault.message);
    }
  });
})();
