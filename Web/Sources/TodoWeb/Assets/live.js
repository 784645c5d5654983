// Keeps the page as the server's events say, and holds the rows around those that are on the screen.
//
// A list of 10,000 items has 200 rows here; the others are empty space above and below them. When the
// reader comes near the end of the rows, the events of another part of the list are asked for.
const body = document.body;
const root = document.documentElement;
const main = document.getElementById("list");
// A live region is heard when it is there before its text.
const connection = document.getElementById("connection");
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
const lists = ["open", "completed"].map((id) => document.getElementById(id));

// Scrolling is kept in place here, in every browser alike.
root.style.overflowAnchor = "none";
for (const link of document.querySelectorAll(".window")) link.hidden = true;

function element(html) {
  const template = document.createElement("template");
  template.innerHTML = html.trim();
  return template.content.firstElementChild;
}

// Rows.

/** The HTML that rows with an open editor have to wait for, by their ids; null for rows that go away. */
const waiting = new Map();

/** The HTML that rows were made of. */
const sources = new WeakMap();

/** Whether somebody is writing in a row, which then stays until `release`. */
const isHeld = (row) => row.querySelector("input.retitle, [data-editing]") !== null;

/** Shows what came for a row while its editor was open; null for a row that is not here any more. */
export function release(row) {
  const html = waiting.get(row.id);
  waiting.delete(row.id);
  if (html === null) row.remove();
  else if (html) replace(row, html);
  return document.getElementById(row.id);
}

/** Removes a row, or as soon as its editor is closed. */
function remove(row) {
  if (isHeld(row)) waiting.set(row.id, null);
  else row.remove();
}

function replace(row, html) {
  if (isHeld(row)) {
    waiting.set(row.id, html);
    return row;
  }
  const next = element(html);
  sources.set(next, html);
  // What a finger has uncovered stays so.
  next.classList.toggle("swiped", row.classList.contains("swiped"));
  const focused = focusedIn(row);
  row.replaceWith(next);
  turnRing(row, next);
  if (focused) next.querySelector(focused)?.focus({ preventScroll: true });
  return next;
}

/** Turns a ring of progress from where it was. */
function turnRing(row, next) {
  const [from, to] = [row, next].map((r) => r.querySelector(".part")?.getAttribute("stroke-dasharray"));
  if (!to || from === to || reducedMotion.matches) return;
  next.querySelector(".part").animate(
    [{ strokeDasharray: from }, { strokeDasharray: to }], { duration: 500, easing: "ease-out" });
}

/** What finds the control of a row that has the focus, in the row's next HTML; null for none. */
function focusedIn(row) {
  const active = document.activeElement;
  if (!row.contains(active) || row === active) return null;
  if (active.dataset.control) return `[data-control="${active.dataset.control}"]`;
  return active.classList[0] ? "." + active.classList[0] : active.localName;
}

/** Puts a row before another one of a section, or last; where browsers can, it keeps the focus. */
function put(row, section, before) {
  if (row.isConnected && section.moveBefore) section.moveBefore(row, before);
  else section.insertBefore(row, before);
}

/** The row of some HTML: the one that is here, replaced where it looks different, or a new one. */
function rowOf(html, id) {
  const old = document.getElementById(id);
  const next = element(html);
  if (!old || (!sources.has(old) && old.isEqualNode(next))) {
    const row = old ?? next;
    sources.set(row, html);
    return row;
  }
  if (sources.get(old) !== html) return replace(old, html);
  waiting.delete(id);
  return old;
}

