// The list of calendar feeds, the form that creates one, and the address of a new feed. The code for cameras is drawn
// here, so that the address leaves the page only if the user takes it along.

import { generate } from "./lean-qr.js";
import { Failure, app, call, expiry, text } from "./session.js";

/** The form. `null` if the host serves no feeds. */
export const feedForm = document.getElementById("create-feed");
const address = document.getElementById("new-feed");
const device = document.getElementById("feed-device");
const google = document.getElementById("feed-google");
const code = document.getElementById("feed-code");

/** Returns a part of the form with choices: their names, and the ids of those selected, also if they leave the page. */
function limit(id) {
  return { part: document.getElementById(id), names: new Map(), selected: new Set() };
}

const persons = limit("feed-persons");
const boards = limit("feed-boards");

/** The list of calendar feeds. */
export const FEEDS = {
  list: "feeds",
  template: "feed-entry",
  url: app.dataset.feeds,
  question: "end_feed",
  ended: "feed_ended",
  entries: ({ feeds }) => feeds.map((feed) => ({ ...feed, mode: shownBy(feed) })),
  /** The texts of failures of the creation that differ from those of keys. */
  failures: {
    maybe_created: "feed_maybe_created",
    limit_reached: "feed_limit_reached",
    api_disabled: "feed_needs_api",
    not_found: "feed_needs_family",
  },
};

/** Returns in words what a feed shows. */
function shownBy({ shows, detail, personIds, boardIds }) {
  const words = [text(shows), text(detail)];
  const names = personIds.map((id) => persons.names.get(id));
  if (shows !== "events") names.push(...boardIds.map((id) => boards.names.get(id)));
  const isKnown = names.every(Boolean);
  if (names.length > 0) words.push(isKnown ? text("limited", { names: names.join(", ") }) : text("filtered"));
  return words.join(" · ");
}

/** Loads the members and the boards. The form works without them. */
export async function loadFeedChoices() {
  if (!feedForm) return;
  try {
    const choices = await call("GET", app.dataset.feedChoices);
    offer(persons, choices.persons);
    offer(boards, choices.boards);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  showLimits();
}

/** Lists the choices of a part of the form. One that is selected stays, so that a feed never shows more. */
function offer({ part, names, selected }, choices) {
  const gone = Array.from(selected, (id) => ({ id, name: names.get(id) ?? id }));
  const offered = new Map([...gone, ...choices].map(({ id, name }) => [id, name]));
  names.clear();
  const template = document.getElementById("feed-choice").content.firstElementChild;
  const items = Array.from(offered, ([id, name]) => {
    names.set(id, name);
    const item = template.cloneNode(true);
    const box = item.querySelector("input");
    box.checked = selected.has(id);
    box.addEventListener("change", () => (box.checked ? selected.add(id) : selected.delete(id)));
    item.querySelector("span").textContent = name;
    return item;
  });
  part.querySelector(".choices").replaceChildren(...items);
}

/** Shows the parts of the form in which there is something to choose. */
function showLimits() {
  const isEmpty = ({ names, selected }) => names.size < 2 && selected.size === 0;
  persons.part.hidden = isEmpty(persons);
  boards.part.hidden = isEmpty(boards) || feedForm.elements.shows.value === "events";
}

/** Removes the names of the members and the boards. What is selected stays selected. */
export function forgetFeedChoices() {
  if (!feedForm) return;
  for (const { part, names } of [persons, boards]) {
    names.clear();
    part.querySelector(".choices").replaceChildren();
  }
  showLimits();
}

export function resetFeedForm() {
  feedForm.reset();
  for (const { selected } of [persons, boards]) selected.clear();
  showLimits();
}

/** The light margin around a code, in modules, that readers need. */
const MARGIN = 4;

/** Lets the browser ask whether to leave the page, because the address is shown only once. */
function askBeforeLeaving(event) {
  event.preventDefault();
}

/** Returns the body of a request that creates a feed. */
export function feedDraft() {
  const fields = new FormData(feedForm);
  return {
    name: fields.get("name").trim(),
    shows: fields.get("shows"),
    detail: fields.get("detail"),
    personIds: Array.from(persons.selected),
    boardIds: fields.get("shows") === "events" ? [] : Array.from(boards.selected),
    language: document.documentElement.lang.split("-")[0],
    expiresAt: expiry(fields),
  };
}

/** Fills in the form from the address of the page. Creates nothing. Returns whether the address names a feed. */
export function prefillFeed() {
  const query = new URLSearchParams(location.search);
  const name = query.get("feed");
  if (!feedForm || !name) return false;
  const { elements } = feedForm;
  elements.name.value = name.slice(0, elements.name.maxLength);
  for (const choice of [elements.shows, elements.detail]) {
    const value = query.get(choice.name);
    if (Array.from(choice.options).some((option) => option.value === value)) choice.value = value;
  }
  document.getElementById("feed-prefilled").hidden = false;
  showLimits();
  return true;
}

export function showNewFeed({ path }) {
  const url = new URL(app.dataset.root, document.baseURI).href + path.slice(1);
  const subscription = url.replace(/^https?/, "webcal");
  address.textContent = url;
  device.href = subscription;
  google.href = google.dataset.base + encodeURIComponent(subscription);
  draw(generate(subscription));
  show(true);
  document.getElementById("created-feed-title").focus();
  addEventListener("beforeunload", askBeforeLeaving);
}

/** Draws a code: one square for each dark module. */
function draw({ size, get }) {
  const places = Array.from({ length: size * size }, (_, index) => [index % size, Math.floor(index / size)]);
  const dark = places.filter(([x, y]) => get(x, y));
  const whole = size + 2 * MARGIN;
  code.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${whole} ${whole}`);
  code.firstElementChild.setAttribute("d", dark.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join(""));
}

/** Removes the new address from the page. */
export function forgetNewFeed() {
  if (!feedForm) return;
  removeEventListener("beforeunload", askBeforeLeaving);
  address.textContent = "";
  for (const link of [device, google]) link.removeAttribute("href");
  code.firstElementChild.removeAttribute("d");
  document.getElementById("created-feed-report").replaceChildren();
  show(false);
}

function show(isCreated) {
  document.getElementById("create-feed-section").hidden = isCreated;
  document.getElementById("created-feed").hidden = !isCreated;
}

feedForm?.elements.shows.addEventListener("change", showLimits);

// The browser asks before it opens an app, too. The app then has the address.
device?.addEventListener("click", () => removeEventListener("beforeunload", askBeforeLeaving));
