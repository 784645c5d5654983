// Keeps a page as the store is, loads the number of objects and the values to filter by after it, and tells how far an
// export is. Every page works without it.

/**
 * A function that loads something, one time after the other: calls meanwhile are one more of them, after a pause that
 * is as long as the loading was.
 */
function loader(load) {
  let isLoading = false;
  let isWanted = false;
  return async () => {
    isWanted = true;
    if (isLoading) return;
    isLoading = true;
    while (isWanted) {
      isWanted = false;
      const start = performance.now();
      // An error is ignored: the link is still there.
      await load().catch(() => {});
      const pause = Math.max(1_000, performance.now() - start);
      await new Promise((resume) => { setTimeout(resume, pause); });
    }
    isLoading = false;
  };
}

/** The element of another page; null where the page has none, or cannot be loaded. */
async function element(address, id) {
  const answer = await fetch(address);
  if (!answer.ok) return null;
  return new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(id);
}

/** What finds the element with the focus after a place is filled again; null where it is not there. */
function focused(place) {
  const active = document.activeElement;
  if (!place.contains(active)) return null;
  if (active.matches("a[href]")) return `a[href="${CSS.escape(active.getAttribute("href"))}"]`;
  return active.id ? "#" + CSS.escape(active.id) : ".scroll";
}

/** The values to filter by are counted for a while, so that they are asked for once the page is there. */
const loadFacets = loader(async () => {
  const link = document.getElementById("facets-link");
  const place = document.getElementById("facets");
  if (!link || !place) return;
  const list = await element(link.href, "facet-list");
  place.hidden = !list;
  link.hidden = !!list;
  if (!list || place.innerHTML === list.innerHTML) return;
  const finder = focused(place);
  place.replaceChildren(...list.childNodes);
  if (finder) place.querySelector(finder)?.focus({ preventScroll: true });
});

/** The number that the filter finds, where it was counted; null elsewhere. */
function foundCount() {
  const text = document.getElementById("found")?.textContent ?? "";
  return /^\d+$/.test(text) ? Number(text) : null;
}

/** Whether a count took too long, after which changes of the store do not begin another one. */
let isTooSlow = false;

const loadCount = loader(async () => {
  const link = document.getElementById("count-link");
  if (!link || isTooSlow) return;
  const found = await element(link.href, "found");
  // Where the rows were replaced meanwhile, they are counted again.
  if (!found || document.getElementById("count-link") !== link) return;
  const isFocused = document.activeElement === link;
  link.replaceWith(found);
  if (isFocused) {
    found.tabIndex = -1;
    found.focus({ preventScroll: true });
  }
  const count = foundCount();
  isTooSlow = count === null;
  if (isTooSlow) return;
  for (const place of document.querySelectorAll(".exported")) {
    place.textContent = count === 1 ? "1 object" : `${count} objects`;
  }
});

/** Whether the rows are those that were found until now, and others come. */
function isSearching() {
  return !!document.getElementById("searching");
}

/** Says that no more objects come to this page by themselves. */
function endSearch() {
  const search = document.getElementById("searching");
  if (!search) return;
  search.removeAttribute("id");
  search.textContent = "These objects were found until now: continue from here.";
  loadCounts();
}

/** What is counted after the rows; a search that is not done has the machine for itself. */
function loadCounts() {
  if (isSearching()) return;
  loadCount();
  loadFacets();
}

const shown = document.getElementById("shown");
const note = document.getElementById("note");

/** Whether somebody is at a field of the rows, has changed one, or has selected a text in them. */
function isInUse() {
  const selection = getSelection();
  if (!selection.isCollapsed && shown.contains(selection.anchorNode)) return true;
  return [...shown.querySelectorAll("input, textarea, select")].some((field) =>
    field === document.activeElement
    || (field.localName === "select"
      ? [...field.options].some((option) => option.selected !== option.defaultSelected)
      : ["checkbox", "radio"].includes(field.type)
        ? field.checked !== field.defaultChecked
        : field.value !== field.defaultValue));
}

