// The shuffle of a past round, computed by the visitor's own browser from the key: docs/rounds.md, step by step.
(() => {
  const LABEL = "cardroom shuffle 1\0", LABEL_WITH_SEEDS = "cardroom shuffle 1 with words\0";
  const bytes = (text) => new TextEncoder().encode(text);
  const hex = (some) => [...new Uint8Array(some)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const fromHex = (text) => Uint8Array.from(text.match(/../g) || [], (digits) => parseInt(digits, 16));
  const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
  const length = (number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255);

  const message = (id, seeds) => {
    const given = Object.entries(seeds).filter(([, text]) => text).sort(([a], [b]) => a - b);
    if (!given.length) return bytes(LABEL + id);
    const parts = given.flatMap(([seat, text]) => [...length(+seat), ...length(bytes(text).length), ...bytes(text)]);
    return joined(bytes(LABEL_WITH_SEEDS), length(bytes(id).length), bytes(id), parts);
  };

  const rotated = (number, by) => (number << by) | (number >>> (32 - by));
  const quarter = (s, a, b, c, d) => {
    for (const [x, y, z, by] of [[a, b, d, 16], [c, d, b, 12], [a, b, d, 8], [c, d, b, 7]]) {
      s[x] += s[y];
      s[z] = rotated(s[z] ^ s[x], by);
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
      yield* s.map((word, at) => word + start[at]);
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

  const check = async ({ key, seal, id, seeds, fresh, dealt, texts: sentences }) => {
    const texts = JSON.parse(sentences), secret = fromHex(key);
    const found = hex(await crypto.subtle.digest("SHA-256", joined(bytes(LABEL), secret, bytes(id))));
    if (found !== seal) return fill(texts.wrongSeal, { found });
    const hmacKey = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const stream = await crypto.subtle.sign("HMAC", hmacKey, message(id, JSON.parse(seeds)));
    const order = shuffled(fresh.split(" "), numbers(stream)), shown = dealt.split(" ");
    if (shown.some((card, at) => card !== order[at])) return fill(texts.otherOrder, { cards: order.slice(0, shown.length).join(" ") });
    return fill(texts.same, { count: shown.length, cards: shown.join(" ") });
  };

  const { el, fill } = window.cardroom;
  el("check-in-browser")?.addEventListener("click", async (event) => {
    const { dataset } = event.currentTarget;
    el("check-result").textContent = crypto.subtle ? await check(dataset) : JSON.parse(dataset.texts).unavailable;
  });
})();
