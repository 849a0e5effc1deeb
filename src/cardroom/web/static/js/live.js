// Keeps an open page true: what the server draws is morphed into #live as it comes. The page says when the line is lost.
(() => {
  "use strict";
  const SILENCE = 2500, LOOK = 250; // after so long without a word the line is taken for dead; it is looked at so often
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
        headers: said ? { "Content-Type": "application/json" } : {},
        body: said && JSON.stringify(said),
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

  // A page that never changes still has to go when the session of the person in front of it is over or locked.
  if (!live && !("session" in document.body.dataset)) return;
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live?page=` +
    encodeURIComponent((live && live.dataset.page) || location.pathname);
  let socket = null, heard = 0, pause = 250, leaving = false;

  function connect() {
    if (socket || leaving) return;
    const line = (socket = new WebSocket(address));
    heard = Date.now();
    socket.onmessage = (message) => {
      heard = Date.now();
      if (!message.data) return; // the line is alive, and there is nothing new
      pause = 250;
      draw(message.data, line);
    };
    socket.onclose = (end) => {
      // What the page showed is gone, or is not for this visitor any more: the room says what there is.
      if (end.code === 4401) leave();
      else if (end.code === 4404 && !lost.hidden) location.reload();
      else if (end.code !== 4404 && end.code !== 4403) drop();
    };
  }

  // The session is over or locked: nothing of the page stays, and no form is sent again.
  function leave() {
    leaving = true;
    document.body.hidden = true;
    location.replace(location.pathname + location.search);
  }

  // The line is dead, whatever the socket still hopes for: a browser waits long for the other side's good-bye.
  function drop() {
    const old = socket;
    socket = null;
    if (old) {
      old.onmessage = old.onclose = null;
      old.close();
    }
    if (leaving) return;
    lost.hidden = !live;
    setTimeout(connect, pause);
    pause = Math.min(pause * 2, 2000);
  }

  let drawing = Promise.resolve();
  // Only what has been drawn is true, and only while its line is open.
  function draw(html, line) {
    const swap = async () => {
      live.dispatchEvent(new CustomEvent("room:before", { bubbles: true }));
      await window.htmx.swap({ target: live, text: html, swap: "innerMorph" });
      if (line === socket) lost.hidden = true;
      live.dispatchEvent(new CustomEvent("room:drawn", { bubbles: true }));
    };
    drawing = drawing.then(swap, swap); // a drawing that failed is no reason to miss the next
  }

  room.ask = () => socket && socket.readyState === WebSocket.OPEN && socket.send("?");
  const isSilent = () => socket && Date.now() - heard > SILENCE;
  setInterval(() => isSilent() && !document.hidden && drop(), LOOK);
  // A page that was in the background may have missed anything; one that slept does not know whether its line is alive.
  const back = () => { if (!document.hidden) isSilent() ? drop() : room.ask(); };
  document.addEventListener("visibilitychange", back);
  addEventListener("pagehide", () => { leaving = true; socket && socket.close(); });
  addEventListener("pageshow", (shown) => { if (shown.persisted) { leaving = false; connect(); } });
  addEventListener("online", room.ask);
  connect();
})();
