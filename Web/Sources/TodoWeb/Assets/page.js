// Sends the page's forms without leaving it, and adds what needs a script: editing in place, dragging,
// swiping, dialogs and keys. live.js shows what comes of it.
//
// What a click does is decided where the control is: there is no handler of clicks for the whole page,
// which would take them from others.
import { leave, noteAnswer, noteWrite, release, showFailure, showLoss, updateLinks } from "./live.js";

const body = document.body;
const main = document.getElementById("list");
const side = document.getElementById("side");
const sheet = document.getElementById("sheet");
const status = document.getElementById("status");
const idOf = (row) => row.dataset.id;
const rowOf = (id) => document.getElementById("item-" + id);

// What the page says.

let silence;

/** Says what was done, or why not; where it can be undone, `undo` is its mark, and a button takes it back. */
function say(text, undo) {
  clearTimeout(silence);
  status.classList.remove("lost");
  // The button that was pressed is gone.
  if (status.contains(document.activeElement)) main.focus({ preventScroll: true });
  status.textContent = text;
  if (undo) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = body.dataset.undo;
    button.addEventListener("click", () => act({ action: "undo", top: undo }));
    status.append(button);
  }
  const hide = () => {
    // It stays while somebody is about to use it.
    if (status.matches(":hover, :focus-within")) silence = setTimeout(hide, 2000);
    else status.textContent = "";
  };
  silence = setTimeout(hide, 10_000);
}

/** The last form that is not answered yet. */
let sending = Promise.resolve();

/**
 * Sends a form after those that are under way, so that all are done in their order.
 *
 * The answer is an object with `said`, `error`, `html` or `location`.
 */
function send(path, fields) {
  // A picture may take seconds, for which nothing else waits.
  if (fields instanceof FormData) return post(path, fields);
  sending = sending.then(() => post(path, fields));
  noteWrite(sending);
  return sending;
}

async function post(path, fields) {
  try {
    const answer = await fetch(path, {
      method: "POST", headers: { Accept: "application/json" },
      body: fields instanceof FormData ? fields : new URLSearchParams(fields),
      // Later forms wait for this one; a connection that is lost says nothing.
      signal: AbortSignal.timeout(60_000),
    });
    noteAnswer();
    // The page of the server says how to be let in again.
    if (answer.status === 401) location.reload();
    if (answer.headers.get("Content-Type") !== "application/json") {
      return { error: `${answer.status} ${answer.statusText}` };
    }
    const said = await answer.json();
    // A store that failed is told in an alert, until it works again.
    if (answer.status >= 500 && said.error !== undefined) {
      showFailure(said.error);
      said.isTold = true;
    } else if (answer.ok) {
      showFailure(null);
    }
    return said;
  } catch {
    showLoss();
    return { error: body.dataset.unsaved, isLost: true };
  }
}

/** Does one action, and says what came of it. */
async function act(fields) {
  const said = await send("/actions", fields);
  if (said.html) openSheet(said.html);
  else if (said.location) leave(said.location);
  else tell(said);
  return said;
}

/** Says what came of a form, unless an alert has told it. */
function tell(said) {
  if (said.isTold) return;
  say(said.error ?? said.said, said.undo);
  // One message says both.
  status.classList.toggle("lost", said.isLost === true);
}

// The dialog. It shows the main part of a page that can be opened without a script too.

function openSheet(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  sheet.replaceChildren(...page.querySelector("main").children);
  sheet.setAttribute("aria-label", sheet.querySelector("h1")?.textContent ?? "");
  if (!sheet.open) sheet.showModal();
  sheet.querySelector("[autofocus]")?.focus();
}

async function openLink(link) {
  try {
    const answer = await fetch(link.href);
    noteAnswer();
    const html = await answer.text();
    if (answer.ok) openSheet(html);
    else location.assign(link.href);
  } catch {
    showLoss();
  }
}

