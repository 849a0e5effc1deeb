// Keeps an open page up to date: the server renders it, and the result is morphed into #live. Shows when the connection is lost.
(() => {
  "use strict";
  const TIMEOUT = 2500, CHECK = 250; // milliseconds of silence after which the connection counts as dead, and between checks
  const live = document.getElementById("live");
  const lost = document.getElementById("lost");
  const texts = JSON.parse(document.body.dataset.texts);
  const all = (selector) => [...live.querySelectorAll(selector)];
  const cardroom = (window.cardroom = {
    live, all, showRefusal, post, sitDown, fill, requestUpdate: () => {},
    el: (id) => document.getElementById(id), table: () => all(".table-page")[0].dataset,
  });

  // A sentence with its {placeholders} filled in.
  function fill(text, values) {
    return text.replace(/\{(\w+)\}/g, (placeholder, name) => (name in values ? values[name] : placeholder));
  }

  // A call to the server. Returns the response, or throws an Error whose message is the server's sentence.
  async function post(address, body, method = "POST") {
    let response;
    try {
      response = await fetch(address, {
        method,
        headers: body ? { "Content-Type": "application/json" } : {},
        body: body && JSON.stringify(body),
      });
    } catch {
      throw Object.assign(new Error(texts.noResponse), { isOffline: true });
    }
    const result = response.status === 204 ? null : await response.json();
    if (!response.ok) throw Object.assign(new Error(result.error), { status: response.status });
    return result;
  }

  // Take the first free seat of a table, or open a practice table of a game and sit down there. A new visitor becomes a
  // guest first. Returns the table.
  async function sitDown(table, game) {
    const id = () => crypto.randomUUID();
    const sit = async () => {
      const at = table || (await post("/api/v1/tables", { id: id(), game })).table;
      await post(`/api/v1/tables/${at}/seat`, { id: id() });
      return at;
    };
    const becomeGuest = () => post("/api/v1/guests", { id: id() });
    if (!live.dataset.player) await becomeGuest();
    try {
      return await sit();
    } catch (fault) {
      if (fault.status !== 401) throw fault; // the server no longer has this player
      await becomeGuest();
      return sit();
    }
  }

  // Show the server's sentence next to its cause. A sentence about the connection goes away with the next update.
  let isOfflineShown = false;
  function showRefusal(fault) {
    const place = document.getElementById("refusal");
    if (place) place.textContent = (fault && fault.message) || fault || "";
    isOfflineShown = Boolean(fault && fault.isOffline);
  }

  // A page that never changes still has to close when its session ends or is locked.
  if (!live && !("session" in document.body.dataset)) return;
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live?page=` +
    encodeURIComponent((live && live.dataset.page) || location.pathname);
  let socket = null, lastMessage = 0, pause = 250, leaving = false;

  function connect() {
    if (socket || leaving) return;
    const connection = (socket = new WebSocket(address));
    lastMessage = Date.now();
    socket.onmessage = (message) => {
      lastMessage = Date.now();
      if (!message.data) return; // a heartbeat
      pause = 250;
      update(message.data, connection);
    };
    socket.onclose = (end) => {
      // The page no longer exists, or this visitor may no longer see it: load what the server has instead.
      if (end.code === 4401) leave();
      else if (end.code === 4404 && !lost.hidden) location.reload();
      else if (end.code !== 4404 && end.code !== 4403) drop();
    };
  }

  // The session ended or is locked: hide the page, and send no form again.
  function leave() {
    leaving = true;
    document.body.hidden = true;
    location.replace(location.pathname + location.search);
  }

  // The connection is dead, whatever the socket reports: a browser waits long for the other side to close.
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

  let updating = Promise.resolve();
  // The page is up to date only after it is drawn, and only while its connection is open.
  function update(html, connection) {
    const swap = async () => {
      live.dispatchEvent(new CustomEvent("page:updating", { bubbles: true }));
      await window.htmx.swap({ target: live, text: html, swap: "innerMorph" });
      if (connection === socket) lost.hidden = true;
      if (isOfflineShown) showRefusal("");
      live.dispatchEvent(new CustomEvent("page:updated", { bubbles: true }));
    };
    updating = updating.then(swap, swap); // a failed update does not block the next one
  }

  cardroom.requestUpdate = () => socket && socket.readyState === WebSocket.OPEN && socket.send("?");
  const isSilent = () => socket && Date.now() - lastMessage > TIMEOUT;
  setInterval(() => isSilent() && !document.hidden && drop(), CHECK);
  // A page in the background may have missed anything; one that slept does not know whether its connection is alive.
  const back = () => { if (!document.hidden) isSilent() ? drop() : cardroom.requestUpdate(); };
  document.addEventListener("visibilitychange", back);
  addEventListener("pagehide", () => { leaving = true; socket && socket.close(); });
  addEventListener("pageshow", (shown) => { if (shown.persisted) { leaving = false; connect(); } });
  addEventListener("online", cardroom.requestUpdate);
  connect();
})();
