// The page of keys, connections and calendar feeds. It calls the session routes, and inserts what they answer only as
// text.

import {
  FEEDS,
  feedDraft,
  feedForm,
  forgetFeedChoices,
  forgetNewFeed,
  loadFeedChoices,
  prefillFeed,
  resetFeedForm,
  showNewFeed,
} from "./feeds.js";
import {
  DAY,
  Failure,
  TIME,
  app,
  call,
  checkUser,
  expiry,
  loadProfile,
  report,
  reportFailure,
  run,
  showTime,
  text,
  user,
} from "./session.js";

const form = document.getElementById("create");
/** The choices of the form. */
const modes = Array.from(form.querySelectorAll('[name="mode"]'));
const apiSwitch = document.getElementById("api-switch");
const stopButton = document.getElementById("stop");
const newKey = document.getElementById("new-key");
/** The form of the time zone, if the host keeps one. */
const zoneForm = document.getElementById("zone");
const zoneOfDevice = Intl.DateTimeFormat().resolvedOptions().timeZone;

const UNUSED_AFTER = 90 * DAY;

/** The hosts of apps on the user's own device. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** The failures after which the server may have done what it was asked to do. */
const UNCERTAIN = new Set(["network", "unavailable", "unexpected"]);

/** The settings of programs, with placeholders, by their element. */
const settings = new Map(Array.from(document.querySelectorAll("[data-settings]"), (pre) => [pre, pre.textContent]));

/** The last answer of each list. */
const answers = new Map();
/** The state from which each list was rendered. A list is rendered again only if its state has changed. */
const rendered = new Map();

/** Returns a key, a connection or a feed as an element of its list. */
function entry(kind, { id, name, mode, hint, host, leftOut, createdAt, expiresAt, lastUsedAt }) {
  const item = document.getElementById(kind.template).content.firstElementChild.cloneNode(true);
  const slot = (name) => item.querySelector(`[data-slot="${name}"]`);
  if (name) slot("name").textContent = name;
  slot("mode").textContent = mode ?? text("other_mode");
  if (hint) slot("hint").textContent = hint;
  if (host) slot("host").textContent = LOOPBACK.test(host) ? `${text("this_device")} (${host})` : host;
  if (leftOut) {
    slot("left-out").textContent = leftOut;
    slot("left-out").parentElement.hidden = false;
  }
  showTime(slot("created"), createdAt);
  if (expiresAt) showTime(slot("expires"), expiresAt);
  showTime(slot("used"), lastUsedAt, TIME);
  slot("unused").hidden = Date.now() - Date.parse(lastUsedAt ?? createdAt) < UNUSED_AFTER;
  const button = slot("end");
  button.setAttribute("aria-label", `${button.textContent}: ${slot("name").textContent}`);
  button.addEventListener("click", () => end(kind, id, slot("name").textContent, button));
  return item;
}

/** The list of keys. */
const KEYS = {
  list: "keys",
  template: "key-entry",
  url: app.dataset.keys,
  question: "revoke",
  ended: "revoked",
  entries: ({ tokens }) => tokens.map((key) => ({ ...key, mode: key.mode && text(key.mode) })),
};

/** The list of connections. */
const CONNECTIONS = {
  list: "connections",
  template: "connection-entry",
  url: app.dataset.connections,
  question: "disconnect",
  ended: "disconnected",
  entries: ({ connections }) =>
    connections.map(({ client, mode, ...connection }) => ({ ...connection, name: client, mode: mode && text(mode) })),
};

/** The lists that the host serves. */
const LISTS = [KEYS, CONNECTIONS, FEEDS].filter((kind) => kind.url);

/** Loads a list again. A failure is shown beside the list, because the change before it was successful. */
async function refreshList(kind) {
  const failed = document.getElementById(`${kind.list}-failed`);
  try {
    await loadList(kind);
    failed.hidden = true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    failed.hidden = false;
  }
}

async function loadList(kind) {
  answers.set(kind, await call("GET", kind.url));
  renderList(kind);
}

function renderList(kind) {
  const answer = answers.get(kind);
  if (!answer) return;
  const entries = kind.entries(answer);
  const state = JSON.stringify([answer, entries]);
  if (rendered.get(kind) === state) return;
  rendered.set(kind, state);
  document.getElementById(kind.list).replaceChildren(...entries.map((data) => entry(kind, data)));
  document.getElementById(`${kind.list}-empty`).hidden = entries.length > 0;
  if (kind === CONNECTIONS) showMisused(answer.misused);
  if (kind === CONNECTIONS && entries.length + answer.misused.length > 0) {
    document.getElementById("connections-section").hidden = false;
  }
}

/** Shows which connections the service has ended, because somebody else may have used them. */
function showMisused(misused) {
  const items = misused.map(({ client, host, endedAt }) => {
    const item = document.getElementById("misused-entry").content.firstElementChild.cloneNode(true);
    const name = item.querySelector('[data-slot="name"]');
    name.textContent = `${client ?? name.textContent} (${host})`;
    showTime(item.querySelector('[data-slot="ended"]'), endedAt, TIME);
    return item;
  });
  document.getElementById("misused-list").replaceChildren(...items);
  document.getElementById("misused").hidden = items.length === 0;
}