for (const part of [main, side]) {
  part.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-sheet]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openLink(link);
  });
}
main.addEventListener("click", (event) => {
  // A row has the address of its details once, in its title.
  const link = event.target.closest(".row .details")?.closest(".row").querySelector("a.title");
  if (link) openLink(link);
});
sheet.addEventListener("click", (event) => {
  if (event.target.closest("a.cancel")) {
    event.preventDefault();
    sheet.close();
  }
});
// A press outside closes it; one that begins inside, as when text is selected, does not.
sheet.addEventListener("pointerdown", (event) => {
  if (event.target !== sheet) return;
  const box = sheet.getBoundingClientRect();
  const isInside = event.clientX >= box.left && event.clientX <= box.right
    && event.clientY >= box.top && event.clientY <= box.bottom;
  if (!isInside) sheet.close();
});
sheet.addEventListener("close", () => {
  // The server keeps what a question is about until it is answered.
  const token = sheet.querySelector("input[name=token]")?.value;
  if (token) navigator.sendBeacon("/actions", new URLSearchParams({ action: "cancel", token }));
  sheet.replaceChildren();
});
// The file of a group's picture and the choice of one go together.
sheet.addEventListener("change", (event) => {
  const { file, picture } = event.target.form?.elements ?? {};
  if (!file || !picture) return;
  if (event.target === file && file.files.length > 0) picture.value = "file";
  else if (event.target.name === "picture" && picture.value !== "file") file.value = "";
});

// Forms.

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.getAttribute("action") === "/settings") return;
  event.preventDefault();
  const data = new FormData(form, event.submitter);
  const fields = Object.fromEntries(data);
  if (sheet.contains(form)) return submitSheet(form, hasFile(form) ? data : fields);
  if (form.classList.contains("add")) return add(form, fields);
  if (form.classList.contains("new-group")) return addGroup(form, fields);
  if (fields.action?.startsWith("delete ")) {
    const row = event.submitter.closest(".row");
    // What a touch has uncovered is asked about; a button that was clicked can be undone.
    if (!row?.classList.contains("swiped")) fields.ask = "no";
    row?.classList.remove("swiped");
  }
  act(fields);
});

/** Where a form is sent; its buttons are named action, too, so its own property is not at hand. */
const pathOf = (form) => form.getAttribute("action");
const hasFile = (form) => form.enctype === "multipart/form-data";

/** Sends the form of the dialog once, however often its button is pressed until the answer. */
async function submitSheet(form, fields) {
  if (form.ariaBusy) return;
  form.ariaBusy = "true";
  const said = await send(pathOf(form), fields);
  form.ariaBusy = null;
  // The dialog may be closed meanwhile, or show something else, which stays.
  const isShown = sheet.contains(form);
  if (said.html) {
    if (!isShown && sheet.open) return;
    openSheet(said.html);
    return keepFile(form);
  }
  if (said.location) return leave(said.location);
  if (!isShown) return tell(said);
  // A form keeps what was written in it; a question is answered, whatever came of it.
  const alert = sheet.querySelector(".fields [role=alert]");
  if (said.error !== undefined && alert) {
    alert.textContent = said.error;
    return;
  }
  sheet.close();
  tell(said);
}

/**
 * Sends a form of one line, whose field takes the next line at once.
 *
 * A line that is refused comes back, as `isBack` says, unless the next one is there already: then the
 * error names it.
 */
async function sendLine(form, fields, field) {
  const line = field.value;
  field.value = "";
  field.focus();
  const said = await send(pathOf(form), fields);
  if (said.error === undefined) return said;
  if (field.value !== "") return { ...said, error: `${line.trim()}: ${said.error}` };
  field.value = line;
  return { ...said, isBack: true };
}

/** Chooses the file of a form that was refused in the form that came instead. */
function keepFile({ elements: { file } }) {
  const next = sheet.querySelector("input[name=file]");
  if (next && file?.files.length > 0) next.files = file.files;
}

async function addGroup(form, fields) {
  tell(await sendLine(form, fields, form.elements.text));
}

// A new item.

const addForm = main.querySelector("form.add");
const chips = document.getElementById("chips");
let reading;

