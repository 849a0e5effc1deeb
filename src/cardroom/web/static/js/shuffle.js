// The shuffle of a past round, worked out by the visitor's own browser from the key: docs/rounds.md, step by step.
(() => {
  const LABEL = "cardroom shuffle 1\0", WITH_WORDS = "cardroom shuffle 1 with words\0";
  const bytes = (text) => new TextEncoder().encode(text);
  const hex = (some) => [...new Uint8Array(some)].map((one) => one.toString(16).padStart(2, "0")).join("");
  const unhex = (text) => Uint8Array.from(text.match(/../g) || [], (one) => parseInt(one, 16));
  const joined = (...parts) => Uint8Array.from(parts.flatMap((one) => [...one]));
  const length = (number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255);

  const message = (id, words) => {
    const said = Object.entries(words).filter(([, text]) => text).sort(([a], [b]) => a - b);
    if (!said.length) return bytes(LABEL + id);
    const told = said.flatMap(([seat, text]) => [...length(+seat), ...length(bytes(text).length), ...bytes(text)]);
    return joined(bytes(WITH_WORDS), length(bytes(id).length), bytes(id), told);
  };

  const turned = (number, by) => (number << by) | (number >>> (32 - by));
  const quarter = (s, a, b, c, d) => {
    for (const [x, y, z, by] of [[a, b, d, 16], [c, d, b, 12], [a, b, d, 8], [c, d, b, 7]]) {
      s[x] += s[y];
      s[z] = turned(s[z] ^ s[x], by);
    }
  };
  function* numbers(key) {
    const view = new DataView(key);
    const parts = [...Array(8).keys()].map((at) => view.getUint32(4 * at, true));
    for (let counter = 0; ; counter++) {
      const start = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, ...parts, counter, 0, 0, 0];
      const s = Uint32Array.from(start);
      for (let round = 0; round < 10; round++) {
        for (let i = 0; i < 4; i++) quarter(s, i, i + 4, i + 8, i + 12);
        for (let i = 0; i < 4; i++) quarter(s, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
      }
      yield* s.map((one, at) => one + start[at]);
    }
  }
  const shuffled = (deck, source) => {
    const order = [...deck];
    for (let below = order.length; below > 1; below--) {
      let number = source.next().value;
      while (number >= Math.floor(2 ** 32 / below) * below) number = source.next().value;
      const drawn = number % below;
      [order[below - 1], order[drawn]] = [order[drawn], order[below - 1]];
    }
    return order;
  };

  const work = async ({ key, seal, id, words, fresh, dealt }) => {
    const secret = unhex(key);
    const found = hex(await crypto.subtle.digest("SHA-256", joined(bytes(LABEL), secret, bytes(id))));
    if (found !== seal) return `The key makes the seal ${found}, and that is not the one that was shown.`;
    const under = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const stream = await crypto.subtle.sign("HMAC", under, message(id, JSON.parse(words)));
    const order = shuffled(fresh.split(" "), numbers(stream)), lay = dealt.split(" ");
    if (lay.some((card, at) => card !== order[at])) return `This browser comes to another order: ${order.slice(0, lay.length).join(" ")}.`;
    return `This browser comes to the same: the key makes the seal that was shown, and the first ${lay.length} cards are those that were dealt, ${lay.join(" ")}.`;
  };

  const { el } = window.cardroom;
  el("work-out")?.addEventListener("click", async (event) => {
    el("worked-out").textContent = crypto.subtle
      ? await work(event.currentTarget.dataset)
      : "This browser works such things out only over https, or on the machine of the card room itself.";
  });
})();
