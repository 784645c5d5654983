// Sends the page's forms without leaving it, and adds what needs a script: editing in place, dragging,
// swiping, dialogs and keys. live.js shows what comes of it.
//
// What a click does is decided where the control is: there is no handler of clicks for the whole page,
// which would take them from others.
import { release, showFailure } from "./live.js";

const body = document.body;
const main = document.getElementById("list");
const side = document.getElementById("side");
const sheet = document.getElementById("sheet");
const status = document.getElementById("status");
const connection = document.getElementById("connection");
const idOf = (row) => row.dataset.id;
const rowOf = (id) => document.getElementById("item-" + id);

// What the page says.

let silence;

/** Says what was done, or why not; `canUndo` adds a button that takes it back. */
function say(text, canUndo = false) {
  clearTimeout(silence);
  status.textContent = text;
  if (canUndo) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = body.dataset.undo;
    button.addEventListener("click", () => act({ action: "undo" }));
    status.append(button);
  }
  const hide = () => {
    // It stays while somebody is about to use it.
    if (status.matches(":hover, :focus-within")) silence = setTimeout(hide, 2000);
    else status.textContent = "";
  };
  silence = setTimeout(hide, 10_000);
}

/** Sends a form; the answer is an object with `said`, `error`, `html` or `location`. */
async function send(path, fields) {
  try {
    const answer = await fetch(path, {
      method: "POST", headers: { Accept: "application/json" },
      body: fields instanceof FormData ? fields : new URLSearchParams(fields),
    });
    if (answer.headers.get("Content-Type") !== "application/json") {
      return { error: (await answer.text()).slice(0, 80) };
    }
    const said = await answer.json();
    // A store that failed is told in an alert, until it works again.
    showFailure(answer.status >= 500 ? said.error : null);
    return said;
  } catch {
    connection.hidden = false;
    return { error: connection.textContent };
  }
}

/** Does one action, and says what came of it. */
async function act(fields) {
  const said = await send("/actions", fields);
  if (said.html) openSheet(said.html);
  else if (said.location) location.assign(said.location);
  else say(said.error ?? said.said, Boolean(said.undo));
  return said;
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
    const html = await answer.text();
    if (answer.ok) openSheet(html);
    else location.assign(link.href);
  } catch {
    connection.hidden = false;
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
sheet.addEventListener("close", () => sheet.replaceChildren());

// Forms.

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.getAttribute("action") === "/settings") return;
  event.preventDefault();
  const fields = new FormData(form, event.submitter);
  if (form.enctype !== "multipart/form-data") return submit(form, Object.fromEntries(fields), event);
  finishInSheet(await send(form.getAttribute("action"), fields));
});

async function submit(form, fields, event) {
  // Buttons are named action, too, so the form's own property is not at hand.
  const path = form.getAttribute("action");
  if (form.classList.contains("add")) return add(form, fields.line, await send(path, fields));
  if (sheet.contains(form)) return finishInSheet(await send(path, fields));
  if (fields.action?.startsWith("delete ")) {
    const row = event.submitter.closest(".row");
    // What a touch has uncovered is asked about; a button that was clicked can be undone.
    if (!row?.classList.contains("swiped")) fields.ask = "no";
    row?.classList.remove("swiped");
  }
  const said = await act(fields);
  if (form.classList.contains("new-group") && said.said) form.reset();
}

function finishInSheet(said) {
  if (said.html) return openSheet(said.html);
  if (said.location) return location.assign(said.location);
  // A form keeps what was written in it; a question is answered, whatever came of it.
  const alert = sheet.querySelector(".fields [role=alert]");
  if (said.error && alert) {
    alert.textContent = said.error;
    return;
  }
  sheet.close();
  say(said.error ?? said.said, Boolean(said.undo));
}

// A new item.

const addForm = main.querySelector("form.add");
const chips = document.getElementById("chips");
let reading;