/** Asks, and then revokes a key, or ends a connection or a feed. */
async function end(kind, id, name, button) {
  if (!(await confirm(kind.question, name, button.textContent))) return;
  await run(button, `${kind.list}-report`, async () => {
    await checkUser();
    try {
      await call("DELETE", `${kind.url}/${encodeURIComponent(id)}`);
      report(`${kind.list}-report`, "success", text(kind.ended));
    } catch (error) {
      if (error.name !== "not_found") throw error;
      reportFailure(`${kind.list}-report`, error);
    }
    await refreshList(kind);
    document.getElementById(`${kind.list}-title`).focus();
  });
}

/** Asks a question in a dialog. Returns whether the answer was yes. */
function confirm(question, name, yes) {
  const dialog = document.getElementById("confirm");
  document.getElementById("confirm-title").textContent = text(question, { name });
  document.getElementById("confirm-effect").textContent = text(`${question}_effect`);
  document.getElementById("confirm-yes").textContent = yes;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

function showApi() {
  apiSwitch.checked = user.profile.personalApiEnabled;
  document.getElementById("api-on").hidden = !user.profile.personalApiEnabled;
  document.getElementById("api-off").hidden = user.profile.personalApiEnabled;
  if (feedForm) document.getElementById("feeds-off").hidden = user.profile.personalApiEnabled;
  showModeWarning();
}

/** Warns if the personal API is off and the selected mode needs it. */
function showModeWarning() {
  const mode = new FormData(form).get("mode");
  document.getElementById("api-is-off").hidden = user.profile.personalApiEnabled || !mode || mode === "mcp_read";
}

async function switchApi() {
  const personalApiEnabled = apiSwitch.checked;
  await run(apiSwitch, "access-report", async () => {
    try {
      await checkUser();
      user.profile = await call("PATCH", app.dataset.profile, { personalApiEnabled });
      report("access-report", "success", text(user.profile.personalApiEnabled ? "switched_on" : "switched_off"));
    } finally {
      showApi();
    }
  });
}

/** Lists the time zones again if the one of the user has changed. Another choice that is not saved stays. */
function showZone() {
  const zone = user.profile.timeZone;
  if (!zoneForm || zoneForm.dataset.zone === zone) return;
  const known = Intl.supportedValuesOf?.("timeZone") ?? [];
  const names = Array.from(new Set([...known, zone, zoneOfDevice, "UTC"])).sort();
  zoneForm.elements.zone.replaceChildren(...names.map((name) => new Option(name.replaceAll("_", " "), name)));
  zoneForm.elements.zone.value = zone;
  zoneForm.dataset.zone = zone;
  document.getElementById("zone-of-device").hidden = zone === zoneOfDevice;
}

async function saveZone(timeZone) {
  await run(zoneForm, "zone-report", async () => {
    await checkUser();
    user.profile = await call("PATCH", app.dataset.profile, { timeZone });
    showZone();
    zoneForm.elements.zone.value = timeZone;
    report("zone-report", "success", text("zone_saved", { zone: timeZone.replaceAll("_", " ") }));
    document.getElementById("zone-title").focus();
    // The dates of the lists are in the time zone of the user.
    rendered.clear();
    await Promise.all(LISTS.map(refreshList));
  });
}

/** Asks, and then revokes all keys, ends all connections and feeds, and switches the personal API off. */
async function stopEverything() {
  if (!(await confirm("stop", "", stopButton.textContent))) return;
  await run(stopButton, "access-report", async () => {
    await checkUser();
    try {
      const stopped = await call("DELETE", app.dataset.access);
      forgetSecrets();
      report("access-report", "success", text("stopped", stopped));
    } finally {
      // Also if the answer was lost: the page shows what the server did. A list that cannot be loaded says so.
      await refresh().catch(() => Promise.all(LISTS.map(refreshList)));
    }
    document.getElementById("access-title").focus();
  });
}

function keyDraft() {
  const fields = new FormData(form);
  return { mode: fields.get("mode"), name: fields.get("name").trim() || null, expiresAt: expiry(fields) };
}

/** Creates a key or a feed. Returns the answer, which contains its secret. */
async function create(kind, draft) {
  await checkUser();
  const outcome = await call("POST", kind.url, draft).catch((error) => error);
  // The list stands above the new secret, and moves it.
  await refreshList(kind);
  if (!(outcome instanceof Error)) return outcome;
  const name = UNCERTAIN.has(outcome.name) ? "maybe_created" : outcome.name;
  throw outcome instanceof Failure ? new Failure(kind.failures?.[name] ?? name, outcome.values) : outcome;
}

function showNewKey({ token, mode }) {
  const root = new URL(app.dataset.root, document.baseURI).href;
  const base = `${root}${mode === "mcp_read" ? "api/mcp" : "api/v1"}`;
  const mcp = mode === "mcp_read" ? base : `${base}/mcp`;
  newKey.textContent = token;
  for (const [pre, template] of settings) {
    const filled = { "{key}": token, "{read}": `${base}/read`, "{mcp}": mcp };
    pre.textContent = template.replace(/\{(key|read|mcp)\}/g, (placeholder) => filled[placeholder]);
  }
  document.getElementById("create-section").hidden = true;
  document.getElementById("created").hidden = false;
  document.getElementById("created-title").focus();
  addEventListener("beforeunload", askBeforeLeaving);
}

/** Lets the browser ask whether to leave the page, because the new key is shown only once. */
function askBeforeLeaving(event) {
  event.preventDefault();
}

/** Removes the new key from the page. */
function forgetNewKey() {
  removeEventListener("beforeunload", askBeforeLeaving);
  newKey.textContent = "";
  for (const [pre, template] of settings) pre.textContent = template;
  document.getElementById("created-report").replaceChildren();
  document.getElementById("created").hidden = true;
  document.getElementById("create-section").hidden = false;
}

/** Removes the new key and the new address from the page. */
function forgetSecrets() {
  forgetNewKey();
  forgetNewFeed();
}

/** Removes what only the user may see. What was typed stays. */
user.forget = () => {
  forgetSecrets();
  forgetFeedChoices();
  for (const kind of LISTS) document.getElementById(kind.list).replaceChildren();
  rendered.clear();
  answers.clear();
  zoneForm?.elements.zone.replaceChildren();
  delete zoneForm?.dataset.zone;
};

async function copy(button) {
  const source = button.parentElement.querySelector("[data-copy]");
  const reportId = source.closest("section").querySelector("[aria-live]").id;
  try {
    await copyText(source);
    report(reportId, "success", text("copied"));
  } catch {
    report(reportId, "error", text("copy_failed"));
  }
}

/** Copies the text of an element. Without TLS, browsers offer only the older way, which needs a selection. */
async function copyText(source) {
  if (navigator.clipboard) {
    try {
      return await navigator.clipboard.writeText(source.textContent);
    } catch {
      // The user refused the permission. The older way needs none.
    }
  }
  getSelection().selectAllChildren(source);
  if (!document.execCommand("copy")) throw new Error("the browser refused to copy");
}

/** Fills in the form from the address. Creates nothing. */
function prefill() {
  const query = new URLSearchParams(location.search);
  const name = query.get("name");
  const mode = modes.find((choice) => choice.value === query.get("mode"));
  if (name) form.elements.name.value = name.slice(0, form.elements.name.maxLength);
  if (mode) mode.checked = true;
  document.getElementById("prefilled").hidden = !name && !mode;
}

/** Loads everything again, for example after a change in another tab. What was typed stays. */
async function refresh() {
  await loadProfile();
  if (!modes.some((choice) => choice.checked)) selectDefaultMode();
  showApi();
  showZone();
  document.getElementById("content").hidden = false;
  // The list of feeds shows the names of what they are limited to.
  const choices = loadFeedChoices().then(() => feedForm && renderList(FEEDS));
  await Promise.all([...LISTS.map(refreshList), choices]);
}

function selectDefaultMode() {
  const mode = user.profile.personalApiEnabled ? "v1_read" : "mcp_read";
  const choice = modes.find((choice) => choice.value === mode) ?? modes[0];
  if (choice) choice.checked = true;
}

async function load() {
  await run(app, "page-report", refresh);
  document.getElementById("loading").hidden = true;
}

apiSwitch.addEventListener("change", switchApi);
stopButton?.addEventListener("click", stopEverything);
form.addEventListener("change", showModeWarning);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  run(form, "create-report", async () => showNewKey(await create(KEYS, keyDraft())));
});
feedForm?.addEventListener("submit", (event) => {
  event.preventDefault();
  run(feedForm, "create-feed-report", async () => showNewFeed(await create(FEEDS, feedDraft())));
});
zoneForm?.addEventListener("submit", (event) => {
  event.preventDefault();
  saveZone(zoneForm.elements.zone.value);
});
document.getElementById("zone-of-device")?.addEventListener("click", () => saveZone(zoneOfDevice));
document.getElementById("done").addEventListener("click", () => {
  forgetNewKey();
  // What a link filled in is for one key only.
  form.reset();
  selectDefaultMode();
  showModeWarning();
  history.replaceState(null, "", location.pathname);
  document.getElementById("prefilled").hidden = true;
  document.getElementById("keys-title").focus();
});
document.getElementById("feed-done")?.addEventListener("click", () => {
  forgetNewFeed();
  resetFeedForm();
  history.replaceState(null, "", location.pathname);
  document.getElementById("feed-prefilled").hidden = true;
  document.getElementById("feeds-title").focus();
});
document.getElementById("confirm").addEventListener("click", ({ target }) => {
  if (target.value) document.getElementById("confirm").close(target.value);
});
document.addEventListener("click", ({ target }) => {
  if (target.dataset?.action === "copy") copy(target);
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") load();
});
addEventListener("pagehide", forgetSecrets);
for (const element of document.querySelectorAll("[data-address]")) {
  element.textContent = new URL(element.dataset.address, document.baseURI).href;
}
prefill();
const namesFeed = prefillFeed();
// The form of feeds is far down the page.
load().then(() => namesFeed && document.getElementById("create-feed-title").focus());
