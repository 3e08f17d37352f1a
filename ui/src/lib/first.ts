/** The field a form begins with. It has the focus at once; in a dialog that is still to be shown, when it is shown.
 * A form that comes up beside a field somebody writes in takes nothing from it. */
export function first(field: HTMLElement, wanted = true): void {
  field.autofocus = wanted
  if (wanted && !document.activeElement?.matches("input, textarea, select")) field.focus()
}
