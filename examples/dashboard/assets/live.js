// Adds transactions to the page as they happen. Text is set as text, never as HTML.
const live = document.getElementById("live");
const list = document.getElementById("events");
const state = document.getElementById("state");
const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });

const source = new EventSource("/live?wallet=" + encodeURIComponent(live.dataset.wallet));
source.onopen = () => { state.textContent = "Connected. New transactions appear here."; };
source.onerror = () => { if (source.readyState === EventSource.CONNECTING) state.textContent = "Reconnecting…"; };
source.addEventListener("failed", (message) => {
  source.close(); // the server retries what may pass
  state.textContent = "Live transactions cannot be shown: " + JSON.parse(message.data);
  state.className = "error";
});
source.onmessage = (message) => {
  const event = JSON.parse(message.data);
  if (document.getElementById(event.signature)) return; // some come again after an interruption
  const item = element("li", "");
  item.id = item.title = event.signature;
  const time = element("time", new Date(event.time).toLocaleTimeString());
  time.dateTime = event.time;
  const what = element("p", event.kind);
  for (const change of event.changes || []) {
    const span = element("span", change);
    span.className = change.startsWith("+") ? "in" : "out";
    what.append(" ", span);
  }
  item.append(what, element("p", event.with ? "with " + event.with.join(", ") : ""), time);
  list.prepend(item);
  while (list.children.length > 12) list.lastElementChild.remove();
  document.getElementById("credits").textContent = event.credits;
};
