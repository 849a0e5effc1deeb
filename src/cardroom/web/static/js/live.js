// Keeps an open page true: what the server draws is morphed into #live as it comes. The page says when the line is lost.
(() => {
  "use strict";
  const SILENCE = 3000; // after so long without a word the line is taken for dead
  const live = document.getElementById("live");
  const lost = document.getElementById("lost");
  const all = (selector) => [...live.querySelectorAll(selector)];
  const room = (window.cardroom = {
    live, all, refused, post, sitDown, ask: () => {}, el: (id) => document.getElementById(id), room: () => all(".room")[0].dataset,
  });

  // A call to the room. Its answer, or an Error whose message is the room's own sentence.
  async function post(address, said, method = "POST") {
    let answer;
    try {
      answer = await fetch(address, {
        method,
        headers: said === undefined ? {} : { "Content-Type": "application/json" },
        body: said === undefined ? undefined : JSON.stringify(said),
        credentials: "same-origin",
      });
    } catch {
      throw new Error("The card room does not answer: what you did was not taken. Try again.");
    }
    const told = answer.status === 204 ? null : await answer.json();
    if (!answer.ok) throw Object.assign(new Error(told.error), { status: answer.status });
    return told;
  }

  // Take the first free seat of a table, or open a practice table of a game and sit down there; somebody who has not come
  // in yet does so first. The name of the table.
  async function sitDown(table, game) {
    const id = () => crypto.randomUUID();
    const sit = async () => {
      const at = table || (await post("/api/v1/tables", { id: id(), game })).table;
      await post(`/api/v1/tables/${at}/seat`, { id: id() });
      return at;
    };
    const comeIn = () => post("/api/v1/guests", { id: id() });
    if (!live.dataset.player) await comeIn();
    try {
      return await sit();
    } catch (fault) {
      if (fault.status !== 401) throw fault; // the room does not know this player any more
      await comeIn();
      return sit();
    }
  }

  // The room's sentence, beside what caused it.
  function refused(sentence) {
    const place = document.getElementById("refusal");
    if (place) place.textContent = sentence || "";
  }

  if (!live) return;
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live?page=` +
    encodeURIComponent(live.dataset.page || location.pathname);
  let socket = null, heard = 0, pause = 250, leaving = false;

  function connect() {
    socket = new WebSocket(address);
    heard = Date.now();
    socket.onmessage = (message) => {
      heard = Date.now();
      pause = 250;
      lost.hidden = true;
      if (message.data) draw(message.data);
    };
    socket.onclose = (end) => {
      socket = null;
      if (leaving || end.code === 4404) return;
      lost.hidden = false;
      setTimeout(connect, pause);
      pause = Math.min(pause * 2, 2000);
    };
  }

  let drawing = Promise.resolve();
  function draw(html) {
    drawing = drawing.then(async () => {
      live.dispatchEvent(new CustomEvent("room:before", { bubbles: true }));
      await window.htmx.swap({ target: live, text: html, swap: "innerMorph" });
      live.dispatchEvent(new CustomEvent("room:drawn", { bubbles: true }));
    });
  }

  room.ask = () => socket && socket.readyState === WebSocket.OPEN && socket.send("?");
  setInterval(() => {
    if (socket && Date.now() - heard > SILENCE && !document.hidden) {
      lost.hidden = false;
      socket.close();
    }
  }, 500);
  // A page that was in the background may have missed anything.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    heard = Date.now();
    room.ask();
  });
  addEventListener("pagehide", () => { leaving = true; socket && socket.close(); });
  addEventListener("pageshow", (shown) => { if (shown.persisted) { leaving = false; connect(); } });
  addEventListener("online", room.ask);
  connect();
})();
