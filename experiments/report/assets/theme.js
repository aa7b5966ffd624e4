// The choice of colours, buttons that copy, and what printing needs.

function applyTheme(name) {
  if (name === "light" || name === "dark") document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
}

(function () {
  const choice = byId("theme");
  const kept = recall("contend-theme");
  if (kept === "light" || kept === "dark") choice.value = kept;
  applyTheme(choice.value);
  choice.addEventListener("change", function () {
    applyTheme(choice.value);
    remember("contend-theme", choice.value);
  });
})();

for (const button of document.querySelectorAll("button.copy")) {
  button.addEventListener("click", async function () {
    const source = byId(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = "Copied";
    } catch (refused) { // then the reader copies what is selected
      getSelection().selectAllChildren(source);
      button.textContent = "Selected";
    }
    setTimeout(function () { button.textContent = "Copy"; }, 1500);
  });
}

// Paper has no switches, so all parts are open on it.
let opened = [];
addEventListener("beforeprint", function () {
  opened = Array.from(document.querySelectorAll("details:not([open])"));
  for (const part of opened) part.open = true;
});
addEventListener("afterprint", function () {
  for (const part of opened) part.open = false;
});
