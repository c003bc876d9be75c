// Adds transactions to the page as they happen. Text is set as text, never as HTML.
const live = document.getElementById("live");
const list = document.getElementById("events");
const state = document.getElementById("state");
const newer = document.getElementById("newer");
const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });

// Each link to a transaction gets a button that copies its signature.
const copyable = (link, signature) => {
  if (!navigator.clipboard) return; // over http, only on this machine
  const button = element("button", "Copy");
  button.type = "button";
  button.className = "copy";
  button.setAttribute("aria-label", "Copy the signature " + signature.slice(0, 8));
  button.onclick = async () => {
    await navigator.clipboard.writeText(signature);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  };
  link.after(" ", button);
};
for (const link of document.querySelectorAll("a.tx")) copyable(link, link.dataset.signature);

let count = 0;
const source = new EventSource("/live?wallet=" + encodeURIComponent(live.dataset.wallet));
source.onerror = () => { if (source.readyState === EventSource.CONNECTING) state.textContent = "The dashboard does not answer. Trying again…"; };
source.addEventListener("state", (message) => { state.textContent = message.data; });
source.addEventListener("failed", (message) => {
  source.close(); // the server retries what may pass
  state.textContent = "Live transactions cannot be shown. " + message.data;
  state.className = "error";
});
source.onmessage = (message) => {
  const event = JSON.parse(message.data);
  if (document.getElementById(event.signature)) return; // some come again after an interruption
  const item = element("li", "");
  item.id = event.signature;
  const time = element("time", event.when);
  time.dateTime = event.time;
  const what = element("p", event.kind);
  for (const change of event.changes || []) {
    const span = element("span", change);
    span.className = change.startsWith("+") ? "in" : "out";
    what.append(" ", span);
  }
  const link = element("a", event.signature.slice(0, 8) + "…");
  Object.assign(link, { className: "tx", href: event.url, target: "_blank", rel: "noreferrer" });
  link.setAttribute("aria-label", link.textContent + " in an explorer");
  item.append(what, element("p", event.with ? "with " + event.with.join(", ") : ""), time, " ", link);
  copyable(link, event.signature);
  list.prepend(item);
  while (list.children.length > 12) list.lastElementChild.remove();
  document.getElementById("credits").textContent = event.credits;
  newer.hidden = false;
  newer.firstElementChild.textContent = ++count === 1 ? "1 transaction is" : count + " transactions are";
};
