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
/** The parts of the form with the members and the boards that a feed can be limited to. */
const limits = ["feed-persons", "feed-boards"].map((id) => document.getElementById(id));

/** The names of the members and the boards, by id. */
const names = new Map();

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
  const ids = [...personIds, ...(shows === "events" ? [] : boardIds)];
  if (ids.length > 0) {
    const known = ids.every((id) => names.has(id));
    words.push(known ? text("limited", { names: ids.map((id) => names.get(id)).join(", ") }) : text("filtered"));
  }
  return words.join(" · ");
}

/** Loads the members and the boards. The form works without them. What was selected stays. */
export async function loadFeedChoices() {
  if (!feedForm) return;
  const [persons, boards] = limits;
  try {
    const choices = await call("GET", app.dataset.feedChoices);
    offer(persons, choices.persons);
    offer(boards, choices.boards);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  showLimits();
}

/** Lists the choices of a part of the form. */
function offer(limit, choices) {
  const selected = new Set(new FormData(feedForm).getAll(limit.dataset.name));
  const template = document.getElementById("feed-choice").content.firstElementChild;
  const items = choices.map(({ id, name }) => {
    names.set(id, name);
    const item = template.cloneNode(true);
    const box = item.querySelector("input");
    box.name = limit.dataset.name;
    box.value = id;
    box.checked = selected.has(id);
    item.querySelector("span").textContent = name;
    return item;
  });
  limit.querySelector(".choices").replaceChildren(...items);
}

/** Shows the parts of the form in which there is something to choose. A part that is not shown limits nothing. */
export function showLimits() {
  const [persons, boards] = limits;
  const has = (limit) => limit.querySelectorAll("input").length > 1;
  persons.hidden = !has(persons);
  boards.hidden = !has(boards) || feedForm.elements.shows.value === "events";
  for (const limit of limits) limit.disabled = limit.hidden;
}

/** Removes the names of the members and the boards. */
export function forgetFeedChoices() {
  names.clear();
  for (const limit of limits) limit?.querySelector(".choices").replaceChildren();
  if (feedForm) showLimits();
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
    personIds: fields.getAll("personIds"),
    boardIds: fields.getAll("boardIds"),
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