/** Makes a change; what is on the screen stays where it is, and rows that moved are seen moving. */
function keepingPlace(change) {
  const shown = rowsOnScreen();
  const tops = new Map(shown.map((row) => [row.id, row.getBoundingClientRect().top]));
  const active = document.activeElement ?? body;
  const focusedRow = active.closest(".row, #lists li");
  const focused = focusedRow && focusedIn(focusedRow);
  const list = focusedRow?.parentElement;
  const index = list && [...list.children].indexOf(focusedRow);
  // At its beginning a list shows what is new there.
  const isAtStart = scrollY === 0 || (extent.first === 0 && shown[0]?.matches("#open > :first-child"));
  change();
  const anchor = shown.map((row) => document.getElementById(row.id)).find((row) => row);
  if (anchor && !isAtStart) scrollBy(0, anchor.getBoundingClientRect().top - tops.get(anchor.id));
  if (focused && document.activeElement === body) {
    // Where the row is gone, the one in its place.
    const next = document.getElementById(focusedRow.id)?.querySelector(focused)
      ?? (list.children[index] ?? list.lastElementChild)?.querySelector(".title, a") ?? main;
    next.focus({ preventScroll: true });
  }
  if (reducedMotion.matches) return;
  for (const row of rowsOnScreen()) {
    const old = tops.get(row.id);
    const now = row.getBoundingClientRect().top;
    if (old === undefined || Math.abs(old - now) < 1) continue;
    row.animate([{ transform: `translateY(${old - now}px)` }, { transform: "none" }], 180);
  }
}

/** The rows of items that can be seen now. */
function rowsOnScreen() {
  return lists.flatMap((list) => {
    const rows = list.children;
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle].getBoundingClientRect().bottom <= 0) low = middle + 1;
      else high = middle;
    }
    const seen = [];
    for (let i = low; i < rows.length && rows[i].getBoundingClientRect().top < innerHeight; i++) {
      if (rows[i].offsetHeight > 0) seen.push(rows[i]);
    }
    return seen;
  });
}

// Events.

/** Which rows of the whole list there are here: as `RenderedPage.Extent`. */
let extent = {
  first: Number(body.dataset.first), open: Number(body.dataset.open),
  completed: Number(body.dataset.completed),
};

/** Applies the changes of a commit; the order of the steps is that of `PageBatch`. */
function applyBatch(batch) {
  keepingPlace(() => {
    for (const id of batch.deleted) {
      const row = document.getElementById(id);
      if (row) remove(row);
    }
    for (const placed of batch.placed) {
      const section = document.getElementById(placed.section);
      if (!section) continue;
      const row = rowOf(placed.html, placed.id);
      const after = placed.after && document.getElementById(placed.after);
      put(row, section, after ? after.nextElementSibling : section.firstElementChild);
    }
    for (const modified of batch.modified) {
      const row = document.getElementById(modified.id);
      if (row) replace(row, modified.html);
    }
    applyAround(batch);
  });
}

/** Shows another state, or another part of the list; rows that are the same stay as they are. */
function applyWindow(whole) {
  const isBlank = rowsOnScreen().length === 0;
  const sought = indexAt(innerHeight / 2);
  keepingPlace(() => {
    for (const section of document.querySelectorAll("#own, #groups, #open, #completed")) {
      const htmls = whole.sections[section.id] ?? [];
      const ids = htmls.map((html) => / id="([^"]+)"/.exec(html)[1]);
      const staying = new Set(ids);
      for (const row of [...section.children]) if (!staying.has(row.id)) remove(row);
      let next = section.firstElementChild;
      htmls.forEach((html, i) => {
        const isNext = next?.id === ids[i];
        const row = rowOf(html, ids[i]);
        if (isNext) next = row.nextElementSibling;
        else put(row, section, next);
      });
    }
    applyAround(whole);
  });
  if (isBlank || rowsOnScreen().length === 0) goToIndex(sought);
}

/** The last form that was sent. */
let lastWrite = Promise.resolve();
let isLeaving = false;

/** Notes a form, by the promise of its answer. */
export function noteWrite(answer) { lastWrite = answer; }

/** Goes to another page, as the answer of a form says. */
export function leave(path) {
  isLeaving = true;
  location.assign(path);
}

function applyAround(change) {
  if (!change.exists) {
    // The answer of the form that has deleted it may come later, and says what was done.
    lastWrite.then(() => setTimeout(() => { if (!isLeaving) leave("/lists/all"); }));
    return;
  }
  for (const [id, html] of Object.entries(change.parts)) {
    const part = document.getElementById(id);
    if (!part) continue;
    const focused = focusedIn(part);
    part.innerHTML = html;
    if (id === "name") document.title = part.textContent + " – todo";
    if (focused) part.querySelector(focused)?.focus({ preventScroll: true });
  }
  if (change.extent) extent = change.extent;
  layOut();
  document.getElementById("empty").hidden = extent.open + extent.completed > 0;
}

