// Sends each form once, even if its button is pressed twice. Without scripts, the server answers each submission.

for (const form of document.forms) {
  const setSent = (sent) => {
    form.ariaBusy = String(sent);
    for (const button of form.querySelectorAll("button")) button.disabled = sent;
  };
  form.addEventListener("submit", (event) => {
    if (form.ariaBusy === "true") return event.preventDefault();
    form.ariaBusy = "true";
    // The browser reads the pressed button after this event. A disabled button would not be sent.
    setTimeout(setSent, 0, true);
  });
  // The browser may show the page again as it was left.
  addEventListener("pageshow", ({ persisted }) => persisted && setSent(false));
}