function add(form, sent, said) {
  const line = form.elements.line;
  document.getElementById("add-error").textContent = said.error ?? "";
  line.toggleAttribute("aria-invalid", false);
  if (said.error) line.setAttribute("aria-invalid", "true");
  form.querySelector(".make-group")?.remove();
  if (said.error) chips.querySelector(".wrong")?.remove();
  if (said.newGroup) {
    const make = document.createElement("button");
    Object.assign(make, {
      name: "makeGroup", value: said.newGroup, className: "make-group", textContent: said.makeGroup,
    });
    form.append(make);
  }
  if (said.said) {
    // The next line may be in the field already.
    if (line.value === sent) line.value = "";
    showChips();
    say(said.said, Boolean(said.undo));
  }
  line.focus();
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

// A title is edited in place.

function edit(title) {
  const row = title.closest(".row");
  const was = title.textContent;
  const field = document.createElement("input");
  field.className = "retitle";
  field.value = was;
  field.setAttribute("aria-label", was);
  title.replaceWith(field);
  field.focus();
  field.select();
  let isOver = false;
  async function end(isKept, takesFocus) {
    if (isOver) return;
    if (isKept && field.value !== was) {
      isOver = true;
      const said = await act({ action: "retitle", id: idOf(row), text: field.value, was });
      if (said.error !== undefined) {
        isOver = false;
        field.setAttribute("aria-invalid", "true");
        return;
      }
    }
    isOver = true;
    field.replaceWith(title);
    const next = release(row)?.querySelector(".title");
    if (takesFocus) next?.focus();
  }
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      end(true, true);
    }
    if (event.key === "Escape") end(false, true);
  });
  // Where nothing was typed, or nothing is wrong with it, leaving the field keeps it.
  field.addEventListener("blur", () => { if (document.hasFocus()) end(true, false); });
}
main.addEventListener("click", (event) => {
  const title = event.target.closest("a.title");
  if (!title || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  edit(title);
});

// Rows are dragged by their handle, and items onto another list.

let drag;

main.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest(".grip");
  if (!grip || event.button !== 0) return;
  event.preventDefault();
  const row = grip.closest(".row");
  grip.setPointerCapture(event.pointerId);
  drag = { id: idOf(row), x: event.clientX, y: event.clientY, top: scrollY, target: null };
  row.classList.add("dragging");
});
main.addEventListener("pointermove", (event) => {
  if (!drag) return;
  const row = rowOf(drag.id);
  if (!row) return endDrag();
  const edge = 60;
  if (event.clientY < edge) scrollBy(0, -12);
  if (event.clientY > innerHeight - edge) scrollBy(0, 12);
  const y = event.clientY - drag.y + scrollY - drag.top;
  row.style.transform = `translate(${event.clientX - drag.x}px, ${y}px)`;
  mark(dropTarget(event));
});
main.addEventListener("pointerup", () => {
  if (!drag) return;
  const { id, target } = drag;
  endDrag();
  if (target?.list === "important") act({ action: "star", id });
  else if (target?.list) act({ action: "group", id, group: target.list });
  else if (target) act({ action: "move", id, [target.side]: target.id });
});
main.addEventListener("pointercancel", endDrag);

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
    showMode();
    document.getElementById(mode ? "done" : "edit").focus();
  });
}
function showMode() {
  body.classList.toggle("editing", new URLSearchParams(location.search).get("mode") === "edit");
}
addEventListener("popstate", showMode);

// What a redirect has said is said once.
if (status.textContent) {
  const address = new URL(location.href);
  address.searchParams.delete("said");
  history.replaceState(history.state, "", address);
  say(status.textContent);
}

// Keys.

const priorities = { 1: "high", 2: "normal", 3: "low", 0: "none" };

function move(row, isUp) {
  if (body.dataset.manual !== "true") return;
  const other = isUp ? row.previousElementSibling : row.nextElementSibling;
  if (other) act({ action: "move", id: idOf(row), [isUp ? "before" : "after"]: idOf(other) });
}

/** Puts an item into the group before or after the one that it is in, of those that the page lists. */
function moveToGroup(row, isUp) {
  const lists = ["ungrouped", ...[...side.querySelectorAll("[data-group]")].map((a) => a.dataset.list)];
  const now = lists.indexOf(row.dataset.group ?? "ungrouped");
  const next = lists[now + (isUp ? -1 : 1)];
  if (next) act({ action: "group", id: idOf(row), group: next });
}

function moveGroup(link, isUp) {
  const item = link.closest("li");
  const other = isUp ? item.previousElementSibling : item.nextElementSibling;
  const near = other?.querySelector("[data-group]")?.dataset.list;
  if (near) act({ action: "moveGroup", id: link.dataset.list, [isUp ? "before" : "after"]: near });
}

function goTo(row, isUp) {
  const rows = [...main.querySelectorAll(".row")].filter((r) => r.offsetParent !== null);
  const next = rows[rows.indexOf(row) + (isUp ? -1 : 1)];
  next?.querySelector(".title")?.focus();
  return next !== undefined;
}

/** What a key does in a row. */
function pressInRow(row, event) {
  const click = (name) => row.querySelector(name).click();
  switch (event.key) {
    case "ArrowUp": case "k": goTo(row, true); break;
    case "ArrowDown": case "j": goTo(row, false); break;
    case "x": click(".check"); break;
    case "s": click(".star"); break;
    case "e": edit(row.querySelector(".title")); break;
    case "o": click(".details"); break;
    case "Delete":
      // The row that has the focus goes away.
      if (!goTo(row, false)) goTo(row, true);
      click(".delete");
      break;
    default: {
      const priority = priorities[event.key];
      if (!priority) return false;
      act({ action: "priority", id: idOf(row), priority });
    }
  }
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.isComposing || sheet.open) return;
  const row = event.target.closest?.(".row");
  const isUp = event.key === "ArrowUp";
  const isArrow = isUp || event.key === "ArrowDown";
  const isField = event.target.matches?.("input, textarea, select");
  let isDone = true;
  if (event.altKey && isArrow && row) {
    if (event.shiftKey) moveToGroup(row, isUp);
    else move(row, isUp);
  } else if (event.altKey && isArrow && event.target.matches("[data-group]")) {
    moveGroup(event.target, isUp);
  } else if (isField || event.altKey) {
    return;
  } else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
    act({ action: event.shiftKey ? "redo" : "undo" });
  } else if (event.ctrlKey || event.metaKey) {
    return;
  } else if (event.key === "?") {
    openLink(document.getElementById("help"));
  } else if ((event.key === "n" || event.key === "/") && addForm) {
    addForm.elements.line.focus();
  } else {
    isDone = row ? pressInRow(row, event) : false;
  }
  if (isDone) event.preventDefault();
});