async function add(form, fields) {
  const line = form.elements.line;
  const answer = sendLine(form, fields, line);
  // An error is shown until the next line is sent: a line that was sent before it may yet succeed.
  document.getElementById("add-error").textContent = "";
  form.querySelector(".make-group")?.remove();
  line.removeAttribute("aria-invalid");
  showChips();
  const said = await answer;
  if (said.said) return say(said.said, said.undo);
  const error = document.getElementById("add-error");
  error.textContent = error.textContent ? `${error.textContent} ${said.error}` : said.error;
  if (!said.isBack) return;
  line.setAttribute("aria-invalid", "true");
  if (said.newGroup) {
    const make = document.createElement("button");
    Object.assign(make, {
      name: "makeGroup", value: said.newGroup, className: "make-group", textContent: said.makeGroup,
    });
    form.append(make);
  }
  await showChips();
  // One message is enough.
  if (document.getElementById("add-error").textContent) chips.querySelector(".wrong")?.remove();
}

/** Shows what the server understands of the line. */
async function showChips() {
  reading?.abort();
  reading = new AbortController();
  const line = addForm.elements.line.value;
  if (!line.trim()) {
    chips.replaceChildren();
    return;
  }
  try {
    const answer = await fetch(body.dataset.typed + "?line=" + encodeURIComponent(line),
      { signal: reading.signal });
    const html = await answer.text();
    if (answer.ok && addForm.elements.line.value === line) chips.innerHTML = html;
  } catch { /* Another letter was typed, or the connection is lost, which is told elsewhere. */ }
}
addForm?.elements.line.addEventListener("input", showChips);
if (addForm?.elements.line.value) showChips();

// A title is edited in place, and so is the name of a group.

/** Whether a key belongs to the composition of a letter; some browsers tell its last key by 229 alone. */
const isComposed = (event) => event.isComposing || event.keyCode === 229;

/**
 * Puts a field in the place of a text.
 *
 * `save` sends what was written and what was shown before, and returns the answer; `close` removes the field.
 */
function editText(was, { open, save, close }) {
  const field = document.createElement("input");
  field.className = "retitle";
  field.value = was;
  field.setAttribute("aria-label", was);
  open(field);
  field.focus();
  field.select();
  let isOver = false;
  async function end(isKept, takesFocus) {
    if (isOver) return;
    // A field has no line ends, whichever the text has.
    if (isKept && field.value !== was.replace(/[\r\n]/g, "")) {
      isOver = field.readOnly = true;
      const said = await save(field.value, was);
      if (said.error !== undefined) {
        isOver = field.readOnly = false;
        // After a conflict, one who insists has seen what is there now.
        was = said.now ?? was;
        field.setAttribute("aria-invalid", "true");
        return;
      }
    }
    isOver = true;
    close(field, takesFocus);
  }
  field.addEventListener("keydown", (event) => {
    if (isComposed(event)) return;
    if (event.key === "Enter") {
      event.preventDefault();
      end(true, true);
    }
    if (event.key === "Escape") end(false, true);
  });
  // Leaving the field keeps what was written. What was refused is sent again by Enter alone.
  field.addEventListener("blur", () => {
    if (document.hasFocus() && !field.hasAttribute("aria-invalid")) end(true, false);
  });
}

