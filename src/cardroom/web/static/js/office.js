// The office: checks a form while it is filled in, and copies text on a click.
(() => {
  "use strict";
  // The last edit wins. An older check may respond after a newer one and would restore old values, so only the response
  // to the newest check is shown. The form is busy until then.
  const newest = new WeakMap();
  const isCheck = (event) => event.target.matches('[hx-sync="this:replace"]');
  const isNewest = (event) => newest.get(event.target) === event.detail.ctx;
  document.addEventListener("htmx:config:request", (event) => {
    if (!isCheck(event)) return;
    newest.set(event.target, event.detail.ctx);
    event.target.setAttribute("aria-busy", "true");
  });
  document.addEventListener("htmx:after:request", (event) => {
    if (isCheck(event) && !isNewest(event)) event.preventDefault();
  });
  document.addEventListener("htmx:finally:request", (event) => {
    if (isCheck(event) && isNewest(event)) event.target.removeAttribute("aria-busy");
  });

  document.addEventListener("click", async (click) => {
    const button = click.target.closest("[data-copy]");
    if (!button) return;
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select and copy it";
    }
    setTimeout(() => { button.textContent = label; }, 1500);
  });
})();
