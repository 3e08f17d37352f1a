/** Keys for everything: `<svelte:window onkeydown={keys({ Enter: confirm, u: undo })} />`.
 *
 * Nothing is heard while somebody types, while a dialog is open, or with Ctrl, Alt or Meta held. Enter and the space
 * bar keep their meaning on the button that has the focus. */

export type Keys = { readonly [key: string]: (() => void) | undefined }

export function keys(bindings: Keys): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.defaultPrevented) return
    const target = event.target as HTMLElement | null
    if (target?.matches?.("input, textarea, select, [contenteditable]") || document.querySelector("dialog[open]")) return
    if ((event.key === "Enter" || event.key === " ") && target?.closest?.("button, a, summary")) return
    const heard = bindings[event.key] ?? bindings[event.key.toLowerCase()]
    if (heard === undefined) return
    event.preventDefault()
    heard()
  }
}

/** A button that was clicked with a pointer keeps no key to itself: Enter confirms, it does not click once more. */
export function freed(event: MouseEvent): void {
  if (event.detail > 0) (event.currentTarget as HTMLElement | null)?.blur()
}