/** Edits the title of a row, unless it is being edited. */
function edit(row) {
  const title = row.querySelector(".title");
  if (!title) return row.querySelector(".retitle")?.focus();
  editText(title.textContent, {
    open: (field) => title.replaceWith(field),
    save: (text, was) => act({ action: "retitle", id: idOf(row), text, was }),
    close: (field, takesFocus) => {
      field.replaceWith(title);
      const next = release(row)?.querySelector(".title");
      if (takesFocus) next?.focus();
    },
  });
}
main.addEventListener("click", (event) => {
  const title = event.target.closest("a.title");
  if (!title || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  edit(title.closest(".row"));
});

const rename = document.getElementById("rename");
if (rename) rename.hidden = false;
rename?.addEventListener("click", () => {
  const name = document.getElementById("name");
  if (name.classList.contains("spoken")) return main.querySelector(".heading .retitle").focus();
  editText(name.textContent, {
    // It stays the page's heading, which events change.
    open: (field) => {
      name.classList.add("spoken");
      name.after(field);
    },
    save: (text, was) => act({ action: "renameGroup", id: rename.value, text, was }),
    close: (field, takesFocus) => {
      field.remove();
      name.classList.remove("spoken");
      if (takesFocus) rename.focus();
    },
  });
});

// Rows are dragged by their handle, and items onto another list.

let drag;

main.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest(".grip");
  // Another finger does not take the row over.
  if (!grip || event.button !== 0 || (drag && !event.isPrimary)) return;
  event.preventDefault();
  endDrag();
  const row = grip.closest(".row");
  grip.setPointerCapture(event.pointerId);
  drag = {
    id: idOf(row), pointer: event.pointerId, x: event.clientX, y: event.clientY, top: scrollY, target: null,
  };
  row.classList.add("dragging");
});
document.addEventListener("pointermove", (event) => {
  if (drag?.pointer !== event.pointerId) return;
  const row = rowOf(drag.id);
  // A row that is replaced has no capture, and the button may be released elsewhere.
  if (!row || event.buttons === 0) return endDrag();
  const edge = 60;
  if (event.clientY < edge) scrollBy(0, -12);
  if (event.clientY > innerHeight - edge) scrollBy(0, 12);
  const y = event.clientY - drag.y + scrollY - drag.top;
  row.classList.add("dragging");
  row.style.transform = `translate(${event.clientX - drag.x}px, ${y}px)`;
  mark(dropTarget(event));
});
document.addEventListener("pointerup", (event) => {
  if (drag?.pointer !== event.pointerId) return;
  const { id, target } = drag;
  endDrag();
  if (target?.list === "important") act({ action: "star", id });
  else if (target?.list) act({ action: "group", id, group: target.list });
  else if (target) act({ action: "move", id, [target.side]: target.id });
});
document.addEventListener("pointercancel", (event) => {
  if (drag?.pointer === event.pointerId) endDrag();
});

/** Where a row would be put that is dropped now; null for nowhere. */
function dropTarget(event) {
  const under = document.elementFromPoint(event.clientX, event.clientY);
  const link = under?.closest("[data-list]");
  if (link && link.dataset.list !== "all") return { element: link, list: link.dataset.list };
  const other = under?.closest("#open .row");
  if (!other || idOf(other) === drag.id) return null;
  const box = other.getBoundingClientRect();
  const side = event.clientY < box.top + box.height / 2 ? "before" : "after";
  return { element: other, id: idOf(other), side };
}

function mark(target) {
  drag.target?.element.classList.remove("drop-before", "drop-after", "drop-into");
  drag.target = target;
  target?.element.classList.add("drop-" + (target.side ?? "into"));
}

function endDrag() {
  if (!drag) return;
  mark(null);
  const row = rowOf(drag.id);
  if (row) {
    row.classList.remove("dragging");
    row.style.transform = "";
  }
  drag = undefined;
}

// A touch that moves sideways uncovers the row's Delete, and never deletes by itself.

const uncovered = 88;
let swipe;

main.addEventListener("pointerdown", (event) => {
  const row = event.target.closest(".row");
  for (const open of main.querySelectorAll(".row.swiped")) {
    if (open !== row) open.classList.remove("swiped");
  }
  if (event.pointerType !== "touch" || !row || event.target.closest("input, .grip, .delete")) return;
  const from = row.classList.contains("swiped") ? -uncovered : 0;
  swipe = { row, from, x: event.clientX, y: event.clientY, offset: from, isMoving: false };
});
main.addEventListener("pointermove", (event) => {
  if (!swipe) return;
  const [x, y] = [event.clientX - swipe.x, event.clientY - swipe.y];
  if (!swipe.isMoving) {
    // The row was replaced since the touch began.
    if (!swipe.row.isConnected) return (swipe = undefined);
    if (Math.abs(x) < 10 || Math.abs(x) < Math.abs(y)) return;
    swipe.isMoving = true;
    swipe.row.setPointerCapture(event.pointerId);
    swipe.row.classList.add("swiping");
  }
  swipe.offset = Math.min(0, Math.max(-uncovered, swipe.from + x));
  swipe.row.style.setProperty("--swipe", swipe.offset + "px");
});
function endSwipe(event) {
  if (!swipe) return;
  const { row, isMoving, offset } = swipe;
  swipe = undefined;
  row.style.removeProperty("--swipe");
  row.classList.remove("swiping");
  if (isMoving) row.classList.toggle("swiped", offset < -uncovered / 2);
  else if (event.type === "pointerup" && !event.target.closest(".delete")) row.classList.remove("swiped");
}
main.addEventListener("pointerup", endSwipe);
main.addEventListener("pointercancel", endSwipe);

