/** Enter submits a form from each of its fields. Browsers do that themselves except from a list of choices. */
export function submitFromList(event: KeyboardEvent): void {
  const list = event.target
  if (event.key !== "Enter" || event.repeat || event.defaultPrevented || !(list instanceof HTMLSelectElement) || !list.form) return
  const submits = [...list.form.elements].find((one): one is HTMLButtonElement => one instanceof HTMLButtonElement && one.type === "submit")
  if (!submits) return
  event.preventDefault()
  if (!submits.disabled) list.form.requestSubmit(submits)
}