/** Where the widths of a model's columns are kept, for as long as the tab is open. */
const widthsName = "widths " + location.pathname;

/** Keeps the widths of the columns that somebody has made wider or narrower. */
function keepWidths() {
  const widths = {};
  for (const column of shown?.querySelectorAll("[data-column]") ?? []) {
    if (column.style.width) widths[column.dataset.column] = column.style.width;
  }
  if (Object.keys(widths).length) sessionStorage.setItem(widthsName, JSON.stringify(widths));
}

/** Gives the columns their widths again, on this page and on others of the model. */
function restoreWidths() {
  const widths = JSON.parse(sessionStorage.getItem(widthsName) ?? "{}");
  for (const column of shown?.querySelectorAll("[data-column]") ?? []) {
    const width = widths[column.dataset.column];
    if (width) column.style.width = width;
  }
}

/** Shows other rows; scrolling, focus and the widths of columns stay. */
function show(html) {
  keepWidths();
  const scrolled = shown.querySelector(".scroll")?.scrollLeft ?? 0;
  const finder = focused(shown);
  const found = document.getElementById("found") ?? document.getElementById("count-link");
  const template = document.createElement("template");
  template.innerHTML = html;
  shown.replaceChildren(template.content);
  restoreWidths();
  const area = shown.querySelector(".scroll");
  if (area) area.scrollLeft = scrolled;
  if (finder) (shown.querySelector(finder) ?? area)?.focus({ preventScroll: true });
  // The number before is shown until there is another one.
  const link = document.getElementById("count-link");
  if (link && found) link.textContent = found.textContent;
  loadCounts();
}

/** Hears of events by their names as long as the page is seen, and of a store that cannot be read. */
function listen(place, name, hear, fail) {
  let version = place.dataset.version;
  let events = null;

  function open() {
    const address = new URL(place.dataset.events, location.href);
    address.searchParams.set("version", version);
    if (isSearching()) address.searchParams.set("search", place.querySelectorAll("a.object").length);
    else address.searchParams.delete("search");
    events = new EventSource(address);
    events.addEventListener(name, (event) => {
      version = event.lastEventId;
      hear(JSON.parse(event.data));
    });
    events.addEventListener("failure", () => {
      version = "none";
      endSearch();
      fail();
    });
    events.addEventListener("error", () => {
      // Too many pages are kept: this one continues when somebody asks for it.
      if (events?.readyState === EventSource.CLOSED) endSearch();
    });
  }

  // A browser has few connections to one server, and a page that nobody sees needs none.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      events?.close();
      events = null;
    } else if (!events) open();
  });
  if (!document.hidden) open();
}

function follow() {
  /** The rows that came while somebody was at a field. */
  let waiting = null;

  function take(html) {
    if (isInUse()) {
      waiting = html;
      const reason = isSearching() ? "More objects were found" : "The store has changed";
      note.textContent = `${reason}; the rows are replaced when nothing is being changed here.`;
      return;
    }
    waiting = null;
    note.textContent = "";
    show(html);
  }

  for (const [target, name] of [[shown, "focusout"], [document, "selectionchange"]]) {
    target.addEventListener(name, () => {
      setTimeout(() => { if (waiting !== null) take(waiting); });
    });
  }
  listen(shown, "rows", take, () => {
    note.textContent = "The store cannot be read now; load the page again to see why.";
  });
}

/** A size for people. */
function sizeText(bytes) {
  const units = ["bytes", "KiB", "MiB", "GiB"];
  let unit = 0;
  for (; bytes >= 1024 && unit < units.length - 1; unit += 1) bytes /= 1024;
  return `${unit ? bytes.toFixed(1) : bytes} ${units[unit]}`;
}

