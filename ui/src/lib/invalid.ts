/** What is wrong with a field, or nothing: it is marked, and the browser does not submit its form but shows the reason. */
export function invalid(field: HTMLInputElement | HTMLTextAreaElement, why: string): { update(why: string): void } {
  const update = (why: string): void => {
    field.setCustomValidity(why)
    field.setAttribute("aria-invalid", String(why !== ""))
  }
  update(why)
  return { update }
}