let source;
/** The connection before, which ends when the new one has brought something. */
let previous;
let version = body.dataset.version;
let lossShown;

/** Connects to the events of the rows from an index on; the last connection ends when this one has come. */
function connect(first) {
  const address = new URL(body.dataset.events, location.href);
  if (first > 0) address.searchParams.set("from", first);
  else address.searchParams.delete("from");
  if (first === extent.first) address.searchParams.set("version", version);
  const opened = new EventSource(address);
  opened.first = first;
  previous?.close();
  previous = source;
  source = opened;
  const on = (name, apply) => opened.addEventListener(name, (event) => {
    previous?.close();
    if (opened !== source) return opened.close();
    const change = JSON.parse(event.data);
    if (name !== "failure") version = event.lastEventId;
    // Keys that begin where the rows will be wait for an event about rows.
    const isOfRows = name !== "batch" || [change.deleted, change.placed, change.modified].some((a) => a.length > 0);
    if (name !== "failure" && isOfRows) body.dataset.version = version;
    showConnected();
    apply(change);
    // A page that is shown again is no success of a form that was refused.
    if (name === "failure") showFailure(change.message, true);
    else if (isFailureOfEvents) showFailure(null);
    check();
  });
  on("batch", applyBatch);
  on("window", applyWindow);
  on("same", () => {});
  on("failure", () => {});
  opened.onerror = () => {
    if (opened !== source) return opened.close();
    lossShown ??= setTimeout(showLoss, 300);
    // After an answer that is no stream of events a browser does not try again.
    if (opened.readyState === EventSource.CLOSED) setTimeout(() => connectAgain(opened, first), 1000);
  };
  opened.onopen = showConnected;
}

async function connectAgain(opened, first) {
  // The page of the server says how to be let in again.
  const answer = await fetch("/help").catch(() => null);
  if (answer?.status === 401) location.reload();
  else if (opened === source) connect(first);
}

function showConnected() {
  clearTimeout(lossShown);
  lossShown = undefined;
  connection.textContent = "";
}

/** Says that the server does not answer. */
export function showLoss() {
  connection.textContent = body.dataset.reconnecting;
  // Events that go on show that it does again; there may be none for long.
  setTimeout(noteAnswer, 3000);
}

/** Notes that the server has answered a request. */
export function noteAnswer() {
  if (source?.readyState === EventSource.OPEN) showConnected();
}

/** Whether the failure that is shown is one of reading, which ends with the next event. */
let isFailureOfEvents = false;

/** Says that the store failed, until the user has read it or it works again. */
export function showFailure(message, isOfEvents = false) {
  isFailureOfEvents = isOfEvents;
  const alert = document.getElementById("failure");
  if (!alert) return;
  if (message) alert.querySelector("p").textContent = message;
  alert.hidden = !message;
}
document.querySelector("#failure button")?.addEventListener("click", () => showFailure(null));

// The window of rows.

/** The height of a row, by the first rows that were shown. */
let rowHeight = 0;

/** Leaves room for the rows that are not here. */
function layOut() {
  const [open, completed] = lists;
  if (rowHeight === 0) {
    const { children } = open.children.length > 0 ? open : completed;
    // Heights are no whole numbers of pixels, and thousands of them are added.
    if (children.length > 0) {
      rowHeight = (children[children.length - 1].getBoundingClientRect().bottom
        - children[0].getBoundingClientRect().top) / children.length;
    }
  }
  const { first } = extent;
  const before = [Math.min(first, extent.open), Math.max(0, first - extent.open)];
  const counts = [extent.open, extent.completed];
  lists.forEach((list, i) => {
    const after = counts[i] - before[i] - list.children.length;
    list.style.paddingBlock = `${before[i] * rowHeight}px ${Math.max(0, after) * rowHeight}px`;
  });
}

/** How many rows the server sends of a list. */
const rowCount = 200;
/** How many rows beyond the screen there are at least, where the list has them. */
const margin = 40;

