import { mount } from "svelte"
import App from "./App.svelte"
import { fontFor } from "./lib/font"
import { live } from "./lib/live.svelte"
import { listen } from "./lib/router.svelte"
import { session } from "./lib/session.svelte"
import { language, onLanguage, speak } from "./lib/words/words.svelte"
import "./lib/theme.css"
import "han.css"

speak(language())
onLanguage(() => live.refresh())
listen()
addEventListener("online", () => live.refresh())
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && live.line === "lost") live.refresh()
})
void fontFor(language()).then(() => mount(App, { target: document.getElementById("house")! }))
void session.begin().catch(() => (session.known = true))