// Editing the list: the mode is in the address, and changes without another page.

const modes = { edit: "edit", done: null };
for (const [id, mode] of Object.entries(modes)) {
  const link = document.getElementById(id);
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, "", link.href);
    updateLinks();
    showMode();
    document.getElementById(mode ? "done" : "edit").focus();
  });
}
function showMode() {
  body.classList.toggle("editing", new URLSearchParams(location.search).get("mode") === "edit");
}
addEventListener("popstate", () => {
  updateLinks();
  showMode();
});

// What a redirect has said is said once.
if (status.textContent) {
  const address = new URL(location.href);
  const undo = address.searchParams.get("undo");
  for (const name of ["said", "undo"]) address.searchParams.delete(name);
  history.replaceState(history.state, "", address);
  say(status.textContent, undo);
}

// Keys.

// Somebody who speaks to the browser may type letters without meaning them as keys.
const hasKeys = !document.cookie.includes("todo-keys=off");
const priorities = { 1: "high", 2: "normal", 3: "low", 0: "none" };

/** What will be when the writes that are under way are done, from which the next key begins. */
const expected = new Map();

/** What something will be; `now` is what the page shows. */
function expect(key, now) {
  const will = expected.get(key);
  // After the last answer it counts until the next event.
  return will && (will.sent > 0 || will.version === body.dataset.version) ? will.value : now;
}

/** Does an action after which something has a value. */
async function actExpecting(key, value, fields) {
  const will = expected.get(key) ?? { sent: 0 };
  expected.set(key, will);
  will.value = value;
  will.sent++;
  const said = await act(fields);
  will.sent--;
  will.version = body.dataset.version;
  if (said.error) expected.delete(key);
}

function moveBy(row, isUp, action, idOf) {
  const section = row.parentElement;
  const shown = [...section.children].map((other) => other.id);
  const will = expect(section.id, shown);
  const ids = [...(will.includes(row.id) ? will : shown)];
  const from = ids.indexOf(row.id);
  const to = from + (isUp ? -1 : 1);
  const other = document.getElementById(ids[to]);
  if (!other) return;
  [ids[from], ids[to]] = [ids[to], ids[from]];
  actExpecting(section.id, ids, { action, id: idOf(row), [isUp ? "before" : "after"]: idOf(other) });
}

function move(row, isUp) {
  if (body.dataset.manual === "true") moveBy(row, isUp, "move", idOf);
  else say(body.dataset.sorted);
}

/** Puts an item into the group before or after the one that it is in, of those that the page lists. */
function moveToGroup(row, isUp) {
  const lists = ["ungrouped", ...[...side.querySelectorAll("[data-group]")].map((a) => a.dataset.list)];
  const now = expect(row.id, row.dataset.group ?? "ungrouped");
  const group = lists[lists.indexOf(now) + (isUp ? -1 : 1)];
  if (group) actExpecting(row.id, group, { action: "group", id: idOf(row), group });
}

function moveGroup(link, isUp) {
  moveBy(link.closest("li"), isUp, "moveGroup", (item) => item.querySelector("a").dataset.list);
}

/** The rows that can have the focus. */
const rowsShown = () => [...main.querySelectorAll(".row")].filter((r) => r.offsetParent !== null);

