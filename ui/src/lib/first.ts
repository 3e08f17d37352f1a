/** The field a form begins with. It has the focus at once; in a dialog that is still to be shown, when it is shown. */
export function first(field: HTMLElement, wanted = true): void {
  field.autofocus = wanted
  if (wanted) field.focus()
}
