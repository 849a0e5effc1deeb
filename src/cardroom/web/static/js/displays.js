// A display moves by itself: a meter that has risen rolls up to its amount, a text too long for the sign runs past.
(() => {
  "use strict";
  const ROLL = 600, STEP = 45; // milliseconds: a whole roll, and one column of lights
  const WHILE = 60; // steps for which a line stays where nothing is to move
  const live = document.getElementById("live");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const meters = () => live.querySelectorAll("[data-meter]");
  const cents = (words) => Number(words.replace(/\D/g, ""));
  const words = (all) => "$" + (all / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const shown = new Map(); // what each meter shows at this moment, in cents
  const rolling = new Map();

  function write(meter, all) {
    const text = words(all);
    shown.set(meter.dataset.meter, all);
    if (!(meter instanceof SVGElement)) { meter.textContent = text; return; }
    const letters = meter.querySelectorAll("use");
    if (letters.length !== text.length) return;
    letters.forEach((letter, at) => letter.setAttribute("href", "#led-" + text.charCodeAt(at)));
  }

  function roll(meter, from, to) {
    const began = performance.now(), key = meter.dataset.meter;
    cancelAnimationFrame(rolling.get(key));
    const frame = (now) => {
      const part = Math.min(1, (now - began) / ROLL);
      write(meter, Math.round(from + (to - from) * (1 - (1 - part) ** 3)));
      if (part < 1) rolling.set(key, requestAnimationFrame(frame));
    };
    frame(began);
  }

  function settle() {
    for (const meter of meters()) {
      const to = cents(meter.dataset.shows), from = shown.get(meter.dataset.meter);
      // Down, it goes at once: somebody has won.
      if (from !== undefined && to > from && !still.matches && String(words(from)).length === words(to).length) roll(meter, from, to);
      else { cancelAnimationFrame(rolling.get(meter.dataset.meter)); write(meter, to); }
    }
    for (const sign of live.querySelectorAll(".led-running")) place(sign);
  }

  // The lines of a sign behind one another, as one band that goes by, column after column; or one after the other.
  let column = 0;
  function place(sign) {
    const lines = [...sign.querySelectorAll("g")];
    if (!lines.length) return;
    const columns = Number(sign.dataset.columns), rows = sign.dataset.rows;
    const long = columns + lines.reduce((sum, line) => sum + Number(line.dataset.width) + 3, 0);
    sign.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
    if (still.matches) {
      const turn = Math.floor(column / WHILE) % lines.length;
      lines.forEach((line, at) => line.setAttribute("transform", `translate(${at === turn ? 2 : -2 * columns} 1)`));
      return;
    }
    let x = columns - (column % long);
    for (const line of lines) {
      line.setAttribute("transform", `translate(${x} 1)`);
      x += Number(line.dataset.width) + 3;
    }
  }
  setInterval(() => {
    if (document.hidden) return;
    column += 1;
    live.querySelectorAll(".led-running").forEach(place);
  }, STEP);

  live.addEventListener("room:drawn", settle);
  settle();
})();
