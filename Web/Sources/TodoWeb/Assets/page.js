// Applies the server's events to the rows, and sends the page's forms without leaving it.
const body = document.body, status = document.getElementById("status");
const lists = { false: document.getElementById("open"), true: document.getElementById("completed") };
const still = matchMedia("(prefers-reduced-motion: reduce)");
const row = (id) => document.getElementById("item-" + id);
const element = (html) => { const t = document.createElement("template"); t.innerHTML = html.trim(); return t.content.firstElementChild; };

// A title that is being edited keeps its field, its caret and its focus; the new row waits for it.
const waiting = new Map();
function replace(id, html) {
  const old = row(id);
  if (!old) return;
  if (old.querySelector("input.retitle")) { waiting.set(id, html); return; }
  const next = element(html), name = focusName(old);
  old.replaceWith(next);
  if (name) next.querySelector(name)?.focus({ preventScroll: true });
}
function focusName(root) {
  const active = document.activeElement;
  return root.contains(active) ? "." + active.classList[0] : null;
}
function moved(change) {
  const before = new Map([...document.querySelectorAll(".row")].map((r) => [r.id, r.getBoundingClientRect().top]));
  change();
  if (still.matches) return;
  for (const r of document.querySelectorAll(".row")) {
    const old = before.get(r.id), now = r.getBoundingClientRect().top;
    if (old !== undefined && old !== now) r.animate([{ transform: `translateY(${old - now}px)` }, { transform: "none" }], 180);
  }
}
function frame(f) {
  document.getElementById("empty").hidden = document.querySelector(".row") !== null;
  if (!f) return;
  if (f.name === null) { location.assign("/lists/all"); return; }
  document.getElementById("name").textContent = f.name;
  document.getElementById("count").textContent = f.count;
  const nav = document.getElementById("lists");
  const key = nav.contains(document.activeElement) ? document.activeElement.dataset.list : null;
  nav.innerHTML = f.lists;
  if (key) nav.querySelector(`[data-list="${key}"]`)?.focus();
}
function batch(b) {
  moved(() => {
    const focused = document.activeElement?.closest?.(".row");
    const name = focused && focusName(focused), id = focused?.dataset.id;
    for (const gone of b.deleted) row(gone)?.remove();
    for (const p of b.placed) {
      const old = row(p.id), open = old?.querySelector("input.retitle");
      const next = open ? old : element(p.html);
      if (open) waiting.set(p.id, p.html); else old?.remove();
      const after = p.after && row(p.after);
      if (after) after.after(next); else lists[p.isDone].prepend(next);
    }
    for (const m of b.modified) replace(m.id, m.html);
    if (id && name && row(id) && document.activeElement === body) row(id).querySelector(name)?.focus({ preventScroll: true });
  });
  frame(b.frame);
}
function whole(w) {
  const top = scrollY;
  for (const [list, rows] of [[lists.false, w.open], [lists.true, w.completed]]) {
    const next = rows.map((html) => { const r = element(html), old = document.getElementById(r.id); return old?.querySelector("input.retitle") ? old : r; });
    list.replaceChildren(...next);
  }
  scrollTo(0, top);
  frame(w.frame);
}

// Events; where the connection is lost the browser comes back by itself, or this does.
let version = body.dataset.version;
const connection = document.getElementById("connection");
function connect() {
  const url = body.dataset.events;
  const source = new EventSource(url + (url.includes("?") ? "&" : "?") + "version=" + version);
  const on = (name, apply) => source.addEventListener(name, (e) => {
    version = e.lastEventId; apply(JSON.parse(e.data)); body.dataset.version = version; connection.hidden = true;
  });
  on("batch", batch); on("window", whole); on("same", () => {});
  source.onerror = () => {
    connection.hidden = false;
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, 1000);
  };
}
connect();

