/** Dark felt or light desk: each screen has its own, unless the person chose one. */

export type Theme = "felt" | "desk"

const KEPT = "puntobanco.theme"
const state = $state({ chosen: kept(), usual: "felt" as Theme })

function kept(): Theme | null {
  const found = typeof localStorage === "undefined" ? null : localStorage.getItem(KEPT)
  return found === "felt" || found === "desk" ? found : null
}

export function theme(): Theme {
  return state.chosen ?? state.usual
}

export function usual(theme: Theme): void {
  state.usual = theme
}

export function choose(theme: Theme): void {
  state.chosen = theme
  localStorage.setItem(KEPT, theme)
}
