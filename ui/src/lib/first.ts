/** The field a form begins with. It has the focus at once; in a dialog that is still to be shown, when it is shown.
 * What comes up in a dialog beside a field somebody writes in takes nothing from it. */
export function first(field: HTMLElement, wanted = true): void {
  field.autofocus = wanted
  const [dialog, writes] = [field.closest("dialog"), document.activeElement]
  if (wanted && !(dialog?.contains(writes) && writes?.matches("input, textarea, select"))) field.focus()
}