/** Counts the objects in the bytes of an export: lines, of which those in quotation marks of CSV are a part of one. */
class ObjectCounter {
  constructor(type) {
    this.isCSV = type.startsWith("text/csv");
    this.isQuoted = false;
    // The head of CSV is not an object, and in an array of JSON there are two lines more than objects.
    this.count = this.isCSV ? -1 : type.startsWith("application/json") ? -2 : 0;
  }

  add(bytes) {
    for (const byte of bytes) {
      if (byte === 0x22 && this.isCSV) this.isQuoted = !this.isQuoted;
      else if (byte === 0x0A && !this.isQuoted) this.count += 1;
    }
  }
}

/** How many bytes of an export are in one part; a browser may keep parts outside its memory. */
const partBytes = 8 << 20;

/** The bytes of an answer, which are counted and told as they come. */
async function readExport(answer, counter, tell) {
  const parts = [];
  let [part, partCount, bytes] = [[], 0, 0];
  const reader = answer.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    counter.add(value);
    part.push(value);
    partCount += value.length;
    bytes += value.length;
    if (partCount >= partBytes) {
      parts.push(new Blob(part));
      [part, partCount] = [[], 0];
    }
    tell(bytes);
  }
  return new Blob([...parts, ...part]);
}

/** Gives a file to the browser, as a link to it would. */
function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads it after this.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The most objects of an export that a page keeps until all are there; more of them are left to the browser. */
const exportedMax = 100_000;

/** How many objects an export has; null where that is not known. */
function exportCount(link) {
  const text = /^\d+/.exec(link.querySelector(".exported")?.textContent ?? "");
  return text ? Number(text[0]) : null;
}

/** Loads an export and tells how far it is, with a button that ends it. */
async function exportObjects(address, total, place) {
  const said = document.getElementById("export-note");
  const cancel = document.getElementById("export-cancel");
  const text = document.getElementById("export-text");
  const bar = document.getElementById("export-bar");
  const control = new AbortController();
  cancel.onclick = () => control.abort();
  text.textContent = "The export begins.";
  bar.removeAttribute("value");
  place.hidden = false;
  said.textContent = "";
  let reason = "The export ended before its end, and no file was made. Try it again.";
  try {
    const answer = await fetch(address, { signal: control.signal });
    if (!answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      reason = page.querySelector("[role=alert]")?.textContent ?? reason;
      throw new Error(reason);
    }
    const counter = new ObjectCounter(answer.headers.get("Content-Type"));
    const blob = await readExport(answer, counter, (bytes) => {
      const count = Math.max(0, counter.count);
      text.textContent = `Exported ${count} of ${total} objects, ${sizeText(bytes)}.`;
      if (total > 0) [bar.max, bar.value] = [total, Math.min(count, total)];
    });
    const name = /filename="([^"]*)"/.exec(answer.headers.get("Content-Disposition"))?.[1];
    save(blob, decodeURIComponent(name ?? "export"));
    said.textContent = `Exported ${Math.max(0, counter.count)} objects, ${sizeText(blob.size)}.`;
  } catch {
    said.textContent = control.signal.aborted
      ? "The export was cancelled, and no file was made." : reason;
  }
  if (document.activeElement === cancel) {
    const path = new URL(address).pathname + new URL(address).search;
    shown.querySelector(`a[href="${CSS.escape(path)}"]`)?.focus({ preventScroll: true });
  }
  place.hidden = true;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#shown .views a[download]");
  const place = document.getElementById("export");
  // One export is shown; another one is a download of the browser, and so is one into another tab.
  if (!link || !place?.hidden || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const count = exportCount(link);
  if (count === null || count > exportedMax) return;
  event.preventDefault();
  exportObjects(link.href, count, place);
});

restoreWidths();
addEventListener("pagehide", keepWidths);
loadCounts();
if (shown?.dataset.events) follow();
const stale = document.getElementById("stale");
if (stale) {
  listen(stale, "changed", () => {
    stale.textContent = "The store has changed: load the page again.";
  }, () => {
    stale.textContent = "The store cannot be read now; load the page again to see why.";
  });
}