/** Asks for other rows where the reader is near the end of those that are here. */
function check() {
  if (!source || source.first !== extent.first) return;
  const total = extent.open + extent.completed;
  const here = lists[0].children.length + lists[1].children.length;
  const end = extent.first + here;
  let middle = extent.first;
  if (here > 0 && rowHeight > 0) {
    const top = indexAt(0);
    const bottom = indexAt(innerHeight);
    const isShortAbove = extent.first > 0 && top - extent.first < margin;
    const isShortBelow = end < total && end - bottom < margin;
    if (!isShortAbove && !isShortBelow) return;
    // Few addresses for one part of the list, so that tabs share it.
    middle = Math.round(((top + bottom) / 2 - rowCount / 2) / 50) * 50;
  }
  const first = Math.max(0, Math.min(middle, total - rowCount));
  if (first === extent.first) return;
  connect(first);
  firstAsked = first;
  updateLinks();
}

/** The index of the first row of the part of the list that was asked for last. */
let firstAsked = extent.first;

/** Gives the page's address, links and forms the part of the list that it shows, and links the address's mode. */
export function updateLinks() {
  const address = new URL(location.href);
  if (firstAsked > 0) address.searchParams.set("from", firstAsked);
  else address.searchParams.delete("from");
  if (address.href !== location.href) history.replaceState(history.state, "", address);
  const now = address.searchParams;
  const updated = (path, names) => {
    const address = new URL(path, location.href);
    for (const name of names) {
      if (now.has(name)) address.searchParams.set(name, now.get(name));
      else address.searchParams.delete(name);
    }
    return address.pathname + address.search;
  };
  // In another order the rows of this part are others.
  for (const link of document.querySelectorAll("#orders a")) link.href = updated(link.href, ["mode"]);
  for (const link of document.querySelectorAll(".views a")) link.href = updated(link.href, ["mode", "from"]);
  for (const link of document.querySelectorAll("#edit, #done")) link.href = updated(link.href, ["from"]);
  for (const field of document.querySelectorAll("input[name=back]")) {
    field.value = updated(field.value, ["mode", "from"]);
  }
}

/** The index in the whole list of the row at a height of the screen. */
function indexAt(y) {
  const [open, completed] = lists;
  const [list, start, count] = completed.offsetHeight > 0 && y >= completed.getBoundingClientRect().top
    ? [completed, extent.open, extent.completed] : [open, 0, extent.open];
  const rows = list.children;
  const before = start === 0 ? Math.min(extent.first, extent.open) : Math.max(0, extent.first - extent.open);
  const box = list.getBoundingClientRect();
  if (rows.length > 0) {
    const from = rows[0].getBoundingClientRect().top;
    const to = rows[rows.length - 1].getBoundingClientRect().bottom;
    if (y >= from && y < to) return start + before + Math.floor((y - from) / ((to - from) / rows.length));
    if (y >= to) return start + Math.min(count, before + rows.length + Math.floor((y - to) / rowHeight));
  }
  return start + Math.max(0, Math.min(count, Math.floor((y - box.top) / rowHeight)));
}

/**
 * Goes to the row with an index where the screen has shown only room for rows that were not here.
 *
 * Rows are not all of one height. So those that came for a place may need less room than was left for
 * them, or more, and then are above or below it.
 */
function goToIndex(index) {
  const middle = innerHeight / 2;
  const isRoom = lists.some((list) => {
    const { top, bottom } = list.getBoundingClientRect();
    return top <= middle && middle < bottom;
  });
  const row = lists.flatMap((list) => [...list.children])[index - extent.first];
  if (isRoom && row && !rowsOnScreen().includes(row)) row.scrollIntoView({ block: "center" });
}

addEventListener("resize", () => {
  rowHeight = 0;
  keepingPlace(layOut);
});

let isChecking = false;
addEventListener("scroll", () => {
  if (isChecking) return;
  isChecking = true;
  requestAnimationFrame(() => {
    isChecking = false;
    check();
  });
}, { passive: true, capture: true });

// A page that nobody sees holds no connection, of which a browser has six for one server.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    previous?.close();
    source?.close();
    source = undefined;
  } else if (!source) {
    connect(extent.first);
  }
});
addEventListener("pageshow", (event) => { if (event.persisted) connect(extent.first); });

layOut();
if (extent.first > 0 && scrollY === 0) lists.find((list) => list.children.length > 0)?.firstElementChild.scrollIntoView();
if (!document.hidden) connect(extent.first);
check();
