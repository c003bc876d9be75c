// Keeps the page up to date. Text is set as text, never as HTML.
const byId = (id) => document.getElementById(id);
const live = byId("activity");

// Times in the zone of the user.
const localize = (root) => {
  for (const time of root.querySelectorAll("time")) {
    const at = new Date(time.dateTime), year = at.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
    const day = { day: "numeric", month: "short" }, hour = { hour: "2-digit", minute: "2-digit" };
    time.title = time.textContent;
    time.textContent = at.toLocaleString("en-GB", { day, hour }[time.dataset.as] || { ...day, year, ...hour });
  }
};

// A picture that cannot be loaded leaves the one below it.
document.addEventListener("error", (event) => event.target.matches?.("i img") && event.target.remove(), true);
for (const image of document.images) if (image.complete && image.naturalWidth === 0) image.remove();

const copyable = () => {
  const address = byId("address");
  if (!address || !navigator.clipboard) return; // over http, only on this machine
  const text = address.textContent;
  const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: "Copy" });
  button.setAttribute("aria-label", "Copy the address");
  button.onclick = async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  };
  address.append(" ", button);
};

// Reads the page again, and replaces what can have changed.
let waiting, turn = 0;
const update = async (url) => {
  clearTimeout(waiting);
  const mine = ++turn;
  const text = await fetch(url).then((response) => response.ok && response.text(), () => "");
  if (!text || mine !== turn) return; // a later one replaces it
  const next = new DOMParser().parseFromString(text, "text/html");
  const known = new Set([...document.querySelectorAll("[data-signature]")].map((entry) => entry.dataset.signature));
  const focused = document.activeElement;
  for (const id of ["summary", "value", "holdings", "entries", "cost"]) {
    const old = byId(id), fresh = next.getElementById(id);
    if (!old || !fresh) continue;
    localize(fresh);
    for (const part of old.querySelectorAll("details")) fresh.querySelector("#" + part.id)?.toggleAttribute("open", part.open);
    old.replaceWith(fresh);
  }
  for (const entry of document.querySelectorAll("[data-signature]")) {
    if (known.has(entry.dataset.signature)) continue;
    entry.classList.add("new");
    byId("latest").textContent = entry.firstElementChild.innerText;
  }
  if (!focused.isConnected) { // the same link, or summary of details
    const same = (element) => element.href === focused.href && element.textContent === focused.textContent;
    [...document.querySelectorAll("main " + focused.localName)].find(same)?.focus({ preventScroll: true });
  }
  const wait = byId("summary")?.dataset.wait; // the holdings are older than the activity
  if (wait) waiting = setTimeout(() => update(location.href), 1000 * wait);
};

// Ranges and orders replace parts of the page; without this script they are links.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-swap]");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  history.replaceState(null, "", link.href);
  update(link.href);
});

let heard, source, connected = false;
const say = (text) => {
  const state = byId("state");
  if (state.textContent !== text) state.textContent = text;
  state.className = text === "Connected" ? "on" : "";
};
const connect = () => {
  heard = Date.now();
  source = new EventSource("/live?wallet=" + encodeURIComponent(live.dataset.wallet));
  source.addEventListener("open", () => {
    if (connected) update(location.href); // what happened in between
    connected = true;
  });
  source.addEventListener("state", (message) => { heard = Date.now(); say(message.data); });
  source.addEventListener("failed", (message) => {
    source.close(); // the server has tried again
    heard = Infinity;
    say("Not live. " + message.data);
  });
  source.addEventListener("transaction", () => update(location.href));
};

localize(document);
copyable();
if (matchMedia("(max-width: 36rem)").matches) byId("more")?.removeAttribute("open");
if (live) {
  connect();
  setInterval(() => {
    const silence = Date.now() - heard;
    if (silence > 5000) say("No answer for some seconds");
    if (silence > 20000) {
      source.close();
      connect();
    }
  }, 1000);
}
