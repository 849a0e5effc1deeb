// Motion of the displays: a meter that rises rolls up to its new amount, and a text too long for the sign scrolls.
(() => {
  "use strict";
  const ROLL = 600, STEP = 45; // milliseconds: a whole roll, and one column of lights
  const PHRASE_STEPS = 80; // steps for which a phrase stays where motion is reduced
  const { live } = window.cardroom;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const meters = () => live.querySelectorAll("[data-meter]");
  const parseCents = (text) => Number(text.replace(/\D/g, ""));
  const format = (cents) => "$" + (cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const shown = new Map(); // what each meter shows at this moment, in cents
  const rolling = new Map();

  function write(meter, cents) {
    const text = format(cents);
    shown.set(meter.dataset.meter, cents);
    if (!(meter instanceof SVGElement)) { meter.textContent = text; return; }
    const letters = meter.querySelectorAll("use");
    if (letters.length !== text.length) return;
    letters.forEach((letter, at) => letter.setAttribute("href", "#led-" + text.charCodeAt(at)));
  }

  function roll(meter, from, to) {
    const began = performance.now(), key = meter.dataset.meter;
    cancelAnimationFrame(rolling.get(key));
    const frame = (now) => {
      const part = Math.min(1, Math.max(0, now - began) / ROLL); // a frame may have begun before the roll
      write(meter, Math.round(from + (to - from) * (1 - (1 - part) ** 3)));
      if (part < 1) rolling.set(key, requestAnimationFrame(frame));
    };
    frame(began);
  }

  function settle() {
    for (const meter of meters()) {
      const to = parseCents(meter.dataset.amount), from = shown.get(meter.dataset.meter);
      // A lower amount is shown at once: there was a win.
      if (from !== undefined && to > from && !still.matches && format(from).length === format(to).length) roll(meter, from, to);
      else { cancelAnimationFrame(rolling.get(meter.dataset.meter)); write(meter, to); }
    }
    for (const sign of live.querySelectorAll(".led-running")) place(sign);
  }

  // The lines of a sign scroll past as one band, column by column. With reduced motion, the sign shows a phrase at a time on
  // two lines of lights, so that none is cut.
  let column = 0;
  function place(sign) {
    const lines = [...sign.querySelectorAll("g")];
    if (!lines.length) return;
    const columns = Number(sign.dataset.columns), rows = Number(sign.dataset.rows);
    const put = (line, x, y) => line.setAttribute("transform", `translate(${x} ${y})`);
    sign.setAttribute("viewBox", `0 0 ${columns} ${still.matches ? 2 * rows : rows}`);
    if (still.matches) {
      const pages = [];
      for (const line of lines) {
        const last = pages.at(-1);
        if (last && last.length < 2 && last[0].dataset.phrase === line.dataset.phrase) last.push(line);
        else pages.push([line]);
      }
      const shown = pages[Math.floor(column / PHRASE_STEPS) % pages.length];
      const top = shown.length === 1 ? Math.ceil(rows / 2) : 1;
      for (const line of lines) put(line, -2 * columns, 1);
      shown.forEach((line, at) => put(line, 2, top + at * rows));
      return;
    }
    const length = columns + lines.reduce((sum, line) => sum + Number(line.dataset.width) + 3, 0);
    let x = columns - (column % length);
    for (const line of lines) {
      put(line, x, 1);
      x += Number(line.dataset.width) + 3;
    }
  }
  setInterval(() => {
    if (document.hidden) return;
    column += 1;
    live.querySelectorAll(".led-running").forEach(place);
  }, STEP);

  live.addEventListener("page:updated", settle);
  settle();
})();
