// Keeps a page as the store is, and loads the values to filter by after it. Every page works without it.

/** The values to filter by are counted for a while, so that they are asked for once the page is there. */
async function loadFacets() {
  const link = document.getElementById("facets-link");
  const place = document.getElementById("facets");
  if (!link || !place) return;
  const answer = await fetch(link.href);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const list = page.getElementById("facet-list");
  if (!list) return;
  place.replaceChildren(...list.childNodes);
  place.hidden = false;
  link.hidden = true;
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

/** What finds the element with the focus in other rows; null where it is not in them. */
function focused() {
  const active = document.activeElement;
  if (!shown.contains(active)) return null;
  if (active.matches("a[href]")) return `a[href="${CSS.escape(active.getAttribute("href"))}"]`;
  return active.id ? "#" + CSS.escape(active.id) : ".scroll";
}

/** Shows other rows; scrolling and focus stay where they are. */
function show(html) {
  const scrolled = shown.querySelector(".scroll")?.scrollLeft ?? 0;
  const finder = focused();
  const template = document.createElement("template");
  template.innerHTML = html;
  shown.replaceChildren(template.content);
  const area = shown.querySelector(".scroll");
  if (area) area.scrollLeft = scrolled;
  if (finder) (shown.querySelector(finder) ?? area)?.focus({ preventScroll: true });
}

function follow() {
  let version = shown.dataset.version;
  let events = null;
  /** The rows that came while somebody was at a field. */
  let waiting = null;

  function take(html) {
    if (isInUse()) {
      waiting = html;
      note.textContent = "The store has changed; the rows are replaced when nothing is being changed here.";
      return;
    }
    waiting = null;
    note.textContent = "";
    show(html);
  }

  function open() {
    const address = new URL(shown.dataset.events, location.href);
    address.searchParams.set("version", version);
    events = new EventSource(address);
    events.addEventListener("rows", (event) => {
      version = event.lastEventId;
      take(JSON.parse(event.data));
    });
    events.addEventListener("failure", () => {
      version = "";
      note.textContent = "The store cannot be read now; load the page again to see why.";
    });
  }

  for (const [target, name] of [[shown, "focusout"], [document, "selectionchange"]]) {
    target.addEventListener(name, () => {
      setTimeout(() => { if (waiting !== null) take(waiting); });
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

// An error is ignored: the link is still there.
loadFacets().catch(() => {});
if (shown?.dataset.events) follow();