// Forms.
function say(text, canUndo) {
  status.textContent = text;
  if (canUndo) {
    const button = document.createElement("button");
    button.textContent = body.dataset.undo; button.className = "undo";
    button.onclick = () => { document.getElementById("undo").click(); };
    status.append(" ", button);
  }
}
async function send(action, fields) {
  try {
    const answer = await fetch(action, {
      method: "POST", body: new URLSearchParams(fields), headers: { Accept: "application/json" },
    });
    if (answer.headers.get("Content-Type") !== "application/json") { say((await answer.text()).slice(0, 80)); return {}; }
    const said = await answer.json();
    if (!answer.ok) return said.error === undefined ? { error: "" } : said;
    return said;
  } catch { connection.hidden = false; return { error: connection.textContent }; }
}
document.addEventListener("submit", async (event) => {
  const form = event.target, button = event.submitter;
  const fields = [...new FormData(form)];
  if (button?.name) fields.push([button.name, button.value]);
  const action = Object.fromEntries(fields).action;
  if (action === "deleteGroup" || action === "confirm") return;
  event.preventDefault();
  if (action === "delete") fields.push(["ask", "no"]);
  // The buttons are named action, too, so the form's own property is not at hand.
  const said = await send(form.getAttribute("action"), fields);
  if (form.classList.contains("add")) {
    const field = form.elements.line, error = document.getElementById("add-error");
    error.textContent = said.error ?? "";
    field.toggleAttribute("aria-invalid", Boolean(said.error));
    form.querySelector(".make-group")?.remove();
    if (said.newGroup) {
      const make = document.createElement("button");
      make.name = "makeGroup"; make.value = said.newGroup; make.className = "make-group"; make.textContent = "@" + said.newGroup + " +";
      form.append(make);
    }
    if (said.said) { field.value = ""; say(said.said, false); }
    field.focus();
    return;
  }
  if (said.error) return say(said.error, false);
  if (said.said) say(said.said, action !== "undo" && action !== "redo");
  if (form.classList.contains("new-group")) form.reset();
});

// A title is edited in place: by a double click, or by Enter on it.
function edit(title) {
  const r = title.closest(".row"), was = title.textContent;
  const field = document.createElement("input");
  field.className = "retitle"; field.value = was;
  field.setAttribute("aria-label", was);
  title.replaceWith(field); field.focus(); field.select();
  let isOver = false;
  const end = async (keeps) => {
    if (isOver) return;
    if (keeps && field.value !== was) {
      const said = await send("/actions", { action: "retitle", id: r.dataset.id, text: field.value, was });
      if (said.error !== undefined) { say(said.error, false); field.setAttribute("aria-invalid", "true"); return; }
      say(said.said, true);
    }
    isOver = true;
    field.replaceWith(title);
    const html = waiting.get(r.dataset.id);
    waiting.delete(r.dataset.id);
    if (html) replace(r.dataset.id, html);
    row(r.dataset.id)?.querySelector(".title")?.focus();
  };
  field.addEventListener("keydown", (e) => {
    if (e.isComposing) return;
    if (e.key === "Enter") { e.preventDefault(); end(true); }
    if (e.key === "Escape") end(false);
  });
}
document.addEventListener("dblclick", (e) => { if (e.target.matches("span.title")) edit(e.target); });
document.addEventListener("keydown", (e) => {
  if (e.isComposing) return;
  const field = e.target.matches("input, textarea");
  const r = e.target.closest(".row");
  if (e.key === "Enter" && e.target.matches("span.title")) { e.preventDefault(); edit(e.target); return; }
  if (r && e.altKey && body.dataset.manual === "true" && (e.key === "ArrowUp" || e.key === "ArrowDown")) {
    const other = e.key === "ArrowUp" ? r.previousElementSibling : r.nextElementSibling;
    e.preventDefault();
    if (other) send("/actions", { action: "move", id: r.dataset.id, [e.key === "ArrowUp" ? "before" : "after"]: other.dataset.id });
    return;
  }
  if (!field && (e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "z") {
    e.preventDefault(); document.getElementById(e.shiftKey ? "redo" : "undo").click();
  }
});
