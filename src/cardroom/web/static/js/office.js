// The office: a form is checked while it is filled in, and a click copies the text beside it.
(() => {
  "use strict";
  // The last edit wins. A check that was asked for before it may be answered after it, and would put back what was typed
  // earlier; so only the response to the newest check is shown, and the form is busy until it is.
  const newest = new WeakMap();
  const checks = (event) => event.target.matches('[hx-sync="this:replace"]');
  const isNewest = (event) => newest.get(event.target) === event.detail.ctx;
  document.addEventListener("htmx:config:request", (event) => {
    if (!checks(event)) return;
    newest.set(event.target, event.detail.ctx);
    event.target.setAttribute("aria-busy", "true");
  });
  document.addEventListener("htmx:after:request", (event) => {
    if (checks(event) && !isNewest(event)) event.preventDefault();
  });
  document.addEventListener("htmx:finally:request", (event) => {
    if (checks(event) && isNewest(event)) event.target.removeAttribute("aria-busy");
  });

  document.addEventListener("click", async (click) => {
    const button = click.target.closest("[data-copy]");
    if (!button) return;
    const words = button.textContent;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select it by hand";
    }
    setTimeout(() => { button.textContent = words; }, 1500);
  });
})();
