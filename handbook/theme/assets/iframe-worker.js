// A browser starts no worker for a page that was opened from a folder, and the search needs one. This one runs in a hidden
// frame; over HTTP the browser's own worker is used.
class FrameWorker extends EventTarget {
  constructor(address) {
    super();
    const frame = document.createElement("iframe");
    frame.hidden = true;
    frame.title = "search";
    document.body.append(frame);
    this.inside = frame.contentWindow;
    this.inside.postMessage = (data) => {
      setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data })));
    };
    this.ready = new Promise((loaded) => {
      const script = this.inside.document.createElement("script");
      script.src = new URL(address, location.href);
      script.onload = loaded;
      this.inside.document.body.append(script);
    });
  }

  postMessage(data) {
    this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
  }
}

if (location.protocol === "file:") window.Worker = FrameWorker;
