// What the scripts of the pages share: the signed-in user, calls of the session routes, their failures in words, dates.

export const app = document.getElementById("app");
const texts = document.getElementById("texts").content;

const CALL_TIMEOUT = 30 * 1000;
export const DAY = 24 * 60 * 60 * 1000;

/** A date. English has the month in words, because its regions order the numbers differently. */
const DATE = {
  day: "2-digit",
  month: document.documentElement.lang.startsWith("en") ? "short" : "2-digit",
  year: "numeric",
};
/** The options of a time of day. */
export const TIME = { hour: "2-digit", minute: "2-digit" };

/** The signed-in user. */
export const user = {
  profile: null,
  /** Removes what only the user may see. A page replaces it by what it has to remove. */
  forget: () => {},
};

/** A call that failed, by the name of its text. */
export class Failure extends Error {
  constructor(name, values = {}) {
    super(name);
    this.name = name;
    this.values = values;
  }
}

export function text(name, values = {}) {
  const template = texts.querySelector(`[data-text="${name}"]`).textContent;
  return Object.entries(values).reduce((text, [key, value]) => text.replace(`{${key}}`, () => value), template);
}

/** Calls a session route. Throws a `Failure` if it does not succeed. */
export async function call(method, url, body) {
  const headers = { Accept: "application/json" };
  if (body) headers["Content-Type"] = "application/json";
  const signal = AbortSignal.timeout(CALL_TIMEOUT);
  let response;
  try {
    response = await fetch(url, { method, headers, body: body && JSON.stringify(body), cache: "no-store", signal });
  } catch {
    throw new Failure("network");
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer) return answer;
  throw failure(response, answer ?? {});
}

function failure(response, problem) {
  switch (response.status) {
    case 401:
      return new Failure("signed_out");
    case 403:
      return new Failure(problem.code === "api_disabled" ? "api_disabled" : "cross_site");
    case 404:
      return new Failure("not_found");
    case 409:
      return new Failure("limit_reached");
    case 422:
      return new Failure("invalid", { details: problem.errors?.map((error) => error.detail) ?? [] });
    case 429:
      return new Failure("rate_limited", { seconds: response.headers.get("Retry-After") ?? "60" });
    case 503:
      return new Failure("unavailable");
    default:
      return new Failure("unexpected", { id: problem.requestId ?? "–" });
  }
}

/** Loads the profile, and shows who is signed in. */
export async function loadProfile() {
  const profile = await call("GET", app.dataset.profile);
  if (user.profile && user.profile.id !== profile.id) return startAgain();
  user.profile = profile;
  showUser(profile);
}

/** Precedes every change. Nothing of this page may be done in the name of another user who has signed in since. */
export async function checkUser() {
  const { id } = await call("GET", app.dataset.profile);
  if (id !== user.profile.id) await startAgain();
}

/** Loads the page of the user who is signed in now. Never returns. */
function startAgain() {
  forgetUser();
  location.reload();
  return new Promise(() => {});
}

function forgetUser() {
  showUser(null);
  user.forget();
}

function showUser(profile) {
  for (const name of ["name", "email"]) {
    document.querySelector(`#who [data-slot="${name}"]`).textContent = profile?.[name] ?? "";
  }
  document.getElementById("who").hidden = !profile;
}

/** Shows a message in an element that screen readers announce. */
export function report(id, kind, ...content) {
  const note = document.createElement("div");
  note.className = `note ${kind}`;
  note.append(...content);
  document.getElementById(id).replaceChildren(note);
}

export function reportFailure(id, error) {
  if (!(error instanceof Failure)) throw error;
  const { details = [], ...values } = error.values;
  const content = [text(error.name, values), ...details.map(serverText)];
  if (error.name === "signed_out" && app.dataset.signIn) {
    const link = document.createElement("a");
    link.href = app.dataset.signIn;
    link.target = "_blank";
    link.textContent = text("sign_in");
    content.push(" ", link);
  }
  report(id, "error", ...content);
}

/** Returns a text of the server, which writes English. */
function serverText(detail) {
  const element = document.createElement("span");
  element.lang = "en";
  element.textContent = ` ${detail}.`;
  return element;
}

/** Runs an action of a control once at a time, and reports its failure. */
export async function run(control, reportId, action) {
  if (control.ariaBusy === "true") return;
  control.ariaBusy = "true";
  document.getElementById(reportId).replaceChildren();
  try {
    await action();
  } catch (error) {
    reportFailure(reportId, error);
    if (error.name === "signed_out") forgetUser();
  } finally {
    control.ariaBusy = "false";
  }
}

/** Returns when the thing expires that a form creates. `null` if it does not. */
export function expiry(fields) {
  const days = Number(fields.get("days"));
  return days ? new Date(Date.now() + days * DAY).toISOString() : null;
}

/** Writes an instant as local time of the user's time zone, as the language and region of the page write dates. */
export function showTime(element, instant, options) {
  if (!instant) return;
  const date = new Date(instant);
  const locale = document.documentElement.lang;
  const format = (zone) => new Intl.DateTimeFormat(locale, { ...DATE, ...options, ...zone }).format(date);
  element.dateTime = instant;
  try {
    element.textContent = format({ timeZone: user.profile.timeZone });
  } catch {
    // The browser does not know the time zone.
    element.textContent = format({});
  }
}
