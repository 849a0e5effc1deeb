// The office: a click copies what stands beside it.
(() => {
  "use strict";
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
