// The page of deleted records. It calls the session routes, and inserts what they answer only as text.

import {
  Failure,
  TIME,
  app,
  call,
  checkUser,
  loadProfile,
  report,
  reportFailure,
  run,
  showTime,
  text,
  user,
} from "./session.js";

const list = document.getElementById("records");
const more = document.getElementById("more");
const empty = document.getElementById("empty");

/** The number of records of a page, and the most that one call returns. */
const PAGE = 20;
const MOST = 100;

/** The cursor of the next page. */
let next = null;

/** The answer from which the list was rendered. The list is rendered again only if the answer has changed. */
let rendered = "";

/** Removes what only the user may see. */
user.forget = () => {
  list.replaceChildren();
  next = null;
  rendered = "";
  more.hidden = true;
  empty.hidden = true;
};

async function records(query) {
  try {
    return await call("GET", `${app.dataset.deleted}?${new URLSearchParams(query)}`);
  } catch (error) {
    throw error.name === "not_found" ? new Failure("no_family") : error;
  }
}

/** Returns a record as an element of the list. */
function entry({ kind, id, title, deletedAt, restorableUntil }) {
  const item = document.getElementById("entry").content.firstElementChild.cloneNode(true);
  const slot = (name) => item.querySelector(`[data-slot="${name}"]`);
  item.dataset.id = id;
  item.dataset.kind = kind;
  if (title) slot("title").textContent = title;
  slot("kind").textContent = text(kind);
  showTime(slot("deleted"), deletedAt, TIME);
  showTime(slot("until"), restorableUntil, TIME);
  const button = slot("restore");
  const name = slot("title").textContent;
  button.setAttribute("aria-label", `${button.textContent}: ${name}`);
  button.addEventListener("click", () => run(button, "deleted-report", () => bringBack(kind, id, name)));
  return item;
}

/** Shows what follows the entries. */
function showEnd(cursor) {
  next = cursor;
  more.hidden = !next;
  empty.hidden = Boolean(next) || list.children.length > 0;
}

/** Loads as many records again as are shown, for example after a deletion in another tab. */
async function refresh() {
  await loadProfile();
  const answer = await records({ limit: Math.min(Math.max(list.children.length, PAGE), MOST) });
  const state = JSON.stringify(answer);
  if (rendered !== state) {
    rendered = state;
    list.replaceChildren(...answer.records.map(entry));
    showEnd(answer.nextCursor);
  }
  document.getElementById("content").hidden = false;
}

async function showMore() {
  const cursor = next;
  await checkUser();
  const answer = await records({ limit: PAGE, cursor });
  // The list was loaded again meanwhile.
  if (next !== cursor) return;
  const entries = answer.records.map(entry);
  list.append(...entries);
  showEnd(answer.nextCursor);
  entries[0]?.querySelector("button").focus();
}

/** Restores a record. A record that cannot be restored any more leaves the list, too. */
async function bringBack(kind, id, name) {
  await checkUser();
  try {
    await call("POST", app.dataset[kind].replace("{id}", () => encodeURIComponent(id)));
    report("deleted-report", "success", text("brought_back", { name }));
  } catch (error) {
    if (error.name !== "not_found") throw error;
    reportFailure("deleted-report", error);
  }
  // The list may have been loaded again meanwhile, with another element for the record.
  for (const item of [...list.children]) {
    if (item.dataset.kind === kind && item.dataset.id === id) item.remove();
  }
  rendered = "";
  showEnd(next);
  document.getElementById("deleted-title").focus();
}

async function load() {
  await run(app, "page-report", refresh);
  document.getElementById("loading").hidden = true;
}

more.addEventListener("click", () => run(more, "deleted-report", showMore));
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") load();
});
load();
