// Sends the page's forms without leaving it; live.js shows what comes of them.
import { release, showFailure } from "./live.js";

const body = document.body, status = document.getElementById("status");
const connection = document.getElementById("connection");

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
    // A store that failed is told in an alert, until it works again.
    showFailure(answer.status >= 500 ? said.error : null);
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
    release(r)?.querySelector(".title")?.focus();
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