function goTo(row, isUp) {
  const rows = rowsShown();
  const next = rows[rows.indexOf(row) + (isUp ? -1 : 1)];
  next?.querySelector(".title")?.focus();
  return next !== undefined;
}

/** Goes to the first row that is on the screen, or below it; whether there is one. */
function goToFirst() {
  const first = rowsShown().find((row) => row.getBoundingClientRect().top >= 0);
  first?.querySelector(".title")?.focus();
  return first !== undefined;
}

/**
 * The key of an event, where an alphabet that is not Latin is typed the letter at its place.
 *
 * Letters are named as on the keys of a Korean keyboard; those that type Latin ones in other places
 * keep what they type.
 */
function keyOf(event) {
  const place = /^Key([A-Z])$/.exec(event.code)?.[1];
  if (!place || /^[ -~]$/.test(event.key)) return event.key;
  return event.shiftKey ? place : place.toLowerCase();
}

/** The keys that do something to a row once, however long they are held down; so do priorities. */
const pressedOnce = ["x", "s", "e", "o", "Delete", "Enter", " "];

/** What a key does in a row. */
function pressInRow(row, key) {
  const click = (name) => row.querySelector(name).click();
  switch (key) {
    case "ArrowUp": case "k": goTo(row, true); break;
    case "ArrowDown": case "j": goTo(row, false); break;
    case "x": click(".check"); break;
    case "s": click(".star"); break;
    case "e": edit(row); break;
    case "o": click(".details"); break;
    case "Delete":
      // The row that has the focus goes away.
      if (!goTo(row, false)) goTo(row, true);
      click(".delete");
      break;
    default: {
      const priority = priorities[key];
      if (!priority) return false;
      act({ action: "priority", id: idOf(row), priority });
    }
  }
  return true;
}

/** What a key does outside of rows: it goes to one, from where arrows have nothing else to do. */
function pressElsewhere(target, key) {
  switch (key) {
    case "ArrowUp": case "ArrowDown": return (target === body || target === main) && goToFirst();
    case "j": case "k": return hasKeys && goToFirst();
    default: return false;
  }
}

addForm?.elements.line.addEventListener("keydown", (event) => {
  if (isComposed(event) || event.altKey || event.shiftKey) return;
  if (event.key === "Escape") main.focus({ preventScroll: true });
  else if (event.key !== "ArrowDown" || !goToFirst()) return;
  event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  if (isComposed(event) || sheet.open) return;
  if (event.key === "Escape" && drag) return endDrag();
  const key = keyOf(event);
  const row = event.target.closest?.(".row");
  const isUp = event.key === "ArrowUp";
  const isArrow = isUp || event.key === "ArrowDown";
  const isField = event.target.matches?.("input, textarea, select");
  let isDone = true;
  if (event.altKey && isArrow && row && !isField) {
    if (event.shiftKey) moveToGroup(row, isUp);
    else move(row, isUp);
  } else if (event.altKey && isArrow && event.target.matches("[data-group]")) {
    moveGroup(event.target, isUp);
  } else if (isField || event.altKey) {
    return;
  } else if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "z") {
    act({ action: event.shiftKey ? "redo" : "undo" });
  } else if (event.ctrlKey || event.metaKey) {
    return;
  } else if (event.key === "?" && hasKeys) {
    openLink(document.getElementById("help"));
  } else if ((key === "n" || key === "/") && addForm && hasKeys) {
    addForm.elements.line.focus();
  } else if (event.repeat && row && (key in priorities || pressedOnce.includes(key))) {
    // A key that is held down goes on through the rows, and does nothing else to them.
  } else {
    isDone = row ? pressInRow(row, key) : pressElsewhere(event.target, key);
  }
  if (!isDone) return;
  event.preventDefault();
  if (document.activeElement.matches("input")) opening = event.code;
});

/** The key that has opened a field, into which it writes nothing while it is held down. */
let opening;
document.addEventListener("keydown", (event) => {
  if (event.repeat && event.code === opening) event.preventDefault();
  else opening = undefined;
}, true);
document.addEventListener("keyup", () => { opening = undefined; }, true);
